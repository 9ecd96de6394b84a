import CastModel

/// 64-bit FNV-1a: tells values apart without keeping them.
///
/// Not a proof of anything: the archive's hash chain is that.
enum Fingerprint {
    private static let basis: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01b3

    /// The fingerprint of bytes.
    static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = basis
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* prime }
        return hash
    }

    /// The fingerprint of a value, the same for values that are equal: key order and number type do not count.
    static func of(_ json: JSONValue) -> UInt64 {
        switch json {
        case .null: return 1
        case .bool(let value): return value ? 2 : 3
        case .integer, .unsigned, .number: return mix(4, (json.lossyNumber ?? 0).bitPattern)
        case .string(let text): return mix(5, of(text.utf8))
        case .array(let elements): return elements.reduce(6) { mix($0, of($1)) }
        case .object(let object):
            // Addition, so that the order of keys does not matter.
            return object.pairs.reduce(7) { $0 &+ mix(of($1.key.utf8), of($1.value)) }
        }
    }

    /// The fingerprint of bytes under a key, without which nobody can tell what it is of: SipHash-2-4.
    ///
    /// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012).
    static func keyed(_ bytes: some Sequence<UInt8>, by key: (UInt64, UInt64)) -> UInt64 {
        var lanes = SipLanes(key: key)
        var (word, count): (UInt64, UInt64) = (0, 0)
        for byte in bytes {
            word |= UInt64(byte) << (8 * (count & 7))
            count &+= 1
            guard count & 7 == 0 else { continue }
            lanes.take(word)
            word = 0
        }
        lanes.take(word | count << 56)
        return lanes.finish()
    }

    /// A fingerprint as 16 hexadecimal digits.
    static func text(_ hash: UInt64) -> String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private static func mix(_ one: UInt64, _ other: UInt64) -> UInt64 {
        var hash = (one ^ basis) &* prime
        hash = (hash ^ other) &* prime
        return hash ^ (hash >> 29)
    }
}

/// The four words that SipHash turns.
private struct SipLanes {
    private var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64)

    init(key: (UInt64, UInt64)) {
        (a, b) = (key.0 ^ 0x736f_6d65_7073_6575, key.1 ^ 0x646f_7261_6e64_6f6d)
        (c, d) = (key.0 ^ 0x6c79_6765_6e65_7261, key.1 ^ 0x7465_6462_7974_6573)
    }

    mutating func take(_ word: UInt64) {
        d ^= word
        turn(2)
        a ^= word
    }

    mutating func finish() -> UInt64 {
        c ^= 0xff
        turn(4)
        return a ^ b ^ c ^ d
    }

    private mutating func turn(_ rounds: Int) {
        for _ in 0..<rounds {
            a &+= b
            b = Self.rotated(b, 13) ^ a
            a = Self.rotated(a, 32)
            c &+= d
            d = Self.rotated(d, 16) ^ c
            a &+= d
            d = Self.rotated(d, 21) ^ a
            c &+= b
            b = Self.rotated(b, 17) ^ c
            c = Self.rotated(c, 32)
        }
    }

    private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }
}
