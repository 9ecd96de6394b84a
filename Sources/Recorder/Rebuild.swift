import Archive
public import Recording
import Store
public import Telemetry

/// Makes the database's rows of one archive anew, from the archive alone.
public enum Rebuild {
    /// Records folded into one transaction, at most; one archive batch may exceed it by its length.
    private static let batchLimitRecords = 20_000

    /// Drops the rows of this data folder's archive and replays the archive into the database.
    ///
    /// Holds the archive's writer lock meanwhile: a recorder that runs would apply the same records.
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
        let lockPath = folder.path + "/writer.lock"
        guard let lock = try DiskFiles().lock(lockPath, holder: "castledger rebuild") else {
            throw ArchiveError.locked(folder: folder.path, holder: "a recorder that runs")
        }
        return try withExtendedLifetime(lock) {
            let database = try LedgerDatabase(address: databaseURL, data: data.path, log: log)
            defer { database.close() }
            let projection = try Projection(connection: database.connect(), recorderID: recorderID)
            try ReplayBeginning(folder).reset(projection, dropsPruned: dropsPruned)
            // Nobody writes, so all that can be read is durable.
            let end = ArchivePosition(.max)
            var run = try ProjectionRun(projection: projection, folder: folder, durable: end, log: log)
            var events = 0
            while let stored = try run.applyNext(upTo: end, limitRecords: batchLimitRecords) {
                events += stored
                progress(run.applied)
            }
            return events
        }
    }
}
