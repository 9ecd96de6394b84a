import CastModel
import Glibc
import IO
import Recording
import Sender
import SenderCore
import TLS
import Telemetry
import TestSupport
import Testing

@Suite("A device that cannot be reached")
struct ReachabilityTests {
    private final class NoSink: RecordSink {
        func append(_ observations: [Observation]) -> Bool { true }
    }

    @Test func `is reported to whoever found it, who may know a newer address`() throws {
        let closed = try ClosedPort()
        let loop = try EventLoop()
        let supervisor = SenderSupervisor(
            loop: loop, tls: try TLSContext.forDeviceLinks(), sink: NoSink(),
            settings: .init(version: "0", firstConnectJitter: .zero, seed: 1), log: .silent)
        var unreachable: [DeviceID] = []
        var failures = 0
        supervisor.onUnreachable = { device in
            unreachable.append(device)
            failures = supervisor.counters.linksFailed
            loop.stop()
        }
        supervisor.apply(
            .seen(
                DeviceAdvertisement(
                    deviceID: DeviceID("AB-CD"), name: "TV", model: nil, addresses: ["127.0.0.1"], port: closed.port,
                    capabilities: nil, txt: [], source: .mdns)))
        loop.run()
        #expect(unreachable == [DeviceID("abcd")])
        #expect(failures == 1)
    }
}
