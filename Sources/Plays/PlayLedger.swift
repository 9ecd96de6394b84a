public import CastModel
public import Differ
public import Recording

/// Folds change events into plays: what each device played, from when to when, and how sure that is (DESIGN 5).
///
/// Pure, and without a clock: the same events give the same plays, in whatever stretches they are folded, and a ledger
/// restored from the states of another goes on exactly as that one would have. An app that speaks no media namespace
/// makes no play, only an app session; idle screens and the placeholders of groups make none either.
///
/// A struct; keep it on one thread. Folding the events of one archive in order is the caller's part.
public struct PlayLedger: Sendable {
    private var devices: [DevicePlays] = []
    private var indices: [DeviceID: Int] = [:]
    private var touched: Set<Int> = []
    private var watch = GapWatch()
    /// Devices that hold plays of an app session, to find where one moved from.
    ///
    /// More may be named than hold one.
    private var holders: [AppSessionID: Set<Int>] = [:]

    /// A play that moves to another device is there within this, in microseconds.
    private static let transferMicroseconds: Int64 = 10_000_000
    /// App sessions whose holders are remembered, at most: then all are looked up anew, which takes a while.
    ///
    /// It grows with the app sessions that have plays, so that those are not looked up again and again.
    private var holderLimit = Self.leastHolderLimit
    private static let leastHolderLimit = 50_000

    /// A ledger that knows nothing yet.
    public init() {}

    /// A ledger that goes on where another stopped, from what ``takeStates()`` gave.
    public init(restoring states: [(DeviceID, JSONValue)]) throws(PlaysError) {
        for (deviceID, json) in states {
            let device = try DevicePlays(deviceID: deviceID, json: json)
            indices[deviceID] = devices.count
            devices.append(device)
            watch.note(device, index: devices.count - 1)
        }
        findHolders()
    }

    /// The states that changed since the last call, in the order of their devices: what a checkpoint must store.
    ///
    /// A later state of a device replaces its earlier one.
    public mutating func takeStates() -> [(DeviceID, JSONValue)] {
        let states = touched.map { (devices[$0].deviceID, devices[$0].json) }.sorted { $0.0 < $1.0 }
        touched.removeAll(keepingCapacity: true)
        return states
    }

    /// The plays that an event began, changed or ended, each as it stands afterwards; none for most events.
    public mutating func fold(_ event: ChangeEvent) -> [Play] {
        var changes = PlayChanges()
        while let overdue = watch.overdue(at: event.observedAt) {
            changes.isTouched = false
            devices[overdue.index].giveUp(at: event.observedAt, into: &changes)
            if changes.isTouched { touched.insert(overdue.index) }
        }
        guard DevicePlays.isConcerned(by: event.kind) else { return changes.rows }
        let index = self.index(of: event.deviceID)
        changes.isTouched = false
        devices[index].fold(event, into: &changes)
        if changes.isTouched { touched.insert(index) }
        // A gap goes on by another clock where that was set; what is noted of it by the old one is passed over.
        if event.kind == .gapStarted || event.kind == .gapEnded { watch.note(devices[index], index: index) }
        if !changes.begun.isEmpty || !changes.ended.isEmpty { linkMoves(of: index, &changes) }
        if changes.isTouched { devices[index].closeSpans(into: &changes) }
        return finished(changes.rows)
    }

    /// The rows with what is so of the whole device.
    private func finished(_ rows: [Play]) -> [Play] {
        rows.map { made in
            var row = made
            row.isInputInactive =
                row.endedAt == nil && indices[row.deviceID].map { devices[$0].isInputInactive } ?? false
            return row
        }
    }

    /// Ends what lasts, uncertainly, at a moment after which nothing is known for a while.
    ///
    /// For a stretch whose records are gone. An event that later speaks of such a play lets it go on, with the time
    /// between counted as not observed.
    public mutating func loseSight(at moment: WallTime) -> [Play] {
        var changes = PlayChanges()
        for index in devices.indices {
            changes.isTouched = false
            let loss = ChangeEvent(
                id: .init(position: ArchivePosition(0), ordinal: 0), observedAt: moment,
                deviceID: devices[index].deviceID, appSessionID: nil, mediaSessionID: nil, kind: .gapStarted,
                attribution: .unknown, requestID: nil, callbacks: [], effective: true, before: nil,
                after: ["from": .string(moment.text), "reason": .string(Gap.Reason.recorderDown.rawValue)],
                positionSeconds: nil)
            devices[index].fold(loss, into: &changes)
            devices[index].closeSpans(into: &changes)
            if changes.isTouched { touched.insert(index) }
            watch.note(devices[index], index: index)
        }
        return changes.rows
    }

    private mutating func index(of deviceID: DeviceID) -> Int {
        if let known = indices[deviceID] { return known }
        indices[deviceID] = devices.count
        devices.append(DevicePlays(deviceID: deviceID))
        return devices.count - 1
    }

    // MARK: Moves to another device

    /// Links the plays that one event began or ended with those of the same app session elsewhere.
    private mutating func linkMoves(of index: Int, _ changes: inout PlayChanges) {
        for id in changes.begun {
            guard let place = devices[index].open.firstIndex(where: { $0.play.id == id }),
                let appSessionID = devices[index].open[place].play.appSessionID
            else { continue }
            hold(appSessionID, index)
            guard let source = source(of: devices[index].open[place].play, at: index) else { continue }
            link(from: source, to: (index, place), &changes)
        }
        for id in changes.ended {
            guard let place = devices[index].recent.firstIndex(where: { $0.play.id == id }),
                let destination = destination(of: devices[index].recent[place].play, at: index)
            else { continue }
            link(from: (index, place), to: destination, &changes)
        }
    }

    private mutating func link(
        from source: (index: Int, place: Int), to destination: (index: Int, place: Int), _ changes: inout PlayChanges
    ) {
        devices[source.index].recent[source.place].play.continuedIn =
            devices[destination.index].open[destination.place].play.id
        devices[source.index].recent[source.place].play.endReason = .transferred
        devices[destination.index].open[destination.place].play.continuedFrom =
            devices[source.index].recent[source.place].play.id
        devices[destination.index].open[destination.place].play.startCause = .transfer
        touched.formUnion([source.index, destination.index])
        changes.put(devices[source.index].recent[source.place])
        changes.put(devices[destination.index].open[destination.place])
    }

    /// The play that ended elsewhere just before this one began, in the same app session.
    private func source(of play: Play, at index: Int) -> (index: Int, place: Int)? {
        var best: (index: Int, place: Int, endedAt: WallTime)?
        for holder in others(than: index, of: play.appSessionID) {
            for (place, candidate) in devices[holder].recent.enumerated() {
                guard let endedAt = candidate.play.endedAt, candidate.moves, Self.areClose(endedAt, play.startedAt),
                    candidate.play.appSessionID == play.appSessionID,
                    candidate.play.content.mayBeSame(as: play.content)
                else { continue }
                if let best, best.endedAt >= endedAt { continue }
                best = (holder, place, endedAt)
            }
        }
        return best.map { ($0.index, $0.place) }
    }

    /// The play that began elsewhere just before this one ended, in the same app session.
    private func destination(of play: Play, at index: Int) -> (index: Int, place: Int)? {
        guard let endedAt = play.endedAt, play.endReason != .finished, play.endReason != .failed else { return nil }
        for holder in others(than: index, of: play.appSessionID) {
            let place = devices[holder].open.firstIndex { candidate in
                candidate.hasBegun && candidate.play.continuedFrom == nil && candidate.play.endedAt == nil
                    && candidate.play.appSessionID == play.appSessionID
                    && Self.areClose(endedAt, candidate.play.startedAt)
                    && candidate.play.content.mayBeSame(as: play.content)
            }
            if let place { return (holder, place) }
        }
        return nil
    }

    private static func areClose(_ one: WallTime, _ other: WallTime) -> Bool {
        TimeSpent.between(min(one, other), max(one, other)) <= transferMicroseconds
    }

    /// The other devices that may hold plays of an app session, in the order of their ids.
    private func others(than index: Int, of appSessionID: AppSessionID?) -> [Int] {
        guard let appSessionID, let known = holders[appSessionID], known.count > 1 else { return [] }
        return known.filter { $0 != index }.sorted { devices[$0].deviceID < devices[$1].deviceID }
    }

    private mutating func hold(_ appSessionID: AppSessionID, _ index: Int) {
        if holders.count >= holderLimit {
            findHolders()
            holderLimit = max(Self.leastHolderLimit, 2 * holders.count)
        }
        holders[appSessionID, default: []].insert(index)
    }

    private mutating func findHolders() {
        holders = [:]
        for index in devices.indices {
            for play in devices[index].open + devices[index].recent where play.hasBegun {
                guard let appSessionID = play.play.appSessionID else { continue }
                holders[appSessionID, default: []].insert(index)
            }
        }
    }
}

extension OpenPlay {
    /// Whether an ended play may have moved elsewhere.
    fileprivate var moves: Bool {
        play.continuedIn == nil && !play.endIsUncertain && play.endReason != .finished && play.endReason != .failed
    }
}
