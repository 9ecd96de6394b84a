import Archive
import CastModel
import Differ
import IO
import Recording
import Store
import Telemetry

/// The thread `project`: reads what is durable, folds it into change events, and keeps PostgreSQL equal to the archive.
///
/// It never holds up recording. While PostgreSQL is away it tries again, and goes on from the checkpoint.
final class ProjectorService: Sendable {
    /// How far the projection is, for people.
    struct Progress: Sendable, Equatable {
        /// The last record applied; nil until the database was reached for the first time.
        var applied: ArchivePosition?
        /// Change events stored since the start.
        var events = 0
        /// Why the database is not up to date; nil while it is.
        var trouble: String?
    }

    /// Each wait after a failure; the last one repeats.
    private static let retryIntervals: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(10), .seconds(30)]
    /// Records folded into one transaction, at most; one archive batch may exceed it by its length.
    private static let batchLimitRecords = 5_000
    /// Records without change events, heartbeats above all, wait so long for company.
    private static let quietNanoseconds: Int64 = 2_000_000_000

    private let configuration: Configuration
    private let folder: ArchiveFolder
    private let log: Log
    private let durable: Guarded<ArchivePosition>
    private let wakeup: Mailbox<Bool>
    private let shared = Guarded(Progress())
    /// When to leave the rest for the next start, in nanoseconds of the monotonic clock; nil while nobody stops us.
    private let stopDeadline = Guarded<Int64?>(nil)
    private let thread = Guarded<OwnedThread?>(nil)

    init(
        configuration: Configuration, folder: ArchiveFolder, durable: ArchivePosition, log: Log
    ) throws(IOError) {
        self.configuration = configuration
        self.folder = folder
        self.log = log
        self.durable = Guarded(durable)
        wakeup = try Mailbox(limit: 1)
    }

    /// Starts the thread.
    func start() {
        thread.withLock { $0 = OwnedThread("project") { self.run() } }
    }

    /// From the archive's thread: records up to this position may be read.
    func becameDurable(_ position: ArchivePosition) {
        durable.withLock { $0 = position }
        _ = wakeup.post([true])  // A full mailbox wakes as well.
    }

    /// How long the end may take to bring the database up to date.
    static let stopLimit = Duration.seconds(10)

    /// Applies what is durable, as far as it gets in a while, stops the private cluster and ends the thread.
    ///
    /// Does not wait for a database that is away. What is left is applied after the next start, from the checkpoint on.
    func stop(within limit: Duration = stopLimit) {
        let deadline = Clock.monotonicNanoseconds(after: limit)
        stopDeadline.withLock { $0 = deadline }
        wakeup.close()
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    var progress: Progress { shared.withLock { $0 } }

    // MARK: On the thread

    private func run() {
        var failures = 0
        while true {
            do {
                try connectAndFollow { failures = 0 }
                return
            } catch {
                failures += 1
                shared.withLock { $0.trouble = "\(error)" }
                if failures == 1 {
                    log(.error, "the database is not up to date; recording goes on", [.error: "\(error)"])
                }
                let interval = Self.retryIntervals[min(failures, Self.retryIntervals.count) - 1]
                if waitOut(interval) { return }
            }
        }
    }

    /// Lets time pass; true when it is time to stop.
    private func waitOut(_ interval: Duration) -> Bool {
        let deadline = Clock.monotonicNanoseconds(after: interval)
        while true {
            let left = deadline - Clock.monotonicNanoseconds()
            guard left > 0 else { return false }
            if wakeup.take(timeout: .nanoseconds(left)) == nil { return true }
        }
    }

    /// Follows the archive until we are to stop; throws when the database is lost.
    private func connectAndFollow(whenInOrder: () -> Void) throws {
        let database = try LedgerDatabase(
            address: configuration.databaseURL, data: configuration.data.path, log: log)
        defer { database.close() }
        let projection = try Projection(
            connection: database.connect(), recorderID: folder.recorder, site: configuration.site)
        var run = try ProjectionRun(
            projection: projection, folder: folder, durable: durable.withLock { $0 }, log: log)
        var reported = false
        var lastApplied: Int64 = 0
        while true {
            let target = durable.withLock { $0 }
            if run.folded < target, stopDeadline.withLock({ $0 }).map({ $0 <= Clock.monotonicNanoseconds() }) == true {
                log(
                    .notice, "the database will catch up after the next start", [.archivePosition: "\(run.applied)"])
                return
            }
            let foundRecords = try run.foldNext(upTo: target, limitRecords: Self.batchLimitRecords)
            var stored = 0
            let now = Clock.monotonicNanoseconds()
            if run.hasEventsWaiting || run.waitingRecords >= Self.batchLimitRecords
                || now - lastApplied >= Self.quietNanoseconds
            {
                stored = try run.applyWaiting()
                lastApplied = now
            }
            shared.withLock { progress in
                progress.applied = run.applied
                progress.events += stored
                progress.trouble = nil
            }
            if !reported {
                reported = true
                whenInOrder()
                log(.info, "the database follows the archive", [.archivePosition: "\(run.applied)"])
            }
            if !foundRecords, wakeup.take(timeout: .seconds(1)) == nil, run.folded >= durable.withLock({ $0 }) {
                _ = try run.applyWaiting()
                return
            }
        }
    }
}
