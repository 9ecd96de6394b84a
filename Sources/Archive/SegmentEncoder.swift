import Recording

/// Bytes that must reach one segment before their records are durable.
struct StagedWrite {
    let segment: SegmentName
    /// Compressed, and whole batches.
    var bytes: [UInt8] = []
    /// The last record within; of a frame's end alone, the last before it.
    var last: ArchivePosition
    /// Nothing more will come for this segment.
    var isLast = false
    /// What is where in the segment, once it is over.
    var index: SegmentIndex?
}

/// Turns observations into the bytes of segments: positions, lines, batches, frames, the chain.
///
/// Touches no file, so a write that failed can be tried again with the very same bytes.
final class SegmentEncoder {
    private let recorder: String
    private let boot: String
    private let limits: ArchiveLimits
    private var compressor = ZstdCompressor()

    private var next: ArchivePosition
    private var chain: ChainValue
    private(set) var staged: [StagedWrite] = []

    private var segment: SegmentName?
    private var segmentBytes = 0
    private var compressedBytes: Int64 = 0
    private var index: SegmentIndexBuilder
    private var frameBytes = 0
    private var frameBegan: MonotonicTime?
    private var batch: [UInt8] = []
    private var batchRecords = 0

    /// Goes on after the last durable record and its chain value.
    init(recorder: String, boot: String, limits: ArchiveLimits, after last: ArchivePosition, chain: ChainValue) {
        self.recorder = recorder
        self.boot = boot
        self.limits = limits
        self.chain = chain
        index = SegmentIndexBuilder(entryBytes: limits.indexEntryBytes)
        next = last.next
    }

    /// Makes whole batches of the observations and puts their bytes behind those already staged.
    ///
    /// - Parameter now: Decides only whether the zstd frame has become too old.
    func stage(_ observations: [Observation], now: MonotonicTime) {
        for observation in observations {
            let day = observation.at.dayUTC
            if let segment, segment.day < day { endSegment(now) }
            if segment == nil { beginSegment(day) }
            let record = Record(
                position: next, at: observation.at, monotonic: observation.monotonic, boot: boot,
                body: observation.body)
            RecordLine.write(record, to: &batch)
            index.note(record, following: chain)
            batchRecords += 1
            next = next.next
            if batchRecords >= limits.batchRecords || batch.count >= limits.batchBytes { endBatch(now) }
        }
        endBatch(now)
    }

    /// Ends the zstd frame when it is too old.
    func endFrameIfDue(_ now: MonotonicTime) {
        if isFrameDue(now) { endFrame() }
    }

    /// Ends the segment, so that the file is whole zstd; the next observation begins another.
    func endSegment(_ now: MonotonicTime) {
        guard segment != nil else { return }
        endBatch(now)
        endFrame()
        index.endEntry(at: compressedBytes)
        if let segment, staged.last?.segment != segment {
            staged.append(StagedWrite(segment: segment, last: ArchivePosition(next.number - 1)))
        }
        staged[staged.count - 1].isLast = true
        staged[staged.count - 1].index = index.index
        segment = nil
    }

    /// The first of the staged writes has become durable.
    func dropFirstStaged() { staged.removeFirst() }

    private func beginSegment(_ day: CalendarDay) {
        segment = SegmentName(day: day, firstPosition: next)
        segmentBytes = 0
        compressedBytes = 0
        index = SegmentIndexBuilder(entryBytes: limits.indexEntryBytes)
        batch += SegmentFormat.segmentLine(recorder: recorder, first: next, previous: chain)
    }

    private func endBatch(_ now: MonotonicTime) {
        guard batchRecords > 0 else { return }
        let last = ArchivePosition(next.number - 1)
        chain = chain.next(batch[...])
        batch += SegmentFormat.batchLine(
            .init(
                records: batchRecords, first: ArchivePosition(next.number - Int64(batchRecords)), last: last,
                checksum: CRC32C.checksum(batch[...]), chain: chain))
        frameBegan = frameBegan ?? now
        frameBytes += batch.count
        segmentBytes += batch.count
        index.endBatch(batch.count)
        write(batch, ending: .flush)
        batch.removeAll(keepingCapacity: true)
        batchRecords = 0
        if segmentBytes >= limits.segmentBytes {
            endSegment(now)
        } else if frameBytes >= limits.frameBytes || isFrameDue(now) {
            endFrame()
        }
    }

    private func isFrameDue(_ now: MonotonicTime) -> Bool {
        guard let frameBegan else { return false }
        return now.nanoseconds - frameBegan.nanoseconds >= limits.frameNanoseconds
    }

    private func endFrame() {
        guard frameBegan != nil else { return }
        frameBegan = nil
        frameBytes = 0
        write([], ending: .frame)
        index.endFrame(at: compressedBytes)
    }

    private func write(_ bytes: [UInt8], ending: ZstdCompressor.Ending) {
        guard let segment else { return }
        let last = ArchivePosition(next.number - 1)
        if staged.last?.segment != segment || staged.last?.isLast == true {
            staged.append(StagedWrite(segment: segment, last: last))
        }
        let newest = staged.count - 1
        let before = staged[newest].bytes.count
        compressor.compress(bytes, ending: ending, to: &staged[newest].bytes)
        compressedBytes += Int64(staged[newest].bytes.count - before)
        staged[newest].last = last
    }
}
