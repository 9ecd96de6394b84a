public import CastModel

/// What our sender needs to know of a message from a device; everything else is for the differ.
public struct HeardMessage: Sendable, Equatable {
    /// Who speaks.
    public var sourceID: String
    /// Who is spoken to.
    public var destinationID: String
    /// What is said.
    public var content: Content

    /// The messages that our sender acts upon.
    public enum Content: Sendable, Equatable {
        /// The device wants a PONG.
        case ping
        /// The device answers our PING.
        case pong
        /// The other end of a virtual connection is gone.
        case close
        /// What runs on the device.
        case receiverStatus([RunningApp])
        /// What a receiver app plays.
        case mediaStatus([MediaFacts])
        /// Who the device is.
        case deviceInformation(DeviceInformation)
        /// A sign of life.
        case other
    }

    /// A message.
    public init(from sourceID: String, to destinationID: String, _ content: Content) {
        self.sourceID = sourceID
        self.destinationID = destinationID
        self.content = content
    }
}

/// What decides whether we join a receiver app (PROTOCOL 7.3).
public struct RunningApp: Sendable, Equatable {
    /// `appId`.
    public var appID: AppID
    /// `universalAppId` where it differs from `appId`.
    public var universalAppID: AppID?
    /// `displayName`.
    public var name: String?
    /// Nil while the app starts, and on some group leaders.
    public var transport: TransportID?
    /// Whether the namespaces contain the media namespace.
    public var offersMedia: Bool
    /// Whether this is what a device shows when nothing runs.
    public var isIdleScreen: Bool
    /// Whether this only stands for a group's app.
    public var isGroupPlaceholder: Bool
    /// Whether a visible sender is attached; nil on older firmware.
    public var senderConnected: Bool?

    /// A receiver app.
    public init(
        appID: AppID, universalAppID: AppID? = nil, name: String? = nil, transport: TransportID?, offersMedia: Bool,
        isIdleScreen: Bool = false, isGroupPlaceholder: Bool = false, senderConnected: Bool? = nil
    ) {
        self.appID = appID
        self.universalAppID = universalAppID
        self.name = name
        self.transport = transport
        self.offersMedia = offersMedia
        self.isIdleScreen = isIdleScreen
        self.isGroupPlaceholder = isGroupPlaceholder
        self.senderConnected = senderConnected
    }
}

/// What decides whether we ask for a media status again, and what a live display shows of it.
public struct MediaFacts: Sendable, Equatable {
    /// `mediaSessionId`; nil when not said.
    public var mediaSessionID: Int64?
    /// `playerState`; nil when not said.
    public var playerState: PlayerState?
    /// `currentTime`; nil when not said.
    public var positionSeconds: Double?
    /// `playbackRate`; nil when not said.
    public var playbackRate: Double?
    /// Whether the status describes its media.
    public var hasMedia: Bool
    /// `media.duration` above 0; nil when unknown or endless.
    public var durationSeconds: Double?
    /// Whether a LOAD is under way (`extendedStatus`): requests wait until it ends.
    public var isLoading: Bool
    /// `media.metadata.title`; nil when not said.
    public var title: String?

    /// The facts of one media status.
    public init(
        mediaSessionID: Int64?, playerState: PlayerState?, positionSeconds: Double? = nil, playbackRate: Double? = nil,
        hasMedia: Bool, durationSeconds: Double? = nil, isLoading: Bool = false, title: String? = nil
    ) {
        self.mediaSessionID = mediaSessionID
        self.playerState = playerState
        self.positionSeconds = positionSeconds
        self.playbackRate = playbackRate
        self.hasMedia = hasMedia
        self.durationSeconds = durationSeconds
        self.isLoading = isLoading
        self.title = title
    }
}

/// Who a device says it is, in answer to GET_DEVICE_INFO (PROTOCOL 1.8).
public struct DeviceInformation: Sendable, Equatable {
    /// Its id.
    public var deviceID: DeviceID
    /// Friendly name; nil when not said or empty.
    public var name: String?
    /// Model; nil when not said or empty.
    public var model: String?
    /// The same bits as TXT `ca`; nil when not said.
    public var capabilities: Int64?

    /// What a device said of itself.
    public init(deviceID: DeviceID, name: String?, model: String?, capabilities: Int64?) {
        self.deviceID = deviceID
        self.name = name
        self.model = model
        self.capabilities = capabilities
    }
}
