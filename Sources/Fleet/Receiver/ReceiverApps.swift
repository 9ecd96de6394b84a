import CastModel
import CastWire

/// Launching, running and stopping receiver apps.
extension ReceiverMachine {
    mutating func newRun(of app: SimulatedApp, at now: Duration) -> AppRun {
        AppRun(
            app: app, sessionID: random.sessionID(), statusText: app.isIdleScreen ? "" : app.displayName,
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
        if let superseded = pendingLaunch { effects += cancel(superseded) }
        pendingLaunch = wanted
        effects += endRun(because: "replaced")
        effects += broadcastReceiverStatus()
        return effects + [.disarm(.idleScreen), .arm(.launch, after: Self.launchStepDuration)]
    }

    /// LAUNCH_ERROR for the launcher whom somebody else has overtaken.
    func cancel(_ launch: PendingLaunch) -> [Effect] {
        guard let asker = launch.asker else { return [] }
        let cancelled: JSONValue = [
            "type": "LAUNCH_ERROR", "requestId": .count(launch.requestID), "reason": "CANCELLED",
        ]
        return [unicast(cancelled, .receiver, from: Self.platform, to: asker.senderID, on: asker.link)]
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
        if let app, app.app.namespaces.contains(SimulatedApp.shaka) {
            effects.append(.arm(.tick, after: Self.tickInterval))
        }
        effects += groupPlays()
        let held = app?.heldMessages ?? []
        app?.heldMessages = []
        for item in held { effects += appMessage(item.message, item.payload, from: item.link, at: now) }
        guard let wanted = launch.cloudLoad else { return effects }
        return effects + mediaRequest(wanted.body, at: now)
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
    mutating func endRun(because reason: String) -> [Effect] {
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
        effects += MediaMachine.Timer.allCases.map { .disarm(.media($0)) } + [.disarm(.advertisement), .disarm(.tick)]
        // Whoever plays alone plays with nobody else; whoever plays for a group takes its members along.
        effects += groupEffects(ofEnding: ended)
        guard !ended.app.isPlaceholder else { return effects }
        let facts: JSONValue = [
            "app_id": .string(ended.app.appID.text), "session_id": .string(ended.sessionID),
            "reason": .string(reason),
        ]
        return effects + [.note("app_stopped", facts)]
    }

    mutating func stopApp(because reason: String, requestID: Int, at now: Duration) -> [Effect] {
        var effects = endRun(because: reason)
        effects += broadcastReceiverStatus(requestID)
        if profile.kind.hasIdleScreen { effects.append(.arm(.idleScreen, after: Self.launchStepDuration)) }
        return effects
    }

    // MARK: Its media

    /// A request of the device's own: nobody's, with id 0.
    mutating func mediaRequest(_ body: JSONValue, at now: Duration) -> [Effect] {
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
}
