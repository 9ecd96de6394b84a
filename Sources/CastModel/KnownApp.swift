/// A receiver app that we know by its id: what to call it, and what is special about it (PROTOCOL 3.3).
///
/// Labels only. What a device says of an app itself, its `displayName` above all, is worth more.
public struct KnownApp: Sendable, Equatable {
    /// What an app is for.
    public enum Kind: String, Sendable, CaseIterable {
        case video
        case music
        /// Audio books, podcasts and spoken radio.
        case speech
        /// A web page that stands on a screen for hours.
        case dashboard
        /// A sender's own screen or sound.
        case mirroring
        /// What a screen shows when nothing runs.
        case idle
        /// What a member of a group runs while the group plays: no app (PROTOCOL 6.1).
        case placeholder
        /// An app of the television itself, which no sender launched.
        case native
        case other
    }

    /// Habits that an observer must know of.
    public struct Quirks: Sendable, Equatable {
        /// How long after the app's start to wait before joining it, 0 to 60,000 ms; nil for the usual half second.
        public var joinDelayMilliseconds: Int?
        /// Whether `customData` tells of ads: YouTube's `playerState` 1081 (PROTOCOL 6.4).
        public var adsInCustomData: Bool
        /// Whether it serves no media namespace, so that nobody on the network learns what it plays.
        public var noMediaNamespace: Bool

        /// An app with these habits; without any by default.
        public init(
            joinDelayMilliseconds: Int? = nil, adsInCustomData: Bool = false, noMediaNamespace: Bool = false
        ) {
            self.joinDelayMilliseconds = joinDelayMilliseconds
            self.adsInCustomData = adsInCustomData
            self.noMediaNamespace = noMediaNamespace
        }
    }

    /// The id as a device would say it.
    public var appID: AppID
    /// What to call it where the device says no name.
    public var name: String
    /// What it is for.
    public var kind: Kind
    /// What is special about it.
    public var quirks: Quirks
    /// What we doubt about it; nil for nothing.
    public var note: String?

    /// An app as it is known.
    public init(appID: AppID, name: String, kind: Kind, quirks: Quirks = Quirks(), note: String? = nil) {
        self.appID = appID
        self.name = name
        self.kind = kind
        self.quirks = quirks
        self.note = note
    }
}
