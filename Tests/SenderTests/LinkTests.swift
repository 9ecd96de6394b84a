import CastModel
import CastWire
import IO
import Recording
import SenderCore
import TestSupport
import Testing

@testable import Sender

@Suite("A link", .serialized, .waits)
struct LinkTests {
    private let custom = Namespace("urn:x-cast:com.example")

    /// A stage whose one device, announced as "bb", is linked when the first step's action runs.
    private func linked(_ action: @escaping (Stage, ScriptedDevice.Peer) -> Void) throws -> (Stage, ScriptedDevice) {
        let stage = try Stage(attachMode: .platform)
        let device = try ScriptedDevice(on: stage.loop)
        stage.supervisor.apply(.seen(Stage.announced("bb", name: "Kitchen", port: device.port)))
        stage.when("linked", { (device.peer?.heard.count ?? 0) >= 5 }) {
            guard let peer = device.peer else { return }
            action(stage, peer)
        }
        return (stage, device)
    }

    @Test func `reads a frame however it is split on the wire`() throws {
        let message = CastMessage(from: "receiver-0", to: "*", custom, text: #"{"type":"X"}"#)
        let frame = try FrameEncoder.frame(message)
        let (stage, device) = try linked { _, peer in
            for cut in 0...frame.count {
                peer.send(bytes: Array(frame[..<cut]))
                peer.send(bytes: Array(frame[cut...]))
            }
            for byte in frame + frame { peer.send(bytes: [byte]) }
            peer.send(bytes: frame + frame + frame)
        }
        let expected = frame.count + 1 + 2 + 3
        stage.when("all read", { stage.sink.frames.count >= expected }) { stage.supervisor.stop() }
        stage.run()
        #expect(stage.sink.frames.map(\.message) == Array(repeating: message, count: expected))
        #expect(device.peers.count == 1)
    }

    @Test func `keeps a body that is no message, and goes on`() throws {
        let (stage, device) = try linked { _, peer in
            peer.send(bytes: [0, 0, 0, 3, 0xFF, 0xFF, 0xFF])
            peer.send(bytes: [0, 0, 0, 0])
            peer.send(.init("urn:x-cast:com.example"), "still here")
        }
        var counters = SenderSupervisor.Counters()
        stage.when("read", { stage.sink.frames.count == 1 }) {
            counters = stage.supervisor.counters
            stage.supervisor.stop()
        }
        stage.run()
        #expect(counters.framesMalformed == 2 && counters.framesReceived == 3 && counters.linksOpened == 1)
        #expect(
            counters.framesSent == [
                .connect: 1, .challenge: 1, .ping: 1, .getStatus: 2, .getDeviceInformation: 1,
            ])
        #expect(counters.frames == 9, "those of both directions")
        let malformed = stage.sink.observations.compactMap { observation -> MalformedFrame? in
            guard case .frameMalformed(let frame) = observation.body else { return nil }
            return frame
        }
        #expect(malformed.map(\.bytes) == [[0xFF, 0xFF, 0xFF], []])
        #expect(malformed[0].why == "the message ends in the middle of a field that begins at byte 0")
        #expect(malformed[1].why == "required field 2 is missing")
        #expect(device.peers.count == 1)
    }

    @Test func `ends when a length prefix cannot be true`() throws {
        let (stage, device) = try linked { _, peer in
            peer.send(.init("urn:x-cast:com.example"), "before")
            peer.send(bytes: [0, 0x10, 0, 1])  // 1 MiB and a byte
        }
        stage.when("closed", { device.peer?.isClosed == true })
        stage.when("recorded", { stage.sink.lines.count == 4 })
        stage.run()
        #expect(stage.sink.frames.count == 1)
        #expect(stage.sink.lines.last == "closed bb 1 protocol_error")
        #expect(stage.summary("bb")?.isUp == false)
        #expect(stage.summary("bb")?.nextAttemptAfter != nil)
    }

    @Test func `reads a body of 1 MiB`() throws {
        let text = String(repeating: "x", count: (1 << 20) - 100)
        let message = CastMessage(from: "receiver-0", to: "*", custom, text: text)
        let body = message.encodedBody()
        #expect(body.count <= 1 << 20)
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: body.count >> $0) }
        let (stage, _) = try linked { _, peer in peer.send(bytes: length + body) }
        stage.when("read", { stage.sink.frames.count == 1 }) { stage.supervisor.stop() }
        stage.run()
        #expect(stage.sink.frames.first?.message == message)
    }

    @Test(arguments: [(false, "closed_by_device"), (true, "connection_reset")])
    func `tells a goodbye from a reset, keeps what came before, and comes back`(reset: Bool, reason: String) throws {
        let (stage, device) = try linked { stage, peer in
            peer.send(.init("urn:x-cast:com.example"), "last words")
        }
        stage.when("read", { stage.sink.frames.count == 1 }) { device.peer?.close(reset: reset) }
        stage.when("back", { stage.sink.lines.contains("opened bb 2 platform") }) { stage.supervisor.stop() }
        stage.run()
        #expect(
            stage.sink.lines == [
                "seen bb Kitchen mdns", "opened bb 1 platform", "in bb 1 example", "closed bb 1 \(reason)",
                "opened bb 2 platform", "closed bb 2 recorder_stopping",
            ])
    }

    @Test func `reads the last words of a device that says goodbye at once`() throws {
        let (stage, _) = try linked { stage, peer in
            for _ in 0..<100 { peer.send(.init("urn:x-cast:com.example"), "last words") }
            peer.close()
        }
        stage.when("closed", { stage.sink.lines.contains { $0.hasPrefix("closed") } }) { stage.supervisor.stop() }
        stage.run()
        #expect(stage.sink.frames.count == 100)
    }

    @Test func `puts chunks together`() throws {
        let (stage, _) = try linked { stage, peer in
            for (text, more) in [(#"{"a""#, true), (":1}", false)] {
                var chunk = CastMessage(from: "receiver-0", to: "*", Namespace("urn:x-cast:com.example"), text: text)
                chunk.continued = more
                peer.send(chunk)
            }
            // A beginning without an end.
            var chunk = CastMessage(from: "receiver-0", to: "*", Namespace("urn:x-cast:com.example"), text: "x")
            chunk.continued = true
            peer.send(chunk)
        }
        stage.when("read", { stage.sink.frames.count == 2 }) { stage.supervisor.stop() }
        stage.run()
        let messages = stage.sink.frames.map(\.message)
        #expect(messages.map(\.payloadBytes) == [Array(#"{"a":1}"#.utf8), Array("x".utf8)])
        #expect(messages.map(\.continued) == [nil, true])
    }

    @Test func `answers PING with the ids swapped`() throws {
        let (stage, device) = try linked { _, peer in
            peer.send(.heartbeat, #"{"type":"PING"}"#, from: "Tr@n$p0rt-0", to: "Tr@n$p0rt-0")
        }
        stage.when("answered", { device.peer?.heard.last?.payloadBytes == Array(#"{"type":"PONG"}"#.utf8) }) {
            stage.supervisor.stop()
        }
        stage.run()
        #expect(device.peer?.heard.last?.sourceID == "Tr@n$p0rt-0")
        #expect(device.peer?.heard.last?.destinationID == "Tr@n$p0rt-0")
    }

    @Test func `stops reading while the sink is full, and loses nothing`() throws {
        let count = 20_000
        let filler = String(repeating: "x", count: 1_000)
        let (stage, device) = try linked { stage, peer in
            stage.sink.isFull = true
            for number in 0..<count { peer.send(.init("urn:x-cast:com.example"), "\(number) \(filler)") }
        }
        stage.when("the device has to wait", { stage.supervisor.counters.timesPaused == 1 }) {
            #expect(device.peer?.isFlushed == false)
            stage.sink.isFull = false
        }
        stage.when("all read", { stage.sink.frames.count >= count }) { stage.supervisor.stop() }
        stage.run()
        let numbers = stage.sink.frames.map { frame in
            Int(String(decoding: frame.message.payloadBytes.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
        }
        #expect(numbers == Array(0..<count))
        #expect(stage.supervisor.counters.framesLost == 0)
        #expect(!stage.sink.lines.contains { $0.hasPrefix("lost") })
    }
}
