import Arguments
import CastModel
import IO
import Report
import Store
import Web
import WebCore

/// A report, as `castledger report` writes it, streamed to whoever asks over HTTP.
struct WebReport {
    /// Which one: "as-run" and so on.
    let name: String
    let question: Question
    let apps: AppRegistry

    /// Writes the whole report: JSON Lines unless another form is asked for.
    func write(_ queries: LedgerQueries, to write: @escaping ([UInt8]) -> Bool) throws {
        let format = question.text("format").flatMap(ReportFormat.init) ?? .json
        guard format != .html else {
            throw HTTPProblem(400, "A page to print is at /api/v1/exports/html; reports are json or csv.")
        }
        let zone = try question.zone()
        let choice = ZoneChoice(name: zone.name, zone: zone)
        var filter = try question.filter()
        let output = StandardOutput(write: write)
        let writer = ReportWriter(format: format, output: output)
        let defaults = try defaults()
        let wholeDays = name == "as-run" || name == "audit" ? 1 : 7
        try ReportPeriod(day: nil, wholeDays: wholeDays, choice: choice).apply(to: &filter, queries)
        switch name {
        case "uptime": _ = try UptimeReport(writer, choice).write(filter, queries)
        case "audit": _ = try AuditReport(writer, choice, apps).write(filter, queries)
        case "totals": _ = try TotalsReport(writer, choice, apps, defaults).write(filter, queries)
        default: _ = try AsRunReport(writer, choice, apps, defaults).write(filter, queries)
        }
        try output.flush()
    }

    /// What the command line has where nothing is said.
    private func defaults() throws -> ParsedArguments {
        let surroundings = Program.Surroundings(environment: [:], settings: .empty, now: Clock.wallMicroseconds())
        guard case .run(_, let arguments) = try Program.castledger.parse(["report", name], in: surroundings) else {
            throw HTTPProblem(404, "There is no such report.")
        }
        return arguments
    }
}

extension ZoneChoice {
    /// A zone that was found elsewhere.
    init(name: String, zone: Zone) {
        self.name = name
        self.zone = zone
    }
}
