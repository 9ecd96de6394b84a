public import CastModel
import Differ
public import IO
import Recording
import Store
public import Telemetry
import WebClient
public import WebCore

/// Where notices go, and which.
public struct WebhookSettings: Sendable {
    /// http or https.
    public var url: String
    /// What requests are signed with; nil for no signature.
    public var secret: [UInt8]?
    /// Which notices; empty for all.
    public var kinds: Set<Notice.Kind>
    /// Receiver apps that may run, by name or id; empty when all may.
    public var allowedApps: [String]
    /// Where it is kept how far everything is told.
    public var cursorPath: String

    /// Settings, part by part.
    public init(url: String, secret: [UInt8]?, kinds: Set<Notice.Kind>, allowedApps: [String], cursorPath: String) {
        self.url = url
        self.secret = secret
        self.kinds = kinds
        self.allowedApps = allowedApps
        self.cursorPath = cursorPath
    }
}

/// Sends notices to a webhook, each at least once, in order.
///
/// One thread. How far everything was told is kept in a file: what happens while the program does not run, or while the other
/// end does not answer, is told later. What cannot be delivered for a day is dropped, and said in the log.
public final class WebhookService: Sendable {
    /// A notice that is not taken for so long is given up.
    static let giveUpLimit = Duration.seconds(86_400)
    /// Between two attempts, at most.
    static let pauseLimit = Duration.seconds(60)
    private static let firstPause = Duration.milliseconds(500)
    private static let lookLimit = Duration.seconds(1)

    private let settings: WebhookSettings
    private let apps: AppRegistry
    private let health: @Sendable () -> JSONValue?
    private let databaseAddress: @Sendable () -> String?
    private let post: @Sendable (_ body: [UInt8], _ headers: [(name: String, value: String)]) -> Int
    private let log: Log
    private let wakeup: Mailbox<Bool>
    private let isStopping = Guarded(false)
    private let thread = Guarded<OwnedThread?>(nil)
    private let sent = Guarded((delivered: 0, givenUp: 0))
    /// What happened before is told to nobody who was not asked for then.
    private let madeAt = WallTime(microseconds: Clock.wallMicroseconds())

    /// A service that does not run yet.
    ///
    /// - Parameter post: Sends, and returns the status code, 0 when nothing was answered; nil for libcurl.
    public init(
        settings: WebhookSettings, apps: AppRegistry, databaseAddress: @escaping @Sendable () -> String?,
        health: @escaping @Sendable () -> JSONValue?, log: Log,
        post: (@Sendable (_ body: [UInt8], _ headers: [(name: String, value: String)]) -> Int)? = nil
    ) throws(IOError) {
        self.settings = settings
        self.apps = apps
        self.databaseAddress = databaseAddress
        self.health = health
        self.log = log
        let url = settings.url
        self.post = post ?? { body, headers in WebClient.post(url, headers: headers, body: body).status }
        wakeup = try Mailbox(limit: 1)
    }

    /// Starts the thread `webhook`.
    public func start() {
        let made = OwnedThread("webhook") { self.run() }
        thread.withLock { $0 = made }
    }

    /// Ends it; false when it waits for the other end and was left behind.
    @discardableResult
    public func stop(within limit: Duration = .milliseconds(300)) -> Bool {
        isStopping.withLock { $0 = true }
        wakeup.close()
        return thread.withLock { $0?.join(within: limit) } ?? true
    }

    /// How many notices were taken, and how many were given up.
    public var figures: (delivered: Int, givenUp: Int) { sent.withLock { $0 } }

    private var stops: Bool { isStopping.withLock { $0 } }

    // MARK: On the thread

    private func run() {
        var hasComplained = false
        while !stops {
            do { try follow { hasComplained = false } } catch {
                if !hasComplained, !stops {
                    log(.warning, "notices wait for the database", [.error: "\(error)"])
                }
                hasComplained = true
            }
            pause(.seconds(2))
        }
    }

    private func follow(_ connected: () -> Void) throws {
        guard let address = databaseAddress() else { return }
        let stopping = isStopping
        let patience = PostgresPatience(connectLimit: .seconds(5), statementLimit: .seconds(30)) { _, _ in
            !stopping.withLock { $0 }
        }
        let queries = try LedgerQueries(connection: PostgresConnection.reading(address, patience: patience))
        try queries.listenForChanges()
        connected()
        var follower = try restored(queries)
        let reading = NoticeReading(
            kinds: settings.kinds, allowedApps: Set(settings.allowedApps.map { $0.lowercased() }), apps: apps)
        var troubles: [String: String] = [:]
        var told: Set<String> = []
        while !stops {
            let turn = try follower.turn(queries)
            for news in turn.news {
                for notice in reading.notices(news) where isNew(notice, &told) && !deliver(notice) { return }
            }
            // Only what is delivered is behind us.
            if !turn.news.isEmpty { keep(follower) }
            tellTroubles(&troubles)
            if !turn.hasMore { _ = try queries.awaitChange(within: Self.lookLimit) }
        }
    }

    /// A conflict goes on under the same name, and is told once.
    private func isNew(_ notice: Notice, _ told: inout Set<String>) -> Bool {
        guard notice.kind == .conflict else { return true }
        if told.count > 10_000 { told.removeAll() }
        return told.insert(notice.id).inserted
    }

    private func tellTroubles(_ known: inout [String: String]) {
        guard settings.kinds.isEmpty || settings.kinds.contains(.archiveTrouble) else { return }
        let now = NoticeReading.archiveTroubles(health())
        for (kind, sentence) in now.sorted(by: { $0.key < $1.key }) where known[kind] == nil {
            let at = WallTime(microseconds: Clock.wallMicroseconds()).text
            let notice = Notice(
                .archiveTrouble, id: "\(kind)/\(at)", at: at, deviceID: nil, deviceName: nil, sentence: sentence,
                data: ["kind": .string(kind)])
            guard deliver(notice) else { return }
        }
        known = now
    }

    /// Sends until it is taken; false when the program ends before.
    private func deliver(_ notice: Notice) -> Bool {
        let body = notice.json.utf8
        let deadline = Clock.monotonicNanoseconds(after: Self.giveUpLimit)
        var wait = Self.firstPause
        var attempt = 1
        while !stops {
            let seconds = Clock.wallMicroseconds() / 1_000_000
            var headers = [
                (name: "Content-Type", value: "application/json"), (name: "Castledger-Event-Id", value: notice.id),
                (name: "Castledger-Event-Kind", value: notice.kind.rawValue),
            ]
            if let secret = settings.secret {
                headers.append(
                    ("Castledger-Signature", Signature.header(body, secret: secret, seconds: seconds)))
            }
            let status = post(body, headers)
            if (200..<300).contains(status) {
                sent.withLock { $0.delivered += 1 }
                if attempt > 1 { log(.notice, "the webhook takes notices again", [.attempt: "\(attempt)"]) }
                return true
            }
            if attempt == 1 {
                log(.warning, "the webhook does not take a notice; it is sent again", [.reason: "status \(status)"])
            }
            // 410: nobody wants it any more.
            if status == 410 || Clock.monotonicNanoseconds() > deadline {
                sent.withLock { $0.givenUp += 1 }
                log(.error, "a notice was given up", [.reason: "status \(status)", .eventKind: notice.kind.rawValue])
                return true
            }
            pause(wait)
            wait = min(wait * 2, Self.pauseLimit)
            attempt += 1
        }
        return false
    }

    private func pause(_ time: Duration) {
        let until = Clock.monotonicNanoseconds(after: time)
        while !stops, Clock.monotonicNanoseconds() < until {
            _ = wakeup.take(timeout: .nanoseconds(max(1, until - Clock.monotonicNanoseconds())))
        }
    }

    private func restored(_ queries: LedgerQueries) throws -> ChangeFollower {
        if let bytes = try? Files.read(settings.cursorPath, limitBytes: 16 << 20),
            let state = try? JSONParser().parse(bytes), let follower = ChangeFollower(apps: apps, restoring: state)
        {
            return follower
        }
        var follower = ChangeFollower(apps: apps)
        try follower.begin(queries, since: madeAt)
        keep(follower)
        return follower
    }

    private func keep(_ follower: ChangeFollower) {
        do throws(IOError) {
            try Files.replace(settings.cursorPath, with: follower.stateJSON.utf8 + [0x0A])
        } catch {
            log(.warning, "it cannot be kept which notices were sent; some may come twice", [.error: "\(error)"])
        }
    }
}
