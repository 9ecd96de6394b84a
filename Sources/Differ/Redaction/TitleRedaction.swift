import CastModel
import Recording

/// Takes out of messages what was played, before they are folded: `--redact titles`.
///
/// Apps, times, durations and everything that is no content stays. What names the content is replaced by a pseudonym, so
/// that another content is still told as another: a fingerprint under a key, the salt, which the archive knows and no
/// view shows. What is not known to be harmless goes.
struct TitleRedaction: Equatable {
    /// Makes pseudonyms useless beyond this archive.
    let salt: UInt64

    /// The salt of an archive whose titles are left out from a record on.
    static func salt(of record: Record) -> UInt64 {
        Fingerprint.of("\(record.boot)\n\(record.monotonic.nanoseconds)".utf8)
    }

    /// The object without titles.
    ///
    /// Doing it twice makes other pseudonyms; do it once.
    func redacted(_ object: JSONObject) -> JSONObject {
        JSONObject(
            object.pairs.compactMap { pair in
                if case .null = pair.value { return Self.dropped.contains(pair.key) ? nil : pair }
                return redacted(pair.key, pair.value).map { (pair.key, $0) }
            })
    }

    /// What becomes of a field; nil when it goes.
    private func redacted(_ key: String, _ value: JSONValue) -> JSONValue? {
        if Self.dropped.contains(key) { return nil }
        if Self.naming.contains(key) { return pseudonym(of: value) }
        if key == "statusText" { return value.string?.isEmpty == false ? .string(Redaction.placeholder) : value }
        guard let kept = Self.kept[key] else { return redacted(value) }
        return only(kept, of: value)
    }

    private func redacted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object): .object(redacted(object))
        case .array(let elements): .array(elements.map { redacted($0) })
        case .null, .bool, .integer, .unsigned, .number, .string: value
        }
    }

    /// Of an object, or of each object in a list, the fields that may stay; what is neither goes.
    private func only(_ keys: Set<String>, of value: JSONValue) -> JSONValue? {
        switch value {
        case .object(let object): .object(redacted(JSONObject(object.pairs.filter { keys.contains($0.key) })))
        case .array(let elements): .array(elements.compactMap { only(keys, of: $0) })
        case .null, .bool, .integer, .unsigned, .number, .string: nil
        }
    }

    /// Stands for one content, everywhere in this archive.
    private func pseudonym(of value: JSONValue) -> JSONValue {
        guard let text = value.lossyText, !text.isEmpty else { return value }
        let hash = Fingerprint.keyed(text.utf8, by: (salt, ~salt))
        return .string("(redacted \(Fingerprint.text(hash)))")
    }

    /// Fields that name a content, wherever they stand.
    private static let naming: Set<String> = ["contentId", "contentUrl", "entity", "trackContentId"]

    /// Fields that tell of a content, wherever they stand.
    private static let dropped: Set<String> = [
        "albumArtist", "albumName", "artist", "containerMetadata", "description", "images", "posterUrl", "seriesTitle",
        "songName", "subtitle", "thumb", "title",
    ]

    /// Objects of which only these fields stay.
    private static let kept: [String: Set<String>] = [
        "media": [
            "breakClips", "breaks", "contentId", "contentType", "contentUrl", "duration", "entity", "hlsSegmentFormat",
            "hlsVideoSegmentFormat", "mediaCategory", "metadata", "startAbsoluteTime", "streamType", "textTrackStyle",
            "tracks",
        ],
        "metadata": ["metadataType"],
        // 1081 is YouTube's word for an ad that plays.
        "customData": ["playerState"],
        "tracks": [
            "isInband", "language", "roles", "subtype", "trackContentId", "trackContentType", "trackId", "type",
        ],
        "breaks": ["breakClipIds", "duration", "id", "isEmbedded", "isWatched", "position"],
        "breakClips": ["contentType", "duration", "id", "whenSkippable"],
        "queueData": ["items", "queueType", "repeatMode", "shuffle", "startIndex", "startTime"],
    ]
}
