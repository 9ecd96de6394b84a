import CastModel
import Glibc
import IO
import Recording
import Testing

@testable import Archive

// Goal: whatever a crash leaves, opening the archive yields exactly the whole batches before it, and nothing is deleted.
// Method: a small segment of several batches and zstd frames, cut at every single byte.
@Suite("A segment that a crash cut")
struct SegmentCrashTests {
    static let observations = Samples.frames(0..<11)

    /// One segment: batches of 3, 3, 3 and 2 records, zstd frames that end after every second batch.
    static let whole: (path: String, bytes: [UInt8], batchEnds: [Int64]) = {
        do {
            let files = MemoryFiles()
            let writer = try ArchiveWriter(
                Samples.folder, boot: Samples.boot, limits: Samples.limits(frameBytes: 2000), files: files)
            try writer.append(observations, now: Samples.now)
            try writer.finish(now: Samples.now)
            let segments = files.contents.filter { $0.key.hasSuffix(".zst") }
            let batches = try ArchiveReader(Samples.folder, files: files).readAvailable()
            guard let (path, bytes) = segments.first, segments.count == 1 else { fatalError("one segment") }
            return (path, bytes, batches.map(\.bytes.upperBound))
        } catch { fatalError("\(error)") }
    }()

    static let recordsByBatches = [0, 3, 6, 9, 11]

    @Test func `has four batches in two zstd frames`() {
        #expect(Self.whole.path == "/memory/archive/attic/2026/03/01/0000000000000000001.jsonl.zst")
        #expect(Self.whole.batchEnds.count == 4)
        let frames = Self.whole.bytes.indices.filter { Self.whole.bytes[$0...].starts(with: [0x28, 0xB5, 0x2F, 0xFD]) }
        #expect(frames.count == 2)
    }

    @Test func `cut at any byte, yields exactly the batches before the cut, and goes on`() throws {
        let (path, bytes, batchEnds) = Self.whole
        for cut in 0...bytes.count {
            let files = MemoryFiles([path: Array(bytes.prefix(cut))])
            let batches = batchEnds.filter { $0 <= Int64(cut) }.count
            let kept = Self.recordsByBatches[batches]
            let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, limits: Samples.limits(), files: files)
            guard writer.recovery.lastDurable?.position.number ?? 0 == Int64(kept) else {
                Issue.record("cut at \(cut): \(String(describing: writer.recovery.lastDurable)), not \(kept)")
                return
            }
            let more = Samples.frames(20..<25)
            try writer.append(more, now: Samples.now)
            try writer.finish(now: Samples.now)

            let expected = Samples.records(Array(Self.observations.prefix(kept)) + more)
            // A reader that stops at damage has verified what it gives.
            let reader = ArchiveReader(Samples.folder, files: files)
            guard try reader.readAvailable().flatMap(\.records) == expected, try reader.unfinishedBytes() == 0 else {
                Issue.record("cut at \(cut): other records than \(expected.count)")
                return
            }
            if cut % 16 == 0 || batchEnds.contains(Int64(cut)) {
                let verified = try ArchiveVerification.run(Samples.folder, files: files)
                #expect(verified.isIntact && verified.records == expected.count, "cut at \(cut): \(verified)")
            }
            // Frames end after batches 2 and 4, in seven bytes: an empty last block and the checksum.
            let batchEnd = batches == 0 ? 0 : Int(batchEnds[batches - 1])
            let isFrameWhole = (batches == 2 || batches == 4) && cut >= batchEnd + 7
            try expectTornBytes(files, writer.recovery, cut: cut, goodEnd: isFrameWhole ? batchEnd + 7 : batchEnd)
        }
    }

    /// Every byte of the cut segment is either still in it or in the `.torn` file.
    private func expectTornBytes(_ files: MemoryFiles, _ recovery: ArchiveRecovery, cut: Int, goodEnd: Int) throws {
        let (path, bytes, _) = Self.whole
        let torn = files.contents[path + ".torn"]
        if cut == goodEnd && cut > 0 {
            #expect(recovery.cuts.isEmpty, "cut at \(cut)")
            #expect(torn == nil, "cut at \(cut)")
        } else {
            #expect(recovery.cuts == [.init(segment: path, torn: path + ".torn", bytes: Int64(cut - goodEnd))])
            #expect(torn == Array(bytes[goodEnd..<cut]), "cut at \(cut)")
        }
        if goodEnd > 0 { #expect(files.contents[path]?.starts(with: bytes.prefix(goodEnd)) == true, "cut at \(cut)") }
    }

    @Test func `torn twice, keeps both tails under names of their own`() throws {
        let (path, bytes, batchEnds) = Self.whole
        let files = MemoryFiles([path: Array(bytes.prefix(Int(batchEnds[0]) + 5)), path + ".torn": [1, 2, 3]])
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        #expect(writer.recovery.cuts == [.init(segment: path, torn: path + ".torn.2", bytes: 5)])
        #expect(files.contents[path + ".torn"] == [1, 2, 3])
        #expect(files.contents[path + ".torn.2"] == Array(bytes[Int(batchEnds[0])..<Int(batchEnds[0]) + 5]))
    }

    @Test func `followed by zeros, as after a power cut, is cut there`() throws {
        let (path, bytes, batchEnds) = Self.whole
        for end in batchEnds {
            let files = MemoryFiles([path: bytes.prefix(Int(end)) + [UInt8](repeating: 0, count: 5000)])
            let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
            #expect(writer.recovery.cuts.map(\.bytes) == [5000])
            #expect(try ArchiveVerification.run(Samples.folder, files: files).isIntact)
        }
    }

    @Test func `damaged before a good frame, is left as it is, and no position is used twice`() throws {
        let (path, bytes, _) = Self.whole
        var damaged = bytes
        damaged[200] ^= 0xFF
        let files = MemoryFiles([path: damaged])
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        #expect(writer.recovery.cuts.isEmpty)
        #expect(files.contents[path] == damaged)
        #expect(writer.recovery.lastDurable?.position == ArchivePosition(11))
        try writer.append(Samples.frames(20..<21), now: Samples.now)
        let verified = try ArchiveVerification.run(Samples.folder, files: files)
        #expect(verified.damageCount == 1)
        #expect(verified.damage.first?.segment == path)
        #expect(verified.lastPosition == ArchivePosition(12))
    }

    // A power cut keeps what was synced and loses the rest; here one comes at every call that changes something.
    @Test func `by a power cut at any call, holds everything that was reported durable`() throws {
        let calls = try run(MemoryFiles()).calls
        #expect(calls > 20)
        for call in 0..<calls {
            let files = MemoryFiles()
            files.fail(call..<Int.max, EIO)
            let durable = try run(files).durable
            let after = files.afterPowerCut()
            let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: after)
            #expect(writer.durable >= durable, "power cut at call \(call)")
            #expect(try Samples.all(after).count == Int(writer.durable.number), "power cut at call \(call)")
            #expect(try ArchiveVerification.run(Samples.folder, files: after).isIntact, "power cut at call \(call)")
        }
    }

    /// Writes into three segments; stops at the first error.
    private func run(_ files: MemoryFiles) throws -> (calls: Int, durable: ArchivePosition) {
        var durable = ArchivePosition(0)
        do throws(ArchiveError) {
            let writer = try ArchiveWriter(
                Samples.folder, boot: Samples.boot, limits: Samples.limits(segmentBytes: 3000), files: files)
            for number in 0..<6 {
                try writer.append(Samples.frames(number * 4..<number * 4 + 4), now: Samples.now)
                durable = writer.durable
            }
        } catch {
            guard case .files = error else { throw error }
        }
        return (files.calls, durable)
    }
}
