import CastModel
import CastWire

/// What happens to a device without a sender.
extension ReceiverMachine {
    mutating func happened(_ roomEvent: RoomEvent, at now: Duration) -> [Effect] {
        switch roomEvent {
        case .remotePausesOrPlays:
            guard case .loaded(let playback)? = app?.media?.phase else { return [] }
            let type: JSONValue = playback.playerState == .paused ? "PLAY" : "PAUSE"
            return mediaRequest(
                ["type": type, "requestId": 0, "mediaSessionId": .count(playback.mediaSessionID)], at: now)
        case .remoteSetsVolume(let level):
            return setVolume(level: level, muted: nil)
        case .standby(let value):
            guard profile.kind == .television, standsBy != value else { return [] }
            standsBy = value
            return broadcastReceiverStatus() + [.note("standby", ["stands_by": .bool(value)])]
        case .cloudPlays(let appID, let media): return play(media, in: appID, atSeconds: 0, at: now)
        case .streamArrives(let appID, let media, let seconds):
            return play(media, in: appID, atSeconds: seconds, at: now)
        case .streamLeaves:
            guard let app, !app.app.isIdleScreen, !app.app.isPlaceholder else { return [] }
            var effects: [Effect] = []
            if case .loaded(let playback)? = app.media?.phase {
                effects = mediaRequest(
                    ["type": "STOP", "requestId": 0, "mediaSessionId": .count(playback.mediaSessionID)], at: now)
            }
            return effects + stopApp(because: "stream_transfer", requestID: 0, at: now)
        case .networkStalls(let duration):
            return media(at: now) { $0.stall(for: duration, at: now) }
        case .appCrashes:
            guard let app, !app.app.isIdleScreen else { return [] }
            return stopApp(because: "crashed", requestID: 0, at: now)
        case .playbackFails(let code):
            return media(at: now) { $0.fail(code: code, at: now) }
        case .advertises(let skippableAfter, let rest):
            return media(at: now) { $0.advertise(skippableAfter: skippableAfter, goingOnFor: rest, at: now) }
        case .repeatsStatus:
            guard let app, let media = app.media, case .loaded(let playback) = media.phase else {
                return broadcastReceiverStatus()
            }
            let again = MediaMachine.message([media.mediaStatus(playback, at: now, .brief)], requestID: 0)
            return broadcast(again, .media, from: app.transportID)
        }
    }

    /// Nobody on the network asks for it.
    private mutating func play(
        _ media: JSONObject, in appID: AppID, atSeconds seconds: Double, at now: Duration
    ) -> [Effect] {
        guard let wanted = SimulatedApp.launchable(appID.text) else { return [] }
        let request = CloudLoad(media: media, seconds: seconds)
        if let app, app.app == wanted, app.isReady { return mediaRequest(request.body, at: now) }
        return launch(PendingLaunch(asker: nil, requestID: 0, app: wanted, cloudLoad: request), at: now)
    }

    /// Lets the app's media namespace do something of its own.
    private mutating func media(
        at now: Duration, _ body: (inout MediaMachine) -> [MediaMachine.Effect]
    ) -> [Effect] {
        guard var media = app?.media else { return [] }
        let effects = body(&media)
        app?.media = media
        return perform(effects, at: now)
    }
}

extension ReceiverMachine.RoomEvent {
    /// Its name in the truth file.
    var name: String {
        switch self {
        case .remotePausesOrPlays: "remote_pauses_or_plays"
        case .remoteSetsVolume: "remote_sets_volume"
        case .standby: "standby"
        case .cloudPlays: "cloud_plays"
        case .streamArrives: "stream_arrives"
        case .streamLeaves: "stream_leaves"
        case .networkStalls: "network_stalls"
        case .appCrashes: "app_crashes"
        case .playbackFails: "playback_fails"
        case .advertises: "advertises"
        case .repeatsStatus: "repeats_status"
        }
    }
}
