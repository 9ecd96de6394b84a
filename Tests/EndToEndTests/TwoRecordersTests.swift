import Archive
import Glibc
import IO
import Recording
import TestSupport
import Testing

@Suite("A second process on a data folder that a recorder has", .serialized, .waits)
struct TwoRecordersTests {
    @Test(arguments: [["record", "--no-discovery", "--device", "127.0.0.1:9"], ["archive", "repair"]])
    func `is refused, and told who the first one is and since when`(command: [String]) throws {
        let world = try World(devices: 1)
        defer { world.end() }
        let startedAt = WallTime(microseconds: Clock.wallMicroseconds())
        try world.startRecorder()
        let first = try #require(world.recorder)
        let recorder = try #require(
            try eventually { try ArchiveFolder.recorders(data: world.data).first { !$0.isEmpty } })
        let folder = try ArchiveFolder(data: world.data, recorder: recorder)
        #expect(try eventually { folder.hasWriter == true ? true : nil } == true)

        let (exit, text) = try Program.run(command + ["--data", world.data])
        #expect(exit == .code(75), "sysexits: try again later")
        #expect(text.split(separator: "\n").count == 1, "\(text)")
        let host = String(decoding: try Files.read("/proc/sys/kernel/hostname"), as: UTF8.self).filter { !$0.isNewline }
        let start = "castledger: Another process writes to \(folder.path) (pid \(first.id) on \(host) since "
        #expect(text.hasPrefix(start), "\(text)")
        let since = WallTime(text: String(text.dropFirst(start.count).prefix { $0 != ")" }))
        #expect(try #require(since) >= startedAt)

        // The first one does not notice.
        #expect(world.stopRecorder() == .code(0))
        #expect(try Program.run(["archive", "verify", "--data", world.data]).exit == .code(0))
        #expect(try Program.run(["archive", "repair", "--data", world.data]).exit == .code(0))
    }
}
