import CastModel
import Differ
import Recording
import Testing

@Suite("The differ on players that stand still")
struct StalledPositionTests {
    /// The events after a media session that plays from 10 on, by second 2.
    private func lines(_ more: String = "", _ change: (inout Replay) -> Void) -> [String] {
        var replay = Replay.appSeenStarting()
        replay.media(
            2, 5,
            #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":10,"playbackRate":1,"volume":{"level":1}\#(more),"media":{"contentId":"a"}}"#
        )
        let known = replay.records.count
        change(&replay)
        return replay.lines(after: known)
    }

    private func status(_ position: Double, _ state: String = "PLAYING", _ more: String = "") -> String {
        #"{"mediaSessionId":1,"playerState":"\#(state)","currentTime":\#(position)\#(more)}"#
    }

    @Test func `a position that is only repeated is no seek, and time goes on from it`() {
        #expect(
            lines {
                for second in [5.0, 10, 15] { $0.media(second, 0, status(10)) }
                $0.media(20, 0, status(15))
                $0.media(21, 0, status(16.05))
            } == [])
    }

    @Test func `a sender's other request to a player that stands still is no seek`() {
        #expect(
            lines { $0.media(12, 7, status(10, "PLAYING", #","volume":{"level":0.5}"#)) } == [
                #"stream_volume_changed sender_request | media_status | was {"level":1.0} | is {"level":0.5}"#
            ])
        #expect(
            lines {
                $0.media(12, 0, status(10))
                $0.media(22, 7, status(10))
            } == [])
    }

    @Test(arguments: ["PLAYING", "BUFFERING"])
    func `a sender that asks for nothing but the very position told last has sought it`(state: String) {
        #expect(
            lines { $0.media(62, 7, status(10, state)) }.last
                == #"seeked sender_request | media_status | was {"currentTime":70.0} | is {"currentTime":10.0}"#)
    }

    @Test func `while it fetches data, nothing moves`() {
        #expect(
            lines {
                $0.media(4, 0, status(12, "BUFFERING"))
                $0.media(30, 0, status(12, "BUFFERING"))
                $0.media(31, 0, status(12, "PLAYING"))
                $0.media(36, 0, status(17, "PLAYING"))
            }.map { $0.prefix { $0 != " " } } == ["player_state_changed", "player_state_changed"])
    }

    // PROTOCOL 8, row 19.
    @Test func `speed 0 after a stop, or while it pauses, is no change of speed`() {
        #expect(
            lines {
                $0.media(4, 7, status(12, "PAUSED", #","playbackRate":0"#))
                $0.media(5, 8, status(12, "PLAYING", #","playbackRate":1"#))
                $0.media(6, 9, status(13, "IDLE", #","idleReason":"CANCELLED","playbackRate":0"#))
                $0.media(7, 0, status(0, "IDLE", #","idleReason":"CANCELLED","playbackRate":0"#))
            }.map { $0.prefix { $0 != " " } } == [
                "player_state_changed", "player_state_changed", "media_session_ended",
            ])
    }

    @Test func `a gap invents no seek`() {
        #expect(
            lines {
                $0.close(4, .silent)
                $0.open(60)
                $0.media(61, 0, status(500))
                $0.media(71, 0, status(510))
                $0.add(72, .framesLost(device: $0.device, count: 3, why: "full"))
                $0.media(73, 9, status(20))
            }.filter { $0.hasPrefix("seeked") } == [])
    }

    // As they come with the LOADING status, in which nothing moves yet.
    @Test func `speed 0 before it plays, and the usual speed after it, are no change of speed`() {
        var replay = Replay.appSeenStarting()
        replay.media(
            2, 0,
            #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":0,"playbackRate":0,"media":{"contentId":"a"}}"#)
        let known = replay.records.count
        replay.media(3, 7, status(0, "PLAYING", #","playbackRate":1"#))
        replay.media(4, 8, status(1, "PLAYING", #","playbackRate":2"#))
        #expect(
            replay.lines(after: known).map { $0.prefix { $0 != " " } } == [
                "player_state_changed", "playback_rate_changed",
            ])
    }
}
