import Archive
import CastModel
import CastWire
import IO
import Recording
import TestSupport
import Testing

@Suite("Pruning on the command line", .serialized, .waits)
struct PruningTests {
    static let recorder = "5f0c7a52-8a4e-4b7b-9d6e-0a1b2c3d4e5f"

    /// A data folder whose archive has 40 records of 2026-03-01 and 03-02 in four segments.
    private func folder() throws -> (path: String, archive: ArchiveFolder) {
        let path = try Files.makeTemporaryFolder("castledger-prune", mode: 0o711)
        try Files.replace(path + "/recorder-id", with: Array("\(Self.recorder)\n".utf8), mode: 0o644)
        let folder = try ArchiveFolder(data: path, recorder: Self.recorder)
        var limits = ArchiveLimits.standard
        limits.batchRecords = 10
        limits.segmentBytes = 1
        let writer = try ArchiveWriter(folder, boot: "0b0e2c5a-1111-2222-3333-444455556666", limits: limits)
        for round in 0..<4 {
            let observations = (0..<10).map { number in
                let second = Int64(round) * 43_200 + Int64(number)
                return Observation(
                    at: WallTime(microseconds: 1_772_366_400_000_000 + second * 1_000_000),
                    monotonic: MonotonicTime(nanoseconds: second * 1_000_000_000),
                    .deviceSeen(
                        DeviceAdvertisement(
                            deviceID: DeviceID("a\(round)\(number)"), name: "Room \(round)\(number)", model: nil,
                            addresses: [], port: 8009, capabilities: nil, txt: [], source: .mdns)))
            }
            try writer.append(observations, now: MonotonicTime(nanoseconds: 0))
        }
        try writer.finish(now: MonotonicTime(nanoseconds: 0))
        return (path, folder)
    }

    @Test func `by hand, removes what the database has, and verify says so`() throws {
        let (data, archive) = try folder()
        defer { try? Files.removeTree(data) }
        let place = ["--data", data]
        let (noDatabase, words) = try Program.run(["archive", "prune", "--keep", "30d", "--yes"] + place)
        #expect(noDatabase == .code(69))
        #expect(words.contains("nothing is pruned"))
        #expect(try Program.run(["rebuild"] + place).exit == .code(0))
        #expect(try Program.run(["archive", "prune", "--yes"] + place).exit == .code(64))
        #expect(try Program.run(["archive", "prune", "--keep", "30d"] + place).exit == .code(64))
        let (dry, plan) = try Program.run(["archive", "prune", "--keep", "30d", "--dry-run"] + place)
        #expect(dry == .code(0))
        #expect(plan.hasPrefix("would prune 3 segments, positions 1 to 30, "))
        #expect(plan.hasSuffix(" bytes, by --keep 30d\n"))
        #expect(try ArchiveListing.segments(archive).count == 4)

        let (exit, told) = try Program.run(["archive", "prune", "--keep", "30d", "--yes"] + place)
        #expect(exit == .code(0))
        #expect(told == "pruned 3 segments and 3 files beside them, up to position 30, by --keep 30d\n")
        let (verified, verdict) = try Program.run(["archive", "verify"] + place)
        #expect(verified == .code(0))
        #expect(verdict.hasPrefix("positions 1 to 30 were pruned on "))
        #expect(verdict.contains(" by --keep 30d; the archive says so itself at position 41\nintact: "))
        #expect(verdict.contains("positions 31 to 41"))
        let left = try Files.names(in: archive.path)
        #expect(left == ["2026", "pruned.jsonl", "writer.lock"])
        #expect(try Files.names(in: archive.path + "/2026/03") == ["03"], "folders of the days before went too")
        // What was the newest segment is no more: the record of the pruning has one of its own.
        let (again, more) = try Program.run(["archive", "prune", "--keep", "30d", "--yes"] + place)
        #expect(again == .code(0))
        #expect(more == "pruned 1 segment and 1 file beside it, up to position 40, by --keep 30d\n")
        #expect(try Program.run(["archive", "verify"] + place).output.hasPrefix("positions 1 to 40 were pruned on "))
        #expect(try Program.run(["archive", "prune", "--keep", "30d", "--yes"] + place).exit == .code(1))
        // Rows of what went stay through a rebuild, unless they are to go.
        func devices() throws -> Int { try Program.json(["devices"] + place).count }
        #expect(try devices() == 40)
        #expect(try Program.run(["rebuild"] + place).exit == .code(0))
        #expect(try devices() == 40)
        #expect(try Program.run(["rebuild", "--drop-pruned"] + place).exit == .code(0))
        #expect(try Program.run(["devices"] + place).exit == .code(1))
    }
}
