import CastModel
import CastWire
import Glibc
import IO
import Recording
import SenderCore
import TestSupport
import Testing

@testable import Sender

/// Clocks that a test may set.
private final class TestClocks {
    var wallOffsetMicroseconds: Int64 = 0
    var sleptNanoseconds: Int64 = 0

    func read() -> ClockTimes {
        var times = ClockTimes.read()
        times.wallMicroseconds += wallOffsetMicroseconds
        times.suspendedNanoseconds += sleptNanoseconds
        return times
    }
}

@Suite("A sender tells why nothing is observed", .serialized, .waits)
struct GapRecordTests {
    private static func gaps(_ sink: ArraySink) -> [Gap] {
        sink.observations.compactMap {
            guard case .gap(let gap) = $0.body else { return nil }
            return gap
        }
    }

    @Test func `when an announced device does not answer: once, from the moment it was known`() throws {
        let before = WallTime(microseconds: Clock.wallMicroseconds())
        let stage = try Stage()
        let closed = try ClosedPort()
        stage.supervisor.apply(.seen(Stage.announced("aa", name: "TV", port: closed.port)))
        stage.when("a second failure", { (stage.summary("aa")?.failures ?? 0) >= 2 })
        stage.run()
        let after = WallTime(microseconds: Clock.wallMicroseconds())
        #expect(stage.sink.lines == ["seen aa TV mdns", "gap aa device_unreachable lasts"])
        let gap = try #require(Self.gaps(stage.sink).first)
        #expect(gap.from >= before && gap.from < after)
        #expect(after.seconds(since: gap.from) > 0.5, "not from the failure on")
    }

    @Test func `never of a typed address that has not said who it is`() throws {
        let stage = try Stage()
        let closed = try ClosedPort()
        stage.supervisor.apply(.seen(Stage.typed(port: closed.port)))
        stage.when("a second failure", { (stage.supervisor.summaries.first?.failures ?? 0) >= 2 })
        stage.run()
        #expect(stage.sink.observations.isEmpty)
        #expect(stage.supervisor.summaries.first?.lastFailure != nil, "status says it")
    }

    @Test func `when a device that has said who it is goes away, from the end of its link on`() throws {
        let stage = try Stage()
        var device: ScriptedDevice? = try ScriptedDevice(on: stage.loop)
        device?.behave(as: "aa")
        stage.type(try #require(device))
        var closedAt = WallTime(microseconds: 0)
        stage.when("linked", { stage.summary("aa")?.isUp == true && stage.sink.frames.count >= 2 }) {
            device?.withdraw()
            closedAt = WallTime(microseconds: Clock.wallMicroseconds())
        }
        stage.when("unreachable", { Self.gaps(stage.sink).contains { $0.reason == .deviceUnreachable } })
        stage.run()
        device = nil
        let closings = stage.sink.lines.filter { $0.hasPrefix("closed") || $0.hasPrefix("gap aa device") }
        #expect(closings == ["closed aa 1 closed_by_device", "gap aa device_unreachable lasts"])
        let gap = try #require(Self.gaps(stage.sink).last)
        #expect(abs(gap.from.seconds(since: closedAt)) < 0.5)
    }

    @Test func `when an operator wants no app joined: from the app's start to its end`() throws {
        let stage = try Stage(attachMode: .platform)
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: "aa")
        stage.type(device)
        stage.when("told", { Self.gaps(stage.sink).count == 1 }) {
            device.peer?.send(
                .receiver, #"{"requestId":0,"type":"RECEIVER_STATUS","status":{"applications":[]}}"#)
        }
        stage.when("over", { Self.gaps(stage.sink).count == 2 }) { stage.supervisor.stop() }
        stage.run()
        #expect(
            stage.sink.lines.filter { $0.hasPrefix("gap") } == ["gap aa not_joined lasts", "gap aa not_joined over"])
        let gaps = Self.gaps(stage.sink)
        #expect(gaps[0].from == gaps[1].from)
        #expect(device.peer?.payloads.contains { $0.contains(#""connType":2"#) } == false)
    }

    @Test(arguments: [Int64(3_600), -3_600])
    func `when the wall clock was set, before anything is observed by the new time`(jump: Int64) throws {
        let clocks = TestClocks()
        let stage = try Stage(clocks: clocks.read)
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: "aa")
        stage.type(device)
        stage.when("joined", { device.peer?.payloads.contains { $0.contains(#""connType":2"#) } == true }) {
            clocks.wallOffsetMicroseconds = jump * 1_000_000
            device.peer?.send(.media, #"{"type":"MEDIA_STATUS","requestId":0,"status":[]}"#, from: "web-5")
        }
        stage.when("told", { Self.gaps(stage.sink).count == 1 })
        stage.run()
        let index = try #require(stage.sink.observations.firstIndex { Self.isJump($0) })
        let gap = Self.gaps(stage.sink)[0]
        #expect(gap.device == nil)
        let to = try #require(gap.to)
        #expect(abs(to.seconds(since: gap.from) - Double(jump)) < 0.01)
        let moments = stage.sink.observations.map(\.at)
        #expect(abs(moments[index - 1].seconds(since: gap.from)) < 5, "before it the old time")
        #expect(moments[index...].allSatisfy { abs($0.seconds(since: to)) < 5 }, "after it the new time")
        #expect(index < stage.sink.observations.count - 1, "what was observed comes after it")
        // The other clock does not know of it.
        let monotonic = stage.sink.observations[(index - 1)...].map(\.monotonic)
        #expect(zip(monotonic, monotonic.dropFirst()).allSatisfy { $0 <= $1 })
    }

    private static func isJump(_ observation: Observation) -> Bool {
        guard case .gap(let gap) = observation.body else { return false }
        return gap.reason == .clockJump
    }

    @Test func `when the machine slept, of each device that is linked`() throws {
        let clocks = TestClocks()
        let stage = try Stage(clocks: clocks.read)
        let devices = try ["aa", "bb"].map { id in
            let device = try ScriptedDevice(on: stage.loop)
            device.behave(as: id)
            stage.type(device)
            return device
        }
        let closed = try ClosedPort()
        stage.supervisor.apply(.seen(Stage.typed(port: closed.port)))
        stage.when("both linked", { ["aa", "bb"].allSatisfy { stage.summary($0)?.isUp == true } }) {
            clocks.sleptNanoseconds = 60_000_000_000
            devices[0].peer?.send(.receiver, ScriptedDevice.receiverStatus)
        }
        stage.when("told", { Self.gaps(stage.sink).count == 2 })
        stage.run()
        #expect(
            stage.sink.lines.filter { $0.hasPrefix("gap") } == [
                "gap aa recorder_down over", "gap bb recorder_down over",
            ])
        #expect(!stage.sink.lines.contains { $0.hasPrefix("closed") })
    }
}
