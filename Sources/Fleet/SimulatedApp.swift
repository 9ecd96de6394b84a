public import CastModel
public import CastWire

/// A receiver app that simulated devices can run.
public struct SimulatedApp: Sendable, Equatable {
    /// What to LAUNCH (PROTOCOL 3.3).
    public var appID: AppID
    /// `displayName` in RECEIVER_STATUS.
    public var displayName: String
    /// The namespaces it serves once it has started.
    public var namespaces: [Namespace]
    /// Whether its status text follows the title ("Casting: ..."), as with CAF's default, or stays the app's name.
    public var showsTitle: Bool
    /// Whether it stops when its last visible sender says goodbye, as with CAF's default (PROTOCOL 5.7).
    ///
    /// YouTube and Spotify go on without senders.
    public var stopsAfterLastSender: Bool
    /// Whether it is the idle screen.
    public var isIdleScreen = false

    /// Whether it plays media.
    var playsMedia: Bool { namespaces.contains(.media) }

    /// CC1AD845: CAF with all its defaults.
    public static let defaultMediaReceiver = SimulatedApp(
        appID: AppID("CC1AD845"), displayName: "Default Media Receiver",
        namespaces: [Namespace("urn:x-cast:com.google.cast.debugoverlay"), cac, .media],
        showsTitle: true, stopsAfterLastSender: true)
    /// 233637DE: plays on when phones leave; has a namespace of its own.
    public static let youTube = SimulatedApp(
        appID: AppID("233637DE"), displayName: "YouTube",
        namespaces: [Namespace("urn:x-cast:com.google.cast.debugoverlay"), cac, .media, mdx],
        showsTitle: false, stopsAfterLastSender: false)
    /// CC32E753: a music app with a namespace of its own.
    public static let spotify = SimulatedApp(
        appID: AppID("CC32E753"), displayName: "Spotify", namespaces: [spotifySecure, cac, .media],
        showsTitle: false, stopsAfterLastSender: false)
    /// E8C28D3C: Backdrop, which plays nothing.
    static let idleScreen = SimulatedApp(
        appID: AppID("E8C28D3C"), displayName: "Backdrop",
        namespaces: [
            Namespace("urn:x-cast:com.google.cast.debugoverlay"), cac, Namespace("urn:x-cast:com.google.cast.sse"),
        ],
        showsTitle: false, stopsAfterLastSender: false, isIdleScreen: true)

    static let cac = Namespace("urn:x-cast:com.google.cast.cac")
    static let mdx = Namespace("urn:x-cast:com.google.youtube.mdx")
    static let spotifySecure = Namespace("urn:x-cast:com.spotify.chromecast.secure.v1")

    /// The apps that LAUNCH knows; every other id is NOT_FOUND.
    static let launchable = [defaultMediaReceiver, youTube, spotify]

    static func launchable(_ appID: String) -> SimulatedApp? { launchable.first { $0.appID.text == appID } }
}
