import Glibc
public import IO

/// The real file system.
public struct DiskFiles: ArchiveFiles {
    /// The real file system.
    public init() {}

    /// The names in a folder, sorted; none when there is no such folder.
    public func names(in folder: String) throws(IOError) -> [String] {
        do { return try Files.names(in: folder) } catch {
            guard error.number == ENOENT || error.number == ENOTDIR else { throw error }
            return []
        }
    }

    /// Makes a folder and those above it with mode 0700.
    ///
    /// The parent is synced also when the folder exists: the try that made it may have failed to sync.
    public func makeFolders(_ path: String) throws(IOError) {
        guard !Files.exists(path) else {
            do throws(IOError) { return try Files.syncFolder(of: path) } catch {
                // Above the data folder others' folders begin, which we need not be able to read.
                guard error.isPermission else { throw error }
                return
            }
        }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex { try makeFolders(String(path[..<slash])) }
        if unsafe mkdir(path, 0o700) == 0 {
            Ownership.giveAway(path)
        } else if errno != EEXIST {
            throw IOError(call: "mkdir", number: errno, subject: path)
        }
        try Files.syncFolder(of: path)
    }

    /// Syncs a folder.
    public func syncFolder(_ path: String) throws(IOError) { try Files.syncFolder(of: path + "/.") }

    /// Makes a file with mode 0600.
    public func create(_ path: String) throws(IOError) -> any ArchiveFile {
        try DiskFile(path, O_RDWR | O_CREAT | O_EXCL, isNew: true)
    }

    /// Opens a file that exists.
    public func open(_ path: String, writing: Bool) throws(IOError) -> any ArchiveFile {
        try DiskFile(path, writing ? O_RDWR : O_RDONLY)
    }

    /// Gives a file another name and syncs its folder; refuses to replace a file.
    public func rename(_ path: String, to other: String) throws(IOError) {
        guard !Files.exists(other) else { throw IOError(call: "rename", number: EEXIST, subject: other) }
        guard unsafe Glibc.rename(path, other) == 0 else {
            throw IOError(call: "rename", number: errno, subject: path)
        }
        try Files.syncFolder(of: other)
    }

    /// Writes a temporary file of mode 0600 and gives it the name.
    public func replace(_ path: String, with content: [UInt8], synced: Bool) throws(IOError) {
        let temporary = path + ".tmp"
        // What a crash left, or a link that somebody put there to have another file overwritten.
        _ = unsafe unlink(temporary)
        do throws(IOError) {
            let file = try DiskFile(temporary, O_WRONLY | O_CREAT | O_EXCL, isNew: true)
            try file.write(content, at: 0)
            if synced { try file.dataSync() }
        } catch {
            _ = unsafe unlink(temporary)
            throw error
        }
        guard unsafe Glibc.rename(temporary, path) == 0 else {
            throw IOError(call: "rename", number: errno, subject: temporary)
        }
        if synced { try Files.syncFolder(of: path) }
    }

    /// Removes a file.
    public func remove(_ path: String) throws(IOError) {
        guard unsafe unlink(path) != 0, errno != ENOENT else { return }
        throw IOError(call: "unlink", number: errno, subject: path)
    }

    /// Removes an empty folder.
    public func removeFolderIfEmpty(_ path: String) { _ = unsafe rmdir(path) }

    /// Asks the file system (statvfs).
    public func space(of path: String) throws(IOError) -> (free: Int64, total: Int64) {
        let room = try VolumeRoom(at: path)
        return (room.freeBytes, room.totalBytes)
    }

    /// Takes a lock that the kernel frees when the process dies.
    public func lock(_ path: String, holder: String) throws(IOError) -> (any ArchiveLock)? {
        let isNew = !Files.exists(path)
        guard let lock = try FileLock.take(path, holder: holder) else { return nil }
        if isNew { Ownership.giveAway(path) }
        return DiskLock(lock)
    }
}

/// Whose new files are.
///
/// A command that root runs, such as `archive prune`, must leave nothing that the recorder, which is no root, cannot open:
/// what root makes belongs to the owner of the folder that it is in. Where that fails it stays root's.
private enum Ownership {
    /// The owner of the folder that a path is in, when we are root.
    private static func owner(_ path: String) -> stat? {
        guard geteuid() == 0 else { return nil }
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var facts = stat()
        return unsafe stat(folder, &facts) == 0 ? facts : nil
    }

    /// Gives away what is at a path; a link, not what it leads to.
    static func giveAway(_ path: String) {
        if let owner = owner(path) { _ = unsafe lchown(path, owner.st_uid, owner.st_gid) }
    }

    /// Gives away an open file, as ``giveAway(_:)``.
    static func giveAway(_ fd: Int32, at path: String) {
        if let owner = owner(path) { _ = fchown(fd, owner.st_uid, owner.st_gid) }
    }
}

private final class DiskLock: ArchiveLock {
    private let lock: FileLock
    init(_ lock: consuming FileLock) { self.lock = lock }
}

/// One open file.
///
/// A class, since readers keep it; its descriptor is closed once, by `deinit`.
private final class DiskFile: ArchiveFile {
    private let path: String
    private let fd: Int32

    /// - Parameter isNew: Whether the flags make the file.
    init(_ path: String, _ flags: Int32, isNew: Bool = false) throws(IOError) {
        self.path = path
        // A pipe or a device in place of a segment must neither hold us up nor feed us for ever.
        fd = unsafe Glibc.open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard fd >= 0 else { throw IOError(call: "open", number: errno, subject: path) }
        var facts = stat()
        guard unsafe fstat(fd, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(fd)
            throw IOError(call: "open as a regular file", number: EINVAL, subject: path)
        }
        if isNew { Ownership.giveAway(fd, at: path) }
    }

    deinit { _ = Glibc.close(fd) }

    func size() throws(IOError) -> Int64 {
        let end = lseek(fd, 0, SEEK_END)
        guard end >= 0 else { throw IOError(call: "lseek", number: errno, subject: path) }
        return Int64(end)
    }

    func read(at offset: Int64, limit: Int) throws(IOError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while count < limit {
                let room = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                let got = unsafe pread(fd, room.baseAddress, room.count, off_t(offset) + off_t(count))
                if got < 0 && errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { break }
                count += got
            }
        }
        guard failure == 0 else { throw IOError(call: "pread", number: failure, subject: path) }
        return bytes
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(IOError) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
                return unsafe pwrite(fd, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw IOError(call: "pwrite", number: count < 0 ? errno : EIO, subject: path) }
            done += count
        }
    }

    func truncate(to size: Int64) throws(IOError) {
        guard ftruncate(fd, off_t(size)) == 0 else { throw IOError(call: "ftruncate", number: errno, subject: path) }
    }

    func dataSync() throws(IOError) {
        guard fdatasync(fd) == 0 else { throw IOError(call: "fdatasync", number: errno, subject: path) }
    }
}
