import Arguments
import CastModel
import IO
import Recording
import Report
import Store

/// `castledger coverage`: how much of each device and day was observed, and with `--gaps` what was missed.
struct CoverageCommand {
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    func run() throws -> Int32 {
        let arguments = context.arguments
        let choice = try ZoneChoice(arguments)
        let filter = try FilterReading(arguments).filter(zone: choice.zone, zoneName: choice.name)
        var question = CoverageQuestion(
            device: filter.device, from: filter.from, to: filter.to ?? WallTime(microseconds: Clock.wallMicroseconds()),
            zone: choice.name)
        (question.group, question.site, question.hours) = (filter.group, filter.site, filter.hours)
        return arguments.has(.gaps) ? try printGaps(question, choice) : try printDays(question, choice)
    }

    private func printDays(_ question: CoverageQuestion, _ choice: ZoneChoice) throws -> Int32 {
        let days = try Ledger.ask(context) { try $0.coverage(question) }
        guard !days.isEmpty else { return nothing("castledger: no device is known in that period") }
        let rows = CoverageFields.withSums(
            days.map { row in
                CoverageFields(
                    scope: .day, deviceID: row.deviceID.text, deviceName: row.deviceName, day: row.day,
                    figures: CoverageFigures(
                        knownSeconds: row.knownSeconds, observedSeconds: row.observedSeconds,
                        mediaObservedSeconds: row.mediaObservedSeconds,
                        missedSeconds: Dictionary(row.gaps.map { ($0.reason, $0.seconds) }, uniquingKeysWith: +)))
            })
        try emit(
            json: rows.map(\.json), csv: [CoverageFields.csvHeading] + rows.map(\.csv),
            table: Table(CoverageFields.columns(zone: choice.name), rows: rows.map(\.cells)))
        return ExitCode.done
    }

    private func printGaps(_ question: CoverageQuestion, _ choice: ZoneChoice) throws -> Int32 {
        let spans = try Ledger.ask(context) { try $0.unobserved(question) }
        guard !spans.isEmpty else { return nothing("castledger: nothing is known to be missed in that period") }
        let rows = spans.map { row in
            UnobservedFields(
                deviceID: row.deviceID.text, deviceName: row.deviceName, from: row.from, to: row.to, reason: row.reason,
                missed: row.hidesMediaOnly ? "media" : "device", lasts: row.lasts)
        }
        try emit(
            json: rows.map(\.json), csv: [UnobservedFields.csvHeading] + rows.map(\.csv),
            table: Table(
                UnobservedFields.columns(zone: choice.name), rows: rows.map { $0.cells(zone: choice.zone) }))
        return ExitCode.done
    }

    private func nothing(_ message: String) -> Int32 {
        Terminal.complain([message])
        return ExitCode.nothing
    }

    private func emit(json: [String], csv: [String], table: Table) throws {
        if context.arguments.has(.json) {
            for line in json { try context.output.line(line) }
        } else if context.arguments.has(.csv) {
            for line in csv { try context.output.text(line) }
        } else {
            for line in table.lines(widthColumns: Terminal.widthColumns) { try context.output.line(line) }
        }
    }
}
