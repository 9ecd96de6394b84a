/// Why the payload of a message is no envelope.
public enum PayloadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Not JSON, or JSON beyond our limits.
    case notJSON(JSONError)
    /// JSON, yet no object.
    case notObject
    /// The message carries bytes, not text.
    case notText

    /// What is wrong, in words for the ledger.
    public var description: String {
        switch self {
        case .notJSON(let error): "not JSON: \(error.description)"
        case .notObject: "JSON, but not an object"
        case .notText: "bytes where text was expected"
        }
    }
}

/// A JSON payload: what kind of message, which request, and everything else as it came.
public struct Payload: Sendable, Equatable {
    /// The whole object.
    public var json: JSONObject
    /// `type`, else `responseType` (PROTOCOL 8, row 4); nil when the payload names neither.
    public let type: PayloadType?
    /// The request that this answers or that caused it: `requestId`, `request_id` or `launchRequestId`.
    ///
    /// 0 is what a receiver writes on its own initiative. Nil when the payload carries none.
    public let requestID: Int64?

    /// The envelope that an object is.
    public init(_ json: JSONObject) {
        self.json = json
        let name = json.textField("type").ifPresent ?? json.textField("responseType").ifPresent
        type = name.map { PayloadType($0) }
        requestID =
            json.integerField("requestId").ifPresent ?? json.integerField("request_id").ifPresent
            ?? json.integerField("launchRequestId").ifPresent
    }

    /// The envelope that a value is.
    public init(_ json: JSONValue) throws(PayloadError) {
        guard case .object(let object) = json else { throw .notObject }
        self.init(object)
    }

    /// The envelope that a text holds.
    public init(parsing bytes: [UInt8], with parser: JSONParser) throws(PayloadError) {
        let json: JSONValue
        do { json = try parser.parse(bytes) } catch { throw .notJSON(error) }
        try self.init(json)
    }
}
