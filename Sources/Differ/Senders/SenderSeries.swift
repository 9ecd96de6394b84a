import CastModel
import Recording

/// Infers which sender asked, from the requestIds of one app session's broadcasts (PROTOCOL 5.1, consequence (d)).
///
/// The wire names nobody. What is certain: within one sender's life ids only grow, so an id that does not grow belongs
/// to somebody else. What is not: a sender also uses up ids by questions that we never see, so a growing id may be that of
/// any sender whose last id was smaller. Kept is therefore the set of all explanations that are still possible, each of
/// them the last id of every sender. An explanation that needs no new sender beats one that does, and one in which a
/// sender asked implausibly often meanwhile loses to one without (see ``PlausibleJump``). There is an answer when all
/// explanations left agree, and none otherwise.
///
/// Two senders with the same last id lose their numbers as soon as either goes on, since nothing tells which one did. Only
/// a LOAD ends that: its sender gets the next free number. Numbers from before such a LOAD cannot be compared with those
/// from after it; the LOAD itself stays without a number, which marks the place.
struct SenderSeries: Equatable {
    /// What is known of one sender.
    struct Sender: Equatable {
        /// 1, 2, … in order of appearance; nil when it could be one of several.
        var number: Int32?
        /// The id that it used last.
        var lastID: Int64
        /// When.
        var lastAt: WallTime
    }

    /// One way to share all ids out among senders: at most ``senderLimit`` of them, ordered by last id and number.
    struct Explanation: Equatable {
        var senders: [Sender]
    }

    /// An answer that holds for the same id again.
    struct Answer: Equatable {
        var id: Int64
        var at: WallTime
        var number: Int32?
    }

    /// Senders that are no longer kept one by one.
    struct Crowd: Equatable {
        var lowestID: Int64
        var highestID: Int64
        var earliestAt: WallTime
    }

    /// Senders kept per explanation, at most: more have never been seen to share one app session.
    static let senderLimit = 8
    /// Explanations kept, at most; beyond that everything is unclear.
    static let explanationLimit = 32
    /// The same id within this time is the same request, in seconds: a status that was sent twice.
    static let repeatSeconds = 1.0

    /// The app session it is about.
    var appSessionID: AppSessionID?
    /// Every way to explain the ids so far; empty before the first one, and after too many.
    var explanations: [Explanation] = []
    /// Whether there were too many explanations.
    var isLost = false
    /// Numbers given so far.
    var count: Int32 = 0
    /// The answer given last.
    var latest: Answer?
    /// The answer for a LOAD or queue step whose completion is yet to come, with the same id.
    var awaited: Answer?
    /// Those who had to make room.
    var crowd: Crowd?

    /// Takes the id of a broadcast that some sender asked for, and says which one; nil when that is unclear.
    ///
    /// - Parameter isLoad: Whether the broadcast begins or completes a LOAD; asked only when that matters.
    mutating func take(_ id: Int64, at: WallTime, isLoad: () -> Bool) -> Int32? {
        guard id > 0 else { return nil }
        if let known = answerForSameRequest(id, at: at) { return known.number }
        let number = explain(id, at: at)
        latest = Answer(id: id, at: at, number: number)
        if number == nil, isLoad() { beginAnew(id, at: at) }
        return number
    }

    /// Takes note whether a LOAD or a queue step still owes its media after a message, and whether it did before.
    mutating func settle(_ id: Int64?, owedMedia: Bool, owesMedia: Bool) {
        if !owesMedia {
            awaited = nil
        } else if !owedMedia {
            awaited = latest.flatMap { $0.id == id ? $0 : nil }
        }
    }

    /// Which sender a request belongs to whose id may come from a counter of its own: only a sender that alone fits.
    ///
    /// Learns nothing from it.
    func fitting(_ id: Int64, at: WallTime) -> Int32? {
        guard id > 0, crowd.map({ !$0.couldSend(id, at: at) }) ?? true else { return nil }
        return agreed(
            explanations.map { explanation in
                let fitting = explanation.senders.filter { $0.couldSend(id, at: at, easily: true) }
                return fitting.count == 1 ? fitting[0].number : nil
            })
    }

    /// Which sender's request an error answers; the answer may come after later requests.
    func asker(of id: Int64) -> Int32? {
        for answer in [awaited, latest] {
            if let answer, answer.id == id { return answer.number }
        }
        return nil
    }

    private func answerForSameRequest(_ id: Int64, at: WallTime) -> Answer? {
        if let awaited, awaited.id == id { return awaited }
        guard let latest, latest.id == id, (0...Self.repeatSeconds).contains(at.secondsLater(than: latest.at)) else {
            return nil
        }
        return latest
    }

    /// Goes on with every explanation and says what all of them agree on.
    private mutating func explain(_ id: Int64, at: WallTime) -> Int32? {
        guard !isLost else { return nil }
        var next = continued(with: id, at: at, easily: true)
        if next.isEmpty { next = continued(with: id, at: at, easily: false) }
        if next.isEmpty {
            count += count < .max ? 1 : 0
            let newcomer = Sender(number: count, lastID: id, lastAt: at)
            if explanations.isEmpty { explanations = [Explanation(senders: [])] }
            next = explanations.map { (Explanation(senders: $0.senders + [newcomer]), count) }
        }
        explanations = []
        // Beyond the limit they are given up: no need to look at the rest.
        for (explanation, _) in next where explanations.count <= Self.explanationLimit { keep(explanation) }
        if explanations.count > Self.explanationLimit {
            explanations = []
            isLost = true
        }
        return agreed(next.map { $0.number })
    }

    private func continued(with id: Int64, at: WallTime, easily: Bool) -> [(explanation: Explanation, number: Int32?)] {
        explanations.flatMap { $0.continued(with: id, at: at, easily: easily, crowd: crowd) }
    }

    /// Adds an explanation, without those senders for whom there is no room, unless it is there already.
    private mutating func keep(_ explanation: Explanation) {
        var kept = explanation
        while kept.senders.count > Self.senderLimit {
            guard let oldest = kept.senders.indices.min(by: { kept.senders[$0].lastAt < kept.senders[$1].lastAt })
            else { break }
            let gone = kept.senders.remove(at: oldest)
            crowd = crowd.map { $0.joined(by: gone) } ?? Crowd(gone)
        }
        kept.senders.sort { ($0.lastID, $0.number ?? 0) < ($1.lastID, $1.number ?? 0) }
        if let known = explanations.firstIndex(where: { $0.isSame(as: kept) }) {
            explanations[known].widen(by: kept)
        } else {
            explanations.append(kept)
        }
    }

    /// After a LOAD whose sender is unclear, that sender is taken to be alone until ids prove otherwise, as after a LAUNCH.
    private mutating func beginAnew(_ id: Int64, at: WallTime) {
        count += count < .max ? 1 : 0
        explanations = [Explanation(senders: [Sender(number: count, lastID: id, lastAt: at)])]
        isLost = false
        crowd = nil
    }

    private func agreed(_ numbers: [Int32?]) -> Int32? {
        guard let first = numbers.first else { return nil }
        return numbers.allSatisfy { $0 == first } ? first : nil
    }
}

extension SenderSeries.Explanation {
    /// Every way to go on with an id without a new sender, and whose it is then.
    func continued(
        with id: Int64, at: WallTime, easily: Bool, crowd: SenderSeries.Crowd?
    ) -> [(explanation: SenderSeries.Explanation, number: Int32?)] {
        var ways: [(explanation: SenderSeries.Explanation, number: Int32?)] = []
        var seen: Int64?
        for index in senders.indices where senders[index].couldSend(id, at: at, easily: easily) {
            let lastID = senders[index].lastID
            // One of those with the same last id stands for all: they are put in the same place.
            if seen == lastID { continue }
            seen = lastID
            var after = self
            // Senders with the same last id cannot be told apart once either goes on.
            let alike = senders.indices.filter { senders[$0].lastID == lastID }
            if alike.count > 1 { for other in alike { after.senders[other].number = nil } }
            let number = after.senders[index].number
            after.senders[index].lastID = id
            after.senders[index].lastAt = at
            ways.append((after, number))
        }
        if let crowd, crowd.couldSend(id, at: at) {
            let somebody = SenderSeries.Sender(number: nil, lastID: id, lastAt: at)
            ways.append((SenderSeries.Explanation(senders: senders + [somebody]), nil))
        }
        return ways
    }

    /// Whether two explanations differ in moments only.
    func isSame(as other: SenderSeries.Explanation) -> Bool {
        senders.count == other.senders.count
            && zip(senders, other.senders).allSatisfy { $0.lastID == $1.lastID && $0.number == $1.number }
    }

    /// Takes the earlier moment of each sender, which rules out less.
    mutating func widen(by other: SenderSeries.Explanation) {
        for index in senders.indices { senders[index].lastAt = min(senders[index].lastAt, other.senders[index].lastAt) }
    }
}
