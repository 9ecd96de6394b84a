import CastModel

/// What a play plays, as its device says it.
///
/// Every field is nil when it was not said.
public struct PlayContent: Sendable, Equatable {
    /// `contentId`: a URL, a token, JSON text.
    public var contentID: String?
    /// `contentUrl`.
    public var contentURL: String?
    /// `entity`, a deep link.
    public var entity: String?
    /// The line to show for it.
    public var title: String?
    /// The series that an episode belongs to.
    public var seriesTitle: String?
    /// Season of the series.
    public var season: Int64?
    /// Episode of the season.
    public var episode: Int64?
    /// Performer.
    public var artist: String?
    /// Album.
    public var album: String?
    /// MIME type, or whatever the sender put there.
    public var contentType: String?
    /// `BUFFERED`, `LIVE` or `NONE`, as it was spelled.
    public var streamType: String?
    /// Length in seconds, above 0.
    ///
    /// Where an ad shows its own length, this stays that of the content.
    public var durationSeconds: Double?

    /// Nothing known.
    public init() {}

    /// What a media object says.
    init(media: JSONObject) {
        take(media)
        durationSeconds = MediaInformation(media).knownDurationSeconds
    }

    /// Takes what a media object, or a part of it, says, but for the length.
    mutating func take(_ media: JSONObject) {
        let told = MediaInformation(media)
        func replace(_ field: Field<String>, _ value: inout String?) {
            switch field {
            case .absent: break
            case .null: value = nil
            case .value(let text): value = text.isEmpty ? nil : text
            }
        }
        replace(told.contentID, &contentID)
        replace(told.contentURL, &contentURL)
        replace(told.entity, &entity)
        replace(told.contentType, &contentType)
        if let word = told.streamType.ifPresent { streamType = word.raw }
        guard case .value(let metadata) = told.metadata else { return }
        title = metadata.displayTitle
        seriesTitle = metadata.seriesTitle.ifPresent.flatMap { $0.isEmpty ? nil : $0 }
        season = metadata.season.ifPresent
        episode = metadata.episode.ifPresent
        artist = metadata.artist.ifPresent.flatMap { $0.isEmpty ? nil : $0 }
        album = metadata.albumName.ifPresent.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether nothing tells it from other content.
    var isUnnamed: Bool { !hasIdentity && title == nil }

    /// Whether it is live.
    public var isLive: Bool { streamType.map { StreamType($0) == .live } ?? false }

    var hasIdentity: Bool { contentID != nil || contentURL != nil || entity != nil }

    /// Whether this is the same content (PROTOCOL 4.4): by its ids, or by its title where it has none.
    ///
    /// The app is the caller's to compare.
    func isSame(as other: PlayContent) -> Bool {
        if hasIdentity || other.hasIdentity {
            return contentID == other.contentID && contentURL == other.contentURL && entity == other.entity
        }
        return title != nil && title == other.title
    }

    /// Whether nothing speaks against this being the same content.
    func mayBeSame(as other: PlayContent) -> Bool { isUnnamed || other.isUnnamed || isSame(as: other) }
}
