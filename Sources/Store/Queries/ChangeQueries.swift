public import Recording

/// What is new in the ledger since somebody last looked.
extension LedgerQueries {
    /// Wakes up whenever a recorder has applied something, from now on: ``PostgresConnection/awaitNotification(within:)``.
    public func listenForChanges() throws(StoreError) {
        try connection.execute("LISTEN \(Self.changesChannel)", doing: "listening for changes")
    }

    /// Waits until something is new, at most so long; false when nothing was told.
    public func awaitChange(within limit: Duration) throws(StoreError) -> Bool {
        try connection.awaitNotification(within: limit)
    }

    /// The name under which PostgreSQL passes on that something was applied.
    static let changesChannel = "castledger_changes"

    /// The record of the first change event of a recorder from a moment on; nil when there is none yet.
    public func firstChange(of recorder: String, since: WallTime) throws(StoreError) -> ArchivePosition? {
        var found: ArchivePosition?
        try connection.stream(
            "SELECT min(position) FROM ledger.events WHERE recorder_id = $1::uuid AND observed_at >= $2::timestamptz",
            [.text(recorder), .time(since)], doing: "reading what is new"
        ) { row throws(StoreError) in
            found = row.integer(0).map { ArchivePosition($0) }
            return true
        }
        return found
    }

    /// Change events of one recorder in the order of its archive, after one event and up to a record.
    ///
    /// - Parameters:
    ///   - after: The record and the ordinal behind which to begin.
    ///   - since: No event wanted is older than this, which spares a look at every month; nil where nobody knows.
    public func changes(
        of recorder: String, after: (position: Int64, ordinal: Int32), through: ArchivePosition, since: WallTime?,
        limit: Int
    ) throws(StoreError) -> (rows: [EventRow], unknown: Int) {
        let doing = "reading what is new"
        let known = try devices()
        let names = Dictionary(known.compactMap { row in row.name.map { (row.deviceID, $0) } }) { first, _ in first }
        var statement = FilteredStatement("SELECT \(EventReading.columns) FROM ledger.events")
        statement.require("recorder_id = $::uuid", .text(recorder))
        statement.require("position >= $", .integer(after.position))
        statement.require("position <= $", .integer(through.number))
        let (position, ordinal) = (
            statement.place(.integer(after.position)), statement.place(.integer(Int64(after.ordinal)))
        )
        statement.require("(position, ordinal) > (\(position)::bigint, \(ordinal)::integer)")
        if let since { statement.require("observed_at >= $", .time(since)) }
        statement.finish(order: "position, ordinal", limit: limit)
        var rows: [EventRow] = []
        var unknown = 0
        try connection.stream(statement.sql, statement.parameters, doing: doing) { row throws(StoreError) in
            switch EventReading.read(row, names: names, parser: parser) {
            case .event(let event): rows.append(event)
            case .unknownKind: unknown += 1
            case .malformed: throw .unexpectedAnswer(doing: doing)
            }
            return true
        }
        return (rows, unknown)
    }
}
