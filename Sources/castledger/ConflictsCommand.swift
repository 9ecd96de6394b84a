import Arguments
import Conflicts
import Report
import Store

/// `castledger conflicts`: who undid whom, as a table or for programs.
struct ConflictsCommand {
    /// A table needs all its rows before its first line; beyond this many it prints what it has and begins again.
    private static let tableLimitRows = 10_000

    private let context: CommandContext
    private let zone: Zone
    private let filter: LedgerFilter
    private var rows: [[String]] = []
    private var count = 0

    init(_ context: CommandContext) throws {
        self.context = context
        (zone, filter) = try FilterReading(context.arguments, hasEventKinds: false).zoneAndFilter()
    }

    mutating func run() throws -> Int32 {
        let rules = try Self.rules(context.arguments)
        let wanted = try Self.wanted(context.arguments)
        if wanted.id != nil {
            return try ConflictExplanation(context, zone).run(wanted, rules ?? ConflictRules())
        }
        let filter = filter
        var failure: (any Error)?
        let unknown = try Ledger.ask(context) { queries in
            if let rules {
                for row in try FoundAnew(rules).conflicts(queries, filter, wanted) { try emit(row) }
                return 0
            }
            return try queries.conflicts(filter, wanted) { row in
                do { try emit(row) } catch { failure = error }
                return failure == nil && !context.output.isClosed
            }
        }
        if let failure { throw failure }
        try printTable()
        if unknown > 0 {
            Terminal.complain(["castledger: \(unknown) conflicts that only a newer castledger understands"])
        }
        guard count > 0 else {
            Terminal.complain(["castledger: no conflict in that period"])
            return ExitCode.nothing
        }
        return ExitCode.done
    }

    /// The rules of the command line; nil when it names none.
    static func rules(_ arguments: ParsedArguments) throws -> ConflictRules? {
        let texts = arguments.texts(.conflictRule)
        guard !texts.isEmpty else { return nil }
        var rules = ConflictRules()
        for text in texts {
            do { try rules.set(text) } catch { throw CommandFailure(ExitCode.usage, "--rule: \(error)") }
        }
        return rules
    }

    private static func wanted(_ arguments: ParsedArguments) throws -> ConflictFilter {
        var wanted = ConflictFilter()
        wanted.kinds = Set(arguments.texts(.conflictKind).compactMap(Conflict.Kind.init))
        if let text = arguments.text(.minScore) {
            guard let score = Double(text), (0...1).contains(score) else {
                throw CommandFailure(
                    ExitCode.usage, "--min-score '\(PlainText.neutralized(text))' is no number from 0 to 1.")
            }
            wanted.minScore = score
        }
        if let text = arguments.text(.explainConflict) {
            guard let id = Conflict.ID(name: text) else {
                throw CommandFailure(
                    ExitCode.usage,
                    "--explain '\(PlainText.neutralized(text))' names no conflict, as 812/0/volume_fight does: "
                        + "'castledger conflicts' prints the names.")
            }
            wanted.id = id
        }
        return wanted
    }

    private mutating func emit(_ row: ConflictRow) throws {
        let fields = ConflictFields(
            conflict: row.conflict, recorderID: row.recorderID, deviceName: row.deviceName)
        count += 1
        if context.arguments.has(.json) { return try context.output.line(fields.json) }
        if context.arguments.has(.csv) {
            if count == 1 { try context.output.text(ConflictFields.csvHeading) }
            return try context.output.text(fields.csv)
        }
        rows.append(fields.row(zone: zone))
        if rows.count >= Self.tableLimitRows { try printTable() }
    }

    private mutating func printTable() throws {
        guard !rows.isEmpty else { return }
        let table = Table(ConflictFields.columns, rows: rows)
        for line in table.lines(widthColumns: Terminal.widthColumns) { try context.output.line(line) }
        rows = []
    }
}
