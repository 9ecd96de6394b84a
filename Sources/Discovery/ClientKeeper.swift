import IO
import Telemetry

/// Keeps one Avahi client alive: connects, notices its loss, frees it and makes a new one, for ever.
///
/// Belongs to one thread.
final class ClientKeeper {
    /// How long to wait before the attempt after `failures` failed ones, in nanoseconds: 1 s, doubled up to a minute.
    static func delayNanoseconds(failures: Int) -> Int64 {
        1_000_000_000 * min(60, 1 << Int64(min(max(failures, 1) - 1, 6)))
    }

    private let loop: AvahiLoop
    private let log: Log
    private var attemptAt: Int64 = 0
    /// Attempts since the daemon was last there.
    private(set) var failures = 0
    private var complained = false
    /// Why the daemon does not answer; nil while it does.
    private(set) var reason: String?
    /// The client; nil while there is no D-Bus.
    private(set) var mdns: MDNSClient?
    /// Whether the daemon answers.
    private(set) var isRunning = false

    init(loop: AvahiLoop, log: Log) {
        self.loop = loop
        self.log = log
    }

    /// Waits for news, at most `timeoutNanoseconds`, and returns them.
    func turn(timeoutNanoseconds: Int64) -> [MDNSNews] {
        var timeout = max(0, timeoutNanoseconds)
        if mdns == nil {
            let now = Clock.monotonicNanoseconds()
            if now >= attemptAt {
                connect(now)
                timeout = 0  // Whatever came of it is news for the owner.
            } else {
                timeout = min(timeout, attemptAt - now)
            }
        }
        // The loop is turned also without a client: it is what `wake` ends.
        if mdns?.hasNews != true { loop.turn(timeoutMilliseconds: Int32(clamping: (timeout + 999_999) / 1_000_000)) }
        let news = mdns?.takeNews() ?? []
        for item in news { note(item) }
        return news
    }

    private func connect(_ now: Int64) {
        do {
            mdns = try MDNSClient(loop: loop)
        } catch {
            failed(error.description, now)
        }
    }

    private func note(_ news: MDNSNews) {
        switch news {
        case .running:
            isRunning = true
            if complained { log(.notice, "Avahi daemon answers again", [.attempt: "\(failures)"]) }
            complained = false
            reason = nil
            failures = 0
        case .waitingForDaemon:
            failures += 1
            complain("D-Bus is there, but nobody offers org.freedesktop.Avahi on it")
        case .hostNameUnsettled:
            isRunning = false
        case .clientLost(let reason):
            isRunning = false
            mdns = nil
            failed(reason, Clock.monotonicNanoseconds())
        default:
            break
        }
    }

    private func failed(_ reason: String, _ now: Int64) {
        failures += 1
        attemptAt = now + Self.delayNanoseconds(failures: failures)
        complain(reason)
    }

    /// Says once that there is no daemon, however often it is tried.
    private func complain(_ reason: String) {
        self.reason = reason
        guard !complained else { return }
        complained = true
        log(.warning, "no Avahi daemon: devices given with --device are still recorded", [.reason: reason])
    }

    /// Frees the client: published services say goodbye.
    func close() {
        mdns = nil
        isRunning = false
    }
}
