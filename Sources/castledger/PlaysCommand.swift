import Arguments
import CastModel
import Plays
import Report
import Store

/// `castledger plays`: what was played, one row per content item, as a table or for programs.
struct PlaysCommand {
    /// A table needs all its rows before its first line; beyond this many it prints what it has and begins again.
    private static let tableLimitRows = 10_000

    private let context: CommandContext
    private var zone = Zone.utc
    private var apps = AppRegistry.builtIn
    private var rows: [[String]] = []
    private var count = 0
    /// Whether a recorder runs, by its id.
    private var isRecording: [String: Bool] = [:]

    init(_ context: CommandContext) {
        self.context = context
    }

    mutating func run() throws -> Int32 {
        let filter: LedgerFilter
        (zone, filter) = try FilterReading(context.arguments).zoneAndFilter()
        apps = try KnownApps.registry(context)
        var failure: (any Error)?
        let unknown = try Ledger.ask(context) { queries in
            try queries.plays(filter) { row in
                do { try emit(row) } catch { failure = error }
                return failure == nil && !context.output.isClosed
            }
        }
        if let failure { throw failure }
        try printTable()
        if unknown > 0 { Terminal.complain(["castledger: \(unknown) plays that only a newer castledger understands"]) }
        guard count > 0 else {
            Terminal.complain(["castledger: nothing was played in that period"])
            return ExitCode.nothing
        }
        return ExitCode.done
    }

    private mutating func emit(_ row: PlayRow) throws {
        let fields = PlayFields(play: row.play, recorderID: row.recorderID, deviceName: row.deviceName)
        count += 1
        if context.arguments.has(.json) { return try context.output.line(fields.json) }
        if context.arguments.has(.csv) {
            if count == 1 { try context.output.text(PlayFields.csvHeading) }
            return try context.output.text(fields.csv)
        }
        let isRecorded = isRecording[row.recorderID] ?? !Ledger.isDown(row.recorderID, context)
        isRecording[row.recorderID] = isRecorded
        rows.append(fields.row(zone: zone, apps: apps, isRecorded: isRecorded))
        if rows.count >= Self.tableLimitRows { try printTable() }
    }

    private mutating func printTable() throws {
        guard !rows.isEmpty else { return }
        let table = Table(PlayFields.columns, rows: rows)
        for line in table.lines(widthColumns: Terminal.widthColumns) { try context.output.line(line) }
        rows = []
    }
}
