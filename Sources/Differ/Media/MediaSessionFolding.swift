import CastModel
import Recording

/// How a further status changes a media session.
extension MediaSession {
    /// Folds a further status: adds what changed, and takes it.
    mutating func fold(_ status: MediaStatus, _ arrival: MediaArrival, into events: inout EventCollector) {
        events.mediaSessionID = mediaSessionID
        // A break that ran before a gap has no end that anybody saw.
        if arrival.isFirst { adBreak = nil }
        let expectedSeconds = position(at: arrival.monotonic, boot: arrival.boot)
        let toldSeconds = status.plausibleTimeSeconds
        events.positionSeconds = toldSeconds ?? expectedSeconds
        let now = (toldSeconds ?? expectedSeconds).map {
            PositionAnchor(
                seconds: $0, monotonic: arrival.monotonic, boot: arrival.boot,
                liveEndSeconds: status.liveSeekableRange.ifPresent?.endSeconds.ifPresent)
        }
        defer { anchor = now }
        if endIfToldSo(status, into: &events) { return }
        let before = expectedSeconds.flatMap { expected in
            anchor.map { PositionBefore(expectedSeconds: expected, anchor: $0, playerState: playerState) }
        }
        let wasInBreak = adBreak != nil
        let eventsBefore = events.events.count
        let isSettling = awaitsMedia
        let mediaBefore = media
        let queueNews = foldQueue(status, arrival, into: &events)
        if status.loads(mediaSessionID) {
            if media == nil { takePendingMedia(status) }
            if !isLoading { tellLoading(into: &events) }
        } else if status.playerState.isMentioned {
            isLoading = false
        }
        let completes = foldMedia(status, arrival, itemsChanged: queueNews.itemsChanged, into: &events)
        foldAdBreak(status, into: &events)
        foldPlayerState(status, into: &events)
        foldRate(status, isSettling: isSettling, into: &events)
        foldVolume(status, isSettling: isSettling, into: &events)
        foldTracks(status, mediaBefore: mediaBefore, into: &events)
        foldPlayer(status, isSettling: isSettling, into: &events)
        let mayJump = playerState != .idle && !isLoading && !completes && !queueNews.itemChanged && !arrival.isFirst
        if mayJump, !wasInBreak, adBreak == nil, let toldSeconds, let before, before.playerState != .idle,
            before.playerState != .loading
        {
            foldJump(
                status, to: toldSeconds, from: before, arrival, carried: Array(events.events[eventsBefore...]),
                into: &events)
        }
        foldLiveRange(status, arrival, into: &events)
    }

    private mutating func takePendingMedia(_ status: MediaStatus) {
        guard let pending = status.media.ifPresent ?? status.extendedStatus.ifPresent?.media.ifPresent else { return }
        media = KeptMedia.kept(pending.json)
        mediaItemID = currentItemID
    }

    private mutating func foldPlayerState(_ status: MediaStatus, into events: inout EventCollector) {
        guard !isLoading, let told = status.playerState.ifPresent, told != playerState else { return }
        events.add(
            .playerStateChanged, "playerState", from: playerState.map { .string($0.raw) }, to: .string(told.raw),
            callbacks: [.mediaStatus])
        playerState = told
    }

    /// Rate 0 is no speed: it is seen after a STOP, and says what the player state says already (PROTOCOL 8, row 19).
    ///
    /// Nor is the usual speed a change where no other was told before.
    ///
    /// Here as below: what the completion of a LOAD says for the first time belongs to the LOAD and is no change.
    private mutating func foldRate(_ status: MediaStatus, isSettling: Bool, into events: inout EventCollector) {
        guard let told = status.playbackRate.ifPresent, told != playbackRate else { return }
        if told == 0, playerState != .playing { return }
        if playbackRate != nil || !(isSettling || told == 1) {
            events.add(
                .playbackRateChanged, "playbackRate", from: playbackRate.map { .number($0) }, to: .number(told),
                callbacks: [.mediaStatus])
        }
        playbackRate = told
    }

    private mutating func foldVolume(_ status: MediaStatus, isSettling: Bool, into events: inout EventCollector) {
        guard let volume = status.volume.ifPresent else { return }
        let level = volume.level.ifPresent ?? volumeLevel
        let muted = volume.muted.ifPresent ?? isMuted
        let levelChanged = level.map { !$0.isLevel(volumeLevel) } ?? false
        let muteChanged = muted != isMuted
        guard levelChanged || muteChanged else { return }
        defer { (volumeLevel, isMuted) = (level, muted) }
        if isSettling, volumeLevel == nil, isMuted == nil { return }
        func shown(_ level: Double?, _ muted: Bool?) -> JSONValue? {
            JSONObject(known: [
                ("level", levelChanged ? level.map { .number($0) } : nil),
                ("muted", muteChanged ? muted.map { .bool($0) } : nil),
            ]).unlessEmpty
        }
        events.add(
            .streamVolumeChanged, before: shown(volumeLevel, isMuted), after: shown(level, muted),
            callbacks: [.mediaStatus])
    }

    private mutating func foldPlayer(_ status: MediaStatus, isSettling: Bool, into events: inout EventCollector) {
        if let told = status.supportedMediaCommands.ifPresent, told != supportedMediaCommands {
            if supportedMediaCommands != nil || !isSettling {
                events.add(
                    .supportedCommandsChanged, "supportedMediaCommands",
                    from: supportedMediaCommands.map { .integer($0) }, to: .integer(told), callbacks: [.mediaStatus])
            }
            supportedMediaCommands = told
        }
        if let told = KeptMedia.videoInfo(of: status), told != videoInfo {
            events.add(
                .videoInfoChanged, "videoInfo", from: videoInfo.map { .object($0) }, to: .object(told),
                callbacks: [.mediaStatus])
            videoInfo = told
        }
    }
}

extension Double {
    /// Whether two volume levels are the same, but for the noise of 32-bit floats.
    func isLevel(_ other: Double?) -> Bool {
        guard let other else { return false }
        return (self - other).magnitude < 1e-6
    }
}
