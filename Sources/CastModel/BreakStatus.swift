/// The ad break that runs: `breakStatus` (PROTOCOL 4.7).
///
/// A status without one says that none runs.
public struct BreakStatus: Sendable, Equatable {
    /// The whole object.
    public let json: JSONObject

    /// The break that an object describes.
    public init(_ json: JSONObject) { self.json = json }

    /// Which break of the media: `id` in `media.breaks`.
    public var breakID: Field<String> { json.textField("breakId") }
    /// Which ad of the break: `id` in `media.breakClips`.
    public var breakClipID: Field<String> { json.textField("breakClipId") }
    /// After how many seconds a viewer may skip the ad; below 0 never.
    public var whenSkippableSeconds: Field<Double> { json.numberField("whenSkippable") }
}

/// An ad: an element of `media.breakClips` (PROTOCOL 4.7).
public struct BreakClip: Sendable, Equatable {
    /// The whole object.
    public let json: JSONObject

    /// The ad that an object describes.
    public init(_ json: JSONObject) { self.json = json }

    /// Names it within its media.
    public var breakClipID: Field<String> { json.textField("id") }
    /// Name for people.
    public var title: Field<String> { json.textField("title") }
    /// After how many seconds a viewer may skip it; below 0 never.
    public var whenSkippableSeconds: Field<Double> { json.numberField("whenSkippable") }
}

extension MediaInformation {
    /// The ads that the receiver app knows already, of all breaks.
    public var breakClips: Field<[BreakClip]> {
        json.field("breakClips") { value in
            value.array.map { $0.lazy.compactMap { $0.object }.prefix(Self.trackLimit).map { BreakClip($0) } }
        }
    }
}

/// What the IMA libraries for receiver apps say of ads, in plain text on a namespace of the app's choice (PROTOCOL 6.4).
public enum AdvertisementText: Sendable, Equatable {
    /// Ads begin: the content pauses at this position, in seconds; nil where the text gives none.
    case contentPauses(atSeconds: Double?)
    /// The ads are over.
    case contentResumes

    /// Longer texts are none of these, in bytes.
    private static let limitBytes = 128

    /// The meaning of a text; nil when it is another.
    public init?(_ utf8: [UInt8]) {
        // Every message of an app passes here: most are JSON and end at once.
        guard utf8.first == UInt8(ascii: "o"), utf8.count <= Self.limitBytes else { return nil }
        let parts = String(decoding: utf8, as: UTF8.self).split(
            separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        switch parts.first {
        case "onContentPauseRequested":
            let seconds = parts.count > 1 ? JSONValue.string(String(parts[1])).lossyNumber : nil
            self = .contentPauses(atSeconds: seconds.flatMap { $0 >= 0 && $0 <= 1e9 ? $0 : nil })
        case "onContentResumeRequested": self = .contentResumes
        default: return nil
        }
    }
}
