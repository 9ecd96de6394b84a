/// Time that was added up, and how much of the time could be seen at all.
public struct TimePlayed: Sendable, Equatable {
    /// How many plays.
    public var plays: Int64
    /// Seconds played, ads not counted.
    public var playedSeconds: Double
    /// Seconds paused.
    public var pausedSeconds: Double
    /// Seconds of ads.
    public var adSeconds: Double
    /// How long it is known whether the devices were observed, in seconds; nil when that is not the question.
    public var knownSeconds: Double?
    /// Of them, those in which they were.
    public var observedSeconds: Double?

    /// Nothing.
    public static let none = TimePlayed()

    /// Time, part by part.
    public init(
        plays: Int64 = 0, playedSeconds: Double = 0, pausedSeconds: Double = 0, adSeconds: Double = 0,
        knownSeconds: Double? = nil, observedSeconds: Double? = nil
    ) {
        self.plays = plays
        self.playedSeconds = playedSeconds
        self.pausedSeconds = pausedSeconds
        self.adSeconds = adSeconds
        self.knownSeconds = knownSeconds
        self.observedSeconds = observedSeconds
    }

    /// Counts other time to this.
    public mutating func add(_ other: TimePlayed) {
        plays += other.plays
        playedSeconds += other.playedSeconds
        pausedSeconds += other.pausedSeconds
        adSeconds += other.adSeconds
        if let known = other.knownSeconds { knownSeconds = (knownSeconds ?? 0) + known }
        if let observed = other.observedSeconds { observedSeconds = (observedSeconds ?? 0) + observed }
    }

    /// The share of the known time that was observed, 0 through 1; nil when nothing is known.
    public var coverage: Double? {
        guard let knownSeconds, let observedSeconds, knownSeconds > 0 else { return nil }
        return max(0, min(1, observedSeconds / knownSeconds))
    }

    /// What may be claimed: "at least 3 h 12 min played; 96% observed".
    ///
    /// Without "at least" only where all was observed. Coverage is rounded down: 100% is all of it.
    public var claim: String {
        let isAll = coverage.map { $0 >= 1 } ?? true
        let bound = isAll ? "" : "at least "
        var parts = ["\(bound)\(Figures.stretch(playedSeconds)) played"]
        if pausedSeconds >= 0.05 { parts.append("\(Figures.stretch(pausedSeconds)) paused") }
        if adSeconds >= 0.05 { parts.append("\(Figures.stretch(adSeconds)) of ads") }
        let observed = coverage.map { "; \(Self.percent($0)) observed" } ?? ""
        return parts.joined(separator: ", ") + observed
    }

    /// A share, rounded down to a whole percent above 10 and to a tenth otherwise.
    static func percent(_ share: Double) -> String {
        guard share < 1 else { return "100%" }
        // What is 12% stays so, although a Double is a hair below it.
        let tenths = (share * 1000 + 1e-6).rounded(.down)
        guard tenths < 100 || tenths >= 990 else { return "\(Int64(tenths) / 10)%" }
        return Figures.decimal(tenths / 10, digits: 1) + "%"
    }
}
