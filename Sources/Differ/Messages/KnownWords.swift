import CastModel
import CastWire

/// The words that this version gives a meaning to, or knows to leave alone (PROTOCOL 3, 4, 6).
enum KnownWords {
    /// Calls `tell` for everything in a message that is not known.
    static func look(
        at payload: Payload, on namespace: Namespace, _ tell: (NotUnderstood.Subject, _ word: String) -> Void
    ) {
        guard let types = types[namespace] else { return }
        if let type = payload.type, !types.contains(type.word) { tell(.messageType, type.raw) }
        switch (namespace, payload.type) {
        case (.receiver, PayloadType.receiverStatus?):
            if let status = payload.json["status"]?.object { look(atReceiver: status, tell) }
        // Some apps leave the type away.
        case (.media, PayloadType.mediaStatus?),
            (.media, nil) where payload.type != nil || payload.json["playerState"] != nil:
            for status in MediaStatusMessage.statuses(in: payload.json) { look(atMedia: status.json, tell) }
        case (.media, PayloadType.queueChange?):
            look(payload.json["changeType"], in: queueChangeTypes, .queueChangeType, tell)
        default: break
        }
    }

    private static func look(
        atReceiver status: JSONObject, _ tell: (NotUnderstood.Subject, String) -> Void
    ) {
        for (key, value) in status.pairs {
            switch key {
            case "applications":
                for app in value.array?.prefix(ReceiverStatus.appLimit) ?? [] {
                    for (key, value) in app.object?.pairs ?? [] {
                        if !appKeys.contains(key) { tell(.appKey, key) }
                        if key == "appType" { look(value, in: appTypes, .appType, tell) }
                    }
                }
            case "volume": look(value["controlType"], in: controlTypes, .controlType, tell)
            default: if !receiverKeys.contains(key) { tell(.receiverKey, key) }
            }
        }
    }

    private static func look(atMedia status: JSONObject, _ tell: (NotUnderstood.Subject, String) -> Void) {
        for (key, value) in status.pairs {
            switch key {
            case "media": if let media = value.object { look(atContent: media, tell) }
            case "playerState": look(value, in: playerStates, .playerState, tell)
            case "idleReason": look(value, in: idleReasons, .idleReason, tell)
            case "repeatMode": look(value, in: repeatModes, .repeatMode, tell)
            case "supportedMediaCommands":
                guard let bits = value.lossyInteger else { continue }
                // The sign bit is none of a device's.
                for bit in 19..<63 where bits >> bit & 1 == 1 { tell(.commandBit, String(Int64(1) << bit)) }
            default: if !mediaStatusKeys.contains(key) { tell(.mediaStatusKey, key) }
            }
        }
    }

    private static func look(atContent media: JSONObject, _ tell: (NotUnderstood.Subject, String) -> Void) {
        for (key, value) in media.pairs {
            switch key {
            case "streamType": look(value, in: streamTypes, .streamType, tell)
            case "tracks":
                for track in value.array?.prefix(MediaInformation.trackLimit) ?? [] {
                    look(track["type"], in: trackTypes, .trackType, tell)
                }
            default: if !mediaKeys.contains(key) { tell(.mediaKey, key) }
            }
        }
    }

    /// A word of an open set; null and what is no word say nothing.
    private static func look(
        _ value: JSONValue?, in known: Set<String>, _ subject: NotUnderstood.Subject,
        _ tell: (NotUnderstood.Subject, String) -> Void
    ) {
        guard let word = value?.lossyText, !known.contains(word), !known.contains(word.uppercased()) else { return }
        tell(subject, word)
    }

    private static let types: [Namespace: Set<String>] = [
        .connection: ["CONNECT", "CONNECTED", "CLOSE"],
        .receiver: [
            "RECEIVER_STATUS", "LAUNCH_STATUS", "LAUNCH_ERROR", "INVALID_REQUEST", "GET_APP_AVAILABILITY",
        ],
        .media: [
            "MEDIA_STATUS", "LOAD_FAILED", "LOAD_CANCELLED", "INVALID_PLAYER_STATE", "INVALID_REQUEST", "ERROR",
            "QUEUE_CHANGE", "QUEUE_ITEM_IDS", "QUEUE_ITEMS", "SESSION_STATE", "CLOUD_STATUS", "CUSTOM_STATE",
        ],
        .multizone: [
            "MULTIZONE_STATUS", "DEVICE_ADDED", "DEVICE_UPDATED", "DEVICE_REMOVED", "CASTING_GROUPS",
            "PLAYBACK_SESSION_UPDATED",
        ],
        .discovery: ["DEVICE_INFO", "GET_DEVICE_INFO"],
        .setup: ["EUREKA_INFO"],
    ]

    private static let receiverKeys: Set<String> = ["isActiveInput", "isStandBy", "userEq", "version"]
    private static let appKeys: Set<String> = [
        "appId", "appImages", "appType", "displayName", "iconUrl", "isIdleScreen", "launchedFromCloud", "namespaces",
        "senderApps", "senderConnected", "sessionId", "statusText", "transportId", "universalAppId",
    ]
    private static let mediaStatusKeys: Set<String> = [
        "activeTrackIds", "breakStatus", "currentItemId", "currentTime", "customData", "extendedStatus", "items",
        "liveSeekableRange", "loadingItemId", "mediaSessionId", "playbackRate", "preloadedItemId", "queueData",
        "requestId", "responseType", "type", "videoInfo", "volume",
    ]
    private static let mediaKeys: Set<String> = [
        "breakClips", "breaks", "contentId", "contentType", "contentUrl", "customData", "duration", "entity",
        "hlsSegmentFormat", "hlsVideoSegmentFormat", "mediaCategory", "metadata", "startAbsoluteTime",
        "textTrackStyle", "userActionStates", "vmapAdsRequest",
    ]
    private static let appTypes: Set<String> = ["WEB", "ANDROID_TV"]
    private static let controlTypes: Set<String> = ["ATTENUATION", "MASTER", "FIXED"]
    private static let playerStates: Set<String> = ["IDLE", "PLAYING", "PAUSED", "BUFFERING", "LOADING"]
    private static let idleReasons: Set<String> = ["CANCELLED", "INTERRUPTED", "FINISHED", "ERROR"]
    private static let streamTypes: Set<String> = ["BUFFERED", "LIVE", "NONE"]
    private static let repeatModes: Set<String> = [
        "REPEAT_OFF", "REPEAT_ALL", "REPEAT_SINGLE", "REPEAT_ALL_AND_SHUFFLE",
    ]
    private static let trackTypes: Set<String> = ["TEXT", "AUDIO", "VIDEO"]
    private static let queueChangeTypes: Set<String> = ["INSERT", "REMOVE", "UPDATE", "ITEMS_CHANGE", "NO_CHANGE"]
}
