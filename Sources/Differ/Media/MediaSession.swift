import CastModel
import Recording

/// What is known of one media session: the state that its next status is compared with.
struct MediaSession: Equatable {
    /// Its id within its app session.
    ///
    /// Nil when the app never told one.
    var mediaSessionID: Int64?
    /// What the player did last.
    var playerState: PlayerState?
    /// Why it ended.
    ///
    /// Nil while it has not.
    var endedBecause: IdleReason?
    /// Whether its end was told without a reason: another media session took its place.
    var wasSuperseded = false
    /// Whether a LOAD is under way.
    var isLoading = false
    /// Whether a LOAD or a queue step still owes its media: media that now comes completes it, and re-asserts nothing.
    var awaitsMedia = false
    /// What is loaded, as kept.
    var media: JSONObject?
    /// The queue item that the media came with; nil when there was none.
    var mediaItemID: Int64?
    /// Fingerprint of the media as it came: the same again need not be looked at again.
    var mediaHash: UInt64?
    /// Fingerprint of the last payload with media: the same payload again is a duplicate and changes nothing.
    var mediaPayload: UInt64?
    /// Speed; nil until told.
    var playbackRate: Double?
    /// What the player can do; nil until told.
    var supportedMediaCommands: Int64?
    /// Volume of the media; nil until told.
    var volumeLevel: Double?
    /// Whether the media is muted; nil until told.
    var isMuted: Bool?
    /// The tracks selected; nil until told.
    var activeTrackIDs: [Int64]?
    /// The queue item that plays; nil until told.
    var currentItemID: Int64?
    /// The queue that the item is of.
    var queue = KnownQueue()
    /// Size of the picture; nil until told.
    var videoInfo: JSONObject?
    /// What can be sought in a live broadcast; nil when it is none.
    var liveRange: JSONObject?
    /// The live edge of a moving window when it moved last; nil when there is none.
    var liveEdge: PositionAnchor?
    /// Whether it was told that the live edge stands.
    var liveEdgeStands = false
    /// The ad break that runs, as events show it.
    var adBreak: JSONObject?
    /// Where the media was, and when.
    var anchor: PositionAnchor?
    /// Whether the player repeats one position while it says that it plays.
    var isStalled = false

    /// Whether it is over.
    var hasEnded: Bool { endedBecause != nil || wasSuperseded }

    /// A media session of which nothing but the id is known.
    init(mediaSessionID: Int64?) { self.mediaSessionID = mediaSessionID }

    /// Where the media is at a moment, in seconds; nil when unknown.
    ///
    /// It moves while it plays, by the monotonic clock, and stands still otherwise (PROTOCOL 4.10, rule 6), also while an
    /// ad plays in its place. Across boots of our machine nothing can be said of media that plays.
    func position(at monotonic: MonotonicTime, boot: String) -> Double? {
        guard let anchor else { return nil }
        guard playerState == .playing, adBreak == nil else { return anchor.seconds }
        guard anchor.boot == boot else { return nil }
        let seconds = max(0, anchor.seconds + (playbackRate ?? 1) * anchor.secondsUntil(monotonic))
        guard seconds <= MediaStatus.plausibleSeconds else { return nil }
        guard let end = media.flatMap({ MediaInformation($0).knownDurationSeconds }), seconds > end else {
            return seconds
        }
        return max(end, anchor.seconds)
    }
}

/// A position in media at a moment.
struct PositionAnchor: Equatable {
    /// Position in seconds.
    var seconds: Double
    /// When.
    var monotonic: MonotonicTime
    /// Of which boot that moment is.
    var boot: String
    /// Where the live range ended, in seconds, where the same status told one.
    var liveEndSeconds: Double?

    /// The time from then to a later moment of the same boot, in seconds.
    func secondsUntil(_ later: MonotonicTime) -> Double {
        Double(later.nanoseconds &- monotonic.nanoseconds) / 1e9
    }
}

extension MediaStatus {
    /// Positions beyond this make no sense, in seconds (PROTOCOL 8, parser rule 4).
    static let plausibleSeconds = 1e9

    /// The position, where it makes sense: negative and astronomic ones do not (PROTOCOL 8, rows 12 and 20).
    var plausibleTimeSeconds: Double? {
        guard let seconds = currentTimeSeconds.ifPresent, seconds.magnitude <= Self.plausibleSeconds else { return nil }
        return max(0, seconds)
    }
}
