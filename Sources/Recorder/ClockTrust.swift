import Recording

/// Whether the wall clock can be trusted with the age of what is to be deleted.
///
/// It is distrusted for a day after it has jumped, and after a start that finds it earlier than the last record, or more than
/// a day later: a clock without a battery, or one that somebody sets, would take everything for old.
struct ClockTrust: Sendable {
    /// A wall clock that was off by more than this between two looks has jumped.
    private static let jumpMicroseconds: Int64 = 60_000_000
    private static let distrustNanoseconds: Int64 = 86_400_000_000_000
    private static let dayMicroseconds: Int64 = 86_400_000_000

    /// Wall clock minus monotonic clock at the last look, in microseconds.
    private var offset: Int64?
    /// Until when, in nanoseconds of the monotonic clock, no age is believed.
    private var distrustsUntil: Int64?

    /// What a recorder thinks of the clock when it begins.
    ///
    /// - Parameter lastDurable: When the last record of the archive was observed; nil when there is none.
    init(beginning: ClockReading, lastDurable: WallTime?) {
        offset = Self.offset(beginning)
        guard let lastDurable else { return }
        let (passed, isFar) = beginning.wall.microseconds.subtractingReportingOverflow(lastDurable.microseconds)
        if isFar || passed < 0 || passed > Self.dayMicroseconds { distrust(from: beginning) }
    }

    /// Looks at the clocks again; true when the wall clock has jumped since the last look.
    mutating func look(_ now: ClockReading) -> Bool {
        let before = offset
        offset = Self.offset(now)
        guard let before, abs(Self.offset(now) - before) > Self.jumpMicroseconds else { return false }
        distrust(from: now)
        return true
    }

    /// Whether an age may be believed now.
    func believes(_ now: ClockReading) -> Bool { distrustsUntil.map { now.monotonic.nanoseconds >= $0 } ?? true }

    private mutating func distrust(from now: ClockReading) {
        distrustsUntil = now.monotonic.nanoseconds + Self.distrustNanoseconds
    }

    private static func offset(_ now: ClockReading) -> Int64 {
        now.wall.microseconds - now.monotonic.nanoseconds / 1000
    }
}
