import Glibc

/// An exclusive lock on a file, held while this value lives and freed by the kernel when the process dies.
public final class FileLock {
    private let fd: Int32

    private init(fd: Int32) { self.fd = fd }

    deinit { close(fd) }

    /// Takes the lock and writes `holder` into the file; nil when somebody else has it (the file says who).
    public static func take(_ path: String, holder: String) throws(IOError) -> FileLock? {
        let fd = try IOError.check("open", unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600), subject: path)
        guard Linux.lockFile(fd) == 0 else {
            let number = errno
            close(fd)
            guard number == EWOULDBLOCK else { throw IOError(call: "flock", number: number, subject: path) }
            return nil
        }
        ftruncate(fd, 0)
        do { try Files.writeAll(fd, Array(holder.utf8), subject: path) } catch {
            close(fd)
            throw error
        }
        return FileLock(fd: fd)
    }
}
