/// Writes messages as frames.
///
/// Reserved to the two who may speak: `SenderCore/PermittedMessage.swift`, whose closed list is the promise that we
/// disturb nobody, and the simulated fleet. A repository test holds everybody else off.
public enum FrameEncoder {
    /// The longest body that may be sent, in bytes (PROTOCOL 2.1).
    public static let bodyLimitBytes = 1 << 16

    /// The frame of one message: length prefix and body.
    public static func frame(_ message: CastMessage) throws(WireError) -> [UInt8] {
        let body = message.encodedBody()
        guard body.count <= bodyLimitBytes else {
            throw .messageTooLong(bytes: body.count, limitBytes: bodyLimitBytes)
        }
        let length = UInt32(body.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + body
    }
}

extension CastMessage {
    /// The protobuf body, without the length prefix.
    ///
    /// Fields 1 and 5 are written even when 0 (PROTOCOL 2.2).
    public func encodedBody() -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(64 + namespace.urn.utf8.count + payloadBytes.count)
        func varint(_ value: UInt64) {
            var rest = value
            while rest >= 0x80 {
                body.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            body.append(UInt8(rest))
        }
        func number(_ field: UInt64, _ value: UInt64) {
            varint(field << 3)
            varint(value)
        }
        func bytes(_ field: UInt64, _ value: some Collection<UInt8>) {
            varint(field << 3 | 2)
            varint(UInt64(value.count))
            body.append(contentsOf: value)
        }
        number(1, UInt64(bitPattern: Int64(protocolVersion)))
        bytes(2, sourceID.utf8)
        bytes(3, destinationID.utf8)
        bytes(4, namespace.urn.utf8)
        number(5, UInt64(payloadType.rawValue))
        if let payloadUTF8 { bytes(6, payloadUTF8) }
        if let payloadBinary { bytes(7, payloadBinary) }
        if let continued { number(8, continued ? 1 : 0) }
        if let remainingLengthBytes { number(9, UInt64(remainingLengthBytes)) }
        return body
    }
}
