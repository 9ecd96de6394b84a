public import CastModel
import CastWire
public import Recording

/// Folds records into change events: what changed on each device, who asked for it, and who was told (DESIGN 4).
///
/// Pure: the same records give the same events, whenever and however often they are folded. A differ restored from the
/// device states of another goes on exactly as that one would have.
///
/// A struct with a parser of its own; keep it on one thread. Folding the records of one archive in order is the caller's
/// part.
public struct StatusDiffer {
    private var devices: [DeviceState] = []
    private var indices: [DeviceID: Int] = [:]
    private var touched: Set<Int> = []
    private var heard: Set<Int> = []
    private var notUnderstood = NotUnderstoodCounts()
    private var titles: TitleRedaction?
    /// When devices that are not linked again since the recorder's return count as unreachable; nil when none may be.
    private var returnDue: WallTime?
    /// The last record folded, where a hole behind it is looked for.
    private var last: (position: ArchivePosition, at: WallTime?)?
    /// What the record that is folded has made already, of other devices.
    private var earlier: [ChangeEvent] = []
    private let parser = JSONParser()
    private let judge: (any IdentityJudge)?

    /// A differ that knows nothing yet.
    ///
    /// - Parameter judge: Who judges what devices show to prove their identity; nil leaves that out.
    public init(judge: (any IdentityJudge)? = nil) { self.judge = judge }

    /// A differ that goes on where another stopped, from what ``takeDeviceStates()`` and ``takeHeard()`` gave.
    ///
    /// - Parameters:
    ///   - titleSalt: What that one's ``titleSalt`` was.
    ///   - last: The last record that that one folded, without a time where there was none. With it, records that are
    ///     missing from then on are damage of the archive, and make gaps; without it, whoever folds leaves out what they
    ///     like.
    public init(
        restoring states: [(DeviceID, JSONValue)], heard: [DeviceID: WallTime], titleSalt: UInt64? = nil,
        after last: (position: ArchivePosition, at: WallTime?)? = nil, judge: (any IdentityJudge)? = nil
    ) throws(DifferError) {
        self.judge = judge
        self.last = last
        titles = titleSalt.map { TitleRedaction(salt: $0) }
        for (deviceID, json) in states {
            var state = try DeviceState(deviceID: deviceID, json: json)
            state.lastObservedAt = heard[deviceID]
            state.titles = titles
            indices[deviceID] = devices.count
            devices.append(state)
        }
        noteReturns()
    }

    /// Whether titles are left out, and with which salt: part of a checkpoint.
    ///
    /// The record of the recorder's start decides, so whoever folds the archive again leaves out the same. Keep it from
    /// readers: with it, a content that one knows can be found again.
    public var titleSalt: UInt64? { titles?.salt }

    /// The devices whose state changed since the last ``takeDeviceStates()``, in the order of their ids.
    public var devicesTouched: [DeviceID] { touched.map { devices[$0].deviceID }.sorted() }

    /// The states that changed since the last call, in the order of their ids: what a checkpoint must store.
    ///
    /// A later state of a device replaces its earlier one. States hold no secrets.
    public mutating func takeDeviceStates() -> [(DeviceID, JSONValue)] {
        let states = touched.map { (devices[$0].deviceID, devices[$0].json) }.sorted { $0.0 < $1.0 }
        touched.removeAll(keepingCapacity: true)
        return states
    }

    /// When each device was last heard, for those heard since the last call: the other half of a checkpoint.
    ///
    /// Apart from the states, because a heartbeat changes this and nothing else.
    public mutating func takeHeard() -> [DeviceID: WallTime] {
        var moments: [DeviceID: WallTime] = [:]
        for index in heard { moments[devices[index].deviceID] = devices[index].lastObservedAt }
        heard.removeAll(keepingCapacity: true)
        return moments
    }

    /// What was not understood since the last call, and how often: the third part of a checkpoint, to be added to what is
    /// stored.
    ///
    /// What counts as new of a device is part of its state, so the sum does not depend on where checkpoints fall.
    public mutating func takeNotUnderstood() -> [NotUnderstood] { notUnderstood.take() }

    /// The events of one record, in order; none when nothing changed.
    public mutating func fold(_ record: Record) -> [ChangeEvent] {
        noteHole(before: record)
        if let due = returnDue, record.at >= due { giveUpReturns(in: record) }
        defer { earlier = [] }
        return foldBody(of: record)
    }

    private mutating func foldBody(of record: Record) -> [ChangeEvent] {
        switch record.body {
        case .frame(let frame) where frame.message.namespace == .deviceAuthentication:
            return fold(record, of: frame.device) { [judge] state, events in
                let isFound = state.foundLinked(frame, into: &events)
                return state.foldIdentity(frame, at: record.at, judge: judge, into: &events) || isFound
            }
        case .frame(let frame):
            return fold(record, of: frame.device) { [parser] state, events in
                let isFound = state.foundLinked(frame, into: &events)
                return state.fold(frame, of: record, with: parser, into: &events) || isFound
            }
        case .frameMalformed(let malformed):
            return fold(record, of: malformed.device) { state, events in
                state.foundLinked(by: malformed.link, into: &events)
                state.foldMalformed(malformed, into: &events)
                state.lastObservedAt = record.at
                return true
            }
        case .deviceSeen(let advertisement):
            return fold(record, of: advertisement.deviceID) { state, events in
                state.foldSeen(advertisement, into: &events)
                return true
            }
        case .deviceWithdrawn(let deviceID):
            return fold(record, of: deviceID) { state, events in
                state.foldWithdrawn(into: &events)
                return true
            }
        case .linkOpened(let opened):
            return fold(record, of: opened.device) { state, events in
                state.foldOpened(opened, into: &events)
                return true
            }
        case .linkClosed(let closed):
            return fold(record, of: closed.device) { state, events in
                state.foldClosed(closed, into: &events)
                return true
            }
        case .recorderStarted(_, _, let redaction):
            redactTitles(redaction.contains(.titles), from: record)
            defer { noteReturns() }
            return foldAll(record, where: { $0.link != nil || $0.openGap != nil }) { state, events in
                state.foldRecorderDown(from: nil, into: &events)
                state.noteRecorderBack(at: record.at)
            }
        case .recorderStopped:
            return foldAll(record, where: { $0.link != nil || $0.openGap != nil }) {
                $0.foldRecorderDown(from: nil, into: &$1)
            }
        case .gap(let gap):
            guard let deviceID = gap.device else {
                defer { noteReturns() }
                return foldAll(record, where: { _ in true }) { $0.foldGap(gap, into: &$1) }
            }
            return fold(record, of: deviceID) { state, events in
                state.foldGap(gap, into: &events)
                return true
            }
        case .segmentsPruned: return earlier  // What was pruned had been observed and told of.
        case .framesLost(let deviceID, let count, let why):
            guard let deviceID else {
                return foldAll(record, where: { $0.link != nil }) { $0.foldLost(count, why: why, into: &$1) }
            }
            return fold(record, of: deviceID) { state, events in
                state.foldLost(count, why: why, into: &events)
                return true
            }
        }
    }

    /// Folds a record of one device; `change` says whether the device's state changed.
    private mutating func fold(
        _ record: Record, of deviceID: DeviceID, _ change: (inout DeviceState, inout EventCollector) -> Bool
    ) -> [ChangeEvent] {
        let index = place(of: deviceID)
        let heardBefore = devices[index].lastObservedAt
        var events = EventCollector(record: record, deviceID: deviceID, after: earlier)
        if change(&devices[index], &events) { touched.insert(index) }
        if devices[index].lastObservedAt != heardBefore { heard.insert(index) }
        notUnderstood.add(events.notUnderstood, position: record.position, at: record.at)
        return events.events
    }

    private mutating func place(of deviceID: DeviceID) -> Int {
        if let known = indices[deviceID] { return known }
        let index = devices.count
        indices[deviceID] = index
        devices.append(DeviceState(deviceID: deviceID))
        devices[index].titles = titles
        touched.insert(index)
        return index
    }

    /// Takes from a stored event, whose record is gone, what it surely tells of a device: announcement, link, gap, apps.
    ///
    /// What played is not known again, so the next status of each media session is a state and not a change.
    public mutating func recall(_ event: ChangeEvent) {
        let index = place(of: event.deviceID)
        devices[index].recall(event)
        touched.insert(index)
        heard.insert(index)
    }

    /// Folds a record that concerns many devices, in the order of their ids.
    private mutating func foldAll(
        _ record: Record, where isConcerned: (DeviceState) -> Bool,
        _ change: (inout DeviceState, inout EventCollector) -> Void
    ) -> [ChangeEvent] {
        let concerned = devices.indices.filter { isConcerned(devices[$0]) }
            .sorted { devices[$0].deviceID < devices[$1].deviceID }
        guard let first = concerned.first else { return earlier }
        var events = EventCollector(record: record, deviceID: devices[first].deviceID, after: earlier)
        for index in concerned {
            events.deviceID = devices[index].deviceID
            let heardBefore = devices[index].lastObservedAt
            change(&devices[index], &events)
            touched.insert(index)
            if devices[index].lastObservedAt != heardBefore { heard.insert(index) }
        }
        return events.events
    }

    /// Records between the last one and this are not to be read: nobody knows what they told.
    private mutating func noteHole(before record: Record) {
        guard let last else { return }
        self.last = (record.position, record.at)
        // What an archive without its beginning lacks was pruned.
        guard let at = last.at, record.position > last.position.next else { return }
        earlier = foldAll(record, where: { _ in true }) { $0.foldHole(from: at, into: &$1) }
        noteReturns()
    }

    // MARK: Devices that do not come back

    /// Finds when devices have to be linked again.
    private mutating func noteReturns() {
        let returned = devices.lazy.compactMap { $0.openGap?.recorderBackAt }.min()
        returnDue = returned.map {
            WallTime(microseconds: $0.microseconds.addingReportingOverflow(DeviceState.returnMicroseconds).partialValue)
        }
    }

    /// Devices that were observed before the recorder went down, and are not linked again, cannot be reached.
    private mutating func giveUpReturns(in record: Record) {
        returnDue = nil
        earlier = foldAll(record, where: { $0.openGap?.recorderBackAt != nil }) { $0.giveUpReturn(into: &$1) }
    }

    /// Leaves out titles from a record on, until a recorder starts that shows them.
    ///
    /// For those who do not know what the recorder of the record chose.
    public mutating func leaveOutTitles(from record: Record) { redactTitles(true, from: record) }

    /// Begins or ends to leave out titles; what is known of devices loses those it has.
    private mutating func redactTitles(_ wanted: Bool, from record: Record) {
        guard wanted != (titles != nil) else { return }
        titles = wanted ? TitleRedaction(salt: TitleRedaction.salt(of: record)) : nil
        for index in devices.indices {
            if let titles, let known = devices[index].json.object {
                let (deviceID, heardAt) = (devices[index].deviceID, devices[index].lastObservedAt)
                let clean = try? DeviceState(deviceID: deviceID, json: .object(titles.redacted(known)))
                devices[index] = clean ?? DeviceState(deviceID: deviceID)
                devices[index].lastObservedAt = heardAt
            }
            devices[index].titles = titles
            touched.insert(index)
        }
    }
}
