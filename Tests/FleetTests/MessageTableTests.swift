import CastModel
import CastWire
import Testing

@testable import Fleet

// Method: one television, A who asks and B who only listens, each on a link of its own. Every line is what one of the two
// links carries: a broadcast goes to both as '*', an answer to its asker alone. The rows are those of PROTOCOL 5.1.
@Suite("The table of who gets what")
struct MessageTableTests {
    /// What both get.
    private func all(_ line: String) -> [String] { ["1 *: \(line)", "2 *: \(line)"] }

    /// A film with ten minutes and two text tracks plays, loaded by A with request 3.
    static func playing(_ app: String = "CC1AD845") -> DeviceBench {
        var bench = DeviceBench.running(app)
        _ = bench.join(strength: 2)
        _ = bench.request(
            "LOAD", 3,
            "\"media\":{\"contentId\":\"film\",\"duration\":600,\"tracks\":[{\"trackId\":1,\"type\":\"TEXT\"}]}")
        _ = bench.handle(.fired(.media(.loadSettles)))
        return bench
    }

    @Test func `GET_STATUS is answered to its asker alone, with media`() {
        var bench = Self.playing()
        #expect(bench.request("GET_STATUS", 41) == ["1 A: MEDIA_STATUS 41: #1 PLAYING media items1 tracks[]"])
        #expect(bench.request("GET_STATUS", 42, by: 2) == ["2 B: MEDIA_STATUS 42: #1 PLAYING media items1 tracks[]"])
    }

    @Test(arguments: [
        ("PLAY", "", "PLAYING tracks[]"), ("PAUSE", "", "PAUSED tracks[]"),
        ("SEEK", "\"currentTime\":60", "BUFFERING tracks[]"),
        ("SET_VOLUME", "\"volume\":{\"level\":0.5}", "PLAYING tracks[]"),
        ("SET_PLAYBACK_RATE", "\"playbackRate\":2", "PLAYING tracks[]"),
        ("EDIT_AUDIO_TRACKS", "", "PLAYING tracks[]"), ("QUEUE_SHUFFLE", "", "PLAYING tracks[]"),
        ("PLAY_AGAIN", "", "PLAYING tracks[]"), ("STOP", "", "IDLE CANCELLED"),
        ("EDIT_TRACKS_INFO", "\"activeTrackIds\":[1]", "PLAYING tracks[1]"),
        ("EDIT_TRACKS_INFO", "\"textTrackStyle\":{}", "PLAYING media items1 tracks[]"),
        ("EDIT_TRACKS_INFO", "\"textTrackStyle\":{},\"activeTrackIds\":[1]", "PLAYING media items1 tracks[1]"),
        ("USER_ACTION", "\"userAction\":\"LIKE\"", "PLAYING media items1 tracks[]"),
        ("QUEUE_UPDATE", "\"repeatMode\":\"REPEAT_ALL\"", "PLAYING tracks[]"),
    ])
    func `a command that succeeds is one broadcast with the asker's id`(
        type: String, fields: String, status: String
    ) {
        var bench = Self.playing()
        let heard = bench.request(type, 41, fields).filter { !$0.contains("RECEIVER_STATUS") }
        #expect(heard == all("MEDIA_STATUS 41: #1 \(status)"))
    }

    @Test func `a LOAD into an empty player is LOADING with id 0, then PLAYING with the loader's id, for all`() {
        var bench = DeviceBench.running("233637DE")
        _ = bench.join(strength: 2)
        #expect(
            bench.request("LOAD", 3, "\"media\":{\"contentId\":\"a\"}")
                == all("MEDIA_STATUS 0: #1 IDLE LOADING#1 media"))
        #expect(
            bench.handle(.fired(.media(.loadSettles))) == all("MEDIA_STATUS 3: #1 PLAYING media items1 tracks[]"))
    }

    @Test func `a LOAD over running media interrupts it with id 0, then plays with the loader's id, for all`() {
        var bench = Self.playing("233637DE")
        #expect(
            bench.request("LOAD", 41, "\"media\":{\"contentId\":\"b\"}", by: 2)
                == all("MEDIA_STATUS 0: #1 IDLE INTERRUPTED LOADING#2"))
        #expect(
            bench.handle(.fired(.media(.loadSettles))) == all("MEDIA_STATUS 41: #2 PLAYING media items1 tracks[]"))
    }

    @Test func `a LOAD that fails is LOAD_FAILED for its loader; the others learn it from IDLE ERROR`() {
        var bench = Self.playing("233637DE")
        _ = bench.request("LOAD", 41, "\"media\":{\"contentId\":\"b.unplayable\"}")
        #expect(
            bench.handle(.fired(.media(.loadSettles)))
                == ["1 A: LOAD_FAILED 41 code 104"] + all("MEDIA_STATUS 0: #2 IDLE ERROR"))
    }

    @Test func `a LOAD during another one is LOAD_CANCELLED for the loader who is too late`() {
        var bench = Self.playing("233637DE")
        _ = bench.request("LOAD", 41, "\"media\":{\"contentId\":\"b\"}")
        #expect(
            bench.request("LOAD", 7, "\"media\":{\"contentId\":\"c\"}", by: 2)
                == ["1 A: LOAD_CANCELLED 41"] + all("MEDIA_STATUS 0: #1 IDLE INTERRUPTED LOADING#3"))
        #expect(
            bench.handle(.fired(.media(.loadSettles))) == all("MEDIA_STATUS 7: #3 PLAYING media items1 tracks[]"))
    }

    @Test func `an insert and a change of items are QUEUE_CHANGE and a status with media and items, for all`() {
        var bench = Self.playing()
        #expect(
            bench.request("QUEUE_INSERT", 41, "\"items\":[{\"media\":{\"contentId\":\"b\"}}]")
                == all("QUEUE_CHANGE 41 INSERT [2]") + all("MEDIA_STATUS 41: #1 PLAYING media items2 tracks[]"))
        #expect(
            bench.request("QUEUE_UPDATE", 42, "\"items\":[{\"itemId\":2,\"autoplay\":false}]")
                == all("QUEUE_CHANGE 42 ITEMS_CHANGE [2]")
                + all("MEDIA_STATUS 42: #1 PLAYING media items2 tracks[]"))
    }

    @Test func `a removal and a new order are QUEUE_CHANGE and a status with items, without media, for all`() {
        var bench = Self.playing()
        _ = bench.request("QUEUE_INSERT", 40, "\"items\":[{\"media\":{}},{\"media\":{}}]")
        #expect(
            bench.request("QUEUE_REORDER", 41, "\"itemIds\":[3],\"insertBefore\":2")
                == all("QUEUE_CHANGE 41 UPDATE [3] before 2") + all("MEDIA_STATUS 41: #1 PLAYING items3 tracks[]"))
        #expect(
            bench.request("QUEUE_REMOVE", 42, "\"itemIds\":[2]")
                == all("QUEUE_CHANGE 42 REMOVE [2]") + all("MEDIA_STATUS 42: #1 PLAYING items2 tracks[]"))
    }

    @Test(arguments: [("QUEUE_NEXT", ""), ("QUEUE_UPDATE", "\"jump\":1")])
    func `a jump is INTERRUPTED and then the item with media, both with the asker's id, for all`(
        type: String, fields: String
    ) {
        var bench = Self.playing("233637DE")
        _ = bench.request("QUEUE_INSERT", 40, "\"items\":[{\"media\":{\"contentId\":\"b\",\"duration\":9}}]")
        #expect(bench.request(type, 41, fields) == all("MEDIA_STATUS 41: #1 IDLE INTERRUPTED item2"))
        #expect(
            bench.handle(.fired(.media(.loadSettles))) == all("MEDIA_STATUS 41: #1 PLAYING media items2 tracks[]"))
        #expect(
            bench.request("QUEUE_PREV", 42) == all("MEDIA_STATUS 42: #1 IDLE INTERRUPTED item1"))
    }

    @Test func `the queue moves on with FINISHED and id 0, then the item with media and id 0, for all`() {
        var bench = Self.playing("233637DE")
        _ = bench.request("QUEUE_INSERT", 40, "\"items\":[{\"media\":{\"contentId\":\"b\",\"duration\":9}}]")
        #expect(bench.handle(.fired(.media(.itemEnds))) == all("MEDIA_STATUS 0: #1 IDLE FINISHED item2"))
        #expect(
            bench.handle(.fired(.media(.loadSettles))) == all("MEDIA_STATUS 0: #1 PLAYING media items2 tracks[]"))
        #expect(bench.handle(.fired(.media(.itemEnds))) == all("MEDIA_STATUS 0: #1 IDLE FINISHED"))
    }

    @Test func `what happens on the device has id 0, for all`() {
        var bench = Self.playing("233637DE")
        #expect(bench.handle(.happened(.remotePausesOrPlays)) == all("MEDIA_STATUS 0: #1 PAUSED tracks[]"))
        #expect(bench.handle(.happened(.remotePausesOrPlays)) == all("MEDIA_STATUS 0: #1 PLAYING tracks[]"))
        #expect(
            bench.handle(.happened(.playbackFails(code: 301)))
                == all("ERROR code 301") + all("MEDIA_STATUS 0: #1 IDLE ERROR"))
    }

    @Test func `what cannot be is refused to its asker alone`() {
        var bench = Self.playing()
        #expect(bench.request("DANCE", 41) == ["1 A: INVALID_REQUEST 41 INVALID_COMMAND"])
        #expect(
            bench.request("EDIT_TRACKS_INFO", 42, "\"activeTrackIds\":[9],\"textTrackStyle\":{}")
                == ["1 A: INVALID_REQUEST 42 INVALID_PARAMS"])
        #expect(bench.request("QUEUE_NEXT", 43, by: 2) == ["2 B: INVALID_REQUEST 43 END_OF_QUEUE"])
        _ = bench.request("STOP", 44)
        #expect(bench.request("PAUSE", 45) == ["1 A: INVALID_PLAYER_STATE 45"])
    }

    @Test func `a like is kept in the media until it is taken back`() throws {
        var bench = Self.playing()
        func states() -> JSONValue? {
            guard case .loaded(let playback)? = bench.machine.app?.media?.phase else { return nil }
            return playback.media["userActionStates"]
        }
        _ = bench.request("USER_ACTION", 41, "\"userAction\":\"LIKE\"")
        #expect(states() == [["userAction": "LIKE"]])
        _ = bench.request("USER_ACTION", 42, "\"userAction\":\"LIKE\",\"clear\":true")
        #expect(states() == [])
    }
}

extension DeviceBench {
    /// A request about media session 1, by A (link 1) or B (link 2).
    mutating func request(_ type: String, _ requestID: Int, _ fields: String = "", by link: Int = 1) -> [String] {
        let mediaSession = ["LOAD", "GET_STATUS"].contains(type) ? "" : ",\"mediaSessionId\":1"
        let more = fields.isEmpty ? "" : "," + fields
        let json = "{\"type\":\"\(type)\",\"requestId\":\(requestID)\(mediaSession)\(more)}"
        return send(link, link == 1 ? "A" : "B", transport, .media, json)
    }
}
