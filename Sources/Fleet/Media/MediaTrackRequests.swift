import CastModel

/// EDIT_TRACKS_INFO and EDIT_AUDIO_TRACKS.
extension MediaMachine {
    /// The rule of PROTOCOL 5.3: a style is re-sent with `media`, never compared; tracks alone go without `media`.
    mutating func editTracks(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        var playback = playing
        // A language wins over ids, and both over the switch.
        if let language = request.body["language"]?.string {
            let chosen = playback.tracks.filter { $0.type == "TEXT" && $0.language == language }
            guard let track = chosen.first else { return refuse(request, "LANGUAGE_NOT_SUPPORTED") }
            select(track.trackID, insteadOf: "TEXT", in: &playback)
        } else if let wanted = request.body["activeTrackIds"]?.array {
            let trackIDs = wanted.compactMap(\.wholeNumber)
            guard trackIDs.count == wanted.count, isSelectable(trackIDs, in: playback) else {
                return refuse(request, "INVALID_PARAMS")
            }
            playback.activeTrackIDs = trackIDs
        } else if let enabled = request.body["enableTextTracks"]?.truth {
            let texts = playback.tracks.filter { $0.type == "TEXT" }.map(\.trackID)
            if !enabled {
                playback.activeTrackIDs.removeAll { texts.contains($0) }
            } else if let first = texts.first, playback.activeTrackIDs.allSatisfy({ !texts.contains($0) }) {
                playback.activeTrackIDs.append(first)
            }
        }
        guard let style = request.body["textTrackStyle"]?.object else {
            return announce(request, playback, .brief, at: now)
        }
        // A new style replaces the old one as a whole (PROTOCOL 4.6).
        playback.media["textTrackStyle"] = .object(style)
        playback.queue.amendCurrent(playback.media)
        return announce(request, playback, .withMedia, at: now)
    }

    mutating func editAudioTracks(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        var playback = playing
        if let language = request.body["language"]?.string {
            let chosen = playback.tracks.filter { $0.type == "AUDIO" && $0.language == language }
            guard let track = chosen.first else { return refuse(request, "LANGUAGE_NOT_SUPPORTED") }
            select(track.trackID, insteadOf: "AUDIO", in: &playback)
        }
        return announce(request, playback, .brief, at: now)
    }

    /// Makes one track the only active one of its type.
    private func select(_ trackID: Int, insteadOf type: String, in playback: inout MediaPlayback) {
        let others = playback.tracks.filter { $0.type == type }.map(\.trackID)
        playback.activeTrackIDs.removeAll { others.contains($0) }
        playback.activeTrackIDs.append(trackID)
    }

    /// Known ids only, and at most one audio and one video track among them (PROTOCOL 4.6).
    private func isSelectable(_ trackIDs: [Int], in playback: MediaPlayback) -> Bool {
        var count: [String: Int] = [:]
        for trackID in trackIDs {
            guard let track = playback.tracks.first(where: { $0.trackID == trackID }) else { return false }
            count[track.type, default: 0] += 1
        }
        return count["AUDIO", default: 0] <= 1 && count["VIDEO", default: 0] <= 1
    }
}
