import Archive
import IO
import Recording
import Store
import Telemetry

/// The thread `prune`: once a minute it lets go of what the operator does not want to keep.
///
/// It never holds up recording: the archive's thread gets one record from it and does nothing else for it. It prunes
/// only what the database has applied, and holds the database's checkpoint meanwhile: nobody can drop the rows of records
/// that are about to go. While the database is away nothing goes, and the disk may fill up.
final class PruningService: Sendable {
    /// How often it looks.
    static let interval = Duration.seconds(60)
    /// How long the record that announces a pruning may take to become durable.
    private static let durabilityLimit = Duration.seconds(30)
    /// How long the database may take for one statement.
    private static let statementLimit = Duration.seconds(60)

    /// Asks the database for what it surely keeps, and holds it there while the work is done; waits for the database as
    /// long as `keepsWaiting` says.
    typealias Holding =
        @Sendable (_ keepsWaiting: @escaping @Sendable () -> Bool, _ work: (ArchivePosition) throws -> Void) throws ->
        Void

    private let rule: PruningRule
    private let folder: ArchiveFolder
    private let archive: ArchiveThread
    private let durable: Guarded<ArchivePosition>
    private let applied: @Sendable () -> ArchivePosition?
    private let holding: Holding
    private let clock: Guarded<ClockTrust>
    private let log: Log
    private let interval: Duration
    private let stopping: Mailbox<Bool>
    private let isStopping = Guarded(false)
    private let thread = Guarded<OwnedThread?>(nil)

    /// - Parameters:
    ///   - durable: The last durable record.
    ///   - clock: What is thought of the wall clock, which outlives this service.
    ///   - applied: The last record that the projection has applied, cheaply; nil while the database is away.
    ///   - holding: The same from the database itself, for when something is to go.
    init(
        rule: PruningRule, folder: ArchiveFolder, archive: ArchiveThread, durable: Guarded<ArchivePosition>,
        clock: Guarded<ClockTrust>, log: Log, interval: Duration = interval,
        applied: @escaping @Sendable () -> ArchivePosition?,
        holding: @escaping Holding
    ) throws(IOError) {
        self.rule = rule
        self.folder = folder
        self.archive = archive
        self.durable = durable
        self.clock = clock
        self.log = log
        self.interval = interval
        self.applied = applied
        self.holding = holding
        stopping = try Mailbox(limit: 1)
    }

    /// Starts the thread; without a rule there is none.
    func start() {
        guard !rule.keepsEverything else { return }
        thread.withLock { $0 = OwnedThread("prune") { self.run() } }
    }

    /// Ends the thread; a pruning that goes on is ended first, or at the next start.
    ///
    /// - Returns: False when it does not end in time, and the thread was left behind.
    @discardableResult
    func stop(within limit: Duration = .seconds(3600)) -> Bool {
        isStopping.withLock { $0 = true }
        stopping.close()
        return thread.withLock { thread in
            defer { thread = nil }
            return thread?.join(within: limit) ?? true
        }
    }

    /// What one look leaves for the next.
    private struct Memory {
        var pruning: ArchivePruning
        /// Why nothing could be pruned when the rule asked for it, as it was logged.
        var said: String?
    }

    private func run() {
        var memory = Memory(pruning: ArchivePruning(folder))
        while stopping.take(timeout: interval) != nil {
            do { try look(&memory) } catch {
                guard !isStopping.withLock({ $0 }) else { return }
                say("the archive could not be pruned", "\(error)", &memory)
            }
        }
    }

    private func look(_ memory: inout Memory) throws {
        let now = ClockReading.now
        guard let applied = applied() else {
            return say("nothing is pruned while the database is away", "the archive may outgrow its limits", &memory)
        }
        let rule = believedRule(now)
        let plan = try memory.pruning.plan(rule, now: now.wall, applied: applied)
        guard plan.segments > 0 else {
            guard plan.held > 0 else { return memory.said = nil }
            return say("segments are kept until the database has them", plan.rule, &memory)
        }
        let isStopping = isStopping
        try holding({ !isStopping.withLock { $0 } }) { applied in try prune(rule, now, applied, &memory) }
    }

    private func prune(
        _ rule: PruningRule, _ now: ClockReading, _ applied: ArchivePosition, _ memory: inout Memory
    ) throws {
        let plan = try memory.pruning.plan(rule, now: now.wall, applied: applied)
        guard let pruned = try memory.pruning.announcement(of: plan) else { return }
        // What is announced is carried out, now or at the next start: at the end nothing new begins.
        guard !isStopping.withLock({ $0 }) else { return }
        let before = durable.withLock { $0 }
        guard archive.append([now.observation(.segmentsPruned(pruned))]) else {
            return say("nothing is pruned while the archive takes no more", plan.rule, &memory)
        }
        guard let told = try record(of: pruned, after: before) else {
            return say("nothing is pruned while the archive cannot be written", plan.rule, &memory)
        }
        let outcome = try memory.pruning.carryOut(told)
        memory.said = nil
        log(
            .notice, "segments were pruned",
            [
                .count: "\(outcome.segments)", .archivePosition: "\(pruned.last)", .reason: pruned.rule,
                .bytes: "\(pruned.bytes)",
            ])
    }

    /// The rule, without its age while the wall clock cannot be trusted.
    private func believedRule(_ now: ClockReading) -> PruningRule {
        let (hasJumped, isBelieved) = clock.withLock { ($0.look(now), $0.believes(now)) }
        if hasJumped, rule.age != nil { log(.warning, "the wall clock jumped: nothing is pruned by age for a day") }
        guard !isBelieved else { return rule }
        return PruningRule(age: nil, bytes: rule.bytes, freePercent: rule.freePercent)
    }

    /// The record that became durable, read back from the archive; nil when it does not come in time.
    private func record(of pruned: SegmentsPruned, after before: ArchivePosition) throws -> Record? {
        let deadline = Clock.monotonicNanoseconds(after: Self.durabilityLimit)
        let reader = ArchiveReader(folder, from: before.next)
        while Clock.monotonicNanoseconds() < deadline {
            let end = durable.withLock { $0 }
            for batch in try reader.readAvailable(upTo: end) {
                if let told = batch.records.first(where: { $0.body == .segmentsPruned(pruned) }) { return told }
            }
            guard stopping.take(timeout: .milliseconds(100)) != nil else { return nil }
        }
        return nil
    }

    /// Logs why nothing is pruned, once until that changes.
    private func say(_ message: StaticString, _ reason: String, _ memory: inout Memory) {
        guard memory.said != "\(message)" else { return }
        memory.said = "\(message)"
        log(.warning, message, [.reason: reason])
    }
}

extension PruningService {
    /// The pruning of a recorder that runs.
    convenience init(
        _ configuration: Configuration, folder: ArchiveFolder, archive: ArchiveThread,
        durable: Guarded<ArchivePosition>, clock: Guarded<ClockTrust>, projector: ProjectorService, log: Log
    ) throws(IOError) {
        try self.init(
            rule: configuration.pruning, folder: folder, archive: archive, durable: durable, clock: clock, log: log,
            applied: {
                let progress = projector.progress
                return progress.trouble == nil ? progress.applied : nil
            },
            holding: { keepsWaiting, work in
                // Never a cluster of our own: what we start would end with this thread.
                guard let address = projector.databaseAddress else {
                    throw StoreError.cannotConnect(reason: "it is away")
                }
                let patience = PostgresPatience(statementLimit: Self.statementLimit) { _, _ in keepsWaiting() }
                let connection = try PostgresConnection(address, patience: patience)
                try Projection(connection: connection, recorderID: folder.recorder).holdingCheckpoint(work)
            })
    }
}
