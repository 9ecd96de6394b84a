import Arguments
import CastModel
import Differ
import Exports
import IO
import Plays
import Recording
import Report
import Store

/// `castledger report …`: what devices played, how they spent their days, who did what, and what it adds up to.
struct ReportCommand {
    /// Which report.
    enum Kind { case asRun, uptime, audit, totals }

    private let context: CommandContext
    private let kind: Kind
    private let choice: ZoneChoice

    init(_ context: CommandContext, _ kind: Kind) throws {
        self.context = context
        self.kind = kind
        choice = try ZoneChoice(context.arguments)
    }

    func run() throws -> Int32 {
        var filter = try FilterReading(context.arguments).filter(zone: choice.zone, zoneName: choice.name)
        let day = try ReportPeriod.day(context.arguments)
        let apps = context.arguments.mentions(.apps) || kind != .uptime ? try KnownApps.registry(context) : .builtIn
        let format = ReportFormat(rawValue: context.arguments.text(.format) ?? "table") ?? .table
        if format == .html, context.arguments.mentions(.groupBy) {
            throw CommandFailure(ExitCode.usage, "--group-by goes with --format table, csv and json only.")
        }
        let count = try Ledger.ask(context) { queries in
            try ReportPeriod(day: day, wholeDays: kind == .asRun || kind == .audit ? 1 : 7, choice: choice)
                .apply(to: &filter, queries)
            if format == .html, kind == .asRun { return try writePage(filter, apps, queries) }
            let page = format == .html ? try tables(filter, apps, queries) : nil
            let writer = ReportWriter(format: format, output: context.output, page: page)
            if let page { try context.output.text(page.begin) }
            let count =
                switch kind {
                case .asRun: try AsRunReport(writer, choice, apps, context.arguments).write(filter, queries)
                case .uptime: try UptimeReport(writer, choice).write(filter, queries)
                case .audit: try AuditReport(writer, choice, apps).write(filter, queries)
                case .totals: try TotalsReport(writer, choice, apps, context.arguments).write(filter, queries)
                }
            if let page { try context.output.text(page.end) }
            return count
        }
        guard count > 0 else {
            Terminal.complain(["castledger: nothing is known of that period"])
            return ExitCode.nothing
        }
        return ExitCode.done
    }
}

extension ReportCommand {
    /// What is at the top of a page.
    private func heading(
        _ known: [DeviceRow], _ filter: LedgerFilter, _ apps: AppRegistry
    ) -> ExportHeading {
        let now = WallTime(microseconds: Clock.wallMicroseconds())
        return ExportHeading(
            from: filter.from ?? now, to: filter.to ?? now, zone: choice.zone,
            devices: known.map { ExportDevice(deviceID: $0.deviceID, deviceName: $0.name) }, apps: apps,
            program: "castledger \(ProgramVersion.text)")
    }

    /// A page of tables.
    private func tables(_ filter: LedgerFilter, _ apps: AppRegistry, _ queries: LedgerQueries) throws -> HTMLTables {
        let title =
            switch kind {
            case .asRun: "What was played"
            case .uptime: "How devices spent their days"
            case .audit: "Who did what"
            case .totals: "What it adds up to"
            }
        return HTMLTables(title: title, heading(try queries.shownDevices(filter), filter, apps))
    }

    /// Writes the page of an export, over the period of the report; says how many devices it tells of.
    private func writePage(_ filter: LedgerFilter, _ apps: AppRegistry, _ queries: LedgerQueries) throws -> Int {
        let known = try queries.shownDevices(filter)
        guard let from = filter.from, let to = filter.to, from < to, !known.isEmpty else { return 0 }
        let output = try ExportOutput(nil, context.output, from: from, to: to)
        let feed = ExportFeed(
            queries: queries, filter: filter, heading: heading(known, filter, apps), output: output)
        let unknown = try feed.write(ExportForm("html", .plays))
        try output.finish()
        if unknown > 0 { Terminal.complain(["castledger: \(unknown) rows that only a newer castledger understands"]) }
        return known.count
    }
}

/// How a report is written.
enum ReportFormat: String { case table, csv, json, html }

/// The period that a report is about.
struct ReportPeriod {
    let day: String?
    /// How many days up to today, when nothing is asked for.
    let wholeDays: Int
    let choice: ZoneChoice

    /// What `--day` asks for: a date, or one that is still a word.
    static func day(_ arguments: ParsedArguments) throws -> String? {
        guard let text = arguments.text(.day) else { return nil }
        let isDate = text.utf8.count == 10 && Moment(text, now: 0)?.isWithoutZone == true
        guard isDate || text == "today" || text == "yesterday" else {
            throw CommandFailure(
                ExitCode.usage, "--day takes a day such as 2026-03-01, today or yesterday, not '\(text)'.")
        }
        return text
    }

    /// Sets the first and the last moment of a filter.
    func apply(to filter: inout LedgerFilter, _ queries: LedgerQueries) throws {
        let now = WallTime(microseconds: Clock.wallMicroseconds())
        if let day {
            let name =
                day == "today" ? name(of: now, daysBack: 0) : day == "yesterday" ? name(of: now, daysBack: 1) : day
            (filter.from, filter.to) = try queries.day(name, zone: choice.name)
        } else {
            if filter.to == nil { filter.to = now }
            let end = WallTime(microseconds: (filter.to ?? now).microseconds - 1)
            if filter.from == nil {
                filter.from = try queries.day(name(of: end, daysBack: wholeDays - 1), zone: choice.name).from
            }
        }
    }

    private func name(of time: WallTime, daysBack: Int) -> String {
        let local = time.microseconds + Int64(choice.zone.offsetSeconds(time)) * 1_000_000
        let then = WallTime(microseconds: local - Int64(daysBack) * 86_400_000_000)
        return Zone.utc.day(then)
    }
}

/// Writes the rows of a report in its format.
struct ReportWriter {
    let format: ReportFormat
    let output: StandardOutput
    /// The page that tables go to; nil for a terminal.
    var page: HTMLTables?

    /// Whether people read it: rows go into tables.
    var isForPeople: Bool { format == .table || page != nil }

    /// Whether nobody reads any more.
    var isClosed: Bool { output.isClosed }

    /// A table, fitted to the terminal, or as a part of the page.
    func table(_ table: Table) throws {
        if let page { return try output.text(page.table(table)) }
        for line in table.lines(widthColumns: Terminal.widthColumns) { try output.line(line) }
    }

    /// A line of text.
    func line(_ text: String) throws {
        if let page { return try output.text(page.line(text)) }
        try output.line(text)
    }

    /// A row for programs, in their format.
    func row(json: @autoclosure () -> String, csv: @autoclosure () -> String) throws {
        switch format {
        case .json: try output.line(json())
        case .csv: try output.text(csv())
        case .table, .html: break
        }
    }

    /// The heading of a CSV file.
    func heading(_ csv: String) throws { if format == .csv { try output.text(csv) } }
}
