public import Recording

/// A time zone as reports need it: a name, and how far its clocks are ahead of UTC at a given moment.
///
/// The rules of time zones are the operating system's; whoever prints hands them in.
public struct Zone: Sendable {
    /// What readers call it: "UTC", "CET".
    public var name: String
    /// Seconds east of UTC at a moment.
    public var offsetSeconds: @Sendable (WallTime) -> Int

    /// A zone, part by part.
    public init(name: String, offsetSeconds: @escaping @Sendable (WallTime) -> Int) {
        self.name = name
        self.offsetSeconds = offsetSeconds
    }

    /// Coordinated Universal Time.
    public static let utc = Zone(name: "UTC") { _ in 0 }

    /// "2026-03-01" on the zone's calendar.
    public func day(_ time: WallTime) -> String { String(shifted(time).text.prefix(10)) }

    /// "20:15:04.123" on the zone's clocks: milliseconds are what a person can tell apart.
    public func timeOfDay(_ time: WallTime) -> String { String(shifted(time).text.dropFirst(11).prefix(12)) }

    /// RFC 3339 with microseconds: "2026-03-01T20:15:04.123456Z" in UTC, "2026-03-01T21:15:04.123456+01:00" elsewhere.
    public func text(_ time: WallTime) -> String {
        guard name != Zone.utc.name else { return time.text }
        return shifted(time).text.dropLast() + offset(time, separator: ":")
    }

    /// How far the clocks are ahead of UTC at a moment: "+0100", with `separator` between hours and minutes.
    public func offset(_ time: WallTime, separator: String = "") -> String {
        let minutes = offsetSeconds(time) / 60
        func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return (minutes < 0 ? "-" : "+") + twoDigits(abs(minutes) / 60) + separator + twoDigits(abs(minutes) % 60)
    }

    /// The moment that a date and time of day mean here, given as if they were UTC.
    ///
    /// In the hour that a change of clocks repeats, the earlier of the two; in the one that it skips, the later.
    public func resolve(_ asIfUTC: WallTime) -> WallTime {
        let first = asIfUTC.microseconds - Int64(offsetSeconds(asIfUTC)) * 1_000_000
        let second = asIfUTC.microseconds - Int64(offsetSeconds(WallTime(microseconds: first))) * 1_000_000
        return WallTime(microseconds: second)
    }

    private func shifted(_ time: WallTime) -> WallTime {
        WallTime(microseconds: time.microseconds + Int64(offsetSeconds(time)) * 1_000_000)
    }
}
