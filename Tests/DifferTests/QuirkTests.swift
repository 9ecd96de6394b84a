import CastModel
import CastWire
import Recording
import Testing

@testable import Differ

// Goal: what devices and apps get wrong (PROTOCOL 8) is tolerated, and told as what it is.
// Method: each row of that table, by its number, happens to a player that plays; the events that follow are worked out by
// hand. Rows 8 (split frames) and 32 (mDNS) are also those of FrameDecoderTests and DeviceRosterTests, 29 of SenderCoreTests.
@Suite("A quirk of PROTOCOL 8")
struct QuirkTests {
    struct Quirk: Sendable, CustomTestStringConvertible {
        let row: Int
        let what: String
        let expected: [String]
        let happens: @Sendable (inout Replay) -> Void
        var testDescription: String { "row \(row): \(what)" }

        init(
            _ row: Int, _ what: String, gives expected: [String], _ happens: @escaping @Sendable (inout Replay) -> Void
        ) {
            (self.row, self.what, self.expected, self.happens) = (row, what, expected, happens)
        }
    }

    /// App session s-1 plays "One", contentId a, of 100 s, in media session 1, from second 2 on, text track 1 selected.
    private static func playing() -> Replay {
        var replay = Replay()
        replay.open(0)
        replay.receiver(0.1, #""volume":{"level":0.5,"muted":false}"#)
        replay.receiver(1, app)
        replay.media(
            2, 5, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"activeTrackIds":[1],\#(one)}"#)
        return replay
    }

    static let app = #""applications":[{"appId":"CC1AD845","sessionId":"s-1","transportId":"t-1"}]"#
    static let style = ##""textTrackStyle":{"foregroundColor":"#FFFF00FF","fontScale":1.0}"##
    static let one = #""media":{"contentId":"a","duration":100,"metadata":{"title":"One"},\#(style)}"#
    static let paused = ["player_state_changed receiver PAUSED at 8"]

    @Test(arguments: shapes + values + lives + texts)
    func `is tolerated, and told as what it is`(quirk: Quirk) {
        var replay = Self.playing()
        let known = replay.records.count
        quirk.happens(&replay)
        var differ = StatusDiffer()
        for record in replay.records.prefix(known) { _ = differ.fold(record) }
        let told = replay.records.dropFirst(known).flatMap { differ.fold($0) }
        #expect(told.map { $0.compact } == quirk.expected)
    }

    @Test func `is here, row by row`() {
        let rows = Set((Self.shapes + Self.values + Self.lives + Self.texts).map(\.row))
        #expect(rows == Set(1...33).subtracting([8]))
    }

    // MARK: The shape of messages

    static let shapes: [Quirk] = [
        Quirk(
            1, "a flat status", gives: ["media_session_ended unknown", "media_session_started unknown PLAYING R at 3"]
        ) {
            $0.receive(
                10, from: "t-1", .media,
                #"{"type":"MEDIA_STATUS","mediaSessionId":0,"playerState":"PLAYING","currentTime":3,"volume":{},"media":{"contentId":"","metadata":{"title":"R"}}}"#
            )
        },
        Quirk(2, "a status that is an object", gives: paused) {
            $0.receive(
                10, from: "t-1", .media,
                #"{"type":"MEDIA_STATUS","requestId":0,"status":{"mediaSessionId":1,"playerState":"PAUSED","currentTime":8}}"#
            )
        },
        Quirk(2, "a launch status that is a word", gives: ["launch_status sender_request USER_ALLOWED"]) {
            $0.receive(
                10, from: "receiver-0", .receiver,
                #"{"type":"LAUNCH_STATUS","launchRequestId":9,"status":"USER_ALLOWED"}"#)
        },
        Quirk(3, "no status", gives: ["media_session_ended receiver"]) { $0.media(10, 0, "") },
        Quirk(4, "responseType", gives: paused) {
            $0.receive(
                10, from: "t-1", .media,
                #"{"responseType":"MEDIA_STATUS","requestId":0,"status":[{"mediaSessionId":1,"playerState":"PAUSED","currentTime":8}]}"#
            )
        },
        Quirk(5, "no JSON, or no object", gives: ["malformed_payload unknown", "malformed_payload unknown"]) {
            $0.receive(10, from: "t-1", .media, "hello")
            $0.receive(11, from: "t-1", .media, "[1]")
        },
        Quirk(6, "text in the field of bytes", gives: paused) {
            var message = CastMessage(
                from: "t-1", to: "*", .media,
                binary: Array(
                    #"{"type":"MEDIA_STATUS","requestId":0,"status":[{"mediaSessionId":1,"playerState":"PAUSED","currentTime":8}]}"#
                        .utf8))
            message.payloadType = .string
            $0.receive(10, message)
        },
        Quirk(7, "bytes of an app", gives: ["custom_message unknown"]) {
            $0.receive(10, CastMessage(from: "t-1", to: "*", Namespace("urn:x-cast:app"), binary: [0, 255]))
        },
        Quirk(9, "namespaces as words, none, or null", gives: []) {
            for (second, value) in [#"["urn:x-cast:com.google.cast.media"]"#, "[]", "null"].enumerated() {
                $0.receiver(
                    10 + Double(second),
                    #""applications":[{"appId":"CC1AD845","sessionId":"s-1","transportId":"t-1","namespaces":\#(value)}]"#
                )
            }
        },
        Quirk(
            10, "an idle screen without its flag",
            gives: ["app_stopped receiver", "idle_screen_shown receiver E8C28D3C"]
        ) {
            $0.receiver(10, #""applications":[{"appId":"E8C28D3C","appType":"ANDROID_TV","sessionId":"s-2"}]"#)
        },
        Quirk(10, "no applications at all", gives: ["app_stopped receiver"]) {
            $0.receiver(10, #""isActiveInput":null"#)
        },
        Quirk(
            22, "requestIds: none, 0 and huge",
            gives: [
                "player_state_changed unknown PAUSED at 8", "player_state_changed receiver PLAYING at 8",
                "player_state_changed sender_request PAUSED at 9",
            ]
        ) {
            $0.media(10, nil, #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":8}"#)
            $0.media(11, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":8}"#)
            $0.media(12, 1_830_132_622, #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":9}"#)
        },
        Quirk(
            23, "errors that say nothing",
            gives: [
                "media_error unknown ERROR - - -", "media_error sender_request LOAD_FAILED - - -",
            ]
        ) {
            $0.receive(10, from: "t-1", .media, #"{"type":"ERROR"}"#)
            $0.receive(11, from: "t-1", .media, #"{"type":"LOAD_FAILED","requestId":5}"#)
        },
        Quirk(29, "heartbeats of odd ends, and on the wrong namespace", gives: ["custom_message unknown PONG"]) {
            $0.receive(10, from: "Tr@n$p0rt-0", to: "Tr@n$p0rt-0", .heartbeat, #"{"type":"PING"}"#)
            $0.receive(11, from: "receiver-0", .receiver, #"{"type":"PONG"}"#)
        },
    ]
}
