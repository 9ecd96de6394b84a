extension Duration {
    /// This duration in nanoseconds, rounded towards zero; the longest that 64 bits hold, 292 years, where it is longer.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !isTooLong else { return seconds > 0 ? .max : .min }
        let (sum, overflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflows ? (seconds > 0 ? .max : .min) : sum
    }

    /// This duration for `poll`: in milliseconds, rounded up, so that a short wait is a wait.
    var pollMilliseconds: Int32 {
        let nanoseconds = max(0, wholeNanoseconds)
        return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1))
    }
}

extension Clock {
    /// The moment on the monotonic clock when `duration` from now has passed, in nanoseconds; never, in practice, where
    /// that is beyond 64 bits.
    public static func monotonicNanoseconds(after duration: Duration) -> Int64 {
        let (sum, overflows) = monotonicNanoseconds().addingReportingOverflow(duration.wholeNanoseconds)
        return overflows ? .max : sum
    }
}
