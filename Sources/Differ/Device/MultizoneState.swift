import CastModel

/// What a device's socket told of those who play together with it: its members, when it is a group.
struct MultizoneState: Equatable {
    /// The members told, in the order of the list; each cut down to what is compared.
    var members: [MultizoneMember] = []
    /// Whether a list came on this link: before it, nothing is known of who joined or left when.
    var isKnown = false
    /// Whether messages on this socket spoke of others than the device itself.
    var tellsOfOthers = false
    /// What plays on them together.
    ///
    /// Nil while nothing does.
    var playbackSession: JSONObject?

    /// What of a playback session is kept and told (PROTOCOL 6.1); an empty one is one.
    static func kept(_ playbackSession: JSONObject) -> JSONObject {
        let keys = ["appAllowsGrouping", "isVideoContent", "streamTransferSupported"]
        return playbackSession.only(keys).flatMap { Redaction.redacted($0).object } ?? JSONObject()
    }

    /// Members kept, at most.
    static let memberLimit = 64

    /// Where a member is kept.
    func index(of deviceID: DeviceID) -> Int? { members.firstIndex { $0.deviceID == deviceID } }

    /// The state as JSON; nil when there is nothing to tell.
    var stateJSON: JSONValue? {
        JSONObject(known: [
            ("members", members.isEmpty ? nil : .array(members.map { .object($0.json) })),
            ("known", isKnown ? true : nil), ("others", tellsOfOthers ? true : nil),
            ("playback", playbackSession.map { .object($0) }),
        ]).unlessEmpty
    }

    init() {}

    /// The state that ``stateJSON`` wrote.
    init(_ fields: StateFields) throws(DifferError) {
        members = try fields.list("members").compactMap { $0.object.map { MultizoneMember($0) } }
        isKnown = try fields.flag("known") ?? false
        tellsOfOthers = try fields.flag("others") ?? false
        playbackSession = try fields.object("playback")
    }
}

extension MultizoneMember {
    private static let comparedKeys = ["name", "capabilities", "volume"]

    /// The record cut down to what is compared and told, without secrets; nil without an id.
    ///
    /// The id is written as the ledger writes devices. What `self` leaves out stays as `known` had it.
    func compared(over known: MultizoneMember?) -> MultizoneMember? {
        guard let deviceID else { return nil }
        var kept = JSONObject([("deviceId", .string(deviceID.text))])
        for key in Self.comparedKeys {
            guard var value = json[key] ?? known?.json[key] else { continue }
            if case .object(let volume) = value, key == "volume" {
                value = volume.only(["level", "muted"]) ?? .object(JSONObject())
            }
            kept.pairs.append((key, Redaction.redacted(value)))
        }
        return MultizoneMember(kept)
    }

    /// Whether two records say the same; the noise of 32-bit floats is no other volume.
    func saysSame(as other: MultizoneMember) -> Bool {
        if self == other { return true }
        guard let one = volume.ifPresent, let two = other.volume.ifPresent,
            json["name"] == other.json["name"], json["capabilities"] == other.json["capabilities"],
            one.muted == two.muted, let level = one.level.ifPresent
        else { return false }
        return level.isLevel(two.level.ifPresent)
    }
}
