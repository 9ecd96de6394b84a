import IO
import Recording

/// A file beside a segment: its index, or bytes that were cut off.
struct ArchiveSidecar {
    /// `2026/03/01`.
    let folder: String
    let path: String
    /// The first position of the segment that it belongs to, which may be gone.
    let position: ArchivePosition
    let isTorn: Bool
}

extension ArchiveFolder {
    /// The files beside segments, in the order of their days and names.
    func sidecars(_ files: any ArchiveFiles) throws(ArchiveError) -> [ArchiveSidecar] {
        var found: [ArchiveSidecar] = []
        for day in try days(files) {
            let folder = SegmentName.folder(of: day)
            let names = try attempt { () throws(IOError) in try files.names(in: "\(path)/\(folder)") }
            for name in names {
                let length = SegmentName.digits + SegmentName.suffix.utf8.count
                guard name.utf8.count > length, let segment = SegmentName(day: day, file: String(name.prefix(length)))
                else { continue }
                let ending = name.dropFirst(length)
                let isTorn = ending == ".torn" || ending.hasPrefix(".torn.")
                guard isTorn || ending == SegmentIndex.suffix || ending == SegmentIndex.suffix + ".tmp" else {
                    continue
                }
                found.append(
                    ArchiveSidecar(
                        folder: folder, path: "\(path)/\(folder)/\(name)", position: segment.firstPosition,
                        isTorn: isTorn))
            }
        }
        return found
    }
}
