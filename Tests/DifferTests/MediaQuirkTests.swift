import CastModel
import CastWire
import Differ
import Recording
import Testing

// Goal: what real receiver apps do otherwise than the documentation says makes no event that is not true.
// Method: the rows of PROTOCOL 8 that concern media, each on a media session that plays.
@Suite("The differ on the quirks of receiver apps")
struct MediaQuirkTests {
    private static let playing =
        #"{"mediaSessionId":7,"playerState":"PLAYING","currentTime":0,"playbackRate":1,"activeTrackIds":[1],"volume":{"level":0.05,"muted":false},"supportedMediaCommands":15,"media":{"contentId":"a","duration":null,"metadata":{}}}"#

    private func lines(_ change: (inout Replay) -> Void) -> [String] {
        var replay = Replay.appSeenStarting()
        replay.media(2, 5, Self.playing)
        let known = replay.records.count
        change(&replay)
        return replay.lines(after: known)
    }

    /// Fields of a status, eight seconds after the media session began at 0.
    private func told(_ fields: String) -> [String] {
        lines { $0.media(10, 0, #"{"mediaSessionId":7,"playerState":"PLAYING","currentTime":8,\#(fields)}"#) }
    }

    private let paused =
        #"player_state_changed receiver | media_status | was {"playerState":"PLAYING"} | is {"playerState":"PAUSED"}"#

    // Rows 3, 12, 13, 17, 18, 20: nothing of this is a change.
    @Test(arguments: [
        #""idleReason":"FINISHED""#, #""volume":{}"#, #""volume":{"level":0.05000000074505806}"#,
        #""volume":{"level":"0.05","muted":"false"}"#, #""currentTime":"8""#, #""playbackRate":"1.0""#,
        #""supportedMediaCommands":15.0"#, #""activeTrackIds":["1"]"#, #""activeTrackIds":7"#,
        #""currentTime":"NaN""#, #""currentTime":1e300"#, #""currentTime":null"#, #""mediaSessionId":"7""#,
        #""customData":{"x":1}"#, #""items":null"#, #""queueData":null"#, #""repeatMode":null"#,
        #""media":[]"#, #""extendedStatus":null"#, #""breakStatus":"none""#, #""somethingNew":{"a":[1]}"#,
    ])
    func `a field that says nothing, or the same otherwise, is no event`(field: String) {
        #expect(told(field) == [])
    }

    // Row 12: 0, -1 and null all stand for unknown; absent does so here.
    @Test(arguments: [#""duration":0,"#, #""duration":-1,"#, #""duration":"0","#, ""])
    func `an unknown duration has many spellings`(duration: String) {
        let lines = told(#""media":{"contentId":"a",\#(duration)"metadata":{}}"#)
        #expect(lines.map { $0.prefix { $0 != " " } } == ["media_reasserted"])
    }

    // Row 4, and no type at all.
    @Test(arguments: [#""responseType":"MEDIA_STATUS","requestId":0,"#, #""type":"MEDIA_STATUS","requestId":0,"#])
    func `the type may have another key`(envelope: String) {
        #expect(
            lines {
                $0.receive(
                    10, from: "t-1", .media,
                    #"{\#(envelope)"status":[{"mediaSessionId":7,"playerState":"PAUSED","currentTime":8}]}"#)
            } == [paused])
    }

    // Rows 11 and 27: words are an open set, and case does not count.
    @Test func `an unknown player state is told as it came, and case is no change`() {
        #expect(told(#""playerState":"playing""#).isEmpty)
        #expect(
            lines { $0.media(10, 0, #"{"mediaSessionId":7,"playerState":"Dreaming","currentTime":8}"#) } == [
                #"player_state_changed receiver | media_status | was {"playerState":"PLAYING"} | is {"playerState":"Dreaming"}"#
            ])
    }

    // Rows 16 and 26: whether it ever ends or not.
    @Test func `LOADING while idle is a LOAD under way, however often it is told`() {
        let loading =
            #"{"mediaSessionId":7,"playerState":"IDLE","extendedStatus":{"playerState":"LOADING","mediaSessionId":7,"media":{"contentId":"b"}}}"#
        let told = lines { replay in for second in 10...15 { replay.media(Double(second), 0, loading) } }
        #expect(told.map { $0.prefix { $0 != " " } } == ["media_loading"])
    }

    // Row 17.
    @Test func `idle without a reason is idle, and no end`() {
        #expect(
            lines { $0.media(10, 0, #"{"mediaSessionId":7,"playerState":"IDLE","currentTime":0}"#) } == [
                #"player_state_changed receiver | media_status | was {"playerState":"PLAYING"} | is {"playerState":"IDLE"}"#
            ])
    }

    // Row 21: after a relaunch the numbers start again, and are other media sessions.
    @Test func `the same number in another app session is another media session`() {
        var replay = Replay.appSeenStarting()
        replay.media(2, 5, Self.playing)
        let known = replay.records.count
        replay.receiver(10, #""applications":[{"appId":"CC1AD845","sessionId":"s-2","transportId":"t-2"}]"#)
        replay.receive(
            11, from: "t-2", .media, #"{"type":"MEDIA_STATUS","requestId":5,"status":[\#(Self.playing)]}"#)
        #expect(
            replay.lines(after: known).map { $0.prefix { $0 != " " } } == ["app_replaced", "media_session_started"])
    }

    // Row 22: ids of other senders may be anything.
    @Test(arguments: [
        ("1830132622", "sender_request"), ("9223372036854775807", "sender_request"), ("\"12\"", "sender_request"),
        ("-5", "sender_request"), ("0", "receiver"), ("null", "unknown"), ("1.5", "unknown"), ("[]", "unknown"),
    ])
    func `any requestId is taken, and only 0 is the receiver's own`(requestID: String, cause: String) {
        let told = lines {
            $0.receive(
                10, from: "t-1", .media,
                #"{"type":"MEDIA_STATUS","requestId":\#(requestID),"status":[{"mediaSessionId":7,"playerState":"PAUSED","currentTime":8}]}"#
            )
        }
        #expect(told.map { $0.prefix { $0 != "|" } } == ["player_state_changed \(cause) "])
    }

    // Row 23.
    @Test(arguments: [
        (#"{"type":"ERROR"}"#, #"media_error unknown | is {"type":"ERROR"}"#),
        (
            #"{"type":"LOAD_FAILED","requestId":0,"detailedErrorCode":"905"}"#,
            #"media_error receiver | is {"type":"LOAD_FAILED","detailedErrorCode":"905","errorName":"LOAD_FAILED"}"#
        ),
        (
            #"{"responseType":"LOAD_FAILED","requestId":0,"detailedErrorCode":12345}"#,
            #"media_error receiver | is {"responseType":"LOAD_FAILED","detailedErrorCode":12345}"#
        ),
    ])
    func `an error says what it says, and no more`(payload: String, line: String) {
        #expect(lines { $0.receive(10, from: "t-1", .media, payload) } == [line])
    }

    // Row 24: longer than 2 KiB, and JSON in a text.
    @Test func `a content id may be a long text`() {
        let long = String(repeating: "x", count: 5000)
        #expect(
            told(#""media":{"contentId":"\#(long)","metadata":{}}"#).map { $0.prefix { $0 != " " } } == [
                "media_changed"
            ])
        #expect(
            told(#""media":{"contentId":"{\"id\":\"b\"}","metadata":{}}"#) == [
                #"media_changed receiver | media_metadata+media_status | was {"contentId":"a","duration":null,"metadata":{}} | is {"contentId":"{\"id\":\"b\"}","metadata":{}}"#
            ])
    }

    // Row 27: apps speak on the media namespace as they like.
    @Test func `an unknown message on the media namespace is the app's own`() {
        #expect(
            lines { $0.receive(10, from: "t-1", .media, #"{"type":"CUSTOM_STATE","requestId":0,"state":{}}"#) }
                .map { $0.prefix { $0 != "|" } } == ["custom_message receiver "])
    }

    // Row 28.
    @Test func `unknown bits of the commands are kept`() {
        #expect(
            told(#""supportedMediaCommands":1039823"#) == [
                #"supported_commands_changed receiver | media_status | was {"supportedMediaCommands":15} | is {"supportedMediaCommands":1039823}"#
            ])
    }

    // Parser rule 6.
    @Test func `an element that makes no sense leaves its siblings`() {
        let told = lines {
            $0.media(10, 0, #"7,null,{"mediaSessionId":7,"playerState":"PAUSED","currentTime":8},"x""#)
        }
        #expect(told == [paused])
    }
}
