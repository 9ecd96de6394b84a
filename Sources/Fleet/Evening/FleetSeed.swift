/// Where the fleet's chance comes from: equal seeds give equal devices, phones and evenings.
public struct FleetSeed: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// Any number.
    public let number: UInt64
    /// What makes the ids of app sessions differ from those of another run of the same evening; 0 for none.
    ///
    /// A real device never uses one twice.
    public var sessionSalt: UInt64 = 0

    /// A seed by its number.
    public init(_ number: UInt64) { self.number = number }
    /// A seed by its number.
    public init(integerLiteral value: UInt64) { number = value }

    /// A source of numbers of its own for one purpose, independent of all others.
    public func source(_ purpose: StaticString, _ index: Int = 0) -> RandomSource {
        // FNV-1a over the purpose, so that purposes do not share their numbers.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(purpose)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return RandomSource(
            seed: number ^ hash ^ UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15, sessionSalt: sessionSalt)
    }
}

/// SplitMix64: small, fast, and the same on every machine.
///
/// Not for secrets.
public struct RandomSource: RandomNumberGenerator, Sendable {
    private var position: UInt64
    private let sessionSalt: UInt64

    init(seed: UInt64, sessionSalt: UInt64 = 0) {
        position = seed
        self.sessionSalt = sessionSalt
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        position &+= 0x9E37_79B9_7F4A_7C15
        var mixed = position
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Lower-case hexadecimal digits.
    public mutating func hexadecimal(digits: Int) -> String {
        var text = ""
        while text.utf8.count < digits {
            let part = String(next(), radix: 16)
            text += String(repeating: "0", count: 16 - part.utf8.count) + part
        }
        return String(text.prefix(digits))
    }

    /// The id of an app session: a UUID in text.
    public mutating func sessionID() -> String {
        let first = String(next() ^ sessionSalt, radix: 16)
        let zeros = String(repeating: "0", count: 16 - first.utf8.count)
        return RandomSource.dashed(zeros + first + hexadecimal(digits: 16))
    }

    /// A UUID in text, as apps use for their ids.
    public mutating func uuid() -> String { RandomSource.dashed(hexadecimal(digits: 32)) }

    /// 32 hexadecimal digits with the dashes of a UUID.
    static func dashed(_ digits: String) -> String {
        let parts = [(0, 8), (8, 4), (12, 4), (16, 4), (20, 12)]
        return parts.map { String(digits.dropFirst($0.0).prefix($0.1)) }.joined(separator: "-")
    }
}
