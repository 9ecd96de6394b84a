import CastModel
import CastWire
import Differ
import Recording
import Testing

@Suite("The differ on queues")
struct QueueTests {
    /// Media session 1 plays item 2 of a queue whose window is 1, 2, 3.
    private func playing(_ more: String = "") -> Replay {
        var replay = Replay.appSeenStarting()
        replay.media(
            2, 5,
            #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"currentItemId":2,"repeatMode":"REPEAT_OFF","media":{"contentId":"b"},"items":[\#(Self.items(1, 2, 3))]\#(more)}"#
        )
        return replay
    }

    private static func items(_ ids: Int...) -> String {
        ids.map {
            #"{"itemId":\#($0),"media":{"contentId":"content-\#($0)","metadata":{"title":"Title \#($0)","images":["u"]}}}"#
        }
        .joined(separator: ",")
    }

    private func lines(_ more: String = "", _ change: (inout Replay) -> Void) -> [String] {
        var replay = playing(more)
        let known = replay.records.count
        change(&replay)
        return replay.lines(after: known)
    }

    private func status(_ fields: String) -> String {
        #"{"mediaSessionId":1,"playerState":"PLAYING",\#(fields)}"#
    }

    private func queueChange(_ fields: String, in replay: inout Replay, at seconds: Double, to: String = "*") {
        replay.receive(seconds, from: "t-1", to: to, .media, #"{"type":"QUEUE_CHANGE",\#(fields)}"#)
    }

    @Test func `a QUEUE_CHANGE is told as it came, and the status that goes with it tells nothing again`() {
        let told = lines {
            queueChange(
                #""requestId":31,"changeType":"INSERT","itemIds":[8,9],"insertBefore":3,"sequenceNumber":4,"x":1"#,
                in: &$0, at: 3)
            $0.media(
                3, 31, status(#""currentTime":1,"media":{"contentId":"b"},"items":[\#(Self.items(1, 2, 8, 9, 3))]"#))
        }
        #expect(
            told == [
                #"queue_changed sender_request | queue | is {"changeType":"INSERT","itemIds":[8,9],"insertBefore":3,"sequenceNumber":4}"#,
                #"media_reasserted sender_request | no effect | media_metadata+media_status | was {"contentId":"b"} | is {"contentId":"b"}"#,
            ])
    }

    @Test func `media sent because of a QUEUE_CHANGE is no edit of the style`() {
        var replay = Replay.appSeenStarting()
        let media = #""media":{"contentId":"a","textTrackStyle":{"fontScale":1}}"#
        replay.media(2, 5, status(#""currentTime":0,\#(media)"#))
        let known = replay.records.count
        queueChange(#""requestId":31,"changeType":"INSERT","itemIds":[8]"#, in: &replay, at: 3)
        replay.media(3, 31, status(#""currentTime":1,\#(media)"#))
        replay.media(4, 32, status(#""currentTime":2,\#(media)"#))
        #expect(
            replay.lines(after: known).map { $0.prefix { $0 != " " } } == [
                "queue_changed", "media_reasserted", "text_track_style_reasserted",
            ])
    }

    @Test func `a QUEUE_CHANGE to everybody and again to the asker is one change`() {
        let change = #""requestId":31,"changeType":"REMOVE","itemIds":[3],"sequenceNumber":4"#
        #expect(
            lines {
                queueChange(change, in: &$0, at: 3)
                queueChange(change, in: &$0, at: 3, to: "sender-us")
            } == [
                #"queue_changed sender_request | queue | is {"changeType":"REMOVE","itemIds":[3],"sequenceNumber":4}"#
            ])
    }

    @Test func `NO_CHANGE is none, and its number counts`() {
        #expect(
            lines {
                queueChange(#""requestId":1,"changeType":"NO_CHANGE","sequenceNumber":4"#, in: &$0, at: 3)
                queueChange(#""requestId":0,"changeType":"UPDATE","itemIds":[2],"sequenceNumber":5"#, in: &$0, at: 4)
            } == [#"queue_changed receiver | queue | is {"changeType":"UPDATE","itemIds":[2],"sequenceNumber":5}"#])
    }

    // The number counts changes: from 4 to 7, those of 5 and 6 were never seen.
    @Test(arguments: [(Int64(5), Int64?.none), (7, 2), (4, nil), (3, nil), (.max, .max - 5), (.min, nil)])
    func `a jump of the number says how many changes were missed`(next: Int64, missed: Int64?) {
        let told = lines {
            queueChange(#""requestId":0,"changeType":"UPDATE","itemIds":[1],"sequenceNumber":4"#, in: &$0, at: 3)
            queueChange(#""requestId":0,"changeType":"UPDATE","itemIds":[2],"sequenceNumber":\#(next)"#, in: &$0, at: 4)
        }
        let more = missed.map { #","missed":\#($0)"# } ?? ""
        #expect(
            told.dropFirst() == [
                #"queue_changed receiver | queue | is {"changeType":"UPDATE","itemIds":[2],"sequenceNumber":\#(next)\#(more)}"#
            ])
    }

    @Test(arguments: [[2, 3, 4], [3, 4, 5], [1, 2], [2], [1, 2, 3, 4], [7, 8, 9], [], [0, 1, 2, 3, 4]])
    func `a window that moved, shrank or grew is no change`(window: [Int]) {
        let items = window.map { #"{"itemId":\#($0)}"# }.joined(separator: ",")
        #expect(lines { $0.media(3, 6, status(#""currentTime":1,"items":[\#(items)]"#)) } == [])
    }

    // Every window of a queue of seven after every other one: 28 by 28.
    @Test func `any two windows of one queue tell no change`() {
        let windows = (1...7).flatMap { first in (first...7).map { Array(first...$0) } }
        for one in windows {
            for other in windows {
                var replay = Replay.appSeenStarting()
                for (second, window) in [one, other].enumerated() {
                    let items = window.map { #"{"itemId":\#($0)}"# }.joined(separator: ",")
                    replay.media(Double(second + 2), 0, status(#""currentTime":\#(second),"items":[\#(items)]"#))
                }
                #expect(replay.lines(after: 4) == [], "\(one) then \(other)")
            }
        }
    }

    @Test(arguments: [
        ([1, 9, 2, 3], #""window":[1,9,2,3],"inserted":[9]"#), ([1, 3], #""window":[1,3],"removed":[2]"#),
        ([1, 3, 2], #""window":[1,3,2],"reordered":true"#), ([2, 1, 7], #""window":[2,1,7],"reordered":true"#),
        ([1, 8, 3, 4], #""window":[1,8,3,4],"inserted":[8],"removed":[2]"#),
    ])
    func `another order, or items between known ones, is a change`(window: [Int], change: String) {
        let items = window.map { #"{"itemId":\#($0)}"# }.joined(separator: ",")
        #expect(
            lines { $0.media(3, 6, status(#""currentTime":1,"items":[\#(items)]"#)) } == [
                #"queue_changed sender_request | media_status+queue | was {"window":[1,2,3]} | is {\#(change)}"#
            ])
    }

    @Test func `another item is told with what it plays, and the seek to its start is none`() {
        #expect(
            lines { $0.media(60, 6, status(#""currentTime":0,"currentItemId":3"#)) } == [
                #"queue_item_changed sender_request | media_status | was {"currentItemId":2,"media":{"contentId":"b"}} | is {"currentItemId":3,"media":{"contentId":"content-3","metadata":{"title":"Title 3"}}}"#
            ])
    }

    @Test func `an item that was never listed is told by its number`() {
        #expect(
            lines { $0.media(60, 0, status(#""currentTime":0,"currentItemId":12"#)) } == [
                #"queue_item_changed receiver | media_status | was {"currentItemId":2,"media":{"contentId":"b"}} | is {"currentItemId":12}"#
            ])
    }

    @Test func `a step that ends one item and loads the next is a step and no end`() {
        #expect(
            lines {
                $0.media(
                    60, 0,
                    #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"FINISHED","currentTime":58,"currentItemId":2,"loadingItemId":3}"#
                )
                $0.media(
                    61, 0,
                    status(#""currentTime":0,"currentItemId":3,"preloadedItemId":4,"media":{"contentId":"content-3"}"#))
            } == [
                #"player_state_changed receiver | media_status | was {"playerState":"PLAYING"} | is {"playerState":"IDLE"}"#,
                #"queue_item_changed receiver | media_status | was {"currentItemId":2,"media":{"contentId":"b"}} | is {"currentItemId":3,"media":{"contentId":"content-3"}}"#,
                #"media_changed receiver | media_metadata+media_status | was {"contentId":"b"} | is {"contentId":"content-3"}"#,
                #"player_state_changed receiver | media_status | was {"playerState":"IDLE"} | is {"playerState":"PLAYING"}"#,
            ])
    }

    @Test(arguments: [#""repeatMode":"REPEAT_ALL""#, #""queueData":{"repeatMode":"REPEAT_ALL"}"#])
    func `another repeat mode is told, wherever the status says it`(field: String) {
        #expect(
            lines { $0.media(3, 6, status(#""currentTime":1,\#(field)"#)) } == [
                #"repeat_mode_changed sender_request | media_status | was {"repeatMode":"REPEAT_OFF"} | is {"repeatMode":"REPEAT_ALL"}"#
            ])
    }

    @Test func `shuffle and another name are changes of the queue, and what says nothing is none`() {
        let known = #","queueData":{"name":"One","queueType":"PLAYLIST","shuffle":false,"startIndex":0}"#
        #expect(
            lines(known) {
                $0.media(
                    3, 6, status(#""currentTime":1,"queueData":{"name":"One","queueType":"PLAYLIST","startIndex":2}"#))
                $0.media(
                    4, 7, status(#""currentTime":2,"queueData":{"name":"One","queueType":"PLAYLIST","shuffle":true}"#))
                $0.media(
                    5, 0, status(#""currentTime":3,"queueData":{"name":"Two","queueType":"PLAYLIST","shuffle":true}"#))
            } == [
                #"queue_changed sender_request | media_status+queue | was {"shuffle":false} | is {"shuffle":true}"#,
                #"queue_changed receiver | media_status+queue | was {"name":"One","queueType":"PLAYLIST"} | is {"name":"Two","queueType":"PLAYLIST"}"#,
            ])
    }

    @Test func `an answer about the queue is read and told to nobody`() {
        let told = lines {
            $0.receive(
                3, from: "t-1", to: "sender-us", .media,
                #"{"type":"QUEUE_ITEM_IDS","requestId":77,"itemIds":[1,2,3,4,5,6,7,8],"sequenceNumber":9}"#)
            $0.receive(
                3, from: "t-1", to: "sender-us", .media,
                #"{"type":"QUEUE_ITEMS","requestId":78,"items":[\#(Self.items(7))],"sequenceNumber":9}"#)
            $0.media(4, 6, status(#""currentTime":2,"items":[{"itemId":6},{"itemId":8}]"#))
            $0.media(60, 6, status(#""currentTime":0,"currentItemId":7"#))
            queueChange(#""requestId":0,"changeType":"UPDATE","itemIds":[2],"sequenceNumber":11"#, in: &$0, at: 61)
        }
        #expect(
            told == [
                #"queue_changed sender_request | media_status+queue | was {"window":[1,2,3,4,5,6,7,8]} | is {"window":[6,8],"removed":[7]}"#,
                #"queue_item_changed sender_request | media_status | was {"currentItemId":2,"media":{"contentId":"b"}} | is {"currentItemId":7,"media":{"contentId":"content-7","metadata":{"title":"Title 7"}}}"#,
                #"queue_changed receiver | queue | is {"changeType":"UPDATE","itemIds":[2],"sequenceNumber":11,"missed":1}"#,
            ])
    }

    @Test func `a QUEUE_CHANGE before anything is known is told and harms nothing`() {
        var replay = Replay()
        replay.open(0)
        queueChange(#""requestId":0,"changeType":"ITEMS_CHANGE","itemIds":[1]"#, in: &replay, at: 1)
        #expect(
            replay.lines(after: 1) == [
                #"queue_changed receiver | queue | is {"changeType":"ITEMS_CHANGE","itemIds":[1]}"#
            ])
    }

    @Test func `a media session that begins again keeps its queue, and what it then says otherwise is its start`() {
        #expect(
            lines {
                $0.media(60, 0, #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"FINISHED"}"#)
                $0.media(61, 6, status(#""currentTime":0,"currentItemId":1"#))
                $0.media(
                    62, 7, status(#""currentTime":1,"repeatMode":"REPEAT_OFF","items":[{"itemId":1},{"itemId":3}]"#))
            }.map { $0.prefix { $0 != "{" } } == [
                "media_session_ended receiver | media_status | was ",
                "media_session_started sender_request | media_metadata+media_status | is ",
                "queue_changed sender_request | media_status+queue | was ",
            ])
    }
}

extension QueueTests {
    @Test func `an item that went by without media is named by the queue, not by what was loaded before`() {
        var replay = Replay()
        replay.open(0)
        replay.receiver(0.1, #""volume":{"level":0.5}"#)
        replay.receiver(1, #""applications":[{"appId":"CC1AD845","sessionId":"s-1","transportId":"t-1"}]"#)
        let items = ["a", "b", "c"].enumerated().map { #"{"itemId":\#($0 + 1),"media":{"contentId":"\#($1)"}}"# }
        replay.media(
            2, 5,
            #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"currentItemId":1,"media":{"contentId":"a"},"items":[\#(items.joined(separator: ","))]}"#
        )
        let known = replay.records.count
        replay.media(10, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"currentItemId":2}"#)
        replay.media(20, 7, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"currentItemId":3}"#)
        #expect(
            replay.lines(after: known) == [
                #"queue_item_changed receiver | media_status | was {"currentItemId":1,"media":{"contentId":"a"}} | is {"currentItemId":2,"media":{"contentId":"b"}}"#,
                #"queue_item_changed sender_request | media_status | was {"currentItemId":2,"media":{"contentId":"b"}} | is {"currentItemId":3,"media":{"contentId":"c"}}"#,
            ])
    }
}
