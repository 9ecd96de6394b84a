import Arguments
import CastModel
import Exports
import IO
import Recording
import Report
import Store

/// `castledger export`: what was played, in a form that other programs open.
struct ExportCommand {
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    func run() throws -> Int32 {
        let arguments = context.arguments
        let subject = arguments.text(.exportSubject).flatMap(ExportSubject.init) ?? .plays
        let form = try ExportForm(arguments.text(.exportFormat) ?? "", subject)
        let choice = try ZoneChoice(arguments)
        let filter = try FilterReading(arguments).filter(zone: choice.zone, zoneName: choice.name)
        let apps = try KnownApps.registry(context)
        let output = try ExportOutput(arguments.text(.outputFile), context.output, from: filter.from, to: filter.to)
        let end = filter.to ?? WallTime(microseconds: Clock.wallMicroseconds())
        let unknown = try Ledger.ask(context) { queries in
            let known = try queries.shownDevices(filter)
            let heading = ExportHeading(
                from: filter.from ?? known.map(\.firstSeenAt).min() ?? end, to: end, zone: choice.zone,
                devices: known.map { ExportDevice(deviceID: $0.deviceID, deviceName: $0.name) }, apps: apps,
                program: "castledger \(ProgramVersion.text)")
            let feed = ExportFeed(queries: queries, filter: filter, heading: heading, output: output)
            return try feed.write(form)
        }
        try output.finish()
        if unknown > 0 { Terminal.complain(["castledger: \(unknown) rows that only a newer castledger understands"]) }
        guard output.rows > 0 else {
            Terminal.complain(["castledger: nothing in that period"])
            return ExitCode.nothing
        }
        return ExitCode.done
    }
}

/// A form of file, and the rows that it is made of.
struct ExportForm {
    /// What is asked of the ledger, and in which order.
    enum Rows {
        case plays, events, gaps, conflicts
        /// All of one device after the other, with its change events or without.
        case byDevice(withEvents: Bool)
        /// All of one day after the other, and sums before.
        case byDay
    }

    var writer: any ExportWriter
    let rows: Rows

    /// The form with this name.
    init(_ name: String, _ subject: ExportSubject) throws {
        switch name {
        case "csv": (writer, rows) = (CSVExport(subject), Self.rows(subject))
        case "jsonl": (writer, rows) = (JSONLinesExport(subject), Self.rows(subject))
        default:
            guard subject == .plays else {
                throw CommandFailure(
                    ExitCode.usage, "--what \(subject.rawValue) goes with --format csv and jsonl only.")
            }
            switch name {
            case "xmltv": (writer, rows) = (XMLTVExport(), .plays)
            case "otio": (writer, rows) = (EditingTimelineExport(), .byDevice(withEvents: false))
            case "perfetto": (writer, rows) = (TraceExport(), .byDevice(withEvents: true))
            case "html": (writer, rows) = (HTMLExport(totals: ExportTotals()), .byDay)
            default: (writer, rows) = (CalendarExport(), .plays)
            }
        }
    }

    private static func rows(_ subject: ExportSubject) -> Rows {
        switch subject {
        case .plays: .plays
        case .events: .events
        case .gaps: .gaps
        case .conflicts: .conflicts
        }
    }
}
