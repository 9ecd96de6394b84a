import CastModel
import Glibc
import IO
import Recording
import Sender
import SenderCore
import Synchronization
import TLS
import Telemetry
import Testing

@Suite("A device that cannot be reached")
struct ReachabilityTests {
    private final class NoSink: RecordSink {
        func append(_ observations: [Observation]) -> Bool { true }
    }

    @Test func `is reported to whoever found it, who may know a newer address`() throws {
        // A port that was free a moment ago, and that nobody listens on.
        let listener = try Socket.listen(on: try #require(SocketAddress(host: "127.0.0.1", port: 0)))
        let port = Socket.localPort(listener)
        Socket.close(listener)
        let loop = try EventLoop()
        let supervisor = SenderSupervisor(
            loop: loop, tls: try TLSContext.forDeviceLinks(), sink: NoSink(),
            settings: .init(version: "0", firstConnectJitter: .zero, seed: 1), log: .silent)
        var unreachable: [DeviceID] = []
        supervisor.onUnreachable = { device in
            unreachable.append(device)
            loop.stop()
        }
        supervisor.apply(
            .seen(
                DeviceAdvertisement(
                    deviceID: DeviceID("AB-CD"), name: "TV", model: nil, addresses: ["127.0.0.1"], port: port,
                    capabilities: nil, txt: [], source: .mdns)))
        loop.run()
        #expect(unreachable == [DeviceID("abcd")])
    }
}
