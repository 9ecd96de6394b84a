import IO
import Recording
import Testing

@testable import Archive

// Goal: a flipped bit is found and named, and costs no more than the zstd frame that it is in.
// Method: an archive of two or three segments; in every byte of it one bit flipped, read as a whole each time. What a
// verification says comes from the same reading, so one in sixteen flips is verified as well, and must say the same.
@Suite("An archive in which one bit flipped")
struct BitFlipTests {
    struct Sample {
        var contents: [String: [UInt8]] = [:]
        var batches: [ArchiveBatch] = []
        var records: [Record] = []

        /// - Parameters:
        ///   - batchRecords: Records of each batch; a segment has three batches.
        ///   - frameBytes: 1 makes every batch a zstd frame of its own.
        init(segments: Int = 3, batchRecords: Int = 2, frameBytes: Int) throws {
            let files = MemoryFiles()
            let limits = Samples.limits(
                batchRecords: batchRecords, frameBytes: frameBytes, segmentBytes: batchRecords == 2 ? 2500 : 1600)
            let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, limits: limits, files: files)
            try writer.append(Samples.frames(0..<segments * 3 * batchRecords), now: Samples.now)
            try writer.finish(now: Samples.now)
            contents = files.contents.filter { $0.key.hasSuffix(".zst") }
            batches = try ArchiveReader(Samples.folder, files: files).readAvailable()
            records = batches.flatMap(\.records)
        }

        /// The batch whose bytes, or whose frame's end, hold a byte of a segment.
        func batch(at offset: Int, of path: String) -> ArchiveBatch? {
            let own = batches.filter { path.hasSuffix($0.segment) }
            return own.last { $0.bytes.lowerBound <= offset } ?? own.first
        }
    }

    @Test func `is of three segments, each with three batches`() throws {
        for batchRecords in [1, 2] {
            let sample = try Sample(batchRecords: batchRecords, frameBytes: 1)
            #expect(sample.contents.count == 3)
            #expect(sample.batches.map(\.records.count) == [Int](repeating: batchRecords, count: 9))
            #expect(Set(sample.batches.map(\.segment)).count == 3)
        }
    }

    @Test(arguments: 0..<8) func `with a zstd frame for each batch, loses that batch alone`(bit: Int) throws {
        let sample = try Sample(batchRecords: 1, frameBytes: 1)
        var (found, silent) = (0, 0)
        for (path, bytes) in sample.contents {
            for offset in bytes.indices {
                guard Self.isTurn(of: bit, at: offset) else { continue }
                let (seen, read) = try flip(sample, path, offset, bit)
                let hit = try #require(sample.batch(at: offset, of: path))
                if read == sample.records, seen.damage.isEmpty, seen.unfinishedBytes == 0 {
                    silent += 1
                    continue
                }
                found += 1
                let others = sample.records.filter { record in !hit.records.contains { $0.position == record.position }
                }
                guard read == others || read == sample.records else {
                    let positions = read.map(\.position.number)
                    Issue.record("bit \(bit) of byte \(offset) of \(path): only \(positions) are left")
                    return
                }
                guard names(seen, path, offset, hit) else {
                    Issue.record("bit \(bit) of byte \(offset) of \(path): \(seen), batch \(hit.bytes)")
                    return
                }
            }
        }
        print("bit \(bit): \(found) flips found, \(silent) change nothing that the archive says")
        #expect(found > 300)
        #expect(silent < found / 50, "zstd passes over a few bits (padding)")
    }

    @Test(arguments: 0..<8) func `with several batches in a frame, loses at most the rest of that frame`(bit: Int)
        throws
    {
        let sample = try Sample(segments: 2, frameBytes: 1_400)
        for (path, bytes) in sample.contents {
            for offset in bytes.indices where Self.isTurn(of: bit, at: offset) {
                let (seen, read) = try flip(sample, path, offset, bit)
                let hit = try #require(sample.batch(at: offset, of: path))
                if read == sample.records { continue }
                // Frames of two batches, then one: the third batch of a segment has a frame to itself.
                let own = sample.batches.filter { $0.segment == hit.segment }
                let rest = own[0] == hit ? [own[0], own[1]] : [hit]
                let lost = Set(rest.flatMap(\.records).map(\.position))
                guard read.filter({ lost.contains($0.position) }).isEmpty || read.count > sample.records.count - 4,
                    Set(sample.records.map(\.position)).subtracting(read.map(\.position)).isSubset(of: lost),
                    read.allSatisfy({ sample.records.contains($0) }), names(seen, path, offset, hit)
                else {
                    Issue.record("bit \(bit) of byte \(offset) of \(path): \(seen)")
                    return
                }
            }
        }
    }

    /// One bit of each byte; the eight cases together take every byte.
    private static func isTurn(of bit: Int, at offset: Int) -> Bool { (offset + offset / 8) % 8 == bit }

    /// What a reading showed besides records.
    private struct Seen: Equatable {
        var damage: [ArchiveDamage]
        var unfinishedBytes: Int64
    }

    private func flip(_ sample: Sample, _ path: String, _ offset: Int, _ bit: Int) throws -> (Seen, [Record]) {
        var contents = sample.contents
        contents[path]?[offset] ^= 1 << UInt8(bit)
        let files = MemoryFiles(contents)
        let reader = ArchiveReader(Samples.folder, onDamage: .skip, files: files)
        var read: [Record] = []
        while case let batches = try reader.readAvailable(), !batches.isEmpty { read += batches.flatMap(\.records) }
        let seen = Seen(damage: reader.skipped, unfinishedBytes: try reader.unfinishedBytes())
        if offset / 8 % 16 == 0 {
            let verified = try ArchiveVerification.run(Samples.folder, files: files)
            #expect(Seen(damage: verified.damage, unfinishedBytes: verified.unfinishedBytes) == seen)
            #expect(verified.records == read.count)
            #expect(verified.isIntact == seen.damage.isEmpty)
        }
        return (seen, read)
    }

    /// Whether the first damaged place is this segment, this batch, and bytes with this one among them.
    ///
    /// A tail that claims to go on behind the end of the newest segment looks as if it were being written.
    private func names(_ seen: Seen, _ path: String, _ offset: Int, _ hit: ArchiveBatch) -> Bool {
        guard let damage = seen.damage.first else { return seen.unfinishedBytes > 0 }
        // The end of a frame, and the bit that says whether a block is its last, damage what comes after the batch.
        let first = hit.records[0].position
        let next = ArchivePosition(first.number + Int64(hit.records.count))
        return damage.segment == path && damage.bytes.contains(Int64(offset))
            && (damage.firstPosition == first || damage.firstPosition == next)
    }
}
