import CastModel
import Recording

/// The media sessions of one app session, found by the transport id that its messages come from.
struct AppTransport: Equatable {
    /// The transport id.
    let transportID: TransportID
    /// Whether its state is known: a media status came since we joined, or we saw the app start.
    var isKnown = false
    /// The newest last; ended ones are kept for a while, since their statuses may come again.
    var mediaSessions: [MediaSession] = []
    /// Which sender asked for what, as far as requestIds tell.
    var senders = SenderSeries()
    /// The ad break that the app told of in plain text, while it runs.
    var textBreak: TextBreak?

    /// Media sessions kept, at most.
    static let mediaSessionLimit = 4

    init(transportID: TransportID) { self.transportID = transportID }

    /// Folds one message's statuses into the state and adds what changed.
    ///
    /// An empty list means that there is no media session (PROTOCOL 4.10, rule 5).
    mutating func fold(_ statuses: [MediaStatus], _ arrival: MediaArrival, into events: inout EventCollector) {
        // A break that ran before a gap has no end that anybody saw.
        if arrival.isFirst { textBreak = nil }
        if statuses.isEmpty { endAll(except: [], arrival, into: &events) }
        var named = statuses.compactMap { $0.mediaSessionID.ifPresent }
        named += statuses.compactMap { $0.extendedStatus.ifPresent?.mediaSessionID.ifPresent }
        for status in statuses {
            let next = nextStatus(of: status)
            if next == nil || !announcesOnly(status) { fold(status, arrival, alongside: named, into: &events) }
            if let next { fold(next, arrival, alongside: named, into: &events) }
        }
        isKnown = true
    }

    /// The status of the media session that a LOAD is about to start in the place of another (PROTOCOL 5.1).
    private func nextStatus(of status: MediaStatus) -> MediaStatus? {
        guard let next = status.extendedStatus.ifPresent, case .value(let id) = next.mediaSessionID,
            id != status.mediaSessionID.ifPresent
        else { return nil }
        var json = JSONObject(next.json.pairs.filter { $0.key != "extendedStatus" })
        json["playerState"] = json["playerState"] ?? .string(PlayerState.loading.raw)
        if json["media"] == nil, announcesOnly(status) { json["media"] = status.json["media"] }
        return MediaStatus(json)
    }

    /// Whether a status is of no media session of its own, and only announces the one to come.
    private func announcesOnly(_ status: MediaStatus) -> Bool {
        status.playerState.ifPresent == .idle && status.endReason == nil
            && !mediaSessions.contains { $0.mediaSessionID == status.mediaSessionID.ifPresent }
    }

    private mutating func fold(
        _ status: MediaStatus, _ arrival: MediaArrival, alongside named: [Int64], into events: inout EventCollector
    ) {
        let id = status.mediaSessionID.ifPresent ?? mediaSessions.last?.mediaSessionID
        if let index = mediaSessions.lastIndex(where: { $0.mediaSessionID == id }) {
            let wasOver = mediaSessions[index].hasEnded
            if wasOver, status.restarts(mediaSessions[index]) {
                let ended = mediaSessions.remove(at: index)
                start(status, id, arrival, after: ended, alongside: named, into: &events)
            } else {
                mediaSessions[index].fold(status, arrival, into: &events)
            }
        } else {
            start(status, id, arrival, alongside: named, into: &events)
        }
        if mediaSessions.count > Self.mediaSessionLimit { mediaSessions.removeFirst() }
    }

    private mutating func start(
        _ status: MediaStatus, _ id: Int64?, _ arrival: MediaArrival, after ended: MediaSession? = nil,
        alongside named: [Int64], into events: inout EventCollector
    ) {
        endAll(except: id.map { named + [$0] } ?? named, arrival, into: &events)
        var mediaSession = MediaSession(mediaSessionID: id)
        // The same media session plays again, as after PLAY_AGAIN: what it has loaded still holds.
        (mediaSession.media, mediaSession.mediaHash) = (ended?.media, ended?.mediaHash)
        (mediaSession.activeTrackIDs, mediaSession.currentItemID) = (ended?.activeTrackIDs, ended?.currentItemID)
        if let ended { (mediaSession.queue, mediaSession.mediaItemID) = (ended.queue, ended.mediaItemID) }
        mediaSession.begin(status, arrival, into: &events)
        mediaSessions.append(mediaSession)
    }

    /// Ends the media sessions that are not over and not named, for no known reason.
    private mutating func endAll(except named: [Int64], _ arrival: MediaArrival, into events: inout EventCollector) {
        for index in mediaSessions.indices where !mediaSessions[index].hasEnded {
            if let id = mediaSessions[index].mediaSessionID, named.contains(id) { continue }
            mediaSessions[index].endUnexplained(arrival, into: &events)
        }
    }
}

extension MediaStatus {
    /// Whether a media session that had ended is alive again: it plays, loads, or steps to a queue item.
    func restarts(_ mediaSession: MediaSession) -> Bool {
        if loads(mediaSession.mediaSessionID) || loadingItemID.ifPresent != nil { return true }
        guard let playerState = playerState.ifPresent else { return false }
        return playerState != .idle
    }

    /// Whether a LOAD is under way in this very media session, not in one to come.
    func loads(_ mediaSessionID: Int64?) -> Bool {
        guard isLoading else { return false }
        guard case .value(let next)? = extendedStatus.ifPresent?.mediaSessionID else { return true }
        return next == mediaSessionID
    }
}
