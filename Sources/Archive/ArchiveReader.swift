import Glibc
import IO
public import Recording

/// Records that became durable together.
public struct ArchiveBatch: Sendable, Equatable {
    /// The records, in order; those before the position asked for are left out.
    public var records: [Record]
    /// The segment's file, relative to the archive of its recorder: `2026/03/01/0000000000000000812.jsonl.zst`.
    public var segment: String
    /// The position of the segment's first record, which names it.
    public var segmentPosition: ArchivePosition
    /// The compressed bytes within the segment.
    public var bytes: Range<Int64>
    /// SHA-256 of the chain value before and of the batch's lines (docs/format.md).
    public var chain: ChainValue
}

/// Reads verified batches of a recorder's archive, in order, through all frames and segments, and then the live tail.
///
/// For one thread. Needs no lock: it may read while a writer, also another process, appends.
public final class ArchiveReader {
    /// What to do about damage.
    public enum OnDamage: Sendable {
        /// Throw it, now and on every later call.
        case stop
        /// Note it in ``ArchiveReader/skipped`` and go on with the next zstd frame or segment.
        case skip
    }

    private let folder: ArchiveFolder
    private let files: any ArchiveFiles
    private let onDamage: OnDamage
    private let lineReader = RecordLineReader()
    private var scanner: SegmentScanner?
    private var previous: ChainValue?
    private var rescanned: SegmentName?
    /// The last record of all segments read so far.
    private var reached: ArchivePosition?
    private var failure: ArchiveError?

    /// The next record to be read.
    public private(set) var position: ArchivePosition
    /// The damage that was skipped, in order; at most 1,000 places are kept.
    public private(set) var skipped: [ArchiveDamage] = []
    /// How many damaged places were skipped.
    public private(set) var skippedCount = 0
    private static let skippedLimit = 1000
    /// Bytes of JSON Lines after which a call returns what it has: frames may be long.
    static let turnLimitBytes = 8 << 20
    /// Bytes of JSON Lines of the last batch.
    private var batchBytes = 0

    /// A reader that begins with a position; no position means the beginning.
    public init(
        _ folder: ArchiveFolder, from position: ArchivePosition = ArchivePosition(1), onDamage: OnDamage = .stop,
        files: any ArchiveFiles = DiskFiles()
    ) {
        self.folder = folder
        self.files = files
        self.onDamage = onDamage
        self.position = position
    }

    /// The next whole batches; none when the reader has caught up: call again later.
    ///
    /// - Parameters:
    ///   - last: Batches after this position are left for later. Give the writer's durable position, when it is known:
    ///     what was written but not yet synced can be read, too.
    ///   - limitRecords: Stops after the batch that reaches this many records, or 8 MiB of lines; in any case there is
    ///     at least one batch when one can be read.
    ///
    /// Throws ``ArchiveError/damaged(_:)`` at the first damage unless told to skip; what came before it was returned
    /// by earlier calls.
    public func readAvailable(upTo last: ArchivePosition? = nil, limitRecords: Int = 10_000) throws(ArchiveError)
        -> [ArchiveBatch]
    {
        if let failure { throw failure }
        // Nothing was read from it yet: a writer may have set it aside and begun again with the same position.
        if let scanner, scanner.good.offset == 0, !scanner.isAfterDamage { self.scanner = nil }
        var batches: [ArchiveBatch] = []
        var count = 0
        var bytes = 0
        while count < limitRecords, bytes < Self.turnLimitBytes {
            if let last, position > last { break }
            do throws(ArchiveError) {
                guard let batch = try nextBatch() else { break }
                guard !batch.records.isEmpty else { continue }
                count += batch.records.count
                bytes += batchBytes
                batches.append(batch)
            } catch {
                if case .damaged = error { failure = error }
                guard batches.isEmpty else { return batches }
                throw error
            }
        }
        return batches
    }

    private func nextBatch() throws(ArchiveError) -> ArchiveBatch? {
        while true {
            do throws(ArchiveError) {
                if scanner == nil { try openFirst() }
                guard let scanner else { return nil }
                if let batch = try scanner.next() { return try records(of: batch, in: scanner) }
                // Also behind an open frame: its end may have got lost in a power cut.
                let bytesLeft = try scanner.bytesLeft()
                guard let following = try segment(after: scanner) else {
                    // Bytes are being written, or they claim to be longer than they are.
                    guard onDamage == .skip, bytesLeft > 0, try scanner.isFollowedByGoodBatch() else { return nil }
                    if let batch = try scanner.next() { return try records(of: batch, in: scanner) }
                    throw scanner.damage(
                        .compression("a block that reaches beyond the end"), to: scanner.good.offset + bytesLeft)
                }
                // What was written between our last look and the birth of the next segment.
                if let batch = try scanner.next() { return try records(of: batch, in: scanner) }
                try leave(scanner, for: following)
            } catch {
                guard case .damaged(let damage) = error else {
                    try passOver(error)
                    continue
                }
                if !damage.problem.isBetweenSegments, try rescan() { continue }
                guard onDamage == .skip else { throw error }
                try skip(damage)
            }
        }
    }

    /// Reads the segment once more from its beginning, and says whether that is worth a try.
    ///
    /// What was read ahead may be stale: a writer that recovered has cut it. Nor does a disk always give the same bytes.
    private func rescan() throws(ArchiveError) -> Bool {
        guard let scanner, rescanned != scanner.name else { return false }
        rescanned = scanner.name
        try open(scanner.name, previous: previous)
        return true
    }

    private func records(of batch: ScannedBatch, in scanner: SegmentScanner) throws(ArchiveError) -> ArchiveBatch {
        var records: [Record] = []
        if batch.last >= position {
            records.reserveCapacity(batch.lines.count)
            for line in batch.lines {
                do throws(RecordingError) {
                    let record = try lineReader.read(batch.content[line])
                    if record.position >= position { records.append(record) }
                } catch {
                    throw .damaged(
                        ArchiveDamage(
                            segment: scanner.path, firstPosition: batch.first, bytes: batch.bytes,
                            problem: .record(error)))
                }
            }
        }
        position = max(position, batch.last.next)
        reached = max(reached ?? batch.last, batch.last)
        batchBytes = batch.contentBytes
        return ArchiveBatch(
            records: records, segment: scanner.name.path, segmentPosition: scanner.name.firstPosition,
            bytes: batch.bytes,
            chain: batch.chain)
    }

    /// Opens the segment that holds the position, or the first one after it.
    private func openFirst() throws(ArchiveError) {
        let names = try folder.segments(files)
        let first = names.last { $0.firstPosition <= position }?.firstPosition
        guard let name = names.first(where: { $0.firstPosition == first }) ?? names.first else { return }
        try open(name, previous: name.firstPosition == ArchivePosition(1) ? .start : nil)
    }

    private func open(_ name: SegmentName, previous: ChainValue?) throws(ArchiveError) {
        do throws(ArchiveError) {
            scanner = try SegmentScanner(name, in: folder, files: files, previous: previous)
            self.previous = previous
        } catch {
            guard case .files(let failure) = error, failure.number == ENOENT else { throw error }
            // Pruned since we looked.
            let names = try folder.segments(files)
            guard let following = names.first(where: { $0.firstPosition > name.firstPosition }), !names.contains(name)
            else { throw error }
            try open(following, previous: nil)
        }
    }

    private func segment(after scanner: SegmentScanner) throws(ArchiveError) -> SegmentName? {
        let names = try folder.segments(files)
        return names.first { $0 > scanner.name }
    }

    /// Whether nothing is left before a segment.
    ///
    /// The oldest go first, so a hole behind a segment that is still there is none that pruning made.
    private func isOldest(_ name: SegmentName) throws(ArchiveError) -> Bool {
        try !folder.segments(files).contains { $0 < name }
    }

    /// Goes on to the following segment, unless something is left here that should not be.
    private func leave(_ scanner: SegmentScanner, for following: SegmentName) throws(ArchiveError) {
        if scanner.isAfterDamage {
            // What looked like a frame's beginning led nowhere; perhaps another does.
            if try scanner.skipToNextFrame() { return }
            return try open(following, previous: nil)
        }
        let bytesLeft = try scanner.bytesLeft()
        if bytesLeft > 0 || scanner.last == nil, try rescan() { return }
        if bytesLeft > 0 { throw scanner.damage(.tornTail, to: scanner.good.offset + bytesLeft) }
        let expected = reached?.next ?? scanner.name.firstPosition
        try open(following, previous: scanner.chain)
        guard let opened = self.scanner, expected != opened.name.firstPosition else { return }
        let found = opened.name.firstPosition
        guard expected < found else {
            return try report(opened.damage(.repeated(last: ArchivePosition(expected.number - 1))))
        }
        if try isOldest(opened.name), try PrunedMarkers.cover(ArchivePosition(found.number - 1), in: folder, files) {
            // What is between was pruned while we read what came before.
            return try open(opened.name, previous: nil)
        }
        try report(opened.damage(.missing(expected...ArchivePosition(found.number - 1))))
    }

    /// Notes damage and moves behind it: to the next frame, or to the end of the segment.
    private func skip(_ damage: ArchiveDamage) throws(ArchiveError) {
        note(damage)
        guard let scanner else { return }
        if damage.problem == .previousChain { return try open(scanner.name, previous: nil) }
        do throws(ArchiveError) { _ = try scanner.skipToNextFrame() } catch { try passOver(error) }
    }

    /// Goes on with the following segment when the disk does not give bytes of this one, and we are told to skip damage.
    ///
    /// The newest segment is waited for.
    private func passOver(_ error: ArchiveError) throws(ArchiveError) {
        guard onDamage == .skip, let scanner, let damage = scanner.unreadable(error) else { throw error }
        if try rescan() { return }
        guard let following = try segment(after: scanner) else { throw error }
        try open(following, previous: nil)
        note(damage)
    }

    private func report(_ error: ArchiveError) throws(ArchiveError) {
        guard case .damaged(let damage) = error, onDamage == .skip else { throw error }
        note(damage)
        if let scanner { try open(scanner.name, previous: nil) }
    }

    private func note(_ damage: ArchiveDamage) {
        skippedCount += 1
        if skipped.count < Self.skippedLimit { skipped.append(damage) }
    }

    /// Compressed bytes behind the last whole batch: of a batch being written, or torn.
    public func unfinishedBytes() throws(ArchiveError) -> Int64 { try scanner?.bytesLeft() ?? 0 }
}
