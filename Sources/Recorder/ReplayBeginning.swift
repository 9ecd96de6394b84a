import Archive
import CastModel
import Conflicts
import Differ
import Identity
import Plays
import Recording
import Store

/// Where a replay of an archive begins, and what is known there.
///
/// An archive whose beginning was pruned cannot give back the rows of what went (docs/decisions/0015).
struct ReplayBeginning {
    private let folder: ArchiveFolder

    init(_ folder: ArchiveFolder) { self.folder = folder }

    /// The first record that the archive has, when that is not the first that there ever was.
    private func firstKept() throws(ArchiveError) -> ArchivePosition? {
        try folder.firstPosition().flatMap { $0 > ArchivePosition(1) ? $0 : nil }
    }

    /// Drops this archive's rows, for a replay to make them again.
    ///
    /// Whoever prunes holds the checkpoint meanwhile, so the beginning that counts is the one seen while we hold it.
    ///
    /// - Parameter dropsPruned: Whether rows go as well that no replay can make again.
    func reset(_ projection: Projection, dropsPruned: Bool = false) throws {
        while true {
            let first = try firstKept()
            func isStillFirst() -> Bool {
                do { return try dropsPruned || firstKept() == first } catch { return false }
            }
            if let first, !dropsPruned, try projection.checkpoint() > ArchivePosition(0) {
                if try reset(projection, keepingBefore: first, isStillFirst) { return }
            } else if try projection.reset(if: isStillFirst) {
                return
            }
        }
    }

    private func reset(
        _ projection: Projection, keepingBefore first: ArchivePosition, _ isStillFirst: () -> Bool
    ) throws -> Bool {
        let redaction = try titlesLeftOut()
        var differ = StatusDiffer(judge: CertificateJudge())
        var plays = PlayLedger()
        var conflicts = ConflictLedger()
        return try projection.reset(keepingBefore: first, if: isStillFirst) { event in
            differ.recall(event)
            return (plays.fold(event), conflicts.fold(event))
        } end: { moment in
            let through = ArchivePosition(first.number - 1)
            var batch = ProjectionBatch(
                startingAt: ArchivePosition(0), through: through,
                throughTime: moment ?? WallTime(microseconds: 0))
            // What plays when the kept records begin is told anew by the next status of each device.
            if let moment { batch.plays = plays.loseSight(at: moment) }
            conflicts.loseSight()
            if let redaction { differ.leaveOutTitles(from: redaction) }
            batch.deviceStates = differ.takeDeviceStates()
            batch.heard = differ.takeHeard()
            batch.playStates = plays.takeStates()
            batch.conflictStates = conflicts.takeStates()
            batch.titleSalt = differ.titleSalt
            return batch
        }
    }

    /// Leaves out titles, where the recorder left them out and the record that says so is gone.
    func leaveOutTitles(in differ: inout StatusDiffer, after checkpoint: ArchivePosition) throws {
        guard checkpoint == ArchivePosition(0), let redaction = try titlesLeftOut() else { return }
        differ.leaveOutTitles(from: redaction)
    }

    /// The record from which on titles are left out when the kept records begin; nil when they are kept.
    ///
    /// When nothing tells, they are left out: better too little than what was to be hidden.
    private func titlesLeftOut() throws -> Record? {
        guard let first = try firstKept() else { return nil }
        if let line = try ArchivePruning(folder).announced()?.recorderStarted {
            let started = try RecordLine.read(Array(line.utf8), parser: JSONParser())
            guard case .recorderStarted(_, _, let redaction) = started.body else { return started }
            return redaction.contains(.titles) ? started : nil
        }
        return try ArchiveReader(folder, from: first, onDamage: .skip).readAvailable(limitRecords: 1).first?
            .records.first
    }
}
