import CastModel
import CastWire
import Differ
import Recording
import TestSupport
import Testing

// Goal: whatever a receiver app says of its media, in whatever order, the differ tells the same after any stop, tells
// nothing twice, and tells beginnings and ends of ads in turns.
// Method: messages put together at random out of fields that are usual, unusual or senseless; the seed is in the name.
@Suite("The differ on random media")
struct MediaPropertyTests {
    private static let values: [(key: String, choices: [String])] = [
        ("mediaSessionId", ["1", "1", "1", "2", "null", #""1""#, "-9223372036854775808", "1e300"]),
        (
            "playerState",
            [
                #""PLAYING""#, #""PLAYING""#, #""PAUSED""#, #""BUFFERING""#, #""IDLE""#, #""x""#, "7",
                "null",
            ]
        ),
        ("idleReason", [#""FINISHED""#, #""INTERRUPTED""#, #""ERROR""#, "null", "1"]),
        ("currentTime", ["0", "1.5", "30", "31", "1e9", "-5", "1e308", "null", #""12""#, "[]"]),
        ("playbackRate", ["1", "0", "2", "-1", "1e308", #""1""#, "null"]),
        ("currentItemId", ["1", "2", "3", "9223372036854775807", "null"]),
        ("loadingItemId", ["2", "3", "null"]),
        ("repeatMode", [#""REPEAT_OFF""#, #""REPEAT_ALL""#, "null", "3"]),
        ("activeTrackIds", ["[]", "[1]", "[2,1]", "[99]", "null", #"["1",null,{}]"#]),
        (
            "volume",
            ["{}", #"{"level":0.5}"#, #"{"muted":true}"#, #"{"level":1e308,"muted":"no"}"#, "null"]
        ),
        (
            "items",
            [
                #"[{"itemId":1},{"itemId":2},{"itemId":3}]"#, #"[{"itemId":2},{"itemId":1}]"#, "[]", "null",
                "[1,[2]]",
                #"[{"itemId":3,"media":{"contentId":"c","metadata":{"images":[1]}}},{"itemId":null,"media":7}]"#,
            ]
        ),
        (
            "queueData",
            [
                #"{"shuffle":true,"name":"A"}"#, #"{"shuffle":0,"repeatMode":"REPEAT_ALL","name":7}"#, "{}",
                "null",
            ]
        ),
        (
            "breakStatus",
            [
                #"{"breakId":"b","breakClipId":"c"}"#, #"{"breakId":"b","breakClipId":"d"}"#,
                #"{"breakId":1}"#, "{}", "null",
            ]
        ),
        ("customData", [#"{"playerState":1081}"#, #"{"playerState":1}"#, "null"]),
        (
            "liveSeekableRange",
            [
                #"{"start":0,"end":60,"isMovingWindow":true}"#,
                #"{"start":5,"end":65,"isMovingWindow":true}"#,
                #"{"start":-1e308,"end":1e308,"isMovingWindow":true}"#, #"{"isLiveDone":true}"#, "{}",
                "null",
            ]
        ),
        (
            "media",
            [
                #"{"contentId":"a","tracks":[{"trackId":1,"language":"en"}],"breakClips":[{"id":"c","title":"T"}]}"#,
                #"{"contentId":"a","textTrackStyle":{"fontScale":"1"}}"#,
                #"{"contentId":"b","duration":1e308}"#,
                #"{"tracks":7,"breakClips":[null,{}],"metadata":[],"duration":-1}"#, "{}", "null", "[]",
            ]
        ),
        (
            "extendedStatus",
            [#"{"playerState":"LOADING"}"#, #"{"playerState":1}"#, "{}", "null"]
        ),
    ]

    private static let others = [
        #"{"type":"QUEUE_CHANGE","requestId":3,"changeType":"INSERT","itemIds":[4],"sequenceNumber":5}"#,
        #"{"type":"QUEUE_CHANGE","requestId":0,"changeType":"UPDATE","sequenceNumber":9223372036854775807}"#,
        #"{"type":"QUEUE_CHANGE","changeType":7,"itemIds":"x","sequenceNumber":-9223372036854775808,"mediaSessionId":2}"#,
        #"{"type":"QUEUE_ITEM_IDS","requestId":4,"itemIds":[1,2,3,4,5],"sequenceNumber":6}"#,
        #"{"type":"QUEUE_ITEMS","requestId":4,"items":[{"itemId":2,"media":{"contentId":"c"}}]}"#,
        "onContentPauseRequested,12", "onContentResumeRequested",
    ]

    /// One history: a link, an app, then `count` messages, some after a gap; all derived from the seed.
    private static func history(_ seed: UInt64, count: Int) -> [Record] {
        var random = SeededNumbers(seed: seed)
        var replay = Replay.appSeenStarting()
        var second = 2.0
        for _ in 0..<count {
            second += [0, 0.5, 5, 40][random.below(4)]
            switch random.below(12) {
            case 0:
                replay.close(second, .silent)
                replay.open(second + 1)
            case 1, 2: replay.receive(second, from: "t-1", .media, others[random.below(others.count)])
            case 3: replay.media(second, 0, "")
            default:
                let fields = values.filter { _ in random.below(3) == 0 }
                    .map { #""\#($0.key)":\#($0.choices[random.below($0.choices.count)])"# }
                let requestID = [Int64?.none, 0, 0, 7, 8][random.below(5)]
                replay.media(second, requestID, "{" + fields.joined(separator: ",") + "}")
            }
        }
        return replay.records
    }

    @Test(arguments: 0..<20)
    func `goes on after any stop as if there had been none`(seed: Int) throws {
        let parser = JSONParser()
        for number in 0..<5 {
            var whole = StatusDiffer()
            var stopping = StatusDiffer()
            var heard: [DeviceID: WallTime] = [:]
            for record in Self.history(UInt64(seed * 5 + number), count: 40) {
                let expected = whole.fold(record)
                #expect(stopping.fold(record) == expected, "record \(record.position)")
                let states = try whole.takeDeviceStates().map { ($0.0, try parser.parse($0.1.text)) }
                heard.merge(whole.takeHeard()) { $1 }
                if !states.isEmpty { stopping = try StatusDiffer(restoring: states, heard: heard) }
                for event in expected {
                    for side in [event.before, event.after] {
                        if let side { #expect(try parser.parse(side.text) == side) }
                    }
                }
            }
        }
    }

    @Test(arguments: 0..<20)
    func `told twice at once, a message changes something once`(seed: Int) {
        for number in 0..<5 {
            var differ = StatusDiffer()
            for record in Self.history(UInt64(1000 + seed * 5 + number), count: 40) {
                guard case .frame(let frame) = record.body, frame.message.namespace == .media,
                    frame.message.textBytes?.starts(with: #"{"type":"MEDIA_STATUS""#.utf8) == true
                else {
                    _ = differ.fold(record)
                    continue
                }
                let first = differ.fold(record).map { $0.line }
                #expect(differ.fold(record).map { $0.line } == [], "after \(first)")
            }
        }
    }

    @Test(arguments: 0..<20)
    func `an ad break begins and ends in turns`(seed: Int) {
        for number in 0..<5 {
            var differ = StatusDiffer()
            var running: Set<String> = []
            // What ran before a gap may run on, begin again as found, or never be spoken of again.
            var uncertain: Set<String> = []
            for record in Self.history(UInt64(2000 + seed * 5 + number), count: 40) {
                if case .linkOpened = record.body { (running, uncertain) = ([], uncertain.union(running)) }
                for event in differ.fold(record) {
                    let source = (event.after ?? event.before)?["source"]?.string ?? ""
                    let name = source == "ima" ? source : "media session \(event.mediaSessionID ?? -1)"
                    switch event.kind {
                    case .breakStarted: #expect(running.insert(name).inserted)
                    case .breakClipChanged: #expect(running.contains(name) || uncertain.contains(name))
                    case .breakEnded:
                        let isKnown = [running.remove(name), uncertain.remove(name)].contains { $0 != nil }
                        #expect(isKnown)
                    case .mediaSessionEnded:
                        #expect(!running.contains("media session \(event.mediaSessionID ?? -1)"))
                    default: break
                    }
                }
            }
        }
    }
}
