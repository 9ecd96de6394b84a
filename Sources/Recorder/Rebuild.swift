import Archive
import IO
public import Recording
public import Store
public import Telemetry

/// Makes the database's rows of one archive anew, from the archive alone.
///
/// A recorder may run meanwhile. It goes on recording; its projection makes room after the batch that it is at, and goes on
/// where the rebuild has ended, however that was: the rows so far and the checkpoint belong together at any time.
public enum Rebuild {
    /// What a rebuild came to.
    public struct Outcome: Sendable, Equatable {
        /// Change events stored.
        public var events = 0
        /// Places of the archive that cannot be read: what they held is not in the database.
        public var damagedPlaces: Int { damage.count + furtherDamage }
        /// Each place once, however often the rebuild came by.
        fileprivate var damage: Set<String> = []
        /// Places beyond those that a reader keeps.
        fileprivate var furtherDamage = 0

        /// Nothing yet.
        public init() {}
    }

    /// Records folded into one transaction, at most; one archive batch may exceed it by its length.
    private static let batchLimitRecords = 20_000
    /// How often in a row the database may be lost, as when it stops together with the recorder that had started it.
    private static let lossLimit = 5
    private static let retryInterval = Duration.seconds(1)

    /// Drops the rows of this data folder's archive and replays the archive into the database.
    ///
    /// - Parameters:
    ///   - dropsPruned: Whether rows may go that cannot be made again, since their records were pruned.
    ///   - patience: With PostgreSQL.
    ///   - progress: Called after each transaction with the last record applied.
    public static func run(
        data: DataFolder, recorderID: String, databaseURL: String?, dropsPruned: Bool = false,
        patience: PostgresPatience = PostgresPatience(), log: Log, progress: (ArchivePosition) -> Void
    ) throws -> Outcome {
        let folder = try ArchiveFolder(data: data.path, recorder: recorderID)
        var outcome = Outcome()
        var isReset = false
        var losses = 0
        while true {
            do {
                let database = try LedgerDatabase(
                    address: databaseURL, data: data.path, patience: patience, log: log)
                defer { database.close() }
                try replay(
                    folder, into: database, dropsPruned: dropsPruned, log: log, isReset: &isReset, &outcome
                ) { position in
                    losses = 0
                    progress(position)
                }
                return outcome
            } catch let error as StoreError where error.isPassing && isReset && losses < lossLimit {
                losses += 1
                log(.warning, "the database was lost; the rebuild goes on", [.error: "\(error)"])
                _ = try Mailbox<Bool>(limit: 1).take(timeout: retryInterval)
            }
        }
    }

    private static func replay(
        _ folder: ArchiveFolder, into database: LedgerDatabase, dropsPruned: Bool, log: Log, isReset: inout Bool,
        _ outcome: inout Outcome, progress: (ArchivePosition) -> Void
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
            outcome.events += stored
            progress(run.applied)
        }
        let (places, count) = run.damage
        outcome.damage.formUnion(places.map { "\($0)" })
        outcome.furtherDamage += count - places.count
        try projection.makeDurable()
    }
}
