import CastModel
import CastWire
import Differ
import Recording
import Testing

// Goal: an event says of a field exactly what a message said of it: absent, null and false never turn into each other.
// Method: every pair of things that two statuses can say of each field, one after the other.
@Suite("Before and after")
struct TripleEventTests {
    /// A field that events tell of: where it stands in a status, in the kind of event, and what it may say.
    struct Place: Sendable, CustomTestStringConvertible {
        let kind: ChangeEvent.Kind
        let key: String
        let values: [String]
        /// Whether `null` in a status is told as a change, as `null`; else it says nothing new.
        let tellsNull: Bool
        let status: @Sendable (_ field: String) -> String
        var testDescription: String { key }
    }

    private static let apps: @Sendable (String) -> String = {
        #"{"type":"RECEIVER_STATUS","status":{"applications":[{"appId":"A","sessionId":"s","transportId":"t-1"\#($0)}]}}"#
    }
    private static let platform: @Sendable (String) -> String = {
        #"{"type":"RECEIVER_STATUS","status":{"x":1\#($0)}}"#
    }
    private static let volume: @Sendable (String) -> String = {
        #"{"type":"RECEIVER_STATUS","status":{"volume":{"x":1\#($0)}}}"#
    }

    static let places: [Place] = [
        Place(kind: .standbyChanged, key: "isStandBy", values: ["false", "true"], tellsNull: false, status: platform),
        Place(
            kind: .activeInputChanged, key: "isActiveInput", values: ["false", "true"], tellsNull: false,
            status: platform),
        Place(kind: .deviceMuteChanged, key: "muted", values: ["false", "true"], tellsNull: false, status: volume),
        Place(kind: .deviceVolumeChanged, key: "level", values: ["0", "0.5"], tellsNull: false, status: volume),
        Place(
            kind: .senderConnectedChanged, key: "senderConnected", values: ["false", "true"], tellsNull: true,
            status: apps),
        Place(
            kind: .appStatusTextChanged, key: "statusText", values: [#""""#, #""on""#], tellsNull: true, status: apps),
    ]

    @Test(arguments: places)
    func `say of a field what the statuses said, and nothing else`(place: Place) throws {
        let parser = JSONParser()
        let sayings: [String?] = [nil, "null"] + place.values
        for first in sayings {
            for second in sayings {
                var replay = Replay()
                replay.open(0)
                for (index, saying) in [first, second].enumerated() {
                    let field = saying.map { #","\#(place.key)":\#($0)"# } ?? ""
                    replay.receive(Double(index + 1), from: "receiver-0", .receiver, place.status(field))
                }
                var differ = StatusDiffer()
                let events = replay.records.flatMap { differ.fold($0) }.filter {
                    $0.kind == place.kind && $0.id.position == ArchivePosition(3)
                }
                let (old, new) = (try first.map(parser.parse), try second.map(parser.parse))
                let what = "\(first ?? "absent") then \(second ?? "absent")"
                let known = place.tellsNull ? old : old == .null ? nil : old
                let isChange = place.tellsNull ? new != old : new != nil && new != .null && new != known
                #expect(events.count == (isChange ? 1 : 0), "\(what)")
                guard let event = events.first else { continue }
                #expect(event.before?[place.key] == known, "\(what)")
                #expect(event.after?[place.key] == new, "\(what)")
                #expect((event.before == nil) == (known == nil) && (event.after == nil) == (new == nil), "\(what)")
            }
        }
    }
}
