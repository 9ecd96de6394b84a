import CastModel
import CastWire
import IO
import Recording
import Synchronization
import Testing

@testable import Archive

@Suite("The archive's reader")
struct ArchiveReaderTests {
    @Test func `following a file that grows byte by byte, yields each batch when its last byte is there`() throws {
        let (path, bytes, batchEnds) = SegmentCrashTests.whole
        let files = MemoryFiles([path: []])
        let reader = ArchiveReader(Samples.folder, files: files)
        var found: [Record] = []
        for size in 0...bytes.count {
            files.state.withLock { $0.files[path]?.content = Array(bytes.prefix(size)) }
            let batches = try reader.readAvailable()
            let expected = batchEnds.contains(Int64(size)) ? 1 : 0
            guard batches.count == expected else {
                Issue.record("at \(size) bytes: \(batches.count) batches, not \(expected)")
                return
            }
            found += batches.flatMap(\.records)
        }
        #expect(found == SegmentDamageTests.good)
    }

    @Test func `begins at any position, in any segment`() throws {
        let files = MemoryFiles()
        let writer = try ArchiveWriter(
            Samples.folder, boot: Samples.boot, limits: Samples.limits(segmentBytes: 2500), files: files)
        try writer.append(Samples.frames(0..<20), now: Samples.now)
        let all = Samples.records(Samples.frames(0..<20))
        for position in 1...21 {
            #expect(try Samples.all(files, from: Int64(position)) == Array(all.dropFirst(position - 1)))
        }
        let reader = ArchiveReader(Samples.folder, from: ArchivePosition(100), files: files)
        #expect(try reader.readAvailable().isEmpty)
    }

    @Test func `leaves what is not durable yet for later`() throws {
        let files = MemoryFiles()
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, limits: Samples.limits(), files: files)
        try writer.append(Samples.frames(0..<9), now: Samples.now)
        let reader = ArchiveReader(Samples.folder, files: files)
        func read(upTo last: Int64) throws -> [Int64] {
            try reader.readAvailable(upTo: ArchivePosition(last)).flatMap(\.records).map(\.position.number)
        }
        #expect(try read(upTo: 0) == [])
        #expect(try read(upTo: 3) == [1, 2, 3])
        #expect(try read(upTo: 3) == [])
        #expect(try read(upTo: 9) == [4, 5, 6, 7, 8, 9])
    }

    @Test func `reads long frames a few at a time, whatever the limit of records`() throws {
        let files = MemoryFiles()
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        try writer.append(Samples.longFrames(10, bytes: 1 << 20), now: Samples.now)
        let reader = ArchiveReader(Samples.folder, files: files)
        var counts: [Int] = []
        while let batches = try Optional(reader.readAvailable()), !batches.isEmpty {
            counts.append(batches.reduce(0) { $0 + $1.records.count })
        }
        #expect(counts == [8, 2], "1 MiB and a little each, until 8 MiB are reached")
    }

    @Test func `begins before the archive does`() throws {
        let files = MemoryFiles()
        let reader = ArchiveReader(Samples.folder, files: files)
        #expect(try reader.readAvailable().isEmpty)
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        try writer.append(Samples.frames(0..<2), now: Samples.now)
        #expect(try reader.readAvailable().flatMap(\.records).count == 2)
    }

    /// Bytes that zstd cannot shrink, so that a batch has several zstd blocks.
    static func noise(_ number: Int) -> Observation {
        var generator = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
        let bytes = (0..<200_000).map { _ in
            generator ^= generator << 13
            generator ^= generator >> 7
            generator ^= generator << 17
            return UInt8(truncatingIfNeeded: generator >> 32)
        }
        return Observation(
            at: WallTime(microseconds: Samples.evening), monotonic: Samples.now,
            .frameMalformed(MalformedFrame(device: Samples.device(0), link: LinkNumber(1), bytes: bytes, why: "noise")))
    }

    @Test func `goes on after a writer that crashed cut what the reader had begun`() throws {
        let source = MemoryFiles()
        let writer = try ArchiveWriter(
            Samples.folder, boot: Samples.boot, limits: Samples.limits(batchRecords: 1), files: source)
        try writer.append([Self.noise(1)], now: Samples.now)
        let path = try #require(source.contents.keys.first)
        let firstEnd = try #require(source.contents[path]?.count)
        try writer.append([Self.noise(2)], now: Samples.now)
        let bytes = try #require(source.contents[path])

        let files = MemoryFiles([path: Array(bytes.prefix(firstEnd + 140_000))])
        let reader = ArchiveReader(Samples.folder, files: files)
        #expect(try reader.readAvailable().flatMap(\.records).map(\.position.number) == [1])
        let next = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        #expect(next.recovery.cuts.map(\.bytes) == [140_000])
        try next.append(Samples.frames(0..<3), now: Samples.now)
        #expect(try reader.readAvailable().flatMap(\.records).map(\.position.number) == [2, 3, 4])
    }

    @Test func `goes on after a writer set aside a segment without a whole batch`() throws {
        let (path, bytes, _) = SegmentCrashTests.whole
        let files = MemoryFiles([path: Array(bytes.prefix(50))])
        let reader = ArchiveReader(Samples.folder, files: files)
        #expect(try reader.readAvailable().isEmpty)
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        try writer.append(Samples.frames(0..<3), now: Samples.now)
        #expect(try reader.readAvailable().flatMap(\.records).map(\.position.number) == [1, 2, 3])
    }

    @Test func `goes on to the next segment when a power cut took the end of a frame`() throws {
        let files = MemoryFiles()
        let limits = Samples.limits(segmentBytes: 1000)
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, limits: limits, files: files)
        try writer.append(Samples.frames(0..<6), now: Samples.now)
        var contents = files.contents.filter { $0.key.hasSuffix(".zst") }
        let first = try #require(contents.keys.min())
        #expect(contents.count == 2)
        contents[first]?.removeLast(7)
        #expect(try Samples.all(MemoryFiles(contents)) == Samples.records(Samples.frames(0..<6)))
    }

    @Test func `told to skip, goes on with the next segment when the disk does not give bytes of one`() throws {
        let files = MemoryFiles()
        let limits = Samples.limits(batchRecords: 1, frameBytes: 1, segmentBytes: 30_000)
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, limits: limits, files: files)
        try writer.append(Samples.frames(0..<200), now: Samples.now)
        let names = try Samples.folder.segments(files)
        try #require(names.count > 2)
        let paths = names.map { Samples.folder.path(of: $0) }
        files.state.withLock { $0.unreadable[paths[1]] = 4096..<4608 }
        func read(_ reader: ArchiveReader) throws -> [Int64] {
            var read: [Int64] = []
            while case let batches = try reader.readAvailable(limitRecords: 7), !batches.isEmpty {
                read += batches.flatMap(\.records).map(\.position.number)
            }
            return read
        }
        let reader = ArchiveReader(Samples.folder, onDamage: .skip, files: files)
        let found = try read(reader)
        let third = names[2].firstPosition.number
        let lost = try #require(reader.skipped.first?.firstPosition?.number)
        #expect(lost > names[1].firstPosition.number, "what is on the pages before it is read")
        #expect(found == Array(1..<lost) + Array(third...200))
        #expect(reader.skippedCount == 1)
        guard case .unreadable? = reader.skipped.first?.problem else {
            Issue.record("\(reader.skipped)")
            return
        }
        let verified = try ArchiveVerification.run(Samples.folder, files: files)
        #expect(verified.damage == reader.skipped)
        #expect(verified.missing == [ArchivePosition(lost)...ArchivePosition(third - 1)])
        #expect(throws: ArchiveError.self) { try read(ArchiveReader(Samples.folder, files: files)) }

        // Of the newest one more may come, and what is asked of it is asked again.
        files.state.withLock { $0.unreadable = [paths[paths.count - 1]: 0..<10] }
        #expect(throws: ArchiveError.self) { try read(ArchiveReader(Samples.folder, onDamage: .skip, files: files)) }
        files.state.withLock { $0.unreadable = [:] }
        #expect(try read(ArchiveReader(Samples.folder, onDamage: .skip, files: files)).count == 200)
    }

    @Test func `refuses a batch that never ends`() throws {
        // One frame header, then runs of 128 KiB of "x" (RFC 8878 section 3.1.1.2.2): 300 blocks of 4 bytes.
        let size = 131_072
        let header = size << 3 | 1 << 1
        let block = [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16 & 0xFF), UInt8(ascii: "x")]
        let bytes = ZstdFrame.header + Array([[UInt8]](repeating: block, count: 300).joined())
        let path = SegmentCrashTests.whole.path
        let error = try #require(throws: ArchiveError.self) {
            try ArchiveReader(Samples.folder, files: MemoryFiles([path: bytes])).readAvailable()
        }
        guard case .damaged(let damage) = error, damage.problem == .batchLine else {
            Issue.record("\(error)")
            return
        }
    }

    @Test func `says in its errors where the damage is and what to do`() {
        let damage = ArchiveDamage(
            segment: "/a/1.jsonl.zst", firstPosition: ArchivePosition(812), bytes: 100..<250, problem: .checksum)
        #expect(
            ArchiveError.damaged(damage).description
                == "The archive is damaged: /a/1.jsonl.zst, bytes 100 to 250, the batch that begins with position 812: its "
                + "checksum is wrong: the bytes changed after they were written. 'castledger archive verify' lists all "
                + "damage and changes nothing.")
    }
}

@Suite("Filtering records")
struct RecordFilterTests {
    static let records = Samples.records(Samples.frames(0..<9))

    static func positions(_ change: (inout RecordFilter) -> Void) -> [Int64] {
        var filter = RecordFilter()
        change(&filter)
        return records.filter { filter.matches($0) }.map(\.position.number)
    }

    @Test func `keeps what fits every part`() {
        func second(_ number: Int64) -> WallTime { WallTime(microseconds: Samples.evening + number * 1_000_000) }
        #expect(Self.positions { _ in } == [1, 2, 3, 4, 5, 6, 7, 8, 9])
        #expect(Self.positions { $0.devices = [Samples.device(1)] } == [2, 5, 8])
        #expect(Self.positions { $0.namespaces = [.receiver] } == [])
        #expect(Self.positions { $0.namespaces = [.receiver, .media] } == [1, 2, 3, 4, 5, 6, 7, 8, 9])
        #expect(Self.positions { $0.from = second(3) } == [4, 5, 6, 7, 8, 9])
        #expect(Self.positions { $0.to = second(3) } == [1, 2, 3])
        #expect(Self.positions { $0.positions = ArchivePosition(4)...ArchivePosition(5) } == [4, 5])
        #expect(
            Self.positions {
                $0.devices = [Samples.device(1), Samples.device(2)]
                $0.from = second(4)
                $0.to = second(8)
            } == [5, 6, 8])
    }

    @Test func `asked for a device or a namespace, leaves out what belongs to none`() {
        let start = Samples.records([
            Observation(
                at: WallTime(microseconds: 0), monotonic: Samples.now,
                .recorderStarted(recorder: "attic", version: "0.1"))
        ])[0]
        var filter = RecordFilter()
        #expect(filter.matches(start))
        filter.devices = [Samples.device(1)]
        #expect(!filter.matches(start))
        filter = RecordFilter()
        filter.namespaces = [.media]
        #expect(!filter.matches(start))
    }
}
