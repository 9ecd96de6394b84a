public import CastModel

/// Something that people want to be told of, wherever they are.
public struct Notice: Sendable, Equatable {
    /// What it is of.
    public enum Kind: String, Sendable, CaseIterable {
        /// A play began.
        case playStarted = "play_started"
        /// A play ended.
        case playEnded = "play_ended"
        /// Senders began to undo each other.
        case conflict
        /// A device can no longer be reached.
        case deviceDown = "device_down"
        /// It can be reached again.
        case deviceUp = "device_up"
        /// A receiver app runs that is not on the list of those allowed.
        case appNotAllowed = "app_not_allowed"
        /// A device, or the media of its app, is not observed.
        case gap
        /// The archive cannot be written, or soon cannot.
        case archiveTrouble = "archive_trouble"
    }

    /// What it is of.
    public var kind: Kind
    /// Its name: the same whenever it is told again.
    public var id: String
    /// When it happened: RFC 3339.
    public var at: String
    /// The device; nil for none.
    public var deviceID: String?
    /// Its name; nil when it never said one.
    public var deviceName: String?
    /// One sentence for people.
    public var sentence: String
    /// The row of the ledger that it is of.
    public var data: JSONValue

    /// A notice, part by part.
    public init(
        _ kind: Kind, id: String, at: String, deviceID: String?, deviceName: String?, sentence: String, data: JSONValue
    ) {
        self.kind = kind
        self.id = id
        self.at = at
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.sentence = sentence
        self.data = data
    }

    /// The body of its request.
    public var json: JSONValue {
        [
            "id": .string(id), "kind": .string(kind.rawValue), "at": .string(at),
            "device_id": deviceID.map(JSONValue.string) ?? .null, "device": deviceName.map(JSONValue.string) ?? .null,
            "sentence": .string(sentence), "data": data,
        ]
    }
}
