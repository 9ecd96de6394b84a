import CastModel
import Fleet
import Glibc
import IO
import TestSupport
import Testing

// Goal: whatever hangs, a recorder that is told to end has ended in less than 3 s, with status 0.
// Method: the true program with the true trouble; the time is measured from the signal to the collected exit. It is a promise
// to whoever stops a machine, so it is held to on a busy one, too.
@Suite("A recorder that is told to end", .waits)
struct ShutdownTests {
    private static let promiseMilliseconds = 3_000.0

    /// Sends signals and returns how the recorder ended, and after how long.
    private func end(
        _ world: World, with signals: [Int32] = [SIGTERM], _ what: String,
        from location: SourceLocation = #_sourceLocation
    ) throws {
        let recorder = try #require(world.recorder, sourceLocation: location)
        let began = Clock.monotonicNanoseconds()
        for signal in signals { recorder.send(signal) }
        let exit = recorder.wait()
        let milliseconds = Double(Clock.monotonicNanoseconds() - began) / 1e6
        print("\(what): \(milliseconds.rounded()) ms")
        #expect(exit == .code(0), "\(world.logText)", sourceLocation: location)
        #expect(milliseconds < Self.promiseMilliseconds, "\(what): \(world.logText)", sourceLocation: location)
    }

    /// Everything that was archived is in the database, once a recorder has run again.
    private func expectCaughtUp(_ world: World) throws {
        try world.startRecorder()
        try world.waitForStatus { $0["database"]?["lag_records"] == 0 && $0["database"]?["applied_position"] != .null }
        try end(world, "after catching up")
    }

    @Test(arguments: [[SIGTERM], [SIGINT], [SIGTERM, SIGTERM], [SIGINT, SIGTERM, SIGHUP]])
    func `ends in time, by whichever signal, and however often it is told`(signals: [Int32]) throws {
        let world = try World(devices: 3, scenario: .evening, speed: 5)
        defer { world.end() }
        try world.startRecorder()
        try world.waitForStatus { $0["database"]?["events"] != 0 && $0["devices"]?["linked"] == 3 }
        try end(world, with: signals, "three devices, signals \(signals)")
        #expect(world.logText.contains("recorder stopped"))
        #expect(!Files.exists(world.data + "/status.socket"))
        #expect(!Files.exists(world.data + "/postgres/data/postmaster.pid"), "PostgreSQL has ended as well")
        let last = try Program.run(["archive", "cat", "--data", world.data]).output.split(separator: "\n").last
        #expect(last?.contains("\"kind\":\"recorder_stopped\"") == true)
    }

    @Test func `ends in time with a thousand devices`() throws {
        let world = try World(devices: 1_000)
        defer { world.end() }
        try world.startRecorder()
        // A thousand handshakes on both sides are work for a machine: it has its time, the end has not.
        try world.waitForStatus(within: 300) { $0["devices"]?["linked"] == 1_000 }
        try end(world, "a thousand devices")
        #expect(world.logText.occurrences(of: "reason=recorder_stopping") == 1_000, "each was left in good order")
    }

    @Test func `ends in time while the private cluster is being made, and the next start makes it`() throws {
        let world = try World(devices: 1)
        defer { world.end() }
        try world.startRecorder()
        let isMaking = try eventually { world.logText.contains("making a private PostgreSQL cluster") ? true : nil }
        #expect(isMaking == true)
        try end(world, "while initdb runs")
        try expectCaughtUp(world)
    }

    @Test func `ends in time before anything is up`() throws {
        let world = try World(devices: 1)
        defer { world.end() }
        try world.startRecorder()
        // The signals are blocked once the archive is opened, which the log tells next.
        let hasStarted = try eventually { world.logText.contains("recorder started") ? true : nil }
        #expect(hasStarted == true)
        try end(world, "at once after the start")
        try expectCaughtUp(world)
    }

    @Test func `ends in time when PostgreSQL is stopped by SIGSTOP, and leaves the rest for the next start`() throws {
        let world = try World(devices: 2, scenario: .evening, speed: 5)
        defer { world.end() }
        try world.startRecorder()
        try world.waitForStatus { $0["database"]?["events"] != 0 && $0["devices"]?["linked"] == 2 }
        let pidFile = try Files.read(world.data + "/postgres/data/postmaster.pid")
        let postmaster = try #require(
            Int32(String(decoding: pidFile.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)))
        let family = [postmaster] + children(of: postmaster)
        #expect(family.count > 1)
        for process in family { kill(process, SIGSTOP) }
        defer { for process in family { kill(process, SIGCONT) } }
        try world.waitForStatus { ($0["database"]?["lag_records"]?.text).flatMap { Int($0) } ?? 0 > 5 }
        try end(world, "PostgreSQL stopped by SIGSTOP")
        #expect(world.logText.contains("the database will catch up after the next start"))
        for process in family { kill(process, SIGCONT) }
        try expectCaughtUp(world)
    }

    @Test func `ends in time when the database is away`() throws {
        let world = try World(devices: 2)
        defer { world.end() }
        let port = try ClosedPort()
        try world.startRecorder(["--database", "postgresql://nobody@127.0.0.1:\(port.port)/nothing"])
        try world.waitForStatus { $0["database"]?["trouble"] != .null && $0["devices"]?["linked"] == 2 }
        try end(world, "database away")
    }

    @Test func `ends in time when the database takes connections and never answers`() throws {
        let world = try World(devices: 2)
        defer { world.end() }
        let silent = try Socket.listen(on: try #require(SocketAddress(host: "127.0.0.1", port: 0)))
        defer { Socket.close(silent) }
        try world.startRecorder([
            "--database", "postgresql://nobody@127.0.0.1:\(Socket.localPort(silent))/nothing",
        ])
        try world.waitForStatus { $0["devices"]?["linked"] == 2 && $0["archive"]?["records"] != 0 }
        try end(world, "database silent")
    }

    private func children(of parent: Int32) -> [Int32] {
        ((try? Files.names(in: "/proc")) ?? []).compactMap { Int32($0) }.filter { process in
            let text = String(decoding: (try? Files.read("/proc/\(process)/stat")) ?? [], as: UTF8.self)
            // "4711 (postgres) S 17 …": the parent is the second word after the name.
            return text.split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap { Int32($0) }
                == parent
        }
    }
}
