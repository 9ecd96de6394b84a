public import Recording

/// What a running recorder says of itself, and whether a person must act.
///
/// Pure: whoever runs the recorder gathers the facts.
public struct RecorderHealth: Sendable, Equatable {
    /// One device, as the recorder sees it now.
    public struct Device: Sendable, Equatable {
        /// The device's id, or what stands for it until it has said who it is.
        public var deviceID: String
        /// Friendly name; nil when not known.
        public var name: String?
        /// Model; nil when not known.
        public var model: String?
        /// Where the link goes, or would go.
        public var address: String
        /// "linked", "connecting" or "unreachable".
        public var reach: String
        /// The receiver app that is joined; nil when none is.
        public var appName: String?
        /// Why the app that runs is not recorded, as gaps have it; nil when it is, or none runs.
        public var notRecorded: String?
        /// Whether the device does not keep us invisible, so that its apps are not joined.
        public var isPlatformOnly = false
        /// How long ago anything came from it, in seconds; nil for never.
        public var lastHeardSeconds: Double?
        /// Attempts and links that failed since the last healthy one.
        public var failures: Int
        /// Why there is no link; nil while there is one.
        public var lastFailure: String?
        /// How long it took to answer our last PING, in seconds; nil without a link, and before the first answer.
        public var roundTripSeconds: Double?
        /// Frames that came from it since the start.
        public var framesReceived = 0
        /// Bytes of their payloads.
        public var bytesReceived = 0

        /// A device, part by part.
        public init(
            deviceID: String, name: String?, model: String?, address: String, reach: String, appName: String?,
            lastHeardSeconds: Double?, failures: Int, lastFailure: String?
        ) {
            self.deviceID = deviceID
            self.name = name
            self.model = model
            self.address = address
            self.reach = reach
            self.appName = appName
            self.lastHeardSeconds = lastHeardSeconds
            self.failures = failures
            self.lastFailure = lastFailure
        }
    }

    /// The recorder's process id.
    public var processID = 0
    /// The program's version.
    public var version = ""
    /// The recorder's id.
    public var recorderID = ""
    /// When it began.
    public var startedAt = WallTime(microseconds: 0)
    /// How long ago that was, in seconds.
    public var uptimeSeconds = 0.0

    /// All devices, by name.
    public var devices: [Device] = []
    /// Devices without room (DESIGN 9).
    public var devicesOverLimit = 0
    /// How many devices a person typed.
    public var devicesTyped = 0
    /// How long no device has been linked, in seconds; nil while one is.
    public var noLinkSeconds: Double?
    /// Frames taken since the start, both directions.
    public var frames = 0
    /// Of them, those that devices sent.
    public var framesReceived = 0
    /// Of these, those that were no messages.
    public var framesMalformed = 0
    /// Messages that we sent since the start, by type.
    public var framesSent: [(type: String, count: Int)] = []
    /// Links that came up since the start.
    public var linksOpened = 0
    /// Attempts to open one that failed since the start.
    public var linksFailed = 0
    /// Frames that could not be kept since the start.
    public var framesLost = 0
    /// The same in the last hour.
    public var framesLostLastHour = 0

    /// The last record that is safe on disk.
    public var durablePosition: Int64 = 0
    /// Records made safe since the start.
    public var records: Int64 = 0
    /// How long ago a record last became safe, in seconds; nil when none has since the start.
    public var durableSeconds: Double?
    /// How long the disk has refused writes, in seconds; nil while it takes them.
    public var stalledSeconds: Double?
    /// How long the disk has not answered the write that is under way, in seconds; nil while none is.
    public var diskSilentSeconds: Double?
    /// Bytes of frames that wait in memory.
    public var waitingBytes = 0

    /// Bytes that the archive wrote since the start, as they are on disk.
    public var writtenBytes: Int64 = 0
    /// How often the disk made bytes of the archive durable since the start.
    public var syncs: Int64 = 0
    /// How long that took in all, in seconds.
    public var syncSeconds = 0.0

    /// The last record that the database knows; nil while it was never reached.
    public var appliedPosition: Int64?
    /// How old the oldest record is that the database does not know, in seconds.
    public var lagSeconds = 0.0
    /// Change events stored since the start.
    public var events = 0
    /// Why the database is not up to date; nil while it is.
    public var databaseTrouble: String?
    /// Why no devices are discovered; nil while discovery works or is not wanted.
    public var discoveryTrouble: String?
    /// Why the settings that were read again do not hold; nil when they do.
    public var settingsTrouble: String?

    /// Free bytes of the data folder's volume; nil when not known.
    public var freeBytes: Int64?
    /// Free share of it, 0 to 1.
    public var freeShare: Double?
    /// Days until it is full at the rate of the last day, six hours at least; nil when it does not fill up, or is not known yet.
    public var daysUntilFull: Double?

    /// Resident memory in bytes.
    public var residentBytes: Int64 = 0
    /// Open descriptors; nil when not known.
    public var openFiles: Int?
    /// How many may be open.
    public var openFilesLimit = 0
    /// Threads; nil when not known.
    public var threads: Int?
    /// How long each of our threads has not given a sign of life, in seconds, by its name.
    public var silentSeconds: [(thread: String, seconds: Double)] = []

    /// Nothing known yet.
    public init() {}

    /// Records between the last safe one and the last one that the database knows; nil while that is unknown.
    public var lagRecords: Int64? { appliedPosition.map { max(0, durablePosition - $0) } }
    /// Devices with a link.
    public var linked: Int { devices.count { $0.reach == "linked" } }
    /// Devices whose receiver app is joined.
    public var joined: Int { devices.count { $0.appName != nil } }
    /// Devices whose app refuses to be joined.
    public var refused: Int { devices.count { $0.notRecorded == "attach_refused" } }
    /// Devices that do not keep us invisible.
    public var platformOnly: Int { devices.count(where: \.isPlatformOnly) }
    /// Devices that could not be reached.
    public var unreachable: Int { devices.count { $0.reach == "unreachable" } }

    /// Equal when all facts are.
    public static func == (one: RecorderHealth, other: RecorderHealth) -> Bool { one.json == other.json }
}

/// Something that an operator wants to be woken for.
public struct HealthTrouble: Sendable, Equatable {
    /// A stable name for programs: "archive_stalled".
    public var kind: String
    /// What happened and what it means, in one sentence.
    public var sentence: String

    /// A trouble.
    public init(_ kind: String, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }
}

extension RecorderHealth {
    /// A database that is further behind than this is a trouble, in seconds.
    static let lagLimitSeconds = 60.0
    /// No link to any device for so long is a trouble, in seconds.
    static let noLinkLimitSeconds = 60.0
    /// A thread without a sign of life for so long is a trouble, in seconds.
    static let silenceLimitSeconds = 30.0
    /// A disk that does not answer for so long is a trouble, in seconds.
    static let diskSilenceLimitSeconds = 5.0
    /// Less free room than this share is a trouble.
    static let freeShareLimit = 0.05
    /// A volume that is full sooner than this is a trouble, in days.
    static let daysUntilFullLimit = 2.0

    /// What is wrong, worst first; nothing when the recorder is healthy.
    ///
    /// A single device that is away is none: people unplug televisions.
    public var troubles: [HealthTrouble] { archiveTroubles + laterTroubles }

    private var archiveTroubles: [HealthTrouble] {
        var found: [HealthTrouble] = []
        if let stalledSeconds {
            found.append(
                HealthTrouble(
                    "archive_stalled",
                    "The disk has refused writes for \(Figures.stretch(stalledSeconds)): "
                        + "\(Figures.bytes(Int64(clamping: waitingBytes))) of frames wait in memory."))
        } else if let diskSilentSeconds, diskSilentSeconds >= Self.diskSilenceLimitSeconds {
            found.append(
                HealthTrouble(
                    "disk_silent",
                    "The disk has not answered for \(Figures.stretch(diskSilentSeconds)): "
                        + "\(Figures.bytes(Int64(clamping: waitingBytes))) of frames wait in memory."))
        }
        if framesLostLastHour > 0 {
            found.append(
                HealthTrouble("frames_lost", "\(framesLostLastHour) frames could not be kept in the last hour."))
        }
        for (thread, seconds) in silentSeconds where seconds >= Self.silenceLimitSeconds {
            found.append(
                HealthTrouble(
                    "thread_silent", "The thread \(thread) has shown no sign of life for \(Figures.stretch(seconds))."))
        }
        if let freeShare, let freeBytes, freeShare < Self.freeShareLimit {
            found.append(
                HealthTrouble(
                    "volume_nearly_full",
                    "The volume has \(Figures.bytes(freeBytes)) free (\(Figures.percent(freeShare)))."))
        } else if let daysUntilFull, daysUntilFull < Self.daysUntilFullLimit {
            found.append(
                HealthTrouble(
                    "volume_nearly_full",
                    "The volume is full in \(Figures.stretch(daysUntilFull * 86_400)) at this rate."))
        }
        return found
    }

    private var laterTroubles: [HealthTrouble] {
        var found: [HealthTrouble] = []
        if let noLinkSeconds, noLinkSeconds >= Self.noLinkLimitSeconds {
            let known = devices.isEmpty ? "No device is known" : "None of \(devices.count) devices is linked"
            found.append(HealthTrouble("no_link", "\(known), for \(Figures.stretch(noLinkSeconds))."))
        }
        if devicesOverLimit > 0 {
            found.append(
                HealthTrouble("too_many_devices", "\(devicesOverLimit) devices are too many for one recorder."))
        }
        if openFilesLimit > 0, let openFiles, Double(openFiles) > 0.9 * Double(openFilesLimit) {
            found.append(
                HealthTrouble("open_files", "\(openFiles) of at most \(openFilesLimit) files are open."))
        }
        if let databaseTrouble {
            found.append(HealthTrouble("database", "Database: \(databaseTrouble)"))
        } else if lagSeconds > Self.lagLimitSeconds {
            found.append(
                HealthTrouble("database_behind", "The database is \(Figures.stretch(lagSeconds)) behind the archive."))
        }
        if let discoveryTrouble {
            found.append(HealthTrouble("discovery", "No devices are discovered: \(discoveryTrouble)"))
        }
        if let settingsTrouble {
            found.append(HealthTrouble("settings", "The settings as they are now cannot be used: \(settingsTrouble)"))
        }
        return found
    }
}
