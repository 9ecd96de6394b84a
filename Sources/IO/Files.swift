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

    /// Makes a folder and those above it, each with `mode`, and makes the new names survive a power cut.
    ///
    /// Existing ones are left as they are.
    public static func makeFolders(_ path: String, mode: UInt32 = 0o700) throws(IOError) {
        var prefix = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            prefix += (prefix.isEmpty || prefix.hasSuffix("/") ? "" : "/") + part
            if unsafe mkdir(prefix, mode) == 0 {
                try syncFolder(of: prefix)
            } else if errno != EEXIST {
                throw IOError(call: "mkdir", number: errno, subject: prefix)
            }
        }
    }

    /// Whether every user may pass a folder and all folders above it (mode bit o+x); false when it is not there.
    public static func everyoneMayPass(_ folder: String) -> Bool {
        guard let resolved = unsafe realpath(folder, nil) else { return false }
        defer { unsafe free(resolved) }
        var path = unsafe String(cString: resolved)
        while true {
            var status = stat()
            guard unsafe stat(path, &status) == 0, status.st_mode & S_IXOTH != 0 else { return false }
            guard path != "/", let slash = path.lastIndex(of: "/") else { return true }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }

    /// Whether others than the owner may read a file; false when it is not there.
    public static func othersMayRead(_ path: String) -> Bool {
        var facts = stat()
        return unsafe stat(path, &facts) == 0 && facts.st_mode & (S_IRGRP | S_IROTH) != 0
    }

    /// When a file's content last changed, in microseconds since 1970; nil when that cannot be told.
    public static func modifiedMicroseconds(_ path: String) -> Int64? {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { return nil }
        return Int64(facts.st_mtim.tv_sec) * 1_000_000 + Int64(facts.st_mtim.tv_nsec) / 1000
    }

    /// Whether something exists at the path.
    public static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Where a symbolic link points, as it says; nil when the path is none.
    public static func linkTarget(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = unsafe readlink(path, &buffer, buffer.count)
        guard length > 0 else { return nil }
        return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

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

    /// Makes a folder of our own under /tmp and returns its path.
    ///
    /// - Parameter mode: 0700 keeps others out; 0711 lets them pass, as a private cluster needs that runs as another user.
    public static func makeTemporaryFolder(_ prefix: String, mode: UInt32 = 0o700) throws(IOError) -> String {
        var template = Array("/tmp/\(prefix)-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.map { unsafe String(cString: $0) }
        }
        guard let made, unsafe chmod(made, mode) == 0 else {
            throw IOError(call: "mkdtemp", number: errno, subject: prefix)
        }
        return made
    }

    /// Removes a file, or a folder with all that is in it.
    ///
    /// Symbolic links are removed, not followed.
    public static func removeTree(_ path: String) throws(IOError) {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return }
        if facts.st_mode & S_IFMT == S_IFDIR {
            for name in try names(in: path) { try removeTree(path + "/" + name) }
        }
        guard unsafe remove(path) == 0 else { throw IOError(call: "remove", number: errno, subject: path) }
    }
}
