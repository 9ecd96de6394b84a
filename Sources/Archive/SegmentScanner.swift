import IO
import Recording

/// A whole batch, verified: its checksum and, unless damage came before it, its place in the hash chain.
struct ScannedBatch {
    /// The lines of its records; in a segment's first batch the segment's own line comes first.
    var content: [UInt8]
    /// Where the records' lines are in `content`, newlines included.
    var lines: [Range<Int>]
    var first: ArchivePosition
    var last: ArchivePosition
    var chain: ChainValue
    /// Where its compressed bytes are in the segment.
    var bytes: Range<Int64>
    /// Bytes of JSON Lines, its last line included.
    var contentBytes: Int
}

/// Reads one segment, batch by batch, also while it grows.
///
/// Goes from zstd block to zstd block: a batch ends where a block ends, so the end of the last whole batch is known to
/// the byte, and nothing is decompressed before all of it is there.
final class SegmentScanner {
    private enum Expectation { case header, block, checksum }

    /// How far the segment is good.
    struct GoodEnd {
        /// Bytes of whole batches, and of the end of a frame after its last batch.
        var offset: Int64 = 0
        /// Whether the frame goes on after `offset`.
        var isInsideFrame = false
        /// Where that frame begins.
        var frameStart: Int64 = 0
    }

    /// No batch is longer: 1 MiB of lines and one more line, whose payload may be 1 MiB and sixfold when escaped.
    private static let batchLimitBytes = 32 << 20
    private static let chunkBytes = 1 << 18
    private static let pageBytes: Int64 = 4096

    let name: SegmentName
    let path: String
    private let recorder: String
    private let file: any ArchiveFile
    private var decompressor = ZstdDecompressor()

    private var input: [UInt8] = []
    private var inputOffset: Int64 = 0
    private var used = 0
    private var expectation = Expectation.header
    private var frameStart: Int64 = 0
    private var pending: [UInt8] = []

    private(set) var good = GoodEnd()
    /// The last good batch's chain value; before the first batch what the caller knows of the segment before.
    ///
    /// Nil: not known, so the next batch's own word is taken.
    private(set) var chain: ChainValue?
    private(set) var last: ArchivePosition?
    /// Whether nothing good has been found since the last damage.
    private(set) var isAfterDamage = false

    /// - Parameter previous: What the segment must follow; nil takes the segment's word for it.
    init(_ name: SegmentName, in folder: ArchiveFolder, files: any ArchiveFiles, previous: ChainValue?)
        throws(ArchiveError)
    {
        self.name = name
        path = folder.path(of: name)
        recorder = folder.recorder
        chain = previous
        do { file = try files.open(path, writing: false) } catch { throw ArchiveError(error) }
    }

    /// A scanner of the same segment that begins where the other one stopped.
    private init(behind other: SegmentScanner) {
        (name, path, recorder, file) = (other.name, other.path, other.recorder, other.file)
        (frameStart, good, last) = (other.frameStart, other.good, other.last)
    }

    /// Whether a later zstd frame of the segment holds a good batch.
    ///
    /// Then what precedes it is not unfinished, but damaged; or it was being written a moment ago.
    func isFollowedByGoodBatch() throws(ArchiveError) -> Bool {
        let probe = SegmentScanner(behind: self)
        while try probe.skipToNextFrame() {
            do throws(ArchiveError) { if try probe.next() != nil { return true } } catch {
                guard case .damaged = error else { throw error }
            }
        }
        return false
    }

    /// The next whole batch; nil when no further one is there yet.
    ///
    /// After an error only ``skipToNextFrame()`` leads on.
    func next() throws(ArchiveError) -> ScannedBatch? {
        while let unit = try nextUnit() {
            do throws(ZstdError) { try decompressor.decompress(input[unit], to: &pending) } catch {
                // A block that wrongly says "last" shows only here, whatever batches the frame holds.
                throw damage(
                    .compression(error.description), from: expectation == .checksum ? frameStart : nil,
                    to: inputOffset + Int64(unit.upperBound))
            }
            let before = expectation
            advance(over: unit)
            if before == .checksum, pending.isEmpty, good.isInsideFrame, good.frameStart == frameStart {
                good.offset = offset
                good.isInsideFrame = false
            }
            guard before == .block, let batch = try batchAtEnd() else {
                guard pending.count <= Self.batchLimitBytes else { throw damage(.batchLine) }
                continue
            }
            return batch
        }
        return nil
    }

    /// What a segment's own line says that it follows; nil when there is no whole batch yet.
    static func previousChain(
        of name: SegmentName, in folder: ArchiveFolder, files: any ArchiveFiles
    ) throws(ArchiveError) -> ChainValue? {
        let scanner = try SegmentScanner(name, in: folder, files: files, previous: nil)
        return try scanner.next().flatMap { scanner.firstChain(of: $0) }
    }

    /// The same, from the segment's first batch.
    func firstChain(of batch: ScannedBatch) -> ChainValue? {
        let end = batch.lines.first?.lowerBound ?? batch.content.count
        return SegmentFormat.previousChain(batch.content[..<end], recorder: recorder, first: name.firstPosition)
    }

    /// Goes on at the beginning of a zstd frame, as an index names it.
    ///
    /// - Parameters:
    ///   - chain: What its first batch must follow; nil takes the next batch's own word.
    ///   - last: The record before it; nil at the beginning of the segment.
    func seek(to offset: Int64, following chain: ChainValue?, after last: ArchivePosition?) {
        (input, inputOffset, used) = ([], offset, 0)
        expectation = .header
        frameStart = offset
        pending = []
        decompressor.reset()
        good = GoodEnd(offset: offset, isInsideFrame: false, frameStart: offset)
        self.chain = chain
        self.last = last
        isAfterDamage = false
    }

    /// Bytes after the last whole batch; 0 when the segment ends in good order.
    func bytesLeft() throws(ArchiveError) -> Int64 {
        do { return try file.size() - good.offset } catch { throw ArchiveError(error) }
    }

    /// Goes on with the next zstd frame after damage, and says whether there is one.
    ///
    /// The chain cannot be checked across the hole: the next batch's own value is taken.
    func skipToNextFrame() throws(ArchiveError) -> Bool {
        var from = max(frameStart, good.isInsideFrame ? good.frameStart : good.offset - 1) + 1
        pending = []
        chain = nil
        isAfterDamage = true
        decompressor.reset()
        while true {
            let bytes = try read(at: from, limit: Self.chunkBytes)
            guard bytes.count >= ZstdFrame.header.count else {
                frameStart = from + Int64(bytes.count)
                (input, inputOffset, used) = ([], frameStart, 0)
                expectation = .header
                return false
            }
            var candidates = bytes.dropLast(ZstdFrame.header.count - 1)
            while let start = candidates.firstIndex(of: ZstdFrame.header[0]) {
                if bytes[start...].starts(with: ZstdFrame.header) {
                    frameStart = from + Int64(start)
                    (input, inputOffset, used) = ([], frameStart, 0)
                    expectation = .header
                    return true
                }
                candidates = candidates[(start + 1)...]
            }
            from += Int64(bytes.count - ZstdFrame.header.count + 1)
        }
    }

    // MARK: zstd units

    private var offset: Int64 { inputOffset + Int64(used) }

    /// Where the next whole header, block or checksum is in `input`; nil when the file does not hold all of it yet.
    private func nextUnit() throws(ArchiveError) -> Range<Int>? {
        switch expectation {
        case .header:
            guard try fill(ZstdFrame.header.count) else { return nil }
            let unit = used..<used + ZstdFrame.header.count
            guard input[unit].elementsEqual(ZstdFrame.header) else {
                throw damage(.compression("this is not how our frames begin"), to: inputOffset + Int64(unit.upperBound))
            }
            return unit
        case .block:
            guard try fill(ZstdFrame.blockHeaderBytes) else { return nil }
            let (_, size) = blockHeader()
            guard let size else {
                throw damage(
                    .compression("a block of an impossible size"), to: offset + Int64(ZstdFrame.blockHeaderBytes))
            }
            guard try fill(ZstdFrame.blockHeaderBytes + size) else { return nil }
            return used..<used + ZstdFrame.blockHeaderBytes + size
        case .checksum:
            guard try fill(ZstdFrame.checksumBytes) else { return nil }
            return used..<used + ZstdFrame.checksumBytes
        }
    }

    /// RFC 8878 section 3.1.1.2: "last" in bit 0, the type in bits 1 and 2, the size above; a run of one byte is stored
    /// as that byte.
    private func blockHeader() -> (isLast: Bool, storedBytes: Int?) {
        let header = Int(input[used]) | Int(input[used + 1]) << 8 | Int(input[used + 2]) << 16
        let size = header >> 3
        let kind = header >> 1 & 3
        guard size <= ZstdFrame.blockLimitBytes, kind != 3 else { return (false, nil) }
        return (header & 1 == 1, kind == 1 ? 1 : size)
    }

    private func advance(over unit: Range<Int>) {
        switch expectation {
        case .header:
            frameStart = offset
            expectation = .block
        case .block: expectation = blockHeader().isLast ? .checksum : .block
        case .checksum: expectation = .header
        }
        used = unit.upperBound
    }

    /// Whether `count` bytes from `used` on are in `input`, after reading more when they are not.
    private func fill(_ count: Int) throws(ArchiveError) -> Bool {
        if input.count - used >= count { return true }
        inputOffset += Int64(used)
        input.removeFirst(used)
        used = 0
        while input.count < count {
            let more = try read(at: inputOffset + Int64(input.count), limit: Self.chunkBytes)
            guard !more.isEmpty else { return false }
            input += more
        }
        return true
    }

    private func read(at offset: Int64, limit: Int) throws(ArchiveError) -> [UInt8] {
        do throws(IOError) { return try file.read(at: offset, limit: limit) } catch {
            // One sector that cannot be read spoils the whole chunk: what is before it may be enough.
            let page = Int(Self.pageBytes - offset % Self.pageBytes)
            for less in [page + Int(Self.pageBytes), page] where less < limit {
                if let bytes = try? file.read(at: offset, limit: less) { return bytes }
            }
            throw ArchiveError(error)
        }
    }

    // MARK: Batches

    /// The batch that ends with the bytes decompressed so far; nil when they do not end one.
    private func batchAtEnd() throws(ArchiveError) -> ScannedBatch? {
        guard pending.last == UInt8(ascii: "\n") else { return nil }
        let tail = pending.suffix(SegmentFormat.batchLineLimitBytes).dropLast()
        let lineStart = tail.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? tail.startIndex
        let line = pending[lineStart...]
        guard line.starts(with: SegmentFormat.batchMark) else { return nil }
        let covered = pending[..<lineStart]
        // First of all: what is said of the bytes below is said of bytes that were written so.
        guard let checksum = SegmentFormat.checksum(line) else { throw damage(.batchLine) }
        guard checksum == CRC32C.checksum(covered) else { throw damage(.checksum) }

        guard var lines = SegmentFormat.lines(covered) else { throw damage(.batchLine) }
        try takeSegmentLine(&lines)
        var position: ArchivePosition?
        for line in lines {
            guard let found = SegmentFormat.position(pending[line]) else { throw damage(.batchLine) }
            if let expected = position?.next ?? expectedPosition, found != expected {
                throw damage(.position(found: found))
            }
            if let last, found <= last { throw damage(.position(found: found)) }
            position = found
        }
        guard let last = position, let first = lines.first.flatMap({ SegmentFormat.position(pending[$0]) }) else {
            throw damage(.batchLine)
        }
        guard let stated = SegmentFormat.chain(line) else { throw damage(.batchLine) }
        let summary = SegmentFormat.BatchSummary(
            records: lines.count, first: first, last: last, checksum: checksum, chain: stated)
        guard line.elementsEqual(SegmentFormat.batchLine(summary)) else { throw damage(.batchLine) }
        if let chain, chain.next(covered) != stated { throw damage(.chain) }
        let batch = ScannedBatch(
            content: Array(covered), lines: lines, first: first, last: last, chain: stated,
            bytes: good.offset..<offset, contentBytes: pending.count)
        good = GoodEnd(offset: offset, isInsideFrame: true, frameStart: frameStart)
        chain = stated
        self.last = last
        isAfterDamage = false
        pending.removeAll(keepingCapacity: true)
        return batch
    }

    /// The position that the next record must have; nil after damage, when nobody knows.
    var expectedPosition: ArchivePosition? {
        isAfterDamage ? nil : last?.next ?? name.firstPosition
    }

    /// Checks and removes the segment's own line, which the first batch begins with.
    private func takeSegmentLine(_ lines: inout [Range<Int>]) throws(ArchiveError) {
        guard good.offset == 0, !isAfterDamage else { return }
        guard let line = lines.first,
            let previous = SegmentFormat.previousChain(pending[line], recorder: recorder, first: name.firstPosition)
        else { throw damage(.segmentLine) }
        if let chain, chain != previous { throw damage(.previousChain) }
        chain = previous
        lines.removeFirst()
    }

    /// Damage somewhere after the last good batch, or after `start`, and before `end`, or the place reached.
    func damage(_ problem: ArchiveDamage.Problem, from start: Int64? = nil, to end: Int64? = nil) -> ArchiveError {
        let start = start ?? good.offset
        return .damaged(
            ArchiveDamage(
                segment: path, firstPosition: expectedPosition, bytes: start..<max(end ?? offset, start),
                problem: problem))
    }
}
