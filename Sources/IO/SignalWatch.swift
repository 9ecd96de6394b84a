import Glibc

/// Signals as values that one thread reads.
///
/// Make it in `main`, before the first other thread starts.
public struct SignalWatch: ~Copyable {
    private let fd: Int32

    /// Blocks these signals in the whole process and collects them; SIGPIPE is ignored.
    public init(_ signals: [Int32]) throws(IOError) {
        signal(SIGPIPE, SIG_IGN)
        let mask = signals.reduce(UInt64(0)) { $0 | 1 << UInt64($1 - 1) }
        fd = try IOError.check("signalfd", Linux.signalDescriptor(mask))
    }

    deinit { close(fd) }

    /// The next signal; nil when none came within `timeout`.
    public func next(timeout: Duration) -> Int32? {
        var descriptor = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&descriptor, 1, timeout.pollMilliseconds)
        let signal = Linux.readSignal(fd)
        return signal > 0 ? signal : nil
    }
}
