import CastModel
import CastWire
import Recording
import Testing

@testable import Sender

@Suite("Observations of a device without an id")
struct HeldObservationsTests {
    private func frame(bytes: Int) -> Observation {
        Observation(
            at: WallTime(microseconds: 0), monotonic: MonotonicTime(nanoseconds: 0),
            .frame(
                RecordedFrame(
                    device: DeviceID("at:127.0.0.1:8009"), link: LinkNumber(1), direction: .inbound,
                    message: CastMessage(from: "a", to: "*", .media, text: String(repeating: "x", count: bytes)))))
    }

    @Test func `wait for it up to 1 MiB`() {
        var held = HeldObservations()
        held.append(frame(bytes: (1 << 20) - 1))
        #expect(!held.isFull)
        held.append(frame(bytes: 1))
        #expect(held.isFull)
    }

    @Test func `wait for it up to 256 of them`() {
        var held = HeldObservations()
        for _ in 0..<255 { held.append(frame(bytes: 0)) }
        #expect(!held.isFull)
        held.append(frame(bytes: 0))
        #expect(held.isFull)
    }
}
