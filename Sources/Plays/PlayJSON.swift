public import CastModel
public import Recording

extension Play {
    /// The selections of tracks, with their times; for programs.
    public var tracksJSON: JSONValue { tracksJSON(times: \.text) }

    /// The same, with times as `times` writes them.
    public func tracksJSON(times: (WallTime) -> String) -> JSONValue {
        .array(
            tracks.map { interval in
                [
                    "from": .string(times(interval.from)), "to": interval.to.map { .string(times($0)) } ?? .null,
                    "trackIds": .array(interval.trackIDs.map { .integer($0) }),
                    "languages": .array(interval.languages.map { .string($0) }), "captions": .bool(interval.hasText),
                ]
            })
    }

    /// The ids of the members of the group.
    public var membersJSON: JSONValue { .array(memberIDs.map { .string($0.text) }) }
}

extension Play.TrackInterval {
    /// The interval that ``Play/tracksJSON`` wrote; nil when this is none.
    public init?(_ json: JSONValue) {
        guard let from = json["from"]?.string.flatMap({ WallTime(text: $0) }) else { return nil }
        self.from = from
        to = json["to"]?.string.flatMap { WallTime(text: $0) }
        trackIDs = (json["trackIds"]?.array ?? []).compactMap { $0.lossyInteger }
        languages = (json["languages"]?.array ?? []).compactMap { $0.string }
        hasText = json["captions"]?.lossyFlag ?? false
    }
}
