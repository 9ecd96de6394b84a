import Archive
import CastModel
import Glibc
import IO
import Recording
import TestSupport
import Testing

@Suite("'castledger archive repair'", .serialized, .waits)
struct RepairTests {
    /// A data folder with an archive of four records, and the path of its only segment.
    private func archive() throws -> (data: String, segment: String) {
        let data = try Files.makeTemporaryFolder("castledger-repair")
        let folder = try ArchiveFolder(data: data, recorder: "attic")
        let writer = try ArchiveWriter(folder, boot: Clock.bootID())
        for number in 0..<4 {
            // 2026-03-01T20:15:04Z and the seconds after it.
            let at = WallTime(microseconds: 1_772_396_104_000_000 + Int64(number) * 1_000_000)
            let now = MonotonicTime(nanoseconds: Int64(number))
            try writer.append([Observation(at: at, monotonic: now, .deviceWithdrawn(DeviceID("aa")))], now: now)
        }
        try writer.finish(now: MonotonicTime(nanoseconds: 5))
        return (data, folder.path + "/2026/03/01/0000000000000000001.jsonl.zst")
    }

    @Test func `without an archive says so`() throws {
        let data = try Files.makeTemporaryFolder("castledger-repair")
        defer { try? Files.removeTree(data) }
        let (exit, text) = try Program.run(["archive", "repair", "--data", data])
        #expect(exit == .code(1))
        #expect(text.hasPrefix("castledger: nothing was recorded into \(data) yet."))
    }

    @Test func `cuts a torn tail, keeps its bytes, says so, and finds nothing the second time`() throws {
        let (data, segment) = try archive()
        defer { try? Files.removeTree(data) }
        let whole = try Files.read(segment)
        // A segment that a crash tears has no index yet: one that has is damaged where it is cut.
        #expect(unlink(segment + ".index") == 0)
        // 13 bytes less: the end of the last zstd frame (7) and 6 bytes of its batch.
        let batches = try ArchiveReader(ArchiveFolder(data: data, recorder: "attic")).readAvailable()
        let thirdEnd = Int(batches[2].bytes.upperBound)
        try Files.replace(segment, with: Array(whole.dropLast(13)))
        let bytes = whole.count - 13 - thirdEnd

        let (exit, text) = try Program.run(["archive", "repair", "--data", data])
        #expect(exit == .code(0))
        #expect(
            text == """
                repaired: attic: the last record is 3 of 2026-03-01T20:15:06.000000Z
                cut: \(bytes) bytes of \(segment), now in \(segment).torn
                ended: the zstd frame that was open in \(segment)

                """)
        #expect(try Files.read(segment + ".torn") == Array(whole[thirdEnd..<whole.count - 13]))
        #expect(try ChildProcess.run(["zstd", "-t", "-q", segment]).0 == .code(0))
        #expect(try Program.run(["archive", "verify", "--data", data]).exit == .code(0))

        let (again, nothing) = try Program.run(["archive", "repair", "--data", data])
        #expect(again == .code(0))
        #expect(nothing == "nothing to repair: attic: the last record is 3 of 2026-03-01T20:15:06.000000Z\n")
        let json = try Program.json(["archive", "repair", "--data", data])
        #expect(
            json.map(\.text) == [
                #"{"recorder_id":"attic","repaired":false,"last_position":3,"last_at":"2026-03-01T20:15:06.000000Z","#
                    + #""cuts":[],"ended_segment":null,"damage":[]}"#
            ])
    }

    @Test func `names other damage, leaves it as it is and exits with 65`() throws {
        let (data, segment) = try archive()
        defer { try? Files.removeTree(data) }
        do {
            let writer = try ArchiveWriter(ArchiveFolder(data: data, recorder: "attic"), boot: Clock.bootID())
            let now = MonotonicTime(nanoseconds: 9)
            let at = WallTime(microseconds: 1_772_396_110_000_000)
            try writer.append([Observation(at: at, monotonic: now, .deviceWithdrawn(DeviceID("aa")))], now: now)
            try writer.finish(now: now)
        }
        var damaged = try Files.read(segment)
        damaged[40] ^= 0xFF
        try Files.replace(segment, with: damaged)

        let (exit, text) = try Program.run(["archive", "repair", "--data", data])
        #expect(exit == .code(65))
        let lines = text.split(separator: "\n")
        #expect(lines.first == "not repaired: attic: the last record is 5 of 2026-03-01T20:15:10.000000Z")
        #expect(lines.last?.hasPrefix("left as it is: \(segment), bytes 0 to ") == true, "\(text)")
        #expect(lines.count == 2)
        #expect(try Files.read(segment) == damaged)
    }
}
