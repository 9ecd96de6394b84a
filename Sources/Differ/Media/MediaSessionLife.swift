import CastModel
import Recording

/// How a media session begins and ends (PROTOCOL 5.5).
extension MediaSession {
    /// The first status of a media session: all it says is taken, and told as one event.
    ///
    /// A media session that is over when we first hear of it only ends.
    mutating func begin(_ status: MediaStatus, _ arrival: MediaArrival, into events: inout EventCollector) {
        let loading = status.loads(mediaSessionID)
        take(status, arrival)
        events.mediaSessionID = mediaSessionID
        events.positionSeconds = anchor?.seconds
        if let reason = status.endReason, !loading, status.loadingItemID.ifPresent == nil {
            endedBecause = reason
            events.add(.mediaSessionEnded, after: Self.end(reason), callbacks: [.mediaStatus])
            return
        }
        awaitsMedia = loading || media == nil
        events.add(
            .mediaSessionStarted, after: summary(status),
            callbacks: media == nil ? [.mediaStatus] : [.mediaMetadata, .mediaStatus])
        foldAdBreak(status, into: &events)
        if loading { tellLoading(into: &events) }
        isLoading = loading
    }

    /// Ends the media session when the status says so; true when it is over, now or before.
    ///
    /// An idle player is no end by itself: it may load, or step to another queue item (PROTOCOL 5.5).
    mutating func endIfToldSo(_ status: MediaStatus, into events: inout EventCollector) -> Bool {
        guard let reason = status.endReason, !status.loads(mediaSessionID) else { return hasEnded }
        if case .value = status.loadingItemID {
            awaitsMedia = true
            return false
        }
        if wasSuperseded || reason == endedBecause { return true }
        endAdBreak(into: &events)
        events.add(
            .mediaSessionEnded,
            before: hasEnded ? nil : lastKnown,
            after: Self.end(reason), callbacks: [.mediaStatus])
        endedBecause = reason
        playerState = .idle
        isLoading = false
        awaitsMedia = false
        return true
    }

    /// Ends the media session because it is no longer spoken of; the reason was not seen.
    mutating func endUnexplained(_ arrival: MediaArrival, into events: inout EventCollector) {
        events.mediaSessionID = mediaSessionID
        events.positionSeconds = position(at: arrival.monotonic, boot: arrival.boot)
        if arrival.isFirst { adBreak = nil }
        endAdBreak(into: &events)
        events.add(
            .mediaSessionEnded,
            before: lastKnown,
            callbacks: [.mediaStatus])
        wasSuperseded = true
        isLoading = false
        awaitsMedia = false
    }

    /// Tells that a LOAD is under way.
    mutating func tellLoading(into events: inout EventCollector) {
        isLoading = true
        awaitsMedia = true
        playerState = .loading
        events.add(
            .mediaLoading, after: media.map { .object(JSONObject([("media", .object(KeptMedia.shown($0)))])) },
            callbacks: media == nil ? [.mediaStatus] : [.mediaMetadata, .mediaStatus])
    }

    /// What the media session was when it ended.
    private var lastKnown: JSONValue? {
        let named = media?.only(["contentId", "contentUrl", "entity", "duration", "metadata"])
        return JSONObject(known: [("playerState", playerState.map { .string($0.raw) }), ("media", named)]).unlessEmpty
    }

    private static func end(_ reason: IdleReason) -> JSONValue {
        ["playerState": .string(PlayerState.idle.raw), "idleReason": .string(reason.raw)]
    }

    /// Everything a first status says, as kept.
    private func summary(_ status: MediaStatus) -> JSONValue? {
        let told: [(key: String, value: JSONValue?)] = [
            ("playerState", playerState.map { .string($0.raw) }), ("idleReason", status.json["idleReason"]),
            ("currentTime", anchor.map { .number($0.seconds) }), ("playbackRate", playbackRate.map { .number($0) }),
            ("supportedMediaCommands", supportedMediaCommands.map { .integer($0) }),
            (
                "volume",
                JSONObject(known: [
                    ("level", volumeLevel.map { .number($0) }), ("muted", isMuted.map { .bool($0) }),
                ]).unlessEmpty
            ),
            ("media", media.map { .object(KeptMedia.shown($0)) }),
            ("activeTrackIds", activeTrackIDs.map { .array($0.map { .integer($0) }) }),
            ("videoInfo", videoInfo.map { .object($0) }), ("liveSeekableRange", liveRange.map { .object($0) }),
        ]
        return JSONObject(known: told + queueSummary).unlessEmpty
    }

    /// Takes what a first status says.
    private mutating func take(_ status: MediaStatus, _ arrival: MediaArrival) {
        playerState = status.loads(mediaSessionID) ? .loading : status.playerState.ifPresent
        playbackRate = status.playbackRate.ifPresent.flatMap { $0 == 0 && playerState != .playing ? nil : $0 }
        supportedMediaCommands = status.supportedMediaCommands.ifPresent
        volumeLevel = status.volume.ifPresent?.level.ifPresent
        isMuted = status.volume.ifPresent?.muted.ifPresent
        switch status.activeTracks {
        case .absent: break
        case .null: activeTrackIDs = []
        case .value(let told): activeTrackIDs = told.trackIDs
        }
        takeQueue(status)
        videoInfo = KeptMedia.videoInfo(of: status)
        takeLiveRange(status, arrival)
        switch status.media {
        case .value(let told):
            media = KeptMedia.kept(told.json)
            mediaHash = Fingerprint.of(.object(told.json))
            mediaPayload = Fingerprint.of(arrival.payload)
            mediaItemID = currentItemID
        case .absent, .null:
            if case .null = status.media { (media, mediaHash) = (nil, nil) }
            guard let pending = status.extendedStatus.ifPresent?.media.ifPresent else { break }
            media = KeptMedia.kept(pending.json)
            mediaItemID = currentItemID
        }
        anchor = status.plausibleTimeSeconds.map {
            PositionAnchor(
                seconds: $0, monotonic: arrival.monotonic, boot: arrival.boot,
                liveEndSeconds: status.liveSeekableRange.ifPresent?.endSeconds.ifPresent)
        }
    }
}
