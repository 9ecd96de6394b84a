import IO
import Telemetry

/// Tells the service manager what a run does: that it began, how it is, that it lives, that it ends.
///
/// Belongs to the thread that runs the recorder.
struct ServiceNotifier {
    private static let statusNanoseconds: Int64 = 10_000_000_000

    private let manager: ServiceManager
    private let log: Log
    private var lastStatus: (text: String, at: Int64) = ("", .min)
    private var lastSign: Int64 = .min
    private var isHangTold = false
    /// Whether the manager has yet to hear that we are ready: it would wait, and kill us in the end.
    private var owesReady = false

    init(_ manager: ServiceManager, log: Log) {
        self.manager = manager
        self.log = log
    }

    /// Devices can be recorded from now on; the database may come later.
    ///
    /// Said again at each ``tick(status:lifeSigns:now:)`` until the manager has heard it.
    mutating func ready() { owesReady = !manager.tell([("READY", "1")]) }

    /// The settings are read again; ``ready()`` ends that.
    func reloading() {
        manager.tell([("RELOADING", "1"), ("MONOTONIC_USEC", "\(Clock.serviceManagerMicroseconds())")])
    }

    /// The end has begun.
    func stopping() { manager.tell([("STOPPING", "1")]) }

    /// To be called once a second.
    mutating func tick(status: @autoclosure () -> String, lifeSigns: [LifeSign], now: Int64) {
        guard manager.listens else { return }
        if owesReady { ready() }
        if now - max(lastStatus.at, 0) >= Self.statusNanoseconds || lastStatus.at == .min {
            let text = status()
            if text != lastStatus.text { manager.tell([("STATUS", text)]) }
            lastStatus = (text, now)
        }
        guard let interval = manager.watchdogInterval, now - max(lastSign, 0) >= interval.wholeNanoseconds / 2 else {
            return
        }
        let hung = LifeSign.hung(lifeSigns, now: now)
        if hung.isEmpty {
            manager.tell([("WATCHDOG", "1")])
            lastSign = now
            isHangTold = false
        } else if !isHangTold {
            isHangTold = true
            log(
                .error, "a thread hangs; the service manager will restart the recorder",
                [.reason: hung.joined(separator: ", ")])
        }
    }
}

/// When a thread last showed that it lives, and how long it may take until the next sign.
struct LifeSign: Equatable, Sendable {
    var thread: String
    /// Nanoseconds on the monotonic clock.
    var at: Int64
    /// How long a healthy one is silent at most, and then some.
    var limit: Duration

    /// The links' loop answers once a second.
    static let loopLimit = Duration.seconds(30)
    /// The archive's thread looks around every five seconds; while it waits for the disk it counts as alive.
    static let archiveLimit = Duration.seconds(30)
    /// The projection's thread looks around while it waits for PostgreSQL.
    ///
    /// It may fold for long; and what it does not do
    /// is done later, which a restart is not worth.
    static let projectionLimit = Duration.seconds(300)

    /// The threads that have been silent for too long.
    static func hung(_ signs: [LifeSign], now: Int64) -> [String] {
        signs.filter { now - $0.at > $0.limit.wholeNanoseconds }.map(\.thread)
    }
}
