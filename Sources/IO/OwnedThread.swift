import Glibc

/// A named thread of our own, for work that may block.
///
/// Never the cooperative pool: it has as many threads as cores.
public final class OwnedThread: Sendable {
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void
        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private let thread: Guarded<pthread_t?>

    /// Starts a thread.
    ///
    /// - Parameter name: At most 15 bytes are shown by `ps -L`.
    public init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        var made = pthread_t()
        let result = unsafe pthread_create(
            &made, nil,
            { context in
                guard let context = unsafe context else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                Linux.nameThread(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        precondition(result == 0, "pthread_create failed with \(result): the machine is out of threads")
        thread = Guarded(made)
    }

    /// A thread that nobody waited for runs on, and leaves nothing behind at its end.
    deinit {
        if let unjoined = thread.withLock({ $0 }) { pthread_detach(unjoined) }
    }

    /// Waits for the thread's end.
    ///
    /// Later calls return at once.
    public func join() {
        let waiting = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let waiting { pthread_join(waiting, nil) }
    }

    /// Waits for the thread's end, but not for ever; false when it still runs, and is left behind.
    ///
    /// Whoever leaves one behind ends the process with ``ThisProcess/exitNow(_:)``.
    public func join(within limit: Duration) -> Bool {
        let waiting = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        guard let waiting else { return true }
        let deadline = Clock.monotonicNanoseconds(after: limit)
        // Not pthread_clockjoin_np: the thread sanitizer does not see it.
        while !Linux.joinIfEnded(waiting) {
            guard Clock.monotonicNanoseconds() < deadline else {
                pthread_detach(waiting)
                return false
            }
            _ = poll(nil, 0, Self.lookMilliseconds)
        }
        return true
    }

    /// Time between two looks whether a thread has ended.
    private static let lookMilliseconds: Int32 = 2
}
