import Archive
import Glibc
import IO
import TestSupport
import Testing

@Suite("A data folder that cannot be written", .serialized, .waits, .root("ReadOnlyTests"))
struct ReadOnlyTests {
    private static let reading = [
        ["archive", "list"], ["archive", "cat"], ["archive", "verify"], ["frames", "--json"],
    ]

    /// Names, sizes and contents of everything in a folder.
    private func everything(_ folder: String) throws -> String {
        let script =
            "cd \(folder) && find . -printf '%p %m %s %T@\\n' | sort && find . -type f | sort | xargs sha256sum"
        return String(decoding: try ChildProcess.run(["sh", "-c", script]).1, as: UTF8.self)
    }

    private func record(_ world: World) throws {
        try world.startRecorder()
        _ = try eventually { () -> Bool? in
            let (exit, text) = try Program.run(["frames", "--data", world.data])
            return exit == .code(0) && text.contains("RECEIVER_STATUS") ? true : nil
        }
        try world.waitUntilApplied()
        #expect(world.stopRecorder() == .code(0))
    }

    @Test func `on a file system mounted read-only, is read by every reading command and refused by 'record'`() throws {
        let world = try World(devices: 1)
        defer { world.end() }
        let disk = try SmallDisk(world.data, mebibytes: 256)
        try record(world)
        // A server that took too long to stop is left to end by itself, and keeps files open until then.
        let isReadOnly = try eventually { (try? disk.setReadOnly(true)) != nil ? true : nil }
        try #require(isReadOnly == true, "something still writes to \(world.data)")
        let before = try everything(world.data)
        for command in Self.reading {
            let (exit, text) = try Program.run(command + ["--data", world.data])
            #expect(exit == .code(0), "\(command): \(text.suffix(500))")
        }
        for command in [["record", "--no-discovery", "--device", "127.0.0.1:9"], ["archive", "repair"]] {
            let (exit, text) = try Program.run(command + ["--data", world.data])
            #expect(exit == .code(73), "sysexits: cannot create")
            let lines = text.split(separator: "\n")
            #expect(lines.count == 1, "\(text)")
            #expect(
                text.hasPrefix("castledger: The archive could not be accessed: open \(world.data)/archive/"), "\(text)")
            #expect(text.contains("/writer.lock: Read-only file system."), "\(text)")
        }
        #expect(try everything(world.data) == before)
    }

    @Test func `of another user, is read by every reading command and refused by 'record'`() throws {
        let world = try World(devices: 1)
        defer { world.end() }
        try record(world)
        let nobody: UInt32 = 65_534
        // As a backup that was restored for reading: nobody's, and without the right to write.
        let script = "chown -R \(nobody) \(world.data) && chmod -R u=rX,go= \(world.data) && chmod 0755 \(world.folder)"
        #expect(try ChildProcess.run(["sh", "-c", script]).0 == .code(0))
        let before = try everything(world.data)
        func run(_ command: [String]) throws -> (ChildProcess.Exit, String) {
            let program = world.folder + "/castledger"
            if !Files.exists(program) { _ = try ChildProcess.run(["cp", Program.path, program]) }
            let (exit, output) = try ChildProcess.run(
                ["setpriv", "--reuid", "\(nobody)", "--clear-groups", program] + command + ["--data", world.data],
                includingErrors: true)
            return (exit, String(decoding: output, as: UTF8.self))
        }
        for command in Self.reading {
            let (exit, text) = try run(command)
            #expect(exit == .code(0), "\(command): \(text.suffix(500))")
        }
        for command in [["record", "--no-discovery", "--device", "127.0.0.1:9"], ["coverage"], ["rebuild"]] {
            let (exit, text) = try run(command)
            #expect(exit == .code(77), "sysexits: no permission")
            #expect(text.split(separator: "\n").count == 1, "\(text)")
            let lock = command[0] == "record" ? "writer.lock" : "postgres.lock"
            #expect(text.contains("/\(lock): Permission denied."), "\(text)")
            #expect(
                text.contains(" Run it as the user whose folder it is, or name another folder with --data."), "\(text)")
        }
        #expect(try everything(world.data) == before)
    }
}
