/// Random numbers that a seed determines: the same seed gives the same conversation, in tests and in bug reports.
///
/// SplitMix64 (Steele, Lea, Flood 2014). For jitter and ids, never for secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var word: UInt64

    /// A generator that starts at `seed`.
    public init(seed: UInt64) { word = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        word &+= 0x9E37_79B9_7F4A_7C15
        var mixed = word
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A delay between nothing and `limit`, every nanosecond equally likely.
    mutating func delay(upTo limit: Duration) -> Duration {
        .nanoseconds(Int64.random(in: 0...max(0, limit.wholeNanoseconds), using: &self))
    }
}

extension Duration {
    /// Nanoseconds, cut to the range of an `Int64` (292 years).
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
