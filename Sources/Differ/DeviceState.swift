import CastModel
import Recording

/// Everything that is known of one device: what its next record is compared with.
struct DeviceState: Equatable {
    /// The device.
    let deviceID: DeviceID
    /// What it announced last; nil when it never did.
    var announcement: Announcement?
    /// Whether it withdrew its announcement.
    var isWithdrawn = false
    /// The link that is up.
    var link: LinkNumber? { didSet { if link == nil { attachMode = nil } } }
    /// How apps are joined on that link; nil without one, and where that was not written down.
    var attachMode: AttachMode?
    /// Whether a link may be up that no record tells of, since the archive has a hole.
    var linkIsUnknown = false
    /// When something last came from the device: where a gap begins.
    ///
    /// Kept beside the stored form, since it changes with every heartbeat and nothing else does.
    var lastObservedAt: WallTime?
    /// The gap that lasts.
    var openGap: OpenGap?
    /// Up to when every stretch is accounted for: the end of the last gap, or when the device was first known.
    var accountedUntil: WallTime?
    /// requestIds of our latest questions on this link.
    var ourRequestIDs: [Int64] = []
    /// Whether a receiver status came on this link: before it, nothing is known of what changed when.
    var receiverIsKnown = false
    /// Volume of the device; nil until told.
    var volumeLevel: Double?
    /// Whether the device is muted; nil until told.
    var isMuted: Bool?
    /// Whether the TV is in standby; nil until told.
    var isStandBy: Bool?
    /// Whether the TV shows this device's input; nil until told.
    var isActiveInput: Bool?
    /// The apps that run, each cut down to what is compared.
    var apps: [ReceiverApp] = []
    /// Who plays together with it.
    var multizone = MultizoneState()
    /// How often apps' own messages were told.
    var gates = MessageGates()
    /// How many messages come.
    var storm = StormWatch()
    /// Which of its words are not understood.
    var noted = NotedWords()
    /// Leaves out what was played; nil when that may be known.
    ///
    /// The recorder's choice, so it is no part of the stored form.
    var titles: TitleRedaction?
    /// The media sessions, by transport.
    var transports: [AppTransport] = []
    /// Transports of apps that have left, the latest last: what still comes from them is of the past.
    var leftTransports: [TransportID] = []
    /// Who the device proved to be.
    var identity = DeviceIdentityState()
    /// Transports given up because a device named too many.
    var transportsForgotten = 0

    /// What a device announces of itself.
    struct Announcement: Equatable {
        var name: String?
        var model: String?
        var addresses: [String]
        var port: UInt16
        var isGroup = false
    }

    /// A gap that lasts.
    struct OpenGap: Equatable {
        var from: WallTime
        var reason: String
        /// When the recorder ran again that the gap is of, or the archive could be read again; nil while it does not, and
        /// for other gaps.
        var recorderBackAt: WallTime?
    }

    /// Our questions remembered, at most: we ask seldom, and the device may answer late (PROTOCOL 5.6).
    static let requestLimit = 16
    /// Transports of apps that left remembered, at most.
    static let leftTransportLimit = 8
    /// Transports kept, at most.
    static let transportLimit = 8

    init(deviceID: DeviceID) { self.deviceID = deviceID }

    /// The app session whose messages come from a transport; nil when no app names it.
    func appSession(of transportID: TransportID) -> AppSessionID? {
        apps.first { $0.transportID == transportID }?.sessionID
    }

    /// Where a transport's media sessions are kept; makes a place for a new one.
    mutating func transportIndex(_ transportID: TransportID) -> Int {
        if let index = transports.firstIndex(where: { $0.transportID == transportID }) { return index }
        if transports.count >= Self.transportLimit {
            transports.removeFirst()
            transportsForgotten += 1
        }
        transports.append(AppTransport(transportID: transportID))
        return transports.count - 1
    }
}
