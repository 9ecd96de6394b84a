public import CastModel
public import Recording

/// What the ledger, or the network, says of one device: a row of `castledger devices`.
public struct DeviceListing: Sendable, Equatable {
    /// The device's id.
    public var deviceID: String
    /// Its friendly name; nil when it never told one.
    public var name: String?
    /// Its model; nil when it never told one.
    public var model: String?
    /// Where it was last reached or announced; nil when unknown.
    public var address: String?
    /// "linked", "lost", "announced", or "not recorded" while no recorder runs that could know, and the like.
    public var state: String
    /// When anything last came from it; nil for never.
    public var lastHeardAt: WallTime?
    /// Why the device, or the app that runs on it, is not observed now: "not_joined" and the like; nil when it is.
    public var gapReason: String?

    /// A listing, part by part.
    public init(
        deviceID: String, name: String?, model: String?, address: String?, state: String, lastHeardAt: WallTime?,
        gapReason: String? = nil
    ) {
        self.deviceID = deviceID
        self.name = name
        self.model = model
        self.address = address
        self.state = state
        self.lastHeardAt = lastHeardAt
        self.gapReason = gapReason
    }

    /// One JSON object, without newline, with the stable names of DESIGN 6.
    public var json: String { JSONValue.object(object).text }

    /// The same, to be put into another one.
    public var object: JSONObject {
        JSONObject([
            ("device_id", .string(deviceID)), ("name", name.map(JSONValue.string) ?? .null),
            ("model", model.map(JSONValue.string) ?? .null), ("address", address.map(JSONValue.string) ?? .null),
            ("state", .string(state)), ("last_heard_at", lastHeardAt.map { .string($0.text) } ?? .null),
            ("gap", gapReason.map(JSONValue.string) ?? .null),
        ])
    }

    /// A linked device whose app we are not with is not wholly observed; of others the state says enough.
    private var stateInWords: String {
        switch gapReason.flatMap({ Gap.Reason(rawValue: $0) }) {
        case .notJoined?: state == "linked" ? "linked, app not joined" : state
        case .attachRefused?: state == "linked" ? "linked, app refuses" : state
        case .deviceUnreachable?: state == "lost" || state == "seen" ? "unreachable" : state
        case .deviceExcluded?: state == "lost" || state == "seen" ? "excluded" : state
        case .recorderDown?, .linkLost?, .clockJump?, nil: state
        }
    }

    /// A table of devices, in the order given.
    ///
    /// - Parameter now: From when "last heard" is counted back.
    public static func table(_ devices: [DeviceListing], now: WallTime) -> Table {
        Table(
            [
                .init("name", limitColumns: 30), .init("model", limitColumns: 24), .init("state"),
                .init("last heard"), .init("address"), .init("id"),
            ],
            rows: devices.map { device in
                [
                    device.name ?? "-", device.model ?? "-", device.stateInWords,
                    device.lastHeardAt.map { Figures.stretch(max(0, now.seconds(since: $0))) + " ago" } ?? "never",
                    device.address ?? "-", device.deviceID,
                ]
            })
    }
}
