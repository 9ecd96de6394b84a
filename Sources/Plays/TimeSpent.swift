import Recording

/// How the time of a play was spent, counted between change events on the wall clock.
///
/// Change events carry no other clock; where it was set back, a stretch counts as nothing.
public struct TimeSpent: Sendable, Equatable {
    var played: Int64 = 0
    var paused: Int64 = 0
    var buffering: Int64 = 0
    var advertisement: Int64 = 0
    var inputInactive: Int64 = 0
    var gap: Int64 = 0

    /// No time yet.
    public init() {}

    /// Time that was counted before, in seconds; rounded to microseconds.
    public init(
        playedSeconds: Double, pausedSeconds: Double, bufferingSeconds: Double, adSeconds: Double,
        inputInactiveSeconds: Double, gapSeconds: Double
    ) {
        played = Self.microseconds(playedSeconds)
        paused = Self.microseconds(pausedSeconds)
        buffering = Self.microseconds(bufferingSeconds)
        advertisement = Self.microseconds(adSeconds)
        inputInactive = Self.microseconds(inputInactiveSeconds)
        gap = Self.microseconds(gapSeconds)
    }

    /// Seconds in which it played, ads not counted.
    public var playedSeconds: Double { Self.seconds(played) }
    /// Seconds in which it was paused.
    public var pausedSeconds: Double { Self.seconds(paused) }
    /// Seconds in which it waited for data, loading before its start not counted.
    public var bufferingSeconds: Double { Self.seconds(buffering) }
    /// Seconds of ads.
    public var adSeconds: Double { Self.seconds(advertisement) }
    /// Of ``playedSeconds``, those in which the TV was in standby or showed another input.
    public var inputInactiveSeconds: Double { Self.seconds(inputInactive) }
    /// Seconds in which the device was not observed.
    public var gapSeconds: Double { Self.seconds(gap) }

    /// Adds a stretch in which the play was in `phase`.
    mutating func add(_ microseconds: Int64, in phase: Play.Phase, inputInactive isInactive: Bool) {
        switch phase {
        case .playing:
            played &+= microseconds
            if isInactive { inputInactive &+= microseconds }
        case .paused: paused &+= microseconds
        case .buffering: buffering &+= microseconds
        case .advertisement: advertisement &+= microseconds
        case .unobserved: gap &+= microseconds
        case .loading, .idle, .unknown: break
        }
    }

    private static func microseconds(_ seconds: Double) -> Int64 { Int64(exactly: (seconds * 1e6).rounded()) ?? 0 }

    static func seconds(_ microseconds: Int64) -> Double { Double(microseconds) / 1e6 }

    /// Microseconds from one moment to a later one; 0 when it is earlier.
    static func between(_ from: WallTime, _ to: WallTime) -> Int64 {
        let (microseconds, isOverflow) = to.microseconds.subtractingReportingOverflow(from.microseconds)
        return isOverflow ? 0 : max(0, microseconds)
    }
}
