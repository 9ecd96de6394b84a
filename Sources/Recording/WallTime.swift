/// A moment on the wall clock: what people ask about.
///
/// It may jump; durations come from ``MonotonicTime``.
public struct WallTime: Sendable, Hashable, Comparable {
    /// Microseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public var microseconds: Int64

    /// A moment by its microseconds since 1970.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Earlier before later.
    public static func < (one: WallTime, other: WallTime) -> Bool { one.microseconds < other.microseconds }

    /// Seconds from `other` to this moment; negative when this one is earlier.
    public func seconds(since other: WallTime) -> Double { Double(microseconds - other.microseconds) / 1e6 }

    /// This moment as a clock shows it that was set from one time to another.
    public func shifted(from: WallTime, to: WallTime) -> WallTime {
        WallTime(microseconds: microseconds &+ (to.microseconds &- from.microseconds))
    }
}

/// A moment on the clock that never jumps, comparable only within one boot of the machine.
public struct MonotonicTime: Sendable, Hashable, Comparable {
    /// Nanoseconds since some moment before the machine started (CLOCK_BOOTTIME).
    public var nanoseconds: Int64

    /// A moment by its nanoseconds.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Earlier before later.
    public static func < (one: MonotonicTime, other: MonotonicTime) -> Bool { one.nanoseconds < other.nanoseconds }
}
