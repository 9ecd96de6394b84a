import CastModel
import CastWire
import Differ
import Recording
import Testing

@Suite("The differ in a storm of frames")
struct StormTests {
    private let status = #"{"type":"RECEIVER_STATUS","requestId":0,"status":{"volume":{"level":0.5}}}"#

    /// `count` frames, `every` so many seconds, from `start` on.
    private func send(_ count: Int, from start: Double, every: Double, into replay: inout Replay) {
        for number in 0..<count {
            replay.receive(start + Double(number) * every, from: "receiver-0", .receiver, status)
        }
    }

    @Test func `a hundred frames in a second are none, the next one begins it`() {
        var replay = Replay()
        replay.open(0)
        send(100, from: 10, every: 0.005, into: &replay)
        #expect(replay.lines(after: 2) == [])
        replay.receive(10.5, from: "receiver-0", .receiver, status)
        #expect(replay.lines(after: 2) == [#"storm_started unknown | is {"frames":101,"seconds":0.5}"#])
    }

    @Test func `ends after five calm seconds, and has counted every frame`() {
        var replay = Replay()
        replay.open(0)
        // 500 frames in 10 ... 14.99, then one a second: 15, 16, 17, 18, 19, 20, 21.
        send(500, from: 10, every: 0.01, into: &replay)
        // 101 frames within 10 ... 11 are not reached at 100 a second: the first second has exactly 100.
        #expect(replay.lines(after: 2).isEmpty)
        replay = Replay()
        replay.open(0)
        // 1000 frames, one every 4 ms: 10 ... 13.996. Begun by the 101st, at 10.4; seconds are counted from there:
        // 10.4, 11.4, 12.4 are full, 13.4 has 150 frames, 14.4 to 18.4 are calm, so the first frame from 19.4 on ends it.
        send(1000, from: 10, every: 0.004, into: &replay)
        send(7, from: 15, every: 1, into: &replay)
        let lines = replay.lines(after: 2)
        #expect(
            lines == [
                #"storm_started unknown | is {"frames":101,"seconds":0.4}"#,
                // 1000 and those of 15, 16, 17, 18 and 19; the last at 19, the first at 10.
                #"storm_ended unknown | is {"frames":1005,"seconds":9.0}"#,
            ])
    }

    @Test func `heartbeats are no part of it, and let it end`() {
        var replay = Replay()
        replay.open(0)
        send(200, from: 10, every: 0.004, into: &replay)
        for beat in 1...3 {
            replay.receive(10 + Double(beat) * 5, from: "receiver-0", to: "sender-0", .heartbeat, #"{"type":"PING"}"#)
        }
        #expect(
            replay.lines(after: 2) == [
                #"storm_started unknown | is {"frames":101,"seconds":0.4}"#,
                #"storm_ended unknown | is {"frames":200,"seconds":0.796}"#,
            ])
    }

    @Test func `ends with the link, before it`() {
        var replay = Replay()
        replay.open(0)
        send(200, from: 10, every: 0.004, into: &replay)
        let known = replay.records.count
        replay.close(11, .connectionReset)
        #expect(
            replay.lines(after: known).map { $0.prefix { $0 != " " } } == ["link_closed", "storm_ended", "gap_started"])
    }

    @Test func `what changes in it is told`() {
        var replay = Replay()
        replay.open(0)
        for number in 0..<300 {
            replay.receive(
                10 + Double(number) * 0.002, from: "receiver-0", .receiver,
                #"{"type":"RECEIVER_STATUS","requestId":0,"status":{"volume":{"level":\#(number < 250 ? "0.5" : "0.6")}}}"#
            )
        }
        #expect(
            replay.lines(after: 2) == [
                #"storm_started unknown | is {"frames":101,"seconds":0.2}"#,
                #"device_volume_changed receiver | receiver_status | was {"level":0.5} | is {"level":0.6}"#,
            ])
    }
}

@Suite("The differ on apps' own messages")
struct CustomMessageTests {
    private func tick(_ number: Int) -> String { #"{"type":"TICK","n":\#(number)}"# }
    private let namespace = Namespace("urn:x-cast:com.example.app")

    @Test func `tells ten in a row, then one every ten seconds, and the number of the others`() {
        var replay = Replay()
        replay.open(0)
        // One a second for a minute.
        for second in 1...60 { replay.receive(Double(second), from: "t-1", namespace, tick(second)) }
        let told = replay.lines(after: 1).map { line -> String in
            let number = line.split(separator: #"\"n\":"#).last?.prefix { $0.isNumber } ?? ""
            let suppressed = line.split(separator: #""suppressed":"#).dropFirst().first?.prefix { $0.isNumber } ?? "0"
            return "\(number)/\(suppressed)"
        }
        // Each message uses up ten seconds of a budget of a hundred, which a second gives back one of: messages 1 to 11,
        // since message 11 comes ten seconds after the first; from then on one in ten.
        #expect(
            told == [
                "1/0", "2/0", "3/0", "4/0", "5/0", "6/0", "7/0", "8/0", "9/0", "10/0", "11/0", "21/9", "31/9", "41/9",
                "51/9",
            ])
    }

    @Test func `each namespace has its own count`() {
        var replay = Replay()
        replay.open(0)
        for number in 0..<12 { replay.receive(1, from: "t-1", namespace, tick(number)) }
        replay.receive(1, from: "t-1", Namespace("urn:x-cast:com.example.other"), tick(0))
        #expect(replay.lines(after: 1).count == 11)
    }

    @Test func `tells what was said, without secrets`() {
        var replay = Replay()
        replay.open(0)
        replay.receive(
            1, from: "t-1", namespace, #"{"type":"connect","accessToken":"s3cret","user":{"name":"Ada"}}"#)
        #expect(
            replay.lines(after: 1).first?.hasSuffix(
                #""text":"{\"type\":\"connect\",\"accessToken\":\"(redacted)\",\"user\":{\"name\":\"Ada\"}}"}"#) == true
        )
    }

    @Test func `leaves out what an app added to a media message for itself`() {
        var replay = Replay()
        replay.open(0)
        replay.receive(
            1, from: "t-1", .media,
            #"{"type":"NEWS","customData":{"x":"s3cret"},"items":[{"id":1,"customData":"s3cret"}],"n":2}"#)
        #expect(
            replay.lines(after: 1).first?.hasSuffix(
                #""text":"{\"type\":\"NEWS\",\"customData\":\"(redacted)\",\"items\":[{\"id\":1,\"customData\":\"(redacted)\"}],\"n\":2}"}"#
            ) == true)
    }

    @Test func `tells plain text up to 4 KiB, and says when it was cut`() {
        var replay = Replay()
        replay.open(0)
        replay.receive(1, from: "t-1", namespace, "Ad Error: timeout")
        replay.receive(2, from: "t-1", namespace, String(repeating: "x", count: 5000))
        let lines = replay.lines(after: 1)
        #expect(lines[0].hasSuffix(#""text":"Ad Error: timeout"}"#))
        #expect(lines[1].hasSuffix(#""text":"\#(String(repeating: "x", count: 4096))","truncated":true}"#))
    }

    @Test(arguments: ["cac", "inject", "debugoverlay", "sse", "remotecontrol"])
    func `tells type and size of the platform's own business`(name: String) {
        var replay = Replay()
        replay.open(0)
        replay.receive(
            1, from: "t-1", Namespace("urn:x-cast:com.google.cast.\(name)"), #"{"type":"WRAPPED","data":"{}"}"#)
        let line = replay.lines(after: 1).first ?? ""
        #expect(line.contains(#""type":"WRAPPED","size":30"#))
        #expect(!line.contains("text"))
    }

    @Test func `counts the messages of mirroring, and tells one a minute`() {
        var replay = Replay()
        replay.open(0)
        let webrtc = Namespace("urn:x-cast:com.google.cast.webrtc")
        for number in 0..<100 { replay.receive(1 + Double(number), from: "t-1", webrtc, tick(number)) }
        let lines = replay.lines(after: 1)
        #expect(lines.count == 2)
        #expect(lines[1].hasSuffix(#""suppressed":59}"#))
        #expect(!lines[0].contains("TICK"))
    }
}
