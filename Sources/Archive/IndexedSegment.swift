import IO
import Recording

/// One segment with its index: from the sidecar when that is of these very bytes, else made by reading the segment.
final class IndexedSegment {
    /// A damaged place.
    struct Hole {
        var damage: ArchiveDamage
        /// The last good record before it; the one before the segment's first when there is none.
        var after: ArchivePosition
    }

    let name: SegmentName
    /// What the index lists: all of the sidecar, or what is good in the segment.
    private(set) var index = SegmentIndex()
    /// What is damaged in a segment whose index was made; a sidecar's is not known to have any.
    private(set) var holes: [Hole] = []
    private(set) var isFromSidecar = false
    /// Whether the index that was made is now beside the segment.
    private(set) var isKept = false
    private let folder: ArchiveFolder
    private let files: any ArchiveFiles
    private let scanner: SegmentScanner
    private let isOver: Bool
    private let entryBytes: Int
    private static let holeLimit = 1000

    /// Opens a segment.
    ///
    /// - Parameters:
    ///   - isOver: Whether a later segment exists, so that nobody writes this one any more.
    ///   - keepsIndex: Whether an index that had to be made is written beside the segment; that it cannot be written, as in
    ///     a folder that is read-only, is no failure.
    ///   - entryBytes: See ``ArchiveLimits/indexEntryBytes``.
    ///   - known: An index that was made a moment ago, and the holes that were found then.
    init(
        _ name: SegmentName, in folder: ArchiveFolder, files: any ArchiveFiles, isOver: Bool, keepsIndex: Bool,
        entryBytes: Int = ArchiveLimits.standard.indexEntryBytes, known: (index: SegmentIndex, holes: [Hole])? = nil
    ) throws(ArchiveError) {
        self.name = name
        self.folder = folder
        self.files = files
        self.isOver = isOver
        self.entryBytes = entryBytes
        scanner = try SegmentScanner(name, in: folder, files: files, previous: nil)
        if let known {
            (index, holes) = known
            return
        }
        if let known = Self.sidecar(of: name, in: folder, files) {
            (index, isFromSidecar) = (known, true)
            return
        }
        try make()
        if keepsIndex, holes.isEmpty, !scanner.good.isInsideFrame, try scanner.bytesLeft() == 0 {
            isKept = Self.write(index, of: name, in: folder, files)
        }
    }

    /// The last record that the sidecar lists, whatever has become of the segment since; nil when there is no good one.
    static func lastListed(
        of name: SegmentName, in folder: ArchiveFolder, _ files: any ArchiveFiles
    ) -> ArchivePosition? {
        let content = try? content(of: name, in: folder, files)
        return content.flatMap { SegmentIndex.lastPosition($0, of: name) }
    }

    private static func content(
        of name: SegmentName, in folder: ArchiveFolder, _ files: any ArchiveFiles
    ) throws(IOError) -> [UInt8]? {
        let sidecar = try files.open(SegmentIndex.path(of: name, in: folder), writing: false)
        let size = try sidecar.size()
        return size <= Int64(SegmentIndex.limitBytes) ? try sidecar.read(at: 0, limit: Int(size)) : nil
    }

    private static func sidecar(
        of name: SegmentName, in folder: ArchiveFolder, _ files: any ArchiveFiles
    ) -> SegmentIndex? {
        do throws(IOError) {
            guard let content = try content(of: name, in: folder, files) else { return nil }
            let segment = try files.open(folder.path(of: name), writing: false)
            return SegmentIndex(content, of: name, try SegmentIndex.Seal(segment))
        } catch { return nil }
    }

    /// Writes the sidecar of a segment that is whole, and says whether that went well.
    ///
    /// Derived, so nothing is synced and no failure counts: what is missing or torn is made again.
    @discardableResult
    static func write(
        _ index: SegmentIndex, of name: SegmentName, in folder: ArchiveFolder, _ files: any ArchiveFiles
    ) -> Bool {
        guard let segment = try? files.open(folder.path(of: name), writing: false),
            let seal = try? SegmentIndex.Seal(segment)
        else { return false }
        do throws(IOError) {
            try files.replace(SegmentIndex.path(of: name, in: folder), with: index.encoded(name, seal), synced: false)
            return true
        } catch { return false }
    }

    /// Makes the index by reading the segment, and believes no sidecar any more.
    ///
    /// Damage costs the zstd frame that it is in; bytes that the disk does not give cost what follows them.
    func make() throws(ArchiveError) {
        (isFromSidecar, isKept, holes) = (false, false, [])
        scanner.seek(to: 0, following: nil, after: nil)
        var builder = SegmentIndexBuilder(entryBytes: entryBytes)
        var last = ArchivePosition(name.firstPosition.number - 1)
        var chain: ChainValue?
        var frameStart: Int64 = 0
        var isBehindHole = false
        func endEntry(behind damage: ArchiveDamage) {
            builder.endEntry(at: scanner.good.offset)
            (chain, isBehindHole) = (nil, true)
            if holes.count < Self.holeLimit { holes.append(Hole(damage: damage, after: last)) }
        }
        do throws(ArchiveError) {
            try scanner.forEachBatch(isOver: isOver, onDamage: endEntry) { batch throws(ArchiveError) in
                let records = try self.records(of: batch)
                if isBehindHole {
                    builder.goOn(at: scanner.good.frameStart)
                } else if scanner.good.frameStart > frameStart {
                    builder.endFrame(at: scanner.good.frameStart)
                }
                (frameStart, isBehindHole) = (scanner.good.frameStart, false)
                let previous = chain ?? (last < name.firstPosition ? scanner.firstChain(of: batch) : nil)
                for record in records { builder.note(record, following: previous) }
                builder.endBatch(batch.contentBytes)
                (chain, last) = (batch.chain, batch.last)
            }
        } catch {
            guard let damage = scanner.unreadable(error) else { throw error }
            endEntry(behind: damage)
        }
        builder.endEntry(at: scanner.good.offset)
        index = builder.index
    }

    private let reader = RecordLineReader()

    private func records(of batch: ScannedBatch) throws(ArchiveError) -> [Record] {
        var records: [Record] = []
        records.reserveCapacity(batch.lines.count)
        for line in batch.lines {
            do throws(RecordingError) { records.append(try reader.read(batch.content[line])) } catch {
                throw .damaged(
                    ArchiveDamage(
                        segment: scanner.path, firstPosition: batch.first, bytes: batch.bytes, problem: .record(error)))
            }
        }
        return records
    }

    /// Hands over the verified batches of one entry, until `visit` returns false; false as well when it did.
    ///
    /// Throws ``ArchiveError/damaged(_:)`` when the entry is not what the index says, or not what was written.
    func read(_ entry: SegmentIndex.Entry, visit: (ScannedBatch) throws -> Bool) throws -> Bool {
        let before = entry.first == name.firstPosition ? nil : ArchivePosition(entry.first.number - 1)
        scanner.seek(to: entry.bytes.lowerBound, following: entry.previous, after: before)
        while scanner.last ?? ArchivePosition(0) < entry.last {
            guard let batch = try scanner.next() else { throw scanner.damage(.tornTail) }
            guard try visit(batch) else { return false }
        }
        return true
    }
}
