import CastModel
import Report
import Store

/// `castledger report audit`: every change event in words.
struct AuditReport {
    /// A table needs all its rows before its first line; beyond this many it prints what it has and begins again.
    private static let tableLimitRows = 10_000

    private let writer: ReportWriter
    private let choice: ZoneChoice
    private let apps: AppRegistry

    init(_ writer: ReportWriter, _ choice: ZoneChoice, _ apps: AppRegistry) {
        self.writer = writer
        self.choice = choice
        self.apps = apps
    }

    /// Writes the report; says how many rows it has.
    func write(_ filter: LedgerFilter, _ queries: LedgerQueries) throws -> Int {
        try writer.heading(AuditFields.csvHeading)
        var count = 0
        var rows: [[String]] = []
        func printTable() throws {
            guard !rows.isEmpty else { return }
            try writer.table(Table(AuditFields.columns, rows: rows))
            rows = []
        }
        var failure: (any Error)?
        let unknown = try queries.events(filter) { row in
            let fields = AuditFields(event: row.event, recorderID: row.recorderID, deviceName: row.deviceName)
            count += 1
            do {
                try writer.row(json: fields.json(apps: apps), csv: fields.csv(apps: apps))
                if writer.isForPeople { rows.append(fields.cells(zone: choice.zone, apps: apps)) }
                if rows.count >= Self.tableLimitRows { try printTable() }
            } catch { failure = error }
            return failure == nil && !writer.isClosed
        }
        if let failure { throw failure }
        try printTable()
        if unknown > 0 {
            Terminal.complain(["castledger: \(unknown) change events of kinds that only a newer castledger knows"])
        }
        return count
    }
}
