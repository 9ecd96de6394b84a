import CastModel
import Testing

@testable import Fleet

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
                "to all: QUEUE_CHANGE 41 INSERT [3] before 2",
                "to all: MEDIA_STATUS 41: #1 PLAYING media items3 tracks[]",
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

    /// Items 1 to 5 of ten seconds each; the first one plays.
    static func playingFive(_ fields: [(key: String, value: JSONValue)] = []) -> MediaBench {
        var bench = MediaBench()
        let items = ["a", "b", "c", "d", "e"].map { name -> JSONValue in
            ["media": ["contentId": .string(name), "duration": 10], "preloadTime": 2]
        }
        _ = bench.send("QUEUE_LOAD", 1, [("items", .array(items))] + fields)
        _ = bench.fire(.loadSettles)
        return bench
    }

    /// The item ids of the queue, and of what a status shows of it.
    private func order(_ bench: inout MediaBench) throws -> [Int] {
        guard case .loaded(let playback) = bench.machine.phase else {
            Issue.record("nothing plays")
            return []
        }
        return playback.queue.items.map(\.itemID)
    }

    @Test func `shows a window of itself: one item before the current one, two after it`() {
        var bench = Self.playingFive()
        #expect(bench.send("GET_STATUS", 2) == ["to A: MEDIA_STATUS 2: #1 PLAYING media items3 tracks[]"])
        _ = bench.send("QUEUE_UPDATE", 3, [("jump", 2)])
        #expect(bench.fire(.loadSettles) == ["to all: MEDIA_STATUS 3: #1 PLAYING media items4 tracks[]"])
        _ = bench.send("QUEUE_UPDATE", 4, [("currentItemId", 5)])
        #expect(bench.fire(.loadSettles) == ["to all: MEDIA_STATUS 4: #1 PLAYING media items2 tracks[]"])
    }

    @Test func `is told apart from its window by QUEUE_GET_ITEM_IDS`() {
        var bench = Self.playingFive()
        let asked: JSONValue = ["type": "QUEUE_GET_ITEM_IDS", "requestId": 2, "mediaSessionId": 1]
        #expect(
            bench.machine.received(asked, from: MediaBench.senderB, at: .zero) == [
                .reply(
                    [
                        "type": "QUEUE_ITEM_IDS", "requestId": 2, "sequenceNumber": 1, "itemIds": [1, 2, 3, 4, 5],
                    ], to: MediaBench.senderB)
            ])
    }

    @Test func `reorders what does not play: QUEUE_CHANGE, then a status with items, without media`() throws {
        var bench = Self.playingFive()
        #expect(
            bench.send("QUEUE_REORDER", 41, [("itemIds", [5, 4]), ("insertBefore", 2)]) == [
                "to all: QUEUE_CHANGE 41 UPDATE [5,4] before 2", "to all: MEDIA_STATUS 41: #1 PLAYING items3 tracks[]",
            ])
        #expect(try order(&bench) == [1, 5, 4, 2, 3])
        #expect(
            bench.send("QUEUE_REORDER", 42, [("itemIds", [1])]) == [
                "to all: QUEUE_CHANGE 42 UPDATE [1]", "to all: MEDIA_STATUS 42: #1 PLAYING items2 tracks[]",
            ], "the one that plays moves too, and plays on")
        #expect(try order(&bench) == [5, 4, 2, 3, 1])
    }

    @Test func `shuffles what comes after the current item`() throws {
        var bench = Self.playingFive()
        #expect(
            bench.send("QUEUE_SHUFFLE", 41) == [
                "to all: QUEUE_CHANGE 41 UPDATE [1,3,5,2,4]", "to all: MEDIA_STATUS 41: #1 PLAYING items3 tracks[]",
            ])
        #expect(
            bench.send("QUEUE_UPDATE", 42, [("shuffle", true)]).first == "to all: QUEUE_CHANGE 42 UPDATE [1,5,4,3,2]")
    }

    @Test func `tells the asker alone when nothing has changed`() {
        var bench = Self.playingFive()
        #expect(bench.send("QUEUE_REMOVE", 41, [("itemIds", [9])]) == ["to A: QUEUE_CHANGE 41 NO_CHANGE"])
        #expect(bench.send("QUEUE_UPDATE", 42, [("items", [["itemId": 9]])]) == ["to A: QUEUE_CHANGE 42 NO_CHANGE"])
        #expect(bench.send("QUEUE_REORDER", 43, [("itemIds", [1, 1])]) == ["to A: QUEUE_CHANGE 43 NO_CHANGE"])
    }

    @Test func `changes items in place, and says so with media and items`() {
        var bench = Self.playingFive()
        #expect(
            bench.send("QUEUE_UPDATE", 41, [("items", [["itemId": 2, "customData": "x"]])]) == [
                "to all: QUEUE_CHANGE 41 ITEMS_CHANGE [2]",
                "to all: MEDIA_STATUS 41: #1 PLAYING media items3 tracks[]",
            ])
    }

    @Test func `without the item that plays goes on with the next one, and ends without any`() {
        var bench = Self.playingFive()
        #expect(
            bench.send("QUEUE_REMOVE", 41, [("itemIds", [1, 2])]) == [
                "to all: QUEUE_CHANGE 41 REMOVE [1,2]", "to all: MEDIA_STATUS 41: #1 IDLE INTERRUPTED item3",
            ])
        #expect(bench.fire(.loadSettles) == ["to all: MEDIA_STATUS 41: #1 PLAYING media items3 tracks[]"])
        #expect(
            bench.send("QUEUE_REMOVE", 42, [("itemIds", [3, 4, 5])]) == [
                "to all: QUEUE_CHANGE 42 REMOVE [3,4,5]", "to all: MEDIA_STATUS 42: #1 IDLE CANCELLED",
            ])
    }

    @Test func `plays an inserted item at once when its sender wants that`() {
        var bench = Self.playingFive()
        let items: JSONValue = [["media": ["contentId": "f"]], ["media": ["contentId": "g"]]]
        #expect(
            bench.send("QUEUE_INSERT", 41, [("items", items), ("insertBefore", 2), ("currentItemIndex", 1)]) == [
                "to all: QUEUE_CHANGE 41 INSERT [6,7] before 2", "to all: MEDIA_STATUS 41: #1 IDLE INTERRUPTED item7",
            ])
    }

    @Test func `refuses a change of another queue than the sender knows`() {
        var bench = Self.playingFive()
        let known: (key: String, value: JSONValue) = ("sequenceNumber", 1)
        #expect(bench.send("QUEUE_REMOVE", 41, [("itemIds", [5]), known]).count == 2)
        #expect(
            bench.send("QUEUE_REMOVE", 42, [("itemIds", [4]), known]) == ["to A: INVALID_REQUEST 42 INVALID_PARAMS"])
    }

    @Test func `that repeats one item plays it again, until a sender steps on`() {
        var bench = Self.playingFive([("repeatMode", "REPEAT_SINGLE")])
        #expect(bench.fire(.itemEnds) == ["to all: MEDIA_STATUS 0: #1 IDLE FINISHED item1"])
        _ = bench.fire(.loadSettles)
        #expect(bench.send("QUEUE_NEXT", 41) == ["to all: MEDIA_STATUS 41: #1 IDLE INTERRUPTED item2"])
    }

    @Test func `that repeats begins again after its end`() {
        var bench = Self.playingFive([("startIndex", 4), ("repeatMode", "REPEAT_ALL")])
        #expect(bench.fire(.itemEnds) == ["to all: MEDIA_STATUS 0: #1 IDLE FINISHED item1"])
        _ = bench.fire(.loadSettles)
        #expect(bench.send("QUEUE_PREV", 41) == ["to all: MEDIA_STATUS 41: #1 IDLE INTERRUPTED item5"])
        _ = bench.fire(.loadSettles)
        #expect(
            bench.send("QUEUE_UPDATE", 42, [("repeatMode", "REPEAT_OFF")])
                == ["to all: MEDIA_STATUS 42: #1 PLAYING tracks[]"])
        #expect(bench.fire(.itemEnds) == ["to all: MEDIA_STATUS 0: #1 IDLE FINISHED"])
    }

    @Test func `loads the next item ahead, two seconds before the end, and says so with id 0`() {
        var bench = Self.playingFive()
        let played = bench.machine.received(
            ["type": "PLAY", "requestId": 2, "mediaSessionId": 1], from: MediaBench.senderA, at: .zero)
        #expect(played.contains(.arm(.preload, after: .seconds(8))))
        bench.now = .seconds(8)
        #expect(bench.fire(.preload) == ["to all: MEDIA_STATUS 0: #1 PLAYING preloaded2 tracks[]"])
        #expect(bench.fire(.preload) == [])
    }
}
