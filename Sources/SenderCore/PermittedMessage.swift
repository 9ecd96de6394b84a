public import CastModel
public import CastWire

/// Everything that may leave this process towards a device: a closed list (PROTOCOL 7.3).
///
/// A link sends these and nothing else, so no caller can disturb a device. The payloads are fixed here; what varies is
/// our request number, the app's transport id, and the two endpoint ids that a PING named.
public enum PermittedMessage: Sendable, Equatable {
    /// The deviceauth challenge: 16 bytes to sign (PROTOCOL 2.8).
    case challenge(nonce: [UInt8])
    /// CONNECT, strong, to `receiver-0`: the platform accepts no other type.
    case connectPlatform
    /// CONNECT to a receiver app.
    case join(VirtualConnection)
    /// CLOSE of a virtual connection that the app never knew of.
    case leave(InvisibleConnection)
    /// PING to the platform.
    case ping
    /// PONG, from the endpoint that was asked to the endpoint that asked.
    case pong(from: String, to: String)
    /// GET_STATUS to the platform, answered with RECEIVER_STATUS.
    case getReceiverStatus(requestID: Int64)
    /// GET_STATUS on the multizone namespace, answered with MULTIZONE_STATUS.
    case getMultizoneStatus(requestID: Int64)
    /// GET_DEVICE_INFO, which older devices do not answer.
    case getDeviceInformation(requestID: Int64)
    /// GET_STATUS to a receiver app, answered with MEDIA_STATUS.
    case getMediaStatus(TransportID, requestID: Int64)

    /// The longest endpoint id that is sent, in bytes; real ones have at most 36.
    public static let endpointLimitBytes = 256
    /// The platform of a device.
    public static let receiverPlatformID = "receiver-0"
    /// Our platform.
    public static let senderPlatformID = "sender-0"

    /// Who we are on one link.
    public struct Identity: Sendable, Equatable {
        /// Our sender id towards receiver apps: `sender-9` and six digits, new for every link (PROTOCOL 2.4).
        public var senderID: String
        /// What we call ourselves in CONNECT: `CastLedger/<version>`.
        public var userAgent: String

        /// An identity.
        public init(senderID: String, userAgent: String) {
            self.senderID = senderID
            self.userAgent = userAgent
        }
    }

    /// The message as it is sent and recorded.
    public func message(as identity: Identity) -> CastMessage {
        switch self {
        case .challenge(let nonce):
            return CastMessage(
                from: Self.senderPlatformID, to: Self.receiverPlatformID, .deviceAuthentication,
                binary: AuthenticationChallenge(nonce: nonce).payload)
        case .connectPlatform:
            return toPlatform(.connection, Self.connect(.strong, identity))
        case .join(let connection):
            return CastMessage(
                from: identity.senderID, to: connection.transport.text, .connection,
                text: Self.connect(connection.type, identity).text)
        case .leave(let connection):
            return CastMessage(
                from: identity.senderID, to: connection.transport.text, .connection, text: #"{"type":"CLOSE"}"#)
        case .ping:
            return CastMessage(
                from: Self.senderPlatformID, to: Self.receiverPlatformID, .heartbeat, text: #"{"type":"PING"}"#)
        case .pong(let source, let destination):
            return CastMessage(from: source, to: destination, .heartbeat, text: #"{"type":"PONG"}"#)
        case .getReceiverStatus(let requestID):
            return toPlatform(.receiver, Self.request("GET_STATUS", requestID))
        case .getMultizoneStatus(let requestID):
            return toPlatform(.multizone, Self.request("GET_STATUS", requestID))
        case .getDeviceInformation(let requestID):
            return toPlatform(.discovery, Self.request("GET_DEVICE_INFO", requestID))
        case .getMediaStatus(let transport, let requestID):
            return CastMessage(
                from: identity.senderID, to: transport.text, .media,
                text: Self.request("GET_STATUS", requestID).text)
        }
    }

    /// The bytes to put on the wire: length prefix and body.
    ///
    /// - Throws: ``WireError/messageTooLong(bytes:limitBytes:)``, only for a user agent or an endpoint id of
    ///   more than 64 KiB.
    public func frame(as identity: Identity) throws(WireError) -> [UInt8] {
        try FrameEncoder.frame(message(as: identity))
    }

    private func toPlatform(_ namespace: Namespace, _ payload: JSONValue) -> CastMessage {
        CastMessage(from: Self.senderPlatformID, to: Self.receiverPlatformID, namespace, text: payload.text)
    }

    private static func connect(_ type: ConnectionType, _ identity: Identity) -> JSONValue {
        [
            "type": "CONNECT", "connType": .integer(type.rawValue), "origin": [:],
            "userAgent": .string(identity.userAgent),
        ]
    }

    private static func request(_ type: String, _ requestID: Int64) -> JSONValue {
        ["type": .string(type), "requestId": .integer(requestID)]
    }
}
