import Glibc

/// Small whole-file operations.
///
/// The archive has a seam of its own for what must survive a crash.
public enum Files {
    /// The content of a file, at most `limitBytes` of it.
    public static func read(_ path: String, limitBytes: Int = 1 << 24) throws(IOError) -> [UInt8] {
        let fd = try IOError.check("open", unsafe open(path, O_RDONLY | O_CLOEXEC), subject: path)
        defer { close(fd) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while content.count < limitBytes {
            let count = unsafe Glibc.read(fd, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw IOError(call: "read", number: errno, subject: path) }
            guard count > 0 else { break }
            content.append(contentsOf: chunk[..<count])
        }
        return Array(content.prefix(limitBytes))
    }

    /// Replaces a file as a whole: readers see the old content or the new one, also after a power cut.
    public static func replace(_ path: String, with content: [UInt8], mode: UInt32 = 0o600) throws(IOError) {
        let temporary = path + ".tmp"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let fd = try IOError.check("open", unsafe open(temporary, flags, mode), subject: temporary)
        defer { close(fd) }
        try writeAll(fd, content, subject: temporary)
        _ = try IOError.check("fsync", fsync(fd), subject: temporary)
        _ = try IOError.check("rename", unsafe rename(temporary, path), subject: path)
        try syncFolder(of: path)
    }

    /// Makes a rename or a new file in a folder survive a power cut.
    public static func syncFolder(of path: String) throws(IOError) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let fd = try IOError.check("open", unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), subject: folder)
        defer { close(fd) }
        _ = try IOError.check("fsync", fsync(fd), subject: folder)
    }

    /// Writes everything, however often the kernel takes only a part.
    public static func writeAll(_ fd: Int32, _ content: [UInt8], subject: String) throws(IOError) {
        var offset = 0
        while offset < content.count {
            let count = unsafe content.withUnsafeBytes { bytes in
                unsafe write(fd, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw IOError(call: "write", number: errno, subject: subject) }
            offset += count
        }
    }

    /// Makes a folder and those above it, each with `mode`.
    ///
    /// Existing ones are left as they are.
    public static func makeFolders(_ path: String, mode: UInt32 = 0o700) throws(IOError) {
        var prefix = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            prefix += (prefix.isEmpty || prefix.hasSuffix("/") ? "" : "/") + part
            guard unsafe mkdir(prefix, mode) != 0, errno != EEXIST else { continue }
            throw IOError(call: "mkdir", number: errno, subject: prefix)
        }
    }

    /// Whether something exists at the path.
    public static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// The names in a folder, sorted, without `.` and `..`.
    public static func names(in folder: String) throws(IOError) -> [String] {
        guard let directory = unsafe opendir(folder) else {
            throw IOError(call: "opendir", number: errno, subject: folder)
        }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// An exclusive lock on a file, held while this value lives and freed by the kernel when the process dies.
public struct FileLock: ~Copyable {
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
