import CastModel
import CastWire
import Differ
import Recording
import Testing

// Goal: statuses merge as Chromium merges them (PROTOCOL 4.10): what is left out says nothing, an empty list is a fact,
// and what is found out afresh is a state.
@Suite("The differ on partial, repeated and missed statuses")
struct MergingTests {
    private static let media = #""media":{"contentId":"a","duration":100,"metadata":{"title":"One"}}"#

    private func playing() -> Replay {
        var replay = Replay.appSeenStarting()
        replay.media(
            2, 5,
            #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"playbackRate":1,"activeTrackIds":[1],"volume":{"level":0.5,"muted":false},"supportedMediaCommands":15,"repeatMode":"REPEAT_ALL","videoInfo":{"width":640,"height":360},\#(Self.media)}"#
        )
        return replay
    }

    private func lines(_ change: (inout Replay) -> Void) -> [String] {
        var replay = playing()
        let known = replay.records.count
        change(&replay)
        return replay.lines(after: known)
    }

    @Test func `a status that says nothing but its position erases nothing`() {
        #expect(
            lines {
                $0.media(7, 0, #"{"mediaSessionId":1,"currentTime":5}"#)
                $0.media(8, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","volume":{},"media":7,"items":"x"}"#)
                $0.media(12, 9, #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"CANCELLED"}"#)
            } == [
                #"media_session_ended sender_request | media_status | was {"playerState":"PLAYING","media":{"contentId":"a","duration":100,"metadata":{"title":"One"}}} | is {"playerState":"IDLE","idleReason":"CANCELLED"}"#
            ])
    }

    @Test func `of the picture only known fields count`() {
        let status = { (fields: String) in #"{"mediaSessionId":1,"currentTime":5,"videoInfo":{\#(fields)}}"# }
        #expect(
            lines {
                $0.media(7, 0, status(#""width":640,"height":360,"bitrate":1"#))
                $0.media(7, 0, status(#""width":640,"height":360,"bitrate":2"#))
                $0.media(7, 0, status(#""width":1280,"height":720,"hdrType":"sdr","bitrate":2"#))
            } == [
                #"video_info_changed receiver | media_status | was {"videoInfo":{"width":640,"height":360}} | is {"videoInfo":{"width":1280,"height":720,"hdrType":"sdr"}}"#
            ])
    }

    @Test func `a status without an id is of the media session before it`() {
        #expect(
            lines { $0.media(7, 0, #"{"playerState":"PAUSED","currentTime":5}"#) } == [
                #"player_state_changed receiver | media_status | was {"playerState":"PLAYING"} | is {"playerState":"PAUSED"}"#
            ])
    }

    // The flat form, a single object, and a list.
    @Test(arguments: [
        #""mediaSessionId":1,"playerState":"PAUSED","currentTime":5"#,
        #""status":{"mediaSessionId":1,"playerState":"PAUSED","currentTime":5}"#,
        #""status":[{"mediaSessionId":1,"playerState":"PAUSED","currentTime":5}]"#,
    ])
    func `each form of the message says the same`(form: String) {
        #expect(
            lines { $0.receive(7, from: "t-1", .media, #"{"type":"MEDIA_STATUS","requestId":0,\#(form)}"#) } == [
                #"player_state_changed receiver | media_status | was {"playerState":"PLAYING"} | is {"playerState":"PAUSED"}"#
            ])
    }

    @Test func `of several statuses in one message, each goes to its own media session`() {
        let told = lines {
            $0.media(
                7, 0,
                #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"INTERRUPTED"},{"mediaSessionId":2,"playerState":"PLAYING","currentTime":0,"media":{"contentId":"b"}}"#
            )
            $0.media(
                8, 0,
                #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"INTERRUPTED"},{"mediaSessionId":2,"playerState":"PAUSED","currentTime":1}"#
            )
        }
        #expect(
            told.map { $0.prefix { $0 != "|" } } == [
                "media_session_ended receiver ", "media_session_started receiver ", "player_state_changed receiver ",
            ])
    }

    // To everybody and to the asker, or once for each sender: a receiver app may do either.
    @Test(arguments: [["*", "sender-us"], ["sender-us", "*"], ["sender-us", "sender-other", "sender-us"]])
    func `a status that comes twice is one change`(destinations: [String]) {
        let status =
            #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":50,"activeTrackIds":[2],"currentItemId":4,"breakStatus":{"breakId":"b"},"repeatMode":"REPEAT_OFF"}"#
        let told = lines { replay in
            for destination in destinations { replay.media(7, 42, to: destination, status) }
        }
        #expect(
            told.map { $0.prefix { $0 != " " } } == [
                "repeat_mode_changed", "break_started", "player_state_changed", "active_tracks_changed",
            ])
    }

    @Test func `after a gap, what is as it was tells nothing, and positions are no seeks`() {
        let told = lines {
            $0.close(10, .connectionReset)
            $0.open(60)
            $0.ask(60.1, 77, .media)
            $0.media(
                60.2, 77, to: "sender-us",
                #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":90,"playbackRate":1,"activeTrackIds":[1],"volume":{"level":0.5,"muted":false},"supportedMediaCommands":15,"repeatMode":"REPEAT_ALL",\#(Self.media)}"#
            )
        }
        #expect(told.map { $0.prefix { $0 != " " } } == ["link_closed", "gap_started", "link_opened", "gap_ended"])
    }

    // Whether it is the answer to our question or the first broadcast: who changed it meanwhile, nobody saw.
    @Test(arguments: [("sender-us", Int64(77)), ("*", 42), ("*", 0)])
    func `after a gap, what is otherwise is told as found, not as somebody's change`(destination: String, id: Int64) {
        let told = lines {
            $0.close(10, .connectionReset)
            $0.open(60)
            $0.ask(60.1, 77, .media)
            $0.media(
                60.2, id, to: destination,
                #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":90,"playbackRate":1.5,"activeTrackIds":[],"volume":{"level":0.25,"muted":false},"supportedMediaCommands":7,"currentItemId":3,"repeatMode":"REPEAT_OFF","liveSeekableRange":{"start":0,"end":9},"media":{"contentId":"b"}}"#
            )
        }
        #expect(
            told.dropFirst(4).map { $0.prefix { $0 != "|" } } == [
                "repeat_mode_changed snapshot ", "media_changed snapshot ", "player_state_changed snapshot ",
                "playback_rate_changed snapshot ", "stream_volume_changed snapshot ", "active_tracks_changed snapshot ",
                "supported_commands_changed snapshot ", "live_range_changed snapshot ",
            ])
    }

    @Test func `after a gap, other media sessions than before have ended and begun unseen`() {
        let told = lines {
            $0.close(10, .connectionReset)
            $0.open(60)
            $0.media(61, 0, #"{"mediaSessionId":4,"playerState":"PLAYING","currentTime":9,"media":{"contentId":"b"}}"#)
            $0.close(70, .connectionReset)
            $0.open(80)
            $0.media(81, 0, "")
        }
        #expect(
            told.filter { $0.hasPrefix("media") }.map { $0.prefix { $0 != "|" } } == [
                "media_session_ended snapshot ", "media_session_started snapshot ", "media_session_ended snapshot ",
            ])
    }
}
