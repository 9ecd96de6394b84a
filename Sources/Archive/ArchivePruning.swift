import CastModel
import Glibc
import IO
public import Recording

/// Takes the oldest segments out of an archive, so that `archive verify` still holds for what stays.
///
/// First a record of kind `segments_pruned` must be durable in the archive itself, under its hash chain; then a copy of its
/// line is put into `pruned.jsonl`; only then files go, oldest first. A crash at any moment leaves either everything, or
/// a marker that ``finish()`` goes on from. For whoever holds the writer's lock, on one thread.
public struct ArchivePruning {
    /// What went.
    public struct Outcome: Sendable, Equatable {
        /// The record that told of it.
        public var told: Record
        /// Segments removed now.
        public var segments = 0
        /// Indexes and torn tails removed now.
        public var others = 0
    }

    private let folder: ArchiveFolder
    private let files: any ArchiveFiles
    private var latest: [SegmentName: WallTime] = [:]

    /// Pruning of a recorder's archive.
    public init(_ folder: ArchiveFolder, files: any ArchiveFiles = DiskFiles()) {
        self.folder = folder
        self.files = files
    }

    /// What a rule makes of the archive now; changes nothing but indexes that are missing.
    ///
    /// - Parameter applied: The last record that the database surely keeps.
    public mutating func plan(
        _ rule: PruningRule, now: WallTime, applied: ArchivePosition
    ) throws(ArchiveError) -> PruningPlan {
        guard !rule.keepsEverything else { return PruningPlan() }
        let segments = try inventory()
        let (free, total) = try attempt { () throws(IOError) in
            try rule.freePercent == nil ? (Int64(0), Int64(0)) : files.space(of: folder.path)
        }
        return try PruningPlan(segments, rule, now: now, free: free, total: total, applied: applied) {
            name throws(ArchiveError) in
            if let known = latest[name] { return known }
            let segment = try IndexedSegment(name, in: folder, files: files, isOver: true, keepsIndex: true)
            var moment = segment.index.entries.map(\.latest).max() ?? WallTime(microseconds: .min)
            // What cannot be read may be as young as its day.
            if !segment.holes.isEmpty || segment.index.entries.isEmpty {
                moment = max(moment, WallTime(microseconds: (name.day.number + 1) * 86_400_000_000))
            }
            latest[name] = moment
            return moment
        }
    }

    /// What must be in the archive before the segments of a plan may go; nil when none goes.
    ///
    /// Throws ``ArchiveError/damaged(_:)`` when what stays does not follow what goes: that is for `archive verify` first.
    ///
    /// - Parameter observedUntil: The last moment at which something was observed, when no recorder runs.
    public func announcement(
        of plan: PruningPlan, observedUntil: WallTime? = nil
    ) throws(ArchiveError) -> SegmentsPruned? {
        guard let first = plan.first, let last = plan.last else { return nil }
        let segments = try inventory()
        let going = segments.prefix { $0.last <= last }
        guard going.count == plan.segments, let newest = going.last, going.count < segments.count else { return nil }
        let kept = segments[going.count].name
        let chain = try SegmentScanner(newest.name, in: folder, files: files, previous: nil).lastBatch()?.chain
        let follows = try SegmentScanner.previousChain(of: kept, in: folder, files: files)
        guard let chain, chain == follows else {
            throw .damaged(
                ArchiveDamage(
                    segment: folder.path(of: kept), firstPosition: kept.firstPosition, bytes: 0..<0,
                    problem: .previousChain))
        }
        let torn = try folder.sidecars(files).filter { $0.isTorn && $0.position <= last }.count
        return SegmentsPruned(
            first: first, last: last, segments: going.count, tornFiles: torn, bytes: plan.bytes,
            chain: chain.description, rule: plan.rule, recorderStarted: try recorderStarted(in: going.map(\.name)),
            observedUntil: observedUntil)
    }

    /// The line of the last `recorder_started` record before what stays, which says what is left out there.
    ///
    /// A recorder begins with a new segment and tells so in its first batch. Nil where that cannot be read, or where it is
    /// gone and the archive itself does not say what it was: then titles are left out.
    private func recorderStarted(in going: [SegmentName]) throws(ArchiveError) -> String? {
        let parser = JSONParser()
        for name in going.reversed() {
            do throws(ArchiveError) {
                let scanner = try SegmentScanner(name, in: folder, files: files, previous: nil)
                guard let batch = try scanner.next() else { return nil }
                for line in batch.lines.reversed() {
                    guard let record = try? RecordLine.read(Array(batch.content[line]), parser: parser) else {
                        return nil
                    }
                    guard case .recorderStarted = record.body else { continue }
                    return String(decoding: batch.content[line].dropLast(), as: UTF8.self)
                }
            } catch {
                guard case .damaged = error else { throw error }
                return nil
            }
        }
        return try announced()?.recorderStarted
    }

    /// Removes what a durable record announces.
    ///
    /// Throws ``ArchiveError/notAnnounced(position:)``, and removes nothing, when the archive does not hold that very record.
    public func carryOut(_ told: Record) throws(ArchiveError) -> Outcome {
        guard case .segmentsPruned(let pruned) = told.body, try isInArchive(told) else {
            throw .notAnnounced(position: told.position)
        }
        try PrunedMarkers.add(told, in: folder, files)
        return try remove(through: pruned.last, told)
    }

    /// Ends a pruning that a crash interrupted; nil when none was.
    public func finish() throws(ArchiveError) -> Outcome? {
        guard let told = try PrunedMarkers.read(folder, files).last, case .segmentsPruned(let pruned) = told.body,
            try hasLeftovers(pruned.last)
        else { return nil }
        guard try isInArchive(told) else { throw .notAnnounced(position: told.position) }
        return try remove(through: pruned.last, told)
    }

    /// The announcement that covers what the archive does not have any more, read back from the archive itself; nil when
    /// nothing is missing, or when nothing tells of it.
    public func announced() throws(ArchiveError) -> SegmentsPruned? {
        guard let first = try folder.firstPosition(files: files), first > ArchivePosition(1) else { return nil }
        for told in try PrunedMarkers.read(folder, files).reversed() {
            guard case .segmentsPruned(let pruned) = told.body, pruned.last.next >= first, try isInArchive(told) else {
                continue
            }
            return pruned
        }
        return nil
    }

    private func isInArchive(_ told: Record) throws(ArchiveError) -> Bool {
        let reader = ArchiveReader(folder, from: told.position, onDamage: .skip, files: files)
        return try reader.readAvailable(limitRecords: 1).first?.records.first == told
    }

    private func hasLeftovers(_ last: ArchivePosition) throws(ArchiveError) -> Bool {
        let kept = try folder.segments(files).first { $0.firstPosition > last }
        guard let kept else { return false }
        if try folder.segments(files).contains(where: { $0.firstPosition < kept.firstPosition }) { return true }
        return try folder.sidecars(files).contains { $0.position <= last && $0.position < kept.firstPosition }
    }

    // MARK: Files

    /// The segments with what they take on disk.
    private func inventory() throws(ArchiveError) -> [PrunableSegment] {
        let names = try folder.segments(files)
        let sidecars = Dictionary(grouping: try folder.sidecars(files), by: \.position)
        var segments: [PrunableSegment] = []
        for (place, name) in names.enumerated() {
            var bytes = try attempt { () throws(IOError) in
                try files.open(folder.path(of: name), writing: false).size()
            }
            for sidecar in sidecars[name.firstPosition] ?? [] {
                // One that cannot be opened, as when another user made it, must not stop pruning for ever.
                bytes += (try? files.open(sidecar.path, writing: false).size()) ?? 0
            }
            let last = place + 1 < names.count ? names[place + 1].firstPosition.number - 1 : Int64.max
            segments.append(PrunableSegment(name: name, last: ArchivePosition(last), bytes: bytes))
        }
        return segments
    }

    private func remove(through last: ArchivePosition, _ told: Record) throws(ArchiveError) -> Outcome {
        var outcome = Outcome(told: told)
        let names = try folder.segments(files)
        guard let kept = names.first(where: { $0.firstPosition > last }) else { return outcome }
        let gone = names.prefix { $0.firstPosition < kept.firstPosition }
        let left = try folder.sidecars(files).filter { $0.position <= last && $0.position < kept.firstPosition }
        try attempt { () throws(IOError) in
            for name in gone {
                try files.remove(folder.path(of: name))
                outcome.segments += 1
            }
            for sidecar in left {
                try files.remove(sidecar.path)
                outcome.others += 1
            }
            for day in Set(gone.map(\.folder) + left.map(\.folder)).sorted() {
                try files.syncFolder("\(folder.path)/\(day)")
                // 2026/03/01, then 2026/03, then 2026: each only when nothing is left in it.
                for length in [10, 7, 4] { files.removeFolderIfEmpty("\(folder.path)/\(day.prefix(length))") }
            }
        }
        return outcome
    }
}

/// The file `pruned.jsonl`: a copy of the lines of `segments_pruned` records, the newest last.
///
/// For ``ArchiveVerification``, which reads it first, and for a start after a crash. What it says counts only as far as the
/// archive itself says the same.
enum PrunedMarkers {
    /// Older lines are dropped; their records were pruned long ago, or are in the archive.
    private static let limit = 1000
    private static let limitBytes = 1 << 20

    static func path(in folder: ArchiveFolder) -> String { folder.path + "/pruned.jsonl" }

    /// The records that were copied, as far as they can be read; none when nothing was ever pruned.
    static func read(_ folder: ArchiveFolder, _ files: any ArchiveFiles) throws(ArchiveError) -> [Record] {
        var content: [UInt8] = []
        do throws(IOError) {
            content = try files.open(path(in: folder), writing: false).read(at: 0, limit: limitBytes)
        } catch {
            guard error.number == ENOENT else { throw ArchiveError(error) }
        }
        let parser = JSONParser()
        return content.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let record = try? RecordLine.read(Array(line), parser: parser), case .segmentsPruned = record.body
            else { return nil }
            return record
        }
    }

    /// Adds a record, durably.
    static func add(
        _ told: Record, in folder: ArchiveFolder, _ files: any ArchiveFiles
    ) throws(ArchiveError) {
        var records = try read(folder, files)
        guard records.last != told else { return }
        records = records.suffix(limit - 1) + [told]
        var content: [UInt8] = []
        for record in records { RecordLine.write(record, to: &content) }
        try attempt { () throws(IOError) in try files.replace(path(in: folder), with: content, synced: true) }
    }

    /// Whether everything up to a position was pruned, as the copies say.
    static func cover(
        _ position: ArchivePosition, in folder: ArchiveFolder, _ files: any ArchiveFiles
    ) throws(ArchiveError) -> Bool {
        try read(folder, files).contains { record in
            guard case .segmentsPruned(let pruned) = record.body else { return false }
            return pruned.last >= position
        }
    }
}
