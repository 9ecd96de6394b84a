/// A receiver app that runs on a device: an element of `applications` (PROTOCOL 3.2).
///
/// A view of its JSON: nothing is lost, and a field is read when it is asked for.
public struct ReceiverApp: Sendable, Equatable {
    /// The whole object.
    public let json: JSONObject

    /// The app that an object describes.
    public init(_ json: JSONObject) { self.json = json }

    /// The app as its device names it.
    public var appID: AppID? { json.textField("appId").ifPresent.map { AppID($0) } }
    /// The app whatever the platform; differs from ``appID`` on Android TV.
    public var universalAppID: AppID? { json.textField("universalAppId").ifPresent.map { AppID($0) } }
    /// Name for people, localised by the device.
    public var displayName: Field<String> { json.textField("displayName") }
    /// "WEB" or "ANDROID_TV"; old firmware does not say.
    public var appType: Field<String> { json.textField("appType") }
    /// What the device itself says of being an idle screen; see ``isIdleScreen``.
    public var idleScreenFlag: Field<Bool> { json.flagField("isIdleScreen") }
    /// This launch of the app; nil when the device names none, or an empty one.
    public var sessionID: AppSessionID? {
        guard let text = json.textField("sessionId").ifPresent, !text.isEmpty else { return nil }
        return AppSessionID(text)
    }
    /// Where to send messages for this launch.
    ///
    /// Nil on group leaders and while an app starts.
    public var transportID: TransportID? {
        guard let text = json.textField("transportId").ifPresent, !text.isEmpty else { return nil }
        return TransportID(text)
    }
    /// A line for people: "Casting: a title", localised.
    public var statusText: Field<String> { json.textField("statusText") }
    /// Whether a sender that the app knows of is attached.
    public var senderConnected: Field<Bool> { json.flagField("senderConnected") }
    /// Whether an assistant or a routine started it.
    public var launchedFromCloud: Field<Bool> { json.flagField("launchedFromCloud") }

    /// Namespaces read from one app, at most.
    public static let namespaceLimit = 200

    /// The namespaces the app speaks, as URNs, from `{name}` or plain strings (old firmware).
    ///
    /// Absent or empty while the app still starts: that says nothing about media.
    public var namespaces: Field<[String]> {
        json.field("namespaces") { value in
            value.array.map { elements in
                elements.prefix(Self.namespaceLimit).compactMap { $0.string ?? $0["name"]?.string }
            }
        }
    }

    /// Whether the app says that it speaks the media namespace.
    public var offersMedia: Bool {
        namespaces.ifPresent?.contains("urn:x-cast:com.google.cast.media") ?? false
    }

    /// Whether this stands for a group's playback and is no app: the leader's or a follower's placeholder.
    ///
    /// The group's own endpoint tells what plays (PROTOCOL 3.3).
    public var isGroupPlaceholder: Bool {
        appID.flatMap { AppRegistry.builtIn[$0] }?.kind == .placeholder
    }

    /// Whether this stands for whatever Android TV app plays, one that knows nothing of Cast (PROTOCOL 1.9).
    ///
    /// All such apps have the same id; only their names tell them apart.
    public var isAnyNativeApp: Bool { appID?.text.uppercased() == "ANDROIDNATIVEAPP" }

    /// Whether this is an idle screen: by its flag, or by the ids of firmware that has no flag (PROTOCOL 3.2).
    public var isIdleScreen: Bool {
        if idleScreenFlag.ifPresent == true { return true }
        return canonicalAppID.flatMap { AppRegistry.builtIn[$0] }?.kind == .idle
    }

    /// The id to know the app by: the universal one where there is one.
    ///
    /// On a group's placeholder the plain id decides, since its universal id may be that of the app that plays.
    public var canonicalAppID: AppID? {
        if isGroupPlaceholder { return appID }
        guard let universalAppID, !universalAppID.text.isEmpty else { return appID }
        return universalAppID
    }
}
