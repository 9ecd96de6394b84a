import Archive
import CastModel
import Conflicts
import Differ
import Identity
import Plays
public import Recording
import Store
import Telemetry

/// One pass along the archive, from the database's checkpoint on: archive -> differ -> database.
///
/// The same for the live tail and for a rebuild. Belongs to the thread of its database connection.
struct ProjectionRun: ~Copyable {
    private let projection: Projection
    private let reader: ArchiveReader
    private let log: Log
    private var differ: StatusDiffer
    private var plays: PlayLedger
    private var conflicts: ConflictLedger
    private var reportedDamage = 0
    private var waiting: ProjectionBatch?
    private var sync: SegmentSync?

    /// The last record applied.
    private(set) var applied: ArchivePosition
    /// The last record folded; those after ``applied`` wait for ``applyWaiting()``.
    private(set) var folded: ArchivePosition
    /// How many records wait.
    private(set) var waitingRecords = 0
    /// The damaged places that were left out so far, and how many there are: of many, only the first ones are kept.
    var damage: (places: [ArchiveDamage], count: Int) { (reader.skipped, reader.skippedCount) }
    /// Whether change events are among what waits.
    var hasEventsWaiting: Bool { waiting?.events.isEmpty == false }

    /// A pass that begins where the database stands.
    ///
    /// - Parameters:
    ///   - durable: The last record of the archive now.
    ///   - syncsSegments: Whether records are made durable before they are applied: for a caller who cannot know.
    init(
        projection: Projection, folder: ArchiveFolder, durable: ArchivePosition, syncsSegments: Bool = false, log: Log
    ) throws {
        let checkpoint = try projection.checkpoint()
        guard checkpoint <= durable else {
            throw ProjectionError.databaseAhead(database: checkpoint, archive: durable)
        }
        let reader = try Self.reader(of: folder, after: checkpoint, projection)
        let beginning = ReplayBeginning(folder)
        var (differ, plays, conflicts) = try Self.restored(projection, beginning, log)
        // It went back if the rows were dropped.
        let start = try projection.checkpoint()
        try beginning.leaveOutTitles(in: &differ, after: start)
        self.projection = projection
        self.log = log
        (self.differ, self.plays, self.conflicts) = (differ, plays, conflicts)
        applied = start
        folded = start
        sync = syncsSegments ? SegmentSync(folder) : nil
        self.reader = start == checkpoint ? reader : ArchiveReader(folder, from: start.next, onDamage: .skip)
    }

    /// A reader of what follows the checkpoint, where the archive is the one that the database has applied.
    ///
    /// An archive that lost its end grows on with the same positions: only the record *at* the checkpoint tells. One that
    /// was pruned or damaged away tells nothing.
    private static func reader(
        of folder: ArchiveFolder, after checkpoint: ArchivePosition, _ projection: Projection
    ) throws -> ArchiveReader {
        guard checkpoint > ArchivePosition(0) else { return ArchiveReader(folder, onDamage: .skip) }
        let reader = ArchiveReader(folder, from: checkpoint, onDamage: .skip)
        let records = try reader.readAvailable(upTo: checkpoint, limitRecords: 1).flatMap(\.records)
        if let last = records.first, last.position == checkpoint {
            guard try projection.mayHaveApplied(recordOf: last.at) else {
                throw ProjectionError.otherArchive(
                    position: checkpoint, database: try projection.checkpointTime(), archive: last.at)
            }
            if records.count == 1 { return reader }
        }
        return ArchiveReader(folder, from: checkpoint.next, onDamage: .skip)
    }

    /// What the database knew at the checkpoint.
    ///
    /// When that is of another version, all rows that the archive can make again are dropped first.
    private static func restored(
        _ projection: Projection, _ beginning: ReplayBeginning, _ log: Log
    ) throws -> (StatusDiffer, PlayLedger, ConflictLedger) {
        do {
            return try stored(projection)
        } catch let error where error is DifferError || error is PlaysError || error is ConflictsError {
            // A newer program may know more of each device. The archive has it all: begin again.
            log(.notice, "the database is rebuilt from the archive", [.reason: "\(error)"])
            try beginning.reset(projection)
            return try stored(projection)
        }
    }

    private static func stored(_ projection: Projection) throws -> (StatusDiffer, PlayLedger, ConflictLedger) {
        let differ = try StatusDiffer(
            restoring: try projection.restoredStates(), heard: try projection.restoredHeard(),
            titleSalt: try projection.restoredTitleSalt(), after: try projection.restoredLast(),
            judge: CertificateJudge())
        return (
            differ, try PlayLedger(restoring: try projection.restoredPlayStates()),
            try ConflictLedger(restoring: try projection.restoredConflictStates())
        )
    }

    /// Applies the next records; says how many change events were stored, or nil when there was nothing to apply.
    mutating func applyNext(upTo target: ArchivePosition, limitRecords: Int) throws -> Int? {
        guard try foldNext(upTo: target, limitRecords: limitRecords) else { return nil }
        return try applyWaiting()
    }

    /// Folds the next records, which then wait; false when there was nothing to fold.
    ///
    /// After an error the run is over: another begins at the checkpoint.
    mutating func foldNext(upTo target: ArchivePosition, limitRecords: Int) throws -> Bool {
        guard folded < target else { return false }
        let batches = try reader.readAvailable(upTo: target, limitRecords: limitRecords)
        reportDamage()
        guard let last = batches.last?.records.last else { return false }
        try sync?.sync(batches)
        var batch = waiting ?? ProjectionBatch(startingAt: applied, through: last.position, throughTime: last.at)
        waiting = nil  // So that appending copies nothing.
        batch.through = last.position
        batch.throughTime = last.at
        for archived in batches {
            for record in archived.records {
                let events = differ.fold(record)
                for event in events {
                    batch.plays.append(contentsOf: plays.fold(event))
                    batch.conflicts.append(contentsOf: conflicts.fold(event))
                }
                batch.events.append(contentsOf: events)
            }
            waitingRecords += archived.records.count
            Self.note(archived, in: &batch.segments)
        }
        waiting = batch
        folded = last.position
        return true
    }

    /// Applies what waits; says how many change events were stored.
    mutating func applyWaiting() throws -> Int {
        guard var batch = waiting else { return 0 }
        batch.deviceStates = differ.takeDeviceStates()
        batch.heard = differ.takeHeard()
        batch.playStates = plays.takeStates()
        batch.conflictStates = conflicts.takeStates()
        batch.notUnderstood = differ.takeNotUnderstood()
        batch.titleSalt = differ.titleSalt
        let outcome = try projection.apply(batch)
        waiting = nil
        waitingRecords = 0
        applied = batch.through
        if outcome.refused > 0 {
            log(
                .error, "PostgreSQL refused rows; the archive has what they said",
                [.count: "\(outcome.refused)", .reason: outcome.refusals.joined(separator: "; ")])
        }
        return outcome.events
    }

    private mutating func reportDamage() {
        guard reader.skippedCount > reportedDamage else { return }
        reportedDamage = reader.skippedCount
        let damage = reader.skipped.last.map { "\($0)" } ?? ""
        log(.error, "the archive is damaged; the rest of it is used", [.error: damage, .count: "\(reportedDamage)"])
    }

    private static func note(_ archived: ArchiveBatch, in segments: inout [AppliedSegment]) {
        guard let first = archived.records.first, let last = archived.records.last else { return }
        if let index = segments.indices.last, segments[index].path == archived.segment {
            segments[index].lastPosition = last.position
            segments[index].lastAt = last.at
        } else {
            segments.append(
                AppliedSegment(
                    path: archived.segment, firstPosition: archived.segmentPosition, lastPosition: last.position,
                    firstAt: first.at, lastAt: last.at))
        }
    }
}

/// Why an archive and a database do not fit together.
public enum ProjectionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The database knows more than the archive has.
    case databaseAhead(database: ArchivePosition, archive: ArchivePosition)
    /// The archive has another record where the database ends: of `archive`, not of `database`.
    case otherArchive(position: ArchivePosition, database: WallTime?, archive: WallTime)

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .databaseAhead(let database, let archive):
            """
            The database has applied the archive up to position \(database), but the archive ends at \(archive): it is \
            an older copy, or part of it is missing. Put the archive back, or run 'castledger rebuild' to make the \
            database from what there is.
            """
        case .otherArchive(let position, let database, let archive):
            """
            The record at position \(position) of the archive is of \(archive.text), but the one that the database has \
            applied there is of \(database?.text ?? "another time"): the archive lost its end and has grown since, or it \
            is another one. Run 'castledger rebuild' to make the database from what there is.
            """
        }
    }
}
