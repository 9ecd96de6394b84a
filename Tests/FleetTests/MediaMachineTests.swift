import CastModel
import Testing

@testable import Fleet

// Every expected line is a row of the table in PROTOCOL 5.1, with the rules of 5.2 and 5.3 for `media`.
@Suite("An app's media namespace")
struct MediaMachineTests {
    @Test func `answers GET_STATUS to the asker alone, with media`() {
        var bench = MediaBench.playing()
        #expect(
            bench.send("GET_STATUS", 7, from: MediaBench.senderB)
                == ["to B: MEDIA_STATUS 7: #1 PLAYING media items1 tracks[]"])
        #expect(bench.send("GET_STATUS", 8, [("options", 1)]) == ["to A: MEDIA_STATUS 8: #1 PLAYING tracks[]"])
    }

    @Test func `has nothing to report before the first LOAD`() {
        var bench = MediaBench()
        #expect(bench.send("GET_STATUS", 1) == ["to A: MEDIA_STATUS 1: nothing"])
    }

    @Test(arguments: [
        ("PLAY", "PLAYING"), ("PAUSE", "PAUSED"), ("SEEK", "BUFFERING"), ("SET_VOLUME", "PLAYING"),
        ("SET_PLAYBACK_RATE", "PLAYING"), ("EDIT_AUDIO_TRACKS", "PLAYING"), ("QUEUE_SHUFFLE", "PLAYING"),
        ("PLAY_AGAIN", "PLAYING"),
    ])
    func `broadcasts a command's effect with the requester's id, without media`(type: String, playerState: String) {
        var bench = MediaBench.playing()
        let fields: [(key: String, value: JSONValue)] = [
            ("currentTime", 30), ("playbackRate", 1.5), ("volume", ["level": 0.5]),
        ]
        #expect(bench.send(type, 41, fields) == ["to all: MEDIA_STATUS 41: #1 \(playerState) tracks[]"])
    }

    @Test func `a LOAD into an empty player is first IDLE and LOADING with id 0, then PLAYING with the loader's`() {
        var bench = MediaBench()
        #expect(
            bench.send("LOAD", 5, [("media", MediaBench.film)])
                == ["to all: MEDIA_STATUS 0: #1 IDLE LOADING#1 media"])
        #expect(bench.fire(.loadSettles) == ["to all: MEDIA_STATUS 5: #1 PLAYING media items1 tracks[]"])
    }

    @Test func `a LOAD over running media interrupts the old media session and names the new one`() {
        var bench = MediaBench.playing()
        #expect(
            bench.send("LOAD", 9, from: MediaBench.senderB, [("media", MediaBench.film)])
                == ["to all: MEDIA_STATUS 0: #1 IDLE INTERRUPTED LOADING#2"])
        #expect(bench.fire(.loadSettles) == ["to all: MEDIA_STATUS 9: #2 PLAYING media items1 tracks[]"])
    }

    @Test func `a LOAD during another one cancels that one for its loader`() {
        var bench = MediaBench()
        _ = bench.send("LOAD", 5, [("media", MediaBench.film)])
        #expect(
            bench.send("LOAD", 1, from: MediaBench.senderB, [("media", MediaBench.film)])
                == ["to A: LOAD_CANCELLED 5", "to all: MEDIA_STATUS 0: #2 IDLE LOADING#2 media"])
        #expect(bench.fire(.loadSettles) == ["to all: MEDIA_STATUS 1: #2 PLAYING media items1 tracks[]"])
    }

    @Test func `a LOAD that fails is LOAD_FAILED for its loader and IDLE ERROR for all`() {
        var bench = MediaBench()
        _ = bench.send("LOAD", 5, [("media", ["contentId": "x.unplayable"])])
        #expect(
            bench.fire(.loadSettles) == ["to A: LOAD_FAILED 5 code 104", "to all: MEDIA_STATUS 0: #1 IDLE ERROR"])
        #expect(bench.send("GET_STATUS", 6) == ["to A: MEDIA_STATUS 6: nothing"])
    }

    @Test func `keeps all other requests waiting while a LOAD is pending`() {
        var bench = MediaBench()
        _ = bench.send("LOAD", 5, [("media", MediaBench.film)])
        #expect(bench.send("GET_STATUS", 1, from: MediaBench.senderB) == [])
        #expect(bench.send("PAUSE", 6) == [])
        #expect(
            bench.fire(.loadSettles) == [
                "to all: MEDIA_STATUS 5: #1 PLAYING media items1 tracks[]",
                "to B: MEDIA_STATUS 1: #1 PLAYING media items1 tracks[]", "to all: MEDIA_STATUS 6: #1 PAUSED tracks[]",
            ])
    }

    @Test func `refuses what would wait beyond the limit`() {
        var bench = MediaBench()
        _ = bench.send("LOAD", 1, [("media", MediaBench.film)])
        for requestID in 2..<34 { #expect(bench.send("GET_STATUS", requestID) == []) }
        #expect(bench.send("GET_STATUS", 34) == ["to A: INVALID_PLAYER_STATE 34"])
    }

    @Test func `STOP is IDLE CANCELLED once, and nothing from then on`() {
        var bench = MediaBench.playing()
        #expect(bench.send("STOP", 41) == ["to all: MEDIA_STATUS 41: #1 IDLE CANCELLED"])
        #expect(bench.send("GET_STATUS", 42) == ["to A: MEDIA_STATUS 42: nothing"])
        #expect(bench.send("PLAY", 43) == ["to A: INVALID_PLAYER_STATE 43"])
    }

    @Test func `the natural end is IDLE FINISHED with id 0`() {
        var bench = MediaBench.playing()
        bench.now = .seconds(100)
        #expect(bench.fire(.itemEnds) == ["to all: MEDIA_STATUS 0: #1 IDLE FINISHED"])
        #expect(bench.send("GET_STATUS", 2) == ["to A: MEDIA_STATUS 2: nothing"])
    }

    @Test func `a seek buffers, then plays on with id 0`() {
        var bench = MediaBench.playing()
        _ = bench.send("SEEK", 41, [("currentTime", 30)])
        #expect(bench.fire(.bufferingEnds) == ["to all: MEDIA_STATUS 0: #1 PLAYING tracks[]"])
    }

    @Test func `a stall is BUFFERING and PLAYING again, both with id 0, and the position waits`() {
        var bench = MediaBench.playing()
        bench.now = .seconds(10)
        #expect(
            Transcript.lines(bench.machine.stall(for: .seconds(2), at: bench.now))
                == ["to all: MEDIA_STATUS 0: #1 BUFFERING tracks[]"])
        bench.now = .seconds(12)
        #expect(bench.position == 10)
        #expect(bench.fire(.bufferingEnds) == ["to all: MEDIA_STATUS 0: #1 PLAYING tracks[]"])
        bench.now = .seconds(13)
        #expect(bench.position == 11)
    }

    // PROTOCOL 5.8: five minutes without media, twenty minutes paused, whoever is connected.
    @Test func `an app that plays nothing has enough after five minutes, a paused one after twenty`() {
        var bench = MediaBench()
        #expect(bench.machine.started() == [.arm(.idleLimit, after: .seconds(300))])
        #expect(bench.machine.fired(.idleLimit, at: .zero) == [.stopApp])
        bench = .playing()
        let paused = bench.machine.received(
            ["type": "PAUSE", "requestId": 2, "mediaSessionId": 1], from: MediaBench.senderA, at: .zero)
        #expect(paused.contains(.arm(.idleLimit, after: .seconds(1200))))
        let played = bench.machine.received(
            ["type": "PLAY", "requestId": 3, "mediaSessionId": 1], from: MediaBench.senderA, at: .zero)
        #expect(played.contains(.disarm(.idleLimit)))
    }

    @Test(arguments: [
        ("LOAD", "INVALID_PARAMS"), ("SEEK", "INVALID_PARAMS"), ("SET_PLAYBACK_RATE", "INVALID_PARAMS"),
        ("DANCE", "INVALID_COMMAND"),
    ])
    func `refuses a bad request to the requester alone`(type: String, reason: String) {
        var bench = MediaBench.playing()
        #expect(bench.send(type, 41, [("playbackRate", 3)]) == ["to A: INVALID_REQUEST 41 \(reason)"])
    }

    @Test func `refuses another media session's id`() {
        var bench = MediaBench.playing()
        let refused = ["to A: INVALID_REQUEST 41 INVALID_MEDIA_SESSION_ID"]
        #expect(bench.send("PAUSE", 41, [("mediaSessionId", 7)]) == refused)
        #expect(bench.send("GET_STATUS", 41, [("mediaSessionId", 7)]) == refused)
    }

    @Test(arguments: ["\"5\"", "5.0", "null", "[]"])
    func `ignores a request whose id is no integer`(requestID: String) throws {
        var bench = MediaBench.playing()
        let body = try JSONParser().parse("{\"type\":\"GET_STATUS\",\"requestId\":\(requestID)}")
        #expect(bench.machine.received(body, from: MediaBench.senderA, at: .zero) == [])
    }

    @Test func `position moves with time and rate while it plays, and not while it is paused`() {
        var bench = MediaBench.playing()
        bench.now = .seconds(10)
        _ = bench.send("SET_PLAYBACK_RATE", 2, [("playbackRate", 2)])
        bench.now = .seconds(15)
        #expect(bench.position == 20)
        _ = bench.send("PAUSE", 3)
        bench.now = .seconds(60)
        #expect(bench.position == 20)
        _ = bench.send("PLAY", 4)
        bench.now = .seconds(70)
        #expect(bench.position == 40)
        bench.now = .seconds(7000)
        #expect(bench.position == 100)
    }

    @Test func `the end is due when position and rate say so`() {
        var bench = MediaBench.playing()
        bench.now = .seconds(10)
        let effects = bench.machine.received(
            ["type": "SET_PLAYBACK_RATE", "requestId": 2, "mediaSessionId": 1, "playbackRate": 2],
            from: MediaBench.senderA, at: bench.now)
        #expect(effects.contains(.arm(.itemEnds, after: .seconds(45))))
    }

    @Test func `no duration that a sender names can overflow a timer`() {
        var bench = MediaBench()
        _ = bench.send("LOAD", 1, [("media", ["contentId": "x", "duration": 1e300])])
        #expect(bench.machine.fired(.loadSettles, at: .zero).contains(.arm(.itemEnds, after: .seconds(1e8))))
    }
}

extension MediaBench {
    /// The position that a status would report now, in seconds.
    var position: Double? {
        guard case .loaded(let playback) = machine.phase else { return nil }
        return playback.positionSeconds(at: now)
    }
}
