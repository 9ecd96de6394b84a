import CastModel
import Testing

@testable import Fleet

// PROTOCOL 5.3: the include-media flag is "the request contains textTrackStyle", and equality is not checked.
@Suite("EDIT_TRACKS_INFO")
struct TextTrackTests {
    static let yellow: JSONValue = ["foregroundColor": "#FFFF00FF", "edgeType": "OUTLINE"]

    @Test func `with a style is broadcast with media, and again with media when nothing differs`() {
        var bench = MediaBench.playing()
        let styled = ["to all: MEDIA_STATUS 41: #1 PLAYING media items1 tracks[]"]
        #expect(bench.send("EDIT_TRACKS_INFO", 41, [("textTrackStyle", Self.yellow)]) == styled)
        #expect(bench.send("EDIT_TRACKS_INFO", 41, [("textTrackStyle", Self.yellow)]) == styled)
    }

    @Test func `with tracks alone is broadcast without media`() {
        var bench = MediaBench.playing()
        #expect(
            bench.send("EDIT_TRACKS_INFO", 42, [("activeTrackIds", [1])])
                == ["to all: MEDIA_STATUS 42: #1 PLAYING tracks[1]"])
        #expect(
            bench.send("EDIT_TRACKS_INFO", 43, [("activeTrackIds", [])])
                == ["to all: MEDIA_STATUS 43: #1 PLAYING tracks[]"])
    }

    @Test func `with both is one frame with both`() {
        var bench = MediaBench.playing()
        #expect(
            bench.send("EDIT_TRACKS_INFO", 44, [("activeTrackIds", [2]), ("textTrackStyle", Self.yellow)])
                == ["to all: MEDIA_STATUS 44: #1 PLAYING media items1 tracks[2]"])
    }

    @Test func `replaces the style as a whole`() {
        var bench = MediaBench.playing()
        _ = bench.send("EDIT_TRACKS_INFO", 1, [("textTrackStyle", Self.yellow)])
        _ = bench.send("EDIT_TRACKS_INFO", 2, [("textTrackStyle", ["fontScale": 2])])
        guard case .loaded(let playback) = bench.machine.phase else {
            Issue.record("nothing plays")
            return
        }
        #expect(playback.media["textTrackStyle"] == ["fontScale": 2])
    }

    @Test(arguments: [[9], [1, 9], [3, 4]])
    func `with an unknown track, or two audio tracks, changes nothing, the style neither`(trackIDs: [Int]) {
        var bench = MediaBench.playing()
        _ = bench.send("EDIT_TRACKS_INFO", 1, [("activeTrackIds", [1])])
        #expect(
            bench.send(
                "EDIT_TRACKS_INFO", 2, [("activeTrackIds", .integers(trackIDs)), ("textTrackStyle", Self.yellow)])
                == ["to A: INVALID_REQUEST 2 INVALID_PARAMS"])
        guard case .loaded(let playback) = bench.machine.phase else {
            Issue.record("nothing plays")
            return
        }
        #expect(playback.activeTrackIDs == [1])
        #expect(playback.media["textTrackStyle"] == nil)
    }

    @Test func `by language or by switch chooses a text track`() {
        var bench = MediaBench.playing()
        #expect(
            bench.send("EDIT_TRACKS_INFO", 1, [("enableTextTracks", true), ("language", "de")])
                == ["to all: MEDIA_STATUS 1: #1 PLAYING tracks[2]"])
        #expect(
            bench.send("EDIT_TRACKS_INFO", 2, [("enableTextTracks", false)])
                == ["to all: MEDIA_STATUS 2: #1 PLAYING tracks[]"])
    }
}

@Suite("A queue")
struct MediaQueueTests {
    static let items: JSONValue = [
        ["media": ["contentId": "a", "duration": 10]], ["media": ["contentId": "b", "duration": 10]],
    ]

    static func playing() -> MediaBench {
        var bench = MediaBench()
        _ = bench.send("QUEUE_LOAD", 1, [("items", items)])
        _ = bench.fire(.loadSettles)
        return bench
    }

    @Test func `moves on by itself: FINISHED with id 0, then the next item with media and id 0`() {
        var bench = Self.playing()
        #expect(bench.fire(.itemEnds) == ["to all: MEDIA_STATUS 0: #1 IDLE FINISHED item2"])
        #expect(bench.fire(.loadSettles) == ["to all: MEDIA_STATUS 0: #1 PLAYING media items2 tracks[]"])
        #expect(bench.fire(.itemEnds) == ["to all: MEDIA_STATUS 0: #1 IDLE FINISHED"])
    }

    @Test(arguments: ["QUEUE_NEXT", "QUEUE_UPDATE"])
    func `jumps: INTERRUPTED with the requester's id, then the item with media and the same id`(type: String) {
        var bench = Self.playing()
        #expect(bench.send(type, 41, [("jump", 1)]) == ["to all: MEDIA_STATUS 41: #1 IDLE INTERRUPTED item2"])
        #expect(bench.fire(.loadSettles) == ["to all: MEDIA_STATUS 41: #1 PLAYING media items2 tracks[]"])
        #expect(bench.send(type, 42, [("jump", 1)]) == ["to A: INVALID_REQUEST 42 END_OF_QUEUE"])
    }

    @Test func `an insert is QUEUE_CHANGE for all, then a status with media and items`() {
        var bench = Self.playing()
        #expect(
            bench.send("QUEUE_INSERT", 41, [("items", [["media": ["contentId": "c"]]]), ("insertBefore", 2)]) == [
                "to all: QUEUE_CHANGE 41 INSERT [3]", "to all: MEDIA_STATUS 41: #1 PLAYING media items3 tracks[]",
            ])
        #expect(bench.send("QUEUE_GET_ITEM_IDS", 42).first?.hasPrefix("to A: QUEUE_ITEM_IDS 42") == true)
    }

    @Test func `a removal is a status with items, without media`() {
        var bench = Self.playing()
        #expect(
            bench.send("QUEUE_REMOVE", 41, [("itemIds", [2])]) == [
                "to all: QUEUE_CHANGE 41 REMOVE [2]", "to all: MEDIA_STATUS 41: #1 PLAYING items1 tracks[]",
            ])
    }

    @Test(arguments: [Int.max, Int.min, 99])
    func `survives any jump and any start index`(number: Int) {
        var bench = Self.playing()
        #expect(
            bench.send("QUEUE_UPDATE", 41, [("jump", .count(number))])
                == ["to A: INVALID_REQUEST 41 END_OF_QUEUE"])
        #expect(
            bench.send("QUEUE_LOAD", 42, [("items", Self.items), ("startIndex", .count(number))])
                == ["to A: INVALID_REQUEST 42 INVALID_PARAMS"])
    }
}
