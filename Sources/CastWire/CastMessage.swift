/// One message of the Cast V2 channel: the nine fields of its protobuf, none interpreted.
///
/// Source: PROTOCOL 2.2 (openscreen `cast_channel.proto`).
public struct CastMessage: Sendable, Equatable {
    /// Whether the payload is meant as text or as bytes.
    public enum PayloadType: Int, Sendable { case string = 0, binary = 1 }

    /// Field 1.
    ///
    /// 0 is CASTV2_1_0, the only version senders use; 1 to 3 exist; others are kept as they came.
    public var protocolVersion: Int = 0
    /// Field 2: who speaks.
    ///
    /// `sender-0` and `receiver-0` are the platforms.
    public var sourceID: String
    /// Field 3: who is spoken to.
    ///
    /// `*` is everybody.
    public var destinationID: String
    /// Field 4.
    public var namespace: Namespace
    /// Field 5.
    public var payloadType: PayloadType = .string
    /// Field 6, as bytes: the wire does not promise valid UTF-8.
    ///
    /// Nil when absent.
    public var payloadUTF8: [UInt8]?
    /// Field 7.
    ///
    /// Some devices put text here (PROTOCOL 8, row 6). Nil when absent.
    public var payloadBinary: [UInt8]?
    /// Field 8: more chunks of this payload follow.
    ///
    /// Nil when absent.
    public var continued: Bool?
    /// Field 9: bytes still to come over the remaining chunks.
    ///
    /// Nil when absent.
    public var remainingLengthBytes: UInt32?

    /// A message of text, as every message that a sender writes is, but for the deviceauth challenge.
    public init(from sourceID: String, to destinationID: String, _ namespace: Namespace, text: String) {
        self.sourceID = sourceID
        self.destinationID = destinationID
        self.namespace = namespace
        payloadUTF8 = Array(text.utf8)
    }

    /// A message of bytes.
    public init(from sourceID: String, to destinationID: String, _ namespace: Namespace, binary: [UInt8]) {
        self.sourceID = sourceID
        self.destinationID = destinationID
        self.namespace = namespace
        payloadType = .binary
        payloadBinary = binary
    }

    init(sourceID: String, destinationID: String, namespace: Namespace, payloadType: PayloadType) {
        self.sourceID = sourceID
        self.destinationID = destinationID
        self.namespace = namespace
        self.payloadType = payloadType
    }

    /// The destination that means every connected sender.
    public static let broadcastDestination = "*"

    /// The bytes of a text message, whichever field holds them; nil for a binary message.
    public var textBytes: [UInt8]? {
        guard payloadType == .string else { return nil }
        if let payloadUTF8, !payloadUTF8.isEmpty { return payloadUTF8 }
        return payloadBinary ?? payloadUTF8 ?? []
    }

    /// The payload's bytes, text or not.
    ///
    /// Empty when the message carries none.
    public var payloadBytes: [UInt8] {
        textBytes ?? payloadBinary ?? payloadUTF8 ?? []
    }
}
