public import CastModel

/// The media namespace of one app session, as Google's web receiver SDK serves it (PROTOCOL 5.1, 5.2, 5.3).
///
/// A value: requests and timers in, effects out. It reads no clock: `now` is time since any fixed moment.
public struct MediaMachine: Sendable {
    /// Who sent a request.
    public struct Asker: Sendable, Hashable {
        /// The sender's TLS link to the device.
        public var link: Int
        /// Its sender id on that link.
        public var senderID: String

        /// A sender by link and id.
        public init(link: Int, senderID: String) {
            self.link = link
            self.senderID = senderID
        }
    }

    /// What to wait for; arming a timer again replaces it.
    public enum Timer: Sendable, Hashable, CaseIterable {
        /// A pending load has succeeded or failed.
        case loadSettles
        /// Enough has been buffered to play on.
        case bufferingEnds
        /// The media has come to its end.
        case itemEnds
        /// Nothing has played for too long (PROTOCOL 5.8).
        case idleLimit
        /// The content comes to an ad break.
        case breakBegins
        /// An ad of a break is over.
        case breakClipEnds
        /// An ad that only `customData` tells of may be skipped, or is over.
        case hiddenAd
        /// Time to load the next item ahead.
        case preload
    }

    /// What is to be done, in order.
    public enum Effect: Sendable, Equatable {
        /// A payload for one sender.
        case reply(JSONValue, to: Asker)
        /// A payload for every sender with a virtual connection to the app.
        case broadcast(JSONValue)
        case arm(Timer, after: Duration)
        case disarm(Timer)
        /// The app's status text should be this title; empty when nothing plays.
        case showTitle(String)
        /// The content is wanted from here.
        case fetch(url: String)
        /// The app has had enough and stops.
        case stopApp
    }

    /// A load that has begun.
    struct PendingLoad: Sendable {
        /// Nil when nobody on the network asked.
        var asker: Asker?
        /// 0 when nobody on the network asked.
        var requestID: Int
        /// What will play when it succeeds.
        var playback: MediaPlayback
        /// Whether the queue moved on, rather than a LOAD.
        var isQueueStep: Bool
    }

    enum Phase: Sendable {
        /// Nothing has played, or its end has been reported.
        case empty
        /// `over` is what has been interrupted.
        case loading(PendingLoad, over: MediaPlayback?)
        case loaded(MediaPlayback)
    }

    /// One request, taken apart.
    struct Request: Sendable {
        var type: String
        var requestID: Int
        var asker: Asker
        var body: JSONValue
    }

    /// How long a LOAD takes.
    public static let loadDuration: Duration = .milliseconds(600)
    /// How long a queue step or a seek takes.
    public static let bufferingDuration: Duration = .milliseconds(300)
    /// Requests that wait for a pending load; more are refused with INVALID_PLAYER_STATE.
    static let queuedRequestsLimit = 32
    /// CAF's limits (PROTOCOL 5.8).
    static let idleLimit: Duration = .seconds(300)
    static let pausedLimit: Duration = .seconds(1200)
    /// Content whose id ends like this cannot be played.
    public static let unplayableSuffix = ".unplayable"

    var phase = Phase.empty
    var lastMediaSessionID = 0
    var streamLevel = 1.0
    var streamMuted = false
    var queuedRequests: [Request] = []

    /// An app in which nothing has played yet.
    public init() {}

    /// The app has just started.
    public func started() -> [Effect] { [.arm(.idleLimit, after: Self.idleLimit)] }

    /// A message of the media namespace.
    ///
    /// Without a type and an integer requestId it is silently ignored (PROTOCOL 4.1).
    public mutating func received(_ body: JSONValue, from asker: Asker, at now: Duration) -> [Effect] {
        guard let type = body["type"]?.string, let requestID = body["requestId"]?.wholeNumber else { return [] }
        let request = Request(type: type, requestID: requestID, asker: asker, body: body)
        switch phase {
        case .loading:
            guard type != "LOAD", type != "QUEUE_LOAD" else { return perform(request, at: now) }
            guard queuedRequests.count < Self.queuedRequestsLimit else {
                return [.reply(Self.answer("INVALID_PLAYER_STATE", to: request), to: asker)]
            }
            queuedRequests.append(request)
            return []
        case .empty, .loaded: return perform(request, at: now)
        }
    }

    /// A timer that was armed has come up.
    public mutating func fired(_ timer: Timer, at now: Duration) -> [Effect] {
        switch timer {
        case .loadSettles: loadSettled(at: now)
        case .bufferingEnds: bufferingEnded(at: now)
        case .itemEnds: itemEnded(at: now)
        case .idleLimit: [.stopApp]
        case .breakBegins: breakBegan(at: now)
        case .breakClipEnds: breakClipEnded(at: now)
        case .hiddenAd: hiddenAdGoesOn(at: now)
        case .preload: preload(at: now)
        }
    }

    private mutating func bufferingEnded(at now: Duration) -> [Effect] {
        switch phase {
        case .empty, .loading: return []
        case .loaded(var playback):
            switch playback.playerState {
            case .playing, .paused: return []
            case .buffering:
                guard playback.hiddenAd == nil else { return [] }
                playback.become(.playing, at: now)
                return announceFromApp(playback, at: now)
            }
        }
    }

    private mutating func itemEnded(at now: Duration) -> [Effect] {
        switch phase {
        case .empty, .loading: return []
        case .loaded(let playback):
            if let next = playback.queue.indexAfterEnd {
                return step(
                    playback, from: playback, to: next, because: "FINISHED", asker: nil, requestID: 0, at: now)
            }
            return end(playback, because: "FINISHED", requestID: 0, at: now)
        }
    }

    /// Playback fails: ERROR, which has no request id, then IDLE for all (PROTOCOL 4.2, 5.1).
    ///
    /// - Parameter code: `detailedErrorCode`.
    public mutating func fail(code: Int, at now: Duration) -> [Effect] {
        guard case .loaded(let playback) = phase else { return [] }
        return [.broadcast(["type": "ERROR", "detailedErrorCode": .count(code)])]
            + end(playback, because: "ERROR", requestID: 0, at: now)
    }

    /// The media session is over: IDLE with a reason once, nothing from then on (PROTOCOL 5.5).
    mutating func end(_ playback: MediaPlayback, because reason: String, requestID: Int, at now: Duration) -> [Effect] {
        phase = .empty
        let ended = idleStatus(playback, reason: reason, at: now)
        return [.broadcast(Self.message([ended], requestID: requestID)), .showTitle("")]
            + Self.playbackTimers.map { .disarm($0) } + [.arm(.idleLimit, after: Self.idleLimit)]
    }

    /// The timers that belong to what plays.
    static let playbackTimers: [Timer] = [.itemEnds, .bufferingEnds, .breakBegins, .breakClipEnds, .hiddenAd, .preload]

    /// The network is slow: BUFFERING for a while, then on from the same position, both with id 0 (PROTOCOL 5.4).
    public mutating func stall(for duration: Duration, at now: Duration) -> [Effect] {
        switch phase {
        case .empty, .loading: return []
        case .loaded(var playback):
            switch playback.playerState {
            case .paused, .buffering: return []
            case .playing:
                playback.become(.buffering, at: now)
                phase = .loaded(playback)
                return [
                    .broadcast(Self.message([mediaStatus(playback, at: now, .brief)], requestID: 0)),
                    .disarm(.itemEnds), .disarm(.breakBegins), .disarm(.breakClipEnds),
                    .arm(.bufferingEnds, after: duration),
                ]
            }
        }
    }

    /// The app itself says what has changed, to everybody, with id 0 and without media.
    mutating func announceFromApp(_ playback: MediaPlayback, at now: Duration) -> [Effect] {
        phase = .loaded(playback)
        return [.broadcast(Self.message([mediaStatus(playback, at: now, .brief)], requestID: 0))]
            + timers(of: playback, at: now)
    }

    /// The timers that fit what plays.
    func timers(of playback: MediaPlayback, at now: Duration) -> [Effect] {
        let end: Effect = playback.remaining(at: now).map { .arm(.itemEnds, after: $0) } ?? .disarm(.itemEnds)
        let ahead = [end] + breakTimers(of: playback, at: now) + preloadTimer(of: playback, at: now)
        return switch playback.playerState {
        case .playing: ahead + [.disarm(.idleLimit)]
        case .buffering where playback.hiddenAd != nil: ahead + [.disarm(.bufferingEnds), .disarm(.idleLimit)]
        case .buffering: ahead + [.arm(.bufferingEnds, after: Self.bufferingDuration), .disarm(.idleLimit)]
        case .paused: ahead + [.disarm(.bufferingEnds), .arm(.idleLimit, after: Self.pausedLimit)]
        }
    }
}
