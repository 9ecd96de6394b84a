public import CastModel
public import CastWire

/// One simulated device: its platform (`receiver-0`) and at most one receiver app.
///
/// A value: what arrives and what time it is in, effects out. It follows PROTOCOL 2 to 6, not our recorder.
public struct ReceiverMachine: Sendable {
    /// The number of a sender's TLS link to this device, from 1.
    public typealias LinkNumber = Int

    /// What the shell tells the machine.
    public enum Event: Sendable {
        case linkOpened(LinkNumber)
        /// `payload` is nil when the message is binary or no JSON.
        case received(LinkNumber, CastMessage, payload: JSONValue?)
        /// The link ended without our asking.
        case linkClosed(LinkNumber)
        case fired(Timer)
        /// Something happens in the room, without a sender.
        case happened(RoomEvent)
        /// Another device of our group tells us something.
        case heard(GroupNews)
    }

    /// What happens on the device itself.
    public enum RoomEvent: Sendable, Equatable {
        /// The remote control: pause or play.
        case remotePausesOrPlays
        /// The remote control: device volume, 0 to 1.
        case remoteSetsVolume(Double)
        /// The television goes to standby or wakes; another input is chosen or ours again.
        case standby(Bool)
        /// A routine or a voice starts this app with this media.
        case cloudPlays(AppID, media: JSONObject)
        /// What played on another device goes on here, from so many seconds on (PROTOCOL 5.9).
        case streamArrives(AppID, media: JSONObject, atSeconds: Double)
        /// What plays goes on elsewhere.
        case streamLeaves
        /// The network is slow for so long.
        case networkStalls(Duration)
        /// The app crashes.
        case appCrashes
        /// What plays fails, with this `detailedErrorCode`.
        case playbackFails(code: Int)
        /// An ad of YouTube's kind, which may be skipped after a while and then goes on for another.
        case advertises(skippableAfter: Duration, goingOnFor: Duration)
        /// The app broadcasts its media status once more, with id 0; the platform its own when nothing plays.
        case repeatsStatus
    }

    /// What to wait for; arming a timer again replaces it.
    public enum Timer: Sendable, Hashable {
        /// Time to look whether a sender is still there.
        case heartbeat(LinkNumber)
        /// The next step of a LAUNCH.
        case launch
        /// Time for the idle screen.
        case idleScreen
        case media(MediaMachine.Timer)
        /// An ad of the IMA kind begins or ends.
        case advertisement
        /// The app tells its own senders how far it is.
        case tick
    }

    /// What the machine asks the shell to do, in order.
    public enum Effect: Sendable, Equatable {
        case send(CastMessage, to: LinkNumber)
        case closeLink(LinkNumber, because: String)
        case arm(Timer, after: Duration)
        case disarm(Timer)
        /// Content is wanted from here.
        case fetch(url: String)
        /// What really happened, for the truth file.
        case note(String, JSONValue)
        /// Something for the other devices of our group.
        case tell(GroupNews)
    }

    /// A device PINGs this often (PROTOCOL 2.7).
    public static let pingInterval: Duration = .seconds(5)
    /// A sender that is silent for this long is dropped.
    public static let senderSilenceLimit: Duration = .seconds(15)
    /// How long each of the two steps of a LAUNCH takes.
    public static let launchStepDuration: Duration = .milliseconds(400)
    static let platform = "receiver-0"
    /// Virtual connections that one link may have; CONNECT beyond them is answered with CLOSE.
    static let virtualConnectionsLimit = 64

    let profile: DeviceProfile
    let certificateDER: [UInt8]
    var random: RandomSource
    var links: [LinkNumber: SenderLink] = [:]
    var app: AppRun?
    var pendingLaunch: PendingLaunch?
    var volumeLevel = 0.5
    var volumeMuted = false
    var standsBy = false
    /// Of a group: those that play with it now, in order.
    var members: [GroupMember] = []

    /// A device that nobody has connected to.
    ///
    /// - Parameter certificateDER: Its TLS certificate, which the answer to a deviceauth challenge names.
    public init(profile: DeviceProfile, seed: FleetSeed, certificateDER: [UInt8] = []) {
        self.profile = profile
        self.certificateDER = certificateDER
        random = seed.source("receiver", profile.index)
        if profile.kind.hasIdleScreen { app = newRun(of: .idleScreen, at: .zero) }
    }

    /// What the device advertises in TXT `rs`; empty when idle.
    public var runningAppText: String {
        guard let app, !app.app.isIdleScreen, !app.app.isPlaceholder else { return "" }
        return app.statusText
    }

    /// Takes what happened at `now`, time since any fixed moment.
    public mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
        switch event {
        case .linkOpened(let link):
            links[link] = SenderLink(lastHeardAt: now)
            return [.arm(.heartbeat(link), after: Self.pingInterval)]
        case .received(let link, let message, let payload):
            guard links[link] != nil else { return [] }
            links[link]?.lastHeardAt = now
            return received(message, payload, from: link, at: now)
        case .linkClosed(let link): return closed(link, at: now) + [.disarm(.heartbeat(link))]
        case .fired(let timer): return fired(timer, at: now)
        case .happened(let roomEvent): return happened(roomEvent, at: now)
        case .heard(let news): return heard(news, at: now)
        }
    }

    private mutating func fired(_ timer: Timer, at now: Duration) -> [Effect] {
        switch timer {
        case .heartbeat(let link): return heartbeat(link, at: now)
        case .launch: return launchGoesOn(at: now)
        case .idleScreen:
            guard app == nil, pendingLaunch == nil else { return [] }
            app = newRun(of: .idleScreen, at: now)
            return broadcastReceiverStatus()
        case .media(let mediaTimer):
            guard var media = app?.media else { return [] }
            let effects = media.fired(mediaTimer, at: now)
            app?.media = media
            return perform(effects, at: now)
        case .advertisement: return advertisementDue(at: now)
        case .tick: return tick(at: now)
        }
    }

    private mutating func received(
        _ message: CastMessage, _ payload: JSONValue?, from link: LinkNumber, at now: Duration
    ) -> [Effect] {
        switch message.namespace {
        case .connection: return connectionMessage(message, payload, from: link, at: now)
        case .heartbeat: return heartbeatMessage(message, payload, from: link)
        case .deviceAuthentication: return [.send(authenticationAnswer(to: message), to: link)]
        default: break
        }
        // Whoever has no virtual connection speaks to nobody (PROTOCOL 2.5).
        let virtual = links[link]?.virtualConnections.first {
            $0.senderID == message.sourceID && $0.destinationID == message.destinationID
        }
        guard let virtual else { return [] }
        guard let payload else { return appText(message, from: link, at: now) }
        if message.destinationID == Self.platform {
            return platformRequest(message, payload, over: virtual, from: link, at: now)
        }
        return appMessage(message, payload, from: link, at: now)
    }

    // MARK: Sending

    func unicast(
        _ payload: JSONValue, _ namespace: Namespace, from source: String, to senderID: String, on link: LinkNumber
    ) -> Effect {
        .send(CastMessage(from: source, to: senderID, namespace, text: payload.text), to: link)
    }

    /// To every link with a virtual connection to `source`, once each, in the order of the links.
    func broadcast(_ payload: JSONValue, _ namespace: Namespace, from source: String) -> [Effect] {
        let message = CastMessage(from: source, to: CastMessage.broadcastDestination, namespace, text: payload.text)
        return audience(of: source).map { .send(message, to: $0) }
    }

    /// The links with a virtual connection to `source`, in order.
    func audience(of source: String) -> [LinkNumber] {
        links.keys.sorted().filter { link in
            links[link]?.virtualConnections.contains { $0.destinationID == source } ?? false
        }
    }
}
