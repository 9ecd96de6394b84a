/// Walks over the fields of one protobuf message.
///
/// Never reads past the end, never traps.
struct ProtobufReader {
    /// One field: its number, and its value in one of protobuf's shapes.
    struct Field {
        enum Value {
            case varint(UInt64)
            case fixed
            case delimited(ArraySlice<UInt8>)
        }

        let number: Int
        let wireType: Int
        let value: Value

        func varint() throws(WireError) -> UInt64 {
            guard case .varint(let number) = value else { throw mismatch }
            return number
        }

        func bytes() throws(WireError) -> [UInt8] {
            guard case .delimited(let slice) = value else { throw mismatch }
            return Array(slice)
        }

        func text() throws(WireError) -> String {
            guard case .delimited(let slice) = value else { throw mismatch }
            guard let text = String(validating: slice, as: UTF8.self) else { throw .invalidText(field: number) }
            return text
        }

        private var mismatch: WireError { .unexpectedWireType(field: number, wireType: wireType) }
    }

    private let body: [UInt8]
    private var offset = 0

    init(_ body: [UInt8]) { self.body = body }

    /// The next field; nil at the end of the message.
    mutating func nextField() throws(WireError) -> Field? {
        guard offset < body.count else { return nil }
        let fieldStart = offset
        let tag = try varint(fieldStart: fieldStart)
        let number = Int(truncatingIfNeeded: tag >> 3)
        guard number > 0, tag <= UInt64(UInt32.max) else { throw .malformedVarint(atByte: fieldStart) }
        let wireType = Int(tag & 7)
        switch wireType {
        case 0:
            return Field(number: number, wireType: 0, value: .varint(try varint(fieldStart: fieldStart)))
        case 1, 5:
            try skip(wireType == 1 ? 8 : 4, fieldStart: fieldStart)
            return Field(number: number, wireType: wireType, value: .fixed)
        case 2:
            let length = try varint(fieldStart: fieldStart)
            guard length <= UInt64(body.count - offset) else { throw .truncated(atByte: fieldStart) }
            let slice = body[offset..<offset + Int(length)]
            offset += Int(length)
            return Field(number: number, wireType: 2, value: .delimited(slice))
        default:
            throw .unexpectedWireType(field: number, wireType: wireType)
        }
    }

    private mutating func skip(_ count: Int, fieldStart: Int) throws(WireError) {
        guard body.count - offset >= count else { throw .truncated(atByte: fieldStart) }
        offset += count
    }

    private mutating func varint(fieldStart: Int) throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<10 {
            guard offset < body.count else { throw .truncated(atByte: fieldStart) }
            let byte = body[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte < 0x80 { return value }
        }
        throw .malformedVarint(atByte: fieldStart)
    }
}
