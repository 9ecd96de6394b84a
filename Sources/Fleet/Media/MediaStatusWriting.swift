import CastModel

/// The messages that the media namespace sends.
extension MediaMachine {
    /// How much a status says (PROTOCOL 5.2).
    enum Extent {
        /// Neither media nor items.
        case brief
        /// Items, without media.
        case withItems
        /// Media and items.
        case withMedia
    }

    /// `supportedMediaCommands`: what can be done now (PROTOCOL 4.9).
    private static func supportedCommands(_ playback: MediaPlayback) -> Int {
        var commands = 274_447  // ALL_BASIC_MEDIA and STREAM_TRANSFER.
        let seek = 2
        if playback.queue.items.count > 1 {
            commands |= 256 | 3072  // QUEUE_SHUFFLE, QUEUE_REPEAT.
            if playback.queue.index(steppingBy: 1) != nil { commands |= 64 }  // QUEUE_NEXT.
            if playback.queue.index(steppingBy: -1) != nil { commands |= 128 }  // QUEUE_PREV.
        }
        if let adBreak = playback.adBreak {
            commands &= ~seek
            if adBreak.clip?.whenSkippable != nil { commands |= 512 }  // SKIP_AD.
        }
        // YouTube's way of saying that an ad may be skipped.
        if playback.hiddenAd?.isSkippable == true { commands &= ~seek }
        return commands
    }

    static func message(_ statuses: [JSONValue], requestID: Int) -> JSONValue {
        ["type": "MEDIA_STATUS", "status": .array(statuses), "requestId": .count(requestID)]
    }

    /// An answer of one type, with nothing but the request's id and perhaps a reason.
    static func answer(_ type: String, to request: Request, reason: String? = nil) -> JSONValue {
        var body = JSONObject([("requestId", .count(request.requestID)), ("type", .string(type))])
        if let reason { body["reason"] = .string(reason) }
        return .object(body)
    }

    /// The current status as GET_STATUS has it: empty once the end has been reported (PROTOCOL 5.5).
    func fullStatus(at now: Duration, _ extent: Extent) -> [JSONValue] {
        switch phase {
        case .empty: []
        case .loaded(let playback): [mediaStatus(playback, at: now, extent)]
        case .loading(let load, over: let old): [loadingStatus(load, over: old, at: now)]
        }
    }

    func mediaStatus(_ playback: MediaPlayback, at now: Duration, _ extent: Extent) -> JSONValue {
        var fields = common(playback, playerState: playback.playerState.rawValue, at: now)
        fields["activeTrackIds"] = .integers(playback.activeTrackIDs)
        fields["preloadedItemId"] = playback.preloadedItemID.map { .count($0) }
        fields["breakStatus"] = playback.adBreak?.json(at: now, isPlaying: playback.playerState == .playing)
        if playback.hiddenAd != nil { fields["customData"] = ["playerState": 1081] }
        switch extent {
        case .brief: break
        case .withItems: fields["items"] = .array(playback.queue.shownItems.map { .object($0.body) })
        case .withMedia:
            fields["media"] = .object(playback.media)
            fields["items"] = .array(playback.queue.shownItems.map { .object($0.body) })
            fields["queueData"] = playback.queue.data.map { .object($0) }
        }
        return .object(fields)
    }

    /// IDLE for a known reason.
    func idleStatus(
        _ playback: MediaPlayback, reason: String, loadingItemID: Int? = nil, at now: Duration
    ) -> JSONValue {
        var fields = common(playback, playerState: "IDLE", at: now)
        fields["idleReason"] = .string(reason)
        if let loadingItemID { fields["loadingItemId"] = .count(loadingItemID) }
        return .object(fields)
    }

    /// IDLE while something loads: over running media without `media`, else with it (PROTOCOL 5.1).
    func loadingStatus(_ load: PendingLoad, over old: MediaPlayback?, at now: Duration) -> JSONValue {
        let extended: JSONValue = [
            "playerState": "LOADING", "media": .object(load.playback.media),
            "mediaSessionId": .count(load.playback.mediaSessionID),
        ]
        var fields: JSONObject
        if let old {
            fields = common(old, playerState: "IDLE", at: now)
            fields["idleReason"] = "INTERRUPTED"
        } else {
            fields = common(load.playback, playerState: "IDLE", at: now)
            fields["currentTime"] = 0
            fields["media"] = .object(load.playback.media)
        }
        if load.isQueueStep {
            fields["loadingItemId"] = load.playback.queue.current.map { .count($0.itemID) }
        } else {
            fields["extendedStatus"] = extended
        }
        return .object(fields)
    }

    /// Microseconds are more than a receiver knows; they keep the text short.
    private static func microseconds(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }

    private func common(_ playback: MediaPlayback, playerState: String, at now: Duration) -> JSONObject {
        let position = Self.microseconds(playback.positionSeconds(at: now))
        var fields = JSONObject([
            ("mediaSessionId", .count(playback.mediaSessionID)),
            ("playbackRate", .javaScript(playback.rate)),
            ("playerState", .string(playerState)),
            ("currentTime", .javaScript(position)),
            ("supportedMediaCommands", .count(Self.supportedCommands(playback))),
            ("volume", ["level": .javaScript(streamLevel), "muted": .bool(streamMuted)]),
        ])
        fields["currentItemId"] = playback.queue.current.map { .count($0.itemID) }
        fields["repeatMode"] = .string(playback.queue.repeatMode)
        if let range = playback.liveRange(at: now) {
            fields["liveSeekableRange"] = [
                "start": .javaScript(Self.microseconds(range.start)), "end": .javaScript(Self.microseconds(range.end)),
                "isMovingWindow": true, "isLiveDone": false,
            ]
        }
        return fields
    }
}
