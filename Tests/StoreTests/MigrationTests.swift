import IO
import TestSupport
import Testing

@testable import Store

@Suite("The schema", .waits) struct MigrationTests {
    @Test func `is applied once, however often it is asked for`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        #expect(try Migration.applyAll(to: connection).map(\.number) == Migration.all.map(\.number))
        #expect(try Migration.applyAll(to: connection).isEmpty)
        let versions = try connection.execute(
            "SELECT number || ' ' || name FROM projection.schema_version ORDER BY number")
        #expect(versions.map { $0.text(0) } == Migration.all.map { "\($0.number) \($0.name)" })
    }

    @Test func `is made once by several programs that begin at the same time`() throws {
        for _ in 0..<5 {
            let address = try TestCluster.shared.newDatabase()
            let outcomes = Guarded<[Result<Int, StoreError>]>([])
            let programs = (0..<4).map { number in
                OwnedThread("maker-\(number)") {
                    let outcome = Result { () throws(StoreError) in
                        try Migration.applyAll(to: PostgresConnection(address)).count
                    }
                    outcomes.withLock { $0.append(outcome) }
                }
            }
            programs.forEach { $0.join() }
            let counts = try outcomes.withLock { $0 }.map { try $0.get() }
            #expect(counts.count == 4 && counts.reduce(0, +) == Migration.all.count)
        }
    }

    @Test func `gets a step that it misses, also when later ones are there`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        try Migration.applyAll(to: connection)
        // Step 8 cannot be applied twice, so whoever tries hears of it: it was tried.
        try connection.execute("DELETE FROM projection.schema_version WHERE number = 8")
        #expect {
            try Migration.applyAll(to: connection)
        } throws: { error in
            "\(error)".contains("applying schema 8 (coverage)")
        }
    }

    @Test func `that a newer program made is left alone`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        try Migration.applyAll(to: connection)
        try connection.execute("INSERT INTO projection.schema_version VALUES (99, 'later')")
        let newest = try #require(Migration.all.last?.number)
        #expect(throws: StoreError.schemaTooNew(found: 99, known: newest)) {
            try Migration.applyAll(to: connection)
        }
    }

    @Test func `in the program is that of the folder 'schema', step by step`() throws {
        let folder = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/schema"
        let files = try Files.names(in: folder).filter { $0.hasSuffix(".sql") }
        #expect(files.count == Migration.all.count)
        #expect(zip(Migration.all, Migration.all.dropFirst()).allSatisfy { $0.number < $1.number })
        for (file, migration) in zip(files, Migration.all) {
            let number = String(repeating: "0", count: migration.number < 10 ? 3 : 2) + "\(migration.number)"
            #expect(file == "\(number)-\(migration.name).sql")
            let content = String(decoding: try Files.read("\(folder)/\(file)"), as: UTF8.self)
            #expect(migration.sql + "\n" == content, "run schema/embed")
        }
    }

    @Test func `explains every table, view and column`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        try Migration.applyAll(to: connection)
        let silent = try connection.execute(
            """
            SELECT c.relname || coalesce('.' || a.attname, '') FROM pg_class c
            LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND c.relkind <> 'v'
                AND NOT c.relispartition
            WHERE c.relnamespace::regnamespace::text IN ('projection', 'ledger') AND c.relkind IN ('r', 'p', 'v')
                AND (obj_description(c.oid, 'pg_class') IS NULL
                    OR (a.attnum IS NOT NULL AND col_description(c.oid, a.attnum) IS NULL))
            """)
        #expect(silent.compactMap { $0.text(0) } == [])
    }

    @Test func `keeps every large table distributable by device`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        try Migration.applyAll(to: connection)
        let keys = try connection.execute(
            """
            SELECT c.conrelid::regclass::text FROM pg_constraint c
            JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey) AND a.attname = 'device_id'
            WHERE c.contype = 'p' AND NOT (SELECT relispartition FROM pg_class WHERE oid = c.conrelid) ORDER BY 1
            """)
        #expect(
            keys.compactMap { $0.text(0) } == [
                "projection.app_session", "projection.change_event", "projection.conflict",
                "projection.conflict_state", "projection.device", "projection.device_state",
                "projection.gap", "projection.media_session", "projection.play",
                "projection.play_span", "projection.play_state",
            ])
        #expect(try connection.execute("SELECT 1 FROM pg_constraint WHERE contype = 'f'").isEmpty)
    }

    @Test func `explains each function that people may call`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        try Migration.applyAll(to: connection)
        let silent = try connection.execute(
            """
            SELECT proname::text FROM pg_proc
            WHERE pronamespace = 'ledger'::regnamespace AND obj_description(oid, 'pg_proc') IS NULL
            """)
        #expect(silent.compactMap { $0.text(0) } == [])
    }
}
