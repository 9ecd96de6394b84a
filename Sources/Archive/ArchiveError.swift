public import IO
public import Recording

/// Everything that can go wrong while the archive is written or read.
public enum ArchiveError: Error, Sendable, Equatable {
    /// The recorder's name cannot be a folder's name; see ``SegmentName/isValidRecorder(_:)``.
    case invalidRecorder(String)
    /// Another writer has this recorder's folder; `holder` is what it wrote into its lock file.
    case locked(folder: String, holder: String)
    /// The volume or the quota is full. Nothing durable was touched; the same write may be tried again.
    case volumeFull(path: String)
    /// Another system call failed. Nothing durable was touched; the same write may be tried again.
    case files(IOError)
    /// Records may be pruned only when the archive says so durably, and it does not say so at this position.
    case notAnnounced(position: ArchivePosition)
    /// What is on disk is not what was written.
    case damaged(ArchiveDamage)

    /// The error for a failed call: a full volume is a case of its own.
    init(_ error: IOError) {
        self = error.isVolumeFull ? .volumeFull(path: error.subject) : .files(error)
    }
}

/// A place in the archive that is not what was written.
public struct ArchiveDamage: Error, Sendable, Equatable {
    /// What is wrong there.
    public enum Problem: Sendable, Equatable {
        /// The segment's first line is not the one its name asks for.
        case segmentLine
        /// The segment says that it follows another chain value than the one before it ended with.
        case previousChain
        /// Bytes that zstd refuses, in zstd's words.
        case compression(String)
        /// The line that ends a batch has a wrong form, or another record count or position than its records.
        case batchLine
        /// The CRC32C of the batch's bytes is another.
        case checksum
        /// The CRC32C is right, yet the hash chain is not: the batch was replaced by another, or its last line was changed.
        case chain
        /// Records are missing or out of order within a segment.
        case position(found: ArchivePosition)
        /// Whole segments are missing, with these positions.
        case missing(ClosedRange<ArchivePosition>)
        /// The segment begins with a position that earlier segments hold as well, up to `last`.
        case repeated(last: ArchivePosition)
        /// A line that its checksum confirms is no record.
        case record(RecordingError)
        /// The segment ends in the middle of a batch, and a later segment exists.
        case tornTail
        /// The disk does not give the bytes.
        case unreadable(IOError)
        /// The newest segment has not all records that its index lists, up to `last`.
        case cutShort(last: ArchivePosition)
        /// Segments before this one are missing, and no record in the archive tells that they were pruned.
        case missingBeginning
        /// `pruned.jsonl` has another line than the archive at that position.
        case prunedMarker(ArchivePosition)

        /// Whether it is about the order of segments, and not about the bytes of one.
        var isBetweenSegments: Bool {
            switch self {
            case .missing, .repeated, .missingBeginning, .prunedMarker: true
            case .segmentLine, .previousChain, .compression, .batchLine, .checksum, .chain, .position, .record,
                .tornTail, .unreadable, .cutShort:
                false
            }
        }
    }

    /// The segment's path.
    public var segment: String
    /// The first position of the batch, as it should be.
    ///
    /// Nil after other damage, when nobody can know.
    public var firstPosition: ArchivePosition?
    /// The compressed bytes, from the end of the last good batch to where the damage showed.
    public var bytes: Range<Int64>
    /// What is wrong.
    public var problem: Problem

    /// A damaged place.
    public init(segment: String, firstPosition: ArchivePosition?, bytes: Range<Int64>, problem: Problem) {
        self.segment = segment
        self.firstPosition = firstPosition
        self.bytes = bytes
        self.problem = problem
    }
}

extension ArchiveDamage: CustomStringConvertible {
    /// What, where: one sentence.
    public var description: String {
        let batch = firstPosition.map { "the batch that begins with position \($0)" } ?? "a batch"
        return "\(segment), bytes \(bytes.lowerBound) to \(bytes.upperBound), \(batch): \(problem)."
    }
}

extension ArchiveDamage.Problem: CustomStringConvertible {
    /// What is wrong, as the end of a sentence.
    public var description: String {
        switch self {
        case .segmentLine: "the first line is not that of this segment"
        case .previousChain: "it does not follow the segment before it: one of the two was replaced"
        case .compression(let words): "zstd refuses the bytes (\(words))"
        case .batchLine: "its last line does not fit its records"
        case .checksum: "its checksum is wrong: the bytes changed after they were written"
        case .chain:
            "its hash is not that of its records: it was replaced, or its last line changed, after it was written"
        case .position(let found): "position \(found) comes next: records are missing or out of order"
        case .missing(let positions):
            "the segments before it are missing, with positions \(positions.lowerBound) to \(positions.upperBound)"
        case .repeated(let last): "segments before it hold the same positions, up to \(last)"
        case .record(let error): "a line is no record. \(error)"
        case .tornTail: "the segment ends in the middle of it: what a crash leaves behind"
        case .unreadable(let error): "the disk does not give the bytes (\(error))"
        case .cutShort(let last):
            "its index lists records up to position \(last): it was emptied, cut or changed after it was written"
        case .missingBeginning: "what came before it is missing, and nothing says that it was pruned"
        case .prunedMarker(let position): "pruned.jsonl has another line than the archive has at position \(position)"
        }
    }
}

extension ArchiveError: CustomStringConvertible {
    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .invalidRecorder(let name):
            """
            '\(name)' cannot name a recorder: use 1 to 64 of the letters A to Z and a to z, digits, '.', '_' and '-', \
            and begin with a letter or digit.
            """
        case .locked(let folder, let holder):
            """
            Another process writes to \(folder) (\(holder.isEmpty ? "it did not say who it is" : holder)). Two writers would mix their records: stop that one first, \
            or choose another folder with --data.
            """
        case .volumeFull(let path):
            """
            No room left for \(path). Make room; recording goes on by itself, and nothing that was durable is touched.
            """
        case .files(let error):
            "The archive could not be accessed: \(error). Nothing that was durable is touched."
        case .notAnnounced(let position):
            "Nothing is pruned: the archive does not hold the announcement of it at position \(position)."
        case .damaged(let damage):
            "The archive is damaged: \(damage) 'castledger archive verify' lists all damage and changes nothing."
        }
    }
}
