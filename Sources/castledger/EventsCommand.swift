import Arguments
import Report
import Store

/// `castledger timeline` and `castledger events`: change events as a story, as a table, or for programs.
struct EventsCommand {
    /// How the events are printed.
    enum Form {
        case story, table, json, jsonWithSentence, csv
    }

    private let context: CommandContext
    private let form: Form

    /// The story that `timeline` prints.
    static func timeline(_ context: CommandContext) -> EventsCommand {
        EventsCommand(context: context, form: context.arguments.has(.json) ? .jsonWithSentence : .story)
    }

    /// The rows that `events` prints.
    static func events(_ context: CommandContext) -> EventsCommand {
        let arguments = context.arguments
        return EventsCommand(
            context: context, form: arguments.has(.json) ? .json : arguments.has(.csv) ? .csv : .table)
    }

    private init(context: CommandContext, form: Form) {
        self.context = context
        self.form = form
    }

    func run() throws -> Int32 {
        let zone = Ledger.zone(context.arguments)
        let filter = try Ledger.filter(context.arguments, zone: zone)
        var printer = EventPrinter(form: form, zone: zone, output: context.output, isOneDevice: filter.device != nil)
        let unknown = try Ledger.ask(context) { queries in
            var failure: (any Error)?
            let unknown = try queries.events(filter) { row in
                do { try printer.emit(row) } catch { failure = error }
                return failure == nil && !context.output.isClosed
            }
            if let failure { throw failure }
            return unknown
        }
        try printer.finish()
        if unknown > 0 {
            Terminal.complain(["castledger: \(unknown) change events of kinds that only a newer castledger knows"])
        }
        guard printer.count > 0 else {
            Terminal.complain(["castledger: nothing in that period"])
            return ExitCode.nothing
        }
        return ExitCode.done
    }
}

/// Prints change events one after the other, in one form.
private struct EventPrinter {
    /// A table needs all its rows before its first line; beyond this many it prints what it has and begins again.
    private static let tableLimitRows = 10_000

    let form: EventsCommand.Form
    let zone: Zone
    let output: StandardOutput
    var timeline: Timeline
    var rows: [[String]] = []
    var count = 0

    init(form: EventsCommand.Form, zone: Zone, output: StandardOutput, isOneDevice: Bool) {
        self.form = form
        self.zone = zone
        self.output = output
        timeline = Timeline(
            style: Timeline.Style(
                zone: zone, deviceColumns: isOneDevice ? nil : 20, isColored: Terminal.wantsColor))
    }

    mutating func emit(_ row: EventRow) throws {
        let fields = EventFields(event: row.event, recorderID: row.recorderID, deviceName: row.deviceName)
        if form == .csv, count == 0 { try output.text(EventFields.csvHeading) }
        count += 1
        switch form {
        case .story:
            for line in timeline.lines(for: row.event, deviceName: row.deviceName) { try output.line(line) }
        case .table:
            rows.append(fields.row(zone: zone))
            if rows.count >= Self.tableLimitRows { try finish() }
        case .json: try output.line(fields.json())
        case .jsonWithSentence: try output.line(fields.json(withSentence: true))
        case .csv: try output.text(fields.csv)
        }
    }

    /// Prints the rows that are still held.
    mutating func finish() throws {
        guard !rows.isEmpty else { return }
        let table = Table(EventFields.columns, rows: rows)
        for line in table.lines(widthColumns: Terminal.widthColumns) { try output.line(line) }
        rows = []
    }
}
