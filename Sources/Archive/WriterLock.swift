import Glibc
import IO
import Recording

/// Takes the lock that makes a process the only writer of a recorder's archive.
enum WriterLock {
    private static let limitBytes = 256

    /// Makes the archive's folder and takes its lock.
    ///
    /// Throws ``ArchiveError/locked(folder:holder:)`` when another process has it, and says which.
    ///
    /// - Parameter purpose: What the holder does, when it is no recorder.
    static func take(_ folder: ArchiveFolder, _ files: any ArchiveFiles, purpose: String? = nil)
        throws(ArchiveError) -> any ArchiveLock
    {
        let path = folder.lockPath
        let lock = try attempt { () throws(IOError) in
            try files.makeFolders(folder.path)
            return try files.lock(path, holder: holder(purpose) + "\n")
        }
        if let lock { return lock }
        let said = (try? files.open(path, writing: false).read(at: 0, limit: limitBytes)) ?? []
        // Anybody may have written the file: it goes to a terminal and into a log.
        let text = String(decoding: said, as: UTF8.self).filter { !$0.isNewline && $0 >= " " && $0 <= "~" }
        throw .locked(folder: folder.path, holder: text)
    }

    /// "pid 4711 on attic since 2026-03-01T20:15:04.123456Z".
    private static func holder(_ purpose: String?) -> String {
        let name = (try? Files.read("/proc/sys/kernel/hostname", limitBytes: 64)) ?? []
        let host = String(decoding: name.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let since = WallTime(microseconds: Clock.wallMicroseconds()).text
        return
            "pid \(getpid()) on \(host.isEmpty ? "this machine" : host) since \(since)\(purpose.map { ", \($0)" } ?? "")"
    }
}
