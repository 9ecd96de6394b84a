import Glibc

/// A file that grows by whole lines, each handed to the kernel as it comes.
///
/// Closed once, by `deinit`. Belongs to one thread.
public final class AppendedFile {
    private let fd: Int32
    private let path: String

    private init(fd: Int32, path: String) {
        self.fd = fd
        self.path = path
    }

    deinit { close(fd) }

    /// Makes the file, or empties it when it is there.
    public static func create(_ path: String, mode: UInt32 = 0o600) throws(IOError) -> AppendedFile {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC
        return AppendedFile(fd: try IOError.check("open", unsafe open(path, flags, mode), subject: path), path: path)
    }

    /// Appends bytes; a reader of the file sees them at once.
    public func append(_ bytes: [UInt8]) throws(IOError) { try Files.writeAll(fd, bytes, subject: path) }
}
