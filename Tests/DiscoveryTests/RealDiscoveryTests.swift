import CastModel
import Discovery
import Glibc
import IO
import Telemetry
import TestSupport
import Testing

/// What the browser has told, and how long it took.
private final class Findings: Sendable {
    let roster = Guarded(DeviceRoster())
    let changes = Guarded<[RosterChange]>([])
    let lines = Guarded<[String]>([])

    var log: Log { Log { [self] _, line in lines.withLock { $0.append(line) } } }

    func take(_ change: RosterChange) {
        roster.withLock { _ = $0.fold(change) }
        changes.withLock { $0.append(change) }
    }

    /// Names of the devices that are announced now.
    var names: Set<String> {
        roster.withLock { roster in
            Set(roster.devices.filter(\.isAnnounced).compactMap(\.advertisement.name))
        }
    }

    func entry(_ number: Int) -> DeviceRoster.Entry? { roster.withLock { $0[DeviceID(idText(number))] } }

    /// The texts that a device was told with, one after the other.
    func texts(_ number: Int) -> [[DeviceAdvertisement.TXTPair]] {
        var texts: [[DeviceAdvertisement.TXTPair]] = []
        for case .seen(let found) in changes.withLock({ $0 }) where found.deviceID == DeviceID(idText(number)) {
            if texts.last != found.txt { texts.append(found.txt) }
        }
        return texts
    }

    var withdrawals: Int {
        changes.withLock { changes in
            changes.count { if case .withdrawn = $0 { true } else { false } }
        }
    }

    /// Waits for exactly these names.
    func wait(for names: Set<String>, seconds: Int = 20) throws {
        try MDNSLab.wait(seconds: seconds, for: "\(names.sorted()), have \(self.names.sorted())") {
            self.names == names
        }
    }

    /// Waits until this is the address to try first.
    func wait(forAddress address: String, of number: Int, seconds: Int = 20) throws {
        try MDNSLab.wait(seconds: seconds, for: "\(address), have \(entry(number)?.advertisement.addresses ?? [])") {
            entry(number)?.advertisement.addresses.first == address
        }
    }
}

/// "d42fb81b52d513470e9fdbf3b9c80001" for 1.
private func idText(_ number: Int) -> String {
    let digits = String(number)
    return "d42fb81b52d513470e9fdbf3b9c8" + String(repeating: "0", count: 4 - digits.count) + digits
}

/// A device to announce: TXT in the order of a Chromecast.
private func service(_ number: Int, _ name: String) -> PublishedService {
    PublishedService(
        instance: "Chromecast-\(idText(number))", port: UInt16(9000 + number),
        txt: [
            .init(key: "id", value: idText(number)), .init(key: "ve", value: "05"),
            .init(key: "md", value: "Chromecast"), .init(key: "fn", value: name), .init(key: "ca", value: "4101"),
            .init(key: "st", value: "0"), .init(key: "rs", value: ""), .init(key: "odd", value: nil),
        ], appIDs: [AppID("CC1AD845"), AppID("233637DE")])
}

/// Announces devices from a process of its own, since libdbus knows one system bus per process.
///
/// It obeys lines in a named pipe: "publish 1 Kitchen", "withdraw 1", "stop".
private final class Announcer {
    private static var pipePath: String { "\(MDNSLab.sharedFolder)/commands" }
    private let pipe: Int32

    init(on host: MDNSLab.Host) throws {
        try Files.replace("\(MDNSLab.sharedFolder)/bus", with: Array(host.busAddress.utf8))
        guard mkfifo(Self.pipePath, 0o600) == 0 else { throw MDNSLab.Failure(description: "mkfifo failed") }
        // Open for both directions, so that it neither blocks nor ends while nobody reads.
        pipe = open(Self.pipePath, O_RDWR | O_CLOEXEC)
    }

    func tell(_ line: String) throws { try Files.writeAll(pipe, Array((line + "\n").utf8), subject: "commands") }

    deinit { close(pipe) }

    /// The lines of the pipe, as they come: they end with the pipe, also where nobody ever wrote into it.
    private static func commands() -> some Sequence<String> {
        // Without O_NONBLOCK this would wait for a writer, who may have failed and gone before.
        let descriptor = open(pipePath, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        var pending: [UInt8] = []
        var isOpen = descriptor >= 0
        return sequence(state: ()) { _ in
            while isOpen {
                if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { pending.removeFirst(end + 1) }
                    return String(decoding: pending[..<end], as: UTF8.self)
                }
                var news = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                var chunk = [UInt8](repeating: 0, count: 1024)
                let count = poll(&news, 1, 1000) > 0 ? read(descriptor, &chunk, chunk.count) : -1
                if count > 0 { pending += chunk.prefix(count) }
                isOpen = count > 0 || (count < 0 && Files.exists(pipePath))
            }
            close(descriptor)
            return nil
        }
    }

    /// The process: runs until it is told to stop.
    static func obey() {
        guard (try? MDNSLab.wait(seconds: 30, for: "the pipe") { Files.exists(pipePath) }) != nil,
            let bus = try? Files.read("\(MDNSLab.sharedFolder)/bus")
        else { return }
        setenv("DBUS_SYSTEM_BUS_ADDRESS", String(decoding: bus, as: UTF8.self), 1)
        let publisher = ServicePublisher(log: .silent)
        defer { publisher.stop() }
        for text in commands() {
            let words = text.split(separator: " ", maxSplits: 2).map(String.init)
            switch (words.first, words.dropFirst().first.flatMap { Int($0) }) {
            case ("publish", let number?): publisher.publish([service(number, words.count > 2 ? words[2] : "")])
            case ("withdraw", let number?): publisher.withdraw(instance: "Chromecast-\(idText(number))")
            case ("move", let number?):
                var moved = service(number, words.count > 2 ? words[2] : "")
                moved.port = 9999
                publisher.update(moved)
            case ("many", let count?): publisher.publish((1...count).map { service($0, "TV \($0)") })
            default: return
            }
        }
    }
}

// Goal: what is announced on one host is found, renamed, withdrawn and found again on the other, whatever happens to
// the daemons.
// Method: two network namespaces, each with a real D-Bus and a real Avahi daemon.
@Suite(
    "Discovery between two hosts", .serialized, .timeLimit(.minutes(3)), .root("RealDiscoveryTests"))
struct RealDiscoveryTests {
    /// Runs a scenario with a lab, an announcer on one host and a browser on the other.
    ///
    /// In a process of its own, beside the announcer's: other tests of this process may use another D-Bus.
    private static func scenario(
        announcingOn host: KeyPath<MDNSLab, MDNSLab.Host> = \.devices,
        _ body: (MDNSLab, Announcer, Findings, ServiceBrowser) throws -> Void
    ) {
        let findings = Findings()
        do {
            let lab = try MDNSLab()
            defer { lab.close() }
            setenv("DBUS_SYSTEM_BUS_ADDRESS", lab.monitor.busAddress, 1)
            let announcer = try Announcer(on: lab[keyPath: host])
            let browser = ServiceBrowser(log: findings.log, onChange: findings.take)
            browser.start()
            defer {
                browser.stop()
                try? announcer.tell("stop")
            }
            try body(lab, announcer, findings, browser)
        } catch {
            // Not thrown: an error that leaves an exit test's body says less than an issue that is recorded.
            Issue.record("\(error); log: \(findings.lines.withLock { $0 })")
        }
    }

    init() { _ = MDNSLab.sharedFolder }

    private static func announce() async {
        await #expect(processExitsWith: .success) { Announcer.obey() }
    }

    @Test func `finds devices, sees new names, goodbyes and returns`() async throws {
        async let announcer: Void = Self.announce()
        await #expect(processExitsWith: .success) {
            Self.scenario { _, announcer, findings, browser in
                for (number, name) in [(1, "Kitchen"), (2, "Büro 2.OG"), (3, "Cellar")] {
                    try announcer.tell("publish \(number) \(name)")
                }
                try findings.wait(for: ["Kitchen", "Büro 2.OG", "Cellar"])
                let kitchen = try #require(findings.entry(1)).advertisement
                #expect(kitchen.port == 9001)
                // Link-local IPv6 is tried second, whichever is found first, and says on which link.
                try MDNSLab.wait(seconds: 20, for: "both addresses") {
                    findings.entry(1)?.advertisement.addresses.count == 2
                }
                let addresses = findings.entry(1)?.advertisement.addresses ?? []
                #expect(addresses.first == "10.99.0.2")
                #expect(addresses.last?.wholeMatch(of: /fe80:[0-9a-f:]+%.+/) != nil)
                #expect(kitchen.model == "Chromecast")
                #expect(kitchen.capabilities?.rawValue == 4101)
                #expect(kitchen.txt == service(1, "Kitchen").txt)

                try announcer.tell("publish 1 Great Kitchen")
                try findings.wait(for: ["Great Kitchen", "Büro 2.OG", "Cellar"])
                try announcer.tell("withdraw 2")
                try findings.wait(for: ["Great Kitchen", "Cellar"])
                #expect(findings.entry(2)?.isAnnounced == false)
                try announcer.tell("publish 2 Office")
                try findings.wait(for: ["Great Kitchen", "Office", "Cellar"])
                #expect(findings.withdrawals == 1)
                #expect(browser.counts.devices == 3)
                // Both ways of reading a TXT record keep its order: one text before the new name, one after.
                let texts = findings.texts(1)
                #expect(texts == [service(1, "Kitchen").txt, service(1, "Great Kitchen").txt])
            }
        }
        await announcer
    }

    @Test func `believes in devices while its daemon is away, and finds what changed meanwhile`() async throws {
        async let announcer: Void = Self.announce()
        await #expect(processExitsWith: .success) {
            Self.scenario { lab, announcer, findings, browser in
                for (number, name) in [(1, "Kitchen"), (2, "Office")] {
                    try announcer.tell("publish \(number) \(name)")
                }
                try findings.wait(for: ["Kitchen", "Office"])
                lab.stopAvahi(lab.monitor, SIGKILL)
                try MDNSLab.wait(seconds: 10, for: "the loss of the daemon") { !browser.counts.isDaemonRunning }
                try announcer.tell("publish 1 Great Kitchen")
                try announcer.tell("publish 3 Cellar")
                #expect(findings.names == ["Kitchen", "Office"])
                try lab.startAvahi(lab.monitor)
                try findings.wait(for: ["Great Kitchen", "Office", "Cellar"])
                #expect(findings.withdrawals == 0)
                let lines = findings.lines.withLock { $0.suffix(2) }
                #expect(
                    lines.first
                        == #"level=warning msg="no Avahi daemon: devices given with --device are still recorded" "#
                        + #"reason="Daemon connection failed""#)
                #expect(lines.last?.hasPrefix(#"level=notice msg="Avahi daemon answers again" attempt="#) == true)
            }
        }
        await announcer
    }

    @Test func `announces again after the daemon of the devices has crashed`() async throws {
        async let announcer: Void = Self.announce()
        await #expect(processExitsWith: .success) {
            Self.scenario { lab, announcer, findings, _ in
                try announcer.tell("publish 1 Kitchen")
                try findings.wait(for: ["Kitchen"])
                lab.stopAvahi(lab.devices, SIGKILL)
                try lab.startAvahi(lab.devices)
                try announcer.tell("publish 2 Office")
                try findings.wait(for: ["Kitchen", "Office"])
                try announcer.tell("publish 1 Great Kitchen")
                try findings.wait(for: ["Great Kitchen", "Office"])
                #expect(findings.withdrawals == 0)
            }
        }
        await announcer
    }

    @Test func `finds the new place of a device when asked`() async throws {
        async let announcer: Void = Self.announce()
        await #expect(processExitsWith: .success) {
            Self.scenario { _, announcer, findings, browser in
                try announcer.tell("publish 1 Kitchen")
                try findings.wait(for: ["Kitchen"])
                try announcer.tell("move 1 Kitchen")
                var askAt = Clock.monotonicNanoseconds()
                try MDNSLab.wait(seconds: 20, for: "the new port") {
                    // A sender that cannot reach the device asks again from time to time.
                    if Clock.monotonicNanoseconds() >= askAt {
                        browser.refresh(DeviceID(idText(1)))
                        askAt = Clock.monotonicNanoseconds() + 500_000_000
                    }
                    return findings.entry(1)?.advertisement.port == 9999
                }
            }
        }
        await announcer
    }

    @Test func `finds devices that its own host announces`() async throws {
        async let announcer: Void = Self.announce()
        await #expect(processExitsWith: .success) {
            Self.scenario(announcingOn: \.monitor) { _, announcer, findings, _ in
                try announcer.tell("publish 1 Kitchen")
                try findings.wait(for: ["Kitchen"])
                // Found over IPv6 first, now and then: each of the two is asked on its own.
                try findings.wait(forAddress: "10.99.0.1", of: 1)
                try announcer.tell("publish 1 Great Kitchen")
                try findings.wait(for: ["Great Kitchen"])
                try announcer.tell("withdraw 1")
                try findings.wait(for: [])
            }
        }
        await announcer
    }

    @Test func `finds more devices than are announced at a time`() async throws {
        async let announcer: Void = Self.announce()
        await #expect(processExitsWith: .success) {
            Self.scenario { _, announcer, findings, browser in
                try announcer.tell("many 120")
                try findings.wait(for: Set((1...120).map { "TV \($0)" }), seconds: 60)
                #expect(browser.counts.daemonRefusals == 0)
            }
        }
        await announcer
    }

    @Test func `survives the end of D-Bus itself`() async throws {
        async let announcer: Void = Self.announce()
        await #expect(processExitsWith: .success) {
            Self.scenario { lab, announcer, findings, browser in
                try announcer.tell("publish 1 Kitchen")
                try findings.wait(for: ["Kitchen"])
                lab.stopBus(lab.monitor)
                try MDNSLab.wait(seconds: 10, for: "the loss of D-Bus") { !browser.counts.isDaemonRunning }
                lab.stopAvahi(lab.monitor, SIGKILL)
                try announcer.tell("publish 2 Office")
                try lab.startBus(lab.monitor)
                try lab.startAvahi(lab.monitor)
                try findings.wait(for: ["Kitchen", "Office"], seconds: 60)
                #expect(findings.withdrawals == 0)
            }
        }
        await announcer
    }

    @Test func `finds devices that python-zeroconf announces`() async throws {
        async let announcer: Void = Self.announce()
        await #expect(processExitsWith: .success) {
            Self.scenario { lab, _, findings, _ in
                let folder = lab.devices.folder
                let steps = "\(folder)/steps"
                try Files.replace("\(folder)/announce.py", with: Array(Self.zeroconfScript.utf8))
                try #require(mkfifo(steps, 0o600) == 0)
                let python = try lab.start(
                    lab.devices, [try TestPython.path(), "\(folder)/announce.py", steps, idText(1), idText(2)])
                // Open for both directions, so that opening does not wait for the other end.
                let pipe = open(steps, O_RDWR | O_CLOEXEC)
                func step() throws { try Files.writeAll(pipe, Array("go on\n".utf8), subject: steps) }
                defer {
                    close(pipe)
                    python.send(SIGTERM)
                    python.wait()
                }
                try findings.wait(for: ["Kitchen", "Büro 2.OG"], seconds: 60)
                let kitchen = try #require(findings.entry(1)).advertisement
                #expect(kitchen.addresses == ["10.99.0.2"])
                #expect(kitchen.port == 8009)
                try step()
                try findings.wait(for: ["Great Kitchen", "Büro 2.OG"])
                try step()
                try findings.wait(for: ["Büro 2.OG"])
                try step()
                try findings.wait(for: ["Kitchen", "Büro 2.OG"])
            }
        }
        await announcer
    }

    private static let zeroconfScript = """
        import asyncio, socket, sys
        from zeroconf import IPVersion, ServiceInfo
        from zeroconf.asyncio import AsyncZeroconf
        steps, one, two = sys.argv[1:4]
        KIND = "_googlecast._tcp.local."
        def info(digits, name):
            return ServiceInfo(KIND, f"Chromecast-{digits}.{KIND}", port=8009, server=f"{digits}.local.",
                addresses=[socket.inet_aton("10.99.0.2")],
                properties={"id": digits, "ve": "05", "md": "Chromecast", "fn": name, "ca": "4101", "st": "0"})
        async def main():
            pipe = open(steps)
            def told():
                return asyncio.get_running_loop().run_in_executor(None, pipe.readline)
            async with AsyncZeroconf(interfaces=["10.99.0.2"], ip_version=IPVersion.V4Only) as zeroconf:
                for one_info in [info(one, "Kitchen"), info(two, "Büro 2.OG")]:
                    await (await zeroconf.async_register_service(one_info))
                await told()
                renamed = info(one, "Great Kitchen")
                await (await zeroconf.async_update_service(renamed))
                await told()
                await (await zeroconf.async_unregister_service(renamed))
                await told()
                await (await zeroconf.async_register_service(info(one, "Kitchen")))
                await told()
        asyncio.run(main())
        """
}
