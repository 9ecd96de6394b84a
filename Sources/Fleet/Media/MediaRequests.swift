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
        case "STOP": return stop(request, playback, at: now)
        case "SET_VOLUME":
            streamLevel = min(max(0, request.body["volume"]?["level"]?.anyNumber ?? streamLevel), 1)
            streamMuted = request.body["volume"]?["muted"]?.truth ?? streamMuted
            return announce(request, playback, .brief, at: now)
        case "SET_PLAYBACK_RATE": return setRate(request, playback, at: now)
        case "EDIT_TRACKS_INFO": return editTracks(request, playback, at: now)
        case "EDIT_AUDIO_TRACKS": return editAudioTracks(request, playback, at: now)
        case "USER_ACTION": return userAction(request, playback, at: now)
        case "SKIP_AD": return skipAd(request, playback, at: now)
        default: return queueCommand(request, playback, at: now)
        }
    }

    mutating func stop(_ request: Request, _ playback: MediaPlayback, at now: Duration) -> [Effect] {
        end(playback, because: "CANCELLED", requestID: request.requestID, at: now)
    }

    private mutating func seek(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        // An ad has to be watched.
        guard playing.adBreak == nil else {
            return [.reply(Self.answer("INVALID_PLAYER_STATE", to: request), to: request.asker)]
        }
        var playback = playing
        playback.preloadedItemID = nil
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

    /// "I like this": kept in the media, and sent to everybody with it (PROTOCOL 4.1, 5.2).
    private mutating func userAction(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        guard let action = request.body["userAction"]?.string else { return refuse(request, "INVALID_PARAMS") }
        guard action != "SKIP_AD" else { return skipAd(request, playing, at: now) }
        var playback = playing
        var states = (playback.media["userActionStates"]?.array ?? []).filter { $0["userAction"]?.string != action }
        if request.body["clear"]?.truth != true, states.count < 16 {
            states.append(["userAction": .string(action)])
        }
        playback.media["userActionStates"] = .array(states)
        playback.queue.amendCurrent(playback.media)
        return announce(request, playback, .withMedia, at: now)
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
}
