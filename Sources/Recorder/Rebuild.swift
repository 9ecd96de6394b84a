import Archive
import IO
public import Recording
import Store
public import Telemetry

/// Makes the database's rows of one archive anew, from the archive alone.
///
/// A recorder may run meanwhile. It goes on recording; its projection makes room after the batch that it is at, and goes on
/// where the rebuild has ended, however that was: the rows so far and the checkpoint belong together at any time.
public enum Rebuild {
    /// Records folded into one transaction, at most; one archive batch may exceed it by its length.
    private static let batchLimitRecords = 20_000
    /// How often in a row the database may be lost, as when it stops together with the recorder that had started it.
    private static let lossLimit = 5
    private static let retryInterval = Duration.seconds(1)

    /// Drops the rows of this data folder's archive and replays the archive into the database.
    ///
    /// - Parameters:
    ///   - dropsPruned: Whether rows may go that cannot be made again, since their records were pruned.
    ///   - progress: Called after each transaction with the last record applied.
    /// - Returns: How many change events were stored.
    public static func run(
        data: DataFolder, recorderID: String, databaseURL: String?, dropsPruned: Bool = false, log: Log,
        progress: (ArchivePosition) -> Void
    ) throws -> Int {
        let folder = try ArchiveFolder(data: data.path, recorder: recorderID)
        var events = 0
        var isReset = false
        var losses = 0
        while true {
            do {
                let database = try LedgerDatabase(address: databaseURL, data: data.path, log: log)
                defer { database.close() }
                try replay(
                    folder, into: database, dropsPruned: dropsPruned, log: log, isReset: &isReset
                ) { position, stored in
                    losses = 0
                    events += stored
                    progress(position)
                }
                return events
            } catch let error as StoreError where error.isPassing && isReset && losses < lossLimit {
                losses += 1
                log(.warning, "the database was lost; the rebuild goes on", [.error: "\(error)"])
                _ = try Mailbox<Bool>(limit: 1).take(timeout: retryInterval)
            }
        }
    }

    private static func replay(
        _ folder: ArchiveFolder, into database: LedgerDatabase, dropsPruned: Bool, log: Log, isReset: inout Bool,
        progress: (ArchivePosition, Int) -> Void
    ) throws {
        let connection = try database.connect()
        let projection = try Projection(connection: connection, recorderID: folder.recorder)
        try ProjectionTurn(connection: connection, recorderID: folder.recorder).takeForRebuild()
        if !isReset {
            try ReplayBeginning(folder).reset(projection, dropsPruned: dropsPruned)
        }
        isReset = true
        // Whatever can be read: what nobody vouches for yet is synced before it is applied.
        let end = ArchivePosition(.max)
        var run = try ProjectionRun(
            projection: projection, folder: folder, durable: end, syncsSegments: true, log: log)
        while let stored = try run.applyNext(upTo: end, limitRecords: batchLimitRecords) {
            progress(run.applied, stored)
        }
        try projection.makeDurable()
    }
}
