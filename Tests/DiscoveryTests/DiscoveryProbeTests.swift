import Testing

@testable import Discovery

@Suite("The advice of the discovery probe")
struct DiscoveryProbeTests {
    private static let defaults = AvahiLimits(configuration: [])

    private func counts(instances: Int, devices: Int, refusals: Int = 0) -> ServiceBrowser.Counts {
        var counts = ServiceBrowser.Counts()
        counts.isDaemonRunning = true
        counts.instances = instances
        counts.devices = devices
        counts.daemonRefusals = refusals
        return counts
    }

    @Test func `is none when some devices are seen`() {
        #expect(DiscoveryProbe.advice(counts(instances: 6, devices: 3), Self.defaults) == [])
    }

    @Test func `without any device is about multicast`() {
        let advice = DiscoveryProbe.advice(counts(instances: 0, devices: 0), Self.defaults)
        #expect(
            advice == [
                "No Cast device is announced. mDNS does not cross routers: check that the devices are in this network "
                    + "and that the access point passes multicast on, or name the devices with --device HOST."
            ])
    }

    // 4,096 entries hold 1,365 devices of three records; 70 % of that are 955.5.
    @Test(arguments: [(955, 0), (956, 1)])
    func `names the cache limit before it is reached`(instances: Int, sentences: Int) {
        let advice = DiscoveryProbe.advice(counts(instances: instances, devices: 500), Self.defaults)
        #expect(advice.count == sentences)
        #expect(advice.allSatisfy { $0.hasSuffix("Set cache-entries-max=100000 in avahi-daemon.conf.") })
    }

    @Test(arguments: [(900, 0, 0), (901, 0, 1), (10, 1, 1)])
    func `names the object limit when it matters`(devices: Int, refusals: Int, sentences: Int) {
        let roomy = AvahiLimits(configuration: Array("cache-entries-max=100000".utf8))
        let advice = DiscoveryProbe.advice(
            counts(instances: devices, devices: devices, refusals: refusals), roomy)
        #expect(advice.count == sentences)
        #expect(advice.allSatisfy { $0.hasSuffix("Set objects-per-client-max=20000 in avahi-daemon.conf.") })
    }
}
