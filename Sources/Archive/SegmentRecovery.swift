import CastModel
import Glibc
import IO
public import Recording

/// What a writer found when it opened its archive.
public struct ArchiveRecovery: Sendable, Equatable {
    /// Bytes that a crash left behind the last whole batch.
    public struct Cut: Sendable, Equatable {
        /// The segment that they were cut from.
        public var segment: String
        /// The file that now holds them.
        public var torn: String
        /// How many, compressed.
        public var bytes: Int64
    }

    /// The last record that is safe, and when it was observed; nil when the archive is empty.
    ///
    /// The recorder was not running from then until now.
    public var lastDurable: (position: ArchivePosition, at: WallTime)? {
        guard let position, let at else { return nil }
        return (position, at)
    }
    private var position: ArchivePosition?
    private var at: WallTime?
    /// What was set aside, newest segment first; empty after an orderly end.
    public private(set) var cuts: [Cut] = []
    /// The segment whose last zstd frame was open and has been ended; nil after an orderly end.
    public private(set) var ended: String?
    /// The chain value that the next batch follows.
    var chain = ChainValue.start

    init() {}

    mutating func found(_ record: Record, _ chain: ChainValue) {
        position = record.position
        at = record.at
        // No recorder ran when the archive was pruned by hand.
        if case .segmentsPruned(let pruned) = record.body, let until = pruned.observedUntil { at = until }
        self.chain = chain
    }

    mutating func cut(_ cut: Cut) { cuts.append(cut) }

    mutating func ended(_ segment: String) { ended = segment }
}

/// Brings the newest segment to a good end: whole batches, and zstd frames that are all ended.
///
/// Nothing is deleted: what is cut is copied to `<segment>.torn` and synced before the segment is shortened. Damage with
/// good batches behind it is no torn tail: it stays as it is, for `archive verify` to name.
struct SegmentRecovery {
    private let folder: ArchiveFolder
    private let files: any ArchiveFiles
    private var result = ArchiveRecovery()

    /// Recovers the archive in a folder; the caller holds the writer's lock.
    static func run(_ folder: ArchiveFolder, _ files: any ArchiveFiles) throws(ArchiveError) -> ArchiveRecovery {
        var recovery = SegmentRecovery(folder: folder, files: files)
        for name in try folder.segments(files).reversed() {
            if try recovery.recover(name) { break }
        }
        return recovery.result
    }

    private init(folder: ArchiveFolder, files: any ArchiveFiles) {
        self.folder = folder
        self.files = files
    }

    /// Recovers one segment; false when it holds nothing whole, so that the one before is the last.
    private mutating func recover(_ name: SegmentName) throws(ArchiveError) -> Bool {
        let scanner = try SegmentScanner(name, in: folder, files: files, previous: nil)
        guard let batch = try scanner.lastBatch() else {
            try attempt { () throws(IOError) in try setAsideWhole(name) }
            return false
        }
        do throws(RecordingError) {
            let line = batch.lines.last.map { Array(batch.content[$0]) } ?? []
            result.found(try RecordLine.read(line, parser: JSONParser()), batch.chain)
        } catch {
            // Its checksum is right, so a newer version wrote it. Better to stop than to write after it blindly.
            throw .damaged(
                ArchiveDamage(
                    segment: folder.path(of: name), firstPosition: batch.first, bytes: batch.bytes,
                    problem: .record(error)))
        }
        try attempt { () throws(IOError) in try setAside(name, from: scanner.good) }
        return true
    }

    /// Gives a segment without one whole batch a name that says so.
    private mutating func setAsideWhole(_ name: SegmentName) throws(IOError) {
        let path = folder.path(of: name)
        let size = try files.open(path, writing: false).size()
        let torn = try freeTornName(name)
        try files.rename(path, to: torn)
        result.cut(.init(segment: path, torn: torn, bytes: size))
    }

    /// Copies what follows the good end to a `.torn` file, cuts it, and ends the zstd frame that is open there.
    private mutating func setAside(_ name: SegmentName, from end: SegmentScanner.GoodEnd) throws(IOError) {
        let path = folder.path(of: name)
        let file = try files.open(path, writing: true)
        let size = try file.size()
        if size > end.offset {
            let torn = try freeTornName(name)
            let unfinished = "\(path)\(Self.unfinishedSuffix)"
            let copy = try unfinishedCopy(unfinished)
            var offset = end.offset
            while offset < size {
                let bytes = try file.read(at: offset, limit: 1 << 20)
                guard !bytes.isEmpty else { break }
                try copy.write(bytes, at: offset - end.offset)
                offset += Int64(bytes.count)
            }
            try copy.dataSync()
            try files.rename(unfinished, to: torn)
            try file.truncate(to: end.offset)
            result.cut(.init(segment: path, torn: torn, bytes: size - end.offset))
        }
        if end.isInsideFrame {
            let frame = try file.read(at: end.frameStart, limit: Int(clamping: end.offset - end.frameStart))
            try file.write(try frameEnd(frame, path), at: end.offset)
            result.ended(path)
        }
        try settle(file, name)
    }

    /// No write that may still be unsynced is longer: 4 MiB of frames, or one batch.
    private static let settledBytes: Int64 = 8 << 20

    /// Writes the end of the newest segment once more and syncs it, with all names that lead to it.
    ///
    /// What was read may be in the kernel's memory alone: a killed process had not synced it yet, or its sync failed, after
    /// which the kernel takes pages for clean that never reached the disk.
    private func settle(_ file: any ArchiveFile, _ name: SegmentName) throws(IOError) {
        let size = try file.size()
        var offset = max(0, size - Self.settledBytes)
        while offset < size {
            let bytes = try file.read(at: offset, limit: 1 << 20)
            guard !bytes.isEmpty else { break }
            try file.write(bytes, at: offset)
            offset += Int64(bytes.count)
        }
        try file.dataSync()
        try files.makeFolders("\(folder.path)/\(name.folder)")
        try files.syncFolder("\(folder.path)/\(name.folder)")
    }

    /// A copy that is not whole until it gets its final name.
    ///
    /// On a full disk each start fails here: all of them use the same file, so that they do not fill it further.
    private func unfinishedCopy(_ path: String) throws(IOError) -> any ArchiveFile {
        do { return try files.create(path) } catch {
            guard error.number == EEXIST else { throw error }
            let copy = try files.open(path, writing: true)
            try copy.truncate(to: 0)
            return copy
        }
    }

    static let unfinishedSuffix = ".torn.unfinished"

    /// The bytes that end an open frame: an empty last block, and the checksum of all that the frame holds.
    private func frameEnd(_ frame: [UInt8], _ path: String) throws(IOError) -> [UInt8] {
        var content: [UInt8] = []
        var decompressor = ZstdDecompressor()
        do throws(ZstdError) { try decompressor.decompress(frame[...], to: &content) } catch {
            // It was whole a moment ago: the disk gives other bytes on each read.
            throw IOError(call: "read", number: EIO, subject: path)
        }
        let checksum = UInt32(truncatingIfNeeded: XXHash64.hash(content[...]))
        return ZstdFrame.lastBlock + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: checksum >> $0) }
    }

    /// `<segment>.torn`, or `<segment>.torn.2` and so on when earlier ones exist.
    private func freeTornName(_ name: SegmentName) throws(IOError) -> String {
        let taken = Set(try files.names(in: "\(folder.path)/\(name.folder)"))
        let first = "\(name.file).torn"
        var candidate = first
        var number = 2
        while taken.contains(candidate) {
            candidate = "\(first).\(number)"
            number += 1
        }
        return "\(folder.path)/\(name.folder)/\(candidate)"
    }
}

/// Does file work; what fails there is an error of the archive.
func attempt<Result>(_ work: () throws(IOError) -> Result) throws(ArchiveError) -> Result {
    do throws(IOError) { return try work() } catch { throw ArchiveError(error) }
}
