import Archive
import CastModel
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
    ///   - signals: Made before any other thread. SIGHUP is ignored for now; any other signal ends the run.
    ///   - duration: Ends the run as well; nil for never.
    ///   - everySecond: Called on this thread. Nil costs nothing: a snapshot asks every link.
    @discardableResult
    public func run(
        until signals: borrowing SignalWatch, for duration: Duration? = nil,
        everySecond: ((RecorderSnapshot) -> Void)? = nil
    ) throws -> Int32 {
        let stages = try RecorderStages(configuration, log: log)
        try stages.start()
        let end = duration.map { Clock.monotonicNanoseconds(after: $0) }
        let signal = watch(signals, until: end) {
            stages.reporter.look()
            if let everySecond { everySecond(stages.snapshot()) }
        }
        leftThreads = stages.end(because: Self.name(of: signal), within: Self.endLimit, catchUpLimit: catchUpLimit)
        return signal
    }

    /// How long the end of a run may take, in all: the promise is 3 s.
    public static let endLimit = Duration.milliseconds(2_800)

    /// Whether the last run left a thread behind that hangs in a call which nobody answers.
    ///
    /// The process should then end with `ThisProcess.exitNow`.
    public private(set) var leftThreads = false

    /// Waits for a signal, and calls `tick` once a second meanwhile.
    ///
    /// 0 stands for the deadline.
    private func watch(_ signals: borrowing SignalWatch, until end: Int64?, _ tick: () -> Void) -> Int32 {
        while true {
            if let signal = signals.next(timeout: .seconds(1)) {
                guard signal == 1 else { return signal }  // SIGHUP
                continue
            }
            tick()
            if let end, Clock.monotonicNanoseconds() >= end { return 0 }
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
