import CastModel
import CastWire
import Differ
import Plays
import Recording

@testable import Store

/// JSON texts that parsers, Swift and PostgreSQL treat differently, or not at all.
enum OddValues {
    static let all: [String] = {
        var values = (0...0x1F).map { #""a\u00\#($0 < 16 ? "0" : "")\#(String($0, radix: 16))b""# }
        values += [
            // Halves of surrogate pairs, alone, doubled, the wrong way round; and whole ones.
            #""\ud800""#, #""\udfff""#, #""\ud800\ud800""#, #""\udc00\ud800""#, #""\ud83d\ude00""#, #""\ud83d x""#,
            // Noncharacters, a byte order mark, overrides of direction, the last code point, DEL.
            #""\ufffe\uffff\ufeff\u202e""#, "\"\u{10FFFF}\u{7F}\"", #""\u0000""#, #""\\u0000""#, #""\\ud800""#,
            String(repeating: "9", count: 400), "-" + String(repeating: "9", count: 400),
            "0." + String(repeating: "3", count: 400), "1e400", "-1e400", "1e-400", "5e-324", "1e308", "-1e308", "-0",
            "-0.0",
            "1e18", "1e19", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
            "-9223372036854775809",
            "18446744073709551615", "18446744073709551616", "0", "-1", "1.5",
            #"{"a":1,"a":2}"#, #"{"":1}"#, #"{"\u0000":2,"\u0000":3}"#, "{}", "[]", "null", "true",
            "\"" + String(repeating: "long ", count: 52_000) + "\"",
            "\"" + String(repeating: "\u{1F4FA}", count: 1_000) + "\"",
            String(repeating: "[", count: 60) + String(repeating: "]", count: 60),
            String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000),
            String(repeating: #"{"a":"#, count: 55) + "1" + String(repeating: "}", count: 55),
            #""; DROP TABLE projection.change_event; --""#, #""'||(SELECT 1)||'""#, #""{NULL}""#, #""\\N""#,
        ]
        return values
    }()

    /// Where one of them is put, by name; each takes the text of a JSON value.
    static let slots = [
        "displayName", "appId", "sessionId", "transportId", "statusText", "level", "type", "requestId", "contentId",
        "contentType", "streamType", "title", "seriesTitle", "episode", "duration", "currentTime", "playbackRate",
        "mediaSessionId", "playerState", "idleReason", "customData", "trackName", "activeTrackIds", "itemId",
        "unknownKey",
    ]

    /// What a device says in which one slot holds an odd value: an app, a film in it that plays and pauses, its end.
    static func conversation(_ slot: String, _ odd: String) -> [(from: String, Namespace, String)] {
        func value(_ name: String, _ usual: String) -> String { name == slot ? odd : usual }
        func media(_ state: String, _ time: String, _ idle: String = "") -> String {
            """
            {"type":\(value("type", #""MEDIA_STATUS""#)),"requestId":\(value("requestId", "7")),"status":[{
            "mediaSessionId":\(value("mediaSessionId", "1")),"playerState":\(value("playerState", #""\#(state)""#)),
            "currentTime":\(value("currentTime", time)),"playbackRate":\(value("playbackRate", "1"))\(idle),
            "customData":\(value("customData", "{}")),"activeTrackIds":\(value("activeTrackIds", "[1]")),
            "currentItemId":\(value("itemId", "1")),"key":\(value("unknownKey", "1")),
            "media":{"contentId":\(value("contentId", #""film""#)),"contentType":\(value("contentType", #""video/mp4""#)),
            "streamType":\(value("streamType", #""BUFFERED""#)),"duration":\(value("duration", "600")),
            "tracks":[{"trackId":1,"type":"TEXT","name":\(value("trackName", #""English""#))}],
            "metadata":{"metadataType":2,"title":\(value("title", #""One""#)),
            "seriesTitle":\(value("seriesTitle", #""Films""#)),"episode":\(value("episode", "3"))}}}]}
            """
        }
        let receiver = """
            {"type":"RECEIVER_STATUS","requestId":\(value("requestId", "0")),"status":{
            "volume":{"level":\(value("level", "0.5")),"muted":false},
            "applications":[{"appId":\(value("appId", #""CC1AD845""#)),"sessionId":\(value("sessionId", #""s-1""#)),
            "transportId":\(value("transportId", #""t-1""#)),"displayName":\(value("displayName", #""Player""#)),
            "statusText":\(value("statusText", #""Ready""#))}]}}
            """
        return [
            ("receiver-0", .receiver, receiver), ("t-1", .media, media("PLAYING", "0")),
            ("t-1", .media, media("PAUSED", "5")), ("t-1", .media, media("PLAYING", "300")),
            ("t-1", .media, media("IDLE", "600", #","idleReason":\#(value("idleReason", #""FINISHED""#))"#)),
            ("t-1", Namespace("urn:x-cast:odd"), odd),
            ("receiver-0", .receiver, #"{"type":"RECEIVER_STATUS","status":{}}"#),
        ]
    }

    /// Folds records and applies all that comes of them, as a projector does, `size` records at a time.
    static func project(
        _ records: [Record], size: Int, into projection: Projection
    ) throws -> (events: [ChangeEvent], states: [DeviceID: String], outcome: ProjectionOutcome) {
        var (differ, ledger) = (StatusDiffer(), PlayLedger())
        var (all, states, total) = ([ChangeEvent](), [DeviceID: String](), ProjectionOutcome())
        for start in stride(from: 0, to: records.count, by: size) {
            let slice = records[start..<min(start + size, records.count)]
            var batch = ProjectionBatch(
                startingAt: ArchivePosition(Int64(start)), through: slice.last?.position ?? ArchivePosition(0),
                throughTime: slice.last?.at ?? WallTime(microseconds: 0))
            for record in slice {
                let events = differ.fold(record)
                for event in events { batch.plays += ledger.fold(event) }
                batch.events += events
            }
            batch.deviceStates = differ.takeDeviceStates()
            batch.heard = differ.takeHeard()
            batch.playStates = ledger.takeStates()
            batch.notUnderstood = differ.takeNotUnderstood()
            let outcome = try projection.apply(batch)
            all += batch.events
            for (device, state) in batch.deviceStates { states[device] = state.text }
            total.events += outcome.events
            total.sanitized += outcome.sanitized
            total.refused += outcome.refused
            total.refusals += outcome.refusals
        }
        return (all, states, total)
    }
}
