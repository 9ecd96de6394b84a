import CastModel
import Differ
import Recording

/// The selections of tracks of a play.
extension OpenPlay {
    /// Another selection: what an event says of it in `activeTrackIds`, and in `tracks` where they are resolved.
    mutating func select(_ selection: JSONValue?, known tracks: JSONValue?, at moment: WallTime) {
        guard let ids = selection?["activeTrackIds"]?.array else { return }
        let trackIDs = ids.prefix(MediaInformation.trackLimit).compactMap { $0.lossyInteger }
        if let last = play.tracks.last, last.to == nil {
            if ActiveTracks(last.trackIDs) == ActiveTracks(trackIDs) { return resolve(tracks) }
            play.tracks[play.tracks.count - 1].to = moment
        }
        guard play.tracks.count < Play.trackIntervalLimit else { return }
        play.tracks.append(
            Play.TrackInterval(from: moment, to: nil, trackIDs: trackIDs, languages: [], hasText: false))
        resolve(tracks)
    }

    /// The selection of a play that this one takes the place of.
    mutating func select(_ told: Play.TrackInterval, at moment: WallTime) {
        select(["activeTrackIds": .array(told.trackIDs.map { .integer($0) })], known: nil, at: moment)
        guard let index = play.tracks.indices.last, play.tracks[index].to == nil, !told.languages.isEmpty else {
            return
        }
        play.tracks[index].languages = told.languages
        play.tracks[index].hasText = told.hasText
    }

    /// Finds out the languages of the present selection among known tracks.
    mutating func resolve(_ tracks: JSONValue?) {
        guard let index = play.tracks.indices.last, play.tracks[index].to == nil, let tracks = tracks?.array else {
            return
        }
        var known: [Int64: Track] = [:]
        for track in tracks.prefix(MediaInformation.trackLimit).lazy.compactMap(\.object).map(Track.init) {
            if let id = track.trackID.ifPresent { known[id] = track }
        }
        let selected = play.tracks[index].trackIDs.compactMap { known[$0] }
        guard !selected.isEmpty else { return }
        play.tracks[index].languages = selected.compactMap { $0.language.ifPresent }.filter { !$0.isEmpty }
        play.tracks[index].hasText = selected.contains { $0.type.ifPresent == .text }
    }

    /// The selection goes on in the play that follows in the same media session.
    func inheritedTracks(at moment: WallTime) -> [Play.TrackInterval] {
        guard var last = play.tracks.last, last.to == nil else { return [] }
        last.from = moment
        return [last]
    }

    /// Ends the selection with the play.
    mutating func endTracks(at moment: WallTime) {
        guard let index = play.tracks.indices.last, play.tracks[index].to == nil else { return }
        play.tracks[index].to = moment
    }

    /// The selection goes on with the play.
    mutating func reopenTracks() {
        guard let index = play.tracks.indices.last, play.tracks[index].to == play.endedAt else { return }
        play.tracks[index].to = nil
    }
}
