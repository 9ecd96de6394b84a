public import Recording

/// What a fleet in virtual time is to be.
public struct VirtualFleetOptions: Sendable {
    /// How many devices, 1 to ``FleetOptions/deviceLimit``.
    public var devices: Int
    /// How many groups of these devices there are beside them, as in ``FleetOptions/groups``.
    public var groups: Int
    /// What happens on them.
    public var scenario: FleetScenario
    /// Where all chance comes from: equal options give equal happenings.
    public var seed: FleetSeed
    /// What the clock shows at the beginning.
    public var begins: WallTime
    /// When it ends: the recorder then stops in good order.
    ///
    /// Nil for never.
    public var duration: Duration?
    /// Whether devices, phones and our sender PING each other every five seconds, as they really do.
    ///
    /// Three quarters of what is then written down are heartbeats, 69,000 records a day and device. Without them a device
    /// gives one sign of life right before its power goes, so that gaps begin where they would.
    public var heartbeats: Bool
    /// How often the recorder is away, in 30 days of 24 hours: stopped in good order or killed, for minutes or hours.
    public var outagesPerMonth: Double
    /// Our version, for CONNECT and the records of the recorder.
    public var version: String
    /// Changes the profile of a device before it starts; for tests.
    public var adjustsProfile: (@Sendable (inout DeviceProfile) -> Void)?

    /// Three devices on which labelled acts follow each other, for ever, watched without a break.
    public init(
        devices: Int = 3, groups: Int = 0, scenario: FleetScenario = .fights, seed: FleetSeed = 1,
        begins: WallTime = WallTime(microseconds: 1_772_323_200_000_000), duration: Duration? = nil,
        heartbeats: Bool = true, outagesPerMonth: Double = 0, version: String = "0.0.0"
    ) {
        self.devices = devices
        self.groups = groups
        self.scenario = scenario
        self.seed = seed
        self.begins = begins
        self.duration = duration
        self.heartbeats = heartbeats
        self.outagesPerMonth = outagesPerMonth
        self.version = version
    }
}
