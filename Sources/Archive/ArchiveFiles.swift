public import IO

/// The file system as the archive uses it.
///
/// A seam: tests put failures in here. Paths are absolute or relative to the working directory.
public protocol ArchiveFiles: Sendable {
    /// The names in a folder, sorted; none when there is no such folder.
    func names(in folder: String) throws(IOError) -> [String]
    /// Makes a folder and those above it, readable for us alone, and makes the new names survive a power cut.
    func makeFolders(_ path: String) throws(IOError)
    /// Makes new names in a folder survive a power cut.
    func syncFolder(_ path: String) throws(IOError)
    /// Makes a file that must not exist yet, readable for us alone.
    func create(_ path: String) throws(IOError) -> any ArchiveFile
    /// Opens a file that exists.
    func open(_ path: String, writing: Bool) throws(IOError) -> any ArchiveFile
    /// Gives a file another name in the same folder; the new name must be free.
    func rename(_ path: String, to other: String) throws(IOError)
    /// Gives a file a new content: readers see the old one or the new one.
    ///
    /// - Parameter synced: Whether the new content must survive a power cut.
    func replace(_ path: String, with content: [UInt8], synced: Bool) throws(IOError)
    /// Removes a file; one that is gone already is no failure.
    func remove(_ path: String) throws(IOError)
    /// Removes a folder if nothing is in it; otherwise, and on any failure, it stays.
    func removeFolderIfEmpty(_ path: String)
    /// Bytes of the file system that a path is on: what we may still use, and all.
    func space(of path: String) throws(IOError) -> (free: Int64, total: Int64)
    /// Takes the exclusive lock on a file and writes `holder` into it; nil when somebody else has it.
    func lock(_ path: String, holder: String) throws(IOError) -> (any ArchiveLock)?
}

/// A lock that is held as long as this is.
public protocol ArchiveLock: AnyObject {}

/// One open file of the archive; closed when it is let go.
public protocol ArchiveFile: AnyObject {
    /// Bytes in the file.
    func size() throws(IOError) -> Int64
    /// At most `limit` bytes from `offset` on; fewer only at the end of the file.
    func read(at offset: Int64, limit: Int) throws(IOError) -> [UInt8]
    /// Writes everything, or throws after writing any part of it.
    func write(_ bytes: [UInt8], at offset: Int64) throws(IOError)
    /// Cuts the file.
    func truncate(to size: Int64) throws(IOError)
    /// Makes content and size survive a power cut (fdatasync).
    func dataSync() throws(IOError)
}
