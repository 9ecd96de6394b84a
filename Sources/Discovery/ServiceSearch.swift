import CastModel
import IO
import Telemetry

/// The browser's work on its thread: performs what ``InstanceTable`` and ``ResolveSchedule`` decide.
struct ServiceSearch {
    /// How many TXT records are watched: together with the open questions less than the 1,024 objects per client that a
    /// daemon allows by default.
    static let watchLimit = 900
    /// How long after a daemon's return its silence about an instance is believed, in nanoseconds.
    static let confirmationNanoseconds: Int64 = 60_000_000_000

    private let keeper: ClientKeeper
    private let log: Log
    private var table = InstanceTable()
    private var schedule: ResolveSchedule
    /// The instance whose TXT record is watched, by instance name: a device that shows up on several interfaces and over
    /// IPv4 and IPv6 says the same everywhere.
    private var watched: [String: ServiceInstance] = [:]
    private var isBrowsing = false
    private var forgetAt: Int64?
    private var unansweredCount = 0
    private var daemonRefusalCount = 0
    private var saidWatchLimit = false
    private var saidTableLimit = false
    private var saidDaemonRefusal = false
    private var saidRefusals: Set<AdvertisementRefusal> = []

    init(keeper: ClientKeeper, log: Log, refreshNanoseconds: Int64) {
        self.keeper = keeper
        self.log = log
        schedule = ResolveSchedule(refreshNanoseconds: refreshNanoseconds)
    }

    var counts: ServiceBrowser.Counts {
        ServiceBrowser.Counts(
            isDaemonRunning: keeper.isRunning, daemonReason: keeper.reason, failedAttempts: keeper.failures,
            daemonVersion: keeper.isRunning ? keeper.mdns?.daemonVersion : nil,
            instances: table.instanceCount, devices: table.deviceCount, refusals: table.refusals,
            overLimit: table.overLimitCount, unanswered: unansweredCount, daemonRefusals: daemonRefusalCount)
    }

    /// Waits until something is to be done, does it, and says what is new.
    mutating func turn(refreshing wishes: Set<DeviceID>) -> [RosterChange] {
        let now = Clock.monotonicNanoseconds()
        for device in wishes {
            for instance in table.instances(of: device) { schedule.want(instance, now: now) }
        }
        openQuestions(now)
        let quiet = min(
            60_000_000_000, schedule.quietNanoseconds(now: now), forgetAt.map { max(0, $0 - now) } ?? .max)
        var changes: [RosterChange] = []
        for news in keeper.turn(timeoutNanoseconds: keeper.isRunning ? quiet : 60_000_000_000) {
            changes += take(news)
        }
        if let forgetAt, keeper.isRunning, Clock.monotonicNanoseconds() >= forgetAt {
            self.forgetAt = nil
            let (gone, withdrawals) = table.forgetUnconfirmed()
            for instance in gone { leave(instance) }
            changes += withdrawals
        }
        sayLimits()
        return changes
    }

    func close() { keeper.close() }

    private mutating func take(_ news: MDNSNews) -> [RosterChange] {
        let now = Clock.monotonicNanoseconds()
        switch news {
        case .running:
            browse()
            return []
        case .clientLost:
            isBrowsing = false
            watched = [:]
            schedule.forgetAll()
            table.daemonLost()
            forgetAt = nil
            return []
        case .browseFailed(let reason):
            log(.warning, "Avahi stopped browsing; devices that appear from now on are not found", [.reason: reason])
            return []
        case .appeared(let instance):
            if table.appeared(instance) { schedule.want(instance, now: now) }
            return []
        case .disappeared(let instance):
            leave(instance)
            return table.disappeared(instance)
        case .resolved(let instance, let resolution):
            keeper.mdns?.stopResolving(instance)
            schedule.answered(instance, now: now)
            watch(instance)
            return table.resolved(instance, resolution)
        case .resolveFailed(let instance, let reason):
            keeper.mdns?.stopResolving(instance)
            unansweredCount += 1
            // Logged once per instance and row of failures: the rest is counted.
            if schedule.failed(instance, now: now) == 2 {
                log(
                    .info, "an announced device does not tell its address",
                    [.deviceName: instance.name, .reason: reason])
            }
            return []
        case .text(let instance, let txt):
            return table.said(instance, txt)
        case .textExpired(let instance):
            if table.contains(instance) { schedule.want(instance, now: now) }
            return []
        case .waitingForDaemon, .hostNameUnsettled, .firstRoundComplete, .published, .publishCollision,
            .publishFailed:
            return []
        }
    }

    private mutating func browse() {
        guard !isBrowsing, let mdns = keeper.mdns else { return }
        do {
            try mdns.browse(DeviceAdvertisement.serviceType)
            isBrowsing = true
            forgetAt = Clock.monotonicNanoseconds() + Self.confirmationNanoseconds
        } catch {
            log(.error, "Avahi refuses to browse: no devices are found", [.reason: error.description])
        }
    }

    private mutating func openQuestions(_ now: Int64) {
        guard keeper.isRunning, let mdns = keeper.mdns else { return }
        for question in schedule.open(now: now) {
            do {
                try mdns.resolve(question.instance, anyFamily: question.anyFamily)
            } catch {
                daemonRefusalCount += 1
                schedule.failed(question.instance, now: now)
            }
        }
    }

    private mutating func watch(_ instance: ServiceInstance) {
        guard table.contains(instance), watched[instance.name] == nil, watched.count < Self.watchLimit,
            let mdns = keeper.mdns
        else { return }
        do {
            try mdns.watchText(instance)
            watched[instance.name] = instance
        } catch {
            daemonRefusalCount += 1
        }
    }

    private mutating func leave(_ instance: ServiceInstance) {
        schedule.forget(instance)
        keeper.mdns?.stopResolving(instance)
        guard watched[instance.name] == instance else { return }
        keeper.mdns?.stopWatchingText(instance)
        watched[instance.name] = nil
        // Another one takes over once it has answered.
        let now = Clock.monotonicNanoseconds()
        for sibling in table.siblings(of: instance) { schedule.want(sibling, now: now) }
    }

    /// Says once that a limit was reached; the counts go on.
    private mutating func sayLimits() {
        if watched.count >= Self.watchLimit && !saidWatchLimit {
            saidWatchLimit = true
            log(
                .warning,
                "more devices than are watched: new names of the others are seen when their addresses are asked for again",
                [.limit: "\(Self.watchLimit)"])
        }
        if table.overLimitCount > 0 && !saidTableLimit {
            saidTableLimit = true
            log(.warning, "more instances than are kept", [.limit: "\(InstanceTable.instanceLimit)"])
        }
        if daemonRefusalCount > 0 && !saidDaemonRefusal {
            saidDaemonRefusal = true
            log(.warning, "the Avahi daemon is full: raise objects-per-client-max in avahi-daemon.conf")
        }
        for reason in AdvertisementRefusal.allCases where table.refusals[reason] != nil {
            guard saidRefusals.insert(reason).inserted else { continue }
            log(
                .notice, "an announced instance is no device; others like it are counted", [.reason: reason.description]
            )
        }
    }
}
