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
    private let latest = Latest()
    private var thread: OwnedThread?

    /// What the loop last told of itself.
    private final class Latest: Sendable {
        let links = Guarded<[LinkSummary]>([])
        let framesLost = Guarded(0)
    }

    init(configuration: Configuration, sink: any RecordSink, log: Log) throws {
        let loop = try EventLoop()
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
        supervisor.onUnreachable = { device in browser?.refresh(device) }
        typed = try StaticDevices(configuration.devices, log: log, onChange: news)
    }

    func start() {
        let loop = loop
        thread = OwnedThread("cast-loop") { loop.run() }
        typed.start()
        browser?.start()
    }

    /// Ends discovery, leaves every device in good order, and waits until the sink has everything.
    func stop() {
        browser?.stop()
        typed.stop()
        let loop = loop
        let supervisor = supervisor
        loop.post { supervisor.stop { loop.stop() } }
        thread?.join()
        thread = nil
    }

    /// Adds what is known of links and discovery: as of the last call, since the loop answers in its own time.
    func fill(_ snapshot: inout RecorderSnapshot) {
        let latest = latest
        let supervisor = supervisor
        loop.post {
            let summaries = supervisor.summaries
            let lost = supervisor.counters.framesLost
            latest.links.withLock { $0 = summaries }
            latest.framesLost.withLock { $0 = lost }
        }
        snapshot.links = latest.links.withLock { $0 }
        snapshot.framesLost = latest.framesLost.withLock { $0 }
        guard let browser else { return }
        let counts = browser.counts
        snapshot.discoveryTrouble = counts.isDaemonRunning ? nil : counts.daemonReason
    }
}
