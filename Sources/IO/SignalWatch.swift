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

/// Facts about this process and its limits.
public enum ThisProcess {
    /// Raises the limit of open files as far as the system allows, and returns it.
    public static func raiseOpenFilesLimit() -> Int { Int(clamping: Linux.raiseOpenFilesLimit()) }
    /// How many files this process may open once it has raised its own limit.
    public static var hardOpenFilesLimit: UInt64 { Linux.hardOpenFilesLimit() }
    /// Resident memory in bytes.
    public static var residentBytes: Int { Int(clamping: Linux.residentBytes()) }
    /// Whether we run as root.
    public static var isRoot: Bool { geteuid() == 0 }
    /// Our process id.
    public static var id: Int32 { getpid() }
}
