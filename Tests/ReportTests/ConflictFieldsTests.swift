import CastModel
import Conflicts
import Differ
import Recording
import Testing

@testable import Report

@Suite("The fields of a conflict") struct ConflictFieldsTests {
    /// 2026-03-01T20:14:03Z, and 16 s later.
    private static let from = WallTime(microseconds: 1_772_396_043_000_000)
    private static let to = WallTime(microseconds: 1_772_396_059_000_000)

    private func conflict(kind: Conflict.Kind = .volumeFight) -> Conflict {
        var first = Conflict.Actor()
        first.senderSeries = 1
        (first.firstRequestID, first.lastRequestID) = (41, 47)
        (first.moves, first.undoings, first.lastValue) = (4, 3, ["level": 0.35])
        var second = Conflict.Actor()
        second.isReceiver = true
        (second.moves, second.undoings, second.lastValue) = (1, 1, ["muted": true, "level": 0.2])
        let id = ChangeEvent.ID(position: ArchivePosition(812), ordinal: 1)
        return Conflict(
            id: Conflict.ID(first: id, kind: kind), deviceID: DeviceID("ab12"), appSessionID: nil, from: Self.from,
            to: Self.to, score: 0.984, undoings: 6, certainUndoings: 5,
            evidence: [id, ChangeEvent.ID(position: ArchivePosition(820), ordinal: 0)], evidenceCount: 7,
            actors: [first, second], before: ["level": 0.5], after: ["level": 0.35],
            sentence: "two senders set the volume against each other six times; ended at 35 %")
    }

    private func fields(_ name: String? = "Kitchen") -> ConflictFields {
        ConflictFields(conflict: conflict(), recorderID: "r", deviceName: name)
    }

    @Test func `are one JSON object with stable names`() {
        #expect(
            fields().json
                == #"{"conflict_id":"812/1/volume_fight","recorder_id":"r","device_id":"ab12","device":"Kitchen","#
                + #""kind":"volume_fight","from":"2026-03-01T20:14:03.000000Z","to":"2026-03-01T20:14:19.000000Z","#
                + #""score":0.984,"evidence":["812/1","820/0"],"evidence_count":7,"#
                + #""sentence":"two senders set the volume against each other six times; ended at 35 %","#
                + #""app_session_id":null,"undoings":6,"certain_undoings":5,"actors":[{"who":"sender","sender_series":1,"#
                + #""first_request_id":41,"last_request_id":47,"moves":4,"undoings":3,"last_value":{"level":0.35}},"#
                + #"{"who":"device","sender_series":null,"first_request_id":null,"last_request_id":null,"moves":1,"#
                + #""undoings":1,"last_value":{"muted":true,"level":0.2}}],"other_turns":0,"before":{"level":0.5},"#
                + #""after":{"level":0.35}}"#)
    }

    @Test func `are one CSV line under a heading of the same names`() {
        #expect(ConflictFields.csvHeading == ConflictFields.names.joined(separator: ",") + "\r\n")
        #expect(
            fields(nil).csv.hasPrefix(
                "812/1/volume_fight,r,ab12,,volume_fight,2026-03-01T20:14:03.000000Z,2026-03-01T20:14:19.000000Z,0.984,"
                    + "812/1 820/0,7,two senders set the volume against each other six times; ended at 35 %,,6,5,"))
        #expect(fields().csv.hasSuffix("\r\n"))
    }

    @Test func `are one sentence with time and device`() {
        #expect(
            fields().story(zone: .utc)
                == "2026-03-01 20:14:03 to 20:14:19, Kitchen: two senders set the volume against "
                + "each other six times; ended at 35 %")
        var late = fields("Bad\u{1B}[2JTV")
        late.conflict.to = WallTime(microseconds: Self.from.microseconds + 14_400_000_000)
        #expect(late.story(zone: .utc).hasPrefix("2026-03-01 20:14:03 to 2026-03-02 00:14:03, Bad\u{FFFD}[2JTV: "))
    }

    @Test func `are a row of a table`() {
        #expect(
            fields().row(zone: .utc) == [
                "2026-03-01 20:14:03", "20:14:19", "Kitchen", "812/1/volume_fight", "0.984",
                "two senders set the volume against each other six times; ended at 35 %",
            ])
        #expect(fields().row(zone: .utc).count == ConflictFields.columns.count)
    }

    @Test func `have reasons: the rule, its thresholds, and who did what`() {
        #expect(
            ConflictReasons(conflict()).lines == [
                "volume_fight, score 0.984, of 0.5 at least: 6 undoings, 5 of them certainly by another sender, of 2 at "
                    + "least, each within 20 s of the one before, by 2% at least",
                "  sender 1, requests 41 to 47: 4 moves, 3 undoings, last 35%",
                "  the device: 1 move, 1 undoing, last muted",
            ])
        #expect(
            ConflictReasons(conflict(kind: .takeover)).lines.first
                == "takeover, score 0.984, of 0.5 at least: one sender's media was playing, or paused for 120 s at most, "
                + "and another sender's came in its place")
    }
}
