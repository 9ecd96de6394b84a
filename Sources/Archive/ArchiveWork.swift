/// What writing an archive took since it was opened.
public struct ArchiveWork: Sendable, Equatable {
    /// Bytes of segments that became durable, as they are on disk.
    public var writtenBytes: Int64 = 0
    /// How often the disk was asked to make bytes durable, and did.
    public var syncs: Int64 = 0
    /// How long it took for that, in all.
    public var syncNanoseconds: Int64 = 0

    /// Nothing written.
    public init() {}
}
