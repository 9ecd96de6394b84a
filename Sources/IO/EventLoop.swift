import Glibc

/// One thread that waits for many descriptors and timers: an epoll loop.
///
/// `@unchecked Sendable`: `post` and `stop` may come from any thread and touch only `mailbox` (guarded) and the
/// eventfd. All else belongs to the thread that is inside `run()`, and every entry checks that.
public final class EventLoop: @unchecked Sendable {
    /// What to wait for.
    public struct Interest: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt8
        /// An interest by its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Bytes to read, a connection to accept, or the end of the stream.
        public static let readable = Interest(rawValue: 1)
        /// Room to write.
        public static let writable = Interest(rawValue: 2)
    }

    /// What happened to a descriptor.
    public struct Readiness: Sendable {
        /// Reading will not block.
        public var readable: Bool
        /// Writing will not block.
        public var writable: Bool
        /// The other end is gone or the descriptor has an error; reading says which.
        public var hangup: Bool
    }

    /// A descriptor under watch.
    ///
    /// Valid until `unwatch`.
    public struct Watch: Sendable, Hashable {
        let fd: Int32
        let generation: UInt32
    }

    /// A timer that may be cancelled.
    public struct TimerToken: Sendable, Hashable {
        let number: UInt64
    }

    private struct WatchEntry {
        var generation: UInt32
        var handler: (Readiness) -> Void
    }

    private struct Mailbox {
        var work: [@Sendable () -> Void] = []
        var stopping = false
    }

    private let epoll: Int32
    private let wakeup: Int32
    private let mailbox = Guarded(Mailbox())
    private var thread: pthread_t?
    private var watches: [WatchEntry?] = []
    private var generation: UInt32 = 0
    private var timers = TimerHeap()
    /// The wakeup descriptor's token; no watch has generation 0.
    private static let wakeupToken: UInt64 = 0

    /// Monotonic time when the handler that runs was called, in nanoseconds; for timers and posted work, shortly before.
    public private(set) var nowNanoseconds: Int64 = Clock.monotonicNanoseconds()

    /// A loop that nobody runs yet.
    public init() throws(IOError) {
        epoll = try Linux.epollCreate()
        wakeup = try Linux.eventDescriptor()
        try Linux.epollAdd(epoll, fd: wakeup, token: Self.wakeupToken, interest: .readable)
    }

    deinit {
        close(wakeup)
        close(epoll)
    }

    // MARK: From any thread

    /// Hands work to the loop; it runs there soon, in the order posted.
    ///
    /// Work posted before `run()` waits for it.
    public func post(_ work: @escaping @Sendable () -> Void) {
        let first = mailbox.withLock { mailbox in
            mailbox.work.append(work)
            return mailbox.work.count == 1
        }
        if first { wake() }
    }

    /// Makes `run()` return after the turn it is in.
    public func stop() {
        mailbox.withLock { $0.stopping = true }
        wake()
    }

    private func wake() {
        var one: UInt64 = 1
        _ = unsafe write(wakeup, &one, 8)
    }

    // MARK: On the loop's thread

    /// Runs the loop on the calling thread until `stop()`.
    public func run() {
        thread = pthread_self()
        while true {
            nowNanoseconds = Clock.monotonicNanoseconds()
            let events = Linux.epollWait(epoll, timeoutMilliseconds: timers.timeoutMilliseconds(now: nowNanoseconds))
            nowNanoseconds = Clock.monotonicNanoseconds()
            for event in events {
                // A turn may be long (a thousand handshakes); what arrives late in it has its own time.
                nowNanoseconds = Clock.monotonicNanoseconds()
                dispatch(event)
            }
            nowNanoseconds = Clock.monotonicNanoseconds()
            for action in timers.due(now: nowNanoseconds) { action() }
            let (work, stopping) = mailbox.withLock { mailbox in
                defer { mailbox.work = [] }
                return (mailbox.work, mailbox.stopping)
            }
            for item in work { item() }
            if stopping { break }
        }
        thread = nil
    }

    private func dispatch(_ event: Linux.PollEvent) {
        guard event.token != Self.wakeupToken else {
            var count: UInt64 = 0
            _ = unsafe read(wakeup, &count, 8)
            return
        }
        let fd = Int(event.token & 0xFFFF_FFFF)
        let generation = UInt32(event.token >> 32)
        // An event for a descriptor that was closed and used again within this turn belongs to nobody.
        guard fd < watches.count, let entry = watches[fd], entry.generation == generation else { return }
        entry.handler(Readiness(readable: event.readable, writable: event.writable, hangup: event.hangup))
    }

    /// Calls `handler` on the loop whenever the descriptor is ready; level-triggered.
    ///
    /// The descriptor stays the caller's to close, after `unwatch`.
    public func watch(
        _ fd: Int32, for interest: Interest, _ handler: @escaping (Readiness) -> Void
    ) throws(IOError) -> Watch {
        checkOnLoop()
        generation &+= 1
        if generation == 0 { generation = 1 }
        let token = UInt64(generation) << 32 | UInt64(fd)
        try Linux.epollAdd(epoll, fd: fd, token: token, interest: interest)
        while watches.count <= Int(fd) { watches.append(nil) }
        watches[Int(fd)] = WatchEntry(generation: generation, handler: handler)
        return Watch(fd: fd, generation: generation)
    }

    /// Waits for something else from now on.
    ///
    /// Nothing happens when the watch is over already.
    public func change(_ watch: Watch, to interest: Interest) {
        checkOnLoop()
        guard isLive(watch) else { return }
        let token = UInt64(watch.generation) << 32 | UInt64(watch.fd)
        try? Linux.epollChange(epoll, fd: watch.fd, token: token, interest: interest)
    }

    /// Ends a watch; its handler is not called again.
    ///
    /// Safe to repeat.
    public func unwatch(_ watch: Watch) {
        checkOnLoop()
        guard isLive(watch) else { return }
        watches[Int(watch.fd)] = nil
        Linux.epollRemove(epoll, fd: watch.fd)
    }

    private func isLive(_ watch: Watch) -> Bool {
        Int(watch.fd) < watches.count && watches[Int(watch.fd)]?.generation == watch.generation
    }

    /// Runs `action` on the loop once `delay` has passed, to the millisecond.
    @discardableResult
    public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> TimerToken {
        checkOnLoop()
        let (deadline, isNever) = nowNanoseconds.addingReportingOverflow(delay.wholeNanoseconds)
        return timers.add(deadline: isNever ? .max : deadline, action)
    }

    /// Forgets a timer.
    ///
    /// Safe to repeat, also after it fired.
    public func cancel(_ token: TimerToken) {
        checkOnLoop()
        timers.cancel(token)
    }

    /// Traps when called from another thread while the loop runs.
    public func checkOnLoop() {
        guard let thread = thread else { return }
        precondition(
            pthread_equal(thread, pthread_self()) != 0,
            "BUG: an event loop's watches and timers belong to its own thread; use post(_:) from others")
    }
}
