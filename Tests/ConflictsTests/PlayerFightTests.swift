import CastModel
import Conflicts
import Differ
import Testing

@Suite("A play/pause fight") struct PlayPauseFightTests {
    /// Media that plays, loaded by sender 1.
    private func playing() -> Quarrel {
        var quarrel = Quarrel()
        quarrel.load(0, "Film", mediaSession: 1, by: .sender(1, series: 1))
        return quarrel
    }

    @Test func `is told of two senders who pause and play against each other`() {
        var quarrel = playing()
        quarrel.player(10, "PAUSED", by: .sender(2, series: 1))
        quarrel.player(12, "PLAYING", by: .sender(500, series: 2))
        quarrel.player(14, "PAUSED", by: .sender(3, series: 1))
        quarrel.player(16, "PLAYING", by: .sender(501, series: 2))
        #expect(
            quarrel.lines == [
                "3/0/play_pause_fight 10-16 0.875 3(3) [3/0 4/0 5/0 6/0] two senders paused and resumed against each other three times; ended playing"
            ])
    }

    @Test func `sees who plays on when the player buffers first`() {
        var quarrel = playing()
        quarrel.player(10, "PAUSED", by: .sender(2, series: 1))
        quarrel.player(12, "BUFFERING", by: .sender(500, series: 2))
        quarrel.player(12.5, "PLAYING", by: .device)
        quarrel.player(14, "PAUSED", by: .sender(3, series: 1))
        #expect(
            quarrel.lines == [
                "3/0/play_pause_fight 10-14 0.75 2(2) [3/0 5/0 6/0] two senders paused and resumed against each other twice; ended paused"
            ])
    }

    @Test func `is told of a sender and a remote control`() {
        var quarrel = playing()
        quarrel.player(10, "PAUSED", by: .sender(2, series: 1))
        quarrel.player(12, "PLAYING", by: .device)
        quarrel.player(14, "PAUSED", by: .sender(3, series: 1))
        #expect(
            quarrel.lines == [
                "3/0/play_pause_fight 10-14 0.563 2(0) [3/0 4/0 5/0] a sender and the device paused and resumed against each other twice; ended paused"
            ])
    }

    @Test func `is none where a remote control pauses and the phone plays on`() {
        var quarrel = playing()
        quarrel.player(10, "PAUSED", by: .device)
        quarrel.player(12, "PLAYING", by: .sender(2, series: 1))
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `is none where one person pauses and plays many times`() {
        for hand in [Quarrel.Hand.sender(7, series: 1), .device] {
            var quarrel = playing()
            for step in 0..<10 { quarrel.player(10 + Double(step), step % 2 == 0 ? "PAUSED" : "PLAYING", by: hand) }
            #expect(quarrel.lines.isEmpty)
        }
    }

    @Test func `is none where the player runs out of data`() {
        var quarrel = playing()
        for step in 0..<10 {
            quarrel.player(
                10 + Double(step), step % 2 == 0 ? "BUFFERING" : "PLAYING", by: step % 4 == 0 ? .device : .sender(9))
        }
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `leaves out what the app does for an ad break`() {
        var quarrel = playing()
        for round in 0..<3 {
            let at = 10 + 10 * Double(round)
            quarrel.add(at, .breakStarted, after: ["source": "ima"])
            quarrel.player(at + 0.5, "PAUSED", by: .device)
            quarrel.player(at + 2, "PLAYING", by: .sender(Int64(10 + round), series: 1))
            quarrel.add(at + 3, .breakEnded, before: ["source": "ima"])
        }
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `leaves out the pause that comes just before the word of its ad break`() {
        var quarrel = playing()
        quarrel.player(10, "PAUSED", by: .device)
        quarrel.add(10.3, .breakStarted, after: ["source": "ima"])
        quarrel.add(13, .breakEnded, before: ["source": "ima"])
        quarrel.player(18, "PLAYING", by: .sender(10, series: 1))
        quarrel.player(20, "PAUSED", by: .device)
        quarrel.player(22, "PLAYING", by: .sender(11, series: 1))
        #expect(
            quarrel.lines == [
                "6/0/play_pause_fight 18-22 0.563 2(0) [6/0 7/0 8/0] a sender and the device paused and resumed against each other twice; ended playing"
            ])
    }

    @Test func `ends with its media`() {
        var quarrel = playing()
        quarrel.player(10, "PAUSED", by: .sender(2, series: 1))
        quarrel.player(12, "PLAYING", by: .sender(500, series: 2))
        quarrel.load(13, "Next", mediaSession: 2, over: 1, by: .sender(3, series: 1))
        quarrel.player(15, "PAUSED", by: .sender(4, series: 1))
        #expect(quarrel.lines.isEmpty)
    }
}

@Suite("A seek fight") struct SeekFightTests {
    @Test func `is told of two senders who jump back and forth`() {
        var quarrel = Quarrel()
        quarrel.seek(0, 100, 600, by: .sender(5, series: 1))
        quarrel.seek(3, 603, 60, by: .sender(900, series: 2))
        quarrel.seek(6, 63, 3725, by: .sender(6, series: 1))
        #expect(
            quarrel.lines == [
                "1/0/seek_fight 0-6 0.75 2(2) [1/0 2/0 3/0] two senders jumped back and forth against each other twice; ended at 1:02:05"
            ])
    }

    @Test func `is of jumps of five seconds, and no shorter ones`() {
        for (seconds, count) in [(5.0, 1), (4.9, 0)] {
            var quarrel = Quarrel()
            quarrel.seek(0, 100, 100 + seconds, by: .sender(5, series: 1))
            quarrel.seek(3, 100 + seconds, 100, by: .sender(900, series: 2))
            quarrel.seek(6, 100, 100 + seconds, by: .sender(6, series: 1))
            #expect(quarrel.lines.count == count)
        }
    }

    @Test func `is none where one person scrubs`() {
        var quarrel = Quarrel()
        for step in 0..<10 {
            quarrel.seek(Double(step), 100, step % 2 == 0 ? 600 : 30, by: .sender(Int64(5 + step), series: 1))
        }
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `is none where two jump the same way`() {
        var quarrel = Quarrel()
        for step in 0..<10 {
            let from = 100 + 30 * Double(step)
            quarrel.seek(
                Double(step), from, from + 30,
                by: step % 2 == 0 ? .sender(Int64(5 + step), series: 1) : .sender(900, series: 2))
        }
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `leaves out where a jump comes to rest, and repeats from the start`() {
        var quarrel = Quarrel()
        for step in 0..<4 {
            let at = 5 * Double(step)
            quarrel.seek(at, 100, 600, by: .sender(Int64(5 + step), series: 1))
            quarrel.seek(at + 1, 600, 592, by: .device)
        }
        #expect(quarrel.lines.isEmpty)
        quarrel = Quarrel()
        for step in 0..<4 {
            let at = 10 * Double(step)
            quarrel.seek(at, 100, 600, by: .sender(Int64(5 + step), series: 1))
            quarrel.add(
                at + 5, .seeked, before: ["currentTime": 605], after: ["currentTime": 0, "restart": true])
        }
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `is none while two skip through a queue`() {
        var quarrel = Quarrel()
        for step in 0..<6 {
            let hand =
                step % 2 == 0 ? Quarrel.Hand.sender(Int64(5 + step), series: 1) : .sender(Int64(900 + step), series: 2)
            quarrel.add(
                4 * Double(step), .queueItemChanged, by: hand, before: ["currentItemId": .integer(Int64(step))],
                after: ["currentItemId": .integer(Int64(step + 1))])
            quarrel.seek(4 * Double(step) + 1, step % 2 == 0 ? 10 : 60, step % 2 == 0 ? 60 : 10, by: hand)
        }
        #expect(quarrel.lines.isEmpty)
    }
}

@Suite("A track fight") struct TrackFightTests {
    @Test func `is told of two senders who want other subtitles`() {
        var quarrel = Quarrel()
        quarrel.tracks(0, [], [1], by: .sender(5, series: 1))
        quarrel.tracks(2, [1], [2], by: .sender(900, series: 2))
        quarrel.tracks(4, [2], [1], by: .sender(6, series: 1))
        #expect(
            quarrel.lines == [
                "1/0/track_fight 0-4 0.75 2(2) [1/0 2/0 3/0] two senders chose tracks against each other twice; ended with track 1 (en)"
            ])
    }

    @Test func `is told of one who wants subtitles and one who wants none`() {
        var quarrel = Quarrel()
        quarrel.tracks(0, [1], [], by: .sender(5, series: 1))
        quarrel.tracks(2, [], [1], by: .sender(900, series: 2))
        quarrel.tracks(4, [1], [], by: .sender(6, series: 1))
        #expect(
            quarrel.conflicts().map(\.sentence) == [
                "two senders chose tracks against each other twice; ended with no track"
            ])
    }

    @Test func `is none where one chooses subtitles and the other the language`() {
        var quarrel = Quarrel()
        quarrel.tracks(0, [7], [7, 1], by: .sender(5, series: 1))
        quarrel.tracks(2, [7, 1], [8, 1], by: .sender(900, series: 2))
        quarrel.tracks(4, [8, 1], [8, 2], by: .sender(6, series: 1))
        quarrel.tracks(6, [8, 2], [7, 2], by: .sender(901, series: 2))
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `is none where one adds to what the other chose`() {
        var quarrel = Quarrel()
        quarrel.tracks(0, [], [1], by: .sender(5, series: 1))
        quarrel.tracks(2, [1], [1, 2], by: .sender(900, series: 2))
        quarrel.tracks(4, [1, 2], [1, 2, 3], by: .sender(6, series: 1))
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `is none where one person tries them all`() {
        var quarrel = Quarrel()
        for step in 0..<9 {
            quarrel.tracks(
                Double(step), [Int64(step % 3 + 1)], [Int64((step + 1) % 3 + 1)],
                by: .sender(Int64(5 + step), series: 1))
        }
        #expect(quarrel.lines.isEmpty)
    }
}

@Suite("A style fight") struct StyleFightTests {
    private static let yellow: JSONValue = ["foregroundColor": "#FFFF00FF", "fontScale": 1]
    private static let white: JSONValue = ["foregroundColor": "#FFFFFFFF", "fontScale": 1]

    @Test func `is told of two senders who want other colors`() {
        var quarrel = Quarrel()
        quarrel.style(0, Self.white, Self.yellow, by: .sender(5, series: 1))
        quarrel.style(2, Self.yellow, Self.white, by: .sender(900, series: 2))
        quarrel.style(4, Self.white, Self.yellow, by: .sender(6, series: 1))
        #expect(
            quarrel.lines == [
                "1/0/style_fight 0-4 0.75 2(2) [1/0 2/0 3/0] two senders changed the style of captions against each other twice; "
                    + "ended with foregroundColor #FFFF00FF"
            ])
    }

    @Test func `is none where each changes something else`() {
        var quarrel = Quarrel()
        let styles: [JSONValue] = [
            ["a": 1, "b": 1], ["a": 2, "b": 1], ["a": 2, "b": 2], ["a": 3, "b": 2], ["a": 3, "b": 3],
        ]
        for step in 0..<4 {
            quarrel.style(
                2 * Double(step), styles[step], styles[step + 1],
                by: step % 2 == 0 ? .sender(Int64(5 + step), series: 1) : .sender(Int64(900 + step), series: 2))
        }
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `is none where equal styles are sent again`() {
        var quarrel = Quarrel()
        for step in 0..<6 {
            quarrel.add(
                Double(step), .textTrackStyleReasserted,
                by: step % 2 == 0 ? .sender(Int64(5 + step), series: 1) : .sender(Int64(900 + step), series: 2),
                before: ["textTrackStyle": Self.white], after: ["textTrackStyle": Self.white], effective: false)
        }
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `is none where one person tries styles`() {
        var quarrel = Quarrel()
        for step in 0..<6 {
            quarrel.style(
                Double(step), step % 2 == 0 ? Self.white : Self.yellow, step % 2 == 0 ? Self.yellow : Self.white,
                by: .sender(Int64(5 + step), series: 1))
        }
        #expect(quarrel.lines.isEmpty)
    }
}
