public import CastModel
public import IO
public import Recording
public import Report
public import Store
public import Telemetry
public import WebCore

/// How the page and the interface are reached, and by whom.
public struct WebSettings: Sendable {
    /// Where they are reached: the page's address for people.
    public var address: SocketAddress
    /// Names besides `localhost` and numeric addresses by which it may be asked.
    public var hostNames: Set<String> = []
    /// What everybody must show; nil when only this machine may ask.
    public var token: String?
    /// Key and certificate, PEM; nil for no encryption.
    public var tls: (key: String, certificate: String)?
    /// Whether pictures that apps name are shown.
    public var showsImages = false
    /// How much is taken from whom.
    var limits = HTTPDaemon.Limits()

    /// Settings for an address.
    public init(address: SocketAddress) { self.address = address }
}

/// Where the page's answers come from.
public struct WebSources: Sendable {
    /// The database's address; nil while there is none yet.
    public var databaseAddress: @Sendable () -> String?
    /// How the recorder is, as `status --json` tells it; nil when there is none, or it is down.
    public var health: @Sendable () -> JSONValue?
    /// Whether a recorder of this id is known not to run.
    public var isDown: @Sendable (String) -> Bool = { _ in false }
    /// Names for apps whose device said none.
    public var apps: AppRegistry = .builtIn
    /// Receiver apps that may run, by name or id; empty when all may.
    public var allowedApps: [String] = []
    /// The record behind a change event, as archived, without secrets.
    public var rawRecord: @Sendable (_ recorder: String, _ position: ArchivePosition) throws -> JSONValue? = { _, _ in
        nil
    }
    /// Writes an export or a report; false from `write` means that nobody reads any more.
    public var document:
        @Sendable (_ question: Question, _ queries: LedgerQueries, _ write: @escaping ([UInt8]) -> Bool) throws -> Void =
            { _, _, _ in throw HTTPProblem(404, "There is nothing at this path.") }
    /// What the archive takes on disk, and how its last check went; nil when it is not here.
    public var storage: @Sendable () -> ArchiveStorage? = { nil }
    /// How many notices were delivered and given up; nil without a webhook.
    public var notices: @Sendable () -> (delivered: Int, givenUp: Int)? = { nil }
    /// Our version.
    public var version: String
    /// Whether a recorder runs in this program.
    public var isRecorder = false

    /// Sources, part by part.
    public init(
        databaseAddress: @escaping @Sendable () -> String?, health: @escaping @Sendable () -> JSONValue?,
        version: String
    ) {
        self.databaseAddress = databaseAddress
        self.health = health
        self.version = version
    }
}

/// The page, and the interface for programs: HTTP.
///
/// Threads: the daemon's, which never waits; three that ask the database; two that write exports; and one that looks
/// after all of them. `@unchecked Sendable`: `keeper` is touched by the thread that starts and stops this only.
public final class WebService: @unchecked Sendable {
    private let settings: WebSettings
    private let sources: WebSources
    private let log: Log
    private let rules: AccessRules
    private let files = PageFiles()
    private let workers: LedgerWorkers
    private let writers: LedgerWorkers
    private let feed: LiveFeed
    private let surroundings: LedgerAnswers.Surroundings
    private let counts = RequestCounts()
    private let daemonPlace = Guarded<HTTPDaemon?>(nil)
    private let wakeup: Mailbox<Bool>
    private let isStopping = Guarded(false)
    private var keeper: OwnedThread?

    /// How long a question may take, in the database.
    static let questionLimit = Duration.seconds(30)
    /// How long an export may take.
    static let exportLimit = Duration.seconds(3600)
    private static let workerCount = 3
    private static let writerCount = 2
    /// Questions that may wait for a worker; more are refused.
    ///
    /// As many as there may be connections, each of which asks one at a time: all of a crowd that comes at once are answered.
    private static let waitingLimit = 2_000
    private static let waitingWritersLimit = 8

    /// A service on a socket that listens already; it closes it at its end.
    public init(settings: WebSettings, sources: WebSources, log: Log) throws(IOError) {
        self.settings = settings
        self.sources = sources
        self.log = log
        rules = AccessRules(
            hostNames: settings.hostNames, token: settings.token.map { Array($0.utf8) },
            isEncrypted: settings.tls != nil)
        wakeup = try Mailbox(limit: 1)
        var surroundings = LedgerAnswers.Surroundings()
        surroundings.apps = sources.apps
        surroundings.isDown = sources.isDown
        surroundings.showsImages = settings.showsImages
        surroundings.rawRecord = sources.rawRecord
        surroundings.links = LinkFacts(sources.health)
        self.surroundings = surroundings
        let stopped = isStopping
        func connect(_ limit: Duration) -> @Sendable () throws -> PostgresConnection {
            {
                guard let address = sources.databaseAddress() else { throw StoreError.noLedger }
                let patience = PostgresPatience(connectLimit: .seconds(5), statementLimit: limit) { _, _ in
                    !stopped.withLock { $0 }
                }
                return try PostgresConnection.reading(address, patience: patience)
            }
        }
        workers = try LedgerWorkers(
            count: Self.workerCount, limit: Self.waitingLimit, connect: connect(Self.questionLimit))
        writers = try LedgerWorkers(
            count: Self.writerCount, limit: Self.waitingWritersLimit, connect: connect(Self.exportLimit))
        feed = try LiveFeed(apps: sources.apps, log: log, connect: connect(Self.questionLimit))
    }

    /// Starts to answer on a socket that listens.
    public func start(listener: Int32) throws(WebError) {
        let daemon = HTTPDaemon(listener: listener, limits: settings.limits, tls: settings.tls) {
            [weak self] exchange in
            self?.answer(exchange)
        }
        guard daemon.start() else {
            throw settings.tls == nil ? .cannotStart : .badKey
        }
        daemonPlace.withLock { $0 = daemon }
        workers.start("web-ask")
        writers.start("web-write")
        feed.start()
        let wakeup = wakeup
        keeper = OwnedThread("web-keep") {
            while wakeup.take(timeout: .seconds(1)) != nil { daemon.endSlowHeads() }
        }
    }

    /// Ends every connection and all threads; false when a thread hangs and was left behind.
    @discardableResult
    public func stop(within limit: Duration = .milliseconds(400)) -> Bool {
        let deadline = Clock.monotonicNanoseconds(after: limit)
        func left() -> Duration { .nanoseconds(max(0, deadline - Clock.monotonicNanoseconds())) }
        isStopping.withLock { $0 = true }
        wakeup.close()
        let daemon = daemonPlace.withLock { place in
            defer { place = nil }
            return place
        }
        let isFeedEnded = feed.stop(within: left())
        daemon?.stop()
        let ended = [
            isFeedEnded, workers.stop(within: left()), writers.stop(within: left()),
            keeper?.join(within: left()) ?? true,
        ]
        keeper = nil
        return !ended.contains(false)
    }

    // MARK: On the daemon's thread

    private func answer(_ exchange: Exchange) {
        do throws(HTTPProblem) {
            let request = try exchange.request.get()
            try rules.checkHost(request)
            let isPublic = Route(path: request.path)?.isPublic ?? false
            if !isPublic { try rules.checkToken(request) }
            let question = try Question(request)
            try answer(question, exchange)
        } catch { finish(exchange, nil, error.answer) }
    }

    private func answer(_ question: Question, _ exchange: Exchange) throws(HTTPProblem) {
        switch question.route {
        case .page(let name):
            guard let answer = files.answer(name, to: question.request) else {
                throw HTTPProblem(404, "The page has no file of this name.")
            }
            finish(exchange, question.route, answer)
        case .login, .logout: finish(exchange, question.route, try LoginAnswer(rules, question, exchange.body).answer())
        case .openAPI: finish(exchange, question, .json(OpenAPIDocument.json(version: sources.version)))
        case .health, .metrics, .status: post(question, exchange) { [self] in try figures(question, $0) }
        case .now, .devices, .device, .timeline, .plays, .play, .events, .event, .conflicts, .conflict, .coverage:
            post(question, exchange) { [surroundings] ledger in
                try LedgerAnswers(queries: ledger(), question: question, surroundings: surroundings).answer()
            }
        case .changes: stream(question, exchange)
        case .report, .export: write(question, exchange)
        }
    }

    private func post(
        _ question: Question, _ exchange: Exchange,
        _ make: @escaping @Sendable (_ ledger: () throws -> LedgerQueries) throws -> HTTPAnswer
    ) {
        let job = LedgerWorkers.Job { [self] ledger in
            finish(exchange, question, try make(ledger))
        } fail: { [self] error in
            finish(exchange, question.route, Self.problem(error).answer)
        }
        if !workers.post(job) { refuse(exchange, question) }
    }

    private func stream(_ question: Question, _ exchange: Exchange) {
        let stream = ChangeStream(feed: feed, question: question, apps: sources.apps, version: sources.version)
        let counts = counts
        let job = LedgerWorkers.Job { ledger in
            try stream.begin(ledger(), exchange)
            counts.add(question.route.template, 200)
        } fail: { [self] error in
            finish(exchange, question.route, Self.problem(error).answer)
        }
        if !workers.post(job) { refuse(exchange, question) }
    }

    /// A file, while it is made.
    private func write(_ question: Question, _ exchange: Exchange) {
        let document = sources.document
        let counts = counts
        let job = LedgerWorkers.Job { ledger in
            let stream = DocumentStream(question: question, exchange: exchange)
            try stream.run { write in try document(question, ledger(), write) }
            counts.add(question.route.template, 200)
        } fail: { [self] error in
            finish(exchange, question.route, Self.problem(error).answer)
        }
        if !writers.post(job) { refuse(exchange, question) }
    }

    private func refuse(_ exchange: Exchange, _ question: Question) {
        finish(
            exchange, question.route,
            HTTPProblem(503, "Too many questions wait already.", headers: [.init("Retry-After", "1")]).answer)
    }

    // MARK: On any thread

    /// An answer that may be known already, and compressed.
    private func finish(_ exchange: Exchange, _ question: Question, _ answer: HTTPAnswer) {
        finish(exchange, question.route, Coding.coded(answer, for: question.request))
    }

    private func finish(_ exchange: Exchange, _ route: Route?, _ answer: HTTPAnswer) {
        counts.add(route?.template ?? "other", answer.status)
        exchange.answer(.whole(answer))
    }

    private func figures(_ question: Question, _ ledger: () throws -> LedgerQueries) throws -> HTTPAnswer {
        let daemon = daemonPlace.withLock { $0 }
        return try withoutActuallyEscaping(ledger) { ledger in
            try WebFigures(
                sources: sources, counts: counts.all, connections: daemon?.connections ?? 0,
                observed: surroundings.observed,
                streams: feed.figures, ledger: ledger
            ).answer(question.route)
        }
    }

    /// What an error means to whoever asked.
    static func problem(_ error: any Error) -> HTTPProblem {
        switch error {
        case let problem as HTTPProblem: problem
        case let error as StoreError: problem(error)
        default: HTTPProblem(500, "\(error)")
        }
    }

    private static func problem(_ error: StoreError) -> HTTPProblem {
        switch error {
        case .unknownDevice, .ambiguousDevice: HTTPProblem(404, error.description)
        case .noLedger:
            HTTPProblem(503, "There is no ledger yet: nothing was recorded.", headers: [.init("Retry-After", "2")])
        // 57014: it took too long. 22023 and 22008: a zone or a time that PostgreSQL has not.
        case .refused(_, "57014", _): HTTPProblem(504, "The database took too long: ask for less.")
        case .refused(_, let state, let message) where state.hasPrefix("22"): HTTPProblem(400, message)
        default: HTTPProblem(503, error.description, headers: [.init("Retry-After", "2")])
        }
    }
}

/// Why the page cannot be shown.
public enum WebError: Error, Sendable, Equatable, CustomStringConvertible {
    /// libmicrohttpd did not start.
    case cannotStart
    /// It did not start with this key and certificate.
    case badKey

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .cannotStart: "the page cannot be served: no thread or no memory"
        case .badKey: "the page cannot be served: key or certificate is no PEM that GnuTLS takes, or they do not match"
        }
    }
}
