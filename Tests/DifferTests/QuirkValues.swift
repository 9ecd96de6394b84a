import CastModel
import CastWire
import Recording

@testable import Differ

/// The rows about what messages say; ``QuirkTests`` makes them happen.
extension QuirkTests {
    /// A status of media session 1 with these fields, at second 10, by the receiver itself.
    private static func status(_ fields: String, at second: Double = 10, _ requestID: Int64 = 0)
        -> @Sendable (inout Replay) -> Void
    {
        { $0.media(second, requestID, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":8,\#(fields)}"#) }
    }

    // MARK: Values

    static let values: [Quirk] = [
        Quirk(
            11, "a stream type that is a number, a content type that is null", gives: ["media_changed receiver"],
            status(#""media":{"contentId":"b","streamType":1,"contentType":null}"#)),
        Quirk(
            12, "durations null, 0 and -1, all unknown",
            gives: [
                "duration_changed receiver", "media_reasserted receiver no effect",
                "media_reasserted receiver no effect",
            ]
        ) {
            for (index, value) in ["null", "0", "-1"].enumerated() {
                $0.media(
                    10, 0,
                    #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":\#(8 + index),"media":{"contentId":"a","duration":\#(value),"metadata":{"title":"One"},\#(style)}}"#
                )
            }
        },
        Quirk(
            13, "a scale that is a string, sent by a sender",
            gives: ["text_track_style_reasserted sender_request no effect"],
            status(
                ##""media":{"contentId":"a","duration":100,"metadata":{"title":"One"},"textTrackStyle":{"foregroundColor":"#ffff00ff","fontScale":"1.0"}}"##,
                12)),
        Quirk(
            14, "images that are words", gives: ["metadata_changed receiver One"],
            status(
                #""media":{"contentId":"a","duration":100,"metadata":{"title":"One","images":["http://i/1"]},\#(style)}"#
            )),
        Quirk(
            15, "a metadata type of its own", gives: ["metadata_changed receiver One"],
            status(
                #""media":{"contentId":"a","duration":100,"metadata":{"metadataType":103,"title":"One"},\#(style)}"#)),
        Quirk(18, "no active tracks, in three spellings", gives: ["active_tracks_changed receiver"]) {
            status(#""activeTrackIds":null"#)(&$0)
            $0.media(11, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":9,"activeTrackIds":[]}"#)
            $0.media(12, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":10}"#)
        },
        Quirk(
            20, "positions below 0 and beyond all bounds",
            gives: [
                "player_state_changed receiver PAUSED at 0", "player_state_changed receiver PLAYING at 0",
            ]
        ) {
            $0.media(10, 0, #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":-5}"#)
            $0.media(11, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":1e300}"#)
        },
        Quirk(
            28, "commands with unknown bits", gives: ["supported_commands_changed receiver 1039823"],
            status(#""supportedMediaCommands":1039823"#)),
    ]

    // MARK: How sessions live

    static let lives: [Quirk] = [
        Quirk(
            16, "idle, and loading in extendedStatus",
            gives: [
                "media_session_ended receiver INTERRUPTED", "media_session_started receiver LOADING b at 0",
                "media_loading receiver b",
            ]
        ) {
            $0.media(
                10, 0,
                #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"INTERRUPTED","currentTime":0,"extendedStatus":{"playerState":"LOADING","mediaSessionId":2,"currentTime":0,"media":{"contentId":"b"}}}"#
            )
        },
        Quirk(
            17, "idle without a reason, and a stale reason while playing",
            gives: [
                "player_state_changed receiver IDLE at 8", "player_state_changed receiver PLAYING at 8",
            ]
        ) {
            $0.media(10, 0, #"{"mediaSessionId":1,"playerState":"IDLE","currentTime":8}"#)
            $0.media(11, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","idleReason":"FINISHED","currentTime":8}"#)
        },
        Quirk(19, "rate 0 after a stop", gives: ["media_session_ended sender_request CANCELLED"]) {
            $0.media(
                10, 6,
                #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"CANCELLED","currentTime":8,"playbackRate":0}"#)
        },
        Quirk(
            21, "media sessions that skip numbers, and begin at 1 again with the app",
            gives: [
                "media_session_ended receiver", "media_session_started receiver PLAYING b at 0",
                "app_replaced receiver",
                "media_session_started receiver PLAYING c at 0",
            ]
        ) {
            $0.media(
                10, 0, #"{"mediaSessionId":5,"playerState":"PLAYING","currentTime":0,"media":{"contentId":"b"}}"#)
            $0.receiver(11, #""applications":[{"appId":"CC1AD845","sessionId":"s-2","transportId":"t-2"}]"#)
            $0.receive(
                12, from: "t-2", .media,
                #"{"type":"MEDIA_STATUS","requestId":0,"status":[{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"media":{"contentId":"c"}}]}"#
            )
        },
        Quirk(
            26, "loading for ever",
            gives: [
                "media_session_ended receiver", "media_session_started receiver LOADING b", "media_loading receiver b",
            ]
        ) {
            for second in 10..<15 {
                $0.media(
                    Double(second), 0, #"{"mediaSessionId":2,"playerState":"LOADING","media":{"contentId":"b"}}"#)
            }
        },
        Quirk(30, "the same receiver status again and again", gives: []) {
            for second in 10..<15 { $0.receiver(Double(second), app) }
        },
        Quirk(
            31, "an availability that denies what runs", gives: ["custom_message sender_request GET_APP_AVAILABILITY"]
        ) {
            $0.receive(
                10, from: "receiver-0", .receiver,
                #"{"responseType":"GET_APP_AVAILABILITY","requestId":3,"availability":{"CC1AD845":"APP_UNAVAILABLE"}}"#)
        },
        Quirk(
            32, "an announcement that goes while the link lives",
            gives: [
                "device_seen unknown", "device_withdrawn unknown", "player_state_changed receiver PAUSED at 10",
            ]
        ) {
            $0.add(
                10,
                .deviceSeen(
                    DeviceAdvertisement(
                        deviceID: $0.device, name: "TV", model: "M", addresses: ["192.0.2.7"], port: 8009,
                        capabilities: nil, txt: [],
                        source: .mdns)))
            $0.add(11, .deviceWithdrawn($0.device))
            $0.media(12, 0, #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":10}"#)
        },
    ]

    // MARK: Texts

    static let texts: [Quirk] = [
        Quirk(
            24, "a content id that is JSON with a token", gives: ["media_changed receiver"],
            status(#""media":{"contentId":"{\"token\":\"x\"}"}"#)),
        Quirk(25, "a backslash that escapes nothing", gives: ["malformed_payload unknown"]) {
            $0.receive(10, from: "t-1", .media, #"{"type":"MEDIA_STATUS","path":"C:\media"}"#)
        },
        Quirk(
            27, "a message and a word of an app's own",
            gives: [
                "custom_message receiver TIME_TICK", "player_state_changed receiver DREAMING at 9",
            ]
        ) {
            $0.receive(10, from: "t-1", .media, #"{"type":"TIME_TICK","requestId":0,"timeElapsed":8}"#)
            $0.media(11, 0, #"{"mediaSessionId":1,"playerState":"DREAMING","currentTime":9}"#)
        },
        Quirk(33, "a key twice: the last one counts", gives: paused) {
            $0.media(10, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","playerState":"PAUSED","currentTime":8}"#)
        },
        Quirk(
            33, "bytes that are no UTF-8, and half a character",
            gives: [
                "malformed_payload unknown", "malformed_payload unknown",
            ]
        ) {
            var message = CastMessage(from: "t-1", to: "*", .media, text: "")
            message.payloadUTF8 = Array(#"{"type":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
            $0.receive(10, message)
            $0.receive(11, from: "t-1", .media, #"{"type":"MEDIA_STATUS","x":"\ud800"}"#)
        },
        Quirk(
            33, "NUL in a title", gives: ["metadata_changed receiver T\u{0}V"],
            status(
                #""media":{"contentId":"a","duration":100,"metadata":{"title":"T\u0000V"},\#(style)}"#)),
    ]
}

extension Replay {
    /// Any message from the device.
    mutating func receive(_ seconds: Double, _ message: CastMessage) {
        add(seconds, .frame(RecordedFrame(device: device, link: LinkNumber(1), direction: .inbound, message: message)))
    }
}
