import CastModel
import CastWire
import Differ
import Recording
import TestSupport
import Testing

@testable import Sender

@Suite("A device that floods us", .serialized, .waits)
struct StatusFloodTests {
    /// What the device sends on a link of its own, in order, and what is recorded of it.
    private func recorded(_ texts: [String]) throws -> [RecordedFrame] {
        let stage = try Stage()
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: "aa")
        stage.type(device)
        var known = 0
        stage.when("joined", { device.peer?.heard.contains { $0.namespace == .media } == true }) {
            known = stage.sink.frames.count
            for text in texts { device.peer?.send(.media, text, from: "web-5") }
        }
        // The answer to our own question may come before, among or after them.
        stage.when("all read", { stage.sink.frames.count >= known + texts.count })
        stage.run(seconds: 60)
        #expect(!stage.sink.lines.contains { $0.hasPrefix("closed") || $0.hasPrefix("lost") })
        LinkFaultTests.checkHeard(device, joins: true)
        let sent = Set(texts.map { Array($0.utf8) })
        return stage.sink.frames.filter { sent.contains($0.message.payloadBytes) }
    }

    @Test func `with 200 statuses a second for a minute is kept frame by frame, and told as one storm`() throws {
        let texts = (0..<12_000).map { number in
            #"{"type":"MEDIA_STATUS","requestId":0,"status":[{"mediaSessionId":1,"playerState":"PLAYING","currentTime":\#(Double(number) * 0.005)}]}"#
        }
        let frames = try recorded(texts)
        #expect(frames.map { String(decoding: $0.message.payloadBytes, as: UTF8.self) } == texts)

        // The same frames at the device's own pace, one every 5 ms, and a word ten seconds later.
        var differ = StatusDiffer()
        var events: [ChangeEvent] = []
        func fold(_ position: Int64, milliseconds: Int64, _ body: RecordBody) {
            events += differ.fold(
                Record(
                    position: ArchivePosition(position), at: WallTime(microseconds: milliseconds * 1_000),
                    monotonic: MonotonicTime(nanoseconds: milliseconds * 1_000_000), boot: "b", body: body))
        }
        for (number, frame) in frames.enumerated() {
            fold(Int64(number) + 1, milliseconds: Int64(number) * 5, .frame(frame))
        }
        var last = try #require(frames.last)
        last.message = CastMessage(from: "web-5", to: "*", .heartbeat, text: #"{"type":"PONG"}"#)
        fold(12_001, milliseconds: 70_000, .frame(last))
        #expect(events.map(\.kind.rawValue) == ["media_session_started", "storm_started", "storm_ended"])
        #expect(events.last?.after == ["frames": 12_000, "seconds": 59.995])
    }

    @Test func `with statuses whose numbers make no sense is kept frame by frame, and stays linked`() throws {
        let positions = [
            "-5", "-1e308", "1e308", "1e400", "-0.0", #""NaN""#, "null", "true", "[]", "9223372036854775808", "1e-400",
        ]
        let texts = positions.flatMap { position in
            [
                #"{"type":"MEDIA_STATUS","requestId":0,"status":[{"mediaSessionId":1,"playerState":"PLAYING","currentTime":\#(position),"playbackRate":\#(position),"volume":{"level":\#(position)}}]}"#,
                #"{"type":"MEDIA_STATUS","requestId":\#(position),"status":[{"mediaSessionId":\#(position),"playerState":"PLAYING","currentTime":1,"media":{"contentId":"c","duration":\#(position)}}]}"#,
            ]
        }
        let frames = try recorded(texts)
        #expect(frames.map { String(decoding: $0.message.payloadBytes, as: UTF8.self) } == texts)
        var differ = StatusDiffer()
        for (number, frame) in frames.enumerated() {
            let events = differ.fold(
                Record(
                    position: ArchivePosition(Int64(number) + 1), at: WallTime(microseconds: Int64(number) * 1_000_000),
                    monotonic: MonotonicTime(nanoseconds: Int64(number) * 1_000_000_000), boot: "b",
                    body: .frame(frame)))
            #expect(events.allSatisfy { $0.positionSeconds?.isFinite != false })
        }
    }
}
