/// What is loaded: the `media` of a media status (PROTOCOL 4.4).
///
/// The receiver app echoes what the loading sender wrote, then amends it. A view of its JSON: nothing is lost.
public struct MediaInformation: Sendable, Equatable {
    /// The whole object.
    public let json: JSONObject

    /// The media that an object describes.
    public init(_ json: JSONObject) { self.json = json }

    /// A URL, a token, JSON text, or empty.
    public var contentID: Field<String> { json.textField("contentId") }
    /// Where the media is, when ``contentID`` does not say.
    public var contentURL: Field<String> { json.textField("contentUrl") }
    /// A deep link that names the content.
    public var entity: Field<String> { json.textField("entity") }
    /// MIME type, or whatever the sender put there.
    public var contentType: Field<String> { json.textField("contentType") }
    /// Stored or live.
    public var streamType: Field<StreamType> { json.wordField("streamType") }
    /// Length in seconds, as it came: 0, −1 and `null` are all seen for "unknown".
    ///
    /// See ``knownDurationSeconds``.
    public var durationSeconds: Field<Double> { json.numberField("duration") }
    /// Title, artist and the like.
    public var metadata: Field<MediaMetadata> { json.view("metadata") { MediaMetadata($0) } }
    /// How text tracks are drawn.
    public var textTrackStyle: Field<TextTrackStyle> { json.view("textTrackStyle") { TextTrackStyle($0) } }
    /// The app's own.
    public var customData: Field<JSONValue> { json.field("customData") }

    /// Tracks read from one media, at most (PROTOCOL 8, parser rule 5).
    public static let trackLimit = 200

    /// The tracks on offer; senders cannot change them without another LOAD.
    public var tracks: Field<[Track]> {
        json.field("tracks") { value in
            value.array.map { $0.lazy.compactMap { $0.object }.prefix(Self.trackLimit).map { Track($0) } }
        }
    }

    /// Length in seconds where it is really known: above 0.
    public var knownDurationSeconds: Double? {
        guard let seconds = durationSeconds.ifPresent, seconds > 0 else { return nil }
        return seconds
    }

    /// What tells one content from another (PROTOCOL 4.4).
    public struct Identity: Sendable, Hashable {
        /// `contentId`; nil when absent, `null` or empty.
        public var contentID: String?
        /// `contentUrl`; nil when absent, `null` or empty.
        public var contentURL: String?
        /// `entity`; nil when absent, `null` or empty.
        public var entity: String?
        /// An identity, part by part.
        public init(contentID: String?, contentURL: String?, entity: String?) {
            self.contentID = contentID
            self.contentURL = contentURL
            self.entity = entity
        }
        /// Whether nothing is known: two such contents may still differ.
        public var isEmpty: Bool { contentID == nil && contentURL == nil && entity == nil }
    }

    /// What tells this content from another.
    public var identity: Identity {
        func known(_ field: Field<String>) -> String? { field.ifPresent.flatMap { $0.isEmpty ? nil : $0 } }
        return Identity(contentID: known(contentID), contentURL: known(contentURL), entity: known(entity))
    }
}

/// An audio, video or text track on offer (PROTOCOL 4.6).
public struct Track: Sendable, Equatable {
    /// The whole object.
    public let json: JSONObject

    /// The track that an object describes.
    public init(_ json: JSONObject) { self.json = json }

    /// Its number within its media.
    public var trackID: Field<Int64> { json.integerField("trackId") }
    /// Text, sound or picture.
    public var type: Field<TrackType> { json.wordField("type") }
    /// What a text track is for.
    public var subtype: Field<TrackSubtype> { json.wordField("subtype") }
    /// Language tag (RFC 5646), or another code such as `eng`.
    public var language: Field<String> { json.textField("language") }
    /// Name for people.
    public var name: Field<String> { json.textField("name") }
    /// MIME type of a side-loaded track.
    public var trackContentType: Field<String> { json.textField("trackContentType") }
    /// URL of a side-loaded track.
    public var trackContentID: Field<String> { json.textField("trackContentId") }
}

/// The tracks now selected: `activeTrackIds`, compared as a set.
public struct ActiveTracks: Sendable, Equatable {
    /// The ids in the order they came.
    public let trackIDs: [Int64]

    /// The ids, in any order.
    public init(_ trackIDs: [Int64]) { self.trackIDs = trackIDs }

    /// The ids in an array; nil when this is no array.
    ///
    /// An element that is no integer is left out.
    public init?(_ json: JSONValue) {
        guard let elements = json.array else { return nil }
        trackIDs = elements.prefix(MediaInformation.trackLimit).compactMap { $0.lossyInteger }
    }

    /// The same selection, whatever the order.
    public static func == (one: ActiveTracks, other: ActiveTracks) -> Bool {
        one.trackIDs == other.trackIDs || Set(one.trackIDs) == Set(other.trackIDs)
    }
}
