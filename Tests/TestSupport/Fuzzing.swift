import FoundationEssentials
import Glibc

/// Rounds of a test that feeds changed bytes to a reader: a few in each test run, many on demand.
///
/// `CASTLEDGER_FUZZ_SECONDS=600` goes on for ten minutes, `CASTLEDGER_FUZZ_SEED=n` begins with another round. The seed
/// alone decides what a round does. What round a trap was in is known from the last one told: each second one is told of,
/// so the trap is in that round or in those of the second after it.
public enum Fuzzing {
    /// Runs rounds and says how many there were.
    @discardableResult
    public static func rounds(_ usual: UInt64, _ name: String, _ round: (inout ByteChanges) throws -> Void) rethrows
        -> UInt64
    {
        let first = OnDemand.number("CASTLEDGER_FUZZ_SEED") ?? 1
        let deadline = OnDemand.number("CASTLEDGER_FUZZ_SECONDS").map { Date().addingTimeInterval(TimeInterval($0)) }
        var seed = first
        var toldAt = Date.distantPast
        while deadline.map({ Date() < $0 }) ?? (seed < first + usual) {
            if deadline != nil, Date().timeIntervalSince(toldAt) >= 1 {
                toldAt = Date()
                say("\(name): a trap from here on is in round \(seed) or soon after it")
            }
            var changes = ByteChanges(seed: seed)
            try round(&changes)
            seed += 1
        }
        print("\(name): \(seed - first) rounds from seed \(first)")
        return seed - first
    }

    /// Whether somebody wants as many rounds as fit into a time, be they few.
    public static var isOnDemand: Bool { OnDemand.number("CASTLEDGER_FUZZ_SECONDS") != nil }

    /// Writes a line at once: what waits in a buffer is lost in a trap.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// Changes of bytes that follow from a seed.
public struct ByteChanges: RandomNumberGenerator {
    /// What they follow from, to be told where a round finds something.
    public let seed: UInt64
    private var numbers: SeededNumbers

    init(seed: UInt64) {
        self.seed = seed
        numbers = SeededNumbers(seed: seed &* 0xD134_2543_DE82_EF95)
    }

    /// The next number.
    public mutating func next() -> UInt64 { numbers.next() }

    /// A number from 0 up to `limit`, which it never is; 0 for a limit below 1.
    public mutating func below(_ limit: Int) -> Int { limit > 1 ? Int.random(in: 0..<limit, using: &self) : 0 }

    /// Changes one to eight places: another bit or byte, one more, a stretch gone, twice, or nothing after it.
    public mutating func change(_ bytes: inout [UInt8]) {
        for _ in 0...below(8) where !bytes.isEmpty {
            let place = below(bytes.count)
            let end = min(bytes.count, place + 1 + below(16))
            switch below(7) {
            case 0: bytes[place] ^= 1 << UInt8(below(8))
            case 1: bytes[place] = [0x00, 0x7F, 0x80, 0xFF, 0x0A, 0x22, 0x5C, 0x3D][below(8)]
            case 2: bytes[place] = UInt8(truncatingIfNeeded: next())
            case 3: bytes.insert(UInt8(truncatingIfNeeded: next()), at: place)
            case 4: bytes.removeSubrange(place..<end)
            case 5: bytes.insert(contentsOf: bytes[place..<end], at: place)
            default: if below(8) == 0 { bytes.removeSubrange(place...) }
            }
        }
    }
}
