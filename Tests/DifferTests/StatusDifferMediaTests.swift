import CastModel
import CastWire
import Differ
import Recording
import Testing

private let style = ##""textTrackStyle":{"foregroundColor":"#FFFF00FF","fontScale":1.0}"##
private let media = #""media":{"contentId":"a","duration":100,"metadata":{"title":"One"},\#(style)}"#
private let both = "media_metadata+media_status"

@Suite("The differ on a media session")
struct StatusDifferMediaTests {
    /// An app with media session 1 playing from second 2 on.
    private func playing() -> Replay {
        var replay = Replay.appSeenStarting()
        replay.media(
            2, 5,
            #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"playbackRate":1,"activeTrackIds":[1],\#(media)}"#
        )
        return replay
    }

    @Test func `tells a whole LOAD: start, loading, playing`() {
        var replay = Replay.appSeenStarting()
        let known = replay.records.count
        replay.media(
            2, 0,
            #"{"mediaSessionId":1,"playerState":"IDLE","currentTime":0,"media":{"contentId":"a"},"extendedStatus":{"playerState":"LOADING","mediaSessionId":1,"media":{"contentId":"a"}}}"#
        )
        replay.media(
            3, 7,
            #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"media":{"contentId":"a","duration":9}}"#)
        #expect(
            replay.lines(after: known) == [
                #"media_session_started receiver | \#(both) | is {"playerState":"LOADING","currentTime":0.0,"media":{"contentId":"a"}}"#,
                #"media_loading receiver | \#(both) | is {"media":{"contentId":"a"}}"#,
                #"duration_changed sender_request | \#(both) | is {"duration":9}"#,
                #"player_state_changed sender_request | media_status | was {"playerState":"LOADING"} | is {"playerState":"PLAYING"}"#,
            ])
    }

    @Test func `tells a LOAD over a LOAD: the old one interrupted, the new one started`() {
        var replay = playing()
        let known = replay.records.count
        replay.media(
            10, 0,
            #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"INTERRUPTED","currentTime":8,"extendedStatus":{"playerState":"LOADING","mediaSessionId":2,"media":{"contentId":"b"}}}"#
        )
        replay.media(
            11, 9,
            #"{"mediaSessionId":2,"playerState":"PLAYING","currentTime":0,"media":{"contentId":"b","metadata":{"title":"Two"}}}"#
        )
        #expect(
            replay.lines(after: known) == [
                #"media_session_ended receiver | media_status | was {"playerState":"PLAYING","media":{"contentId":"a","duration":100,"metadata":{"title":"One"}}} | is {"playerState":"IDLE","idleReason":"INTERRUPTED"}"#,
                #"media_session_started receiver | \#(both) | is {"playerState":"LOADING","media":{"contentId":"b"}}"#,
                #"media_loading receiver | \#(both) | is {"media":{"contentId":"b"}}"#,
                #"metadata_changed sender_request | \#(both) | is {"metadata":{"title":"Two"}}"#,
                #"player_state_changed sender_request | media_status | was {"playerState":"LOADING"} | is {"playerState":"PLAYING"}"#,
            ])
    }

    @Test func `ends once, with the reason, whatever comes after`() {
        var replay = playing()
        let known = replay.records.count
        let idle = #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"FINISHED","currentTime":0}"#
        replay.media(102, 0, idle)
        replay.media(102.1, 0, idle)
        replay.media(103, 0, "")
        replay.media(104, 0, "")
        #expect(
            replay.lines(after: known) == [
                #"media_session_ended receiver | media_status | was {"playerState":"PLAYING","media":{"contentId":"a","duration":100,"metadata":{"title":"One"}}} | is {"playerState":"IDLE","idleReason":"FINISHED"}"#
            ])
    }

    @Test func `that is gone without a reason ends without one`() {
        var replay = playing()
        let known = replay.records.count
        replay.media(20, 0, "")
        replay.media(21, 0, "")
        #expect(
            replay.lines(after: known) == [
                #"media_session_ended receiver | media_status | was {"playerState":"PLAYING","media":{"contentId":"a","duration":100,"metadata":{"title":"One"}}}"#
            ])
    }

    @Test func `idle without a reason has not ended`() {
        var replay = playing()
        let known = replay.records.count
        replay.media(20, 0, #"{"mediaSessionId":1,"playerState":"IDLE","currentTime":18}"#)
        #expect(
            replay.lines(after: known) == [
                #"player_state_changed receiver | media_status | was {"playerState":"PLAYING"} | is {"playerState":"IDLE"}"#
            ])
    }

    @Test func `steps to another queue item without an end, and its media is no re-assertion`() {
        let named = #"{"contentId":"a","duration":100,"metadata":{"title":"One"}}"#
        var replay = playing()
        let known = replay.records.count
        replay.media(
            50, 12,
            #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"INTERRUPTED","currentItemId":1,"loadingItemId":2}"#
        )
        replay.media(
            51, 12, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"currentItemId":2,\#(media)}"#)
        #expect(
            replay.lines(after: known) == [
                #"player_state_changed sender_request | media_status | was {"playerState":"PLAYING"} | is {"playerState":"IDLE"}"#,
                #"queue_item_changed sender_request | media_status | was {"currentItemId":1,"media":\#(named)} | is {"currentItemId":2,"media":\#(named)}"#,
                #"player_state_changed sender_request | media_status | was {"playerState":"IDLE"} | is {"playerState":"PLAYING"}"#,
            ])
    }

    @Test func `that starts again keeps its media`() {
        var replay = playing()
        let known = replay.records.count
        replay.media(102, 0, #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"FINISHED"}"#)
        replay.media(110, 13, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0}"#)
        #expect(replay.lines(after: known).count == 2)
        #expect(replay.lines.last?.hasPrefix("media_session_started sender_request") == true)
        #expect(replay.lines.last?.contains(#""contentId":"a""#) == true)
    }
}

@Suite("The differ on the multi-sender update rules")
struct StatusDifferUpdateRuleTests {
    private func playing() -> Replay {
        var replay = Replay.appSeenStarting()
        replay.media(
            2, 5,
            #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"playbackRate":1,"activeTrackIds":[1],\#(media)}"#
        )
        return replay
    }

    private func lines(_ change: (inout Replay) -> Void) -> [String] {
        var replay = playing()
        let known = replay.records.count
        change(&replay)
        return replay.lines(after: known)
    }

    @Test func `a new style calls both callbacks`() {
        let other = media.replacing("FFFF00FF", with: "00FF00FF")
        #expect(
            lines { $0.media(10, 41, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":8,\#(other)}"#) } == [
                ##"text_track_style_changed sender_request | \##(both) | was {"textTrackStyle":{"foregroundColor":"#FFFF00FF","fontScale":1.0}} | is {"textTrackStyle":{"foregroundColor":"#00FF00FF","fontScale":1.0}}"##
            ])
    }

    @Test(arguments: ["#FFFF00FF", "#ffff00ff", "#FF0F", "#ffff00"])
    func `an equal style still calls both, without effect`(spelling: String) {
        let again = media.replacing("#FFFF00FF", with: spelling)
        #expect(
            lines { $0.media(10, 41, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":8,\#(again)}"#) } == [
                ##"text_track_style_reasserted sender_request | no effect | \##(both) | was {"textTrackStyle":{"foregroundColor":"\##(spelling)","fontScale":1.0}} | is {"textTrackStyle":{"foregroundColor":"\##(spelling)","fontScale":1.0}}"##
            ])
    }

    @Test func `other active tracks call the status callback only`() {
        #expect(
            lines {
                $0.media(10, 42, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":8,"activeTrackIds":[4]}"#)
            }
                == [
                    #"active_tracks_changed sender_request | media_status | was {"activeTrackIds":[1],"tracks":[{"trackId":1}]} | is {"activeTrackIds":[4],"tracks":[{"trackId":4}]}"#
                ])
    }

    @Test func `style and tracks in one frame are two events`() {
        let told = lines {
            $0.media(
                10, 43, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":8,"activeTrackIds":[4],\#(media)}"#)
        }
        #expect(told.count == 2)
        #expect(told.first?.hasPrefix("text_track_style_reasserted sender_request | no effect | \(both)") == true)
        #expect(told.last?.hasPrefix("active_tracks_changed sender_request | media_status") == true)
    }

    @Test(arguments: [#""activeTrackIds":[1]"#, #""playbackRate":1"#])
    func `the same tracks, or none mentioned, are no event`(field: String) {
        #expect(
            lines { $0.media(10, 44, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":8,\#(field)}"#) } == []
        )
    }

    @Test(arguments: [#""activeTrackIds":null"#, #""activeTrackIds":[]"#])
    func `null and an empty list both mean no tracks`(field: String) {
        #expect(
            lines { $0.media(10, 44, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":8,\#(field)}"#) } == [
                #"active_tracks_changed sender_request | media_status | was {"activeTrackIds":[1],"tracks":[{"trackId":1}]} | is {"activeTrackIds":[],"tracks":[]}"#
            ])
    }

    @Test func `equal media by the receiver itself is a re-assertion of media`() {
        #expect(
            lines { $0.media(10, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":8,\#(media)}"#) } == [
                #"media_reasserted receiver | no effect | \#(both) | was {"contentId":"a"} | is {"contentId":"a"}"#
            ])
    }

    @Test func `equal media without a style is a re-assertion of media`() {
        var replay = Replay.appSeenStarting()
        let plain = #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"media":{"contentId":"a"}}"#
        replay.media(2, 5, plain)
        let known = replay.records.count
        replay.media(3, 6, plain.replacing(#""currentTime":0"#, with: #""currentTime":1"#))
        #expect(
            replay.lines(after: known) == [
                #"media_reasserted sender_request | no effect | \#(both) | was {"contentId":"a"} | is {"contentId":"a"}"#
            ])
    }

    @Test func `the same payload twice is one change`() {
        let status = #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":8,\#(media)}"#
        let told = lines {
            $0.media(10, 41, status)
            $0.media(10, 41, to: "sender-us", status)
        }
        #expect(told.count == 1)
    }

    @Test func `an answer to our own question re-asserts nothing and calls nobody`() {
        let told = lines {
            $0.ask(9, 77, .media)
            $0.media(
                9.1, 77, to: "sender-us", #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":7.1,\#(media)}"#)
            $0.ask(20, 78, .media)
            $0.media(
                20.1, 78, to: "sender-us", #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":18.1,\#(media)}"#)
        }
        #expect(
            told == [#"player_state_changed snapshot | was {"playerState":"PLAYING"} | is {"playerState":"PAUSED"}"#])
    }

    @Test(arguments: [(Int64?.some(0), "receiver"), (.some(287), "sender_request"), (nil, "unknown")])
    func `attribution comes from the requestId`(requestID: Int64?, attribution: String) {
        #expect(
            lines { $0.media(10, requestID, #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":8}"#) } == [
                #"player_state_changed \#(attribution) | media_status | was {"playerState":"PLAYING"} | is {"playerState":"PAUSED"}"#
            ])
    }

    @Test func `another sender's request with the number of ours is not ours`() {
        let told = lines {
            $0.ask(9, 77, .media)
            $0.media(10, 77, #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":8}"#)
        }
        #expect(told.first?.hasPrefix("player_state_changed sender_request") == true)
    }
}

@Suite("The differ on positions")
struct StatusDifferPositionTests {
    private func lines(_ rate: Double, _ state: String, _ change: (inout Replay) -> Void) -> [String] {
        var replay = Replay.appSeenStarting()
        replay.media(
            2, 5,
            #"{"mediaSessionId":1,"playerState":"\#(state)","currentTime":10,"playbackRate":\#(rate),"media":{"contentId":"a","duration":100}}"#
        )
        let known = replay.records.count
        change(&replay)
        return replay.lines(after: known)
    }

    // 10 s pass. Extrapolated: 20 at speed 1, 30 at speed 2, 10 when it stands still.
    @Test(arguments: [
        (1.0, "PLAYING", 21.5, false), (1, "PLAYING", 21.51, true), (1, "PLAYING", 18.5, false),
        (1, "PLAYING", 18.4, true),
        (2, "PLAYING", 30, false), (2, "PLAYING", 20, true), (1, "PAUSED", 10, false), (1, "PAUSED", 20, true),
        (1, "BUFFERING", 10.2, false), (1, "BUFFERING", 20, true),
    ])
    func `a jump of more than 1.5 s is a seek`(rate: Double, state: String, told: Double, isSeek: Bool) {
        let lines = lines(rate, state) {
            $0.media(12, 6, #"{"mediaSessionId":1,"playerState":"\#(state)","currentTime":\#(told)}"#)
        }
        #expect(lines.map { $0.hasPrefix("seeked sender_request | media_status") } == (isSeek ? [true] : []))
    }

    @Test func `a seek says from where to where`() {
        #expect(
            lines(1, "PLAYING") { $0.media(12, 6, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":50}"#) }
                == [
                    #"seeked sender_request | media_status | was {"currentTime":20.0} | is {"currentTime":50.0}"#
                ])
    }

    @Test func `plain progress is no event, however long`() {
        #expect(
            lines(1, "PLAYING") { replay in
                for second in 3...60 {
                    replay.media(
                        Double(second), 0, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":\#(second + 8)}"#
                    )
                }
            } == [])
    }

    @Test func `across boots of the recording machine nothing is said of media that plays`() {
        #expect(
            lines(1, "PLAYING") {
                $0.boot = "b0000000-0000-0000-0000-000000000002"
                $0.media(12, 6, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":90}"#)
            } == [])
    }

    @Test func `a speed that makes no sense gives no position that makes none`() {
        var replay = Replay.appSeenStarting()
        replay.media(2, 5, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":10,"playbackRate":1e308}"#)
        replay.media(12, 6, #"{"mediaSessionId":1,"playerState":"PAUSED"}"#)
        var differ = StatusDiffer()
        let events = replay.records.flatMap { differ.fold($0) }
        #expect(events.last?.kind == .playerStateChanged)
        #expect(events.last?.positionSeconds == nil)
        #expect(differ.takeDeviceStates().allSatisfy { !$0.1.text.contains("inf") })
    }

    @Test(arguments: ["1e300", "-1e12", "null", #""x""#])
    func `a position that makes no sense is ignored`(told: String) {
        #expect(
            lines(1, "PAUSED") {
                $0.media(12, 6, #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":\#(told)}"#)
            }
                == [])
    }
}
