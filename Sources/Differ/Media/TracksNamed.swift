import CastModel

/// How the selection of tracks changes, and what the selected tracks are (PROTOCOL 4.6, 5.3).
extension MediaSession {
    /// Folds the active tracks of a status: absent says nothing; `null` and `[]` both say "none" (PROTOCOL 4.3).
    ///
    /// `before` is the media before this status: ids mean the tracks of the media they were told of.
    mutating func foldTracks(_ status: MediaStatus, mediaBefore: JSONObject?, into events: inout EventCollector) {
        let told: [Int64]
        switch status.activeTracks {
        case .absent: return
        case .null: told = []
        case .value(let tracks): told = tracks.trackIDs
        }
        defer { activeTrackIDs = told }
        guard ActiveTracks(told) != ActiveTracks(activeTrackIDs ?? []) else { return }
        events.add(
            .activeTracksChanged, before: activeTrackIDs.map { Self.selection($0, of: mediaBefore) },
            after: Self.selection(told, of: media), callbacks: [.mediaStatus])
    }

    /// The ids, and beside them what each track is; an id that the media does not list stands alone.
    private static func selection(_ trackIDs: [Int64], of media: JSONObject?) -> JSONValue {
        let known = trackIDs.isEmpty ? [] : media.map { MediaInformation($0) }?.tracks.ifPresent ?? []
        let tracks = trackIDs.map { trackID -> JSONValue in
            let track = known.first { $0.trackID.ifPresent == trackID }
            var named = JSONObject([("trackId", .integer(trackID))])
            for key in ["type", "subtype", "language", "name"] { named[key] = track?.json[key] }
            return .object(named)
        }
        return ["activeTrackIds": .array(trackIDs.map { .integer($0) }), "tracks": .array(tracks)]
    }
}
