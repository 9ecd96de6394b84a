import CastModel

/// One loaded media session: what plays, where, and with which tracks.
struct MediaPlayback: Sendable, Equatable {
    enum PlayerState: String, Sendable {
        case playing = "PLAYING"
        case paused = "PAUSED"
        case buffering = "BUFFERING"
    }

    /// Live media can be rewound this far, in seconds.
    static let liveWindowSeconds = 1800.0

    var mediaSessionID: Int
    /// As the loading sender wrote it (PROTOCOL 4.4).
    var media: JSONObject
    var playerState: PlayerState
    /// The position at `anchoredAt`, in seconds of the media.
    var anchorSeconds: Double
    var anchoredAt: Duration
    var rate: Double
    var activeTrackIDs: [Int]
    var queue: MediaQueue
    /// The newest second of live media, at the same kind of moment; nil for media with an end.
    var liveEdge: LiveEdge?
    /// The ad break that runs; the position waits meanwhile.
    var adBreak: AdBreak?
    /// An ad that only `customData` tells of; the player says BUFFERING meanwhile.
    var hiddenAd: HiddenAd?
    /// Breaks that have run, by id.
    var watchedBreakIDs: Set<String> = []
    /// The next item, once it has been loaded ahead.
    var preloadedItemID: Int?

    /// The newest second of live media, and when it was the newest.
    struct LiveEdge: Sendable, Equatable {
        var seconds: Double
        var at: Duration
    }

    /// An ad of YouTube's kind (PROTOCOL 6.4).
    struct HiddenAd: Sendable, Equatable {
        /// Whether it may be skipped by now.
        var isSkippable = false
        /// How long it goes on once it may be skipped.
        var rest: Duration
    }

    /// Length in seconds; nil when unknown, as for live media.
    var durationSeconds: Double? {
        guard let duration = media["duration"]?.anyNumber, duration > 0 else { return nil }
        return duration
    }

    /// The position: it moves with time while PLAYING only, stands during ads, and stays within the media.
    func positionSeconds(at now: Duration) -> Double {
        var position = anchorSeconds
        if playerState == .playing, adBreak == nil { position += (now - anchoredAt).inSeconds * rate }
        return min(max(0, position), durationSeconds ?? .greatestFiniteMagnitude)
    }

    /// Goes on from where it is, as something else.
    mutating func become(_ newState: PlayerState, at now: Duration) {
        anchor(positionSeconds(at: now), at: now)
        adBreak?.anchor(at: now, isPlaying: playerState == .playing)
        playerState = newState
    }

    /// Moves to a position, kept within the media.
    mutating func anchor(_ seconds: Double, at now: Duration) {
        let limit = liveRange(at: now)?.end ?? durationSeconds ?? .greatestFiniteMagnitude
        anchorSeconds = min(max(liveRange(at: now)?.start ?? 0, seconds), limit)
        anchoredAt = now
    }

    /// Real time until the end; nil unless it is playing towards one.
    func remaining(at now: Duration) -> Duration? {
        guard playerState == .playing, adBreak == nil, let durationSeconds else { return nil }
        // A peer may name any duration: three years are for ever here, and no overflow.
        return .seconds(min((durationSeconds - positionSeconds(at: now)) / rate, 1e8))
    }

    /// Where live media can be played from and to, in seconds; nil for media with an end.
    func liveRange(at now: Duration) -> (start: Double, end: Double)? {
        guard let liveEdge else { return nil }
        let end = liveEdge.seconds + (now - liveEdge.at).inSeconds
        return (max(0, end - Self.liveWindowSeconds), end)
    }

    /// The tracks on offer: ids and types.
    var tracks: [(trackID: Int, type: String, language: String)] {
        (media["tracks"]?.array ?? []).compactMap { track in
            guard let trackID = track["trackId"]?.wholeNumber else { return nil }
            return (trackID, track["type"]?.string ?? "", track["language"]?.string ?? "")
        }
    }

    /// What to call it on the screen.
    var title: String {
        let metadata = media["metadata"]
        return metadata?["title"]?.string ?? metadata?["songName"]?.string ?? ""
    }
}
