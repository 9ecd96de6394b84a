import CastModel
public import Recording

/// One segment, as `castledger archive list` shows it.
public struct ArchiveSegment: Sendable, Equatable {
    /// The segment's path.
    public var path: String
    /// The position in its name.
    public var firstPosition: ArchivePosition
    /// Its last record's position; nil when it holds no whole batch.
    public var lastPosition: ArchivePosition?
    /// When its first record was observed; nil when it holds no whole batch.
    public var from: WallTime?
    /// When its last record was observed; nil when it holds no whole batch.
    public var to: WallTime?
    /// How many records.
    public var records = 0
    /// Bytes of JSON Lines.
    public var bytes: Int64 = 0
    /// Bytes of the file.
    public var compressedBytes: Int64 = 0
    /// Whether a writer has it, or a crash left its last zstd frame open.
    public var isOpen = false
    /// The first damage in it; the figures above count what is good, also behind it.
    public var damage: ArchiveDamage?
}

/// Says which segments an archive has.
public enum ArchiveListing {
    /// The segments of an archive, by first position, each read once as a whole.
    ///
    /// - Parameter visit: Gets each segment as soon as it was read; false ends the listing.
    public static func segments(
        _ folder: ArchiveFolder, files: any ArchiveFiles = DiskFiles(), visit: (ArchiveSegment) -> Bool
    ) throws(ArchiveError) {
        let names = try folder.segments(files)
        for name in names {
            var segment = try segment(name, folder, files, isOver: name != names.last)
            // A frame ends now and then; the writer makes the index when the segment does.
            if name == names.last, folder.hasWriter == true, !hasIndex(name, folder, files) { segment.isOpen = true }
            guard visit(segment) else { return }
        }
    }

    /// The segments of an archive, by first position.
    public static func segments(
        _ folder: ArchiveFolder, files: any ArchiveFiles = DiskFiles()
    ) throws(ArchiveError) -> [ArchiveSegment] {
        var all: [ArchiveSegment] = []
        try segments(folder, files: files) { segment in
            all.append(segment)
            return true
        }
        return all
    }

    private static func segment(
        _ name: SegmentName, _ folder: ArchiveFolder, _ files: any ArchiveFiles, isOver: Bool
    ) throws(ArchiveError) -> ArchiveSegment {
        let scanner = try SegmentScanner(name, in: folder, files: files, previous: nil)
        var segment = ArchiveSegment(path: scanner.path, firstPosition: name.firstPosition)
        var lastLine: [UInt8] = []
        func note(_ damage: ArchiveDamage) { segment.damage = segment.damage ?? damage }
        do throws(ArchiveError) {
            try scanner.forEachBatch(isOver: isOver, onDamage: note) { batch throws(ArchiveError) in
                if segment.records == 0 {
                    segment.from = time(batch.lines.first.map { Array(batch.content[$0]) } ?? [])
                }
                segment.records += batch.lines.count
                segment.bytes += Int64(batch.contentBytes)
                segment.lastPosition = batch.last
                lastLine = batch.lines.last.map { Array(batch.content[$0]) } ?? []
            }
        } catch {
            guard let damage = scanner.unreadable(error) else { throw error }
            note(damage)
        }
        segment.to = time(lastLine)
        segment.compressedBytes = try scanner.good.offset + scanner.bytesLeft()
        segment.isOpen = scanner.good.isInsideFrame
        return segment
    }

    private static func hasIndex(_ name: SegmentName, _ folder: ArchiveFolder, _ files: any ArchiveFiles) -> Bool {
        (try? files.open(SegmentIndex.path(of: name, in: folder), writing: false)) != nil
    }

    private static func time(_ line: [UInt8]) -> WallTime? {
        (try? JSONParser().parse(line))?["at"]?.string.flatMap { WallTime(text: $0) }
    }
}
