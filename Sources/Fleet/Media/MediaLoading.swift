import CastModel

/// Loading: LOAD and QUEUE_LOAD, steps of the queue, and how they end.
extension MediaMachine {
    mutating func load(_ request: Request, at now: Duration) -> [Effect] {
        guard let media = request.body["media"]?.object else { return refuse(request, "INVALID_PARAMS") }
        var queue = MediaQueue()
        let data = request.body["queueData"]?.object
        let items = (data?["items"]?.array ?? []).compactMap(\.object)
        if items.isEmpty {
            queue.insert([JSONObject([("media", .object(media)), ("autoplay", true)])])
        } else {
            queue.insert(items)
            let start = data?["startIndex"]?.wholeNumber ?? 0
            queue.currentIndex = queue.items.indices.contains(start) ? start : 0
            queue.repeatMode = data?["repeatMode"]?.string ?? queue.repeatMode
            queue.data = data
            queue.data?["items"] = nil
        }
        return beginLoad(request, media, queue, at: now)
    }

    /// Starts a new media session, over whatever plays or loads.
    mutating func beginLoad(_ request: Request, _ media: JSONObject, _ queue: MediaQueue, at now: Duration) -> [Effect]
    {
        let asker: Asker? = request.requestID == 0 ? nil : request.asker
        lastMediaSessionID += 1
        var playback = MediaPlayback(
            mediaSessionID: lastMediaSessionID, media: media,
            playerState: request.body["autoplay"]?.truth ?? true ? .playing : .paused,
            anchorSeconds: max(0, request.body["currentTime"]?.anyNumber ?? 0), anchoredAt: now,
            rate: min(max(0.5, request.body["playbackRate"]?.anyNumber ?? 1), 2),
            activeTrackIDs: request.wholeNumbers("activeTrackIds"), queue: queue)
        if media["streamType"]?.string == "LIVE", playback.durationSeconds == nil {
            // Who names no position wants the newest.
            playback.liveEdge = MediaPlayback.LiveEdge(seconds: MediaPlayback.liveWindowSeconds, at: now)
            playback.anchor(request.body["currentTime"]?.anyNumber ?? .greatestFiniteMagnitude, at: now)
        }
        let pending = PendingLoad(asker: asker, requestID: request.requestID, playback: playback, isQueueStep: false)
        var effects: [Effect] = []
        let old: MediaPlayback?
        switch phase {
        case .empty: old = nil
        case .loaded(let playing): old = playing
        case .loading(let superseded, over: let interrupted):
            old = interrupted
            if let loader = superseded.asker {
                effects.append(
                    .reply(["type": "LOAD_CANCELLED", "requestId": .count(superseded.requestID)], to: loader))
            }
        }
        phase = .loading(pending, over: old)
        effects.append(.broadcast(Self.message([loadingStatus(pending, over: old, at: now)], requestID: 0)))
        return effects + Self.playbackTimers.map { .disarm($0) } + [.arm(.loadSettles, after: Self.loadDuration)]
    }

    /// Starts to load another item of the queue: the same media session, first IDLE, then the item (PROTOCOL 5.1).
    ///
    /// - Parameter old: What plays until now, with the queue as it was.
    mutating func step(
        _ playback: MediaPlayback, from old: MediaPlayback, to index: Int, because reason: String, asker: Asker?,
        requestID: Int, at now: Duration
    ) -> [Effect] {
        var next = playback
        next.queue.currentIndex = index
        guard let item = next.queue.current else { return [] }
        next.media = item.media
        next.playerState = .playing
        next.adBreak = nil
        next.hiddenAd = nil
        next.watchedBreakIDs = []
        next.preloadedItemID = nil
        next.liveEdge = nil
        next.anchor(item.body["startTime"]?.anyNumber ?? 0, at: now)
        next.activeTrackIDs = (item.body["activeTrackIds"]?.array ?? []).compactMap(\.wholeNumber)
        let pending = PendingLoad(asker: asker, requestID: requestID, playback: next, isQueueStep: true)
        phase = .loading(pending, over: old)
        let idle = idleStatus(old, reason: reason, loadingItemID: item.itemID, at: now)
        return [.broadcast(Self.message([idle], requestID: requestID))]
            + Self.playbackTimers.map { .disarm($0) } + [.arm(.loadSettles, after: Self.bufferingDuration)]
    }

    // MARK: How it ends

    mutating func loadSettled(at now: Duration) -> [Effect] {
        switch phase {
        case .empty, .loaded: return []
        case .loading(let load, over: _):
            var effects = load.isUnplayable ? failed(load, at: now) : succeeded(load, at: now)
            let waiting = queuedRequests
            queuedRequests = []
            for request in waiting { effects += received(request.body, from: request.asker, at: now) }
            return effects
        }
    }

    private mutating func succeeded(_ load: PendingLoad, at now: Duration) -> [Effect] {
        var playback = load.playback
        playback.anchor(playback.anchorSeconds, at: now)
        phase = .loaded(playback)
        var effects: [Effect] = [
            .broadcast(Self.message([mediaStatus(playback, at: now, .withMedia)], requestID: load.requestID)),
            .showTitle(playback.title),
        ]
        if let url = playback.media["contentUrl"]?.string ?? playback.media["contentId"]?.string {
            effects.append(.fetch(url: url))
        }
        return effects + timers(of: playback, at: now)
    }

    private mutating func failed(_ load: PendingLoad, at now: Duration) -> [Effect] {
        var effects: [Effect] = []
        if let asker = load.asker {
            let itemID = load.playback.queue.current?.itemID ?? 1
            effects.append(
                .reply(
                    [
                        "type": "LOAD_FAILED", "requestId": .count(load.requestID), "itemId": .count(itemID),
                        "detailedErrorCode": 104,
                    ], to: asker))
        }
        return effects + end(load.playback, because: "ERROR", requestID: 0, at: now)
    }

    // MARK: Loading ahead

    /// The next item is loaded while this one still plays; everybody is told with id 0 (PROTOCOL 5.4).
    mutating func preload(at now: Duration) -> [Effect] {
        guard case .loaded(var playback) = phase, playback.preloadedItemID == nil,
            let next = playback.queue.indexAfterEnd.map({ playback.queue.items[$0] })
        else { return [] }
        playback.preloadedItemID = next.itemID
        return announceFromApp(playback, at: now)
    }

    /// Fires as long before the end as the next item asks for with `preloadTime`; none when it does not ask.
    func preloadTimer(of playback: MediaPlayback, at now: Duration) -> [Effect] {
        guard playback.preloadedItemID == nil, let index = playback.queue.indexAfterEnd,
            let ahead = playback.queue.items[index].body["preloadTime"]?.anyNumber, ahead > 0
        else { return [] }
        guard let remaining = playback.remaining(at: now) else { return [.disarm(.preload)] }
        let wait = max(0, remaining.inSeconds - min(ahead, 1e8) / playback.rate)
        return [.arm(.preload, after: .seconds(wait))]
    }
}

extension MediaMachine.PendingLoad {
    /// Whether the content cannot be played, by the suffix that says so.
    var isUnplayable: Bool {
        playback.media["contentId"]?.string?.hasSuffix(MediaMachine.unplayableSuffix) ?? false
    }
}
