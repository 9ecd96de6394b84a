import IO
import Telemetry

/// Looks whether devices can be found here, for `castledger doctor`.
public enum DiscoveryProbe {
    /// What the probe saw.
    public struct Facts: Sendable, Equatable {
        /// Whether the daemon answered within the time.
        public var isDaemonRunning: Bool
        /// Such as "avahi 0.8"; nil when it did not answer.
        public var daemonVersion: String?
        /// Why there is no daemon, in libavahi's words; nil when there is one.
        public var reason: String?
        /// Devices and groups that told where they are.
        public var devices: Int
        /// Instances announced, one per device, interface and address family.
        public var instances: Int
        /// The daemon's limits.
        public var limits: AvahiLimits
        /// Sentences about what to do, most urgent first; empty when all is well.
        public var advice: [String]
    }

    /// Browses for some time, on a thread of its own.
    ///
    /// Blocks the caller that long: one second is what mDNS needs at the least.
    public static func run(seconds: Int, configuration: String = "/etc/avahi/avahi-daemon.conf") -> Facts {
        let browser = ServiceBrowser(log: .silent) { _ in }
        browser.start()
        let deadline = Clock.monotonicNanoseconds() + Int64(max(1, min(seconds, 600))) * 1_000_000_000
        if let waiting = try? Mailbox<Int>(limit: 1) {
            while Clock.monotonicNanoseconds() < deadline { _ = waiting.take(timeout: .milliseconds(100)) }
        }
        let counts = browser.counts
        browser.stop()
        let limits = AvahiLimits(configuration: (try? Files.read(configuration)) ?? [])
        return Facts(
            isDaemonRunning: counts.isDaemonRunning, daemonVersion: counts.daemonVersion,
            reason: counts.daemonReason, devices: counts.devices,
            instances: counts.instances, limits: limits, advice: advice(counts, limits))
    }

    static func advice(_ counts: ServiceBrowser.Counts, _ limits: AvahiLimits) -> [String] {
        guard counts.isDaemonRunning else {
            return [
                "No Avahi daemon answers, so no device is found by itself. Install and start avahi-daemon, or name the "
                    + "devices with --device HOST."
            ]
        }
        var advice: [String] = []
        if counts.instances == 0 {
            advice.append(
                "No Cast device is announced. mDNS does not cross routers: check that the devices are in this network "
                    + "and that the access point passes multicast on, or name the devices with --device HOST.")
        }
        // A device takes three cache entries: its PTR, SRV and TXT records; addresses come on top.
        let visible = limits.cacheEntries / 3
        if counts.instances * 10 >= visible * 7 {
            advice.append(
                "\(counts.instances) instances are announced and the daemon's cache holds about \(visible); what is "
                    + "beyond stays invisible. Set cache-entries-max=100000 in avahi-daemon.conf.")
        }
        if counts.daemonRefusals > 0 || counts.devices > ServiceSearch.watchLimit {
            advice.append(
                "The daemon allows \(limits.objectsPerClient) objects per program, fewer than needed to watch "
                    + "\(counts.devices) devices. Set objects-per-client-max=20000 in avahi-daemon.conf.")
        }
        return advice
    }
}

/// Two limits of an Avahi daemon that decide how many devices it can show.
public struct AvahiLimits: Sendable, Equatable {
    /// `cache-entries-max`: records per network interface and address family.
    public var cacheEntries = 4096
    /// `objects-per-client-max`: what one program may browse, resolve and publish at the same time.
    public var objectsPerClient = 1024

    /// Reads avahi-daemon.conf; what it does not say has Avahi's default.
    public init(configuration: [UInt8]) {
        for line in String(decoding: configuration, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            guard parts.count == 2, let value = Int(parts[1]), value > 0 else { continue }
            switch parts[0] {
            case "cache-entries-max": cacheEntries = value
            case "objects-per-client-max": objectsPerClient = value
            default: break
            }
        }
    }
}
