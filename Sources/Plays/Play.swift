public import CastModel
public import Differ
public import Recording

/// One content item on one device or group, from its first sign to its end (DESIGN 5).
///
/// Derived from change events alone, so every moment in it is that of an observed event, on the wall clock.
public struct Play: Sendable, Equatable {
    /// Why it began.
    public enum StartCause: String, Sendable, CaseIterable {
        /// A sender asked for it.
        case senderRequest = "sender_request"
        /// The receiver app by itself, as at a queue's next item.
        case receiver
        /// An assistant or a routine started the app, and no sender asked.
        case cloud
        /// It was there when we began to look, so it began earlier.
        case alreadyPlaying = "already_playing"
        /// It moved here from another device or group: ``Play/continuedFrom``.
        case transfer
        /// Nothing in the message decides.
        case unknown
    }

    /// Why it ended.
    public enum EndReason: String, Sendable, CaseIterable {
        /// It came to its end.
        case finished
        /// A sender stopped it.
        case stopped
        /// Something else was loaded, or the queue went on before its end.
        case replaced
        /// It could not be loaded or played.
        case failed
        /// Its app ended.
        case appClosed = "app_closed"
        /// Another app took the place of its app.
        case appReplaced = "app_replaced"
        /// The device was no longer observed, and when it was again, this was gone.
        case deviceLost = "device_lost"
        /// The recorder did not run.
        case recordingStopped = "recording_stopped"
        /// It moved to another device or group: ``Play/continuedIn``.
        case transferred
        /// It was gone, and nothing said why.
        case unknown
    }

    /// What it does now.
    public enum Phase: String, Sendable, CaseIterable {
        case loading
        case buffering
        case playing
        case paused
        /// An ad break runs.
        case advertisement
        /// Between two items, or before the first.
        case idle
        /// The device is not observed.
        case unobserved
        /// The player said a word that we do not know.
        case unknown
    }

    /// A stretch with one selection of tracks.
    public struct TrackInterval: Sendable, Equatable {
        /// When this selection was first seen.
        public var from: WallTime
        /// When it ended; nil while it lasts.
        public var to: WallTime?
        /// The tracks selected; empty for none.
        public var trackIDs: [Int64]
        /// Their languages as the device spells them, in the order of the tracks; those without one are left out.
        public var languages: [String]
        /// Whether a text track is among them.
        public var hasText: Bool
    }

    /// Its name for ever: the change event that began it.
    public var id: ChangeEvent.ID
    /// Where it plays.
    public var deviceID: DeviceID
    /// In which app session; nil when unknown.
    public var appSessionID: AppSessionID?
    /// In which media session it began; nil when the app tells none.
    public var mediaSessionID: Int64?
    /// Which item of the queue; nil when there is none.
    public var queueItemID: Int64?
    /// Which receiver app, by its universal id where it has one; nil when not said.
    public var appID: AppID?
    /// The app's display name; nil when not said.
    public var appName: String?
    /// What plays.
    public var content = PlayContent()
    /// Its first sign.
    public var startedAt: WallTime
    /// Why it began.
    public var startCause: StartCause
    /// Its last sign; nil while it lasts.
    public var endedAt: WallTime?
    /// Why it ended; nil while it lasts.
    public var endReason: EndReason?
    /// Whether the end lies in a gap: then ``endedAt`` is the last moment observed before it.
    public var endIsUncertain = false
    /// What it does now; nil once it has ended.
    public var phase: Phase?
    /// Since when it has been in its ``phase``, without a break that counts otherwise; nil once it has ended.
    ///
    /// The span that lasts: up to ``countedAt`` its time is counted.
    public var phaseSince: WallTime?
    /// Up to when ``time`` is counted.
    ///
    /// Nothing changed since, so it goes on in its ``phase``.
    public var countedAt: WallTime
    /// Whether the TV is known to be in standby or on another input since then; false once it has ended.
    public var isInputInactive = false
    /// How its time was spent.
    public var time = TimeSpent()
    /// What changed in its spans since its row before; nothing in a row that was read.
    public var spans = SpanChanges()
    /// Where in the content it was first, in seconds; nil when unknown.
    public var firstPositionSeconds: Double?
    /// Where it was last.
    public var lastPositionSeconds: Double?
    /// The furthest it came.
    public var maxPositionSeconds: Double?
    /// How often somebody jumped in it.
    public var seeks: Int64 = 0
    /// Selections of tracks, oldest first; the first ``trackIntervalLimit`` of them.
    public var tracks: [TrackInterval] = []
    /// The members of the group that it was heard on, in the order of their ids; empty on a lone device.
    public var memberIDs: [DeviceID] = []
    /// The play on another device that goes on here.
    public var continuedFrom: ChangeEvent.ID?
    /// The play on another device that this goes on in.
    public var continuedIn: ChangeEvent.ID?

    /// Selections of tracks kept of one play, at most.
    public static let trackIntervalLimit = 64
    /// Members of a group kept, at most.
    public static let memberLimit = 64

    /// A play of which nothing but its beginning is known.
    public init(id: ChangeEvent.ID, deviceID: DeviceID, startedAt: WallTime, countedAt: WallTime) {
        self.id = id
        self.deviceID = deviceID
        self.startedAt = startedAt
        self.countedAt = countedAt
        startCause = .unknown
    }

    /// Seconds from first to last sign, up to ``countedAt`` while it lasts.
    public var spanSeconds: Double { TimeSpent.seconds(TimeSpent.between(startedAt, endedAt ?? countedAt)) }

    /// The share of its span that was observed, 0 through 1.
    public var coverage: Double {
        let span = spanSeconds
        return span > 0 ? max(0, min(1, 1 - time.gapSeconds / span)) : 1
    }

    /// The furthest position as a share of the length, 0 through 1.
    ///
    /// Nil for live content and where the length or the position is unknown.
    public var progress: Double? {
        guard let maxPositionSeconds, let duration = content.durationSeconds, !content.isLive else { return nil }
        return max(0, min(1, maxPositionSeconds / duration))
    }
}
