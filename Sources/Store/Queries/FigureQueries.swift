public import Recording

/// Sums over the whole ledger, for figures that are asked for every few seconds.
extension LedgerQueries {
    /// Change events applied so far, and conflicts by kind.
    public func sums() throws(StoreError) -> (events: Int64, conflicts: [(kind: String, count: Int64)]) {
        let events = try recorders().reduce(0) { $0 + $1.events }
        let conflicts = try rows(
            "SELECT kind, count(*) FROM ledger.conflicts GROUP BY kind ORDER BY kind", doing: "counting conflicts"
        ) { row in row.text(0).flatMap { kind in row.integer(1).map { (kind, $0) } } }
        return (events, conflicts)
    }
}

/// What the ledger takes of the disk.
public struct LedgerSizes: Sendable, Equatable {
    /// One table of the projection with its indexes, and of a partitioned one all parts.
    public struct Table: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// Its size.
        public var bytes: Int64
        /// About how many rows it has.
        public var rows: Int64
    }

    /// The whole database.
    public var databaseBytes: Int64
    /// Its tables, the largest first.
    public var tables: [Table]
}

extension LedgerQueries {
    /// What the ledger takes of the disk, as far as we may know.
    public func sizes() throws(StoreError) -> LedgerSizes {
        let whole = try rows("SELECT pg_database_size(current_database())", doing: "reading sizes") { $0.integer(0) }
        let tables = try rows(
            """
            SELECT root.relname::text, sum(pg_total_relation_size(c.oid))::bigint,
                sum(greatest(c.reltuples, 0))::bigint
            FROM pg_class c
            JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'projection'
            LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
            JOIN pg_class root ON root.oid = coalesce(i.inhparent, c.oid)
            WHERE c.relkind = 'r'
            GROUP BY root.relname ORDER BY 2 DESC, 1
            """, doing: "reading sizes"
        ) { row -> LedgerSizes.Table? in
            guard let name = row.text(0), let bytes = row.integer(1), let count = row.integer(2) else { return nil }
            return LedgerSizes.Table(name: name, bytes: bytes, rows: count)
        }
        return LedgerSizes(databaseBytes: whole.first ?? 0, tables: tables)
    }
}

extension LedgerQueries {
    /// How many change events of some kinds each device has since a moment, by device and kind.
    public func counts(of kinds: [String], since: WallTime) throws(StoreError) -> [String: [String: Int64]] {
        var found: [String: [String: Int64]] = [:]
        try connection.stream(
            """
            SELECT device_id, kind, count(*) FROM ledger.events
            WHERE observed_at >= $1 AND kind = ANY ($2::text[]) GROUP BY device_id, kind
            """, [.time(since), .texts(kinds)], doing: "counting change events"
        ) { row throws(StoreError) in
            guard let device = row.text(0), let kind = row.text(1), let count = row.integer(2) else { return true }
            found[device, default: [:]][kind] = count
            return true
        }
        return found
    }
}
