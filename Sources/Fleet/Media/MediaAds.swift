import CastModel

/// Ads within a media session: breaks that `breakStatus` tells of, and those that only `customData` does.
extension MediaMachine {
    /// The content has come to a break.
    mutating func breakBegan(at now: Duration) -> [Effect] {
        guard case .loaded(var playback) = phase, playback.playerState == .playing, playback.adBreak == nil,
            var next = AdBreak.next(in: playback, from: playback.positionSeconds(at: now) - Self.breakTolerance)
        else { return [] }
        playback.anchor(next.positionSeconds, at: now)
        next.begin(0, at: now)
        playback.adBreak = next
        return announceFromApp(playback, at: now)
    }

    /// An ad of a break is over: the next one, or the content again.
    mutating func breakClipEnded(at now: Duration) -> [Effect] {
        guard case .loaded(var playback) = phase, playback.adBreak != nil else { return [] }
        endClip(&playback, at: now)
        return announceFromApp(playback, at: now)
    }

    /// SKIP_AD, by its own request or as a USER_ACTION: for ads that may be skipped by now.
    mutating func skipAd(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        var playback = playing
        guard let adBreak = playback.adBreak, let whenSkippable = adBreak.clip?.whenSkippable,
            adBreak.clipSeconds(at: now, isPlaying: playback.playerState == .playing) >= whenSkippable
        else { return refuse(request, "INVALID_COMMAND") }
        endClip(&playback, at: now)
        return announce(request, playback, .brief, at: now)
    }

    private func endClip(_ playback: inout MediaPlayback, at now: Duration) {
        guard var adBreak = playback.adBreak else { return }
        if adBreak.clips.indices.contains(adBreak.clipIndex + 1) {
            adBreak.begin(adBreak.clipIndex + 1, at: now)
            playback.adBreak = adBreak
        } else {
            playback.adBreak = nil
            playback.watchedBreakIDs.insert(adBreak.breakID)
            playback.anchor(adBreak.positionSeconds, at: now)
        }
    }

    /// A position this much beyond a break's, in seconds, has still come to it: timers are not exact.
    static let breakTolerance = 0.5

    /// The timers of breaks; none for media without any.
    func breakTimers(of playback: MediaPlayback, at now: Duration) -> [Effect] {
        guard playback.media["breaks"] != nil else { return [] }
        if let adBreak = playback.adBreak, let clip = adBreak.clip {
            guard playback.playerState == .playing else { return [.disarm(.breakClipEnds)] }
            let rest = clip.durationSeconds - adBreak.clipSeconds(at: now, isPlaying: true)
            return [.arm(.breakClipEnds, after: .seconds(max(0, rest))), .disarm(.breakBegins)]
        }
        let position = playback.positionSeconds(at: now)
        guard playback.playerState == .playing, let next = AdBreak.next(in: playback, from: position) else {
            return [.disarm(.breakBegins), .disarm(.breakClipEnds)]
        }
        let wait = min((next.positionSeconds - position) / playback.rate, 1e8)
        return [.arm(.breakBegins, after: .seconds(wait)), .disarm(.breakClipEnds)]
    }

    // MARK: Ads of YouTube's kind

    /// An ad that only `customData` tells of: BUFFERING with 1081, then skippable, then PLAYING (PROTOCOL 6.4).
    public mutating func advertise(skippableAfter: Duration, goingOnFor rest: Duration, at now: Duration) -> [Effect] {
        guard case .loaded(var playback) = phase, playback.playerState == .playing, playback.hiddenAd == nil else {
            return []
        }
        playback.become(.buffering, at: now)
        playback.hiddenAd = MediaPlayback.HiddenAd(rest: rest)
        return announceFromApp(playback, at: now) + [.arm(.hiddenAd, after: skippableAfter)]
    }

    mutating func hiddenAdGoesOn(at now: Duration) -> [Effect] {
        guard case .loaded(var playback) = phase, let hiddenAd = playback.hiddenAd else { return [] }
        guard hiddenAd.isSkippable else {
            playback.hiddenAd?.isSkippable = true
            return announceFromApp(playback, at: now) + [.arm(.hiddenAd, after: hiddenAd.rest)]
        }
        playback.hiddenAd = nil
        if playback.playerState == .buffering { playback.become(.playing, at: now) }
        return announceFromApp(playback, at: now)
    }
}
