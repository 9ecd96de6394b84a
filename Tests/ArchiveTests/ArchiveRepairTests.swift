import Glibc
import IO
import Recording
import Testing

@testable import Archive

@Suite("Repairing an archive")
struct ArchiveRepairTests {
    @Test func `cut at any byte, does what a recorder's start does, and the second time nothing`() throws {
        let (path, bytes, batchEnds) = SegmentCrashTests.whole
        // A zstd frame ends seven bytes after its last batch.
        let wholeFrames = [batchEnds[1], batchEnds[3]].map { Int($0) + 7 }
        for cut in 0...bytes.count {
            let files = MemoryFiles([path: Array(bytes.prefix(cut))])
            let other = MemoryFiles([path: Array(bytes.prefix(cut))])
            let repair = try ArchiveRepair.run(Samples.folder, files: files)
            let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: other)
            guard files.contents == other.contents, repair.recovery == writer.recovery else {
                Issue.record("cut at \(cut): \(repair) differs from \(writer.recovery)")
                return
            }
            let after = files.contents
            let again = try ArchiveRepair.run(Samples.folder, files: files)
            guard !again.hasChanged, files.contents == after, repair.hasChanged == !wholeFrames.contains(cut) else {
                Issue.record("cut at \(cut): repaired twice, \(again)")
                return
            }
        }
    }

    @Test func `leaves damage with good frames behind it as it is`() throws {
        let (path, bytes, _) = SegmentCrashTests.whole
        var damaged = bytes
        damaged[200] ^= 0xFF
        let files = MemoryFiles([path: damaged])
        #expect(try !ArchiveRepair.run(Samples.folder, files: files).hasChanged)
        #expect(files.contents[path] == damaged)
        #expect(try ArchiveVerification.run(Samples.folder, files: files).damageCount == 1)
    }

    @Test func `is refused while a recorder runs, and the other way round`() throws {
        let files = MemoryFiles()
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        #expect {
            try ArchiveRepair.run(Samples.folder, files: files)
        } throws: { error in
            guard case .locked = error as? ArchiveError else { return false }
            return true
        }
        withExtendedLifetime(writer) {}
    }

    // A killed writer had written a batch, and not synced it: whoever goes on after it must.
    @Test func `of what a killed process left unsynced, survives a power cut afterwards`() throws {
        for seed in 0..<20 {
            let files = FaultyFiles(seed: UInt64(seed))
            do {
                let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
                try writer.append(Samples.frames(0..<3), now: Samples.now)
                writer.stage(Samples.frames(3..<6), now: Samples.now)
                // Written whole, then the sync fails, and the process is killed.
                let segments = files.contents.keys.filter { $0.hasSuffix(".zst") }
                #expect(segments.count == 1)
                files.state.withLock { $0.syncFails = true }
                #expect(throws: ArchiveError.self) { try writer.commit() }
                files.state.withLock { $0.syncFails = false }
            }
            files.endProcess()
            _ = try ArchiveRepair.run(Samples.folder, files: files)
            #expect(try Samples.all(files).count == 6, "it is in the kernel's memory; seed \(seed)")
            files.cutPower()
            #expect(try Samples.all(files) == Samples.records(Samples.frames(0..<6)), "seed \(seed)")
        }
    }

    // A full disk at start: the copy of the torn bytes does not fit, again and again.
    @Test func `on a full disk fails without using up more room each time, and succeeds later`() throws {
        let (path, bytes, batchEnds) = SegmentCrashTests.whole
        let torn = Array(bytes.prefix(Int(batchEnds[0]) + 40))
        let files = FaultyFiles(seed: 1)
        try files.makeFolders(FaultyDisk.folder(of: path))
        let file = try files.create(path)
        try file.write(torn, at: 0)
        files.state.withLock { $0.roomBytes = torn.count + 10 }
        for _ in 0..<5 {
            #expect(throws: ArchiveError.volumeFull(path: path + ".torn.unfinished")) {
                try ArchiveRepair.run(Samples.folder, files: files)
            }
            #expect(files.contents[path] == torn)
            #expect(files.contents.keys.sorted() == [path, path + ".torn.unfinished"])
        }
        files.heal()
        let repair = try ArchiveRepair.run(Samples.folder, files: files)
        #expect(repair.recovery.cuts == [.init(segment: path, torn: path + ".torn", bytes: 40)])
        #expect(files.contents[path + ".torn"] == Array(torn.suffix(40)))
        #expect(files.contents.keys.sorted() == [path, path + ".torn"])
    }
}
