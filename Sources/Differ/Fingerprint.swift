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
