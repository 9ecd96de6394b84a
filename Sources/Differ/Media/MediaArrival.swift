import CastModel
import Recording

/// What the statuses of one MEDIA_STATUS message have in common.
struct MediaArrival {
    /// When, for durations.
    let monotonic: MonotonicTime
    /// Of which boot.
    let boot: String
    /// The message's requestId.
    let requestID: Int64?
    /// Whether it answers our own question.
    let isOurAnswer: Bool
    /// Whether it is addressed to everybody.
    let isBroadcast: Bool
    /// Whether it is the first from its app since we joined: what changed before we joined is not known.
    let isFirst: Bool
    /// The payload, for its fingerprint.
    let payload: [UInt8]

    /// Whether it can re-assert anything: only what a sender or the receiver app says to everybody can (PROTOCOL 5.3).
    var canReassert: Bool { isBroadcast && !isOurAnswer && !isFirst }
}
