import IO
import Recording
import TestSupport
import Testing

@testable import Archive

// The recorder runs as a user of its own; an administrator's `archive prune` or `repair` runs as root.
@Suite("An archive in which root works", .root("ArchiveOwnershipTests"))
struct ArchiveOwnershipTests {
    /// What below a folder does not belong to nobody.
    private static func others(_ path: String) throws -> String {
        String(decoding: try ChildProcess.run(["find", path, "!", "-user", "nobody"]).1, as: UTF8.self)
    }

    @Test func `leaves nothing that its owner cannot write`() throws {
        let data = try Scratch()
        #expect(try ChildProcess.run(["chown", "nobody", data.path]).0 == .code(0))
        let folder = try ArchiveFolder(data: data.path, recorder: "attic")
        do {
            let writer = try ArchiveWriter(folder, boot: Samples.boot, limits: Samples.limits(segmentBytes: 1000))
            try writer.append(Samples.frames(0..<9), now: Samples.now)
            try writer.finish(now: Samples.now)
            let outcome = try ArchivePruningTests.prune(DiskFiles(), writer, olderThan: 97, in: folder)
            #expect(outcome?.segments == 1)
            try writer.finish(now: Samples.now)
        }
        _ = try ArchiveRepair.run(folder)
        let index = try #require(try folder.sidecars(DiskFiles()).first).path
        try Files.removeTree(index)
        _ = try ArchiveSearch(folder).names()
        #expect(Files.exists(index), "made again")
        #expect(try Self.others(data.path) == "")
    }

    @Test func `overwrites nothing that a link in place of a temporary file leads to`() throws {
        let data = try Scratch()
        let (secret, path) = (data.path + "/secret", data.path + "/pruned.jsonl")
        try Files.replace(secret, with: Array("secret".utf8))
        for isSynced in [false, true] {
            #expect(try ChildProcess.run(["ln", "-s", secret, path + ".tmp"]).0 == .code(0))
            try DiskFiles().replace(path, with: Array("mine".utf8), synced: isSynced)
            #expect(try Files.read(secret, limitBytes: 100) == Array("secret".utf8))
            #expect(try Files.read(path, limitBytes: 100) == Array("mine".utf8))
        }
    }
}
