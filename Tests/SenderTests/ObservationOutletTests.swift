import CastModel
import CastWire
import IO
import Recording
import TLS
import TestSupport
import Testing

@testable import Sender

@Suite("Observations on their way to the archive", .serialized, .waits)
struct ObservationOutletTests {
    @Test func `beyond the limit are counted, per device, and the count comes after what was kept`() throws {
        let stage = try Stage()
        let resources = LinkResources(loop: stage.loop, tls: try TLSContext.forDeviceLinks())
        let sink = ArraySink()
        let outlet = ObservationOutlet(resources, sink: sink)
        var reading: [Bool] = []
        outlet.onFull = { reading.append(!$0) }
        sink.isFull = true
        func frame(_ device: String) -> Observation {
            resources.observation(
                .frame(
                    RecordedFrame(
                        device: DeviceID(device), link: LinkNumber(1), direction: .inbound,
                        message: CastMessage(from: "a", to: "*", .media, text: "{}"))))
        }
        for _ in 0..<65_536 { outlet.append(frame("aa")) }
        for _ in 0..<3 { outlet.append(frame("aa")) }
        for _ in 0..<2 { outlet.append(frame("bb")) }
        outlet.append(resources.observation(.deviceWithdrawn(DeviceID("aa"))))
        #expect(outlet.framesLost == 5)
        stage.when("full", { reading == [false] }) { sink.isFull = false }
        stage.when("drained", { reading == [false, true] && outlet.isDrained })
        stage.run()
        #expect(sink.observations.count == 65_536 + 3)
        #expect(sink.lines.suffix(4) == ["in aa 1 media", "withdrawn aa", "lost aa 3", "lost bb 2"])
    }
}
