/// What a fleet is to be.
public struct FleetOptions: Sendable {
    /// The most devices of one fleet.
    public static let deviceLimit = 20_000

    /// How many devices, 1 to ``deviceLimit``.
    public var devices: Int
    /// How many groups of these devices there are, each with an endpoint of its own after those of the devices.
    ///
    /// A group has up to six members that are no televisions; there are as many groups as devices allow.
    public var groups: Int
    /// What happens on them.
    public var scenario: FleetScenario
    /// Where all chance comes from.
    public var seed: FleetSeed
    /// Where the first device listens: a numeric IPv4 address.
    public var address: String
    /// The first device's TCP port; 0 lets the system choose.
    public var port: UInt16
    /// Gives each device an address of its own, counting up from `address`, all on `port`.
    ///
    /// Otherwise all are on `address`, and the ports count up.
    public var countsAddresses: Bool
    /// Whether mDNS tells of the devices.
    ///
    /// They then listen on every address of this host rather than on loopback, since that is where mDNS sends people.
    public var advertises: Bool
    /// Where to write what really happened, as JSON Lines; nil for nowhere.
    public var truthPath: String?
    /// When to end by itself; nil for never.
    public var duration: Duration?
    /// How many times as fast the scenario goes, 0.01 to 1000.
    ///
    /// Media positions, heartbeats and launches keep their pace.
    public var speed: Double
    /// Whether devices fetch the http content of LOADs from loopback addresses, and discard it, as VLC needs.
    public var fetchesMedia: Bool
    /// Changes the profile of a device before it starts; for tests.
    public var adjustsProfile: (@Sendable (inout DeviceProfile) -> Void)?

    /// Three devices with an evening ahead of them, on free ports of 127.0.0.1.
    public init(
        devices: Int = 3, groups: Int = 0, scenario: FleetScenario = .evening, seed: FleetSeed = 1,
        address: String = "127.0.0.1",
        port: UInt16 = 0, countsAddresses: Bool = false, advertises: Bool = false, truthPath: String? = nil,
        duration: Duration? = nil, speed: Double = 1, fetchesMedia: Bool = false
    ) {
        self.devices = devices
        self.groups = groups
        self.scenario = scenario
        self.seed = seed
        self.address = address
        self.port = port
        self.countsAddresses = countsAddresses
        self.advertises = advertises
        self.truthPath = truthPath
        self.duration = duration
        self.speed = speed
        self.fetchesMedia = fetchesMedia
    }
}

/// What happens on the devices of a fleet.
public enum FleetScenario: String, Sendable, CaseIterable {
    /// People at home: plays, pauses, subtitles, volume, standby; one phone per device.
    case evening
    /// Two phones per device that fight over it.
    case twoPhones = "two-phones"
    /// Two phones per device, and one labelled act after the other: fights, and as many innocent acts that look like them.
    case fights
    /// Days and nights, weekdays and weekends of people at home: for histories of weeks and years.
    case days
    /// Nothing happens.
    case idle
    /// Each device plays something and says so once per second.
    case chatter

    /// The scenario of that name.
    public init(named name: String) throws(FleetError) {
        guard let scenario = FleetScenario(rawValue: name) else { throw .unknownScenario(name) }
        self = scenario
    }
}

/// Where a simulated device can be reached.
public struct FleetEndpoint: Sendable, Equatable {
    /// Friendly name.
    public var name: String
    /// The device's id, 32 hexadecimal digits.
    public var deviceID: String
    /// Numeric address.
    public var host: String
    /// TCP port.
    public var port: UInt16
}
