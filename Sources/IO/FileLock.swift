import Glibc

/// An exclusive lock on a file, held while this value lives and freed by the kernel when the process dies.
public final class FileLock {
    private let fd: Int32

    private init(fd: Int32) { self.fd = fd }

    deinit {
        // A child that another thread is starting has a copy of the descriptor until its exec: closing ours does not do.
        Linux.unlockFile(fd)
        close(fd)
    }

    /// Takes the lock and writes `holder` into the file; nil when somebody else has it (the file says who).
    public static func take(_ path: String, holder: String) throws(IOError) -> FileLock? {
        let fd = try IOError.check("open", unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600), subject: path)
        guard lock(fd) else {
            let number = errno
            close(fd)
            guard number == EWOULDBLOCK else { throw IOError(call: "flock", number: number, subject: path) }
            return nil
        }
        ftruncate(fd, 0)
        do { try Files.writeAll(fd, Array(holder.utf8), subject: path) } catch {
            // On a full disk the lock is held all the same; only its holder is not named.
            guard !error.isVolumeFull else { return FileLock(fd: fd) }
            close(fd)
            throw error
        }
        return FileLock(fd: fd)
    }

    /// Whether somebody holds the lock on a file; nil when that cannot be told, as when the file is not there.
    public static func isHeld(_ path: String) -> Bool? {
        let fd = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { return nil }
        defer { close(fd) }
        return Linux.fileIsLocked(fd)
    }

    /// Tries three times, a millisecond apart: whoever asks ``isHeld(_:)`` is in the way for some microseconds.
    private static func lock(_ fd: Int32) -> Bool {
        for _ in 0..<2 {
            if Linux.lockFile(fd) == 0 { return true }
            guard errno == EWOULDBLOCK else { return false }
            poll(nil, 0, 1)
        }
        return Linux.lockFile(fd) == 0
    }
}
