import CastModel
import CastWire
import Testing

@testable import Fleet

// Goal: whatever a sender writes, a simulated device neither traps nor forgets how to play.
// Method: every request type, every field, every kind of hostile value, each on a device that plays; then all timers.
@Suite("A hostile request")
struct HostileRequestTests {
    static let values: [JSONValue] = [
        nil, true, .integer(.max), .integer(.min), -1, .unsigned(.max), 1e300, -1e300, 1e-300, "", "1", [], [[]],
        .array([.integer(.max), .integer(.min)]), ["level": 1e300, "muted": 1, "items": [["itemId": -1]]],
    ]
    static let fields = [
        "requestId", "mediaSessionId", "media", "currentTime", "relativeTime", "playbackRate", "relativePlaybackRate",
        "volume", "activeTrackIds", "textTrackStyle", "items", "itemIds", "startIndex", "jump", "currentItemId",
        "insertBefore", "repeatMode", "queueData", "options", "language", "enableTextTracks", "autoplay",
        "sequenceNumber", "shuffle", "currentItemIndex", "userAction",
    ]
    static let types = [
        "LOAD", "QUEUE_LOAD", "GET_STATUS", "PLAY", "PAUSE", "STOP", "SEEK", "SET_VOLUME", "SET_PLAYBACK_RATE",
        "EDIT_TRACKS_INFO", "QUEUE_INSERT", "QUEUE_UPDATE", "QUEUE_REMOVE", "QUEUE_NEXT", "QUEUE_PREV",
        "QUEUE_GET_ITEM_IDS", "QUEUE_GET_ITEMS", "QUEUE_REORDER", "QUEUE_SHUFFLE", "PLAY_AGAIN", "SKIP_AD",
        "USER_ACTION", "EDIT_AUDIO_TRACKS",
    ]

    @Test(arguments: types)
    func `to an app leaves it able to play`(type: String) {
        for field in Self.fields {
            for value in Self.values {
                var bench = MediaBench.playing()
                var body = JSONObject([
                    ("type", .string(type)), ("requestId", 2), ("mediaSessionId", 1), ("media", MediaBench.film),
                    ("items", [["media": MediaBench.film]]),
                ])
                body[field] = value
                _ = bench.machine.received(.object(body), from: MediaBench.senderA, at: bench.now)
                for timer in MediaMachine.Timer.allCases {
                    bench.now += .seconds(10_000)
                    _ = bench.machine.fired(timer, at: bench.now)
                }
                _ = bench.send("LOAD", 3, [("media", MediaBench.film)])
                #expect(bench.fire(.loadSettles).last?.contains("PLAYING media") == true, "\(field): \(value.text)")
            }
        }
    }

    @Test(arguments: ["LAUNCH", "STOP", "SET_VOLUME", "GET_STATUS", "GET_APP_AVAILABILITY"])
    func `to the platform leaves it able to answer`(type: String) {
        for field in ["requestId", "appId", "sessionId", "volume", "type"] {
            for value in Self.values {
                var bench = DeviceBench.running()
                var body = JSONObject([("type", .string(type)), ("requestId", 2)])
                body[field] = value
                _ = bench.send(1, "A", "receiver-0", .receiver, JSONValue.object(body).text)
                let answer = bench.send(1, "A", "receiver-0", .receiver, "{\"type\":\"GET_STATUS\",\"requestId\":9}")
                #expect(answer.count == 1 && answer[0].hasPrefix("1 A: RECEIVER_STATUS 9"), "\(field): \(value.text)")
            }
        }
    }

    @Test(arguments: ["protocolVersion", "protocolVersionList", "connType", "userAgent", "type"])
    func `to the connection namespace leaves it able to answer`(field: String) {
        for value in Self.values {
            var bench = DeviceBench.running()
            var body = JSONObject([("type", "CONNECT")])
            body[field] = value
            _ = bench.send(1, "A", "receiver-0", .connection, JSONValue.object(body).text)
            #expect(bench.send(1, "A", "receiver-0", .heartbeat, "{\"type\":\"PING\"}") == ["1 A: PONG"])
        }
    }

    @Test func `a link may have 64 virtual connections and no more`() {
        var bench = DeviceBench()
        _ = bench.handle(.linkOpened(1))
        for number in 0..<64 { #expect(bench.connect(1, "sender-\(number)", to: "receiver-0") == []) }
        #expect(bench.connect(1, "sender-64", to: "receiver-0") == ["1 sender-64: CLOSE"])
    }
}
