import IO
public import Recording

/// What reading and checking every record of an archive showed.
public struct ArchiveVerification: Sendable, Equatable {
    /// Segments that hold at least one good batch.
    public private(set) var segments = 0
    /// Batches that are good.
    public private(set) var batches = 0
    /// Records in good batches.
    public private(set) var records = 0
    /// The first good record; nil when there is none.
    public private(set) var firstPosition: ArchivePosition?
    /// The last good record; nil when there is none.
    public private(set) var lastPosition: ArchivePosition?
    /// The chain value of the last good batch.
    ///
    /// Who keeps it elsewhere can prove later that nothing up to there was replaced.
    public private(set) var chain: ChainValue?
    /// The damaged places, in order, at most 1,000 of them; the first one names the first bad batch.
    public private(set) var damage: [ArchiveDamage] = []
    /// How many damaged places there are.
    public private(set) var damageCount = 0
    /// Positions between the first segment's and the last good record's that cannot be read, at most 1,000 stretches.
    public private(set) var missing: [ClosedRange<ArchivePosition>] = []
    /// What lies in the archive's folder besides segments; it is not read.
    public private(set) var otherFiles: ArchiveOtherFiles?
    /// Compressed bytes behind the last whole batch: a batch being written now, or a torn tail that the next start cuts.
    public private(set) var unfinishedBytes: Int64 = 0

    /// The record that tells why the archive does not begin with position 1; nil when it does, or when nothing tells.
    public private(set) var pruned: Record?
    /// Whether files are still there that were to be removed: the recorder's next start removes them.
    public private(set) var isPruningUnfinished = false

    /// Whether the newest segment is empty: it was just begun, a crash left it so, or somebody emptied it.
    public private(set) var isNewestEmpty = false

    /// Whether everything is as it was written.
    public var isIntact: Bool { damageCount == 0 }

    /// Reads every record from the oldest segment there is and checks it.
    ///
    /// Changes nothing. Checks checksums, the chain over batches and segments, positions, and that each line is a record.
    ///
    /// - Parameter progress: Called now and then with the number of good records so far.
    public static func run(
        _ folder: ArchiveFolder, files: any ArchiveFiles = DiskFiles(), progress: (Int) -> Void = { _ in }
    ) throws(ArchiveError) -> ArchiveVerification {
        var result = ArchiveVerification()
        let reader = ArchiveReader(folder, onDamage: .skip, files: files)
        var segment = ""
        let markers = try PrunedMarkers.read(folder, files)
        var announcements: [Record] = []
        var expected = try folder.segments(files).first?.firstPosition
        result.otherFiles = try ArchiveOtherFiles(folder, files)
        // An index comes after its segment: what it lists now must be there when we get there.
        let newest = try folder.segments(files).last
        let listed = newest.flatMap { IndexedSegment.lastListed(of: $0, in: folder, files) }
        while true {
            let batches = try reader.readAvailable()
            guard !batches.isEmpty else { break }
            for batch in batches {
                if batch.segment != segment { result.segments += 1 }
                segment = batch.segment
                result.batches += 1
                if let expected, let first = batch.records.first?.position { result.noteMissing(expected, first) }
                expected = batch.records.last?.position.next ?? expected
                result.records += batch.records.count
                result.firstPosition = result.firstPosition ?? batch.records.first?.position
                result.lastPosition = batch.records.last?.position
                result.chain = batch.chain
                announcements += batch.records.filter { if case .segmentsPruned = $0.body { true } else { false } }
            }
            progress(result.records)
        }
        result.damage = reader.skipped
        result.damageCount = reader.skippedCount
        result.unfinishedBytes = try reader.unfinishedBytes()
        if let newest, let listed { result.checkEnd(folder.path(of: newest), listed) }
        if listed == nil { result.isNewestEmpty = try isNewestEmpty(folder, files) }
        try result.checkBeginning(folder, files, markers, announcements)
        // What was pruned while we read is not missing.
        if result.isIntact { result.missing = [] }
        return result
    }

    /// What is missing before the first segment must have been announced in the archive itself.
    private mutating func checkBeginning(
        _ folder: ArchiveFolder, _ files: any ArchiveFiles, _ markers: [Record], _ announcements: [Record]
    ) throws(ArchiveError) {
        guard let name = try folder.segments(files).first else { return }
        func report(_ problem: ArchiveDamage.Problem) {
            damageCount += 1
            damage.insert(
                ArchiveDamage(
                    segment: folder.path(of: name), firstPosition: name.firstPosition, bytes: 0..<0, problem: problem),
                at: 0)
        }
        for marker in markers where firstPosition.map({ marker.position >= $0 }) ?? false {
            if !announcements.contains(marker) { report(.prunedMarker(marker.position)) }
        }
        let missing = ArchivePosition(name.firstPosition.number - 1)
        var covering: (record: Record, pruned: SegmentsPruned)?
        for record in announcements {
            guard case .segmentsPruned(let pruned) = record.body, pruned.last >= missing else { continue }
            if covering.map({ pruned.last <= $0.pruned.last }) ?? true { covering = (record, pruned) }
        }
        // Only a copy that was made leads a start on: without one nothing was removed yet, and nothing will be.
        if let copy = markers.last, case .segmentsPruned(let begun) = copy.body, announcements.contains(copy) {
            isPruningUnfinished = begun.last > missing
        }
        guard missing.number > 0 else { return }
        guard let (record, pruned) = covering else { return report(.missingBeginning) }
        self.pruned = record
        guard pruned.last == missing else { return }
        let follows = (try? SegmentScanner.previousChain(of: name, in: folder, files: files)) ?? nil
        if follows?.description != pruned.chain { report(.previousChain) }
    }

    /// A segment whose end is gone has no successor that would tell; its index does, which is made when it is whole.
    private mutating func checkEnd(_ path: String, _ listed: ArchivePosition) {
        guard lastPosition ?? ArchivePosition(0) < listed, !damage.contains(where: { $0.segment == path }) else {
            return
        }
        damageCount += 1
        damage.append(
            ArchiveDamage(
                segment: path, firstPosition: lastPosition?.next ?? ArchivePosition(1), bytes: 0..<0,
                problem: .cutShort(last: listed)))
    }

    private static func isNewestEmpty(
        _ folder: ArchiveFolder, _ files: any ArchiveFiles
    ) throws(ArchiveError) -> Bool {
        guard let newest = try folder.segments(files).last else { return false }
        return try attempt { () throws(IOError) in try files.open(folder.path(of: newest), writing: false).size() == 0 }
    }

    private static let missingLimit = 1000

    private mutating func noteMissing(_ expected: ArchivePosition, _ found: ArchivePosition) {
        guard expected < found, missing.count < Self.missingLimit else { return }
        missing.append(expected...ArchivePosition(found.number - 1))
    }
}
