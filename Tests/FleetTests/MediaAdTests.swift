import CastModel
import Testing

@testable import Fleet

// PROTOCOL 4.7 and 6.4: breakStatus while an ad runs, the position of the content stands; nothing carries media.
@Suite("Ads")
struct MediaAdTests {
    static let film: JSONValue = [
        "contentId": "film", "duration": 100,
        "breaks": [
            ["id": "b1", "breakClipIds": ["soap", "bread"], "position": 10],
            ["id": "b2", "breakClipIds": ["nothing"], "position": 5],
        ],
        "breakClips": [
            ["id": "soap", "duration": 3], ["id": "bread", "duration": 4, "whenSkippable": 1],
        ],
    ]

    /// The film plays since second 0, its first ad since second 10.
    static func inBreak() -> MediaBench {
        var bench = MediaBench()
        _ = bench.send("LOAD", 1, [("media", film)])
        _ = bench.fire(.loadSettles)
        bench.now = .seconds(10)
        #expect(bench.fire(.breakBegins) == ["to all: MEDIA_STATUS 0: #1 PLAYING ad:soap tracks[]"])
        return bench
    }

    @Test func `of a break come one after the other, and the content waits`() {
        var bench = Self.inBreak()
        bench.now = .seconds(13)
        #expect(bench.position == 10)
        #expect(bench.fire(.breakClipEnds) == ["to all: MEDIA_STATUS 0: #1 PLAYING ad:bread tracks[]"])
        bench.now = .seconds(17)
        #expect(bench.fire(.breakClipEnds) == ["to all: MEDIA_STATUS 0: #1 PLAYING tracks[]"])
        bench.now = .seconds(18)
        #expect(bench.position == 11)
        #expect(bench.fire(.breakBegins) == [], "a break runs once")
    }

    @Test func `begin when the content comes to them, and take their time`() {
        var bench = MediaBench()
        _ = bench.send("LOAD", 1, [("media", Self.film)])
        #expect(bench.machine.fired(.loadSettles, at: .zero).contains(.arm(.breakBegins, after: .seconds(10))))
        bench.now = .seconds(10)
        #expect(bench.machine.fired(.breakBegins, at: bench.now).contains(.arm(.breakClipEnds, after: .seconds(3))))
    }

    @Test func `say how far they are, and when they may be skipped`() throws {
        var bench = Self.inBreak()
        bench.now = .seconds(13)
        _ = bench.fire(.breakClipEnds)
        bench.now = .seconds(14)
        guard case .loaded(let playback) = bench.machine.phase else {
            Issue.record("nothing plays")
            return
        }
        let status = bench.machine.mediaStatus(playback, at: bench.now, .brief)
        #expect(
            status["breakStatus"] == [
                "breakId": "b1", "breakClipId": "bread", "currentBreakTime": 4, "currentBreakClipTime": 1,
                "whenSkippable": 1,
            ])
        // 274447 without SEEK (2), with SKIP_AD (512).
        #expect(status["supportedMediaCommands"] == 274_957)
        #expect(status["currentTime"] == 10)
    }

    @Test func `are skipped when they may be, not before, and cannot be sought over`() {
        var bench = Self.inBreak()
        #expect(bench.send("SKIP_AD", 2) == ["to A: INVALID_REQUEST 2 INVALID_COMMAND"])
        #expect(bench.send("SEEK", 3, [("currentTime", 50)]) == ["to A: INVALID_PLAYER_STATE 3"])
        bench.now = .seconds(13)
        _ = bench.fire(.breakClipEnds)
        #expect(
            bench.send("USER_ACTION", 4, [("userAction", "SKIP_AD")]) == ["to A: INVALID_REQUEST 4 INVALID_COMMAND"])
        bench.now = .seconds(14)
        #expect(
            bench.send("USER_ACTION", 5, [("userAction", "SKIP_AD")])
                == ["to all: MEDIA_STATUS 5: #1 PLAYING tracks[]"])
    }

    @Test func `pause with the content`() {
        var bench = Self.inBreak()
        bench.now = .seconds(11)
        #expect(bench.send("PAUSE", 2) == ["to all: MEDIA_STATUS 2: #1 PAUSED ad:soap tracks[]"])
        bench.now = .seconds(60)
        let played = bench.machine.received(
            ["type": "PLAY", "requestId": 3, "mediaSessionId": 1], from: MediaBench.senderA, at: bench.now)
        #expect(played.contains(.arm(.breakClipEnds, after: .seconds(2))))
    }

    // The corpus has two statuses of such an ad: BUFFERING with 1081, later without bit 2.
    @Test func `of YouTube's kind show in customData only`() {
        var bench = MediaBench.playing()
        bench.now = .seconds(5)
        let ad = "to all: MEDIA_STATUS 0: #1 BUFFERING custom1081 tracks[]"
        #expect(
            Transcript.lines(
                bench.machine.advertise(skippableAfter: .seconds(2), goingOnFor: .seconds(3), at: bench.now)) == [ad])
        #expect(bench.commands == 274_447)
        bench.now = .seconds(7)
        #expect(bench.fire(.bufferingEnds) == [], "no buffer is being filled")
        #expect(bench.fire(.hiddenAd) == [ad])
        #expect(bench.commands == 274_445)
        bench.now = .seconds(10)
        #expect(bench.position == 5)
        #expect(bench.fire(.hiddenAd) == ["to all: MEDIA_STATUS 0: #1 PLAYING tracks[]"])
    }
}

@Suite("Live media")
struct LiveMediaTests {
    @Test func `can be rewound half an hour, and begins at its newest second`() throws {
        var bench = MediaBench()
        _ = bench.send("LOAD", 1, [("media", ["contentId": "radio", "streamType": "LIVE"])])
        _ = bench.fire(.loadSettles)
        bench.now = .seconds(60)
        guard case .loaded(let playback) = bench.machine.phase else {
            Issue.record("nothing plays")
            return
        }
        let status = bench.machine.mediaStatus(playback, at: bench.now, .brief)
        #expect(
            status["liveSeekableRange"] == ["start": 60, "end": 1860, "isMovingWindow": true, "isLiveDone": false])
        #expect(bench.position == 1860)
        _ = bench.send("SEEK", 2, [("currentTime", 0)])
        #expect(bench.position == 60, "what has left the window is gone")
        _ = bench.send("SEEK", 3, [("currentTime", 9000)])
        #expect(bench.position == 1860)
    }

    @Test func `with an end is no longer live`() {
        var bench = MediaBench()
        _ = bench.send("LOAD", 1, [("media", ["contentId": "x", "streamType": "LIVE", "duration": 10])])
        _ = bench.fire(.loadSettles)
        guard case .loaded(let playback) = bench.machine.phase else {
            Issue.record("nothing plays")
            return
        }
        #expect(bench.machine.mediaStatus(playback, at: .zero, .brief)["liveSeekableRange"] == nil)
    }
}

extension MediaBench {
    /// `supportedMediaCommands` of a status now.
    var commands: Int? {
        guard case .loaded(let playback) = machine.phase else { return nil }
        return machine.mediaStatus(playback, at: now, .brief)["supportedMediaCommands"]?.wholeNumber
    }
}
