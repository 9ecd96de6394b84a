import CastModel
import CastWire
import IO
import Recording

/// Takes the observations of all links, in order, and hands them on once per turn of the loop.
///
/// When the sink is full, they wait here and all links stop reading: TCP pushes back, so nothing is lost. What we
/// observe of ourselves meanwhile (pings, links that end) goes on; beyond the limits frames are counted instead of
/// kept, and whoever owns the outlet begins nothing new. Belongs to the loop's thread.
final class ObservationOutlet {
    /// How many observations may wait.
    static let holdLimitObservations = 65_536
    /// How many bytes of payload may wait.
    static let holdLimitBytes = 64 << 20
    static let batchLimit = 1_024
    static let retryInterval = Duration.milliseconds(10)

    private let resources: LinkResources
    private let sink: any RecordSink
    private var waiting: [Observation] = []
    private(set) var waitingBytes = 0
    private var flushScheduled = false
    private var lost: [DeviceID: Int] = [:]
    /// Called when the sink has become full, and when it has room again.
    var onFull: ((Bool) -> Void)?

    /// Whether links must not read.
    private(set) var isFull = false
    /// How often the sink was full.
    private(set) var timesFull = 0
    /// Frames that could be neither handed on nor kept.
    private(set) var framesLost = 0
    /// Frames that were taken.
    private(set) var framesTaken = 0
    /// Of them, those that devices sent.
    private(set) var framesReceived = 0
    /// Of these, those that were no messages.
    private(set) var framesMalformed = 0

    init(_ resources: LinkResources, sink: any RecordSink) {
        self.resources = resources
        self.sink = sink
    }

    /// Takes one observation; the sink gets it at the end of this turn.
    func append(_ observation: Observation) {
        let size = observation.frameBytes
        if let (device, origin) = Self.frame(observation) {
            guard waiting.count < Self.holdLimitObservations, waitingBytes + size <= Self.holdLimitBytes else {
                lost[device, default: 0] += 1
                framesLost += 1
                return
            }
            // What was lost stands between the frames kept before it and those kept after it.
            appendLoss()
            framesTaken += 1
            if origin != .ours { framesReceived += 1 }
            if origin == .malformed { framesMalformed += 1 }
        }
        waitingBytes += size
        waiting.append(observation)
        scheduleFlush(after: .zero)
    }

    private func scheduleFlush(after delay: Duration) {
        guard !flushScheduled else { return }
        flushScheduled = true
        resources.loop.schedule(after: delay) { [weak self] in
            self?.flushScheduled = false
            self?.flush()
        }
    }

    /// How many observations wait.
    var waitingCount: Int { waiting.count }

    /// Whether more may be begun of which there will be something to tell.
    ///
    /// When there is none, ``onFull`` says when there is again.
    var hasRoom: Bool { !isFull || waiting.count < Self.holdLimitObservations }

    /// Whether the sink has taken everything.
    var isDrained: Bool { waiting.isEmpty && lost.isEmpty }

    /// Hands on what waits, as far as the sink takes it.
    func flush() {
        var taken = 0
        while taken < waiting.count {
            let batch = Array(waiting[taken..<min(taken + Self.batchLimit, waiting.count)])
            guard sink.append(batch) else { break }
            taken += batch.count
        }
        waitingBytes -= waiting[..<taken].reduce(0) { $0 + $1.frameBytes }
        waiting.removeFirst(taken)
        if waiting.isEmpty {
            // Before reading goes on.
            if !lost.isEmpty { return appendLoss() }
            if isFull { setFull(false) }
        } else {
            if !isFull { setFull(true) }
            scheduleFlush(after: Self.retryInterval)
        }
    }

    private func appendLoss() {
        guard !lost.isEmpty else { return }
        let counts = lost.sorted { $0.key < $1.key }
        lost = [:]
        for (device, count) in counts {
            append(
                resources.observation(
                    .framesLost(device: device, count: count, why: "the archive took nothing for too long")))
        }
    }

    private func setFull(_ full: Bool) {
        isFull = full
        if full { timesFull += 1 }
        onFull?(full)
    }

    private enum Origin { case ours, device, malformed }

    /// Whose frame it is; nil for what is kept in any case, since there is little of it.
    private static func frame(_ observation: Observation) -> (DeviceID, Origin)? {
        switch observation.body {
        case .frame(let frame): (frame.device, frame.direction == .inbound ? .device : .ours)
        case .frameMalformed(let frame): (frame.device, .malformed)
        case .recorderStarted, .recorderStopped, .deviceSeen, .deviceWithdrawn, .linkOpened, .linkClosed, .framesLost,
            .gap, .segmentsPruned:
            nil
        }
    }
}
