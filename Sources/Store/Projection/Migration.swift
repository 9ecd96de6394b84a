/// One step of the schema: applied once, in one transaction, never edited afterwards.
///
/// The SQL is in `schema/`; `schema/embed` copies it into the program.
public struct Migration: Sendable {
    /// Where it comes among the others.
    ///
    /// A number without a step is none.
    public let number: Int
    /// What it brings.
    public let name: String
    /// Its statements.
    public let sql: String

    /// All steps, in order.
    public static let all = [
        schema0001, schema0002, schema0003, schema0004, schema0005, schema0006, schema0007, schema0008,
        schema0009, schema0010, schema0011, schema0012, schema0013, schema0014, schema0015, schema0016,
        schema0017, schema0018,
    ]

    /// Brings the database to the newest schema, and returns the steps that were missing.
    ///
    /// Each step that is not there is applied, in the order of the numbers, also one before others that are there.
    ///
    /// Safe to repeat, and safe when two programs do it at once: the second waits for the first.
    @discardableResult
    public static func applyAll(to connection: PostgresConnection) throws(StoreError) -> [Migration] {
        try prepare(connection)
        var applied: [Migration] = []
        for migration in all {
            let doing = "applying schema \(migration.number) (\(migration.name))"
            let isNew = try connection.transaction(doing: doing) { () throws(StoreError) -> Bool in
                try connection.execute("SELECT pg_advisory_xact_lock(\(lock))", doing: doing)
                guard try !numbers(connection).contains(migration.number) else { return false }
                try connection.executeScript(migration.sql, doing: doing)
                try connection.execute(
                    "INSERT INTO projection.schema_version (number, name) VALUES ($1, $2)",
                    [.integer(Int64(migration.number)), .text(migration.name)], doing: doing)
                return true
            }
            if isNew { applied.append(migration) }
        }
        return applied
    }

    /// An arbitrary number that all programs share ("castledg" in ASCII).
    static let lock: Int64 = 0x6361_7374_6C65_6467

    private static func prepare(_ connection: PostgresConnection) throws(StoreError) {
        let doing = "preparing the schema"
        if try !isPrepared(connection) {
            try connection.transaction(doing: doing) { () throws(StoreError) in
                try connection.execute("SELECT pg_advisory_xact_lock(\(lock))", doing: doing)
                // Another program may have been here while we waited: then its schemas are ours.
                guard try !isPrepared(connection) else { return }
                try refuseForeignSchemas(connection)
                // What is left of a ledger whose tables were dropped holds no data; the steps make it anew.
                try connection.executeScript(
                    """
                    DROP SCHEMA IF EXISTS ledger CASCADE;
                    CREATE SCHEMA IF NOT EXISTS projection;
                    COMMENT ON SCHEMA projection IS 'Tables derived from the archive. Read the views in schema ledger.';
                    CREATE TABLE projection.schema_version (number integer PRIMARY KEY, name text NOT NULL);
                    COMMENT ON TABLE projection.schema_version IS 'The steps of schema/ that were applied here.';
                    COMMENT ON COLUMN projection.schema_version.number IS 'The number in the name of the step.';
                    COMMENT ON COLUMN projection.schema_version.name IS 'The rest of the name of the step.';
                    """, doing: doing)
            }
        }
        let (found, known) = (try numbers(connection).max() ?? 0, all.map(\.number).max() ?? 0)
        guard found <= known else { throw .schemaTooNew(found: found, known: known) }
    }

    /// Whether the table of steps exists.
    ///
    /// Not by to_regclass(): a session remembers that there was none, and need not hear in time that there is one.
    private static func isPrepared(_ connection: PostgresConnection) throws(StoreError) -> Bool {
        let rows = try connection.execute(
            """
            SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = 'projection' AND c.relname = 'schema_version')
            """, doing: "looking for the schema")
        return rows.first?.bool(0) ?? false
    }

    /// What step 1 says of the schema `ledger`, by which we know our own.
    private static let ledgerComment =
        "Views to read: devices, sessions, events, gaps and plays. Granted to castledger_reader."

    /// Schemas of our names with something in them are somebody else's, unless they say otherwise.
    private static func refuseForeignSchemas(_ connection: PostgresConnection) throws(StoreError) {
        let found = try connection.execute(
            """
            SELECT n.nspname::text FROM pg_namespace n
            WHERE n.nspname IN ('projection', 'ledger')
                AND (EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = n.oid)
                    OR EXISTS (SELECT FROM pg_proc p WHERE p.pronamespace = n.oid))
                AND obj_description(n.oid, 'pg_namespace') IS DISTINCT FROM $1
            ORDER BY n.nspname DESC LIMIT 1
            """, [.text(ledgerComment)], doing: "looking for schemas")
        if let name = found.first?.text(0) { throw .foreignSchema(name: name) }
    }

    /// The steps that were applied.
    private static func numbers(_ connection: PostgresConnection) throws(StoreError) -> Set<Int> {
        do throws(StoreError) {
            let rows = try connection.execute(
                "SELECT number::bigint FROM projection.schema_version", doing: "reading the schema version")
            return Set(rows.compactMap { $0.integer(0).map { Int(clamping: $0) } })
        } catch {
            // 42703: it has no such column, so it is not ours.
            guard case .refused(_, "42703", _) = error else { throw error }
            throw .foreignSchema(name: "projection")
        }
    }
}
