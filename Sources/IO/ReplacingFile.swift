import Glibc

/// A file that is written for a while and then takes its place as a whole.
///
/// Readers see the old content or the new one, never a part, also after a power cut. Where the file system allows it,
/// the new content has no name until then, so that nothing is left behind however the process ends. Belongs to one
/// thread.
public final class ReplacingFile {
    /// O_TMPFILE of fcntl.h, which is no constant that Swift imports.
    private static let unnamed = 0o20_000_000 | O_DIRECTORY

    /// Where the content goes.
    public let path: String
    private let folder: String
    /// Of the old content; nil when there was none.
    private let mode: mode_t?
    private var fd: Int32
    /// The name beside ``path`` that the content has meanwhile; nil while it has none.
    private var temporary: String?

    /// Begins the new content of a regular file, or of one that does not exist yet.
    ///
    /// A symbolic link stays one: the file that it points to is replaced. The new file has the mode of the old one, or
    /// the usual one of new files.
    ///
    /// Throws `EEXIST` where something else than a regular file has the name.
    public init(_ path: String) throws(IOError) {
        let target = Self.target(of: path)
        self.path = target
        folder = target.lastIndex(of: "/").map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
        var facts = stat()
        if unsafe stat(target, &facts) == 0 {
            guard facts.st_mode & S_IFMT == S_IFREG else { throw IOError(call: "open", number: EEXIST, subject: path) }
            mode = facts.st_mode & 0o777
        } else {
            mode = nil
        }
        fd = unsafe open(folder, O_WRONLY | O_CLOEXEC | Self.unnamed, 0o666)
        guard fd < 0 else { return }
        let name = target + ".\(getpid()).tmp"
        fd = try IOError.check("open", unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666), subject: name)
        temporary = name
    }

    /// Appends to the new content.
    public func append(_ bytes: [UInt8]) throws(IOError) { try Files.writeAll(fd, bytes, subject: path) }

    /// Makes the new content durable, and puts it into its place.
    public func commit() throws(IOError) {
        if let mode { _ = try IOError.check("fchmod", fchmod(fd, mode), subject: path) }
        _ = try IOError.check("fsync", fsync(fd), subject: path)
        if temporary == nil {
            let name = path + ".\(getpid()).tmp"
            let content = "/proc/self/fd/\(fd)"
            let linked = unsafe linkat(AT_FDCWD, content, AT_FDCWD, name, AT_SYMLINK_FOLLOW)
            _ = try IOError.check("linkat", linked, subject: name)
            temporary = name
        }
        guard let name = temporary else { return }
        _ = try IOError.check("rename", unsafe rename(name, path), subject: path)
        temporary = nil
        try Files.syncFolder(of: path)
    }

    deinit {
        if let temporary { unsafe unlink(temporary) }
        close(fd)
    }

    /// The file that a path leads to, through symbolic links; the path itself when there is none.
    private static func target(of path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
