import Archive
import Glibc
import IO
import Recording
import Store
import Telemetry
import TestSupport
import Testing

@testable import Recorder

/// A process that is stopped (SIGSTOP) holds its sockets open and says nothing: to us it is a machine whose network is gone.
@Suite("The projection, when PostgreSQL says nothing any more", .serialized, .waits)
struct ProjectionHangTests {
    private let server: FaultyServer
    private let database: String
    private var address: String { server.address(database) }

    private static let shared = Result { try FaultyServer() }

    init() throws {
        server = try FaultyServer.ready(Self.shared)
        database = try server.newDatabase()
    }

    /// The backend that serves the projector.
    private func backend() throws -> Int32 {
        let connection = try PostgresConnection(address)
        let rows = try connection.execute(
            """
            SELECT l.pid::bigint FROM pg_locks l
            WHERE l.locktype = 'advisory' AND l.granted
                AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """)
        #expect(rows.count == 1, "one program has the turn")
        return Int32(try #require(rows.first?.integer(0)))
    }

    @Test func `gives the connection up, and goes on when it speaks again`() throws {
        let stage = try ProjectionStage(address, batches: 3)
        try stage.awaitApplied(3)
        let backend = try backend()
        kill(backend, SIGSTOP)
        defer { kill(backend, SIGCONT) }
        stage.grow(to: stage.evening.ends.count)
        _ = try stage.awaitTrouble { $0.hasPrefix("PostgreSQL has been silent for a while (") }
        // 2 s for the statement, and 1 s for a server that does not even end it.
        let trouble = try stage.awaitTrouble { $0.hasPrefix("PostgreSQL gave no answer for 3 s while ") }
        #expect(trouble.hasSuffix("It is overloaded or stopped, or the way to it is cut; nothing is half done."))
        // The stopped process still has the turn, and must not be passed by: it might finish its transaction yet.
        _ = try stage.awaitTrouble { $0 == ProjectionTurnTests.waiting }
        kill(backend, SIGCONT)
        try stage.finish(on: server)
    }

    @Test(arguments: [false, true])
    func `does not hold up the end of the program`(isStoppedBeforeConnecting: Bool) throws {
        var limits = ProjectorLimits()
        limits.retryIntervals = [.milliseconds(50)]
        if isStoppedBeforeConnecting { kill(server.process, SIGSTOP) }
        let stage = try ProjectionStage(address, batches: 3, limits: limits)
        var backends: [Int32] = []
        if !isStoppedBeforeConnecting {
            try stage.awaitApplied(3)
            backends = [try backend(), server.process]
            for process in backends { kill(process, SIGSTOP) }
            stage.grow(to: 4)
        }
        defer { for process in backends { kill(process, SIGCONT) } }
        _ = try stage.awaitTrouble { $0.hasPrefix("PostgreSQL has been silent for a while (") }
        let start = Clock.monotonicNanoseconds()
        stage.projector.stop()
        let milliseconds = (Clock.monotonicNanoseconds() - start) / 1_000_000
        print(
            "stopped after \(milliseconds) ms with a silent PostgreSQL, before connecting: \(isStoppedBeforeConnecting)"
        )
        #expect(milliseconds < 2_000)

        for process in backends + [server.process] { kill(process, SIGCONT) }
        let next = try ProjectionStage(address, batches: 4)
        try next.finish(on: server)
    }

    @Test func `in the private cluster does not hold up the end either, and the next start has everything`() throws {
        let evening = try RecordedEvening.shared.get()
        let data = DataFolder(try Files.makeTemporaryFolder("castledger-private", mode: 0o711))
        defer { try? Files.removeTree(data.path) }
        #expect(try ChildProcess.run(["cp", "-a", evening.data.archive, data.archive]).0 == .code(0))
        func start() throws -> ProjectorService {
            let projector = try ProjectorService(
                configuration: .init(data: data, discovers: false, version: "0.0-test"),
                folder: .init(data: data.path, recorder: evening.folder.recorder), durable: evening.ends[2],
                log: .silent)
            projector.start()
            return projector
        }
        let projector = try start()
        let first = try eventually { projector.progress.applied == evening.ends[2] ? true : nil }
        #expect(first == true)
        let text = String(decoding: try Files.read(data.postgres + "/data/postmaster.pid"), as: UTF8.self)
        let process = try #require(text.split(separator: "\n").first.flatMap { Int32($0) })
        kill(process, SIGSTOP)
        let begin = Clock.monotonicNanoseconds()
        projector.stop()
        let milliseconds = (Clock.monotonicNanoseconds() - begin) / 1_000_000
        print("stopped after \(milliseconds) ms with its private cluster stopped")
        #expect(milliseconds < 3_000)

        // Told to stop at once and woken, it has ended by now, or ends soon.
        let next = try start()
        next.becameDurable(try #require(evening.ends.last))
        let second = try eventually { next.progress.applied == evening.ends.last ? true : nil }
        #expect(second == true, "\(next.progress)")
        next.stop(within: .seconds(60))
    }
}
