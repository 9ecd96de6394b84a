import CastModel
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

    /// A listing, part by part.
    public init(
        deviceID: String, name: String?, model: String?, address: String?, state: String, lastHeardAt: WallTime?
    ) {
        self.deviceID = deviceID
        self.name = name
        self.model = model
        self.address = address
        self.state = state
        self.lastHeardAt = lastHeardAt
    }

    /// One JSON object, without newline, with the stable names of DESIGN 6.
    public var json: String {
        JSONValue.object(
            JSONObject([
                ("device_id", .string(deviceID)), ("name", name.map(JSONValue.string) ?? .null),
                ("model", model.map(JSONValue.string) ?? .null), ("address", address.map(JSONValue.string) ?? .null),
                ("state", .string(state)), ("last_heard_at", lastHeardAt.map { .string($0.text) } ?? .null),
            ])
        ).text
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
                    device.name ?? "-", device.model ?? "-", device.state,
                    device.lastHeardAt.map { Figures.stretch(max(0, now.seconds(since: $0))) + " ago" } ?? "never",
                    device.address ?? "-", device.deviceID,
                ]
            })
    }
}
