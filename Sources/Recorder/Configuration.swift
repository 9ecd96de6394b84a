public import Archive
public import CastModel
public import Discovery
public import Recording
public import SenderCore

/// What an operator may choose, checked and complete.
public struct Configuration: Sendable {
    /// Where everything is kept.
    public var data: DataFolder
    /// A PostgreSQL of somebody else's; nil for the private cluster.
    public var databaseURL: String?
    /// Devices to record whether discovery finds them or not.
    public var devices: [DeviceAddress]
    /// Whether to look for devices with mDNS.
    public var discovers: Bool
    /// Name of the place that is recorded.
    public var site: String?
    /// How to join receiver apps.
    public var attachMode: AttachMode
    /// Which devices to look at and which apps to join.
    public var filter: DeviceFilter
    /// What to leave out.
    public var redaction: Set<RedactionChoice>
    /// How much of the archive is kept.
    public var pruning: PruningRule
    /// How long after its announcement a device is contacted, at most.
    public var firstConnectJitter: Duration
    /// What we know of receiver apps, the operator's own ones included.
    public var apps: AppRegistry
    /// Our version, as devices see it in CONNECT.
    public var version: String

    /// A configuration; the defaults are those of the command line.
    public init(
        data: DataFolder, databaseURL: String? = nil, devices: [DeviceAddress] = [], discovers: Bool = true,
        site: String? = nil, attachMode: AttachMode = .invisible, filter: DeviceFilter = DeviceFilter(),
        redaction: Set<RedactionChoice> = [], pruning: PruningRule = PruningRule(),
        firstConnectJitter: Duration = .seconds(5),
        apps: AppRegistry = .builtIn, version: String
    ) {
        self.data = data
        self.databaseURL = databaseURL
        self.devices = devices
        self.discovers = discovers
        self.site = site
        self.attachMode = attachMode
        self.filter = filter
        self.redaction = redaction
        self.pruning = pruning
        self.firstConnectJitter = firstConnectJitter
        self.apps = apps
        self.version = version
    }
}
