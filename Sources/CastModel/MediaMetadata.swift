/// Title, artist and the like: the `metadata` of media (PROTOCOL 4.5).
///
/// Fields are read whatever `metadataType` says: unknown types and missing ones occur. A view of its JSON.
public struct MediaMetadata: Sendable, Equatable {
    /// The whole object.
    public let json: JSONObject

    /// The metadata that an object is.
    public init(_ json: JSONObject) { self.json = json }

    /// 0 generic, 1 movie, 2 TV show, 3 music, 4 photo, 5 audiobook chapter; others occur.
    public var metadataType: Field<Int64> { json.integerField("metadataType") }
    /// The main title.
    public var title: Field<String> { json.textField("title") }
    /// The second line.
    public var subtitle: Field<String> { json.textField("subtitle") }
    /// Performer; also `artistName`, the older key.
    public var artist: Field<String> { either("artist", "artistName") }
    /// Album.
    public var albumName: Field<String> { json.textField("albumName") }
    /// Performer of the album.
    public var albumArtist: Field<String> { json.textField("albumArtist") }
    /// Composer.
    public var composer: Field<String> { json.textField("composer") }
    /// Title of a song, where it is not in ``title``.
    public var songName: Field<String> { json.textField("songName") }
    /// Number on the disc; also `track`.
    public var trackNumber: Field<Int64> { eitherInteger("trackNumber", "track") }
    /// Number of the disc.
    public var discNumber: Field<Int64> { json.integerField("discNumber") }
    /// Series that an episode belongs to.
    public var seriesTitle: Field<String> { json.textField("seriesTitle") }
    /// Season; also `seasonNumber`, the older key.
    public var season: Field<Int64> { eitherInteger("season", "seasonNumber") }
    /// Episode; also `episodeNumber`, the older key.
    public var episode: Field<Int64> { eitherInteger("episode", "episodeNumber") }
    /// Studio of a movie.
    public var studio: Field<String> { json.textField("studio") }
    /// ISO 8601 date.
    public var releaseDate: Field<String> { json.textField("releaseDate") }
    /// Book that a chapter belongs to.
    public var bookTitle: Field<String> { json.textField("bookTitle") }
    /// Title of a chapter.
    public var chapterTitle: Field<String> { json.textField("chapterTitle") }

    /// URLs read from one metadata, at most.
    public static let imageLimit = 32

    /// URLs of pictures, from `{url}` or plain strings; empty ones are left out.
    public var imageURLs: [String] {
        let images = json["images"]?.array ?? []
        return images.prefix(Self.imageLimit).compactMap { $0.string ?? $0["url"]?.string }.filter { !$0.isEmpty }
    }

    /// The one line to show for the content; nil when the metadata names none.
    ///
    /// The first that is there and not empty: title, song, chapter, episode, book, series.
    public var displayTitle: String? {
        for key in ["title", "songName", "chapterTitle", "episodeTitle", "bookTitle", "seriesTitle"] {
            if let text = json.textField(key).ifPresent, !text.isEmpty { return text }
        }
        return nil
    }

    private func either(_ key: String, _ older: String) -> Field<String> {
        let field = json.textField(key)
        return field.isMentioned ? field : json.textField(older)
    }

    private func eitherInteger(_ key: String, _ older: String) -> Field<Int64> {
        let field = json.integerField(key)
        return field.isMentioned ? field : json.integerField(older)
    }
}
