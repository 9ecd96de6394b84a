/// What is wrong with bytes that claim to be a Cast frame.
public enum WireError: Error, Equatable, Sendable {
    /// The length prefix announces more than we read. The link cannot be trusted any further.
    case bodyTooLong(announcedBytes: Int, limitBytes: Int)
    /// A field's tag, length or number ends beyond the body.
    case truncated(atByte: Int)
    /// A varint of more than ten bytes, or a tag with field number 0.
    case malformedVarint(atByte: Int)
    /// A wire type that protobuf does not define, or a known field with the wrong one.
    case unexpectedWireType(field: Int, wireType: Int)
    /// Source, destination or namespace is not UTF-8.
    case invalidText(field: Int)
    /// The body lacks a field that every message must have.
    case missingField(Int)
    /// A message that is too long to send.
    case messageTooLong(bytes: Int, limitBytes: Int)
}

extension WireError: CustomStringConvertible {
    /// What happened and where, in one line.
    public var description: String {
        switch self {
        case .bodyTooLong(let announced, let limit):
            "the frame announces \(announced) bytes; at most \(limit) are read"
        case .truncated(let offset): "the message ends in the middle of a field that begins at byte \(offset)"
        case .malformedVarint(let offset): "no valid protobuf number at byte \(offset)"
        case .unexpectedWireType(let field, let wireType): "field \(field) has wire type \(wireType)"
        case .invalidText(let field): "field \(field) is not UTF-8"
        case .missingField(let field): "required field \(field) is missing"
        case .messageTooLong(let bytes, let limit): "the message has \(bytes) bytes; at most \(limit) may be sent"
        }
    }
}
