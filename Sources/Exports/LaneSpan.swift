public import CastModel
public import Recording

/// What a device did for a while, as a timeline draws it.
///
/// Those of one device never overlap, and time in none of them is not known.
public struct LaneSpan: Sendable, Equatable {
    /// What it did.
    public enum Activity: String, Sendable, CaseIterable {
        case playing
        case paused
        case buffering
        case loading
        case advertisement
        /// Something was on, and what the player did is not told.
        case unknown
        /// An app ran that tells of no media.
        case appOnly = "app_only"
        case standby
        case otherInput = "other_input"
        /// Observed, and nothing was on.
        case idle
        /// Not observed.
        case unobserved
    }

    /// Which device.
    public var deviceID: DeviceID
    /// Its first moment.
    public var from: WallTime
    /// The first moment after it.
    public var to: WallTime
    /// What it did.
    public var activity: Activity
    /// Why it was not observed; nil where it was.
    public var reason: String?
    /// The app's name or id; nil where there is none.
    public var app: String?
    /// What was on; nil where nothing was.
    public var title: String?

    /// A span, part by part.
    public init(
        deviceID: DeviceID, from: WallTime, to: WallTime, activity: Activity, reason: String? = nil,
        app: String? = nil, title: String? = nil
    ) {
        self.deviceID = deviceID
        self.from = from
        self.to = to
        self.activity = activity
        self.reason = reason
        self.app = app
        self.title = title
    }

    /// In words, for people.
    var words: String {
        switch activity {
        case .playing: "playing"
        case .paused: "paused"
        case .buffering: "buffering"
        case .loading: "loading"
        case .advertisement: "ads"
        case .unknown: "something on"
        case .appOnly: "an app that tells of no media"
        case .standby: "standby"
        case .otherInput: "another input"
        case .idle: "nothing on"
        case .unobserved: "not observed"
        }
    }
}
