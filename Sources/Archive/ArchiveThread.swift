public import IO
public import Recording
import Synchronization
public import Telemetry

/// The archive's own thread: takes observations from any thread and makes them durable.
///
/// At most 100,000 observations or 32 MiB of what devices sent wait to be written. When the disk is full or fails, it
/// keeps what it has, tries again every second, and says so at once, then every minute, and when it is over. Once nothing
/// more fits, ``append(_:)`` takes nothing more until room is made.
public final class ArchiveThread: RecordSink, Sendable {
    /// How many observations may wait to be written.
    public static let mailboxLimit = 100_000
    /// How many bytes of frames may wait to be written: little enough that a device that sends much makes the frames of
    /// the others wait only shortly.
    public static let waitingLimitBytes = 32 << 20
    /// How long it waits after a failed write before it tries again.
    public static let retryInterval = Duration.seconds(1)

    /// What was found when the archive was opened.
    public let recovery: ArchiveRecovery
    private let waitingLimitBytes: Int
    private let mailbox: Mailbox<Observation>
    private let stopping: Mailbox<Bool>
    private let thread: OwnedThread
    private let worker: Worker

    /// The last record that was safe when the archive was opened, and when it was observed; nil when it was empty.
    public var lastDurable: (position: ArchivePosition, at: WallTime)? { recovery.lastDurable }

    /// Starts the thread `archive`, which from now on owns the writer.
    ///
    /// - Parameters:
    ///   - mailboxLimit: How many observations may wait.
    ///   - waitingLimitBytes: How many bytes of their frames may wait.
    ///   - retryInterval: How long to wait after a failed write.
    ///   - now: The clock of the observations.
    ///   - onDurable: Called on the archive's thread after each sync, with the last durable position.
    public init(
        _ writer: sending ArchiveWriter, log: Log, limits: ArchiveLimits = .standard,
        mailboxLimit: Int = mailboxLimit, waitingLimitBytes: Int = waitingLimitBytes,
        retryInterval: Duration = retryInterval,
        now: @escaping @Sendable () -> MonotonicTime = { MonotonicTime(nanoseconds: Clock.monotonicNanoseconds()) },
        onDurable: @escaping @Sendable (ArchivePosition) -> Void
    ) throws(IOError) {
        recovery = writer.recovery
        self.waitingLimitBytes = waitingLimitBytes
        mailbox = try Mailbox(limit: mailboxLimit)
        stopping = try Mailbox(limit: 1)
        worker = Worker(
            writer: writer, mailbox: mailbox, stopping: stopping, log: log, batchRecords: limits.batchRecords,
            retryInterval: retryInterval, now: now, onDurable: onDurable)
        let worker = worker
        thread = OwnedThread("archive") { worker.run() }
    }

    /// Hands observations over, in order.
    ///
    /// False when they do not fit or the archive has stopped: nothing was taken then.
    public func append(_ observations: [Observation]) -> Bool {
        guard !observations.isEmpty else { return true }
        let bytes = observations.reduce(0) { $0 + $1.frameBytes }
        let waitingBytes = worker.waitingBytes.load(ordering: .acquiring)
        // A batch beyond the limit still fits when nothing waits, so that it cannot wait for ever.
        guard waitingBytes == 0 || waitingBytes + bytes <= waitingLimitBytes else { return false }
        worker.waitingBytes.add(bytes, ordering: .acquiringAndReleasing)
        guard mailbox.post(observations) else {
            worker.waitingBytes.subtract(bytes, ordering: .acquiringAndReleasing)
            return false
        }
        return true
    }

    /// Whether the disk refuses writes at the moment.
    public var isStalled: Bool { worker.isStalled.load(ordering: .relaxed) }

    /// Bytes of frames that wait to be written.
    public var waitingFrameBytes: Int { worker.waitingBytes.load(ordering: .relaxed) }

    /// What writing took since the archive was opened.
    public var work: ArchiveWork { worker.work.withLock { $0 } }

    /// When the thread last gave a sign of life, in nanoseconds of the monotonic clock; now while it waits for the disk,
    /// which a restart would not hurry.
    public var lifeSign: Int64 {
        diskBusySince == nil ? worker.turnBegan.load(ordering: .relaxed) : Clock.monotonicNanoseconds()
    }

    /// Since when the disk has been busy with the write that is under way; nil while none is.
    public var diskBusySince: Int64? {
        let since = worker.diskBusySince.load(ordering: .relaxed)
        return since == 0 ? nil : since
    }

    /// Writes what waits, ends the segment and the thread, and frees the archive for another writer.
    ///
    /// Returns how many observations could not be written, because the disk still refuses: 0 in good order. Nil when the
    /// disk did not answer in time, and the thread was left behind.
    public func stop(within limit: Duration) -> Int? {
        _ = stopping.post([true])
        mailbox.close()
        return thread.join(within: limit) ? worker.unwritten.load(ordering: .acquiring) : nil
    }
}

/// What runs on the archive's thread.
///
/// Unchecked: the writer and the timing are touched by `run` alone, hence by one thread.
private final class Worker: @unchecked Sendable {
    /// An operator who missed the first alert hears of it again after so many attempts: every minute.
    private static let attemptsPerAlert = 60
    /// No sync waits for more than this many records.
    private static let groupLimit = 5000
    /// Nor for more than this many bytes of frames, unless one frame alone is longer.
    private static let groupLimitBytes = 4 << 20

    private var handedOver: ArchiveWriter?
    private let mailbox: Mailbox<Observation>
    private let stopping: Mailbox<Bool>
    private let log: Log
    private let now: @Sendable () -> MonotonicTime
    private let onDurable: @Sendable (ArchivePosition) -> Void
    private let retryInterval: Duration
    private var timing: BatchTiming
    private var isStopping = false
    let isStalled = Atomic(false)
    let unwritten = Atomic(0)
    /// Bytes of frames that were taken and are not durable yet.
    let waitingBytes = Atomic(0)
    /// Nanoseconds of the monotonic clock.
    let turnBegan = Atomic(Clock.monotonicNanoseconds())
    /// The same; 0 while the disk has nothing to do for us.
    let diskBusySince = Atomic<Int64>(0)
    /// As of the last batch that became durable.
    let work = Guarded(ArchiveWork())

    init(
        writer: ArchiveWriter, mailbox: Mailbox<Observation>, stopping: Mailbox<Bool>, log: Log, batchRecords: Int,
        retryInterval: Duration, now: @escaping @Sendable () -> MonotonicTime,
        onDurable: @escaping @Sendable (ArchivePosition) -> Void
    ) {
        handedOver = writer
        self.mailbox = mailbox
        self.stopping = stopping
        self.log = log
        self.now = now
        self.onDurable = onDurable
        self.retryInterval = retryInterval
        timing = BatchTiming(records: batchRecords)
    }

    func run() {
        guard let writer = handedOver else { return }
        handedOver = nil  // So that the writer's lock is free once this returns.
        var waiting: [Observation] = []
        while let taken = mailbox.take(timeout: .nanoseconds(timing.wait(now())), enough: timing.enough) {
            turnBegan.store(Clock.monotonicNanoseconds(), ordering: .relaxed)
            timing.add(taken.count, now: now())
            waiting += taken
            if timing.isDue(now()) {
                guard write(waiting, to: writer) else { return }
                waiting = []
                timing.wrote()
            } else if waiting.isEmpty {
                writer.endFrameIfDue(now: now())
                guard commit(writer, else: 0) else { return }
            }
        }
        guard write(waiting, to: writer) else { return }
        do { try writer.finish(now: now()) } catch {
            log(.error, "the archive's last segment could not be ended", [.error: "\(error)"])
        }
    }

    /// Makes observations durable; false when the disk refused until we had to stop.
    private func write(_ observations: [Observation], to writer: ArchiveWriter) -> Bool {
        var rest = observations[...]
        while !rest.isEmpty {
            let (group, bytes) = Self.group(of: rest)
            writer.stage(Array(group), now: now())
            guard commit(writer, bytes, else: rest.count) else { return false }
            rest = rest.dropFirst(group.count)
        }
        return true
    }

    /// The first observations, as many as one sync should wait for, and the bytes of their frames.
    private static func group(of observations: ArraySlice<Observation>) -> (ArraySlice<Observation>, bytes: Int) {
        var count = 0
        var bytes = 0
        for observation in observations.prefix(groupLimit) {
            let more = observation.frameBytes
            if count > 0, bytes + more > groupLimitBytes { break }
            count += 1
            bytes += more
        }
        return (observations.prefix(count), bytes)
    }

    /// Makes what is staged durable, however often it takes.
    ///
    /// Once we are told to stop, one more failure ends it: what is left of `count` observations, and those in the mailbox,
    /// are then lost.
    private func commit(_ writer: ArchiveWriter, _ bytes: Int = 0, else count: Int) -> Bool {
        guard writer.hasStaged else { return true }
        let before = writer.durable.number
        var attempts = 0
        while true {
            do throws(ArchiveError) {
                turnBegan.store(Clock.monotonicNanoseconds(), ordering: .relaxed)
                try useDisk { () throws(ArchiveError) in try writer.commit() }
                if attempts > 0 {
                    isStalled.store(false, ordering: .relaxed)
                    log(.notice, "the archive can be written again", [.attempt: "\(attempts)"])
                }
                // Whoever hears that this is durable may hand over as much again.
                waitingBytes.subtract(bytes, ordering: .acquiringAndReleasing)
                work.withLock { $0 = writer.work }
                onDurable(writer.durable)
                return true
            } catch {
                attempts += 1
                if attempts == 1 {
                    isStalled.store(true, ordering: .relaxed)
                    log(.error, "the archive cannot be written; frames are kept in memory", [.error: "\(error)"])
                } else if (attempts - 1) % Self.attemptsPerAlert == 0 {
                    log(
                        .error, "the archive still cannot be written; frames are kept in memory as far as they fit",
                        [.attempt: "\(attempts)", .error: "\(error)"])
                }
            }
            if isStopping { return giveUp(count - Int(writer.durable.number - before)) }
            if stopping.take(timeout: retryInterval) == [true] { isStopping = true }
        }
    }

    /// Says that the disk is busy while `work` lasts, and no longer: what hangs after it is no disk's fault.
    private func useDisk(_ work: () throws(ArchiveError) -> Void) throws(ArchiveError) {
        diskBusySince.store(Clock.monotonicNanoseconds(), ordering: .relaxed)
        defer { diskBusySince.store(0, ordering: .relaxed) }
        try work()
    }

    private func giveUp(_ count: Int) -> Bool {
        var lost = max(count, 0)
        while let more = mailbox.take(timeout: .zero), !more.isEmpty { lost += more.count }
        unwritten.store(lost, ordering: .releasing)
        log(.error, "stopping while the archive cannot be written", [.count: "\(lost)"])
        return false
    }
}
