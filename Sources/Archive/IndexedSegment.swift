import IO
import Recording

/// One segment with its index: from the sidecar when that is of these very bytes, else made by reading the segment.
final class IndexedSegment {
    let name: SegmentName
    /// What the index lists: all zstd frames of the sidecar, or those that are good before the first damage.
    private(set) var index: SegmentIndex
    /// Why the index ends before the segment does; nil for a sidecar's.
    private(set) var damage: ArchiveError?
    private(set) var isFromSidecar: Bool
    /// The last record that the index knows.
    var lastGood: ArchivePosition { index.frames.last?.last ?? ArchivePosition(name.firstPosition.number - 1) }
    private let folder: ArchiveFolder
    private let files: any ArchiveFiles
    private let scanner: SegmentScanner

    /// Opens a segment.
    ///
    /// - Parameter keepsIndex: Whether an index that had to be made is written beside the segment; that it cannot be
    ///   written, as in a folder that is read-only, is no failure.
    /// - Parameter known: An index that was made a moment ago, and the damage that ended it.
    init(
        _ name: SegmentName, in folder: ArchiveFolder, files: any ArchiveFiles, keepsIndex: Bool,
        known: (index: SegmentIndex, damage: ArchiveError?)? = nil
    ) throws(ArchiveError) {
        self.name = name
        self.folder = folder
        self.files = files
        scanner = try SegmentScanner(name, in: folder, files: files, previous: nil)
        if let known {
            (index, damage, isFromSidecar) = (known.index, known.damage, false)
            return
        }
        if let known = Self.sidecar(of: name, in: folder, files) {
            (index, damage, isFromSidecar) = (known, nil, true)
            return
        }
        (index, damage, isFromSidecar) = (SegmentIndex(), nil, false)
        try make()
        if keepsIndex, damage == nil, !scanner.good.isInsideFrame, try scanner.bytesLeft() == 0 {
            Self.write(index, of: name, in: folder, files)
        }
    }

    private static func sidecar(
        of name: SegmentName, in folder: ArchiveFolder, _ files: any ArchiveFiles
    ) -> SegmentIndex? {
        do throws(IOError) {
            let sidecar = try files.open(SegmentIndex.path(of: name, in: folder), writing: false)
            let size = try sidecar.size()
            guard size <= Int64(SegmentIndex.limitBytes) else { return nil }
            let content = try sidecar.read(at: 0, limit: Int(size))
            let segment = try files.open(folder.path(of: name), writing: false)
            return SegmentIndex(content, of: name, try SegmentIndex.Seal(name, segment))
        } catch { return nil }
    }

    /// Writes the sidecar of a segment that is whole.
    ///
    /// Derived, so nothing is synced and no failure counts: what is missing or torn is made again.
    static func write(
        _ index: SegmentIndex, of name: SegmentName, in folder: ArchiveFolder, _ files: any ArchiveFiles
    ) {
        guard let segment = try? files.open(folder.path(of: name), writing: false),
            let seal = try? SegmentIndex.Seal(name, segment)
        else { return }
        try? files.replace(SegmentIndex.path(of: name, in: folder), with: index.encoded(seal), synced: false)
    }

    /// Makes the index by reading the segment, and believes no sidecar any more.
    func make() throws(ArchiveError) {
        isFromSidecar = false
        damage = nil
        scanner.seek(to: 0, following: nil, after: nil)
        var builder = SegmentIndexBuilder()
        var chain: ChainValue?
        let reader = RecordLineReader()
        do throws(ArchiveError) {
            while let batch = try scanner.next() {
                if scanner.good.frameStart > builder.offset { builder.endFrame(at: scanner.good.frameStart) }
                let previous = chain ?? scanner.firstChain(of: batch) ?? .start
                for line in batch.lines {
                    do throws(RecordingError) {
                        builder.note(try reader.read(batch.content[line]), following: previous)
                    } catch {
                        throw .damaged(
                            ArchiveDamage(
                                segment: scanner.path, firstPosition: batch.first, bytes: batch.bytes,
                                problem: .record(error)))
                    }
                }
                chain = batch.chain
            }
        } catch {
            guard case .damaged = error else { throw error }
            damage = error
        }
        builder.endFrame(at: scanner.good.offset)
        index = builder.index
    }

    /// Hands over the verified batches of one zstd frame, until `visit` returns false; false as well when it did.
    ///
    /// Throws ``ArchiveError/damaged(_:)`` when the frame is not what the index says, or not what was written.
    func read(_ frame: SegmentIndex.Frame, visit: (ScannedBatch) throws -> Bool) throws -> Bool {
        let before = frame.first == name.firstPosition ? nil : ArchivePosition(frame.first.number - 1)
        scanner.seek(to: frame.bytes.lowerBound, following: frame.previous, after: before)
        while scanner.last ?? ArchivePosition(0) < frame.last {
            guard let batch = try scanner.next() else { throw scanner.damage(.tornTail) }
            guard try visit(batch) else { return false }
        }
        return true
    }
}
