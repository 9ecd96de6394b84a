import CastModel
import Recording

/// What tells a seek from plain progress (DESIGN 4, PROTOCOL 4.10, rule 6).
extension MediaSession {
    /// A jump against the extrapolation beyond this is a seek, in seconds (DESIGN 4).
    static let jumpSeconds = 1.5
    /// Positions this close are the same, in seconds: so exact are those that devices tell (PROTOCOL 4.10, rule 6).
    static let samePositionSeconds = 0.1

    /// What stood before a status, to compare its position with.
    struct PositionBefore {
        /// Where the media should be by now, in seconds.
        var expectedSeconds: Double
        /// Where it was told to be.
        var anchor: PositionAnchor
        /// What the player did.
        var playerState: PlayerState?
    }

    /// Adds a seek where the position jumped.
    ///
    /// No jump is what a live window explains that slid under its positions, nor a position that a player only repeats.
    /// The receiver app's own return to the start is a repeat; where another event of the same message carries the new
    /// position already, it is not called a seek.
    mutating func foldJump(
        _ status: MediaStatus, to told: Double, from before: PositionBefore, _ arrival: MediaArrival,
        carried: [ChangeEvent], into events: inout EventCollector
    ) {
        let jump = told - before.expectedSeconds
        let repeats =
            before.playerState == .playing && jump < 0
            && (told - before.anchor.seconds).magnitude <= Self.samePositionSeconds
        guard jump.magnitude > Self.jumpSeconds else {
            if !repeats { isStalled = false }
            return
        }
        if let slide = liveSlideSeconds(status, since: before.anchor, at: arrival.monotonic),
            (jump + slide).magnitude <= Self.jumpSeconds
        {
            return
        }
        let byReceiver = (arrival.requestID ?? 0) == 0
        if repeats {
            // A sender that seeks back to the very position told last looks the same: it asked, and asked nothing else.
            let isStall = byReceiver || isStalled || carried.contains { !Self.belongsToSeek($0) }
            if isStall {
                isStalled = true
                return
            }
        }
        isStalled = false
        let restarts = told <= Self.jumpSeconds && byReceiver
        if restarts && !carried.isEmpty { return }
        var after = JSONObject([("currentTime", .number(told))])
        if restarts { after["restart"] = true }
        events.add(
            .seeked, before: ["currentTime": .number((before.expectedSeconds * 1000).rounded() / 1000)],
            after: .object(after), callbacks: [.mediaStatus])
    }

    /// Whether an event is what a seek itself brings about: the player fetches data.
    private static func belongsToSeek(_ event: ChangeEvent) -> Bool {
        event.kind == .playerStateChanged && event.after?["playerState"]?.string.map { PlayerState($0) } == .buffering
    }
}
