import CastModel
import CastWire
import Testing

@testable import Fleet

// PROTOCOL 5.7, the observer hazard: an app stops by itself when its last *visible* sender says goodbye.
@Suite("The last-sender rule")
struct LastSenderTests {
    static let close = "{\"type\":\"CLOSE\"}"

    @Test func `the app stops when its only sender sends CLOSE`() {
        var bench = DeviceBench.running()
        #expect(
            bench.send(1, "A", bench.transport, .connection, Self.close) == ["1 *: RECEIVER_STATUS 0: no app"])
    }

    @Test func `an invisible sender does not keep the app`() {
        var bench = DeviceBench.running()
        #expect(bench.join(strength: 2) == [])
        #expect(
            bench.send(1, "A", bench.transport, .connection, Self.close)
                == ["2 B: CLOSE", "1 *: RECEIVER_STATUS 0: no app", "2 *: RECEIVER_STATUS 0: no app"])
    }

    @Test(arguments: [0, 1])
    func `a visible one does`(strength: Int) {
        var bench = DeviceBench.running()
        _ = bench.join(strength: strength)
        #expect(bench.send(1, "A", bench.transport, .connection, Self.close) == [])
    }

    @Test func `a visible observer's own goodbye stops what its phone left behind`() {
        var bench = DeviceBench.running()
        _ = bench.join(strength: 0)
        #expect(bench.handle(.linkClosed(1)) == [])
        #expect(
            bench.send(2, "B", bench.transport, .connection, Self.close) == ["2 *: RECEIVER_STATUS 0: no app"])
    }

    @Test func `an invisible sender's goodbye stops nothing`() {
        var bench = DeviceBench.running()
        _ = bench.join(strength: 2)
        _ = bench.handle(.linkClosed(1))
        #expect(bench.send(2, "B", bench.transport, .connection, Self.close) == [])
        #expect(bench.machine.app?.app == .defaultMediaReceiver)
    }

    @Test func `a sender that vanishes leaves the app running, unseen`() {
        var bench = DeviceBench.running()
        _ = bench.join(strength: 2)
        #expect(bench.handle(.linkClosed(1)) == ["2 *: RECEIVER_STATUS 0: Default Media Receiver"])
    }

    @Test func `YouTube plays on without senders`() {
        var bench = DeviceBench.running("233637DE")
        #expect(
            bench.send(1, "A", bench.transport, .connection, Self.close) == ["1 *: RECEIVER_STATUS 0: YouTube"])
    }

    @Test func `an invisible sender hears broadcasts, and answers to itself where the device gives them`() {
        for answers in [true, false] {
            var bench = DeviceBench.running { $0.answersInvisibleSenders = answers }
            _ = bench.join(strength: 2)
            #expect(
                bench.send(2, "B", bench.transport, .media, "{\"type\":\"GET_STATUS\",\"requestId\":9}")
                    == (answers ? ["2 B: MEDIA_STATUS 9: nothing"] : []))
            #expect(
                bench.send(1, "A", bench.transport, .media, "{\"type\":\"LOAD\",\"requestId\":3,\"media\":{}}") == [
                    "1 *: MEDIA_STATUS 0: #1 IDLE LOADING#1 media", "2 *: MEDIA_STATUS 0: #1 IDLE LOADING#1 media",
                ])
        }
    }
}
