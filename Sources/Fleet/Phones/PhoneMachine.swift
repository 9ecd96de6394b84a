public import CastModel
public import CastWire

/// A scripted sender: one phone in the hand of somebody else, with its own TLS link to one device.
///
/// A value: wishes and messages in, effects out. It does what Google's sender SDKs do: a strong virtual connection to the
/// platform and to the app, PING every five seconds, request ids that only grow.
public struct PhoneMachine: Sendable {
    /// What its owner wants.
    public enum Action: Sendable, Equatable {
        /// Open the link and connect to the platform.
        case connect
        case launch(AppID)
        /// Join whatever plays.
        case join
        case load(JSONObject, atSeconds: Double)
        case loadQueue([JSONObject])
        case queueNext
        case play
        case pause
        case seek(toSeconds: Double)
        /// Device volume, 0 to 1.
        case deviceVolume(Double)
        case deviceMute(Bool)
        /// Volume of the media session, 0 to 1.
        case streamVolume(Double)
        case rate(Double)
        case tracks([Int])
        case style(JSONObject)
        case stopMedia
        /// Any other request about what plays, by its type, with fields of its own.
        case command(String, JSONObject)
        /// A message to the app on a namespace of its own, JSON or not.
        case say(Namespace, String)
        case stopApp
        /// CLOSE to the app, then the end of the link: "stop casting".
        case leave
        /// Gone without a word, as when a phone leaves the house.
        case vanish
        /// The same; the next link is of a program that begins anew: another sender id, requests counted from after this.
        case restart(requestsAfter: Int)
    }

    /// What the shell tells the machine.
    public enum Event: Sendable {
        case linkUp
        case linkDown
        case received(CastMessage, payload: JSONValue?)
        case wants(Action)
        /// Time to PING.
        case heartbeat
    }

    /// What the machine asks the shell to do, in order.
    public enum Effect: Sendable, Equatable {
        case openLink
        /// `command` says that a person wanted this, by its type.
        case send(CastMessage, command: String?)
        case closeLink(sayingGoodbye: Bool)
    }

    private enum LinkPhase {
        case down
        case opening
        case up
    }

    /// Wishes that wait for the device; when there are more, the oldest is given up.
    static let wishesLimit = 16
    private static let platform = "receiver-0"

    /// How it calls itself: `sender-0` for most, which identifies nobody (PROTOCOL 7.6).
    public private(set) var senderID: String
    let userAgent: String
    private var lastRequestID: Int
    private var linkPhase = LinkPhase.down
    private var wishes: [Action] = []
    private var wantedApp: AppID?
    private var joinsAnything = false
    private var appSessionID: String?
    private var transportID: String?
    private var mediaSessionID: Int?

    /// The phone with this number at a device.
    public init(deviceIndex: Int, number: Int, seed: FleetSeed) {
        var random = seed.source("phone", deviceIndex * 8 + number)
        let digits = Int.random(in: 100_000...999_999, using: &random)
        senderID = number == 0 ? "sender-0" : "sender-\(digits)"
        let startsAnywhere = number > 0
        lastRequestID = startsAnywhere ? Int.random(in: 1_000...1_000_000_000, using: &random) : 0
        userAgent =
            number == 0
            ? "Android CastSDK,24.12.16,Pixel 7,panther,14" : "iOS CastSDK,4.8.1,iPhone15,17.5"
    }

    /// Takes an event.
    public mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .linkUp:
            linkPhase = .up
            return [.send(connect(to: Self.platform), command: nil), request("GET_STATUS", .receiver, [])] + goOn()
        case .linkDown:
            forgetLink()
            return []
        case .received(let message, let payload): return received(message, payload) + goOn()
        case .wants(let action): return want(action)
        case .heartbeat:
            switch linkPhase {
            case .down, .opening: return []
            case .up:
                return [.send(message(to: Self.platform, .heartbeat, ["type": "PING"]), command: nil)]
            }
        }
    }

    private mutating func forgetLink() {
        linkPhase = .down
        wantedApp = nil
        joinsAnything = false
        forgetApp()
    }

    private mutating func forgetApp() {
        transportID = nil
        appSessionID = nil
        mediaSessionID = nil
    }

    // MARK: Wishes

    private mutating func want(_ action: Action) -> [Effect] {
        switch action {
        case .connect:
            switch linkPhase {
            case .down:
                linkPhase = .opening
                return [.openLink]
            case .opening, .up: return []
            }
        case .vanish:
            forgetLink()
            wishes = []
            return [.closeLink(sayingGoodbye: false)]
        case .restart(let requestsAfter):
            // Those who call themselves sender-0 do so again.
            if senderID != "sender-0" { senderID = "sender-\(100_000 + requestsAfter % 900_000)" }
            lastRequestID = requestsAfter
            return want(.vanish)
        case .leave:
            wishes = []
            var effects: [Effect] = []
            if let transportID, case .up = linkPhase {
                effects.append(.send(message(to: transportID, .connection, ["type": "CLOSE"]), command: "CLOSE"))
            }
            forgetLink()
            return effects + [.closeLink(sayingGoodbye: true)]
        case .launch, .join: wishes = [action]
        case .load, .loadQueue, .queueNext, .play, .pause, .seek, .deviceVolume, .deviceMute, .streamVolume, .rate,
            .tracks, .style, .stopMedia, .command, .say, .stopApp:
            wishes.append(action)
            if wishes.count > Self.wishesLimit { wishes.removeFirst() }
        }
        return goOn()
    }

    /// Does what can be done now; the rest waits for the device.
    private mutating func goOn() -> [Effect] {
        var effects: [Effect] = []
        while case .up = linkPhase, let action = wishes.first, let done = perform(action) {
            wishes.removeFirst()
            effects += done
        }
        return effects
    }

    /// Nil when it is too early.
    private mutating func perform(_ action: Action) -> [Effect]? {
        switch action {
        case .connect, .leave, .vanish, .restart: return []
        case .launch(let appID):
            wantedApp = appID
            return [request("LAUNCH", .receiver, [("appId", .string(appID.text))])]
        case .join:
            joinsAnything = true
            return [request("GET_STATUS", .receiver, [])]
        case .deviceVolume(let level):
            return [request("SET_VOLUME", .receiver, [("volume", ["level": .javaScript(level)])])]
        case .deviceMute(let muted):
            return [request("SET_VOLUME", .receiver, [("volume", ["muted": .bool(muted)])])]
        case .stopApp:
            guard let appSessionID else { return nil }
            return [request("STOP", .receiver, [("sessionId", .string(appSessionID))])]
        case .load(let media, let seconds):
            guard transportID != nil else { return nil }
            mediaSessionID = nil
            return [
                request(
                    "LOAD", .media,
                    [("media", .object(media)), ("autoplay", true), ("currentTime", .javaScript(seconds))])
            ]
        case .loadQueue(let items):
            guard transportID != nil else { return nil }
            mediaSessionID = nil
            return [
                request(
                    "QUEUE_LOAD", .media,
                    [
                        ("items", .array(items.map { .object($0) })), ("startIndex", 0),
                        ("repeatMode", "REPEAT_OFF"),
                    ])
            ]
        case .queueNext: return mediaCommand("QUEUE_UPDATE", [("jump", 1)])
        case .play: return mediaCommand("PLAY")
        case .pause: return mediaCommand("PAUSE")
        case .stopMedia: return mediaCommand("STOP")
        case .command(let type, let fields): return mediaCommand(type, fields.pairs)
        case .say(let namespace, let text):
            guard let transportID else { return nil }
            let said = CastMessage(from: senderID, to: transportID, namespace, text: text)
            return [.send(said, command: "message")]
        case .seek(let seconds): return mediaCommand("SEEK", [("currentTime", .javaScript(seconds))])
        case .rate(let rate): return mediaCommand("SET_PLAYBACK_RATE", [("playbackRate", .javaScript(rate))])
        case .streamVolume(let level): return mediaCommand("SET_VOLUME", [("volume", ["level": .javaScript(level)])])
        case .tracks(let trackIDs): return mediaCommand("EDIT_TRACKS_INFO", [("activeTrackIds", .integers(trackIDs))])
        case .style(let style): return mediaCommand("EDIT_TRACKS_INFO", [("textTrackStyle", .object(style))])
        }
    }

    private mutating func mediaCommand(_ type: String, _ fields: [(key: String, value: JSONValue)] = []) -> [Effect]? {
        guard let mediaSessionID else { return nil }
        return [request(type, .media, [("mediaSessionId", .count(mediaSessionID))] + fields)]
    }

    // MARK: What the device says

    private mutating func received(_ message: CastMessage, _ payload: JSONValue?) -> [Effect] {
        switch (message.namespace, payload?["type"]?.string) {
        case (.heartbeat, "PING"):
            let pong = CastMessage(
                from: message.destinationID, to: message.sourceID, .heartbeat, text: "{\"type\":\"PONG\"}")
            return [.send(pong, command: nil)]
        case (.connection, "CLOSE"):
            if message.sourceID == transportID { forgetApp() }
            return []
        case (.receiver, "RECEIVER_STATUS"): return learn(receiverStatus: payload?["status"])
        case (.media, "MEDIA_STATUS"):
            if message.sourceID == transportID { learn(mediaStatus: payload?["status"]?.array?.last) }
            return []
        default: return []
        }
    }

    private mutating func learn(receiverStatus: JSONValue?) -> [Effect] {
        let app = receiverStatus?["applications"]?.array?.first
        let running = app?["transportId"]?.string
        if running != transportID, transportID != nil { forgetApp() }
        guard transportID == nil, let app, let running, app["isIdleScreen"]?.truth != true,
            joinsAnything || app["appId"]?.string == wantedApp?.text,
            app["namespaces"]?.array?.contains(where: { $0["name"]?.string == Namespace.media.urn }) ?? false
        else { return [] }
        transportID = running
        appSessionID = app["sessionId"]?.string
        return [.send(connect(to: running), command: nil), request("GET_STATUS", .media, [])]
    }

    private mutating func learn(mediaStatus: JSONValue?) {
        guard let mediaStatus, mediaStatus["playerState"]?.string != "IDLE" else {
            mediaSessionID = nil
            return
        }
        mediaSessionID = mediaStatus["mediaSessionId"]?.wholeNumber
    }

    // MARK: Messages

    private func message(to destination: String, _ namespace: Namespace, _ payload: JSONValue) -> CastMessage {
        CastMessage(from: senderID, to: destination, namespace, text: payload.text)
    }

    private func connect(to destination: String) -> CastMessage {
        message(
            to: destination, .connection,
            ["type": "CONNECT", "origin": .object(JSONObject()), "userAgent": .string(userAgent)])
    }

    private mutating func request(
        _ type: String, _ namespace: Namespace, _ fields: [(key: String, value: JSONValue)]
    ) -> Effect {
        lastRequestID += 1
        let body = JSONObject([("type", .string(type)), ("requestId", .count(lastRequestID))] + fields)
        let destination = namespace == .receiver ? Self.platform : transportID ?? Self.platform
        return .send(
            message(to: destination, namespace, .object(body)), command: type == "GET_STATUS" ? nil : type)
    }
}
