import Glibc

/// Facts about this process and its limits, as the kernel tells them.
public enum ThisProcess {
    /// Our process id.
    public static var id: Int32 { getpid() }

    /// Whether we run as root.
    public static var isRoot: Bool { geteuid() == 0 }

    /// Resident memory in bytes.
    public static var residentBytes: Int { Int(clamping: Linux.residentBytes()) }

    /// How many threads run; nil where /proc is missing.
    public static var threads: Int? { (try? Files.names(in: "/proc/self/task"))?.count }

    /// How many descriptors are open now, without the one that counts them; nil where /proc is missing.
    public static var openFiles: Int? { (try? Files.names(in: "/proc/self/fd")).map { max(0, $0.count - 1) } }

    /// Raises the limit of open files as far as the system allows, and returns it.
    public static func raiseOpenFilesLimit() -> Int { Int(clamping: Linux.raiseOpenFilesLimit()) }

    /// How many files this process may open once it has raised its own limit.
    public static var hardOpenFilesLimit: UInt64 { Linux.hardOpenFilesLimit() }

    /// An environment variable; nil when it is not set.
    public static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Makes a write to a closed socket an error instead of the end of the process.
    public static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Ends the process without another word: for when a thread hangs that the ordinary end would wait for or trip over.
    public static func exitNow(_ status: Int32) -> Never { _exit(status) }
}
