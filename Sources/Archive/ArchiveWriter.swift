import IO
public import Recording

/// Appends observations to a recorder's archive, and says when they are durable.
///
/// For one thread. Writing has two steps, so that nothing is lost when the disk is full: ``stage(_:now:)`` gives
/// observations their positions and compresses them, ``commit()`` writes and syncs. When `commit` throws, everything
/// not yet durable stays staged, the segment is cut back to its durable length before the next try, and the very same
/// bytes are written again (also after a failed fdatasync, since the kernel may have dropped the pages).
public final class ArchiveWriter {
    /// What was found on opening.
    public let recovery: ArchiveRecovery
    /// The last record that is durable; 0 before the first.
    public private(set) var durable: ArchivePosition

    /// What that took since it was opened.
    public private(set) var work = ArchiveWork()

    private let folder: ArchiveFolder
    private let files: any ArchiveFiles
    private let lock: any ArchiveLock
    private let encoder: SegmentEncoder
    private var open: OpenSegment?

    private struct OpenSegment {
        let name: SegmentName
        let file: any ArchiveFile
        /// Bytes that are safe; everything after them may be cut.
        var durableBytes: Int64 = 0
        var isNameSynced = false
        var mayHoldMore = false
    }

    /// Opens a recorder's archive: takes its lock, cuts a torn tail, goes on after the last whole batch.
    ///
    /// Always goes on in a new segment, which is made when the first batch is written.
    ///
    /// - Parameters:
    ///   - boot: The kernel's boot id, for every record.
    ///   - purpose: What the writer is there for, when it is no recorder: "pruning".
    public init(
        _ folder: ArchiveFolder, boot: String, limits: ArchiveLimits = .standard,
        files: any ArchiveFiles = DiskFiles(), purpose: String? = nil
    ) throws(ArchiveError) {
        self.folder = folder
        self.files = files
        lock = try WriterLock.take(folder, files, purpose: purpose)
        recovery = try SegmentRecovery.run(folder, files)
        durable = recovery.lastDurable?.position ?? ArchivePosition(0)
        encoder = SegmentEncoder(
            recorder: folder.recorder, boot: boot, limits: limits, after: durable, chain: recovery.chain)
    }

    /// Whether something waits for ``commit()``.
    public var hasStaged: Bool { !encoder.staged.isEmpty }

    /// Gives observations the next positions and makes whole batches of them, in memory.
    ///
    /// - Parameter now: Decides whether the zstd frame is old enough to end.
    public func stage(_ observations: [Observation], now: MonotonicTime) { encoder.stage(observations, now: now) }

    /// Makes everything that is staged durable, in order.
    ///
    /// Throws ``ArchiveError/volumeFull(path:)`` or ``ArchiveError/files(_:)``; what became durable before stays so.
    public func commit() throws(ArchiveError) {
        while let write = encoder.staged.first {
            do throws(IOError) { try makeDurable(write) } catch {
                open?.mayHoldMore = true
                throw ArchiveError(error)
            }
            durable = max(durable, write.last)
            if write.isLast {
                open = nil
                if let index = write.index { IndexedSegment.write(index, of: write.segment, in: folder, files) }
            }
            encoder.dropFirstStaged()
        }
    }

    /// Stages observations and makes them durable.
    public func append(_ observations: [Observation], now: MonotonicTime) throws(ArchiveError) {
        stage(observations, now: now)
        try commit()
    }

    /// Stages the end of a zstd frame that has become too old without new records.
    public func endFrameIfDue(now: MonotonicTime) { encoder.endFrameIfDue(now) }

    /// Ends the segment and makes everything durable: the archive is then whole zstd files.
    public func finish(now: MonotonicTime) throws(ArchiveError) {
        encoder.endSegment(now)
        try commit()
    }

    private func makeDurable(_ write: StagedWrite) throws(IOError) {
        var segment: OpenSegment
        if let open, open.name == write.segment {
            segment = open
        } else {
            try files.makeFolders("\(folder.path)/\(write.segment.folder)")
            segment = OpenSegment(name: write.segment, file: try files.create(folder.path(of: write.segment)))
            open = segment
        }
        if segment.mayHoldMore { try segment.file.truncate(to: segment.durableBytes) }
        try segment.file.write(write.bytes, at: segment.durableBytes)
        let began = Clock.monotonicNanoseconds()
        try segment.file.dataSync()
        work.syncs += 1
        work.syncNanoseconds += Clock.monotonicNanoseconds() - began
        if !segment.isNameSynced { try files.syncFolder("\(folder.path)/\(write.segment.folder)") }
        segment.durableBytes += Int64(write.bytes.count)
        work.writtenBytes += Int64(write.bytes.count)
        segment.isNameSynced = true
        segment.mayHoldMore = false
        open = segment
    }
}
