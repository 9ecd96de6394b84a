import Archive
import Glibc
import IO
import Recording
import Store
import Telemetry
import TestSupport
import Testing

@testable import Recorder

/// Each test causes its fault, reads what is said of it, removes it, and compares every table with a rebuild's.
@Suite("The projection, when PostgreSQL", .serialized, .waits)
struct ProjectionFaultTests {
    private let server: FaultyServer
    private let database: String
    private var address: String { server.address(database) }

    private static let shared = Result { try FaultyServer() }

    init() throws {
        server = try FaultyServer.ready(Self.shared)
        database = try server.newDatabase()
    }

    private func connect() throws -> PostgresConnection { try PostgresConnection(address) }

    /// Holds up every change event after the given batch, in the middle of its COPY, as long as the lock 77 is held.
    private func closeGate(_ connection: PostgresConnection, after position: ArchivePosition) throws {
        try connection.executeScript(
            """
            CREATE FUNCTION public.gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF NEW.position > \(position.number) + 20 THEN PERFORM pg_advisory_xact_lock_shared(77); END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER gate BEFORE INSERT ON projection.change_event FOR EACH ROW EXECUTE FUNCTION public.gate();
            SELECT pg_advisory_lock(77);
            """, doing: "closing the gate")
    }

    /// The process of the backend that is in the middle of a COPY.
    private func copyingBackend(_ connection: PostgresConnection) throws -> Int32 {
        let found = try eventually { () -> Int64? in
            try connection.execute(
                """
                SELECT pid::bigint FROM pg_stat_activity
                WHERE datname = current_database() AND query LIKE 'COPY projection.change_event%' AND wait_event_type = 'Lock'
                """
            ).first?.integer(0)
        }
        return Int32(try #require(found, "no COPY waits at the gate"))
    }

    @Test func `is down at the start, is followed once it is there`() throws {
        try server.shutDown()
        let stage = try ProjectionStage(address, batches: 3)
        let trouble = try stage.awaitTrouble { $0.contains("No such file or directory") }
        #expect(trouble.hasPrefix("PostgreSQL cannot be reached: connection to server on socket"))
        #expect(stage.projector.progress.applied == nil)
        try server.start()
        try stage.finish(on: server)
        #expect(stage.logged("No such file or directory") == 1, "the same trouble is logged once")
    }

    @Test func `was down for the whole evening, finds every record in the archive`() throws {
        let evening = try RecordedEvening.shared.get()
        #expect(evening.trouble?.contains("PostgreSQL cannot be reached") == true)
        #expect(evening.ends.count >= 6)
        let stage = try ProjectionStage(address, batches: evening.ends.count)
        try stage.finish(on: server)
    }

    @Test func `loses the process that takes our COPY, has the batch once`() throws {
        let stage = try ProjectionStage(address, batches: 2)
        try stage.awaitApplied(2)
        let connection = try connect()
        try closeGate(connection, after: stage.evening.ends[1])
        stage.grow(to: stage.evening.ends.count)
        kill(try copyingBackend(connection), SIGKILL)
        // PostgreSQL ends every other process, the test's own connection with them, and repairs itself.
        _ = try stage.awaitTrouble { $0.contains("broke while") || $0.contains("cannot be reached") }
        let again = try #require(try eventually { try? connect() })
        try again.execute("DROP TRIGGER gate ON projection.change_event")
        try stage.finish(on: server)
    }

    @Test func `is killed in the middle of a COPY and started again, has the batch once`() throws {
        let stage = try ProjectionStage(address, batches: 2)
        try stage.awaitApplied(2)
        let connection = try connect()
        try closeGate(connection, after: stage.evening.ends[1])
        stage.grow(to: stage.evening.ends.count)
        _ = try copyingBackend(connection)
        server.killHard()
        _ = try stage.awaitTrouble { $0.contains("broke while") || $0.contains("cannot be reached") }
        try server.start()
        try connect().execute("DROP TRIGGER gate ON projection.change_event")
        try stage.finish(on: server)
    }

    @Test func `is restarted by an operator, goes on`() throws {
        let stage = try ProjectionStage(address, batches: 3)
        try stage.awaitApplied(3)
        try server.shutDown()
        stage.grow(to: 4)
        _ = try stage.awaitTrouble { $0.contains("cannot be reached") }
        try server.start()
        try stage.finish(on: server)
    }

    @Test func `waits for somebody's lock, says so, and reads no more of the archive than one batch`() throws {
        var limits = ProjectorLimits.impatient
        limits.batchRecords = 100
        let stage = try ProjectionStage(address, batches: 2, limits: limits)
        try stage.awaitApplied(2)
        let connection = try connect()
        try connection.executeScript(
            "BEGIN; LOCK TABLE projection.change_event IN ACCESS EXCLUSIVE MODE", doing: "locking")
        stage.grow(to: stage.evening.ends.count)
        let silent =
            "PostgreSQL has been silent for a while (storing change events): it is slow, stopped, or waits for a lock."
        _ = try stage.awaitTrouble { $0 == silent }
        let ended = """
            PostgreSQL refused to go on while storing change events: canceling statement due to statement timeout \
            (SQLSTATE 57014).
            """
        _ = try stage.awaitTrouble { $0 == ended }
        #expect(stage.projector.progress.applied == stage.evening.ends[1])
        try connection.execute("COMMIT")
        try stage.finish(on: server)
        // 100 records at most, and the rest of the archive batch that reaches them: at most 100 more.
        #expect(stage.projector.progress.mostWaiting < 200)
        #expect(stage.projector.progress.mostWaiting > 0)
    }

    @Test func `has no connection left, is followed once it has`() throws {
        // max_connections is 40; all of them may be had by the user who owns the cluster.
        var taken: [PostgresConnection] = []
        while let connection = try? connect() { taken.append(connection) }
        #expect(taken.count == 40)
        let stage = try ProjectionStage(address, batches: 3)
        _ = try stage.awaitTrouble { $0.contains("sorry, too many clients already") }
        taken = []
        try stage.finish(on: server)
    }

    @Test func `does not know the password, says so without telling it`() throws {
        let owner = try connect()
        try owner.execute("CREATE ROLE guest SUPERUSER LOGIN PASSWORD 'the-new-one'")
        let rules = server.folder + "/postgres/data/pg_hba.conf"
        let old = try Files.read(rules, limitBytes: 1 << 20)
        let file = open(rules, O_WRONLY | O_TRUNC)
        try Files.writeAll(file, Array("local all guest scram-sha-256\n".utf8) + old, subject: rules)
        close(file)
        try owner.execute("SELECT pg_reload_conf()")
        let guest = "\(address) user=guest password=the-old-one"
        let refused = try eventually { (try? PostgresConnection(guest)) == nil ? true : nil }
        #expect(refused == true)
        let stage = try ProjectionStage(guest, batches: 3)
        let trouble = try stage.awaitTrouble { $0.contains(#"password authentication failed for user "guest""#) }
        #expect(!trouble.contains("the-old-one") && stage.logged("the-old-one") == 0)
        try owner.execute("ALTER ROLE guest PASSWORD 'the-old-one'")
        try stage.finish(on: server)
    }

    @Test func `has the schema of a newer program, is left alone`() throws {
        let connection = try connect()
        try Migration.applyAll(to: connection)
        try connection.execute("INSERT INTO projection.schema_version (number, name) VALUES (99, 'tomorrow')")
        let stage = try ProjectionStage(address, batches: 3)
        let expected =
            "The database has schema 99, this program knows \(Migration.all.count). Use the newer program, or another database."
        _ = try stage.awaitTrouble { $0 == expected }
        #expect(try connection.execute("SELECT 1 FROM projection.recorder").isEmpty)
        try connection.execute("DELETE FROM projection.schema_version WHERE number = 99")
        try stage.finish(on: server)
    }

    @Test(arguments: ["projection", "ledger"])
    func `has somebody else's schema of our name, is left alone`(name: String) throws {
        let connection = try connect()
        try connection.executeScript(
            "CREATE SCHEMA \(name); CREATE TABLE \(name).recorder (songs text)", doing: "making a foreign schema")
        let stage = try ProjectionStage(address, batches: 3)
        let expected = """
            The database has a schema '\(name)' that castledger did not make, and needs that name. Nothing was changed. Name a \
            database of its own with --database.
            """
        _ = try stage.awaitTrouble { $0 == expected }
        let ours = "SELECT 1 FROM pg_namespace WHERE nspname IN ('projection', 'ledger')"
        #expect(try connection.execute(ours).count == 1)
        try connection.execute("DROP SCHEMA \(name) CASCADE")
        try stage.finish(on: server)
    }

    @Test func `is replaced by an empty database in the middle, is filled from the beginning`() throws {
        let stage = try ProjectionStage(address, batches: 3)
        try stage.awaitApplied(3)
        let owner = try PostgresConnection(server.address("postgres"))
        try owner.execute("DROP DATABASE \(database) WITH (FORCE)")
        stage.grow(to: 4)
        _ = try stage.awaitTrouble { $0.contains("does not exist") }
        try owner.execute("CREATE DATABASE \(database)")
        try stage.finish(on: server)
    }

    @Test func `loses the tables under our connection, gets them anew`() throws {
        let stage = try ProjectionStage(address, batches: 3)
        try stage.awaitApplied(3)
        try connect().execute("DROP SCHEMA projection CASCADE")
        try stage.finish(on: server)
    }

    @Test func `knows more than the archive has, is left alone until somebody rebuilds`() throws {
        let stage = try ProjectionStage(address, batches: 3)
        try stage.awaitApplied(3)
        stage.projector.stop(within: .seconds(60))
        let connection = try connect()
        try connection.execute("UPDATE projection.checkpoint SET position = 1000000")
        let later = try ProjectionStage(address, batches: 4)
        let expected = """
            The database has applied the archive up to position 1000000, but the archive ends at \(stage.evening.ends[3]): it \
            is an older copy, or part of it is missing. Put the archive back, or run 'castledger rebuild' to make the database \
            from what there is.
            """
        _ = try later.awaitTrouble { $0 == expected }
        #expect(try connection.execute("SELECT position FROM projection.checkpoint").first?.integer(0) == 1_000_000)
        _ = try Rebuild.run(
            data: stage.evening.data, recorderID: stage.evening.folder.recorder, databaseURL: address, log: .silent
        ) { _ in }
        try later.finish(on: server)
    }

    @Test func `knows records that the archive lost, is left alone also when the archive has outgrown it`() throws {
        let stage = try ProjectionStage(address, batches: 3)
        try stage.awaitApplied(3)
        stage.projector.stop(within: .seconds(60))
        // Two records more than the archive has now; the ones that it will have there are of another time.
        let ahead = ArchivePosition(stage.evening.ends[2].number + 2)
        let connection = try connect()
        try connection.execute(
            "UPDATE projection.checkpoint SET position = $1, observed_at = '2026-03-01T20:15:04.000005Z'",
            [.integer(ahead.number)])
        let later = try ProjectionStage(address, batches: 3)
        _ = try later.awaitTrouble { $0.contains("but the archive ends at \(stage.evening.ends[2])") }
        later.grow(to: stage.evening.ends.count)
        let record = try #require(try ArchiveSearch(stage.evening.folder, keepsIndexes: false).record(at: ahead))
        let expected = """
            The record at position \(ahead) of the archive is of \(record.at.text), but the one that the database has \
            applied there is of 2026-03-01T20:15:04.000005Z: the archive lost its end and has grown since, or it is another \
            one. Run 'castledger rebuild' to make the database from what there is.
            """
        _ = try later.awaitTrouble { $0 == expected }
        #expect(later.projector.progress.applied == nil, "nothing was added")
        _ = try Rebuild.run(
            data: stage.evening.data, recorderID: stage.evening.folder.recorder, databaseURL: address, log: .silent
        ) { _ in }
        try later.finish(on: server)
    }
}
