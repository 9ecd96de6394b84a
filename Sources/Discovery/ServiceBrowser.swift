public import CastModel
import IO
public import Telemetry

/// Finds Cast devices over mDNS through the Avahi daemon, on a thread of its own.
///
/// An instance that appears is resolved once. Its TXT record is then watched, since Avahi tells a renamed device to open
/// watches only; its address is asked for again every ten minutes, and whenever ``refresh(_:)`` says that the device
/// cannot be reached. Absence is reported but proves nothing: goodbyes get lost, and devices stop announcing
/// themselves while they go on working (PROTOCOL 1.5).
public final class ServiceBrowser: Sendable {
    /// What the browser knows now.
    public struct Counts: Sendable, Equatable {
        /// Whether the Avahi daemon answers.
        public var isDaemonRunning = false
        /// Why the daemon does not answer, in the words of libavahi; nil while it does or before it was tried.
        public var daemonReason: String?
        /// Attempts to reach the daemon that have failed since it last answered.
        public var failedAttempts = 0
        /// Such as "avahi 0.8".
        public var daemonVersion: String?
        /// Instances announced, one per device, network interface and address family.
        public var instances = 0
        /// Devices and groups.
        public var devices = 0
        /// Instances that are no device, by reason.
        public var refusals: [AdvertisementRefusal: Int] = [:]
        /// Instances without room in the table.
        public var overLimit = 0
        /// Questions for an address that nobody answered.
        public var unanswered = 0
        /// Objects that the daemon refused to make, mostly for want of room.
        public var daemonRefusals = 0
    }

    private struct Shared {
        var counts = Counts()
        var refreshes: Set<DeviceID> = []
        var isStopping = false
    }

    private let shared = Guarded(Shared())
    private let loop = AvahiLoop()
    private let thread = Guarded<OwnedThread?>(nil)
    private let log: Log
    private let addressRefresh: Duration
    private let onChange: @Sendable (RosterChange) -> Void

    /// A browser that has not been started.
    ///
    /// - Parameters:
    ///   - addressRefresh: How long a resolved address is believed.
    ///   - onChange: Called on the browser's thread.
    public init(
        log: Log, addressRefresh: Duration = .seconds(600), onChange: @escaping @Sendable (RosterChange) -> Void
    ) {
        self.log = log
        self.addressRefresh = addressRefresh
        self.onChange = onChange
    }

    /// Starts the thread `avahi`.
    ///
    /// Starting twice is nothing.
    public func start() {
        thread.withLock { thread in
            guard thread == nil else { return }
            shared.withLock { $0.isStopping = false }
            thread = OwnedThread("avahi") { self.run() }
        }
    }

    /// Ends the thread and waits for that; no change is reported afterwards.
    public func stop() { _ = stop(within: .seconds(3600)) }

    /// The same, but waits no longer than this; false when the thread was left behind, in a call that the Avahi daemon
    /// does not answer.
    public func stop(within limit: Duration) -> Bool {
        shared.withLock { $0.isStopping = true }
        loop.wake()
        return thread.withLock { thread in
            defer { thread = nil }
            return thread?.join(within: limit) ?? true
        }
    }

    /// Asks for the address of a device again, since it could not be reached.
    public func refresh(_ device: DeviceID) {
        shared.withLock { shared in
            // One wish per device; a fleet beyond this waits for the ten minutes.
            if shared.refreshes.count < 4096 { shared.refreshes.insert(device) }
        }
        loop.wake()
    }

    /// What the browser knows now.
    public var counts: Counts { shared.withLock { $0.counts } }

    private func run() {
        var search = ServiceSearch(
            keeper: ClientKeeper(loop: loop, log: log), log: log,
            refreshNanoseconds: addressRefresh.wholeNanoseconds)
        while !shared.withLock({ $0.isStopping }) {
            let wishes = shared.withLock { shared in
                defer { shared.refreshes = [] }
                return shared.refreshes
            }
            let changes = search.turn(refreshing: wishes)
            let counts = search.counts
            shared.withLock { $0.counts = counts }
            for change in changes { onChange(change) }
        }
        search.close()
        shared.withLock { $0.counts.isDaemonRunning = false }
    }
}
