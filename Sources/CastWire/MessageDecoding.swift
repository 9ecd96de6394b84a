extension CastMessage {
    /// Reads a message from the body of one frame.
    ///
    /// Unknown fields are skipped; of a repeated field the last one counts, as protobuf has it.
    public init(decoding body: [UInt8]) throws(WireError) {
        var reader = ProtobufReader(body)
        var fields = Fields()
        while let field = try reader.nextField() { try fields.take(field) }
        self = try fields.message()
    }

    /// The fields met so far.
    private struct Fields {
        var protocolVersion: Int?
        var sourceID: String?
        var destinationID: String?
        var namespace: String?
        var payloadType: Int?
        var payloadUTF8: [UInt8]?
        var payloadBinary: [UInt8]?
        var continued: Bool?
        var remainingLengthBytes: UInt32?

        mutating func take(_ field: ProtobufReader.Field) throws(WireError) {
            switch field.number {
            case 1: protocolVersion = Int(truncatingIfNeeded: try field.varint())
            case 2: sourceID = try field.text()
            case 3: destinationID = try field.text()
            case 4: namespace = try field.text()
            case 5: payloadType = Int(truncatingIfNeeded: try field.varint())
            case 6: payloadUTF8 = try field.bytes()
            case 7: payloadBinary = try field.bytes()
            case 8: continued = try field.varint() != 0
            case 9: remainingLengthBytes = UInt32(truncatingIfNeeded: try field.varint())
            default: break  // A newer firmware may say more than we know.
            }
        }

        func message() throws(WireError) -> CastMessage {
            guard let sourceID else { throw .missingField(2) }
            guard let destinationID else { throw .missingField(3) }
            guard let namespace else { throw .missingField(4) }
            // Fields 1 and 5 are required too, but a missing zero is a common slip and takes nothing away.
            let type: PayloadType = payloadType == 1 ? .binary : .string
            var message = CastMessage(
                sourceID: sourceID, destinationID: destinationID, namespace: Namespace(namespace), payloadType: type)
            message.protocolVersion = protocolVersion ?? 0
            message.payloadUTF8 = payloadUTF8
            message.payloadBinary = payloadBinary
            message.continued = continued
            message.remainingLengthBytes = remainingLengthBytes
            return message
        }
    }
}
