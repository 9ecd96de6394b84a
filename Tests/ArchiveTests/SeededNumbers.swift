/// A random number generator whose whole sequence follows from its seed (SplitMix64), so that a failure can be repeated.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
        // Neighboring seeds must not give the same sequence, shifted.
        state = next() ^ seed << 32
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Whether something that happens once in `times` happens now.
    mutating func isOne(in times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }
}
