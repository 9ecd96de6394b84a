import Glibc
import IO

/// A file system in memory of a few MiB, mounted on a folder: really full when it is full, really read-only when it is so.
///
/// Needs root. Unmounted with this value.
final class SmallDisk {
    let path: String
    private var filler: String { path + "/.filler" }

    init(_ path: String, mebibytes: Int) throws {
        self.path = path
        try Files.makeFolders(path)
        try Self.run(["mount", "-t", "tmpfs", "-o", "size=\(mebibytes)m,mode=0700", "castledger-test", path])
    }

    deinit { _ = try? ChildProcess.run(["umount", "-l", path]) }

    /// Writes until nothing more fits, to the byte.
    func fill() throws {
        let fd = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(fd) }
        for size in [65_536, 4_096, 1] {
            let bytes = [UInt8](repeating: 0x2E, count: size)
            while write(fd, bytes, size) == size {}
        }
        guard errno == ENOSPC else { throw IOError(call: "write", number: errno, subject: filler) }
    }

    /// Gives the room back.
    func free() throws { try Files.removeTree(filler) }

    func setReadOnly(_ isReadOnly: Bool) throws {
        try Self.run(["mount", "-o", "remount,\(isReadOnly ? "ro" : "rw")", path])
    }

    private static func run(_ command: [String]) throws {
        let (exit, output) = try ChildProcess.run(command, includingErrors: true)
        guard exit == .code(0) else { throw Failure(words: String(decoding: output, as: UTF8.self)) }
    }

    struct Failure: Error { let words: String }
}
