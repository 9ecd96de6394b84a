import CastModel
import Conflicts
import Differ
import Exports
import Plays
import Recording
import Report
import Store

/// Asks the ledger for the rows of a file, and writes them as they come.
struct ExportFeed {
    let queries: LedgerQueries
    let filter: LedgerFilter
    let heading: ExportHeading
    let output: ExportOutput

    /// Writes the whole file.
    ///
    /// - Returns: How many rows were passed over because only a newer program understands them.
    func write(_ form: ExportForm) throws -> Int {
        if case .byDay = form.rows { return try report() }
        var writer = form.writer
        try output.text(writer.begin(heading))
        let unknown =
            switch form.rows {
            case .plays: try plays(filter, &writer)
            case .events: try events(filter, &writer)
            case .gaps: try gaps(&writer)
            case .conflicts: try conflicts(&writer)
            case .byDevice(let withEvents): try byDevice(&writer, withEvents: withEvents)
            case .byDay: 0
            }
        try output.text(writer.end())
        return unknown
    }

    private func plays(_ filter: LedgerFilter, _ writer: inout any ExportWriter) throws -> Int {
        try plays(filter) { try output.row(writer.add(.play($0)), at: $0.play.startedAt) }
    }

    private func plays(_ filter: LedgerFilter, _ each: (PlayFields) throws -> Void) throws -> Int {
        var failure: (any Error)?
        let unknown = try queries.plays(filter) { row in
            do {
                try each(PlayFields(play: row.play, recorderID: row.recorderID, deviceName: row.deviceName))
            } catch { failure = error }
            return failure == nil && !output.isClosed
        }
        if let failure { throw failure }
        return unknown
    }

    /// - Parameter seen: Told of each row.
    private func events(
        _ filter: LedgerFilter, _ writer: inout any ExportWriter, seen: (EventRow) -> Void = { _ in }
    ) throws -> Int {
        var failure: (any Error)?
        let unknown = try queries.events(filter) { row in
            do {
                let fields = EventFields(event: row.event, recorderID: row.recorderID, deviceName: row.deviceName)
                try output.row(writer.add(.event(fields)), at: row.event.observedAt)
                seen(row)
            } catch { failure = error }
            return failure == nil && !output.isClosed
        }
        if let failure { throw failure }
        return unknown
    }

    /// Device by device, so that one's are in memory at a time.
    private func gaps(_ writer: inout any ExportWriter) throws -> Int {
        var left = filter.limit ?? .max
        for device in heading.devices {
            var question = CoverageQuestion(device: device.deviceID.text, from: heading.from, to: heading.to)
            question.hours = filter.hours
            let spans = try queries.unobserved(question)
            for span in spans.prefix(left) where !output.isClosed {
                let fields = UnobservedFields(
                    deviceID: span.deviceID.text, deviceName: span.deviceName, from: span.from, to: span.to,
                    reason: span.reason, missed: span.hidesMediaOnly ? "media" : "device", lasts: span.lasts)
                try output.row(writer.add(.gap(fields)), at: span.from)
            }
            left -= min(left, spans.count)
        }
        return 0
    }

    private func conflicts(_ writer: inout any ExportWriter) throws -> Int {
        var failure: (any Error)?
        let unknown = try queries.conflicts(filter) { row in
            do {
                let fields = ConflictFields(
                    conflict: row.conflict, recorderID: row.recorderID, deviceName: row.deviceName)
                try output.row(writer.add(.conflictFields(fields)), at: row.conflict.from)
            } catch { failure = error }
            return failure == nil && !output.isClosed
        }
        if let failure { throw failure }
        return unknown
    }

    private func byDevice(_ writer: inout any ExportWriter, withEvents: Bool) throws -> Int {
        var unknown = 0
        for device in heading.devices where !output.isClosed {
            try output.text(writer.add(.device(device)))
            for row in try queries.observations(of: device.deviceID, from: heading.from, to: heading.to) {
                try output.text(writer.add(.observation(ObservationSpan(row))))
            }
            var filter = remaining
            filter.device = device.deviceID.text
            let conflicts = try queries.conflicts(filter)
            var moments: [String: WallTime] = [:]
            let wanted = Set(
                conflicts.flatMap { row in row.conflict.evidence.map { "\(row.recorderID) \($0.playName)" } })
            if withEvents {
                // What holds until something else does is drawn from all of them.
                var events = filter
                events.plays = PlayFilter()
                unknown += try self.events(events, &writer) { row in
                    let name = "\(row.recorderID) \(row.event.id.playName)"
                    if wanted.contains(name) { moments[name] = row.event.observedAt }
                }
            }
            for row in conflicts {
                try output.text(writer.add(.conflict(ConflictMark(row, withEvents ? moments : nil))))
            }
            unknown += try plays(filter, &writer)
        }
        return unknown
    }

    /// Twice through the ledger: once for the sums, which come first, and once for the days.
    private func report() throws -> Int {
        let sections = HTMLExport.sections(of: heading)
        var totals = ExportTotals()
        let unknown = try addPlays(to: &totals)
        _ = try queries.conflicts(filter) { row in
            totals.add(ConflictMark(row, nil))
            return true
        }
        for section in sections {
            for row in try observations(section) {
                let seconds = row.to.seconds(since: row.from)
                totals.add(row.deviceID, knownSeconds: seconds, observedSeconds: row.isMediaObserved ? seconds : 0)
            }
        }
        var writer = HTMLExport(totals: totals)
        try output.text(writer.begin(heading))
        for section in sections where !output.isClosed {
            try output.text(writer.add(.day(from: section.from, to: section.to)))
            try write(section, &writer)
        }
        try output.text(writer.end())
        return unknown
    }

    /// What was played within the period, as the reports add it up; of the first plays alone, the whole of them.
    private func addPlays(to totals: inout ExportTotals) throws -> Int {
        guard filter.limit == nil, heading.from < heading.to else {
            return try plays(filter) { totals.add($0, apps: heading.apps) }
        }
        var asked = filter
        (asked.from, asked.to) = (heading.from, heading.to)
        for row in try queries.totals(asked, zone: heading.zone.name, by: .device) {
            guard let device = row.key else { continue }
            totals.add(DeviceID(device), plays: Int(clamping: row.plays), playedSeconds: row.playedSeconds)
        }
        for row in try queries.totals(asked, zone: heading.zone.name, by: .app) {
            let name = row.name ?? row.key.flatMap { heading.apps[AppID($0)]?.name } ?? row.key
            totals.add(app: name, plays: Int(clamping: row.plays), playedSeconds: row.playedSeconds)
        }
        return 0
    }

    private func write(_ section: (from: WallTime, to: WallTime), _ writer: inout HTMLExport) throws {
        let (from, to) = (max(section.from, heading.from), min(section.to, heading.to))
        var filter = remaining
        (filter.from, filter.to) = (from, to)
        for row in try queries.conflicts(filter) { try output.text(writer.add(.conflict(ConflictMark(row, nil)))) }
        _ = try plays(filter) { try output.row(writer.add(.play($0)), at: $0.play.startedAt) }
        var spans: [LaneSpan] = []
        try queries.lanes(filter) { row in
            if let span = LaneSpan(row, heading.apps) { spans.append(span) }
            return true
        }
        for span in spans { try output.text(writer.add(.lane(span))) }
    }

    /// The filter, with what is left of its limit.
    private var remaining: LedgerFilter {
        var filter = filter
        filter.limit = filter.limit.map { max(0, $0 - output.rows) }
        return filter
    }

    private func observations(_ section: (from: WallTime, to: WallTime)) throws -> [ObservedRow] {
        let shown = Set(heading.devices.map(\.deviceID))
        return try queries.observations(
            of: oneDevice, from: max(section.from, heading.from), to: min(section.to, heading.to), hours: filter.hours
        ).filter { shown.contains($0.deviceID) }
    }

    /// The only device that is asked for; nil for all.
    private var oneDevice: DeviceID? { heading.devices.count == 1 ? heading.devices.first?.deviceID : nil }
}

extension ObservationSpan {
    /// A row of the ledger as files show it.
    init(_ row: ObservedRow) {
        self.init(
            from: row.from, to: row.to,
            missed: !row.isObserved ? .device : row.isMediaObserved ? .nothing : .media, reason: row.reason)
    }
}

extension ConflictMark {
    /// A row of the ledger as files show it.
    ///
    /// - Parameter moments: When what it was found from was observed, by recorder and name: what is not in it is left
    ///   out. Nil where nobody asks for the moments.
    init(_ row: ConflictRow, _ moments: [String: WallTime]?) {
        let conflict = row.conflict
        let evidence = conflict.evidence.compactMap { id -> Evidence? in
            guard let moments else { return Evidence(eventID: id, at: conflict.from) }
            return moments["\(row.recorderID) \(id.playName)"].map { Evidence(eventID: id, at: $0) }
        }
        self.init(
            deviceID: conflict.deviceID, deviceName: row.deviceName, kind: conflict.id.kind.rawValue,
            from: conflict.from, to: conflict.to, score: conflict.score, sentence: conflict.sentence,
            evidence: evidence)
    }
}

extension LaneSpan {
    /// A row of the ledger as timelines draw it; nil for what only a newer program understands.
    init?(_ row: LaneRow, _ apps: AppRegistry) {
        guard let activity = Activity(rawValue: row.activity) else { return nil }
        self.init(
            deviceID: row.deviceID, from: row.from, to: row.to, activity: activity, reason: row.reason,
            app: row.appName ?? row.appID.map { apps[$0]?.name ?? $0.text }, title: row.title)
    }
}
