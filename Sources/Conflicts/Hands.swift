import Differ
import Recording

/// Tells senders apart by the requestIds of one counter, where the differ's numbers leave it open.
///
/// A sender's ids only grow (PROTOCOL 5.1, consequence (d)), so the fewest senders that explain ids are found by giving each
/// id to the hand with the largest smaller one. A number that the differ wrote decides before that.
struct Hands: Equatable {
    /// One sender, as far as its ids tell.
    struct Hand: Equatable {
        /// 1, 2, … in order of appearance: never used twice in one counter.
        var number: Int64
        /// The number that the differ gave it; nil when it gave none.
        var series: Int32?
        /// The id that it used last.
        var lastID: Int64
        /// When.
        var lastAt: WallTime
        /// The ids before that one, ``Hands/earlierLimit`` at most, the newest last.
        var earlierIDs: [Int64] = []
    }

    /// What was taken for one sender is two: those of its deeds with ids up to one are another hand's.
    struct Split: Equatable {
        var hand: Int64
        var throughID: Int64
        var next: Int64
        var series: Int32?
    }

    /// Earlier ids kept of a sender, at most.
    static let earlierLimit = 8
    /// Senders kept, at most: then the one that was silent for longest is forgotten.
    static let limit = 8
    /// The same id within this time is the same request, in seconds, as for the differ.
    static let repeatSeconds = 1.0

    var hands: [Hand] = []
    var count: Int64 = 0

    /// Whose request an id is.
    ///
    /// - Parameter isLoading: Whether a LOAD with that id may be under way, whose completion bears it again.
    /// - Parameter split: Set when the id shows that what was taken for one sender is two.
    mutating func take(
        _ id: Int64, series: Int32?, at: WallTime, isLoading: Bool, split: inout Split?
    ) -> Doer {
        let place =
            self.place(of: id, series: series, at: at, isLoading: isLoading, split: &split) ?? begin(id, series, at)
        if hands[place].lastID < id {
            hands[place].earlierIDs.append(hands[place].lastID)
            if hands[place].earlierIDs.count > Self.earlierLimit { hands[place].earlierIDs.removeFirst() }
            hands[place].lastID = id
        }
        hands[place].lastAt = at
        if series != nil { hands[place].series = series }
        return Doer(hand: hands[place].number, series: hands[place].series, requestID: id, at: at)
    }

    /// The differ's numbers begin anew: those of before say nothing of those to come.
    mutating func forgetSeries() {
        for index in hands.indices { hands[index].series = nil }
    }

    private mutating func place(
        of id: Int64, series: Int32?, at: WallTime, isLoading: Bool, split: inout Split?
    ) -> Int? {
        let same = hands.firstIndex { hand in
            // The completion of a LOAD bears its id, whatever its sender asked meanwhile.
            guard hand.lastID == id || (isLoading && hand.earlierIDs.contains(id)) else { return false }
            if let series, let known = hand.series { return series == known }
            return isLoading || abs(at.secondsAfter(hand.lastAt)) <= Self.repeatSeconds
        }
        if let same { return same }
        if let series, let known = hands.firstIndex(where: { $0.series == series }) {
            if hands[known].lastID < id { return known }
            // Both cannot be so: the numbers began anew without a sign.
            hands[known].series = nil
        }
        let near = nearest(below: id, at: at, unnumberedOnly: series != nil)
        if let parting = parting(around: id, at: at), near.map({ hands[$0].lastID < parting.throughID }) ?? true {
            split = Split(
                hand: hands[parting.place].number, throughID: parting.throughID, next: count + 1, series: series)
            return part(parting.place, through: parting.throughID, series, at)
        }
        return near
    }

    /// A hand whose ids lie on both sides of one that does not grow: since nobody counts back, the larger ones are another
    /// sender's than the smaller ones, if those can easily lead to it.
    private func parting(around id: Int64, at: WallTime) -> (place: Int, throughID: Int64)? {
        var best: (place: Int, throughID: Int64)?
        for place in hands.indices where hands[place].lastID > id {
            guard abs(at.secondsAfter(hands[place].lastAt)) <= Self.partingSeconds,
                let below = hands[place].earlierIDs.last(where: { $0 < id }),
                PlausibleJump.fits(PlausibleJump.easy, from: below, to: id, within: 0),
                best.map({ $0.throughID < below }) ?? true
            else { continue }
            best = (place, below)
        }
        return best
    }

    /// Only what was mistaken lately is set right, in seconds.
    private static let partingSeconds = 60.0

    /// Parts a hand in two; the place of the one with the smaller ids.
    private mutating func part(_ place: Int, through id: Int64, _ series: Int32?, _ at: WallTime) -> Int {
        let smaller = hands[place].earlierIDs.filter { $0 <= id }
        hands[place].earlierIDs.removeAll { $0 <= id }
        let next = begin(id, series, at)
        hands[next].earlierIDs = Array(smaller.dropLast())
        return next
    }

    /// The hand whose last id is nearest below, if it can easily have used up the ids between.
    ///
    /// Beyond that somebody new is taken to be there. Should it be the same sender after all, no harm is done: a sender whose
    /// ids only grow never comes back to an earlier hand, and without that there is no fight.
    private func nearest(below id: Int64, at: WallTime, unnumberedOnly: Bool) -> Int? {
        hands.indices
            .filter { place in
                !(unnumberedOnly && hands[place].series != nil)
                    && PlausibleJump.fits(
                        PlausibleJump.easy, from: hands[place].lastID, to: id,
                        within: at.secondsAfter(hands[place].lastAt))
            }
            .max { hands[$0].lastID < hands[$1].lastID }
    }

    private mutating func begin(_ id: Int64, _ series: Int32?, _ at: WallTime) -> Int {
        if hands.count >= Self.limit, let oldest = hands.indices.min(by: { hands[$0].lastAt < hands[$1].lastAt }) {
            hands.remove(at: oldest)
        }
        count += count < .max ? 1 : 0
        hands.append(Hand(number: count, series: series, lastID: id, lastAt: at))
        return hands.count - 1
    }
}

/// Who did something: the device itself, or one of the senders that a counter's ids tell apart.
struct Doer: Equatable {
    /// The hand; 0 for the device.
    var hand: Int64
    /// The differ's number; nil when it gave none.
    var series: Int32?
    /// The id of its last deed; nil for the device.
    var requestID: Int64?
    /// When that was.
    var at: WallTime

    /// The device itself: its app, a remote control, a hand on it.
    static func receiver(at: WallTime) -> Doer { Doer(hand: 0, series: nil, requestID: nil, at: at) }

    var isReceiver: Bool { hand == 0 }

    func isSame(as other: Doer) -> Bool { hand == other.hand }

    /// How sure it is that somebody else did what came next: 1 for two senders whose ids cannot be one counter's, 0.5 where
    /// they could, 0.75 for a sender and the device, whose moves may also be what a sender's move led to.
    func sureness(ofAnother next: Doer) -> Double {
        if isReceiver || next.isReceiver { return Self.deviceSureness }
        if let series, let other = next.series, series != other { return 1 }
        guard let last = requestID, let id = next.requestID else { return Self.likelySureness }
        return Self.canBeOne(last, id, within: next.at.secondsAfter(at)) ? Self.likelySureness : 1
    }

    static let deviceSureness = 0.75
    static let likelySureness = 0.5

    /// Whether one sender can have used an id, and another one so many seconds later.
    static func canBeOne(_ id: Int64, _ next: Int64, within seconds: Double) -> Bool {
        PlausibleJump.fits(PlausibleJump.possible, from: id, to: next, within: seconds)
    }
}

extension WallTime {
    /// Seconds from another moment to this one, whatever the two are.
    func secondsAfter(_ other: WallTime) -> Double { (Double(microseconds) - Double(other.microseconds)) / 1e6 }

    /// Whether the two are no further apart than so many seconds.
    func isWithin(_ seconds: Double, of other: WallTime) -> Bool { abs(secondsAfter(other)) <= seconds }
}
