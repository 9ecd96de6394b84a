import CastModel
import CastWire

/// Launching, running and stopping receiver apps.
extension ReceiverMachine {
    mutating func newRun(of app: SimulatedApp, at now: Duration) -> AppRun {
        AppRun(
            app: app, sessionID: random.uuid(), statusText: app.isIdleScreen ? "" : app.displayName,
            isReady: app.isIdleScreen, launchedFromCloud: false, media: app.playsMedia ? MediaMachine() : nil)
    }

    /// LAUNCH of the app that runs joins it; another one ends it first (PROTOCOL 5.5).
    mutating func launch(_ wanted: PendingLaunch, at now: Duration) -> [Effect] {
        var effects: [Effect] = []
        if let asker = wanted.asker {
            let allowed: JSONValue = [
                "type": "LAUNCH_STATUS", "launchRequestId": .count(wanted.requestID), "status": "USER_ALLOWED",
            ]
            effects.append(unicast(allowed, .receiver, from: Self.platform, to: asker.senderID, on: asker.link))
        }
        if pendingLaunch == nil, let app, app.app == wanted.app, app.isReady {
            return effects + launched(wanted, at: now)
        }
        if let superseded = pendingLaunch, let asker = superseded.asker {
            let cancelled: JSONValue = [
                "type": "LAUNCH_ERROR", "requestId": .count(superseded.requestID), "reason": "CANCELLED",
            ]
            effects.append(unicast(cancelled, .receiver, from: Self.platform, to: asker.senderID, on: asker.link))
        }
        pendingLaunch = wanted
        effects += endRun(because: "replaced")
        effects += broadcastReceiverStatus()
        return effects + [.disarm(.idleScreen), .arm(.launch, after: Self.launchStepDuration)]
    }

    /// First the app appears without namespaces, then with them.
    mutating func launchGoesOn(at now: Duration) -> [Effect] {
        guard let launch = pendingLaunch else { return [] }
        guard app?.app == launch.app else {
            var run = newRun(of: launch.app, at: now)
            run.launchedFromCloud = launch.asker == nil
            app = run
            return broadcastReceiverStatus() + [.arm(.launch, after: Self.launchStepDuration)]
        }
        pendingLaunch = nil
        app?.isReady = true
        var effects: [Effect] = []
        if let app {
            effects.append(
                .note(
                    "app_started",
                    [
                        "app_id": .string(app.app.appID.text), "session_id": .string(app.sessionID),
                        "launched_from_cloud": .bool(app.launchedFromCloud),
                    ]))
        }
        effects += launched(launch, at: now)
        if let media = app?.media { effects += perform(media.started(), at: now) }
        let held = app?.heldMessages ?? []
        app?.heldMessages = []
        for item in held { effects += appMessage(item.message, item.payload, from: item.link, at: now) }
        guard let wanted = launch.cloudMedia else { return effects }
        return effects + mediaRequest(["type": "LOAD", "requestId": 0, "media": .object(wanted)], at: now)
    }

    /// The answer to a LAUNCH whose app runs.
    private func launched(_ launch: PendingLaunch, at now: Duration) -> [Effect] {
        var effects = broadcastReceiverStatus(launch.requestID)
        switch profile.answerStyle {
        case .broadcastsRequestIDs: break
        case .openScreen:
            guard let asker = launch.asker else { break }
            let answer = receiverStatus(requestID: launch.requestID)
            effects.append(unicast(answer, .receiver, from: Self.platform, to: asker.senderID, on: asker.link))
        }
        return effects
    }

    /// Ends the app that runs and everybody's virtual connections to it; says nothing to the platform's senders yet.
    private mutating func endRun(because reason: String) -> [Effect] {
        guard let ended = app else { return [] }
        app = nil
        var effects: [Effect] = []
        for link in links.keys.sorted() {
            let open = links[link]?.virtualConnections.filter { $0.destinationID == ended.transportID } ?? []
            links[link]?.virtualConnections.removeAll { $0.destinationID == ended.transportID }
            for virtual in open {
                effects.append(
                    unicast(
                        ["type": "CLOSE"], .connection, from: ended.transportID, to: virtual.senderID, on: link))
            }
        }
        guard !ended.app.isIdleScreen else { return effects }
        effects += MediaMachine.Timer.allCases.map { .disarm(.media($0)) }
        let facts: JSONValue = [
            "app_id": .string(ended.app.appID.text), "session_id": .string(ended.sessionID),
            "reason": .string(reason),
        ]
        return effects + [.note("app_stopped", facts)]
    }

    mutating func stopApp(because reason: String, requestID: Int, at now: Duration) -> [Effect] {
        var effects = endRun(because: reason)
        effects += broadcastReceiverStatus(requestID)
        if profile.kind != .speaker { effects.append(.arm(.idleScreen, after: Self.launchStepDuration)) }
        return effects
    }

    // MARK: Messages to the app

    mutating func appMessage(
        _ message: CastMessage, _ payload: JSONValue, from link: LinkNumber, at now: Duration
    ) -> [Effect] {
        guard let app, message.destinationID == app.transportID, app.app.namespaces.contains(message.namespace)
        else { return [] }
        guard app.isReady else {
            // VLC sends its LOAD as soon as it sees a transport id, and real devices play it.
            if app.heldMessages.count < AppRun.heldMessagesLimit {
                self.app?.heldMessages.append(AppRun.HeldMessage(link: link, message: message, payload: payload))
            }
            return []
        }
        let asker = MediaMachine.Asker(link: link, senderID: message.sourceID)
        switch message.namespace {
        case .media:
            guard var media = app.media else { return [] }
            let effects = media.received(payload, from: asker, at: now)
            self.app?.media = media
            return perform(effects, at: now)
        case SimulatedApp.mdx:
            guard payload["type"]?.string == "getMdxSessionStatus" else { return [] }
            let answer: JSONValue = [
                "type": "mdxSessionStatus",
                "data": ["screenId": "simulated-screen", "deviceId": .string(profile.deviceID.text)],
            ]
            return [unicast(answer, SimulatedApp.mdx, from: app.transportID, to: message.sourceID, on: link)]
        case SimulatedApp.spotifySecure:
            guard payload["type"]?.string == "getInfo" else { return [] }
            let answer: JSONValue = [
                "type": "getInfoResponse",
                "payload": [
                    "deviceType": "cast_audio", "brandDisplayName": "google",
                    "modelDisplayName": .string(profile.model), "groupStatus": "NONE", "status": 101,
                ],
            ]
            return [unicast(answer, SimulatedApp.spotifySecure, from: app.transportID, to: message.sourceID, on: link)]
        default: return []
        }
    }

    /// A request of the device's own: nobody's, with id 0.
    private mutating func mediaRequest(_ body: JSONValue, at now: Duration) -> [Effect] {
        guard var media = app?.media else { return [] }
        let effects = media.received(body, from: MediaMachine.Asker(link: 0, senderID: "__cloud__"), at: now)
        app?.media = media
        return perform(effects, at: now)
    }

    /// Carries out what the media namespace decided.
    mutating func perform(_ effects: [MediaMachine.Effect], at now: Duration) -> [Effect] {
        var performed: [Effect] = []
        for effect in effects {
            guard let app else { break }
            switch effect {
            case .reply(let payload, let asker):
                guard mayAnswer(asker, in: app) else { continue }
                performed.append(
                    unicast(payload, .media, from: app.transportID, to: asker.senderID, on: asker.link))
            case .broadcast(let payload): performed += broadcast(payload, .media, from: app.transportID)
            case .arm(let timer, let delay): performed.append(.arm(.media(timer), after: delay))
            case .disarm(let timer): performed.append(.disarm(.media(timer)))
            case .fetch(let url): performed.append(.fetch(url: url))
            case .stopApp: performed += stopApp(because: "idle_limit", requestID: 0, at: now)
            case .showTitle(let title):
                guard app.app.showsTitle else { continue }
                let text = title.isEmpty ? app.app.displayName : "Casting: \(title)"
                guard text != app.statusText else { continue }
                self.app?.statusText = text
                performed += broadcastReceiverStatus()
            }
        }
        return performed
    }

    /// Whether an app's answer reaches this sender.
    private func mayAnswer(_ asker: MediaMachine.Asker, in app: AppRun) -> Bool {
        guard
            let virtual = links[asker.link]?.virtualConnections.first(where: {
                $0.senderID == asker.senderID && $0.destinationID == app.transportID
            })
        else { return false }
        return virtual.isVisible || profile.answersInvisibleSenders
    }

    // MARK: The room

    mutating func happened(_ roomEvent: RoomEvent, at now: Duration) -> [Effect] {
        switch roomEvent {
        case .remotePausesOrPlays:
            guard case .loaded(let playback)? = app?.media?.phase else { return [] }
            let type: JSONValue = playback.playerState == .paused ? "PLAY" : "PAUSE"
            return mediaRequest(
                ["type": type, "requestId": 0, "mediaSessionId": .count(playback.mediaSessionID)], at: now)
        case .remoteSetsVolume(let level):
            volumeLevel = min(max(0, level), 1)
            return broadcastReceiverStatus()
        case .standby(let value):
            guard profile.kind == .television, standsBy != value else { return [] }
            standsBy = value
            return broadcastReceiverStatus() + [.note("standby", ["stands_by": .bool(value)])]
        case .cloudPlays(let appID, let media):
            guard let wanted = SimulatedApp.launchable(appID.text) else { return [] }
            if let app, app.app == wanted, app.isReady {
                return mediaRequest(["type": "LOAD", "requestId": 0, "media": .object(media)], at: now)
            }
            return launch(PendingLaunch(asker: nil, requestID: 0, app: wanted, cloudMedia: media), at: now)
        case .networkStalls(let duration):
            guard var media = app?.media else { return [] }
            let effects = media.stall(for: duration, at: now)
            app?.media = media
            return perform(effects, at: now)
        case .appCrashes:
            guard let app, !app.app.isIdleScreen else { return [] }
            return stopApp(because: "crashed", requestID: 0, at: now)
        case .repeatsStatus:
            guard let app, let media = app.media, case .loaded(let playback) = media.phase else {
                return broadcastReceiverStatus()
            }
            let again = MediaMachine.message([media.mediaStatus(playback, at: now, .brief)], requestID: 0)
            return broadcast(again, .media, from: app.transportID)
        }
    }
}
