import CastModel
import Fleet
import Glibc
import IO
import Store
import TestSupport
import Testing

/// The real program, its own private cluster, and a fleet: the database suffers, recording goes on.
@Suite("A recorder whose database", .waits)
struct DatabaseFaultTests {
    /// The process id of the private cluster's server.
    private func server(_ world: World) throws -> Int32 {
        let text = String(decoding: try Files.read(world.data + "/postgres/data/postmaster.pid"), as: UTF8.self)
        return try #require(text.split(separator: "\n").first.flatMap { Int32($0) })
    }

    /// A question to the private cluster, one value as text; nil while it does not answer.
    private func ask(_ world: World, _ sql: String) throws -> String? {
        let address = "host=\(world.data)/postgres user=castledger dbname=castledger connect_timeout=2"
        let (exit, output) = try ChildProcess.run(["psql", address, "-AtqXc", sql])
        guard exit == .code(0) else { return nil }
        return String(decoding: output, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }

    private func applied(_ world: World) throws -> Int64 {
        try ask(world, "SELECT position FROM projection.checkpoint").flatMap { Int64($0) } ?? 0
    }

    /// Waits until the database has applied more than it had.
    private func awaitProgress(_ world: World, beyond position: Int64) throws {
        let more = try eventually { try applied(world) > position ? true : nil }
        #expect(more == true, "the projection does not go on after \(position): \(world.logText)")
    }

    /// Ends the recorder with everything applied.
    ///
    /// An end has little time, and leaves for the next start what it does not come to: on a busy machine that happens.
    private func stopCaughtUp(_ world: World) throws {
        let left = "the database will catch up after the next start"
        for _ in 0..<5 {
            try world.waitUntilApplied()
            let before = world.logText.occurrences(of: left)
            #expect(world.stopRecorder() == .code(0))
            if world.logText.occurrences(of: left) == before { return }
            try world.startRecorder()
        }
        Issue.record("five ends left something for the next start: \(world.logText)")
    }

    /// All tables, rows sorted.
    private func content(_ connection: PostgresConnection) throws -> [String: [String]] {
        let tables = try connection.execute(
            """
            SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = 'projection'::regnamespace
                AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'schema_version'
            """)
        var content: [String: [String]] = [:]
        for table in tables.compactMap({ $0.text(0) }) {
            content[table] = try connection.execute("SELECT t::text FROM projection.\(table) t")
                .map { $0.text(0) ?? "" }.sorted()
        }
        return content
    }

    /// Compares what the recorder left in its database with a rebuild of its archive into an empty one.
    private func compareWithRebuild(_ world: World) throws {
        let database = try LedgerDatabase(address: nil, data: world.data)
        defer { database.close() }
        let connection = try database.connect()
        let live = try content(connection)
        try connection.execute("CREATE DATABASE other")
        let other = "\(database.address) dbname=other"
        let (exit, said) = try Program.run(["rebuild", "--data", world.data, "--database", other])
        #expect(exit == .code(0), "\(said)")
        let rebuilt = try content(try PostgresConnection(other))
        #expect(live.keys.sorted() == rebuilt.keys.sorted())
        for (table, rows) in rebuilt { #expect(live[table] == rows, "\(table)") }
        #expect((rebuilt["change_event"] ?? []).count > 50)
        print(
            "\((rebuilt["change_event"] ?? []).count) change events, \((rebuilt["play"] ?? []).count) plays: all tables equal"
        )
    }

    @Test func `is rebuilt while it records, and whose rebuild is killed, has the rows of a rebuild in the end`() throws
    {
        let world = try World(devices: 3, scenario: .evening, speed: 5)
        defer { world.end() }
        try world.startRecorder()
        try world.waitForEvent("player_state_changed")
        for killed in 0..<6 {
            let before = try applied(world)
            let (exit, said) = try Program.run(["rebuild", "--data", world.data])
            #expect(exit == .code(0) && said.contains("rebuilt: "), "\(said)")
            let rebuild = try Program.start(["rebuild", "--data", world.data], log: world.folder + "/rebuild.log")
            // Each question takes some milliseconds: six different moments of a rebuild.
            for _ in 0..<killed { _ = try applied(world) }
            rebuild.send(SIGKILL)
            rebuild.wait()
            try awaitProgress(world, beyond: before)
        }
        try stopCaughtUp(world)
        try compareWithRebuild(world)
    }

    @Test func `is killed again and again, goes on recording, and has the rows of a rebuild in the end`() throws {
        let world = try World(devices: 3, scenario: .evening, speed: 5)
        defer { world.end() }
        try world.startRecorder()
        try world.waitForEvent("player_state_changed")
        for _ in 0..<3 {
            let before = try applied(world)
            kill(try server(world), SIGKILL)
            try awaitProgress(world, beyond: before)
        }
        try stopCaughtUp(world)
        #expect(world.logText.contains("the database is not up to date; recording goes on"))
        try compareWithRebuild(world)
    }

    @Test func `hangs, ends within three seconds, and the next start has everything`() throws {
        let world = try World(devices: 3, scenario: .evening, speed: 5)
        defer { world.end() }
        try world.startRecorder()
        try world.waitForEvent("player_state_changed")
        let before = try applied(world)
        let server = try server(world)
        let (_, children) = try ChildProcess.run(["pgrep", "-P", "\(server)"])
        let processes =
            [server] + String(decoding: children, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
        #expect(processes.count > 3)
        for process in processes { kill(process, SIGSTOP) }
        let said = try eventually { () -> Bool? in
            world.logText.contains("PostgreSQL has been silent for a while") ? true : nil
        }
        #expect(said == true)
        let start = Clock.monotonicNanoseconds()
        #expect(world.stopRecorder() == .code(0))
        let milliseconds = (Clock.monotonicNanoseconds() - start) / 1_000_000
        print("SIGTERM with a hanging PostgreSQL: ended after \(milliseconds) ms")
        #expect(milliseconds < 3_000)
        for process in processes { kill(process, SIGCONT) }

        try world.startRecorder()
        try awaitProgress(world, beyond: before)
        try stopCaughtUp(world)
        try compareWithRebuild(world)
    }
}
