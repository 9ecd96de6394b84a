/// A random number generator whose whole sequence follows from its seed, so that a failure can be repeated (SplitMix64:
/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
public struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The sequence of a seed.
    public init(seed: UInt64) { state = seed }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to `limit`, which it never is; 0 for a limit below 1.
    public mutating func below(_ limit: Int) -> Int { limit > 1 ? Int(next() % UInt64(limit)) : 0 }

    /// Whether something that happens once in `times` happens now.
    public mutating func isOne(in times: Int) -> Bool { below(times) == 0 }
}
