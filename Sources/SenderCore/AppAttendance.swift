import CastModel
import Recording

/// Our presence with the receiver app of one link: when to join it, when to ask it again, when to let go.
///
/// A part of ``SenderMachine``, which hands it what concerns apps. At most one app is attended: devices run one
/// (PROTOCOL 3.2).
struct AppAttendance: Sendable {
    typealias Effect = SenderMachine.Effect

    private enum Stage {
        case outside
        /// The join timer runs, for so long.
        case waiting(RunningApp, TransportID, Duration)
        case joined(RunningApp, VirtualConnection)
    }

    private struct Refusal {
        var transport: TransportID
        var count: Int
        var at: MonotonicTime
    }

    /// What the app last said of what it plays.
    private struct Playing {
        var facts: MediaFacts
        var heardAt: MonotonicTime
    }

    private var stage = Stage.outside
    /// The transport that closed our virtual connection, how often, and when it last did so.
    private var refusal: Refusal?
    /// What runs and is not recorded.
    private var missed = MissedApp()
    private var joinedAt = MonotonicTime(nanoseconds: 0)
    /// The transports that ran when the link began; nil until the device has said what runs.
    private var ranBefore: [TransportID]?
    private static let ranBeforeLimit = 8
    /// The transport of the app that seems to see us.
    private(set) var suspect: TransportID?
    /// Media sessions whose media we have been told; a few, newest last.
    private var knownMedia: [Int64] = []
    private var playing: Playing?
    private var lastRequestAt: MonotonicTime?
    private var resyncArmed = false
    private var silenceArmed = false

    /// A refusing app is asked again after these delays, then never again on this link.
    private static let rejoinDelays: [Duration] = [.seconds(10), .seconds(60)]
    private static let knownMediaLimit = 16

    /// The app we have joined; nil when there is none.
    var app: RunningApp? {
        guard case .joined(let app, _) = stage else { return nil }
        return app
    }

    /// What the joined app last said of what it plays.
    var media: MediaFacts? { playing?.facts }

    /// Whether the running app has refused us for good.
    private var isRefused: Bool { (refusal?.count ?? 0) > Self.rejoinDelays.count }

    private var transport: TransportID? {
        switch stage {
        case .outside: nil
        case .waiting(_, let transport, _): transport
        case .joined(_, let connection): connection.transport
        }
    }

    // MARK: What runs

    /// The device said what runs.
    mutating func heard(apps: [RunningApp], policy: SenderMachine.Policy, at now: MonotonicTime) -> [Effect] {
        missed.heard(apps, at: now)
        if ranBefore == nil { ranBefore = apps.compactMap(\.transport).suffix(Self.ranBeforeLimit) }
        return follow(apps, policy, at: now) + noteMissed()
    }

    /// Says why the running media app is not recorded, or that it is.
    private mutating func noteMissed() -> [Effect] {
        guard let app = missed.app else { return missed.note(nil) }
        let refusal = refusal.flatMap { $0.transport == app.transport ? $0 : nil }
        switch stage {
        case .joined: return missed.note(nil)
        case .waiting(_, _, let delay) where delay < MissedApp.patience: return missed.note(nil)
        case .waiting, .outside: return missed.note(refusal == nil ? .notJoined : .attachRefused, since: refusal?.at)
        }
    }

    private mutating func follow(
        _ apps: [RunningApp], _ policy: SenderMachine.Policy, at now: MonotonicTime
    ) -> [Effect] {
        if let transport, let app = apps.first(where: { $0.transport == transport }),
            self.app != nil || policy.wantsToJoin(app)
        {
            return stillThere(app, at: now)
        }
        var effects = leaveStage()
        if let gone = refusal?.transport, !apps.contains(where: { $0.transport == gone }) { refusal = nil }
        guard let app = apps.first(where: { policy.wantsToJoin($0) }), let transport = app.transport else {
            return effects
        }
        guard let delay = joinDelay(app, policy) else { return effects }
        stage = .waiting(app, transport, delay)
        effects.append(.arm(.join, after: delay))
        return effects
    }

    private mutating func stillThere(_ app: RunningApp, at now: MonotonicTime) -> [Effect] {
        switch stage {
        case .outside: return []
        case .waiting(_, let transport, let delay):
            stage = .waiting(app, transport, delay)
            return []
        case .joined(let before, let connection):
            stage = .joined(app, connection)
            // Right after our CONNECT and with no other cause that we could see: the app may have been told of us. Whoever
            // launches an app joins it in the same moment as we do, so only one that ran without a sender is a witness.
            let turned = before.senderConnected == false && app.senderConnected == true
            guard turned, suspect == nil, connection.type == .invisible,
                ranBefore?.contains(connection.transport) == true, now.since(joinedAt) <= SenderMachine.suspicionWindow
            else { return [] }
            suspect = connection.transport
            return []
        }
    }

    /// Nil when the app has refused us too often.
    private func joinDelay(_ app: RunningApp, _ policy: SenderMachine.Policy) -> Duration? {
        guard let refusal else { return policy.joinDelay(app) }
        return refusal.count <= Self.rejoinDelays.count ? Self.rejoinDelays[refusal.count - 1] : nil
    }

    // MARK: Joining and leaving

    /// The join timer has fired.
    mutating func join(policy: SenderMachine.Policy, requests: inout RequestNumbers, at now: MonotonicTime) -> [Effect]
    {
        switch stage {
        case .outside, .joined: return []
        case .waiting(let app, let transport, _):
            guard let connection = VirtualConnection(to: transport, policy.attachMode) else {
                stage = .outside
                return noteMissed()
            }
            stage = .joined(app, connection)
            joinedAt = now
            lastRequestAt = now
            return noteMissed() + [
                .send(.join(connection)), .send(.getMediaStatus(transport, requestID: requests.take())),
            ]
        }
    }

    /// The other end closed a virtual connection of ours: the app ended, or does not want us.
    ///
    /// Answered once with CLOSE where the app never knew of us; a look at the receiver status then decides whether the
    /// app still runs.
    mutating func closed(
        by transport: TransportID, requests: inout RequestNumbers, at now: MonotonicTime
    ) -> [Effect] {
        switch stage {
        case .outside, .waiting: return []
        case .joined(let app, let connection):
            guard connection.transport == transport else { return [] }
            var effects = InvisibleConnection(connection).map { [Effect.send(.leave($0))] } ?? []
            effects += leaveStage()
            let count = (refusal?.transport == transport ? refusal?.count ?? 0 : 0) + 1
            refusal = Refusal(transport: transport, count: count, at: now)
            effects.append(.send(.getReceiverStatus(requestID: requests.take())))
            return isRefused ? effects + [.joinRefused(app.appID)] : effects
        }
    }

    /// CLOSE for an orderly end, where the app never knew of us.
    func farewell() -> [Effect] {
        switch stage {
        case .outside, .waiting: []
        case .joined(_, let connection): InvisibleConnection(connection).map { [.send(.leave($0))] } ?? []
        }
    }

    /// The rules have changed: leaves the app that may not be joined any more.
    ///
    /// An app that we were with has been observed up to now; it has not refused us, either.
    mutating func reconsider(_ policy: SenderMachine.Policy, at now: MonotonicTime) -> [Effect] {
        switch stage {
        case .outside: return []
        case .waiting(let app, _, _): return policy.wantsToJoin(app) ? [] : leaveStage()
        case .joined(let app, _):
            guard !policy.wantsToJoin(app) else { return [] }
            let effects = farewell() + leaveStage()
            refusal = nil
            missed.leave(at: now)
            return effects
        }
    }

    private mutating func leaveStage() -> [Effect] {
        var effects: [Effect] = []
        if case .waiting = stage { effects.append(.disarm(.join)) }
        if resyncArmed { effects.append(.disarm(.mediaResync)) }
        if silenceArmed { effects.append(.disarm(.mediaSilence)) }
        let (refusal, missed, ranBefore) = (refusal, missed, ranBefore)
        self = AppAttendance()
        (self.refusal, self.missed, self.ranBefore) = (refusal, missed, ranBefore)
        return effects
    }

    // MARK: What it plays

    /// A receiver app said what it plays.
    mutating func heard(
        media: [MediaFacts], from source: String, requests: inout RequestNumbers, at now: MonotonicTime
    ) -> [Effect] {
        switch stage {
        case .outside, .waiting: return []
        case .joined(_, let connection):
            guard connection.transport.text == source else { return [] }
            var effects: [Effect] = []
            for facts in media where note(facts, at: now) { effects += resync(connection, &requests, at: now) }
            if !silenceArmed, extrapolatedEnd != nil {
                silenceArmed = true
                effects.append(.arm(.mediaSilence, after: SenderMachine.mediaSilenceLimit))
            }
            return effects
        }
    }

    /// Keeps the facts; true when they speak of a media session whose media nobody told us.
    private mutating func note(_ facts: MediaFacts, at now: MonotonicTime) -> Bool {
        var facts = facts
        if let before = playing?.facts, before.mediaSessionID == facts.mediaSessionID {
            // What a status leaves out is unchanged (PROTOCOL 4.10).
            facts.playerState = facts.playerState ?? before.playerState
            facts.playbackRate = facts.playbackRate ?? before.playbackRate
            if !facts.hasMedia {
                facts.durationSeconds = before.durationSeconds
                facts.title = before.title
            }
        }
        playing = Playing(facts: facts, heardAt: now)
        guard let mediaSessionID = facts.mediaSessionID else { return false }
        let known = knownMedia.contains(mediaSessionID)
        if facts.hasMedia && !known {
            if knownMedia.count == Self.knownMediaLimit { knownMedia.removeFirst() }
            knownMedia.append(mediaSessionID)
        }
        // While a LOAD runs, requests wait for its end; an idle player has no media to tell.
        return !known && !facts.hasMedia && !facts.isLoading && facts.playerState != .idle
    }

    /// Asks for a media status now, or as soon as the last request is ten seconds old.
    private mutating func resync(
        _ connection: VirtualConnection, _ requests: inout RequestNumbers, at now: MonotonicTime
    ) -> [Effect] {
        guard !resyncArmed else { return [] }
        let waited = lastRequestAt.map { now.since($0) } ?? SenderMachine.mediaResyncInterval
        guard waited < SenderMachine.mediaResyncInterval else {
            lastRequestAt = now
            return [.send(.getMediaStatus(connection.transport, requestID: requests.take()))]
        }
        resyncArmed = true
        return [.arm(.mediaResync, after: SenderMachine.mediaResyncInterval - waited)]
    }

    /// The resync timer has fired.
    mutating func resyncDue(requests: inout RequestNumbers, at now: MonotonicTime) -> [Effect] {
        resyncArmed = false
        switch stage {
        case .outside, .waiting: return []
        case .joined(_, let connection):
            // The answer may have come by itself meanwhile.
            guard let mediaSessionID = playing?.facts.mediaSessionID, !knownMedia.contains(mediaSessionID) else {
                return []
            }
            return resync(connection, &requests, at: now)
        }
    }

    /// When what plays should have ended, as time since it was last heard of; nil when it has no known end.
    private var extrapolatedEnd: Duration? {
        guard let facts = playing?.facts, facts.playerState == .playing, let duration = facts.durationSeconds,
            let position = facts.positionSeconds
        else { return nil }
        let rate = facts.playbackRate ?? 1
        guard rate > 0 else { return nil }
        // A day is beyond every use; more would only overflow.
        return .seconds(min(max(0, (duration - position) / rate), 86_400))
    }

    /// The silence timer has fired: the app said that it plays, and then perhaps nothing for two minutes.
    mutating func silenceDue(requests: inout RequestNumbers, at now: MonotonicTime) -> [Effect] {
        silenceArmed = false
        switch stage {
        case .outside, .waiting: return []
        case .joined(_, let connection):
            guard let playing, let end = extrapolatedEnd else { return [] }
            let due = max(SenderMachine.mediaSilenceLimit, end)
            let silent = now.since(playing.heardAt)
            guard silent < due else { return resync(connection, &requests, at: now) }
            silenceArmed = true
            return [.arm(.mediaSilence, after: due - silent)]
        }
    }
}
