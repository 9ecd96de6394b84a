import CastModel
import CastWire
import Differ
import Recording
import Testing

// Goal: what a bystander records when another sender, here with requestId 42, asks for something.
// Method: one test for each row of the table in PROTOCOL 5.1, with the frames as the table has them.
@Suite("What a bystander records of another sender's request")
struct SenderRequestTests {
    private static let style = ##""textTrackStyle":{"foregroundColor":"#FFFFFFFF"}"##
    private static let tracks =
        #""tracks":[{"trackId":1,"type":"TEXT","subtype":"SUBTITLES","language":"en","name":"English"},{"trackId":2,"type":"AUDIO","language":"de"}]"#
    private static let media = #""media":{"contentId":"a","duration":100,\#(tracks),\#(style)}"#
    private static let both = "media_metadata+media_status"

    /// Media session 3 plays item 1 of the queue 1, 2, 3 from second 2 on.
    private func playing() -> Replay {
        var replay = Replay.appSeenStarting()
        replay.media(
            2, 0,
            #"{"mediaSessionId":3,"playerState":"PLAYING","currentTime":0,"playbackRate":1,"volume":{"level":1,"muted":false},"supportedMediaCommands":12303,"activeTrackIds":[],"currentItemId":1,"repeatMode":"REPEAT_OFF","queueData":{"shuffle":false},"items":[{"itemId":1},{"itemId":2},{"itemId":3}],\#(Self.media)}"#
        )
        return replay
    }

    private func lines(_ change: (inout Replay) -> Void) -> [String] {
        var replay = playing()
        let known = replay.records.count
        change(&replay)
        return replay.lines(after: known)
    }

    /// A status of media session 3, ten seconds after it began.
    private func status(_ fields: String, state: String = "PLAYING", at seconds: Int = 10) -> String {
        #"{"mediaSessionId":3,"playerState":"\#(state)","currentTime":\#(seconds),\#(fields)}"#
    }

    // GET_STATUS by A: to A alone. A receiver app that sends it to everybody re-asserts nothing either.
    @Test(arguments: ["sender-a", "sender-us"])
    func `GET_STATUS: an answer that reaches us by accident changes nothing`(destination: String) {
        #expect(
            lines { $0.media(12, 42, to: destination, status(#""items":[{"itemId":1},{"itemId":2}],\#(Self.media)"#)) }
                == [])
    }

    // A broadcast without media.
    @Test(arguments: [
        (
            "PAUSE", #"{"mediaSessionId":3,"playerState":"PAUSED","currentTime":10,"playbackRate":1}"#,
            [
                #"player_state_changed sender_request | media_status | was {"playerState":"PLAYING"} | is {"playerState":"PAUSED"}"#
            ]
        ),
        ("PLAY while it plays", #"{"mediaSessionId":3,"playerState":"PLAYING","currentTime":10,"playbackRate":1}"#, []),
        (
            "SEEK", #"{"mediaSessionId":3,"playerState":"BUFFERING","currentTime":60,"playbackRate":1}"#,
            [
                #"player_state_changed sender_request | media_status | was {"playerState":"PLAYING"} | is {"playerState":"BUFFERING"}"#,
                #"seeked sender_request | media_status | was {"currentTime":10.0} | is {"currentTime":60.0}"#,
            ]
        ),
        (
            "SET_VOLUME",
            #"{"mediaSessionId":3,"playerState":"PLAYING","currentTime":10,"volume":{"level":0.5,"muted":false}}"#,
            [#"stream_volume_changed sender_request | media_status | was {"level":1.0} | is {"level":0.5}"#]
        ),
        (
            "SET_PLAYBACK_RATE", #"{"mediaSessionId":3,"playerState":"PLAYING","currentTime":10,"playbackRate":1.5}"#,
            [
                #"playback_rate_changed sender_request | media_status | was {"playbackRate":1.0} | is {"playbackRate":1.5}"#
            ]
        ),
        (
            "STOP",
            #"{"mediaSessionId":3,"playerState":"IDLE","idleReason":"CANCELLED","currentTime":10,"playbackRate":0}"#,
            [
                #"media_session_ended sender_request | media_status | was {"playerState":"PLAYING","media":{"contentId":"a","duration":100}} | is {"playerState":"IDLE","idleReason":"CANCELLED"}"#
            ]
        ),
        (
            "EDIT_AUDIO_TRACKS", #"{"mediaSessionId":3,"playerState":"PLAYING","currentTime":10,"activeTrackIds":[2]}"#,
            [
                #"active_tracks_changed sender_request | media_status | was {"activeTrackIds":[],"tracks":[]} | is {"activeTrackIds":[2],"tracks":[{"trackId":2,"type":"AUDIO","language":"de"}]}"#
            ]
        ),
        (
            "QUEUE_SHUFFLE",
            #"{"mediaSessionId":3,"playerState":"PLAYING","currentTime":10,"queueData":{"shuffle":true}}"#,
            [#"queue_changed sender_request | media_status+queue | was {"shuffle":false} | is {"shuffle":true}"#]
        ),
        (
            "PLAY_AGAIN", #"{"mediaSessionId":3,"playerState":"PLAYING","currentTime":0,"playbackRate":1}"#,
            [#"seeked sender_request | media_status | was {"currentTime":10.0} | is {"currentTime":0.0}"#]
        ),
    ])
    func `a command to the player: the field that changed, to the status callback`(
        request: String, status: String, expected: [String]
    ) {
        #expect(lines { $0.media(12, 42, status) } == expected, "\(request)")
    }

    @Test func `PLAY_AGAIN after the end: the media session begins again with the media it had`() {
        let told = lines {
            $0.media(102, 0, #"{"mediaSessionId":3,"playerState":"IDLE","idleReason":"FINISHED"}"#)
            $0.media(110, 42, #"{"mediaSessionId":3,"playerState":"PLAYING","currentTime":0}"#)
        }
        #expect(
            told.map { $0.prefix { $0 != "|" } } == [
                "media_session_ended receiver ", "media_session_started sender_request ",
            ])
        #expect(told.last?.contains(#""contentId":"a""#) == true)
    }

    @Test func `EDIT_TRACKS_INFO with another style: both callbacks`() {
        let other = Self.media.replacing("#FFFFFFFF", with: "#FFFF00FF")
        #expect(
            lines { $0.media(12, 42, status(other)) } == [
                ##"text_track_style_changed sender_request | \##(Self.both) | was {"textTrackStyle":{"foregroundColor":"#FFFFFFFF"}} | is {"textTrackStyle":{"foregroundColor":"#FFFF00FF"}}"##
            ])
    }

    @Test func `EDIT_TRACKS_INFO with the same style: both callbacks, without effect`() {
        #expect(
            lines { $0.media(12, 42, status(Self.media)) } == [
                ##"text_track_style_reasserted sender_request | no effect | \##(Self.both) | was {"textTrackStyle":{"foregroundColor":"#FFFFFFFF"}} | is {"textTrackStyle":{"foregroundColor":"#FFFFFFFF"}}"##
            ])
    }

    @Test func `EDIT_TRACKS_INFO with style and tracks: an event for each, with its own callbacks`() {
        let other = Self.media.replacing("#FFFFFFFF", with: "#FFFF00FF")
        #expect(
            lines { $0.media(12, 42, status(#""activeTrackIds":[1],\#(other)"#)) } == [
                ##"text_track_style_changed sender_request | \##(Self.both) | was {"textTrackStyle":{"foregroundColor":"#FFFFFFFF"}} | is {"textTrackStyle":{"foregroundColor":"#FFFF00FF"}}"##,
                #"active_tracks_changed sender_request | media_status | was {"activeTrackIds":[],"tracks":[]} | is {"activeTrackIds":[1],"tracks":[{"trackId":1,"type":"TEXT","subtype":"SUBTITLES","language":"en","name":"English"}]}"#,
            ])
    }

    @Test func `EDIT_TRACKS_INFO without a style: the status callback alone, and an unlisted track has no name`() {
        #expect(
            lines { $0.media(12, 42, status(#""activeTrackIds":[9]"#)) } == [
                #"active_tracks_changed sender_request | media_status | was {"activeTrackIds":[],"tracks":[]} | is {"activeTrackIds":[9],"tracks":[{"trackId":9}]}"#
            ])
    }

    // Newer receivers put the loader's id on the first broadcast already.
    @Test(arguments: [(Int64(0), "receiver"), (42, "sender_request")])
    func `LOAD into an empty player: start, loading, then playing by the loader's id`(id: Int64, cause: String) {
        var replay = Replay.appSeenStarting()
        let known = replay.records.count
        replay.media(
            2, id,
            #"{"mediaSessionId":1,"playerState":"IDLE","currentTime":0,"media":{"contentId":"b"},"extendedStatus":{"playerState":"LOADING","mediaSessionId":1,"media":{"contentId":"b"}}}"#
        )
        replay.media(
            3, 42,
            #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"playbackRate":1,"supportedMediaCommands":12303,"volume":{"level":1,"muted":false},"repeatMode":"REPEAT_OFF","currentItemId":1,"items":[{"itemId":1}],"queueData":{"shuffle":false},"media":{"contentId":"b"}}"#
        )
        #expect(
            replay.lines(after: known) == [
                #"media_session_started \#(cause) | \#(Self.both) | is {"playerState":"LOADING","currentTime":0.0,"media":{"contentId":"b"}}"#,
                #"media_loading \#(cause) | \#(Self.both) | is {"media":{"contentId":"b"}}"#,
                #"player_state_changed sender_request | media_status | was {"playerState":"LOADING"} | is {"playerState":"PLAYING"}"#,
            ])
    }

    @Test func `LOAD over running media: that is interrupted, the new media session begins`() {
        #expect(
            lines {
                $0.media(
                    12, 0,
                    #"{"mediaSessionId":3,"playerState":"IDLE","idleReason":"INTERRUPTED","currentTime":10,"extendedStatus":{"playerState":"LOADING","mediaSessionId":4,"media":{"contentId":"b"}}}"#
                )
                $0.media(
                    13, 42,
                    #"{"mediaSessionId":4,"playerState":"PLAYING","currentTime":0,"playbackRate":1,"supportedMediaCommands":12303,"volume":{"level":1,"muted":false},"media":{"contentId":"b"}}"#
                )
            } == [
                #"media_session_ended receiver | media_status | was {"playerState":"PLAYING","media":{"contentId":"a","duration":100}} | is {"playerState":"IDLE","idleReason":"INTERRUPTED"}"#,
                #"media_session_started receiver | \#(Self.both) | is {"playerState":"LOADING","media":{"contentId":"b"}}"#,
                #"media_loading receiver | \#(Self.both) | is {"media":{"contentId":"b"}}"#,
                #"player_state_changed sender_request | media_status | was {"playerState":"LOADING"} | is {"playerState":"PLAYING"}"#,
            ])
    }

    // LOAD_FAILED goes to A alone.
    @Test func `a LOAD that fails: the media session ends with an error`() {
        var replay = Replay.appSeenStarting()
        replay.media(
            2, 0,
            #"{"mediaSessionId":1,"playerState":"IDLE","media":{"contentId":"b"},"extendedStatus":{"playerState":"LOADING","mediaSessionId":1}}"#
        )
        let known = replay.records.count
        replay.media(3, 0, #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"ERROR","currentTime":0}"#)
        #expect(
            replay.lines(after: known) == [
                #"media_session_ended receiver | media_status | was {"playerState":"LOADING","media":{"contentId":"b"}} | is {"playerState":"IDLE","idleReason":"ERROR"}"#
            ])
    }

    @Test func `playback that fails: the error with its name, then the end`() {
        #expect(
            lines {
                $0.receive(
                    12, from: "t-1", .media,
                    #"{"type":"ERROR","detailedErrorCode":301,"itemId":1,"customData":{"secret":"x"}}"#)
                $0.media(12, 0, #"{"mediaSessionId":3,"playerState":"IDLE","idleReason":"ERROR","currentTime":10}"#)
            } == [
                #"media_error unknown | is {"type":"ERROR","detailedErrorCode":301,"itemId":1,"errorName":"SEGMENT_NETWORK"}"#,
                #"media_session_ended receiver | media_status | was {"playerState":"PLAYING","media":{"contentId":"a","duration":100}} | is {"playerState":"IDLE","idleReason":"ERROR"}"#,
            ])
    }

    // LOAD_CANCELLED goes to A alone; everybody sees B's media come.
    @Test func `LOAD by B while A's is pending: one media session gives way to the other`() {
        var replay = Replay.appSeenStarting()
        replay.media(
            2, 0,
            #"{"mediaSessionId":1,"playerState":"IDLE","media":{"contentId":"a"},"extendedStatus":{"playerState":"LOADING","mediaSessionId":1}}"#
        )
        let known = replay.records.count
        replay.media(
            3, 0,
            #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"INTERRUPTED","extendedStatus":{"playerState":"LOADING","mediaSessionId":2,"media":{"contentId":"b"}}}"#
        )
        replay.media(4, 7, #"{"mediaSessionId":2,"playerState":"PLAYING","currentTime":0,"media":{"contentId":"b"}}"#)
        #expect(
            replay.lines(after: known).map { $0.prefix { $0 != "|" } } == [
                "media_session_ended receiver ", "media_session_started receiver ", "media_loading receiver ",
                "player_state_changed sender_request ",
            ])
    }

    @Test(arguments: ["INSERT", "UPDATE"])
    func `QUEUE_INSERT and QUEUE_UPDATE with items: the change of the queue, and the media again`(change: String) {
        #expect(
            lines {
                $0.receive(
                    12, from: "t-1", .media,
                    #"{"type":"QUEUE_CHANGE","requestId":42,"changeType":"\#(change)","itemIds":[4],"sequenceNumber":2}"#
                )
                $0.media(
                    12, 42,
                    status(#""items":[{"itemId":1},{"itemId":4},{"itemId":2},{"itemId":3}],\#(Self.media)"#))
            } == [
                #"queue_changed sender_request | queue | is {"changeType":"\#(change)","itemIds":[4],"sequenceNumber":2}"#,
                #"media_reasserted sender_request | no effect | \#(Self.both) | was {"contentId":"a"} | is {"contentId":"a"}"#,
            ])
    }

    // By a sender with its id and INTERRUPTED; by the receiver itself, at the end of an item, with 0 and FINISHED.
    @Test(arguments: [(Int64(42), "INTERRUPTED", "sender_request"), (0, "FINISHED", "receiver")])
    func `a step in the queue: idle, then the other item and its media, and no end`(
        id: Int64, reason: String, cause: String
    ) {
        #expect(
            lines {
                $0.media(
                    12, id,
                    #"{"mediaSessionId":3,"playerState":"IDLE","idleReason":"\#(reason)","currentTime":10,"currentItemId":1,"loadingItemId":2}"#
                )
                $0.media(
                    13, id,
                    #"{"mediaSessionId":3,"playerState":"PLAYING","currentTime":0,"currentItemId":2,"media":{"contentId":"b"}}"#
                )
            } == [
                #"player_state_changed \#(cause) | media_status | was {"playerState":"PLAYING"} | is {"playerState":"IDLE"}"#,
                #"queue_item_changed \#(cause) | media_status | was {"currentItemId":1,"media":{"contentId":"a","duration":100}} | is {"currentItemId":2,"media":{"contentId":"b"}}"#,
                #"media_changed \#(cause) | \#(Self.both) | was {"contentId":"a","duration":100,\#(Self.tracks),\#(Self.style)} | is {"contentId":"b"}"#,
                #"player_state_changed \#(cause) | media_status | was {"playerState":"IDLE"} | is {"playerState":"PLAYING"}"#,
            ])
    }

    @Test(arguments: [
        ("REMOVE", #""itemIds":[3]"#, "1,2"),
        ("UPDATE", #""itemIds":[],"reorderItemIds":[3],"insertBefore":2"#, "1,3,2"),
    ])
    func `QUEUE_REMOVE and QUEUE_REORDER: the change of the queue alone`(change: String, fields: String, order: String)
    {
        let items = order.split(separator: ",").map { #"{"itemId":\#($0)}"# }.joined(separator: ",")
        let told = lines {
            $0.receive(
                12, from: "t-1", .media,
                #"{"type":"QUEUE_CHANGE","requestId":42,"changeType":"\#(change)",\#(fields),"sequenceNumber":2}"#)
            $0.media(12, 42, status(#""items":[\#(items)]"#))
        }
        #expect(told.map { $0.prefix { $0 != "{" } } == ["queue_changed sender_request | queue | is "])
    }

    // It carries a style here, hence it looks like an edit of the style: the table cannot tell them apart.
    @Test func `USER_ACTION: the media with another user action`() {
        let liked = Self.media.replacing(
            #""duration":100"#, with: #""duration":100,"userActionStates":[{"userAction":"LIKE"}]"#)
        #expect(
            lines { $0.media(12, 42, status(liked)) } == [
                #"metadata_changed sender_request | \#(Self.both) | is {"userActionStates":[{"userAction":"LIKE"}]}"#
            ])
    }

    // By itself with 0, or with the id of a SEEK to the end that was still pending.
    @Test(arguments: [(Int64(0), "receiver"), (42, "sender_request")])
    func `content that ends: finished, once, whatever empty statuses follow`(id: Int64, cause: String) {
        #expect(
            lines {
                $0.media(
                    102, id, #"{"mediaSessionId":3,"playerState":"IDLE","idleReason":"FINISHED","currentTime":100}"#)
                $0.media(103, 0, "")
            } == [
                #"media_session_ended \#(cause) | media_status | was {"playerState":"PLAYING","media":{"contentId":"a","duration":100}} | is {"playerState":"IDLE","idleReason":"FINISHED"}"#
            ])
    }

    @Test func `the receiver app itself: the same, as the receiver's own doing`() {
        #expect(
            lines { $0.media(12, 0, status(#""playbackRate":1"#, state: "PAUSED")) } == [
                #"player_state_changed receiver | media_status | was {"playerState":"PLAYING"} | is {"playerState":"PAUSED"}"#
            ])
    }

    // They go to A alone; apps built on Shaka send them to everybody.
    @Test(arguments: ["INVALID_REQUEST", "INVALID_PLAYER_STATE", "LOAD_FAILED", "LOAD_CANCELLED"])
    func `a request that fails, where it reaches us: an error and no change`(type: String) {
        #expect(
            lines {
                $0.receive(
                    12, from: "t-1", .media, #"{"type":"\#(type)","requestId":42,"reason":"INVALID_MEDIA_SESSION_ID"}"#)
            } == [#"media_error sender_request | is {"type":"\#(type)","reason":"INVALID_MEDIA_SESSION_ID"}"#])
    }
}
