import Glibc

/// What a file system has room for.
public struct VolumeRoom: Sendable, Equatable {
    /// Bytes that an ordinary user may still write.
    public var freeBytes: Int64
    /// All its bytes.
    public var totalBytes: Int64

    /// The volume that holds a path (statvfs).
    public init(at path: String) throws(IOError) {
        var volume = statvfs()
        _ = try IOError.check("statvfs", unsafe statvfs(path, &volume), subject: path)
        self.init(
            freeBlocks: UInt64(volume.f_bavail), totalBlocks: UInt64(volume.f_blocks),
            blockBytes: UInt64(volume.f_frsize))
    }

    /// The same; nil when that cannot be told.
    public init?(holding path: String) {
        guard let room = try? VolumeRoom(at: path) else { return nil }
        self = room
    }

    /// Blocks as the kernel counts them: a network's file system may claim more bytes than a number holds.
    init(freeBlocks: UInt64, totalBlocks: UInt64, blockBytes: UInt64) {
        freeBytes = Self.bytes(freeBlocks, blockBytes)
        totalBytes = Self.bytes(totalBlocks, blockBytes)
    }

    private static func bytes(_ blocks: UInt64, _ blockBytes: UInt64) -> Int64 {
        let (bytes, isTooMuch) = blocks.multipliedReportingOverflow(by: blockBytes)
        return isTooMuch ? .max : Int64(clamping: bytes)
    }
}
