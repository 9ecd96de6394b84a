/// Every threshold of the detector, in one place; docs/conflicts.md has the table.
public struct ConflictRules: Sendable, Equatable {
    /// When moves against each other are a fight.
    public struct Fight: Sendable, Equatable {
        /// So many moves that take back another one's, at least.
        public var undoings: Double = 2
        /// Each of them within so many seconds of the move it takes back and of the one before.
        public var pauseSeconds: Double = 20
        /// Each of them, and what it takes back, by so much at least; its unit is that of the kind.
        public var step: Double = 0
    }

    /// Device volume and the volume of a media session; steps are levels, 0 through 1.
    public var volumeFight = Fight(step: 0.02)
    /// Pausing and playing on.
    public var playPauseFight = Fight()
    /// Jumps in one media item; steps are seconds.
    public var seekFight = Fight(step: 5)
    /// Selections of tracks.
    public var trackFight = Fight()
    /// Styles of text tracks.
    public var styleFight = Fight()
    /// Media that has been paused for longer, in seconds, can be replaced without being taken over.
    public var takeoverPausedSeconds: Double = 120
    /// Between the end of one app and the start of the next, in seconds, at most.
    public var takeoverLaunchSeconds: Double = 10
    /// Between what ends the media and the first sign of who loaded the next, in seconds, at most.
    public var takeoverLoadSeconds: Double = 30
    /// The device's own jumps and pauses this close to an ad break, in seconds, are the break's.
    public var breakSeconds: Double = 3
    /// The device's own jumps this close after a sender's, in seconds, are where that jump came to rest.
    public var settleSeconds: Double = 3
    /// What is less sure than this is no conflict.
    public var leastScore: Double = 0.5

    /// The rules as they are unless somebody changes them.
    public init() {}

    /// One threshold: how it is called, and what it may be.
    public struct Rule: Sendable {
        /// As people write it: "volume_fight.undoings".
        public let name: String
        /// "seconds", "level", "count" or "score".
        public let unit: String
        /// What it may be.
        public let range: ClosedRange<Double>
        /// Where it is kept.
        fileprivate let place: any WritableKeyPath<ConflictRules, Double> & Sendable

        fileprivate init(
            _ name: String, _ unit: String, _ range: ClosedRange<Double>,
            _ place: any WritableKeyPath<ConflictRules, Double> & Sendable
        ) {
            (self.name, self.unit, self.range, self.place) = (name, unit, range, place)
        }
    }

    /// All thresholds, in the order of the table.
    public static let all: [Rule] = [
        Rule("volume_fight.undoings", "count", counts, \.volumeFight.undoings),
        Rule("volume_fight.pause_seconds", "seconds", seconds, \.volumeFight.pauseSeconds),
        Rule("volume_fight.step", "level", shares, \.volumeFight.step),
        Rule("play_pause_fight.undoings", "count", counts, \.playPauseFight.undoings),
        Rule("play_pause_fight.pause_seconds", "seconds", seconds, \.playPauseFight.pauseSeconds),
        Rule("seek_fight.undoings", "count", counts, \.seekFight.undoings),
        Rule("seek_fight.pause_seconds", "seconds", seconds, \.seekFight.pauseSeconds),
        Rule("seek_fight.step", "seconds", seconds, \.seekFight.step),
        Rule("track_fight.undoings", "count", counts, \.trackFight.undoings),
        Rule("track_fight.pause_seconds", "seconds", seconds, \.trackFight.pauseSeconds),
        Rule("style_fight.undoings", "count", counts, \.styleFight.undoings),
        Rule("style_fight.pause_seconds", "seconds", seconds, \.styleFight.pauseSeconds),
        Rule("takeover.paused_seconds", "seconds", seconds, \.takeoverPausedSeconds),
        Rule("takeover.launch_seconds", "seconds", seconds, \.takeoverLaunchSeconds),
        Rule("takeover.load_seconds", "seconds", seconds, \.takeoverLoadSeconds),
        Rule("break_seconds", "seconds", seconds, \.breakSeconds),
        Rule("settle_seconds", "seconds", seconds, \.settleSeconds),
        Rule("least_score", "score", shares, \.leastScore),
    ]

    private static let counts: ClosedRange<Double> = 1...1000
    private static let seconds: ClosedRange<Double> = 0...86_400
    private static let shares: ClosedRange<Double> = 0...1

    /// What a threshold is set to.
    public subscript(rule: Rule) -> Double { self[keyPath: rule.place] }

    /// Sets one threshold as a person writes it: "volume_fight.undoings=3".
    public mutating func set(_ text: String) throws(ConflictsError) {
        guard let sign = text.firstIndex(of: "=") else {
            throw .badRule(text, why: "wants a name and a value, such as volume_fight.undoings=3")
        }
        let name = String(text[..<sign])
        guard let rule = Self.all.first(where: { $0.name == name }) else {
            throw .badRule(text, why: "no such rule; there are \(Self.all.map(\.name).joined(separator: ", "))")
        }
        guard let value = Double(text[text.index(after: sign)...]), rule.range.contains(value),
            rule.unit != "count" || value == value.rounded()
        else {
            let bounds = (Wording.number(rule.range.lowerBound), Wording.number(rule.range.upperBound))
            throw .badRule(
                text, why: "\(name) is a \(rule.unit == "count" ? "whole " : "")number from \(bounds.0) to \(bounds.1)")
        }
        self[keyPath: rule.place] = value
    }

    /// The thresholds of a kind of fight; nil for takeovers.
    public func fight(_ kind: Conflict.Kind) -> Fight? {
        switch kind {
        case .takeover: nil
        case .volumeFight: volumeFight
        case .playPauseFight: playPauseFight
        case .seekFight: seekFight
        case .trackFight: trackFight
        case .styleFight: styleFight
        }
    }
}
