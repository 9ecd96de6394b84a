/// Why a line is no record.
public enum RecordingError: Error, Sendable, Equatable {
    /// The line is not one JSON object; `reason` is the parser's.
    case notAnObject(reason: String)
    /// A field that every record of this kind has is not there.
    case missingField(String)
    /// A field has the wrong type, or a value outside its range or its closed list.
    case malformedField(String)
    /// The kind is none that this version knows.
    case unknownKind(String)
}

extension RecordingError: CustomStringConvertible {
    /// What is wrong with the line, without its content.
    public var description: String {
        switch self {
        case .notAnObject(let reason): "The line is not a JSON object: \(reason)."
        case .missingField(let name): "The record has no field '\(name)'."
        case .malformedField(let name): "The record's field '\(name)' has a value that cannot be."
        case .unknownKind(let kind):
            "The record is of kind '\(kind)', which this version does not know. A newer castledger can read it."
        }
    }
}
