/// The right to apply one recorder's archive to a database: one program at a time has it.
///
/// An advisory lock of PostgreSQL, by the recorder's id. It belongs to the connection, so it is free again however its
/// holder ends. Whoever waits for it shows up in `pg_locks`, which is how a holder learns that it should step aside.
public struct ProjectionTurn {
    private let connection: PostgresConnection
    private let recorderID: String

    /// The right to one recorder's rows, for a connection; not taken yet.
    public init(connection: PostgresConnection, recorderID: String) {
        self.connection = connection
        self.recorderID = recorderID
    }

    /// What the locks are called; their numbers are a hash of it, which only has to agree within one server.
    private var projecting: PostgresParameter { .text("castledger projects \(recorderID)") }
    private var rebuilding: PostgresParameter { .text("castledger rebuilds \(recorderID)") }
    private static let doing = "taking turns with other programs"

    /// Takes the right if nobody has it.
    public func takeIfFree() throws(StoreError) -> Bool { try takeIfFree(projecting) }

    private func takeIfFree(_ name: PostgresParameter) throws(StoreError) -> Bool {
        let rows = try connection.execute(
            "SELECT pg_try_advisory_lock(hashtextextended($1, 0))", [name], doing: Self.doing)
        guard let taken = rows.first?.bool(0) else { throw .unexpectedAnswer(doing: Self.doing) }
        return taken
    }

    /// For a rebuild: takes the right from a program that follows the archive, once it has finished its batch.
    ///
    /// - Parameter limit: How long that may take.
    /// - Throws: `rebuildRuns` when another rebuild was first; `projectedElsewhere` when nobody made room in time.
    public func takeForRebuild(within limit: Duration = .seconds(60)) throws(StoreError) {
        // The server may take a moment to notice that a rebuild has been killed.
        guard try wait(for: rebuilding, within: .seconds(5)) else { throw .rebuildRuns }
        guard try wait(for: projecting, within: limit) else { throw .projectedElsewhere }
    }

    /// Takes a lock; false when nobody gave it back in time.
    private func wait(for name: PostgresParameter, within limit: Duration) throws(StoreError) -> Bool {
        try connection.withoutLimit { () throws(StoreError) -> Bool in
            try connection.execute(
                "SELECT set_config('lock_timeout', $1, false)", [.text("\(limit.components.seconds)s")],
                doing: Self.doing)
            do throws(StoreError) {
                try connection.execute(
                    "SELECT pg_advisory_lock(hashtextextended($1, 0))", [name], doing: Self.doing)
            } catch {
                // 55P03: lock_not_available, the time is over.
                guard case .refused(_, "55P03", _) = error else { throw error }
                return false
            }
            try connection.execute("SET lock_timeout = 0", doing: Self.doing)
            return true
        }
    }

    /// Whether somebody waits for the right that this connection has.
    public func isWanted() throws(StoreError) -> Bool {
        let rows = try connection.execute(
            """
            SELECT EXISTS (
                SELECT FROM pg_locks mine
                JOIN pg_locks other USING (locktype, database, classid, objid, objsubid)
                WHERE mine.pid = pg_backend_pid() AND mine.locktype = 'advisory' AND mine.granted AND NOT other.granted)
            """, doing: Self.doing)
        guard let wanted = rows.first?.bool(0) else { throw .unexpectedAnswer(doing: Self.doing) }
        return wanted
    }

    /// Gives the right to whoever waits for it; to nobody else, since the server hands it over by itself.
    public func giveBack() throws(StoreError) {
        try connection.execute(
            "SELECT pg_advisory_unlock(hashtextextended($1, 0))", [projecting], doing: Self.doing)
    }
}
