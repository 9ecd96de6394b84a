import CastModel
import Differ
import Report

/// Prints change events one after the other, in one form.
struct EventPrinter: ExplanationPrinter {
    /// A table needs all its rows before its first line; beyond this many it prints what it has and begins again.
    private static let tableLimitRows = 10_000

    private let form: EventsCommand.Form
    private let zone: Zone
    private let apps: AppRegistry
    private let output: StandardOutput
    private var timeline: Timeline
    private var rows: [[String]] = []
    private(set) var count = 0

    init(
        form: EventsCommand.Form, zone: Zone, apps: AppRegistry = .builtIn, output: StandardOutput, isOneDevice: Bool
    ) {
        self.form = form
        self.zone = zone
        self.apps = apps
        self.output = output
        timeline = Timeline(
            style: Timeline.Style(
                zone: zone, deviceColumns: isOneDevice ? nil : 20, isColored: Terminal.wantsColor, apps: apps))
    }

    mutating func emit(_ event: ChangeEvent, recorderID: String, deviceName: String?) throws {
        let fields = EventFields(event: event, recorderID: recorderID, deviceName: deviceName)
        if form == .csv, count == 0 { try output.text(EventFields.csvHeading) }
        count += 1
        switch form {
        case .story:
            for line in timeline.lines(for: event, deviceName: deviceName) { try output.line(line) }
        case .table:
            rows.append(fields.row(zone: zone))
            if rows.count >= Self.tableLimitRows { try finish() }
        case .json: try output.line(fields.json())
        case .jsonWithSentence: try output.line(fields.json(withSentence: true, apps: apps))
        case .csv: try output.text(fields.csv)
        }
    }

    mutating func finish() throws {
        guard !rows.isEmpty else { return }
        let table = Table(EventFields.columns, rows: rows)
        for line in table.lines(widthColumns: Terminal.widthColumns) { try output.line(line) }
        rows = []
    }
}
