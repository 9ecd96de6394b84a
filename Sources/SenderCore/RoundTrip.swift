import Recording

/// How long a device takes to answer our PING.
///
/// Answers name no question. A device answers in order, so one that leaves out an answer makes the next one look late, never
/// early.
struct RoundTrip: Sendable, Equatable {
    /// When the first PING was sent that is not answered yet; nil while none is.
    private var askedAt: MonotonicTime?
    /// The last one measured; nil before the first.
    private(set) var last: Duration?

    /// A PING is sent.
    mutating func asked(at now: MonotonicTime) { askedAt = askedAt ?? now }

    /// A PONG came; one that nobody asked for tells nothing.
    mutating func answered(at now: MonotonicTime) {
        guard let asked = askedAt else { return }
        askedAt = nil
        last = now.since(asked)
    }

    /// We do not read for a while, so that an answer waits for us.
    mutating func interrupted() { askedAt = nil }
}
