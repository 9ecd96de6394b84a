import IO
public import Telemetry

/// Announces Cast services over mDNS through the Avahi daemon, on a thread of its own.
///
/// Whatever is to be announced is announced again after the daemon has restarted. All methods may be called from any
/// thread and return at once, except ``stop()``.
public final class ServicePublisher: Sendable {
    /// How far the announcing has come.
    public struct Progress: Sendable, Equatable {
        /// Services that ought to be announced.
        public var wanted: Int
        /// Services whose names all neighbors have accepted.
        public var established: Int
        /// Services that cannot be announced: their name is taken, or the daemon has no room.
        public var refused: Int
    }

    private struct Shared {
        var plan = PublishPlan()
        var isStopping = false
    }

    private let shared = Guarded(Shared())
    private let loop = AvahiLoop()
    private let thread = Guarded<OwnedThread?>(nil)
    private let log: Log
    private let onProgress: @Sendable (Progress) -> Void

    /// Starts the thread `avahi-publish`.
    ///
    /// - Parameter onProgress: Called on that thread whenever the numbers change.
    public init(log: Log, onProgress: @escaping @Sendable (Progress) -> Void = { _ in }) {
        self.log = log
        self.onProgress = onProgress
        thread.withLock { thread in thread = OwnedThread("avahi-publish") { self.run() } }
    }

    /// Announces services, at most 100 at a time.
    ///
    /// One whose instance name is announced already is changed instead.
    public func publish(_ services: [PublishedService]) {
        change { plan in for service in services { plan.want(service) } }
    }

    /// Changes what a service says, such as its friendly name.
    ///
    /// Another TXT record is announced at once; another port or app id withdraws the service first.
    public func update(_ service: PublishedService) { publish([service]) }

    /// Takes a service back: the neighbors hear a goodbye.
    public func withdraw(instance: String) { change { $0.unwant(instance: instance) } }

    /// How far the announcing has come.
    public var progress: Progress { shared.withLock { Self.progress($0.plan) } }

    /// Takes all services back and ends the thread.
    public func stop() {
        shared.withLock { $0.isStopping = true }
        loop.wake()
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    private func change(_ body: (inout PublishPlan) -> Void) {
        shared.withLock { body(&$0.plan) }
        loop.wake()
    }

    private static func progress(_ plan: PublishPlan) -> Progress {
        Progress(wanted: plan.wantedCount, established: plan.establishedCount, refused: plan.refusedCount)
    }

    // MARK: On the thread

    private func run() {
        let keeper = ClientKeeper(loop: loop, log: log)
        var told = progress
        while !shared.withLock({ $0.isStopping }) {
            for news in keeper.turn(timeoutNanoseconds: 60_000_000_000) { note(news) }
            if keeper.isRunning, let mdns = keeper.mdns {
                for action in shared.withLock({ $0.plan.next() }) { perform(action, mdns) }
            }
            let now = progress
            if now != told { onProgress(now) }
            told = now
        }
        keeper.close()
    }

    private func note(_ news: MDNSNews) {
        switch news {
        case .published(let instance):
            shared.withLock { $0.plan.published(instance: instance) }
        case .publishCollision(let instance):
            refuse(instance, "the name is taken")
        case .publishFailed(let instance, let reason):
            refuse(instance, reason)
        case .clientLost, .hostNameUnsettled:
            shared.withLock { $0.plan.startOver() }
        default:
            break
        }
    }

    private func perform(_ action: PublishPlan.Action, _ mdns: MDNSClient) {
        switch action {
        case .add(let service):
            do { try mdns.publish(service) } catch { refuse(service.instance, error.description) }
        case .updateText(let service):
            do { try mdns.updateText(service) } catch { refuse(service.instance, error.description) }
        case .withdraw(let instance):
            mdns.withdraw(instance: instance)
        }
    }

    /// Says so once for the first, then counts: a full daemon refuses all that follow.
    private func refuse(_ instance: String, _ reason: String) {
        let isFirst = shared.withLock { shared in
            shared.plan.refused(instance: instance)
            return shared.plan.refusedCount == 1
        }
        guard isFirst else { return }
        log(
            .warning,
            "a service cannot be announced; see objects-per-client-max in avahi-daemon.conf for more than 1,000",
            [.deviceName: instance, .reason: reason])
    }
}
