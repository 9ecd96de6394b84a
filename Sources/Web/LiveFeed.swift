import CastModel
import IO
import Recording
import Store
import Telemetry
import WebCore

/// Passes on what is new in the ledger to all who listen, over one connection to the database.
///
/// One thread reads, whoever listens has a bounded queue. A slow one falls behind in what is kept here; one that falls out of
/// it, or takes nothing for too long, is dropped and counted.
final class LiveFeed: Sendable {
    /// News that wait for one listener, at most.
    static let queueLimit = 256
    /// News that are kept for those that are behind.
    static let keptLimit = 4_096
    /// Listeners, at most; more are refused.
    static let listenerLimit = 1_200
    /// A listener that takes nothing for so long, while something waits, is dropped.
    static let stallNanoseconds: Int64 = 30_000_000_000
    private static let heartbeatNanoseconds: Int64 = 15_000_000_000
    /// How often the database is looked at when nobody tells that something is new.
    private static let lookLimit = Duration.seconds(1)
    /// And how often while somebody is behind.
    private static let pumpLimit = Duration.milliseconds(20)
    private static let retryLimit = Duration.seconds(2)

    private struct Kept {
        var news: ChangeFollower.News
        var bytes: [UInt8]
    }

    private struct Listener {
        var pipe: BytePipe
        /// Only of these; nil for all.
        var devices: Set<DeviceID>?
        /// What it has seen before it came.
        var seen: ResumePoint
        /// The number of the next news for it.
        var next: Int
        var lastBeat: Int64
        var lastProgress: Int64
        var takenBytes: Int64 = 0
    }

    private struct Content {
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
        var kept: [Kept] = []
        /// The number of the first one kept.
        var firstKept = 0
        /// Up to where everything is told, or in `kept`; nil before the feed has begun.
        var start: ResumePoint?
        var dropped = 0
        var isStopping = false
    }

    private let content = Guarded(Content())
    private let wakeup: Mailbox<Bool>
    private let apps: AppRegistry
    private let connect: @Sendable () throws -> PostgresConnection
    private let log: Log
    private let thread = Guarded<OwnedThread?>(nil)

    init(
        apps: AppRegistry, log: Log, connect: @escaping @Sendable () throws -> PostgresConnection
    ) throws(IOError) {
        self.apps = apps
        self.log = log
        self.connect = connect
        wakeup = try Mailbox(limit: 1)
    }

    func start() {
        let made = OwnedThread("web-feed") { self.run() }
        thread.withLock { $0 = made }
    }

    func stop(within limit: Duration) -> Bool {
        content.withLock { content in
            content.isStopping = true
            for listener in content.listeners.values { listener.pipe.abandon() }
            content.listeners = [:]
        }
        wakeup.close()
        return thread.withLock { $0?.join(within: limit) } ?? true
    }

    /// Who listens, and how many were dropped.
    var figures: WebFigures.StreamFigures {
        content.withLock { .init(readers: $0.listeners.count, dropped: $0.dropped) }
    }

    /// Whether the ledger was reached at all.
    var hasBegun: Bool { content.withLock { $0.start != nil } }

    /// Whether there is no room for another listener.
    var isFull: Bool { content.withLock { $0.listeners.count >= Self.listenerLimit } }

    /// Adds a listener that has seen everything up to a point.
    ///
    /// False when something between that point and now is not here any more: read on in the ledger, and ask again.
    func join(_ pipe: BytePipe, devices: Set<DeviceID>?, after seen: ResumePoint) -> Bool {
        let now = Clock.monotonicNanoseconds()
        return content.withLock { content in
            guard !content.isStopping, let start = content.start else { return content.isStopping }
            let isBehind = start.places.contains { recorder, place in
                guard let known = seen.places[recorder] else { return true }
                return (known.position, known.ordinal) < (place.position, place.ordinal)
            }
            guard !isBehind else { return false }
            content.listeners[content.nextListener] = Listener(
                pipe: pipe, devices: devices, seen: seen, next: content.firstKept, lastBeat: now, lastProgress: now)
            content.nextListener += 1
            pipe.isJoined = true
            return true
        }
    }

    // MARK: On the thread

    private var isStopping: Bool { content.withLock { $0.isStopping } }

    private func run() {
        var hasComplained = false
        while !isStopping {
            do {
                try follow { hasComplained = false }
            } catch {
                if !hasComplained, !isStopping {
                    log(.warning, "live changes wait for the database", [.error: "\(error)"])
                }
                hasComplained = true
            }
            // Heartbeats go on, or proxies would cut those who wait.
            let until = Clock.monotonicNanoseconds(after: Self.retryLimit)
            while !isStopping, Clock.monotonicNanoseconds() < until {
                pump()
                _ = wakeup.take(timeout: .milliseconds(200))
            }
        }
    }

    private func follow(_ connected: () -> Void) throws {
        let connection = try connect()
        let queries = try LedgerQueries(connection: connection)
        try queries.listenForChanges()
        connected()
        var follower = ChangeFollower(apps: apps)
        if let start = content.withLock({ content -> ResumePoint? in
            content.start.map { start in content.kept.reduce(into: start) { $0.take($1.news) } }
        }) {
            // The connection broke: nothing that came meanwhile may be missing.
            if try !follower.begin(queries, after: start) { follower = ChangeFollower(apps: apps) }
        }
        if content.withLock({ $0.start == nil }) {
            try follower.begin(queries)
            let point = follower.resumePoint
            content.withLock { $0.start = point }
        }
        var hasMore = true
        while !isStopping {
            let isNews = try hasMore || queries.awaitChange(within: pump() ? Self.pumpLimit : Self.lookLimit)
            if isNews || isDue() {
                let turn = try follower.turn(queries)
                hasMore = turn.hasMore
                keep(turn.news, follower.resumePoint)
            }
        }
    }

    private let lastLook = Guarded<Int64>(0)

    /// Once a second the database is looked at even if nobody told anything.
    private func isDue() -> Bool {
        let now = Clock.monotonicNanoseconds()
        return lastLook.withLock { last in
            guard now - last >= Self.lookLimit.wholeNanoseconds else { return false }
            last = now
            return true
        }
    }

    private func keep(_ news: [ChangeFollower.News], _ point: ResumePoint) {
        content.withLock { content in
            if content.listeners.isEmpty {
                // Nobody to tell: whoever comes reads in the ledger what was before.
                content.firstKept += content.kept.count
                content.kept = []
                content.start = point
                return
            }
            for piece in news { content.kept.append(Kept(news: piece, bytes: piece.frame.utf8)) }
            let surplus = content.kept.count - Self.keptLimit
            guard surplus > 0 else { return }
            for gone in content.kept.prefix(surplus) { content.start?.take(gone.news) }
            content.kept.removeFirst(surplus)
            content.firstKept += surplus
        }
        _ = pump()
    }

    /// Gives every listener what it has room for; true when somebody is behind.
    @discardableResult
    private func pump() -> Bool {
        let now = Clock.monotonicNanoseconds()
        return content.withLock { content in
            var isBehind = false
            for (number, known) in content.listeners {
                var listener = known
                let isKept = Self.give(&listener, content.kept, content.firstKept, now)
                if isKept {
                    content.listeners[number] = listener
                    if listener.next < content.firstKept + content.kept.count { isBehind = true }
                } else {
                    // One that went away by itself was not dropped.
                    if !listener.pipe.isBroken { content.dropped += 1 }
                    listener.pipe.abandon()
                    content.listeners[number] = nil
                }
            }
            return isBehind
        }
    }

    private static func give(_ listener: inout Listener, _ kept: [Kept], _ firstKept: Int, _ now: Int64) -> Bool {
        guard !listener.pipe.isBroken, listener.next >= firstKept else { return false }
        let progress = listener.pipe.progress
        if progress.taken != listener.takenBytes || progress.waiting == 0 {
            listener.takenBytes = progress.taken
            listener.lastProgress = now
        }
        if now - listener.lastProgress > stallNanoseconds { return false }
        var room = queueLimit - progress.waiting
        while room > 0, listener.next - firstKept < kept.count {
            let piece = kept[listener.next - firstKept]
            listener.next += 1
            guard wants(piece.news, listener) else { continue }
            guard listener.pipe.offer(piece.bytes) else { break }
            listener.lastBeat = now
            room -= 1
        }
        if now - listener.lastBeat > heartbeatNanoseconds, room > 0 {
            _ = listener.pipe.offer(EventFrame.heartbeat)
            listener.lastBeat = now
        }
        return true
    }

    private static func wants(_ news: ChangeFollower.News, _ listener: Listener) -> Bool {
        if let place = news.place,
            !listener.seen.isBefore(place.recorder, place.at.position, place.at.ordinal)
        {
            return false
        }
        guard let devices = listener.devices, let device = news.deviceID else { return true }
        return devices.contains(device)
    }
}

extension ResumePoint {
    /// Goes on behind a piece of news.
    fileprivate mutating func take(_ news: ChangeFollower.News) {
        if let place = news.place { places[place.recorder] = place.at }
    }
}
