import Archive
public import CastModel
import Discovery
public import IO
import Recording
import Sender
import TLS
public import Telemetry

/// The recorder: wires the stages together, in the order of the flow, and takes them down in the reverse order.
///
/// Threads: the caller's (signals), `avahi` and `static-devices` (roster), `cast-loop` (links), `archive` (disk) and
/// `project` (PostgreSQL). Batches of values pass between them; nothing is shared but bounded mailboxes.
public final class RecorderService {
    private let configuration: Configuration
    private let log: Log
    /// How long the end of a run may take to bring the database up to date, whatever the whole end then takes; nil for
    /// what ``endLimit`` leaves.
    public var catchUpLimit: Duration?

    /// A recorder that does not run yet.
    public init(configuration: Configuration, log: Log) {
        self.configuration = configuration
        self.log = log
    }

    /// Records until a signal comes that ends it, and returns that signal.
    ///
    /// From that signal on it takes at most ``endLimit``: what the database does not know by then is applied after the
    /// next start.
    ///
    /// - Parameters:
    ///   - signals: Made before any other thread. SIGHUP reads the settings again; any other signal ends the run.
    ///   - duration: Ends the run as well; nil for never.
    ///   - manager: Is told of beginning, end, reload and signs of life.
    ///   - everySecond: Called on this thread. Nil costs nothing: a snapshot asks every link.
    ///   - reread: The settings as they are now, for SIGHUP; nil for those that cannot change.
    ///   - companion: What runs beside it, such as a page: started after it, ended before it.
    @discardableResult
    public func run(
        until signals: borrowing SignalWatch, for duration: Duration? = nil, manager: ServiceManager = .none,
        everySecond: ((RecorderSnapshot) -> Void)? = nil, reread: (() throws -> Configuration)? = nil,
        companion: RecorderCompanion? = nil
    ) throws -> Int32 {
        let stages = try RecorderStages(configuration, log: log)
        stages.start()
        companion?.start(stages.access)
        var notifier = ServiceNotifier(manager, log: log)
        notifier.ready()
        let end = duration.map { Clock.monotonicNanoseconds(after: $0) }
        let signal = watch(signals, until: end) {
            let tally = stages.reporter.look()
            notifier.tick(
                status: stages.statusLine(tally), lifeSigns: stages.reporter.lifeSigns,
                now: Clock.monotonicNanoseconds())
            if let everySecond { everySecond(stages.snapshot()) }
        } reload: {
            guard let reread else { return }
            notifier.reloading()
            reload(stages, reread)
            notifier.ready()
        }
        notifier.stopping()
        companion?.stop()
        leftThreads = stages.end(
            because: Self.name(of: signal), within: Self.endLimit, catchUpLimit: catchUpLimit)
        return signal
    }

    /// A mistake in the settings changes nothing.
    private func reload(_ stages: RecorderStages, _ reread: () throws -> Configuration) {
        do { try stages.apply(reread()) } catch {
            log(.error, "the settings have a mistake; those from before go on", [.error: "\(error)"])
            stages.reporter.settingsAre(nil, trouble: "\(error)")
        }
    }

    /// How long the end of a run may take, in all: the promise is 3 s.
    public static let endLimit = Duration.milliseconds(2_500)

    /// Whether the last run left a thread behind that hangs in a call which nobody answers.
    ///
    /// The process should then end with `ThisProcess.exitNow`.
    public private(set) var leftThreads = false

    /// Waits for a signal, and calls `tick` about once a second meanwhile, `reload` at SIGHUP.
    ///
    /// 0 stands for the deadline.
    private func watch(
        _ signals: borrowing SignalWatch, until end: Int64?, _ tick: () -> Void, reload: () -> Void
    ) -> Int32 {
        var nextTick = Clock.monotonicNanoseconds(after: .seconds(1))
        while true {
            let left = Duration.nanoseconds(max(0, nextTick - Clock.monotonicNanoseconds()))
            if let signal = signals.next(timeout: left) {
                guard signal == 1 else { return signal }  // SIGHUP
                reload()
            }
            let now = Clock.monotonicNanoseconds()
            if now >= nextTick {
                tick()
                nextTick = Clock.monotonicNanoseconds(after: .seconds(1))
            }
            if let end, now >= end { return 0 }
        }
    }

    private static func name(of signal: Int32) -> String {
        switch signal {
        case 0: "end of the time given"
        case 2: "SIGINT"
        case 15: "SIGTERM"
        default: "signal \(signal)"
        }
    }
}

/// What others may ask of a recorder that runs, from any thread.
public struct RecorderAccess: Sendable {
    /// Where its database is, as far as it was found; it may hold a password.
    public var databaseAddress: @Sendable () -> String?
    /// How it is, as `castledger status --json` tells it; waits up to a second for the links' thread.
    public var health: @Sendable () -> JSONValue
}

/// Something that runs beside a recorder.
public struct RecorderCompanion {
    /// Starts it; a companion that cannot start must not end the recording.
    public var start: (RecorderAccess) -> Void
    /// Ends it, within half a second.
    public var stop: () -> Void

    /// A companion.
    public init(start: @escaping (RecorderAccess) -> Void, stop: @escaping () -> Void) {
        self.start = start
        self.stop = stop
    }
}

/// Both clocks at one moment.
struct ClockReading {
    let wall: WallTime
    let monotonic: MonotonicTime

    static var now: ClockReading {
        ClockReading(
            wall: WallTime(microseconds: Clock.wallMicroseconds()),
            monotonic: MonotonicTime(nanoseconds: Clock.monotonicNanoseconds()))
    }

    func observation(_ body: RecordBody) -> Observation { Observation(at: wall, monotonic: monotonic, body) }
}
