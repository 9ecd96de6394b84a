import CastModel
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

    private func events(_ filter: LedgerFilter, _ writer: inout any ExportWriter) throws -> Int {
        var failure: (any Error)?
        let unknown = try queries.events(filter) { row in
            do {
                let fields = EventFields(event: row.event, recorderID: row.recorderID, deviceName: row.deviceName)
                try output.row(writer.add(.event(fields)), at: row.event.observedAt)
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
            let spans = try queries.unobserved(
                CoverageQuestion(device: device.deviceID.text, from: heading.from, to: heading.to))
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

    private func byDevice(_ writer: inout any ExportWriter, withEvents: Bool) throws -> Int {
        var unknown = 0
        for device in heading.devices where !output.isClosed {
            try output.text(writer.add(.device(device)))
            for row in try queries.observations(of: device.deviceID, from: heading.from, to: heading.to) {
                try output.text(writer.add(.observation(ObservationSpan(row))))
            }
            var filter = remaining
            filter.device = device.deviceID.text
            if withEvents { unknown += try events(filter, &writer) }
            unknown += try plays(filter, &writer)
        }
        return unknown
    }

    /// Twice through the ledger: once for the sums, which come first, and once for the days.
    private func report() throws -> Int {
        let sections = HTMLExport.sections(of: heading)
        var totals = ExportTotals()
        let unknown = try plays(filter) { totals.add($0, apps: heading.apps) }
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

    private func write(_ section: (from: WallTime, to: WallTime), _ writer: inout HTMLExport) throws {
        let (from, to) = (max(section.from, heading.from), min(section.to, heading.to))
        var filter = remaining
        (filter.from, filter.to) = (from, to)
        var found: [DeviceID: [PlayFields]] = [:]
        _ = try plays(filter) { fields in
            found[fields.play.deviceID, default: []].append(fields)
            try output.row(writer.add(.play(fields)), at: fields.play.startedAt)
        }
        let observations = Dictionary(grouping: try observations(section), by: \.deviceID)
        for device in heading.devices {
            let (plays, known) = (found[device.deviceID] ?? [], observations[device.deviceID] ?? [])
            guard !plays.isEmpty || !known.isEmpty else { continue }
            let spans = LaneBuilder.spans(
                of: device, plays: plays, observation: known.map(ObservationSpan.init), in: heading, from: from, to: to)
            for span in spans { try output.text(writer.add(.lane(span))) }
        }
    }

    /// The filter, with what is left of its limit.
    private var remaining: LedgerFilter {
        var filter = filter
        filter.limit = filter.limit.map { max(0, $0 - output.rows) }
        return filter
    }

    private func observations(_ section: (from: WallTime, to: WallTime)) throws -> [ObservedRow] {
        try queries.observations(
            of: filter.device == nil ? nil : heading.devices.first?.deviceID, from: max(section.from, heading.from),
            to: min(section.to, heading.to))
    }
}

extension ObservationSpan {
    /// A row of the ledger as files show it.
    init(_ row: ObservedRow) {
        self.init(
            from: row.from, to: row.to,
            missed: !row.isObserved ? .device : row.isMediaObserved ? .nothing : .media, reason: row.reason)
    }
}
