import CastModel

/// The requests of the media namespace, but for those about queues.
extension MediaMachine {
    mutating func perform(_ request: Request, at now: Duration) -> [Effect] {
        switch request.type {
        case "LOAD": return load(request, at: now)
        case "QUEUE_LOAD": return queueLoad(request, at: now)
        case "GET_STATUS": return getStatus(request, at: now)
        default: break
        }
        switch phase {
        case .empty, .loading: return [.reply(Self.answer("INVALID_PLAYER_STATE", to: request), to: request.asker)]
        case .loaded(let playback):
            guard request.body["mediaSessionId"]?.wholeNumber == playback.mediaSessionID else {
                return refuse(request, "INVALID_MEDIA_SESSION_ID")
            }
            return command(request, playback, at: now)
        }
    }

    func refuse(_ request: Request, _ reason: String) -> [Effect] {
        [.reply(Self.answer("INVALID_REQUEST", to: request, reason: reason), to: request.asker)]
    }

    private func getStatus(_ request: Request, at now: Duration) -> [Effect] {
        if let asked = request.body["mediaSessionId"]?.wholeNumber {
            guard case .loaded(let playback) = phase, playback.mediaSessionID == asked else {
                return refuse(request, "INVALID_MEDIA_SESSION_ID")
            }
        }
        let noMetadata = (request.body["options"]?.wholeNumber ?? 0) & 1 != 0
        let statuses = fullStatus(at: now, noMetadata ? .brief : .withMedia)
        return [.reply(Self.message(statuses, requestID: request.requestID), to: request.asker)]
    }

    // MARK: Loading

    private mutating func load(_ request: Request, at now: Duration) -> [Effect] {
        guard let media = request.body["media"]?.object else { return refuse(request, "INVALID_PARAMS") }
        var queue = MediaQueue()
        let items = (request.body["queueData"]?["items"]?.array ?? []).compactMap(\.object)
        if items.isEmpty {
            queue.insert([JSONObject([("media", .object(media)), ("autoplay", true)])])
        } else {
            queue.insert(items)
            let start = request.body["queueData"]?["startIndex"]?.wholeNumber ?? 0
            queue.currentIndex = queue.items.indices.contains(start) ? start : 0
        }
        return beginLoad(request, media, queue, at: now)
    }

    /// Starts a new media session, over whatever plays or loads.
    mutating func beginLoad(_ request: Request, _ media: JSONObject, _ queue: MediaQueue, at now: Duration) -> [Effect]
    {
        let asker: Asker? = request.requestID == 0 ? nil : request.asker
        lastMediaSessionID += 1
        let playback = MediaPlayback(
            mediaSessionID: lastMediaSessionID, media: media,
            playerState: request.body["autoplay"]?.truth ?? true ? .playing : .paused,
            anchorSeconds: max(0, request.body["currentTime"]?.anyNumber ?? 0), anchoredAt: now,
            rate: min(max(0.5, request.body["playbackRate"]?.anyNumber ?? 1), 2),
            activeTrackIDs: (request.body["activeTrackIds"]?.array ?? []).compactMap(\.wholeNumber), queue: queue)
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
        return effects + [.disarm(.itemEnds), .disarm(.bufferingEnds), .arm(.loadSettles, after: Self.loadDuration)]
    }

    // MARK: Commands on what plays

    /// Says what has changed to everybody, with the requester's id (PROTOCOL 5.1).
    mutating func announce(_ request: Request, _ playback: MediaPlayback, _ extent: Extent, at now: Duration)
        -> [Effect]
    {
        phase = .loaded(playback)
        let status = mediaStatus(playback, at: now, extent)
        return [.broadcast(Self.message([status], requestID: request.requestID))] + timers(of: playback, at: now)
    }

    private mutating func command(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        var playback = playing
        switch request.type {
        case "PLAY":
            if playback.playerState == .paused { playback.become(.playing, at: now) }
            return announce(request, playback, .brief, at: now)
        case "PAUSE":
            playback.become(.paused, at: now)
            return announce(request, playback, .brief, at: now)
        case "SEEK": return seek(request, playback, at: now)
        case "PLAY_AGAIN":
            playback.become(.playing, at: now)
            playback.anchor(0, at: now)
            return announce(request, playback, .brief, at: now)
        case "STOP":
            phase = .empty
            let ended = idleStatus(playback, reason: "CANCELLED", at: now)
            return [
                .broadcast(Self.message([ended], requestID: request.requestID)), .showTitle(""), .disarm(.itemEnds),
                .disarm(.bufferingEnds), .arm(.idleLimit, after: Self.idleLimit),
            ]
        case "SET_VOLUME":
            streamLevel = min(max(0, request.body["volume"]?["level"]?.anyNumber ?? streamLevel), 1)
            streamMuted = request.body["volume"]?["muted"]?.truth ?? streamMuted
            return announce(request, playback, .brief, at: now)
        case "SET_PLAYBACK_RATE": return setRate(request, playback, at: now)
        case "EDIT_TRACKS_INFO": return editTracks(request, playback, at: now)
        case "EDIT_AUDIO_TRACKS", "QUEUE_SHUFFLE": return announce(request, playback, .brief, at: now)
        case "USER_ACTION": return announce(request, playback, .withMedia, at: now)
        default: return queueCommand(request, playback, at: now)
        }
    }

    private mutating func seek(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        var playback = playing
        let target: Double
        if let relative = request.body["relativeTime"]?.anyNumber {
            target = playback.positionSeconds(at: now) + relative
        } else if let absolute = request.body["currentTime"]?.anyNumber {
            target = absolute
        } else {
            return refuse(request, "INVALID_PARAMS")
        }
        let plays =
            switch request.body["resumeState"]?.string {
            case "PLAYBACK_START": true
            case "PLAYBACK_PAUSE": false
            default: playback.playerState != .paused
            }
        playback.become(plays ? .buffering : .paused, at: now)
        playback.anchor(target, at: now)
        return announce(request, playback, .brief, at: now)
    }

    private mutating func setRate(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        var playback = playing
        let relative = request.body["relativePlaybackRate"]?.anyNumber.map { $0 * playback.rate }
        guard let rate = request.body["playbackRate"]?.anyNumber ?? relative, (0.5...2).contains(rate) else {
            return refuse(request, "INVALID_PARAMS")
        }
        playback.anchor(playback.positionSeconds(at: now), at: now)
        playback.rate = rate
        return announce(request, playback, .brief, at: now)
    }

    /// The rule of PROTOCOL 5.3: a style is re-sent with `media`, never compared; tracks alone go without `media`.
    private mutating func editTracks(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        var playback = playing
        if let wanted = request.body["activeTrackIds"]?.array {
            let trackIDs = wanted.compactMap(\.wholeNumber)
            guard trackIDs.count == wanted.count, isSelectable(trackIDs, in: playback) else {
                return refuse(request, "INVALID_PARAMS")
            }
            playback.activeTrackIDs = trackIDs
        } else if let enabled = request.body["enableTextTracks"]?.truth {
            let texts = playback.tracks.filter { $0.type == "TEXT" }
            let language = request.body["language"]?.string
            playback.activeTrackIDs.removeAll { active in texts.contains { $0.trackID == active } }
            let chosen = texts.first { language == nil || $0.language == language }
            if enabled, let chosen { playback.activeTrackIDs.append(chosen.trackID) }
        }
        guard let style = request.body["textTrackStyle"]?.object else {
            return announce(request, playback, .brief, at: now)
        }
        // A new style replaces the old one as a whole (PROTOCOL 4.6).
        playback.media["textTrackStyle"] = .object(style)
        playback.queue.amendCurrent(playback.media)
        return announce(request, playback, .withMedia, at: now)
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
