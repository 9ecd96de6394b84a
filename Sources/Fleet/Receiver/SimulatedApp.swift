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
    /// Whether it only stands for a group's playback (PROTOCOL 6.1).
    public var isPlaceholder = false

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
    /// 93F3197F: shows ads as the IMA sample does, in plain text beside the media namespace.
    public static let imaSample = SimulatedApp(
        appID: AppID("93F3197F"), displayName: "IMA Sample", namespaces: [ima, .media], showsTitle: false,
        stopsAfterLastSender: true)
    /// 07AEE832: tells its senders once per second how far it is, on a namespace of its own.
    public static let shakaDemo = SimulatedApp(
        appID: AppID("07AEE832"), displayName: "Shaka Player Demo", namespaces: [shaka, .media], showsTitle: false,
        stopsAfterLastSender: true)
    /// 531A4F84: what a group's leader shows while the group plays.
    static let groupLeader = SimulatedApp(
        appID: AppID("531A4F84"), displayName: "Group leader", namespaces: [], showsTitle: false,
        stopsAfterLastSender: false, isPlaceholder: true)
    /// 705D30C6: what the other members show.
    static let groupFollower = SimulatedApp(
        appID: AppID("705D30C6"), displayName: "Group follower", namespaces: [], showsTitle: false,
        stopsAfterLastSender: false, isPlaceholder: true)
    /// E8C28D3C: Backdrop, which plays nothing.
    static let idleScreen = SimulatedApp(
        appID: AppID("E8C28D3C"), displayName: "Backdrop",
        namespaces: [
            Namespace("urn:x-cast:com.google.cast.debugoverlay"), cac, Namespace("urn:x-cast:com.google.cast.sse"),
        ],
        showsTitle: false, stopsAfterLastSender: false, isIdleScreen: true)

    static let cac = Namespace("urn:x-cast:com.google.cast.cac")
    static let mdx = Namespace("urn:x-cast:com.google.youtube.mdx")
    static let ima = Namespace("urn:x-cast:com.google.ads.ima.cast")
    static let shaka = Namespace("urn:x-cast:com.google.shaka.v2")
    static let spotifySecure = Namespace("urn:x-cast:com.spotify.chromecast.secure.v1")

    /// The apps that LAUNCH knows; every other id is NOT_FOUND.
    static let launchable = [defaultMediaReceiver, youTube, spotify, imaSample, shakaDemo]

    static func launchable(_ appID: String) -> SimulatedApp? { launchable.first { $0.appID.text == appID } }
}
