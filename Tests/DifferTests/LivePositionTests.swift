import CastModel
import Differ
import Recording
import Testing

@Suite("The differ on live broadcasts")
struct LivePositionTests {
    /// A broadcast with an hour to go back, joined at its live edge.
    private func lines(_ range: String, from position: Double, _ change: (inout Replay) -> Void) -> [String] {
        var replay = Replay.appSeenStarting()
        replay.media(
            2, 5,
            #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":\#(position),"media":{"contentId":"a","streamType":"LIVE"},"liveSeekableRange":{\#(range)}}"#
        )
        let known = replay.records.count
        change(&replay)
        return replay.lines(after: known)
    }

    private func status(_ position: Double, _ range: String) -> String {
        #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":\#(position),"liveSeekableRange":\#(range)}"#
    }

    private func moving(_ start: Int, _ end: Int) -> String {
        #""start":\#(start),"end":\#(end),"isMovingWindow":true,"isLiveDone":false"#
    }

    @Test func `a window that moves as the clock does, in steps of its segments, is no event`() {
        #expect(
            lines(moving(0, 3600), from: 3600) { replay in
                for second in stride(from: 4, through: 120, by: 2) {
                    let edge = 3600 + (second - 2) / 10 * 10
                    replay.media(Double(second), 0, status(Double(3598 + second), "{\(moving(edge - 3600, edge))}"))
                }
            } == [])
    }

    @Test func `a moving window that stands is told once, and once that it moves again`() {
        #expect(
            lines(moving(0, 3600), from: 3600) { replay in
                for second in [12, 32, 33, 60] {
                    replay.media(Double(second), 0, status(Double(3598 + second), "{\(moving(0, 3600))}"))
                }
                replay.media(70, 0, status(3668, "{\(moving(10, 3610))}"))
            } == [
                #"live_range_changed receiver | media_status | was {"liveSeekableRange":{"start":0,"end":3600,"isMovingWindow":true,"isLiveDone":false}} | is {"liveSeekableRange":{"start":0,"end":3600,"isMovingWindow":true,"isLiveDone":false},"edge":"stands"}"#,
                #"live_range_changed receiver | media_status | was {"liveSeekableRange":{"start":0,"end":3600,"isMovingWindow":true,"isLiveDone":false}} | is {"liveSeekableRange":{"start":10,"end":3610,"isMovingWindow":true,"isLiveDone":false},"edge":"moves"}"#,
            ])
    }

    // 10 s pass: an edge 30 s off the clock may be a long segment, one 31 s off is a jump.
    @Test(arguments: [(3640, false), (3641, true), (3580, false), (3579, true)])
    func `an edge that jumps against the clock is told`(edge: Int, isTold: Bool) {
        let told = lines(moving(0, 3600), from: 3600) {
            $0.media(12, 0, status(3610, "{\(moving(edge - 3600, edge))}"))
        }
        #expect(told.map { $0.hasSuffix(#""edge":"jumped"}"#) } == (isTold ? [true] : []))
    }

    @Test func `its going, its coming and its flags are told`() {
        let fixed = #""start":0,"end":60"#
        #expect(
            lines(fixed, from: 60) { replay in
                replay.media(3, 0, status(61, #"{"start":0,"end":61}"#))
                replay.media(4, 0, status(62, #"{"start":0,"end":61,"isLiveDone":true}"#))
                replay.media(5, 0, status(63, "null"))
                replay.media(6, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":64}"#)
                replay.media(7, 0, status(65, #"{"start":0,"end":61}"#))
            } == [
                #"live_range_changed receiver | media_status | was {"liveSeekableRange":{"start":0,"end":61}} | is {"liveSeekableRange":{"start":0,"end":61,"isLiveDone":true}}"#,
                #"live_range_changed receiver | media_status | was {"liveSeekableRange":{"start":0,"end":61,"isLiveDone":true}}"#,
                #"live_range_changed receiver | media_status | is {"liveSeekableRange":{"start":0,"end":61}}"#,
            ])
    }

    // Some apps count from the start of the window: it stays 0 to 3600, and at the edge one stays at 3600.
    @Test func `positions told relative to the window are no seeks while it slides`() {
        #expect(
            lines(#""start":0,"end":3600"#, from: 3500) { replay in
                for second in stride(from: 10, through: 100, by: 10) {
                    replay.media(Double(second), 7, status(3500, #"{"start":0,"end":3600}"#))
                }
            } == [])
    }

    @Test func `a seek in a live window is one, in either way of counting`() {
        let seek = { (told: Double, range: String) in
            self.lines(#""start":0,"end":3600"#, from: 3500) { $0.media(12, 7, self.status(told, range)) }
                .filter { $0.hasPrefix("seeked") }
        }
        #expect(seek(1000, #"{"start":0,"end":3600}"#).count == 1)
        #expect(seek(3600, #"{"start":0,"end":3600}"#).count == 1)
        #expect(seek(1000, #"{"start":10,"end":3610}"#).count == 1)
        #expect(seek(3510, #"{"start":10,"end":3610}"#) == [])
    }

    // The window was told 108 s ago: how far it slid since the last position, 10 s ago, nobody knows.
    @Test func `a seek is one where the status before told no window`() {
        let told = lines(#""start":0,"end":3600"#, from: 3500) { replay in
            replay.media(100, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":3598}"#)
            replay.media(110, 7, status(3706, #"{"start":0,"end":3708}"#))
        }
        #expect(told.filter { $0.hasPrefix("seeked") }.count == 1)
    }
}
