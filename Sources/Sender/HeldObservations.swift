import CastModel
import Recording

/// Observations of a link whose device has not said its id yet: they wait for it, a moment only.
struct HeldObservations {
    /// How long the id may take.
    static let limit = Duration.seconds(1)
    /// How many observations may wait for it.
    static let limitObservations = 256
    /// How many bytes of frames may wait for it.
    static let limitBytes = 1 << 20

    private(set) var observations: [Observation] = []
    private var frameBytes = 0

    /// Whether no more may be held.
    var isFull: Bool { observations.count >= Self.limitObservations || frameBytes >= Self.limitBytes }

    /// Keeps one more.
    mutating func append(_ observation: Observation) {
        observations.append(observation)
        frameBytes += observation.frameBytes
    }

    /// Forgets that the link was opened: the device has another link, and its frames alone are news.
    mutating func removeOpening() {
        observations.removeAll {
            guard case .linkOpened = $0.body else { return false }
            return true
        }
    }

    /// All of them, as the device's that it turned out to be.
    func naming(_ device: DeviceID) -> [Observation] {
        observations.map { Observation(at: $0.at, monotonic: $0.monotonic, Self.naming(device, $0.body)) }
    }

    private static func naming(_ device: DeviceID, _ body: RecordBody) -> RecordBody {
        switch body {
        case .linkOpened(var opened):
            opened.device = device
            return .linkOpened(opened)
        case .linkClosed(var closed):
            closed.device = device
            return .linkClosed(closed)
        case .frame(var frame):
            frame.device = device
            return .frame(frame)
        case .frameMalformed(var frame):
            frame.device = device
            return .frameMalformed(frame)
        case .gap(var gap):
            gap.device = device
            return .gap(gap)
        case .framesLost(_, let count, let why): return .framesLost(device: device, count: count, why: why)
        case .recorderStarted, .recorderStopped, .deviceSeen, .deviceWithdrawn, .segmentsPruned: return body
        }
    }
}
