import CastModel

/// What the differ keeps and tells of media: no secrets, and of private data only whether it changed.
enum KeptMedia {
    /// Media as the differ keeps it: redacted, `customData` replaced by a fingerprint.
    ///
    /// States go to the database, so they must not hold what events must not show. Media whose secrets alone differ, as
    /// when a signed URL is signed anew, is the same media.
    static func kept(_ media: JSONObject) -> JSONObject {
        JSONObject(
            media.pairs.map { pair in
                switch pair.key {
                case "customData": (pair.key, .string("fnv1a:" + Fingerprint.text(Fingerprint.of(pair.value))))
                case "tracks", "breaks", "breakClips": (pair.key, keptList(pair.value))
                case "textTrackStyle":
                    (pair.key, pair.value.object.map { .object(kept($0)) } ?? keptField(pair.key, pair.value))
                default: (pair.key, keptField(pair.key, pair.value))
                }
            })
    }

    /// The size of the picture, as far as PROTOCOL 4.3 knows it.
    static func videoInfo(of status: MediaStatus) -> JSONObject? {
        guard let told = status.videoInfo.ifPresent else { return nil }
        return told.only(["width", "height", "hdrType"]).flatMap { Redaction.redacted($0).object } ?? JSONObject()
    }

    /// Kept media as events show it: without `customData`.
    static func shown(_ media: JSONObject) -> JSONObject {
        JSONObject(media.pairs.filter { $0.key != "customData" })
    }

    /// What names kept media: enough to show it beside a queue item, without pictures.
    static func named(_ media: JSONObject) -> JSONObject {
        var named = media.only(["contentId", "contentUrl", "entity", "duration", "metadata"])?.object ?? JSONObject()
        if case .object(let metadata)? = named["metadata"] {
            named["metadata"] = .object(
                JSONObject(metadata.pairs.filter { $0.key != "images" && $0.key != "posterUrl" }))
        }
        return named
    }

    private static func keptList(_ value: JSONValue) -> JSONValue {
        guard case .array(let elements) = value else { return Redaction.redacted(value) }
        return .array(
            elements.prefix(MediaInformation.trackLimit).map { element in
                element.object.map { .object(kept($0)) } ?? Redaction.redacted(element)
            })
    }

    private static func keptField(_ key: String, _ value: JSONValue) -> JSONValue {
        if case .null = value { return .null }
        return Redaction.isSecret(key: key) ? .string(Redaction.placeholder) : Redaction.redacted(value)
    }
}

/// How one media differs from the one before it in the same media session.
struct MediaDifference {
    /// Another content (PROTOCOL 4.4).
    var identity = false
    /// Fields other than the ones named here, by their keys; `metadata` among them.
    var otherKeys: [String] = []
    /// Another length.
    var duration = false
    /// Other tracks on offer.
    var tracks = false
    /// Text tracks are drawn otherwise.
    var style = false

    /// Whether the media is the same.
    var isEmpty: Bool { !identity && !duration && !tracks && !style && otherKeys.isEmpty }

    /// The difference between two media, both as kept.
    init(from before: JSONObject, to after: JSONObject) {
        if before == after { return }
        let (old, new) = (MediaInformation(before), MediaInformation(after))
        identity = old.identity != new.identity
        var keys = after.pairs.map { $0.key }
        for pair in before.pairs where after[pair.key] == nil { keys.append(pair.key) }
        for key in keys where !same(before[key], after[key]) {
            switch key {
            case "contentId", "contentUrl", "entity": continue
            case "duration": duration = old.knownDurationSeconds != new.knownDurationSeconds
            case "tracks": tracks = true
            case "textTrackStyle": style = old.textTrackStyle != new.textTrackStyle
            default: otherKeys.append(key)
            }
        }
    }

    /// Whether two fields say the same; `null` and absent both say "none".
    private func same(_ one: JSONValue?, _ other: JSONValue?) -> Bool { (one ?? .null) == (other ?? .null) }
}

extension JSONObject {
    /// The fields under these keys; nil when none is there.
    func only(_ keys: some Sequence<String>) -> JSONValue? {
        JSONObject(known: keys.map { (key: $0, value: self[$0]) }).unlessEmpty
    }
}
