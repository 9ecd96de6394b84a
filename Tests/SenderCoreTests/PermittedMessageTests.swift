import CastModel
import CastWire
import Recording
import SenderCore
import Testing

/// Every kind of message that can be sent, and what it must look like on the wire.
private let everyMessage: [(message: PermittedMessage, envelope: String, payload: String)] = [
    (
        .connectPlatform, "sender-0 > receiver-0 urn:x-cast:com.google.cast.tp.connection",
        #"{"type":"CONNECT","connType":0,"origin":{},"userAgent":"CastLedger/1.2"}"#
    ),
    (
        .join(joining(.invisible)), "sender-9123456 > web-5 urn:x-cast:com.google.cast.tp.connection",
        #"{"type":"CONNECT","connType":2,"origin":{},"userAgent":"CastLedger/1.2"}"#
    ),
    (
        .join(joining(.weak)), "sender-9123456 > web-5 urn:x-cast:com.google.cast.tp.connection",
        #"{"type":"CONNECT","connType":1,"origin":{},"userAgent":"CastLedger/1.2"}"#
    ),
    (
        .join(joining(.strong)), "sender-9123456 > web-5 urn:x-cast:com.google.cast.tp.connection",
        #"{"type":"CONNECT","connType":0,"origin":{},"userAgent":"CastLedger/1.2"}"#
    ),
    (
        .leave(leaving()), "sender-9123456 > web-5 urn:x-cast:com.google.cast.tp.connection",
        #"{"type":"CLOSE"}"#
    ),
    (.ping, "sender-0 > receiver-0 urn:x-cast:com.google.cast.tp.heartbeat", #"{"type":"PING"}"#),
    (
        .pong(from: "Tr@n$p0rt-0", to: "Tr@n$p0rt-0"),
        "Tr@n$p0rt-0 > Tr@n$p0rt-0 urn:x-cast:com.google.cast.tp.heartbeat", #"{"type":"PONG"}"#
    ),
    (
        .getReceiverStatus(requestID: 731_204_117), "sender-0 > receiver-0 urn:x-cast:com.google.cast.receiver",
        #"{"type":"GET_STATUS","requestId":731204117}"#
    ),
    (
        .getMultizoneStatus(requestID: 731_204_118), "sender-0 > receiver-0 urn:x-cast:com.google.cast.multizone",
        #"{"type":"GET_STATUS","requestId":731204118}"#
    ),
    (
        .getDeviceInformation(requestID: 7),
        "sender-0 > receiver-0 urn:x-cast:com.google.cast.receiver.discovery",
        #"{"type":"GET_DEVICE_INFO","requestId":7}"#
    ),
    (
        .getMediaStatus(TransportID("web-5"), requestID: 8),
        "sender-9123456 > web-5 urn:x-cast:com.google.cast.media", #"{"type":"GET_STATUS","requestId":8}"#
    ),
]

/// The allow-list of PROTOCOL 7.3, as far as it is used.
private let allowedTypes: Set<String> = ["CONNECT", "CLOSE", "PING", "PONG", "GET_STATUS", "GET_DEVICE_INFO"]

private let identity = PermittedMessage.Identity(senderID: "sender-9123456", userAgent: "CastLedger/1.2")

private func joining(_ mode: AttachMode) -> VirtualConnection {
    guard let connection = VirtualConnection(to: TransportID("web-5"), mode) else { fatalError("joins no app") }
    return connection
}

private func leaving() -> InvisibleConnection {
    guard let connection = InvisibleConnection(joining(.invisible)) else { fatalError("is visible") }
    return connection
}

/// One word per case; a new case does not compile before it is listed here, and then above.
private func kind(_ message: PermittedMessage) -> String {
    switch message {
    case .challenge: "challenge"
    case .connectPlatform: "connectPlatform"
    case .join: "join"
    case .leave: "leave"
    case .ping: "ping"
    case .pong: "pong"
    case .getReceiverStatus: "getReceiverStatus"
    case .getMultizoneStatus: "getMultizoneStatus"
    case .getDeviceInformation: "getDeviceInformation"
    case .getMediaStatus: "getMediaStatus"
    }
}

/// The one message of bytes.
private let challenge = PermittedMessage.challenge(nonce: [UInt8](0xA0...0xAF))

@Suite("What may leave the process")
struct PermittedMessageTests {
    @Test func `has one message of bytes, which asks a device who it is`() throws {
        let message = challenge.message(as: identity)
        #expect("\(message.sourceID) > \(message.destinationID)" == "sender-0 > receiver-0")
        #expect(message.namespace.urn == "urn:x-cast:com.google.cast.tp.deviceauth")
        #expect(message.payloadType == .binary && message.payloadUTF8 == nil)
        // By protobuf's rules: PKCS #1 v1.5, the nonce, SHA-256.
        #expect(message.payloadBinary == [0x0A, 22, 0x08, 1, 0x12, 16] + [UInt8](0xA0...0xAF) + [0x18, 1])
    }

    @Test(arguments: everyMessage.indices)
    func `is exactly this on the wire`(index: Int) throws {
        let (message, envelope, payload) = everyMessage[index]
        let frame = try message.frame(as: identity)
        var decoder = FrameDecoder()
        decoder.append(frame)
        let decoded = try CastMessage(decoding: try #require(try decoder.nextBody()))
        #expect("\(decoded.sourceID) > \(decoded.destinationID) \(decoded.namespace)" == envelope)
        #expect(decoded.payloadUTF8.map { String(decoding: $0, as: UTF8.self) } == payload)
        #expect(decoded.payloadBinary == nil)
        #expect(decoded.protocolVersion == 0)
        #expect(decoder.pendingBytes == 0)
        #expect(decoded == message.message(as: identity), "the record shows what was sent")
    }

    @Test func `is all listed here, and nothing else exists`() throws {
        #expect(Set(everyMessage.map { kind($0.message) } + [kind(challenge)]).count == 10)
        let parser = JSONParser()
        for (message, _, _) in everyMessage {
            let type = try parser.parse(message.message(as: identity).payloadBytes)["type"]?.string
            #expect(allowedTypes.contains(try #require(type)))
        }
    }

    @Test func `is, byte for byte, what protobuf's rules say of a PING`() throws {
        // Made by a few lines of Python from the protobuf encoding rules.
        let expected = """
            000000540800120873656e6465722d301a0a72656365697665722d30222775726e3a782d636173743a636f6d2e676f6f676c652e\
            636173742e74702e6865617274626561742800320f7b2274797065223a2250494e47227d
            """
        let hexadecimal = try PermittedMessage.ping.frame(as: identity).map {
            ($0 < 16 ? "0" : "") + String($0, radix: 16)
        }
        #expect(hexadecimal.joined() == expected)
    }

    @Test(arguments: [AttachMode.weak, .strong])
    func `never includes CLOSE for an app that knows of us`(mode: AttachMode) {
        #expect(InvisibleConnection(joining(mode)) == nil)
    }

    @Test func `joins no app when only the platform is to be watched`() {
        #expect(VirtualConnection(to: TransportID("web-5"), .platform) == nil)
    }

    @Test func `joins no app whose transport id is absurd`() {
        let longest = String(repeating: "a", count: 256)
        #expect(VirtualConnection(to: TransportID(longest), .invisible) != nil)
        #expect(VirtualConnection(to: TransportID(longest + "a"), .invisible) == nil)
    }

    @Test func `stays JSON whatever the version is called`() throws {
        let odd = PermittedMessage.Identity(senderID: "sender-9123456", userAgent: "CastLedger/\"\\\n\u{1}é")
        let json = try JSONParser().parse(PermittedMessage.connectPlatform.message(as: odd).payloadBytes)
        #expect(json["userAgent"]?.string == "CastLedger/\"\\\n\u{1}é")
    }
}
