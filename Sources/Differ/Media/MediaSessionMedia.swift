import CastModel

/// How a status with media changes a media session (PROTOCOL 5.2, 5.3).
extension MediaSession {
    /// Folds the media of a status, if it has any; true when it completed a LOAD or a queue step.
    ///
    /// `itemsChanged` says that the queue is why media came along.
    mutating func foldMedia(
        _ status: MediaStatus, _ arrival: MediaArrival, itemsChanged: Bool, into events: inout EventCollector
    ) -> Bool {
        let playsOn = status.playerState.ifPresent.map { $0 != .idle } ?? (playerState != .idle)
        let completes = awaitsMedia && playsOn && !isLoading
        switch status.media {
        case .absent:
            // A player that runs without having sent media will not send it any more.
            if completes, status.playerState.ifPresent == .playing || status.playerState.ifPresent == .paused {
                awaitsMedia = false
            }
        case .null: foldNoMedia(into: &events)
        case .value(let told):
            take(told, arrival, mayReassert: !completes && !isLoading, itemsChanged: itemsChanged, into: &events)
            if completes { awaitsMedia = false }
        }
        return completes
    }

    /// Takes media that a status carries, and tells what is new about it.
    private mutating func take(
        _ told: MediaInformation, _ arrival: MediaArrival, mayReassert: Bool, itemsChanged: Bool,
        into events: inout EventCollector
    ) {
        let hash = Fingerprint.of(.object(told.json))
        let payload = Fingerprint.of(arrival.payload)
        defer { (mediaHash, mediaPayload, mediaItemID) = (hash, payload, currentItemID) }
        let kept = hash == mediaHash ? media ?? KeptMedia.kept(told.json) : KeptMedia.kept(told.json)
        guard let known = media else {
            media = kept
            events.add(
                .mediaChanged, after: .object(KeptMedia.shown(kept)), callbacks: [.mediaMetadata, .mediaStatus])
            return
        }
        if hash != mediaHash {
            let difference = MediaDifference(from: known, to: kept)
            media = kept
            if !difference.isEmpty { return tell(difference, from: known, to: kept, into: &events) }
        }
        if mayReassert, arrival.canReassert, playerState != .idle, payload != mediaPayload {
            tellReasserted(kept, arrival, causedByQueue: itemsChanged, into: &events)
        }
    }

    /// Media that comes again as it was.
    ///
    /// A sender's request with a style is probably an edit of the text track style: receivers send media then without
    /// comparing (PROTOCOL 5.3). Anything else is a re-assertion of unknown purpose.
    private func tellReasserted(
        _ kept: JSONObject, _ arrival: MediaArrival, causedByQueue: Bool, into events: inout EventCollector
    ) {
        let callbacks: [ChangeEvent.Callback] = [.mediaMetadata, .mediaStatus]
        let style = kept["textTrackStyle"]
        if let requestID = arrival.requestID, requestID != 0, case .object? = style, !causedByQueue {
            let shown = kept.only(["textTrackStyle"])
            events.add(
                .textTrackStyleReasserted, before: shown, after: shown, effective: false, callbacks: callbacks)
        } else {
            let shown = kept.only(["contentId", "contentUrl", "entity"])
            events.add(.mediaReasserted, before: shown, after: shown, effective: false, callbacks: callbacks)
        }
    }

    private func tell(
        _ difference: MediaDifference, from before: JSONObject, to after: JSONObject, into events: inout EventCollector
    ) {
        let callbacks: [ChangeEvent.Callback] = [.mediaMetadata, .mediaStatus]
        if difference.identity {
            events.add(
                .mediaChanged, before: .object(KeptMedia.shown(before)), after: .object(KeptMedia.shown(after)),
                callbacks: callbacks)
            return
        }
        func add(_ kind: ChangeEvent.Kind, _ keys: [String]) {
            events.add(kind, before: before.only(keys), after: after.only(keys), callbacks: callbacks)
        }
        if !difference.otherKeys.isEmpty { add(.metadataChanged, difference.otherKeys) }
        if difference.duration { add(.durationChanged, ["duration"]) }
        if difference.tracks { add(.trackListChanged, ["tracks"]) }
        if difference.style { add(.textTrackStyleChanged, ["textTrackStyle"]) }
    }

    private mutating func foldNoMedia(into events: inout EventCollector) {
        guard let media else { return }
        events.add(.mediaChanged, before: .object(KeptMedia.shown(media)), callbacks: [.mediaMetadata, .mediaStatus])
        (self.media, mediaHash) = (nil, nil)
    }
}
