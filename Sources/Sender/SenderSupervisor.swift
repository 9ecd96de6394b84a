public import CastModel
public import IO
public import Recording
public import SenderCore
public import TLS
public import Telemetry

/// Runs one sender per device, all on one loop: roster changes in, observations out.
///
/// `@unchecked Sendable`: after `init`, everything happens on the loop's thread, which every entry checks. Other
/// threads use `loop.post`.
public final class SenderSupervisor: @unchecked Sendable {
    /// What an operator may choose.
    public struct Settings: Sendable {
        /// How to join receiver apps.
        public var attachMode: AttachMode
        /// Which devices to look at and which apps to join.
        public var filter: DeviceFilter
        /// Our version, for the user agent in CONNECT.
        public var version: String
        /// A device that mDNS found is first contacted after a random time up to this.
        ///
        /// A device that a person typed is contacted at once.
        public var firstConnectJitter: Duration
        /// Determines all jitter and all ids.
        public var seed: UInt64
        /// How many devices may be in the middle of connecting at the same time; others wait for their turn.
        public var handshakeLimit: Int
        /// Which apps need more time before we join them.
        public var apps: AppRegistry

        /// Settings; the defaults are those of PROTOCOL 7.3.
        public init(
            attachMode: AttachMode = .invisible, filter: DeviceFilter = DeviceFilter(), version: String,
            firstConnectJitter: Duration = .seconds(5), seed: UInt64, handshakeLimit: Int = 64,
            apps: AppRegistry = .builtIn
        ) {
            self.attachMode = attachMode
            self.filter = filter
            self.version = version
            self.firstConnectJitter = firstConnectJitter
            self.seed = seed
            self.handshakeLimit = max(1, handshakeLimit)
            self.apps = apps
        }
    }

    /// How many devices one supervisor takes: twice what one process is made for.
    public static let deviceLimit = 20_000

    private var settings: Settings
    private let log: Log
    private let resources: LinkResources
    private let outlet: ObservationOutlet
    /// By id; a typed device stands under its address until it has said its id.
    private var senders: [DeviceID: RecordingSender] = [:]
    /// What typed addresses turned out to be.
    private var identified: [DeviceID: DeviceInformation] = [:]
    /// What was announced and may not be recorded; at most as many as ``deviceLimit``.
    private var turnedAway: [DeviceID: DeviceAdvertisement] = [:]
    /// What the archive knows of each device.
    private var recorded: [DeviceID: DeviceAdvertisement] = [:]
    /// Those who wait to connect, from `turnHead` on.
    private var turnQueue: [RecordingSender] = []
    private var turnHead = 0
    private var lastLinkNumber: Int64 = 0
    private var ownCounters = Counters()
    private var isStopping = false

    /// Called when a device could not be reached at its addresses: whoever found it may look again.
    public var onUnreachable: (DeviceID) -> Void = { _ in }

    /// A supervisor without devices.
    ///
    /// - Parameters:
    ///   - loop: Everything happens on its thread.
    ///   - tls: From ``TLSContext/forDeviceLinks()``.
    ///   - sink: Called on the loop's thread, at most a few times per turn.
    public convenience init(
        loop: EventLoop, tls: TLSContext, sink: any RecordSink, settings: Settings, log: Log
    ) {
        self.init(loop: loop, tls: tls, sink: sink, settings: settings, log: log, clocks: ClockTimes.read)
    }

    /// A supervisor that reads other clocks than the machine's, for tests.
    init(
        loop: EventLoop, tls: TLSContext, sink: any RecordSink, settings: Settings, log: Log,
        clocks: @escaping () -> ClockTimes
    ) {
        self.settings = settings
        self.log = log
        resources = LinkResources(loop: loop, tls: tls, clocks: clocks)
        outlet = ObservationOutlet(resources, sink: sink)
        outlet.onFull = { [weak self] full in self?.sinkBecame(full: full) }
        resources.onClockFinding = { [weak self] in self?.record($0) }
    }

    // MARK: The clocks

    /// What the clocks did comes before whatever is observed next.
    private func record(_ finding: ClockWatch.Finding) {
        switch finding {
        case .jumped(let from, let to):
            log(.warning, "the wall clock was set", [.reason: "from \(from.text) to \(to.text)"])
            outlet.append(resources.observation(.gap(Gap(device: nil, from: from, to: to, reason: .clockJump))))
        case .slept(let from, let to):
            log(.notice, "the machine slept", [.reason: "from \(from.text) to \(to.text)"])
            for sender in senders.values.sorted(by: { $0.deviceID < $1.deviceID }) { sender.slept(from: from, to: to) }
        }
    }

    // MARK: The roster

    /// Takes news about which devices exist.
    public func apply(_ change: RosterChange) {
        resources.loop.checkOnLoop()
        guard !isStopping else { return }
        switch change {
        case .seen(let advertisement):
            switch advertisement.source {
            case .mdns: announced(advertisement)
            case .static: typed(advertisement)
            }
        case .withdrawn(let device):
            turnedAway[device] = nil
            // Not the truth about the device: its link decides, and attempts go on for ever (PROTOCOL 1.5).
            guard recorded.removeValue(forKey: device) != nil else { return }
            outlet.append(resources.observation(.deviceWithdrawn(device)))
        }
    }

    private func announced(_ advertisement: DeviceAdvertisement) {
        let device = advertisement.deviceID
        guard admits(advertisement) else {
            if turnedAway.count < Self.deviceLimit { turnedAway[device] = advertisement }
            // It may have been renamed to what an operator does not want watched.
            senders.removeValue(forKey: device)?.stop(because: .deviceExcluded)
            return
        }
        turnedAway[device] = nil
        // What has no room is told when there is some, as it is then.
        if outlet.hasRoom { record(seen: advertisement) }
        if let sender = senders[device] {
            let typed = sender.advertisement
            sender.update(advertisement)
            if typed.source == .static { sender.add(addressesOf: typed) }
        } else if !advertisement.addresses.isEmpty {
            add(advertisement, jitter: settings.firstConnectJitter)
        }
    }

    private func typed(_ advertisement: DeviceAdvertisement) {
        let place = advertisement.deviceID
        let known = identified[place]
        let device = known?.deviceID ?? place
        let name = known?.name ?? advertisement.name
        guard !settings.filter.deniesDevice(device, name: name, model: known?.model) else { return }
        guard let sender = senders[device] else { return add(advertisement, jitter: .zero) }
        switch sender.advertisement.source {
        case .mdns: sender.add(addressesOf: advertisement)
        case .static:
            var newer = sender.advertisement
            newer.addresses = advertisement.addresses
            newer.port = advertisement.port
            sender.update(newer)
        }
    }

    private func add(_ advertisement: DeviceAdvertisement, jitter: Duration) {
        guard senders.count < Self.deviceLimit else {
            ownCounters.devicesRefused += 1
            if ownCounters.devicesRefused == 1 {
                log(.error, "too many devices for one recorder", [.limit: "\(Self.deviceLimit)"])
            }
            return
        }
        let device = advertisement.deviceID
        let policy = SenderMachine.Policy(
            attachMode: settings.attachMode, filter: settings.filter, firstConnectJitter: jitter,
            userAgent: "CastLedger/\(settings.version)", apps: settings.apps)
        // FNV-1a over the id: one seed gives every device a jitter of its own.
        let seed = device.text.utf8.reduce(settings.seed ^ 0xCBF2_9CE4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        let sender = RecordingSender(
            of: advertisement, policy: policy, seed: seed, resources, outlet: outlet, owner: self, log: log)
        senders[device] = sender
        sender.start()
    }

    // MARK: Other rules

    /// Part of ``apply(filter:apps:)``.
    func change(filter: DeviceFilter, apps: AppRegistry) {
        resources.loop.checkOnLoop()
        settings.filter = filter
        settings.apps = apps
    }

    /// All senders, by id.
    var allSenders: [RecordingSender] { senders.sorted { $0.key < $1.key }.map(\.value) }
    /// What was announced and not admitted, by id.
    var allTurnedAway: [DeviceAdvertisement] { turnedAway.sorted { $0.key < $1.key }.map(\.value) }

    /// Ends a sender whose device may not be recorded any more.
    func turnAway(_ sender: RecordingSender) {
        senders[sender.deviceID] = nil
        if sender.advertisement.source == .mdns, turnedAway.count < Self.deviceLimit {
            turnedAway[sender.deviceID] = sender.advertisement
        }
        sender.stop(because: .deviceExcluded)
    }

    /// Whether rules admit a device: one that a person typed, also if mDNS tells of it, is judged by those that deny alone.
    func admits(_ said: DeviceAdvertisement) -> Bool {
        let filter = settings.filter
        if filter.admitsDevice(said.deviceID, name: said.name, model: said.model) { return true }
        return (said.source == .static || isTyped(said.deviceID))
            && !filter.deniesDevice(said.deviceID, name: said.name, model: said.model)
    }

    /// Whether a device has said that it is the one at a typed address.
    private func isTyped(_ device: DeviceID) -> Bool { identified.values.contains { $0.deviceID == device } }

    /// Part of ``forget(typed:)``.
    func forgetPlace(_ place: DeviceID) {
        resources.loop.checkOnLoop()
        let device = identified.removeValue(forKey: place)?.deviceID ?? place
        guard let sender = senders[device], !isTyped(device) else { return }
        switch sender.advertisement.source {
        case .static: turnAway(sender)
        case .mdns: if !admits(sender.advertisement) { turnAway(sender) }
        }
    }

    // MARK: The end

    /// Leaves every app that never knew of us, closes every link, and takes no more devices.
    ///
    /// - Parameter whenDrained: Called on the loop once the sink has taken everything that was observed; perhaps
    ///   within this call.
    public func stop(whenDrained: @escaping () -> Void = {}) {
        resources.loop.checkOnLoop()
        isStopping = true
        for (_, sender) in senders.sorted(by: { $0.key < $1.key }) { sender.stop(because: .recorderStopping) }
        senders = [:]
        turnQueue = []
        turnHead = 0
        outlet.flush()
        waitForSink(whenDrained)
    }

    /// What was observed and the sink has not taken.
    public var waitingObservations: Int {
        resources.loop.checkOnLoop()
        return outlet.waitingCount
    }

    private func waitForSink(_ whenDrained: @escaping () -> Void) {
        guard !outlet.isDrained else { return whenDrained() }
        resources.loop.schedule(after: ObservationOutlet.retryInterval) { self.waitForSink(whenDrained) }
    }

    private func sinkBecame(full: Bool) {
        if full && outlet.timesFull == 1 {
            log(.warning, "the archive is busy; links wait until it takes more")
        }
        for sender in senders.values { sender.setReading(!full) }
        guard !full, !isStopping else { return }
        for sender in allSenders where sender.advertisement.source == .mdns { record(seen: sender.advertisement) }
        nextTurns()
    }

    // MARK: What there is to see

    /// All devices as they are now, by name, those without a name last.
    public var summaries: [LinkSummary] {
        resources.loop.checkOnLoop()
        return senders.values.map(\.summary).sorted {
            ($0.name == nil ? 1 : 0, $0.name ?? "", $0.deviceID) < ($1.name == nil ? 1 : 0, $1.name ?? "", $1.deviceID)
        }
    }

    /// How many devices there are, and how many of them are linked.
    public var tally: (known: Int, linked: Int) {
        resources.loop.checkOnLoop()
        return (senders.count, senders.values.count { $0.isUp })
    }

    /// The counters as they are now.
    public var counters: Counters {
        resources.loop.checkOnLoop()
        var counters = ownCounters
        counters.linksOpened = lastLinkNumber
        counters.timesPaused = outlet.timesFull
        counters.framesLost = outlet.framesLost
        counters.frames = outlet.framesTaken
        counters.framesReceived = outlet.framesReceived
        counters.framesMalformed = outlet.framesMalformed
        counters.waitingBytes = outlet.waitingBytes
        return counters
    }
}

extension SenderSupervisor: RecordingSenderOwner {
    func wantsToConnect(_ sender: RecordingSender) {
        sender.waitsForTurn = true
        turnQueue.append(sender)
        nextTurns()
    }

    func wasUnreachable(_ sender: RecordingSender) {
        ownCounters.linksFailed += 1
        onUnreachable(sender.deviceID)
    }

    func wasSent(_ kind: PermittedMessage.Kind) { ownCounters.framesSent[kind, default: 0] += 1 }

    func attemptEnded(_ sender: RecordingSender) {
        ownCounters.attemptsInFlight -= 1
        nextTurns()
    }

    private func nextTurns() {
        // A link that cannot be recorded is not opened: that there is none is told already.
        while outlet.hasRoom, ownCounters.attemptsInFlight < settings.handshakeLimit, turnHead < turnQueue.count {
            let sender = turnQueue[turnHead]
            turnHead += 1
            if turnHead == turnQueue.count || turnHead == 1_024 {
                turnQueue.removeFirst(turnHead)
                turnHead = 0
            }
            guard sender.waitsForTurn else { continue }
            ownCounters.attemptsInFlight += 1
            sender.connect()  // May come back here, when there is no address to connect to.
        }
    }

    func takeLinkNumber() -> LinkNumber {
        lastLinkNumber += 1
        return LinkNumber(lastLinkNumber)
    }

    func record(seen advertisement: DeviceAdvertisement) {
        let device = advertisement.deviceID
        // What mDNS says is more than what a typed device says of itself.
        if advertisement.source == .static, recorded[device]?.source == .mdns { return }
        guard recorded[device] != advertisement else { return }
        recorded[device] = advertisement
        outlet.append(resources.observation(.deviceSeen(advertisement)))
    }

    func identified(_ sender: RecordingSender, as information: DeviceInformation) {
        let before = sender.deviceID
        let device = information.deviceID
        identified[sender.place] = information
        guard !settings.filter.deniesDevice(device, name: information.name, model: information.model) else {
            senders[before] = nil
            log(.notice, "a typed device is one that may not be recorded", [.address: sender.place.text])
            sender.dropHeld()
            return sender.stop(because: .deviceExcluded)
        }
        sender.adopt(information)
        guard before != device else { return }
        senders[before] = nil
        if let other = senders[device], other !== sender {
            if other.isUp {
                other.add(addressesOf: sender.advertisement)
                return sender.stop(because: .duplicate)
            }
            // The typed address works and the other does not, so far: the sender that has a link stays.
            other.stop(because: .duplicate)
            let typed = sender.advertisement
            sender.update(other.advertisement)
            sender.add(addressesOf: typed)
        }
        senders[device] = sender
    }
}
