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
        /// The most records that ever waited in memory to be applied; more of them wait in the archive.
        var mostWaiting = 0
        /// Why the database is not up to date; nil while it is.
        var trouble: String?
    }

    private let configuration: Configuration
    private let folder: ArchiveFolder
    private let log: Log
    private let durable: Guarded<ArchivePosition>
    private let wakeup: Mailbox<Bool>
    private let shared = Guarded(Progress())
    /// Where the recorder stands, by the settings as they are now.
    private let site: Guarded<String?>
    private let limits: ProjectorLimits
    /// When to leave the rest for the next start, in nanoseconds of the monotonic clock; nil while nobody stops us.
    private let stopDeadline = Guarded<Int64?>(nil)
    private let thread = Guarded<OwnedThread?>(nil)
    /// Closed when the thread has ended.
    private let finished: Mailbox<Bool>
    private let address = Guarded<String?>(nil)
    private let turnBegan = Guarded(Clock.monotonicNanoseconds())

    init(
        configuration: Configuration, folder: ArchiveFolder, durable: ArchivePosition,
        limits: ProjectorLimits = ProjectorLimits(), log: Log
    ) throws(IOError) {
        self.configuration = configuration
        self.folder = folder
        self.limits = limits
        site = Guarded(configuration.site)
        self.log = log
        self.durable = Guarded(durable)
        wakeup = try Mailbox(limit: 1)
        finished = try Mailbox(limit: 1)
    }

    /// Starts the thread.
    func start() {
        thread.withLock {
            $0 = OwnedThread("project") {
                self.run()
                self.finished.close()
            }
        }
    }

    /// From the archive's thread: records up to this position may be read.
    func becameDurable(_ position: ArchivePosition) {
        durable.withLock { $0 = position }
        _ = wakeup.post([true])  // A full mailbox wakes as well.
    }

    /// The recorder stands elsewhere from now on, or its place has another name.
    func siteIs(_ name: String?) {
        site.withLock { $0 = name }
        _ = wakeup.post([true])
    }

    /// How long the end may take to bring the database up to date.
    static let stopLimit = Duration.milliseconds(1200)

    /// Applies what is durable, as far as it gets in a while, stops the private cluster and ends the thread.
    ///
    /// Does not wait for a database that is away or that hangs. What is left is applied after the next start, from the
    /// checkpoint on.
    ///
    /// - Returns: False when the thread hangs even so, and was left behind.
    @discardableResult
    func stop(within limit: Duration = stopLimit) -> Bool {
        let deadline = Clock.monotonicNanoseconds(after: limit)
        stopDeadline.withLock { $0 = deadline }
        wakeup.close()
        return thread.withLock { thread in
            guard thread != nil else { return true }
            // Everything on that thread looks at the deadline, but for the question of a name server inside libpq.
            let last = Clock.monotonicNanoseconds(after: limit + limits.clusterStop + limits.grace)
            while finished.take(timeout: .nanoseconds(max(0, last - Clock.monotonicNanoseconds()))) != nil {
                guard Clock.monotonicNanoseconds() < last else {
                    log(.error, "the database does not let go of its thread; it is left behind")
                    thread = nil
                    return false
                }
            }
            thread?.join()
            thread = nil
            return true
        }
    }

    /// Where the database is, as far as it was found; it may hold a password.
    var databaseAddress: String? { address.withLock { $0 } }

    var progress: Progress { shared.withLock { $0 } }

    /// When the thread last gave a sign of life, in nanoseconds of the monotonic clock.
    var lifeSign: Int64 { turnBegan.withLock { $0 } }

    private func showLife() { turnBegan.withLock { $0 = Clock.monotonicNanoseconds() } }

    // MARK: On the thread

    private var isPastDeadline: Bool {
        stopDeadline.withLock { $0 }.map { $0 <= Clock.monotonicNanoseconds() } ?? false
    }

    private func run() {
        var failures = 0
        var batchRecords = limits.batchRecords
        var database: LedgerDatabase?
        defer { database?.close(within: limits.clusterStop) }
        while true {
            do {
                try connectAndFollow(&database, &batchRecords) { failures = 0 }
                return
            } catch {
                failures += 1
                // A private server that still runs is kept: others may be using it.
                if database?.hasOwnServer != true {
                    database = nil
                    address.withLock { $0 = nil }
                }
                // A batch that takes too long, or that the server dies of, may be two that do not.
                batchRecords = max(limits.smallestBatchRecords, batchRecords / 4)
                if isPastDeadline {
                    leaveTheRest(progress.applied)
                    return
                }
                tell("\(error)")
                let interval = limits.retryIntervals[min(failures, limits.retryIntervals.count) - 1]
                if waitOut(interval) { return }
            }
        }
    }

    /// Says why the database is not up to date: to whoever looks, and once to the log.
    private func tell(_ trouble: String) {
        let isNew = shared.withLock { progress in
            defer { progress.trouble = trouble }
            return progress.trouble != trouble
        }
        if isNew { log(.error, "the database is not up to date; recording goes on", [.error: trouble]) }
    }

    /// Asked while PostgreSQL says nothing.
    private func keepsWaiting(for doing: String, _ waited: Duration) -> Bool {
        showLife()
        guard !isPastDeadline else { return false }
        let isStarting = doing == PostgresPatience.startingCluster
        if waited >= (isStarting ? limits.start : limits.silence) {
            tell("PostgreSQL has been silent for a while (\(doing)): it is slow, stopped, or waits for a lock.")
        }
        return true
    }

    private func leaveTheRest(_ applied: ArchivePosition?) {
        let position = applied.map { "\($0)" } ?? "unknown"
        log(.notice, "the database will catch up after the next start", [.archivePosition: position])
    }

    /// Lets time pass; true when it is time to stop.
    private func waitOut(_ interval: Duration) -> Bool {
        let deadline = Clock.monotonicNanoseconds(after: interval)
        while true {
            showLife()
            let left = deadline - Clock.monotonicNanoseconds()
            guard left > 0 else { return false }
            if wakeup.take(timeout: .nanoseconds(left)) == nil { return true }
        }
    }

    /// Follows the archive until we are to stop; throws when the database is lost.
    private func connectAndFollow(
        _ kept: inout LedgerDatabase?, _ batchRecords: inout Int, whenInOrder: () -> Void
    ) throws {
        let patience = PostgresPatience(
            connectLimit: limits.connect, statementLimit: limits.statement, overdueLimit: limits.overdue
        ) { [self] doing, waited in keepsWaiting(for: doing, waited) }
        let database =
            try kept
            ?? LedgerDatabase(
                address: configuration.databaseURL, data: configuration.data.path, patience: patience, log: log)
        kept = database
        address.withLock { $0 = database.address }
        let connection = try database.connect()
        let projection = try Projection(
            connection: connection, recorderID: folder.recorder, site: site.withLock { $0 })
        let turn = ProjectionTurn(connection: connection, recorderID: folder.recorder)
        while true {
            guard try awaitTurn(turn) else { return }
            guard try follow(projection, turn, &batchRecords, whenInOrder: whenInOrder) else { return }
            try turn.giveBack()
            // Whoever has it now changes the rows.
            projection.forgetRows()
        }
    }

    private static let waitingForTurn =
        "Another program, most likely 'castledger rebuild', brings this recorder's records into the database: waiting."

    /// Waits until no other program applies this archive; false when we are to stop.
    private func awaitTurn(_ turn: ProjectionTurn) throws -> Bool {
        let start = Clock.monotonicNanoseconds()
        while try !turn.takeIfFree() {
            // The usual rebuild takes a second, which is nobody's trouble.
            if Clock.monotonicNanoseconds() - start >= limits.silence.wholeNanoseconds { tell(Self.waitingForTurn) }
            if waitOut(limits.turn) { return false }
        }
        return true
    }

    /// Follows the archive; true when another program wants the turn, false when we are to stop.
    private func follow(
        _ projection: Projection, _ turn: ProjectionTurn, _ batchRecords: inout Int, whenInOrder: () -> Void
    ) throws -> Bool {
        var run = try ProjectionRun(
            projection: projection, folder: folder, durable: durable.withLock { $0 }, log: log)
        var isReported = false
        var site = site.withLock { $0 }
        var lastApplied: Int64 = 0
        var lastLook = Clock.monotonicNanoseconds()
        while true {
            showLife()
            let wanted = self.site.withLock { $0 }
            if wanted != site { try projection.nameSite(wanted) }
            site = wanted
            let target = durable.withLock { $0 }
            if run.folded < target, isPastDeadline {
                leaveTheRest(run.applied)
                return false
            }
            let foundRecords = try run.foldNext(upTo: target, limitRecords: batchRecords)
            let waiting = run.waitingRecords
            shared.withLock { $0.mostWaiting = max($0.mostWaiting, waiting) }
            var stored = 0
            let now = Clock.monotonicNanoseconds()
            if run.hasEventsWaiting || run.waitingRecords >= batchRecords
                || now - lastApplied >= limits.quiet.wholeNanoseconds
            {
                let hasWaited = run.waitingRecords > 0
                stored = try run.applyWaiting()
                if hasWaited { batchRecords = min(limits.batchRecords, batchRecords * 2) }
                lastApplied = now
            }
            report(run, stored: stored, isFirst: !isReported)
            if !isReported { whenInOrder() }
            isReported = true
            if now - lastLook >= limits.turn.wholeNanoseconds {
                lastLook = now
                if try turn.isWanted() { return true }
            }
            if !foundRecords, wakeup.take(timeout: .seconds(1)) == nil, run.folded >= durable.withLock({ $0 }) {
                stored = try run.applyWaiting()
                try projection.makeDurable()
                report(run, stored: stored)
                return false
            }
        }
    }

    private func report(_ run: borrowing ProjectionRun, stored: Int, isFirst: Bool = false) {
        let applied = run.applied
        let wasTold = shared.withLock { progress in
            defer { progress.trouble = nil }
            progress.applied = applied
            progress.events += stored
            return progress.trouble != nil
        }
        if isFirst || wasTold { log(.info, "the database follows the archive", [.archivePosition: "\(applied)"]) }
    }
}
