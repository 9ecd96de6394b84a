import CastModel
import CastWire

/// What a payload tells of the message that it came in, when nothing else does.
struct PayloadGuess {
    /// The namespace that its `type` belongs to; the media namespace when it does not say.
    let namespace: Namespace
    /// Whether it is a sender's request, not something a device says.
    let isRequest: Bool
    /// Whether it is a payload at all: it has a type, or fields that only statuses have.
    let isPayload: Bool
    /// The transport of the app that runs, in a receiver status.
    let transport: String?

    /// The transport of messages before any receiver status has named one.
    static let transport = "transport-0"

    /// Guesses from the payload's type, else from its fields.
    init(_ payload: JSONValue) {
        guard let object = payload.object else {
            (namespace, isRequest, isPayload, transport) = (.media, false, false, nil)
            return
        }
        let envelope = Payload(object)
        let type = envelope.type?.raw ?? ""
        let hasReceiverFields = object["status"]?.object.map { status in
            ["applications", "isActiveInput", "isStandBy"].contains { status[$0] != nil }
        }
        if let known = Self.namespaces[type] {
            namespace = known
        } else if envelope.type == nil, hasReceiverFields == true {
            namespace = .receiver
        } else {
            namespace = .media
        }
        isRequest = Self.requests.contains(type)
        isPayload =
            envelope.type != nil
            || ["status", "playerState", "mediaSessionId"].contains { object[$0] != nil }
        transport = namespace == .receiver ? Self.transport(in: object) : nil
    }

    private static func transport(in object: JSONObject) -> String? {
        guard let status = object["status"]?.object, let apps = status["applications"]?.array else { return nil }
        let running = apps.lazy.compactMap { $0.object.map { ReceiverApp($0) } }.first { !$0.isIdleScreen }
        return running?.transportID?.text
    }

    private static let namespaces: [String: Namespace] = {
        var table: [String: Namespace] = [:]
        for (namespace, types) in [
            (
                Namespace.receiver,
                ["RECEIVER_STATUS", "LAUNCH_STATUS", "LAUNCH_ERROR", "GET_APP_AVAILABILITY", "LAUNCH", "STOP"]
            ),
            (.connection, ["CONNECT", "CONNECTED", "CLOSE"]), (.heartbeat, ["PING", "PONG"]),
            (
                .multizone,
                [
                    "MULTIZONE_STATUS", "DEVICE_ADDED", "DEVICE_UPDATED", "DEVICE_REMOVED",
                    "PLAYBACK_SESSION_UPDATED", "CASTING_GROUPS",
                ]
            ), (.discovery, ["DEVICE_INFO", "GET_DEVICE_INFO"]), (.setup, ["eureka_info"]),
        ] {
            for type in types { table[type] = namespace }
        }
        return table
    }()

    /// PROTOCOL 3.1 and 4.1; a device says none of these.
    private static let requests: Set<String> = [
        "GET_STATUS", "LAUNCH", "STOP", "SET_VOLUME", "GET_DEVICE_INFO", "CONNECT", "LOAD", "PLAY", "PAUSE", "SEEK",
        "PLAY_AGAIN", "SKIP_AD", "SET_PLAYBACK_RATE", "EDIT_TRACKS_INFO", "EDIT_AUDIO_TRACKS", "QUEUE_LOAD",
        "QUEUE_INSERT", "QUEUE_UPDATE", "QUEUE_REMOVE", "QUEUE_REORDER", "QUEUE_NEXT", "QUEUE_PREV", "QUEUE_SHUFFLE",
        "QUEUE_GET_ITEM_IDS", "QUEUE_GET_ITEMS", "QUEUE_GET_ITEM_RANGE", "PRECACHE", "PRELOAD", "USER_ACTION",
        "STORE_SESSION", "RESUME_SESSION", "SET_CREDENTIALS",
    ]
}

extension Namespace {
    /// Whether messages of the namespace come from the device's platform, not from an app.
    var isOfPlatform: Bool {
        switch self {
        case .connection, .heartbeat, .deviceAuthentication, .receiver, .multizone, .discovery, .setup: true
        default: false
        }
    }
}
