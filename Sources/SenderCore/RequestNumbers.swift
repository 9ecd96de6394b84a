public import Recording

/// The request numbers of one link: counted up from a random start, so that they are told from other senders' numbers.
struct RequestNumbers: Sendable {
    private var following: Int64 = 1

    /// Numbers of 31 bits suit every device; from each start there is room for more than a link can live to send.
    mutating func begin(using generator: inout SeededGenerator) {
        following = Int64.random(in: 0x1000_0000...0x6FFF_FFFF, using: &generator)
    }

    mutating func take() -> Int64 {
        defer { following += 1 }
        return following
    }
}

extension MonotonicTime {
    /// The moment so long after this one.
    public func advanced(by duration: Duration) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds &+ duration.wholeNanoseconds)
    }

    /// The time from `other` to this moment.
    func since(_ other: MonotonicTime) -> Duration { .nanoseconds(nanoseconds &- other.nanoseconds) }
}
