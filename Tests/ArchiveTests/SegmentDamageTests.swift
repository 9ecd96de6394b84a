import IO
import Recording
import Testing

@testable import Archive

// Goal: no byte of a segment can change unnoticed.
@Suite("A segment that the disk changed")
struct SegmentDamageTests {
    static let good = Samples.records(SegmentCrashTests.observations)

    // zstd ignores a few bits (padding, reserved): flipping one of those changes nothing that the archive says.
    @Test func `with any byte changed, is found damaged, or says exactly what was written`() throws {
        let (path, bytes, _) = SegmentCrashTests.whole
        var unnoticed = 0
        for index in bytes.indices {
            for mask in [0xFF, 1 << UInt8(index % 8)] as [UInt8] {
                var damaged = bytes
                damaged[index] ^= mask
                let reader = ArchiveReader(Samples.folder, onDamage: .skip, files: MemoryFiles([path: damaged]))
                let found = try reader.readAvailable().flatMap(\.records)
                let isNoticed = try reader.skippedCount > 0 || reader.unfinishedBytes() > 0
                if !isNoticed { unnoticed += 1 }
                guard isNoticed ? found.allSatisfy({ Self.good.contains($0) }) : found == Self.good else {
                    Issue.record("byte \(index) changed by \(mask): other records came out")
                    return
                }
            }
        }
        #expect(unnoticed < bytes.count / 100)
    }

    // zstd's checksum stands behind the frame, so a changed byte may decompress to other text; ours comes first.
    @Test func `in which the text changed, is told by its checksum and by nothing that the text says`() throws {
        let (path, bytes, _) = SegmentCrashTests.whole
        let scanner = try SegmentScanner(
            try #require(try Samples.folder.segments(MemoryFiles([path: bytes])).first), in: Samples.folder,
            files: MemoryFiles([path: bytes]), previous: nil)
        let batch = try #require(try scanner.next())
        let last = SegmentFormat.batchLine(
            .init(
                records: 3, first: batch.first, last: batch.last, checksum: CRC32C.checksum(batch.content[...]),
                chain: batch.chain))
        func problem(_ content: [UInt8], _ last: [UInt8]) throws -> ArchiveDamage.Problem? {
            var compressed: [UInt8] = []
            var compressor = ZstdCompressor()
            compressor.compress(content + last, ending: .flush, to: &compressed)
            let reader = ArchiveReader(Samples.folder, onDamage: .skip, files: MemoryFiles([path: compressed + [0]]))
            _ = try reader.readAvailable()
            return reader.skipped.first?.problem
        }
        #expect(try problem(batch.content, last) == nil)
        for place in batch.content.indices.dropLast() {
            var changed = batch.content
            changed[place] ^= 1
            guard try problem(changed, last) == .checksum else {
                Issue.record("byte \(place): \(String(describing: try problem(changed, last)))")
                return
            }
        }
        #expect(batch.content.count > 300)
        var chain = last
        chain[chain.count - 10] = chain[chain.count - 10] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
        #expect(try problem(batch.content, chain) == .chain)
    }

    @Test func `is named with batch and bytes, and what came before it is still read`() throws {
        let (path, bytes, batchEnds) = SegmentCrashTests.whole
        var damaged = bytes
        damaged[Int(batchEnds[1]) - 40] ^= 0x10
        let reader = ArchiveReader(Samples.folder, files: MemoryFiles([path: damaged]))
        #expect(try reader.readAvailable().flatMap(\.records) == Array(Self.good.prefix(3)))
        let error = try #require(throws: ArchiveError.self) { try reader.readAvailable() }
        guard case .damaged(let damage) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(damage.segment == path)
        #expect(damage.firstPosition == ArchivePosition(4))
        #expect(damage.bytes == batchEnds[0]..<batchEnds[1])
        #expect(throws: error) { try reader.readAvailable() }
    }

    @Test func `is read on behind the damage when the reader is told to skip`() throws {
        let (path, bytes, batchEnds) = SegmentCrashTests.whole
        var damaged = bytes
        damaged[Int(batchEnds[0]) - 40] ^= 0x10
        let reader = ArchiveReader(Samples.folder, onDamage: .skip, files: MemoryFiles([path: damaged]))
        // The first zstd frame holds batches 1 and 2; the second begins with position 7.
        #expect(try reader.readAvailable().flatMap(\.records) == Array(Self.good.suffix(5)))
        #expect(reader.skipped.map(\.firstPosition) == [ArchivePosition(1)])
    }

    @Test func `is found when a whole segment in the middle is missing or replaced`() throws {
        let files = MemoryFiles()
        let limits = Samples.limits(segmentBytes: 1000)
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, limits: limits, files: files)
        try writer.append(Samples.frames(0..<9), now: Samples.now)
        let contents = files.contents
        let paths = contents.keys.filter { $0.hasSuffix(".zst") }.sorted()
        #expect(paths.count == 3)

        let missing = try ArchiveVerification.run(
            Samples.folder, files: MemoryFiles(contents.filter { $0.key != paths[1] }))
        #expect(missing.damage.map(\.problem) == [.missing(ArchivePosition(4)...ArchivePosition(6))])
        #expect(missing.missing == [ArchivePosition(4)...ArchivePosition(6)])

        // Another history with the same positions, honest in itself.
        let other = MemoryFiles()
        let forger = try ArchiveWriter(Samples.folder, boot: Samples.boot, limits: limits, files: other)
        try forger.append(Samples.frames(1..<10), now: Samples.now)
        var forged = contents
        forged[paths[1]] = other.contents[paths[1]]
        let replaced = try ArchiveVerification.run(Samples.folder, files: MemoryFiles(forged))
        #expect(replaced.damage.map(\.problem) == [.previousChain, .previousChain])
        #expect(replaced.damage.map(\.segment) == [paths[1], paths[2]])
    }
}
