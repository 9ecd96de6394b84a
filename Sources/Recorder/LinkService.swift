import CastModel
import Discovery
import IO
import Recording
import Sender
import TLS
import Telemetry

/// Discovery and the links: from news about devices to observations in the sink.
final class LinkService {
    private let loop: EventLoop
    private let supervisor: SenderSupervisor
    private let browser: ServiceBrowser?
    private let typed: StaticDevices
    private var thread: OwnedThread?
    /// Closed when the loop has ended.
    private let ended: Mailbox<Bool>
    /// For whoever wants to know how the links are.
    let questions: LinkQuestions

    init(configuration: Configuration, sink: any RecordSink, log: Log) throws {
        let loop = try EventLoop()
        ended = try Mailbox(limit: 1)
        let settings = SenderSupervisor.Settings(
            attachMode: configuration.attachMode, filter: configuration.filter, version: configuration.version,
            firstConnectJitter: configuration.firstConnectJitter, seed: UInt64.random(in: .min ... .max),
            apps: configuration.apps)
        let supervisor = SenderSupervisor(
            loop: loop, tls: try TLSContext.forDeviceLinks(), sink: sink, settings: settings, log: log)
        let news: @Sendable (RosterChange) -> Void = { change in loop.post { supervisor.apply(change) } }
        self.loop = loop
        self.supervisor = supervisor
        browser = configuration.discovers ? ServiceBrowser(log: log, onChange: news) : nil
        // mDNS tells of a new address by itself only when the TXT record changes with it (a group's leader moves).
        let browser = browser
        questions = try LinkQuestions(loop, supervisor, browser)
        supervisor.onUnreachable = { device in browser?.refresh(device) }
        typed = try StaticDevices(configuration.devices, log: log, onChange: news)
    }

    func start() {
        let loop = loop
        let ended = ended
        thread = OwnedThread("cast-loop") {
            loop.run()
            ended.close()
        }
        typed.start()
        browser?.start()
    }

    /// Other devices and rules hold from now on; links that need no change stay as they are.
    func apply(_ change: ConfigurationChange) {
        let supervisor = supervisor
        let (filter, apps) = (change.settled.filter, change.settled.apps)
        let removed = change.devicesRemoved.map { DeviceID.unidentified(host: $0.host, port: $0.port) }
        let hasRules = !Set(change.changed).isDisjoint(with: ["allow and deny", "apps"])
        let loop = loop
        typed.change(to: change.settled.devices, tellingAgain: hasRules) {
            loop.post {
                for place in removed { supervisor.forget(typed: place) }
                if hasRules { supervisor.apply(filter: filter, apps: apps) }
            }
        }
    }

    /// How an end went.
    struct Farewell {
        /// Observations that the sink did not take in time: the disk does not keep up.
        var lostObservations = 0
        /// Whether a thread hangs in a call that nobody answers, and was left behind.
        var leftThreads = false
    }

    /// Leaves every device in good order, ends discovery, and waits until the sink has everything, but not for ever.
    func stop(within limit: Duration) -> Farewell {
        let deadline = Clock.monotonicNanoseconds(after: limit)
        func left() -> Duration { .nanoseconds(max(0, deadline - Clock.monotonicNanoseconds())) }
        let loop = loop
        let supervisor = supervisor
        loop.post { supervisor.stop { loop.stop() } }
        // In a call to a daemon that hangs, or to a name server: nothing of theirs is needed any more.
        let isFound = browser?.stop(within: left()) ?? true
        let isLookedUp = typed.stop(within: left())
        let lost = Guarded(0)
        if ended.take(timeout: left()) != nil {
            loop.post {
                let waiting = supervisor.waitingObservations
                lost.withLock { $0 = waiting }
                loop.stop()
            }
        }
        let isJoined = thread?.join(within: .milliseconds(300)) ?? true
        thread = nil
        return Farewell(
            lostObservations: lost.withLock { $0 }, leftThreads: !isFound || !isLookedUp || !isJoined)
    }

    /// Adds what is known of links and discovery: as of the last call, since the loop answers in its own time.
    func fill(_ snapshot: inout RecorderSnapshot) {
        let answer = questions.latestAnswer()
        snapshot.links = answer.links
        snapshot.framesLost = answer.counters.framesLost
        snapshot.discoveryTrouble = questions.discoveryTrouble
    }
}
