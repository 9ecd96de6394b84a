import Archive
import Recording

/// Puts what was read from an archive onto the disk before anything is made of it.
///
/// A reader may see what a recorder has written and not yet synced. A database that knew such a record would be ahead of
/// the archive after a power cut. `fdatasync` of the file that was read makes its bytes durable, whoever wrote them, and
/// costs nothing where they are already.
struct SegmentSync {
    private let folder: ArchiveFolder
    private let files = DiskFiles()
    /// The newest segment stays open: a failure to write it back is told to whoever had it open at the time.
    private var newest: (path: String, file: any ArchiveFile)?

    init(_ folder: ArchiveFolder) { self.folder = folder }

    /// Makes the segments of these batches durable, names included.
    mutating func sync(_ batches: [ArchiveBatch]) throws {
        var synced: String?
        for batch in batches where batch.segment != synced {
            let file = try file(of: batch.segment)
            try file.dataSync()
            synced = batch.segment
        }
    }

    private mutating func file(of segment: String) throws -> any ArchiveFile {
        if let newest, newest.path == segment { return newest.file }
        let path = "\(folder.path)/\(segment)"
        let file = try files.open(path, writing: false)
        if let slash = path.lastIndex(of: "/") { try files.syncFolder(String(path[..<slash])) }
        newest = (segment, file)
        return file
    }
}
