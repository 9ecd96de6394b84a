/// How much of some time was observed; figures of several days or devices add up.
public struct CoverageFigures: Sendable, Equatable {
    /// How long it is known whether the device was observed, in seconds.
    public private(set) var knownSeconds: Double
    /// Of them, those in which it was.
    public private(set) var observedSeconds: Double
    /// Of those, the ones in which no app was left unjoined.
    public private(set) var mediaObservedSeconds: Double
    /// Seconds missed, by reason.
    private var missedSeconds: [String: Double]

    /// Of no time at all.
    public static let none = CoverageFigures(
        knownSeconds: 0, observedSeconds: 0, mediaObservedSeconds: 0, missedSeconds: [:])

    /// Figures, part by part.
    public init(
        knownSeconds: Double, observedSeconds: Double, mediaObservedSeconds: Double, missedSeconds: [String: Double]
    ) {
        self.knownSeconds = knownSeconds
        self.observedSeconds = observedSeconds
        self.mediaObservedSeconds = mediaObservedSeconds
        self.missedSeconds = missedSeconds
    }

    /// Counts other time to this.
    public mutating func add(_ other: CoverageFigures) {
        knownSeconds += other.knownSeconds
        observedSeconds += other.observedSeconds
        mediaObservedSeconds += other.mediaObservedSeconds
        missedSeconds.merge(other.missedSeconds, uniquingKeysWith: +)
    }

    /// What was missed, the longest first.
    public var gaps: [(reason: String, seconds: Double)] {
        missedSeconds.map { (reason: $0.key, seconds: $0.value) }
            .sorted { ($1.seconds, $0.reason) < ($0.seconds, $1.reason) }
    }

    /// Share of the known time that was observed, 0 through 1; nil when nothing is known.
    public var observedShare: Double? { knownSeconds > 0 ? observedSeconds / knownSeconds : nil }

    /// Share of the known time in which no app was left unjoined, 0 through 1; nil when nothing is known.
    public var mediaObservedShare: Double? { knownSeconds > 0 ? mediaObservedSeconds / knownSeconds : nil }
}
