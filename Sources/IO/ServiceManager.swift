import Glibc

/// Tells the service manager how this service is, by datagrams to a unix socket that the manager names in the
/// environment (sd_notify(3), a stable protocol); nothing where none is named.
public struct ServiceManager: Sendable {
    private let socketName: String?
    /// How often the manager wants a sign of life, at least; nil when it does not.
    public let watchdogInterval: Duration?

    /// The manager that the environment names, which then names it no more.
    ///
    /// Children would otherwise speak for us: PostgreSQL says READY and STOPPING wherever it finds the name. Call it before
    /// the first other thread starts.
    public static func takingOverEnvironment() -> ServiceManager {
        let words = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"].map { name in
            let value = ThisProcess.environment(name)
            if value != nil { _ = unsafe unsetenv(name) }
            return value
        }
        return ServiceManager(
            socketName: words[0], watchdogMicroseconds: words[1], watchdogProcess: words[2], processID: ThisProcess.id)
    }

    /// A manager by the words of its environment variables.
    ///
    /// - Parameters:
    ///   - socketName: A path, or an abstract name that begins with "@"; nil or empty for no manager.
    ///   - watchdogMicroseconds: "60000000"; anything but a positive number asks for no sign of life.
    ///   - watchdogProcess: Whose signs are wanted; nil for whoever is asked.
    public init(
        socketName: String?, watchdogMicroseconds: String? = nil, watchdogProcess: String? = nil, processID: Int32 = 0
    ) {
        self.socketName = socketName.flatMap { $0.hasPrefix("/") || ($0.hasPrefix("@") && $0.count > 1) ? $0 : nil }
        let isMeant = watchdogProcess.map { Int32($0) == processID } ?? true
        let microseconds = watchdogMicroseconds.flatMap { Int64($0) } ?? 0
        watchdogInterval =
            self.socketName != nil && isMeant && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// Nobody.
    public static let none = ServiceManager(socketName: nil)

    /// Whether somebody listens.
    public var listens: Bool { socketName != nil }

    /// Says one or more things in one datagram, such as "READY=1"; never waits.
    ///
    /// What a value holds of line breaks becomes a blank, or it would be an assignment of its own.
    ///
    /// - Returns: False when a manager that is away or busy did not hear it: say it again, unless it is not missed.
    @discardableResult
    public func tell(_ assignments: [(name: StaticString, value: String)]) -> Bool {
        guard let socketName else { return true }
        let lines = assignments.map { name, value in
            "\(name)=" + value.map { $0.isNewline ? " " : String($0) }.joined()
        }
        do throws(IOError) {
            try LocalSocket.send(Array(lines.joined(separator: "\n").utf8), to: socketName)
            return true
        } catch { return false }
    }
}
