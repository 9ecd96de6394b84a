import CastModel
import CastWire

/// A sender's TLS link, as the device sees it.
struct SenderLink: Sendable {
    var lastHeardAt: Duration
    var virtualConnections: [VirtualConnection] = []

    /// Whom to PING: the sender that connected to the platform.
    var platformSenderID: String? {
        virtualConnections.first { $0.destinationID == ReceiverMachine.platform }?.senderID
    }
}

/// A virtual connection that a sender opened with CONNECT.
struct VirtualConnection: Sendable, Equatable {
    /// `connType` (PROTOCOL 2.6).
    enum Strength: Int, Sendable {
        case strong = 0
        case weak = 1
        case invisible = 2
    }

    var senderID: String
    var destinationID: String
    var strength: Strength
    var userAgent: String

    /// Whether the app is told of this sender.
    var isVisible: Bool { strength != .invisible }
}

/// One launch of a receiver app.
struct AppRun: Sendable {
    var app: SimulatedApp
    var sessionID: String
    var statusText: String
    /// False while it starts: RECEIVER_STATUS lists no namespaces yet.
    var isReady: Bool
    var launchedFromCloud: Bool
    var media: MediaMachine?
    /// Messages that came while it started, in order.
    var heldMessages: [HeldMessage] = []

    /// A message for an app that does not listen yet.
    struct HeldMessage: Sendable {
        var link: Int
        var message: CastMessage
        var payload: JSONValue
    }

    /// What the IMA kind of app does about ads.
    var advertising = Advertising.none

    /// More than this are dropped.
    static let heldMessagesLimit = 32

    /// Where its messages go: equal to the session's id, as on current firmware (PROTOCOL 2.4).
    var transportID: String { sessionID }
}

/// A LAUNCH under way.
struct PendingLaunch: Sendable {
    /// The launcher; nil when no sender asked.
    var asker: MediaMachine.Asker?
    var requestID: Int
    var app: SimulatedApp
    /// What to load once it runs.
    var cloudLoad: CloudLoad?
}

/// A LOAD that nobody on the network asks for.
struct CloudLoad: Sendable {
    var media: JSONObject
    /// Where in the media it begins.
    var seconds: Double

    var body: JSONValue {
        var body = JSONObject([("type", "LOAD"), ("requestId", 0), ("media", .object(media))])
        if seconds > 0 { body["currentTime"] = .javaScript(seconds) }
        return .object(body)
    }
}
