import IO
import Recording

/// All clocks at one moment.
struct ClockTimes: Equatable {
    /// Microseconds since 1970, as the machine believes.
    var wallMicroseconds: Int64
    /// Nanoseconds that never jump.
    var monotonicNanoseconds: Int64
    /// Of those, nanoseconds in which the machine slept.
    var suspendedNanoseconds: Int64

    /// Reads the machine's clocks.
    ///
    /// Read again when a busy machine let time pass in between: that would look like a jump.
    static func read() -> ClockTimes {
        var times = readOnce()
        for _ in 0..<3 {
            let after = Clock.monotonicNanoseconds()
            if after - times.monotonicNanoseconds < 100_000_000 { break }
            times = readOnce()
        }
        return times
    }

    private static func readOnce() -> ClockTimes {
        let monotonic = Clock.monotonicNanoseconds()
        return ClockTimes(
            wallMicroseconds: Clock.wallMicroseconds(), monotonicNanoseconds: monotonic,
            suspendedNanoseconds: Clock.suspendedNanoseconds())
    }
}

/// Notices that the wall clock was set, and that the machine slept.
///
/// An NTP daemon that slews the clock, at most 500 parts in a million, is no jump.
struct ClockWatch {
    /// What happened between two looks at the clocks.
    enum Finding: Equatable {
        /// The wall clock was set: what it would have shown, and what it shows.
        case jumped(from: WallTime, to: WallTime)
        /// The machine slept from one moment to the other.
        case slept(from: WallTime, to: WallTime)
    }

    /// The wall clock may differ from the other by this, in microseconds, and a thousandth of the time that passed.
    static let toleranceMicroseconds: Int64 = 1_000_000
    /// A sleep shorter than this is none, in nanoseconds.
    static let sleepNanoseconds: Int64 = 1_000_000_000

    private var last: ClockTimes?

    /// Takes a look at the clocks.
    mutating func look(_ times: ClockTimes) -> [Finding] {
        defer { last = times }
        guard let last else { return [] }
        let passed = max(0, times.monotonicNanoseconds &- last.monotonicNanoseconds) / 1000
        let expected = last.wallMicroseconds &+ passed
        var findings: [Finding] = []
        let now = WallTime(microseconds: times.wallMicroseconds)
        let (difference, isOverflow) = times.wallMicroseconds.subtractingReportingOverflow(expected)
        if isOverflow || difference.magnitude > UInt64(Self.toleranceMicroseconds + passed / 1000) {
            findings.append(.jumped(from: WallTime(microseconds: expected), to: now))
        }
        let slept = times.suspendedNanoseconds &- last.suspendedNanoseconds
        if slept > Self.sleepNanoseconds {
            let from = now.microseconds &- min(slept / 1000, passed)
            findings.append(.slept(from: WallTime(microseconds: from), to: now))
        }
        return findings
    }
}
