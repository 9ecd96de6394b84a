import Glibc

/// What the kernel says of this process.
extension ThisProcess {
    /// How many descriptors are open now, without the one that counts them; nil where /proc is missing.
    public static var openFiles: Int? { (try? Files.names(in: "/proc/self/fd")).map { max(0, $0.count - 1) } }

    /// How many threads run; nil where /proc is missing.
    public static var threads: Int? { (try? Files.names(in: "/proc/self/task"))?.count }

    /// Ends the process without another word: for when a thread hangs that the ordinary end would wait for or trip over.
    public static func exitNow(_ status: Int32) -> Never { _exit(status) }

    /// An environment variable; nil when it is not set.
    public static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}

/// What a file system has room for.
public struct VolumeRoom: Sendable, Equatable {
    /// Bytes that an ordinary user may still write.
    public var freeBytes: Int64
    /// All its bytes.
    public var totalBytes: Int64

    /// The volume that holds a path; nil when that cannot be told.
    public init?(holding path: String) {
        var volume = statvfs()
        guard unsafe statvfs(path, &volume) == 0 else { return nil }
        freeBytes = Int64(clamping: volume.f_bavail.multipliedReportingOverflow(by: volume.f_frsize).partialValue)
        totalBytes = Int64(clamping: volume.f_blocks.multipliedReportingOverflow(by: volume.f_frsize).partialValue)
    }
}
