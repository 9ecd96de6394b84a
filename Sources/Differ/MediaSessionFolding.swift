import CastModel
import Recording

/// How a further status changes a media session.
extension MediaSession {
    /// Folds a further status: adds what changed, and takes it.
    mutating func fold(_ status: MediaStatus, _ arrival: MediaArrival, into events: inout EventCollector) {
        events.mediaSessionID = mediaSessionID
        let expectedSeconds = position(at: arrival.monotonic, boot: arrival.boot)
        let toldSeconds = status.plausibleTimeSeconds
        events.positionSeconds = toldSeconds ?? expectedSeconds
        if endIfToldSo(status, into: &events) {
            anchor = (toldSeconds ?? expectedSeconds).map {
                PositionAnchor(seconds: $0, monotonic: arrival.monotonic, boot: arrival.boot)
            }
            return
        }
        let before = playerState
        let isElsewhere = changesItem(status)
        let eventsBefore = events.events.count
        if status.loads(mediaSessionID) {
            if media == nil { takePendingMedia(status) }
            if !isLoading { tellLoading(into: &events) }
        } else if status.playerState.isMentioned {
            isLoading = false
        }
        let completes = foldMedia(status, arrival, into: &events)
        foldPlayerState(status, into: &events)
        foldRate(status, into: &events)
        foldVolume(status, into: &events)
        foldTracks(status, into: &events)
        foldExtras(status, into: &events)
        if let toldSeconds, let expectedSeconds, before != .idle, before != .loading, playerState != .idle,
            !isLoading, !completes, !isElsewhere, !arrival.isFirst
        {
            foldJump(
                from: expectedSeconds, to: toldSeconds, arrival, carried: events.events.count > eventsBefore,
                into: &events)
        }
        if let seconds = toldSeconds ?? expectedSeconds {
            anchor = PositionAnchor(seconds: seconds, monotonic: arrival.monotonic, boot: arrival.boot)
        } else {
            anchor = nil
        }
    }

    /// A jump against the extrapolation beyond this is a seek, in seconds (DESIGN 4).
    static let jumpSeconds = 1.5

    /// Adds a seek where the position jumped.
    ///
    /// The receiver's own return to the start is a repeat; where another event of the same message carries the new
    /// position already, it is not called a seek.
    private func foldJump(
        from expected: Double, to told: Double, _ arrival: MediaArrival, carried: Bool,
        into events: inout EventCollector
    ) {
        guard (told - expected).magnitude > Self.jumpSeconds else { return }
        let restarts = told <= Self.jumpSeconds && (arrival.requestID ?? 0) == 0
        if restarts && carried { return }
        var after = JSONObject([("currentTime", .number(told))])
        if restarts { after["restart"] = true }
        events.add(
            .seeked, before: ["currentTime": .number((expected * 1000).rounded() / 1000)], after: .object(after),
            callbacks: [.mediaStatus])
    }

    /// Whether another queue item plays now.
    private mutating func changesItem(_ status: MediaStatus) -> Bool {
        guard case .value(let item) = status.currentItemID, item != currentItemID else { return false }
        let isOther = currentItemID != nil
        currentItemID = item
        if isOther { awaitsMedia = true }
        return isOther
    }

    private mutating func takePendingMedia(_ status: MediaStatus) {
        guard let pending = status.media.ifPresent ?? status.extendedStatus.ifPresent?.media.ifPresent else { return }
        media = KeptMedia.kept(pending.json)
    }

    private mutating func foldPlayerState(_ status: MediaStatus, into events: inout EventCollector) {
        guard !isLoading, let told = status.playerState.ifPresent, told != playerState else { return }
        events.add(
            .playerStateChanged, "playerState", from: playerState.map { .string($0.raw) }, to: .string(told.raw),
            callbacks: [.mediaStatus])
        playerState = told
    }

    private mutating func foldRate(_ status: MediaStatus, into events: inout EventCollector) {
        guard let told = status.playbackRate.ifPresent, told != playbackRate else { return }
        events.add(
            .playbackRateChanged, "playbackRate", from: playbackRate.map { .number($0) }, to: .number(told),
            callbacks: [.mediaStatus])
        playbackRate = told
    }

    private mutating func foldVolume(_ status: MediaStatus, into events: inout EventCollector) {
        guard let volume = status.volume.ifPresent else { return }
        let level = volume.level.ifPresent ?? volumeLevel
        let muted = volume.muted.ifPresent ?? isMuted
        let levelChanged = level.map { !$0.isLevel(volumeLevel) } ?? false
        let muteChanged = muted != isMuted
        guard levelChanged || muteChanged else { return }
        func shown(_ level: Double?, _ muted: Bool?) -> JSONValue? {
            JSONObject(known: [
                ("level", levelChanged ? level.map { .number($0) } : nil),
                ("muted", muteChanged ? muted.map { .bool($0) } : nil),
            ]).unlessEmpty
        }
        events.add(
            .streamVolumeChanged, before: shown(volumeLevel, isMuted), after: shown(level, muted),
            callbacks: [.mediaStatus])
        (volumeLevel, isMuted) = (level, muted)
    }

    /// Absent says nothing; `null` and `[]` both say "none" (PROTOCOL 4.3).
    private mutating func foldTracks(_ status: MediaStatus, into events: inout EventCollector) {
        let told: [Int64]
        switch status.activeTracks {
        case .absent: return
        case .null: told = []
        case .value(let tracks): told = tracks.trackIDs
        }
        defer { activeTrackIDs = told }
        guard ActiveTracks(told) != ActiveTracks(activeTrackIDs ?? []) else { return }
        events.add(
            .activeTracksChanged, "activeTrackIds", from: activeTrackIDs.map { .array($0.map { .integer($0) }) },
            to: .array(told.map { .integer($0) }), callbacks: [.mediaStatus])
    }

    private mutating func foldExtras(_ status: MediaStatus, into events: inout EventCollector) {
        if let told = status.supportedMediaCommands.ifPresent, told != supportedMediaCommands {
            events.add(
                .supportedCommandsChanged, "supportedMediaCommands",
                from: supportedMediaCommands.map { .integer($0) }, to: .integer(told), callbacks: [.mediaStatus])
            supportedMediaCommands = told
        }
        if let told = status.videoInfo.ifPresent, told != videoInfo {
            events.add(
                .videoInfoChanged, "videoInfo", from: videoInfo.map { .object($0) }, to: .object(told),
                callbacks: [.mediaStatus])
            videoInfo = told
        }
        foldLiveRange(status, into: &events)
    }

    /// A live range moves all the time; only its coming, its going and its flags are changes.
    private mutating func foldLiveRange(_ status: MediaStatus, into events: inout EventCollector) {
        let told: JSONObject?
        switch status.liveSeekableRange {
        case .absent: return
        case .null: told = nil
        case .value(let range): told = range
        }
        let flags = ["isMovingWindow", "isLiveDone"]
        defer { liveRange = told }
        guard (told == nil) != (liveRange == nil) || flags.contains(where: { told?[$0] != liveRange?[$0] }) else {
            return
        }
        events.add(
            .liveRangeChanged, "liveSeekableRange", from: liveRange.map { .object($0) },
            to: told.map { .object($0) }, callbacks: [.mediaStatus])
    }
}

extension Double {
    /// Whether two volume levels are the same, but for the noise of 32-bit floats.
    func isLevel(_ other: Double?) -> Bool {
        guard let other else { return false }
        return (self - other).magnitude < 1e-6
    }
}
