public import CastModel
public import Differ
public import Recording

/// A device, as the recorder that heard it last knows it.
public struct DeviceRow: Sendable, Equatable {
    /// How a device stands to us.
    public enum Reach: String, Sendable, CaseIterable {
        /// It announced itself; no link yet.
        case seen
        /// A link is up.
        case linked
        /// Its link went down.
        case lost
        /// Its announcement is gone, and there is no link.
        case withdrawn
    }

    /// Which device.
    public var deviceID: DeviceID
    /// Friendly name; nil when it never said one.
    public var name: String?
    /// Model; nil when it never said one.
    public var model: String?
    /// Last known numeric address; nil when unknown.
    public var address: String?
    /// How it stands to us, at the checkpoint.
    public var reach: Reach
    /// When its first change event was observed.
    public var firstSeenAt: WallTime
    /// When something of it was last observed.
    public var lastHeardAt: WallTime
    /// The recorder that heard it last.
    public var recorderID: String
    /// Why the device, or the app that runs on it, is not observed; nil while all is observed.
    public var gapReason: String?
}

/// A change event, with what a reader wants beside it.
public struct EventRow: Sendable, Equatable {
    /// The recorder that observed it; positions count per recorder.
    public var recorderID: String
    /// The device's present friendly name; nil when it never said one.
    public var deviceName: String?
    /// The change event.
    public var event: ChangeEvent
    /// What had to be changed to store it; nil for nearly all: nothing.
    public var finding: String?
}

/// A stretch in which a device was not observed.
public struct GapRow: Sendable, Equatable {
    /// Whose gap.
    public var recorderID: String
    /// Which device.
    public var deviceID: DeviceID
    /// Its present friendly name; nil when it never said one.
    public var deviceName: String?
    /// The last moment observed.
    public var startedAt: WallTime
    /// The first moment observed again; nil while it lasts.
    public var endedAt: WallTime?
    /// Why, as the differ says it: `link_lost` and the like.
    public var reason: String
}

/// One launch of a receiver app.
public struct AppSessionRow: Sendable, Equatable {
    /// Who observed it.
    public var recorderID: String
    /// Where it ran.
    public var deviceID: DeviceID
    /// The device's present friendly name; nil when it never said one.
    public var deviceName: String?
    /// Which launch.
    public var appSessionID: AppSessionID
    /// Which receiver app; nil when not said.
    public var appID: AppID?
    /// The app's display name; nil when not said.
    public var appName: String?
    /// When it was first observed.
    public var startedAt: WallTime
    /// Attribution of the first change event: `snapshot` found it already running.
    public var startAttribution: ChangeEvent.Attribution
    /// When its end was observed; nil otherwise.
    public var endedAt: WallTime?
    /// `stopped` or `replaced`; nil while it runs.
    public var endReason: String?
}

/// One loaded item or queue in a receiver app.
public struct MediaSessionRow: Sendable, Equatable {
    /// Who observed it.
    public var recorderID: String
    /// Where it played.
    public var deviceID: DeviceID
    /// The device's present friendly name; nil when it never said one.
    public var deviceName: String?
    /// In which app session; empty when unknown.
    public var appSessionID: AppSessionID
    /// Which one within the app session.
    public var mediaSessionID: Int64
    /// The receiver app's display name; nil when not said.
    public var appName: String?
    /// The last content id; nil when not said.
    public var contentID: String?
    /// The last title; nil when not said.
    public var title: String?
    /// The last duration in seconds; nil when not said.
    public var durationSeconds: Double?
    /// When it was first observed.
    public var startedAt: WallTime
    /// Attribution of the first change event: `snapshot` found it already loaded.
    public var startAttribution: ChangeEvent.Attribution
    /// When its end, or that of its app session, was observed; nil otherwise.
    public var endedAt: WallTime?
    /// The idle reason in lower case, `app_closed` or `app_replaced`; nil when not known.
    public var endReason: String?
}

/// A recorder that writes into this database.
public struct RecorderRow: Sendable, Equatable {
    /// The name of its archive.
    public var recorderID: String
    /// Where it stands; nil when its operator did not say.
    public var site: String?
    /// The last record of its archive that is applied; 0 before the first.
    public var checkpoint: ArchivePosition
    /// When that record was observed; nil before the first.
    public var checkpointAt: WallTime?
    /// Change events applied so far.
    public var events: Int64
    /// Of them, how many were changed to fit PostgreSQL.
    public var sanitized: Int64
    /// Of them, how many PostgreSQL refused.
    public var refused: Int64
}
