/// What one media session reports about itself, as the receiver app sent it (PROTOCOL 4.3).
///
/// A status is often partial: a field left out means "unchanged", `null` means "none". ``Field`` keeps the two apart.
/// A view of its JSON: nothing is lost, and a field is read when it is asked for.
public struct MediaStatus: Sendable, Equatable {
    /// The whole object.
    public let json: JSONObject

    /// The status that an object is.
    public init(_ json: JSONObject) { self.json = json }

    /// The media session, unique within one app session only.
    ///
    /// 0 before the first LOAD, and always with some apps.
    public var mediaSessionID: Field<Int64> { json.integerField("mediaSessionId") }
    /// What the player does.
    public var playerState: Field<PlayerState> { json.wordField("playerState") }
    /// Why the player is idle, as it came.
    ///
    /// Some apps leave a stale one behind while they play: see ``endReason``.
    public var idleReason: Field<IdleReason> { json.wordField("idleReason") }
    /// Position when the app sent this, in seconds of media time.
    ///
    /// A live stream counts from an origin its app chooses.
    public var currentTimeSeconds: Field<Double> { json.numberField("currentTime") }
    /// Speed, 1 for normal; independent of ``playerState``.
    public var playbackRate: Field<Double> { json.numberField("playbackRate") }
    /// What the player can do, as bits (PROTOCOL 4.9).
    public var supportedMediaCommands: Field<Int64> { json.integerField("supportedMediaCommands") }
    /// Volume of the media, not of the device.
    public var volume: Field<Volume> { json.view("volume") { Volume($0) } }
    /// What is loaded; left out where it has not changed (PROTOCOL 5.2).
    public var media: Field<MediaInformation> { json.view("media") { MediaInformation($0) } }
    /// The tracks now selected; absent says nothing about them.
    public var activeTracks: Field<ActiveTracks> { json.field("activeTrackIds") { ActiveTracks($0) } }
    /// The queue item that plays.
    public var currentItemID: Field<Int64> { json.integerField("currentItemId") }
    /// The queue item that loads.
    public var loadingItemID: Field<Int64> { json.integerField("loadingItemId") }
    /// The queue item that is fetched ahead.
    public var preloadedItemID: Field<Int64> { json.integerField("preloadedItemId") }
    /// Queue items read from one status, at most (PROTOCOL 8, parser rule 5).
    public static let itemLimit = 1000
    /// Items of the queue, often a window around the current one.
    public var items: Field<[QueueItem]> { json.queueItems("items") }
    /// The queue without its items.
    public var queueData: Field<QueueData> { json.view("queueData") { QueueData($0) } }
    /// What follows the end of the queue.
    public var repeatMode: Field<RepeatMode> { json.wordField("repeatMode") }
    /// `{width, height, hdrType}`.
    public var videoInfo: Field<JSONObject> { json.objectField("videoInfo") }
    /// The ad break that runs (PROTOCOL 4.7).
    public var breakStatus: Field<BreakStatus> { json.view("breakStatus") { BreakStatus($0) } }
    /// What can be sought in a live broadcast.
    public var liveSeekableRange: Field<LiveRange> { json.view("liveSeekableRange") { LiveRange($0) } }
    /// The status of a LOAD that is under way while the player is idle; its media session is the new one.
    public var extendedStatus: Field<MediaStatus> { json.view("extendedStatus") { MediaStatus($0) } }
    /// The app's own.
    public var customData: Field<JSONValue> { json.field("customData") }

    /// Whether a LOAD is under way.
    public var isLoading: Bool {
        if playerState.ifPresent == .loading { return true }
        guard case .value(let extended) = extendedStatus else { return false }
        return extended.playerState.ifPresent == .loading
    }

    /// Why the media session ended: the idle reason, only while the player is idle.
    ///
    /// Nil while it plays, and while nothing is known of an end.
    public var endReason: IdleReason? {
        guard playerState.ifPresent == .idle else { return nil }
        return idleReason.ifPresent
    }

    /// Fields that a status clears by leaving them out; all others it keeps (PROTOCOL 4.10, rule 4).
    public static let clearedWhenAbsent = [
        "idleReason", "extendedStatus", "breakStatus", "loadingItemId", "customData",
    ]

    /// This status on top of the one before it: the whole state of the media session now (PROTOCOL 4.10).
    ///
    /// Another media session starts from nothing. Fields replace as wholes: a key that left `media` has really gone.
    public func merged(into previous: MediaStatus?) -> MediaStatus {
        guard let previous else { return self }
        if let own = mediaSessionID.ifPresent, own != previous.mediaSessionID.ifPresent { return self }
        var whole = previous.json
        for key in Self.clearedWhenAbsent where json[key] == nil { whole[key] = nil }
        for pair in json.pairs { whole[pair.key] = pair.value }
        return MediaStatus(whole)
    }
}

/// The media statuses within a MEDIA_STATUS.
public enum MediaStatusMessage {
    /// Statuses read from one message, at most; in practice there is one.
    public static let statusLimit = 16

    /// The statuses of a payload: of an array, of a single object, or of the flat form (PROTOCOL 8, rows 1 to 3).
    ///
    /// Empty when there is no media session.
    public static func statuses(in payload: JSONObject) -> [MediaStatus] {
        switch payload["status"] {
        case .array(let elements)?:
            return elements.lazy.compactMap { $0.object }.prefix(statusLimit).map { MediaStatus($0) }
        case .object(let object)?: return [MediaStatus(object)]
        case nil:
            let isFlat = payload["mediaSessionId"] != nil || payload["playerState"] != nil
            guard isFlat else { return [] }
            let envelope: Set<String> = ["type", "responseType", "requestId", "request_id"]
            return [MediaStatus(JSONObject(payload.pairs.filter { !envelope.contains($0.key) }))]
        default: return []
        }
    }

    /// The statuses of a payload; none when it is no object.
    public static func statuses(in payload: JSONValue) -> [MediaStatus] {
        payload.object.map { statuses(in: $0) } ?? []
    }
}

extension JSONObject {
    /// The object field as a view of it.
    func view<View>(_ key: String, _ make: (JSONObject) -> View) -> Field<View> {
        field(key) { $0.object.map(make) }
    }

    /// The objects in an array field as views of them, at most `limit`; see ``objectsField(_:limit:)``.
    func views<View>(_ key: String, limit: Int, _ make: (JSONObject) -> View) -> Field<[View]> {
        field(key) { $0.array.map { elements in elements.lazy.compactMap { $0.object }.prefix(limit).map(make) } }
    }
}
