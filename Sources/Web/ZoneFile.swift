import IO
import Recording
import Report
import WebCore

/// Time zones by their IANA names, as Debian keeps them (RFC 8536).
enum ZoneFile {
    private static let folder = "/usr/share/zoneinfo"
    private static let limitBytes = 1 << 20

    /// The zone of this name; 400 when there is none.
    static func zone(_ name: String) throws(HTTPProblem) -> Zone {
        guard name != "UTC" else { return .utc }
        guard isPlain(name), let bytes = try? Files.read("\(folder)/\(name)", limitBytes: limitBytes),
            let table = Table(bytes)
        else { throw HTTPProblem(400, "'\(Question.shown(name))' is no time zone.") }
        return Zone(name: name) { table.offsetSeconds(at: $0.microseconds / 1_000_000) }
    }

    /// No way out of the folder, and none of the zones below `right/`, which count leap seconds.
    private static func isPlain(_ name: String) -> Bool {
        !name.hasPrefix("/") && !name.hasPrefix("right/") && !name.contains("..")
            && !["localtime", "posixrules", ""].contains(name)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "_-+/".utf8.contains(byte)
                }
            }
    }

    /// When the clocks of a zone changed, and to what; up to 2037 in Debian's files.
    struct Table: Sendable {
        private var moments: [Int64] = []
        private var offsets: [Int] = []
        private var firstOffset = 0

        /// Reads the second block of a file, which has times of 64 bits.
        init?(_ bytes: [UInt8]) {
            guard bytes.starts(with: Array("TZif".utf8)), let first = Counts(bytes, at: 0) else { return nil }
            let start = 44 + first.bytes(timeBytes: 4)
            guard let counts = Counts(bytes, at: start), bytes.count >= start + 44 + counts.bytes(timeBytes: 8) else {
                return nil
            }
            let times = start + 44
            let indexes = times + counts.times * 8
            let types = indexes + counts.times
            var known: [Int] = []
            for type in 0..<counts.types {
                known.append(Int(Int32(truncatingIfNeeded: Self.number(bytes, types + type * 6, 4))))
            }
            for index in 0..<counts.times {
                moments.append(Self.number(bytes, times + index * 8, 8))
                let type = Int(bytes[indexes + index])
                guard known.indices.contains(type) else { return nil }
                offsets.append(known[type])
            }
            firstOffset = known.first ?? 0
        }

        /// Seconds east of UTC.
        func offsetSeconds(at seconds: Int64) -> Int {
            var (low, high) = (0, moments.count)
            while low < high {
                let middle = (low + high) / 2
                if moments[middle] <= seconds { low = middle + 1 } else { high = middle }
            }
            return low == 0 ? firstOffset : offsets[low - 1]
        }

        private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int64 {
            Int64(bitPattern: bytes[start..<start + count].reduce(0) { $0 << 8 | UInt64($1) })
        }

        private struct Counts {
            var utc: Int
            var standard: Int
            var leaps: Int
            var times: Int
            var types: Int
            var letters: Int

            init?(_ bytes: [UInt8], at start: Int) {
                guard bytes.count >= start + 44 else { return nil }
                let all = (0..<6).map { Int(Table.number(bytes, start + 20 + $0 * 4, 4)) }
                guard all.allSatisfy({ $0 < 100_000 }) else { return nil }
                (utc, standard, leaps, times, types, letters) = (all[0], all[1], all[2], all[3], all[4], all[5])
            }

            func bytes(timeBytes: Int) -> Int {
                times * timeBytes + times + types * 6 + letters + leaps * (timeBytes + 4) + standard + utc
            }
        }
    }
}
