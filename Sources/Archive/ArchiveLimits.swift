/// When batches, zstd frames and segments end.
///
/// Counted in bytes of JSON Lines, before compression: that is what a reader has to go through.
public struct ArchiveLimits: Sendable, Equatable {
    /// A batch ends at this many records.
    public var batchRecords = 100
    /// A batch ends once its lines have this many bytes: 1 MiB.
    public var batchBytes = 1 << 20
    /// A zstd frame ends once it holds this many bytes: 32 KiB.
    ///
    /// Damage makes the rest of its frame unreadable, so this decides how far it reaches
    /// (docs/decisions/0013-how-far-damage-reaches.md).
    public var frameBytes = 32 << 10
    /// A zstd frame ends this many nanoseconds after its first batch: 60 s.
    public var frameNanoseconds: Int64 = 60_000_000_000
    /// A segment ends once it holds this many bytes: 64 MiB.
    public var segmentBytes = 64 << 20

    /// An entry of a segment's index ends with the zstd frame that brings it to this many bytes: 1 MiB.
    ///
    /// A search reads whole entries, and goes through all of them to find those to read.
    public var indexEntryBytes = 1 << 20

    /// The limits that the program uses.
    public static let standard = ArchiveLimits()

    /// The standard limits, to be changed.
    public init() {}
}
