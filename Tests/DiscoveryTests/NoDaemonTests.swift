import CastModel
import Discovery
import Glibc
import IO
import Telemetry
import Testing

@Suite("Discovery without D-Bus", .timeLimit(.minutes(1)))
struct NoDaemonTests {
    // libdbus reads the bus address once per process, hence processes of their own.

    @Test func `says so once, goes on trying, and stops at once when told`() async {
        await #expect(processExitsWith: .exitCode(17)) {
            setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1)
            let lines = Guarded<[String]>([])
            guard let said = try? Mailbox<String>(limit: 10) else { return }
            let browser = ServiceBrowser(
                log: Log { _, line in
                    lines.withLock { $0.append(line) }
                    _ = said.post([line])
                }, onChange: { _ in })
            browser.start()
            _ = said.take(timeout: .seconds(10))
            // The second attempt comes a second later, and says nothing.
            let deadline = Clock.monotonicNanoseconds() + 10_000_000_000
            while browser.counts.failedAttempts < 2 && Clock.monotonicNanoseconds() < deadline {
                _ = said.take(timeout: .milliseconds(50))
            }
            let attempts = browser.counts.failedAttempts
            let before = Clock.monotonicNanoseconds()
            browser.stop()
            let stopMilliseconds = (Clock.monotonicNanoseconds() - before) / 1_000_000
            let expected =
                #"level=warning msg="no Avahi daemon: devices given with --device are still recorded" "#
                + #"reason="connect to D-Bus: Daemon not running""#
            exit(attempts == 2 && lines.withLock { $0 } == [expected] && stopMilliseconds < 500 ? 17 : 1)
        }
    }

    @Test func `makes the probe say what to do`() async {
        await #expect(processExitsWith: .exitCode(17)) {
            setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1)
            let facts = DiscoveryProbe.run(seconds: 1, configuration: "/nonexistent.conf")
            let isRight =
                !facts.isDaemonRunning && facts.reason == "connect to D-Bus: Daemon not running"
                && facts.daemonVersion == nil && facts.devices == 0 && facts.limits.cacheEntries == 4096
                && facts.advice == [
                    "No Avahi daemon answers, so no device is found by itself. Install and start avahi-daemon, or name "
                        + "the devices with --device HOST."
                ]
            exit(isRight ? 17 : 1)
        }
    }

    @Test func `a publisher stops at once too`() async {
        await #expect(processExitsWith: .exitCode(17)) {
            setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1)
            let publisher = ServicePublisher(log: .silent)
            publisher.publish([PublishedService(instance: "x", port: 1, txt: [])])
            let before = Clock.monotonicNanoseconds()
            publisher.stop()
            publisher.stop()
            let stopMilliseconds = (Clock.monotonicNanoseconds() - before) / 1_000_000
            exit(publisher.progress.wanted == 1 && stopMilliseconds < 500 ? 17 : 1)
        }
    }
}

@Suite("The limits of an Avahi daemon")
struct AvahiLimitsTests {
    @Test func `are Avahi's own where the file says nothing`() {
        let limits = AvahiLimits(configuration: Array("[server]\n#cache-entries-max=7\nuse-ipv4=yes\n".utf8))
        #expect(limits.cacheEntries == 4096)
        #expect(limits.objectsPerClient == 1024)
    }

    @Test func `are read from the file`() {
        let text = "[server]\r\n cache-entries-max = 100000\nobjects-per-client-max=20000\ncache-entries-max=x\n"
        let limits = AvahiLimits(configuration: Array(text.utf8))
        #expect(limits.cacheEntries == 100_000)
        #expect(limits.objectsPerClient == 20_000)
    }
}
