/// Which devices play together, as one of them tells: the `status` of MULTIZONE_STATUS (PROTOCOL 6.1).
///
/// A view of its JSON: nothing is lost, and a field is read when it is asked for.
public struct MultizoneStatus: Sendable, Equatable {
    /// The whole object.
    public let json: JSONObject

    /// The status that an object is.
    public init(_ json: JSONObject) { self.json = json }

    /// The status within a MULTIZONE_STATUS; nil when it holds none.
    public init?(in payload: Payload) {
        guard case .object(let object)? = payload.json["status"] else { return nil }
        json = object
    }

    /// Records read from one status, at most.
    public static let recordLimit = 200

    /// The members: of a group all of them, of a lone speaker itself.
    ///
    /// Absent says nothing of them; it is no empty list.
    public var members: Field<[MultizoneMember]> {
        json.views("devices", limit: Self.recordLimit) { MultizoneMember($0) }
    }

    /// What plays on them together, and what the app allows.
    ///
    /// In a status, absent means that nothing plays.
    public var playbackSession: Field<JSONObject> { json.objectField("playbackSession") }
}

/// One device of a group, as a multizone message describes it (PROTOCOL 6.1).
public struct MultizoneMember: Sendable, Equatable {
    /// The whole object.
    public let json: JSONObject

    /// The member that an object describes.
    public init(_ json: JSONObject) { self.json = json }

    /// The device, by the id that it also announces; nil when the record tells none.
    public var deviceID: DeviceID? {
        guard let text = json.textField("deviceId").ifPresent, !text.isEmpty else { return nil }
        return DeviceID(text)
    }
    /// Name for people.
    public var name: Field<String> { json.textField("name") }
    /// What it can do, in the words of its announcement.
    public var capabilities: Field<Capabilities> {
        json.field("capabilities") { $0.lossyInteger.map { Capabilities(rawValue: $0) } }
    }
    /// Its own volume, not that of the group.
    public var volume: Field<Volume> { json.view("volume") { Volume($0) } }
}
