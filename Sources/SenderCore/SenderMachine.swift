public import CastModel
public import Recording

/// One device's sender, for ever: events in, effects out.
///
/// The machine reads no clock and owns no socket, so a whole life of a device can be replayed from a list of events.
/// Nothing a device sends may trap it. It joins what runs as one more sender that only listens (PROTOCOL 7.3).
public struct SenderMachine: Sendable {
    /// What the shell tells the machine.
    public enum Event: Sendable, Equatable {
        /// Begin; once.
        case start
        /// The link that ``Effect/openLink`` asked for is up.
        case linkUp
        /// It could not be opened, or it broke.
        case linkDown
        /// The device said something.
        case received(HeardMessage)
        /// A timer that was armed has run out.
        case fired(Timer)
        /// We stop reading: there is no room for what we would read.
        case readingPaused
        /// We read again.
        case readingResumed
        /// The device announced itself again, perhaps at another address.
        case rediscovered(atNewAddress: Bool)
        /// The link has to be made anew, for this reason.
        case restart(LinkCloseReason)
        /// Other apps may be joined from now on, or more is known of them.
        case rulesChanged(DeviceFilter, AppRegistry)
        /// We end, for this reason; nothing comes after.
        case stop(LinkCloseReason)
    }

    /// Each runs at most once at a time: arming it again moves it.
    public enum Timer: Sendable, Hashable, CaseIterable {
        /// The next attempt to connect.
        case connect
        /// The next PING.
        case heartbeat
        /// The next look at the receiver status.
        case receiverResync
        /// Join the app that was found.
        case join
        /// A media status was due, but the last request was too recent.
        case mediaResync
        /// The app says that it plays, and then nothing.
        case mediaSilence
    }

    /// What the machine asks the shell to do, in order.
    public enum Effect: Sendable, Equatable {
        /// Connect.
        case openLink
        /// Close the link or the attempt; no ``Event/linkDown`` follows.
        case closeLink(LinkCloseReason)
        case send(PermittedMessage)
        case arm(Timer, after: Duration)
        case disarm(Timer)
        /// The app seems to see us although we joined invisibly, so we leave it: see ``VisibilityTrial``.
        case suspectVisible(AppID)
        /// What ``suspectVisible(_:)`` began has been decided: whether we stay with the platform of this device.
        case visibilityJudged(staysWithPlatform: Bool)
        /// The app closed every virtual connection of ours; it is not recorded on this link.
        case joinRefused(AppID)
        /// A media app runs that we are not with; until ``missedNoMore``, or the end of the link.
        case missed(because: Gap.Reason, since: MonotonicTime)
        /// That app has ended, or we are with it.
        case missedNoMore
    }

    private enum Stage {
        case new
        /// The connect timer runs.
        case waiting
        case connecting
        case up(since: MonotonicTime)
        case stopped
    }

    /// PROTOCOL 2.7.
    static let heartbeatInterval = Duration.seconds(5)
    static let silenceLimit = Duration.seconds(15)
    /// PROTOCOL 7.3.
    static let receiverResyncInterval = Duration.seconds(600)
    static let mediaResyncInterval = Duration.seconds(10)
    static let mediaSilenceLimit = Duration.seconds(120)
    /// How soon after our CONNECT `senderConnected` has to turn true to be our doing.
    static let suspicionWindow = Duration.seconds(3)
    /// How long after a link that we ended, to join apps otherwise, the next one is opened.
    static let reattachDelay = Duration.seconds(1)

    private var policy: Policy
    /// How an operator wants apps to be joined.
    private let chosenMode: AttachMode
    private var trial = VisibilityTrial()
    private var stage = Stage.new
    private var generator: SeededGenerator
    private var backoff = Backoff()
    private var attendance = AppAttendance()
    private var lastHeardAt = MonotonicTime(nanoseconds: 0)
    private var readingPaused = false
    private var requests = RequestNumbers()
    private var roundTrip = RoundTrip()

    /// Who we are on the present link.
    public private(set) var identity: PermittedMessage.Identity

    /// A sender that has not begun.
    ///
    /// - Parameter seed: Determines every jitter and every id.
    public init(policy: Policy, seed: UInt64) {
        self.policy = policy
        chosenMode = policy.attachMode
        generator = SeededGenerator(seed: seed)
        identity = PermittedMessage.Identity(senderID: "sender-9000000", userAgent: policy.userAgent)
    }

    /// The app we have joined; nil when there is none.
    public var joinedApp: RunningApp? { attendance.app }
    /// What the joined app last said of what it plays.
    public var media: MediaFacts? { attendance.media }
    /// How receiver apps are joined on this link, or on the next one while there is none.
    ///
    /// Another than the operator's choice on a device that does not keep us invisible.
    public var attachMode: AttachMode { policy.attachMode }
    /// Whether the device does not keep us invisible, for all that is known, so that its apps are not joined.
    public var isDowngraded: Bool { trial.hasShown }
    /// Attempts and links that failed since the last healthy one.
    public var failures: Int { backoff.failures }

    /// How long the device took to answer our last PING on this link; nil before the first answer.
    public var lastRoundTrip: Duration? {
        guard case .up = stage else { return nil }
        return roundTrip.last
    }

    /// When the device was last heard, or a link to it came up; nil for never.
    public var lastHeard: MonotonicTime? { lastHeardAt.nanoseconds > 0 ? lastHeardAt : nil }

    /// Whether the device counts as dead by what was read so far: look for unread bytes before acting upon it.
    public func isSilent(at now: MonotonicTime) -> Bool {
        guard case .up = stage else { return false }
        return !readingPaused && now.since(lastHeardAt) >= Self.silenceLimit
    }

    /// Decides what one event means.
    ///
    /// - Parameter now: The moment of the event; never earlier than the one before.
    public mutating func handle(_ event: Event, at now: MonotonicTime) -> [Effect] {
        switch event {
        case .start: start()
        case .linkUp: linkUp(at: now)
        case .linkDown: linkDown(at: now)
        case .received(let message): received(message, at: now)
        case .fired(let timer): fired(timer, at: now)
        case .readingPaused: pauseReading()
        case .readingResumed: resumeReading(at: now)
        case .rediscovered(let atNewAddress): rediscovered(atNewAddress: atNewAddress)
        case .restart(let reason): restart(reason, at: now)
        case .rulesChanged(let filter, let apps): adopt(filter, apps, at: now)
        case .stop(let reason): stop(reason)
        }
    }

    // MARK: The link

    private mutating func start() -> [Effect] {
        switch stage {
        case .new:
            stage = .waiting
            return [.arm(.connect, after: generator.delay(upTo: policy.firstConnectJitter))]
        case .waiting, .connecting, .up, .stopped: return []
        }
    }

    private mutating func linkUp(at now: MonotonicTime) -> [Effect] {
        switch stage {
        case .connecting:
            stage = .up(since: now)
            lastHeardAt = now
            attendance = AppAttendance()
            identity.senderID = "sender-9\(Int.random(in: 100_000...999_999, using: &generator))"
            requests.begin(using: &generator)
            roundTrip = RoundTrip()
            roundTrip.asked(at: now)
            return [
                .send(.connectPlatform), .send(.challenge(nonce: makeNonce())), .send(.ping),
                .send(.getReceiverStatus(requestID: requests.take())),
                .send(.getMultizoneStatus(requestID: requests.take())),
                .send(.getDeviceInformation(requestID: requests.take())),
                .arm(.heartbeat, after: Self.heartbeatInterval),
                .arm(.receiverResync, after: Self.receiverResyncInterval),
            ]
        case .new, .waiting, .up, .stopped: return []
        }
    }

    /// What the device has to sign, new for every link.
    ///
    /// It need not be secret: a signature also covers the TLS certificate of whom it was made for.
    private mutating func makeNonce() -> [UInt8] {
        (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    private mutating func linkDown(at now: MonotonicTime) -> [Effect] {
        switch stage {
        case .connecting: return waitAfterFailure()
        case .up(let since):
            if now.since(since) >= Backoff.healthyAfter { backoff.reset() }
            return disarmLinkTimers() + waitAfterFailure()
        case .new, .waiting, .stopped: return []
        }
    }

    private mutating func waitAfterFailure() -> [Effect] {
        stage = .waiting
        return [.arm(.connect, after: backoff.delayAfterFailure(using: &generator))]
    }

    private mutating func disarmLinkTimers() -> [Effect] {
        attendance = AppAttendance()
        return [Timer.heartbeat, .receiverResync, .join, .mediaResync, .mediaSilence].map { .disarm($0) }
    }

    private mutating func restart(_ reason: LinkCloseReason, at now: MonotonicTime) -> [Effect] {
        switch stage {
        case .connecting, .up:
            // Counted as a failure: a device may give itself a new name on every link.
            if case .up(let since) = stage, now.since(since) >= Backoff.healthyAfter { backoff.reset() }
            let farewell = attendance.farewell()
            return farewell + [.closeLink(reason)] + disarmLinkTimers() + waitAfterFailure()
        case .new, .waiting, .stopped: return []
        }
    }

    private mutating func rediscovered(atNewAddress: Bool) -> [Effect] {
        switch stage {
        case .waiting:
            // A patient wait ends here; shorter ones run on, or a flapping announcement would undo the backoff.
            guard backoff.isPatient || atNewAddress else { return [] }
            return [.arm(.connect, after: generator.delay(upTo: max(policy.firstConnectJitter, .seconds(1))))]
        case .new, .connecting, .up, .stopped: return []
        }
    }

    private mutating func adopt(_ filter: DeviceFilter, _ apps: AppRegistry, at now: MonotonicTime) -> [Effect] {
        let isSame = filter.admitsSameApps(as: policy.filter)
        policy.filter = filter
        policy.apps = apps
        switch stage {
        case .up:
            guard !isSame else { return [] }
            // The answer tells what runs; what may be joined now is then joined.
            return attendance.reconsider(policy, at: now) + [.send(.getReceiverStatus(requestID: requests.take()))]
        case .new, .waiting, .connecting, .stopped: return []
        }
    }

    private mutating func stop(_ reason: LinkCloseReason) -> [Effect] {
        defer { stage = .stopped }
        switch stage {
        case .new, .stopped: return []
        case .waiting: return [.disarm(.connect)]
        case .connecting: return [.closeLink(reason)]
        case .up:
            let farewell = attendance.farewell()
            return farewell + [.closeLink(reason)] + disarmLinkTimers()
        }
    }

    // MARK: Reading

    private mutating func pauseReading() -> [Effect] {
        readingPaused = true
        roundTrip.interrupted()
        return []
    }

    private mutating func resumeReading(at now: MonotonicTime) -> [Effect] {
        guard readingPaused else { return [] }
        readingPaused = false
        lastHeardAt = now  // We did not listen; the silence was ours.
        return []
    }

    private mutating func received(_ message: HeardMessage, at now: MonotonicTime) -> [Effect] {
        switch stage {
        case .up:
            lastHeardAt = now
            return answer(message, at: now)
        case .new, .waiting, .connecting, .stopped: return []  // Late, from a link that we gave up.
        }
    }

    private mutating func answer(_ message: HeardMessage, at now: MonotonicTime) -> [Effect] {
        switch message.content {
        case .ping: return pong(to: message)
        case .pong:
            roundTrip.answered(at: now)
            return []
        case .close:
            let ofPlatform =
                message.sourceID == PermittedMessage.receiverPlatformID
                && message.destinationID != identity.senderID
            if ofPlatform {
                // Without the platform there is no news: begin anew, with backoff.
                return [.closeLink(.closedByDevice)] + linkDown(at: now)
            }
            return attendance.closed(by: TransportID(message.sourceID), requests: &requests, at: now)
        case .receiverStatus(let apps): return heard(apps, at: now)
        case .mediaStatus(let media):
            return attendance.heard(media: media, from: message.sourceID, requests: &requests, at: now)
        case .deviceInformation, .other: return []
        }
    }

    private mutating func heard(_ apps: [RunningApp], at now: MonotonicTime) -> [Effect] {
        let effects: [Effect]
        switch trial.heard(apps, at: now) {
        case .joinsAgain:
            policy.attachMode = chosenMode
            return [.visibilityJudged(staysWithPlatform: false)] + beginAnew()
        case .staysWithPlatform: effects = [.visibilityJudged(staysWithPlatform: true)]
        case nil: effects = []
        }
        let followed = attendance.heard(apps: apps, policy: policy, at: now)
        guard let transport = attendance.suspect, let app = attendance.app,
            trial.begins(with: transport, at: now)
        else { return effects + followed }
        policy.attachMode = .platform
        return effects + followed + [.suspectVisible(app.appID)] + beginAnew()
    }

    /// Leaves without CLOSE, which could end an app that knows of us (PROTOCOL 5.7), and comes back at once.
    private mutating func beginAnew() -> [Effect] {
        let disarmed = disarmLinkTimers()
        stage = .waiting
        return [.closeLink(.attachModeChanged)] + disarmed + [.arm(.connect, after: Self.reattachDelay)]
    }

    /// The ids of PING, swapped: devices use odd ones such as `Tr@n$p0rt-0` for both ends (PROTOCOL 2.4).
    private func pong(to ping: HeardMessage) -> [Effect] {
        let limit = PermittedMessage.endpointLimitBytes
        // An answer to "*" would reach everybody.
        guard ping.sourceID.utf8.count <= limit, ping.destinationID.utf8.count <= limit, ping.sourceID != "*" else {
            return []
        }
        let source = ping.destinationID == "*" ? PermittedMessage.senderPlatformID : ping.destinationID
        return [.send(.pong(from: source, to: ping.sourceID))]
    }

    // MARK: Timers

    private mutating func fired(_ timer: Timer, at now: MonotonicTime) -> [Effect] {
        switch stage {
        case .waiting:
            guard timer == .connect else { return [] }
            stage = .connecting
            return [.openLink]
        case .up: return firedWhileUp(timer, at: now)
        case .new, .connecting, .stopped: return []
        }
    }

    private mutating func firedWhileUp(_ timer: Timer, at now: MonotonicTime) -> [Effect] {
        switch timer {
        case .connect: return []
        case .heartbeat: return heartbeat(at: now)
        case .receiverResync:
            return [
                .send(.getReceiverStatus(requestID: requests.take())),
                .arm(.receiverResync, after: Self.receiverResyncInterval),
            ]
        case .join: return attendance.join(policy: policy, requests: &requests, at: now)
        case .mediaResync: return attendance.resyncDue(requests: &requests, at: now)
        case .mediaSilence: return attendance.silenceDue(requests: &requests, at: now)
        }
    }

    private mutating func heartbeat(at now: MonotonicTime) -> [Effect] {
        guard !isSilent(at: now) else { return [.closeLink(.silent)] + linkDown(at: now) }
        let untilSilent = Self.silenceLimit - now.since(lastHeardAt)
        if !readingPaused { roundTrip.asked(at: now) }
        let next = readingPaused ? Self.heartbeatInterval : min(Self.heartbeatInterval, untilSilent)
        return [.send(.ping), .arm(.heartbeat, after: next)]
    }
}
