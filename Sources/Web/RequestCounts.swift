import IO

/// How many requests were answered, by route and status code.
final class RequestCounts: Sendable {
    /// One of the sums.
    struct Key: Sendable, Hashable, Comparable {
        var route: String
        var code: Int
        static func < (one: Key, other: Key) -> Bool { (one.route, one.code) < (other.route, other.code) }
    }

    private let counts = Guarded<[Key: Int]>([:])

    func add(_ route: String, _ code: Int) { counts.withLock { $0[Key(route: route, code: code), default: 0] += 1 } }

    /// All of them.
    var all: [Key: Int] { counts.withLock { $0 } }
}
