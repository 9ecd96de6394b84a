import CastModel
import CastWire

/// What senders say to the app that runs, and what the app says on namespaces of its own.
extension ReceiverMachine {
    /// How often an app that tells how far it is does so.
    static let tickInterval: Duration = .seconds(1)

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

    /// Once per second, on a namespace of the app's own, whatever nobody asked for (PROTOCOL 6.4).
    mutating func tick(at now: Duration) -> [Effect] {
        guard let app, app.app.namespaces.contains(SimulatedApp.shaka) else { return [] }
        let again: Effect = .arm(.tick, after: Self.tickInterval)
        guard case .loaded(let playback)? = app.media?.phase else { return [again] }
        let update: JSONValue = [
            "type": "update",
            "update": [
                "video": [
                    "currentTime": .javaScript(playback.positionSeconds(at: now)),
                    "paused": .bool(playback.playerState == .paused),
                ]
            ],
        ]
        return broadcast(update, SimulatedApp.shaka, from: app.transportID) + [again]
    }
}
