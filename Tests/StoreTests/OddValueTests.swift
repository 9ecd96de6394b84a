import CastModel
import CastWire
import Differ
import Plays
import Recording
import TestSupport
import Testing

@testable import Store

@Suite("Odd values", .waits) struct OddValueTests {
    private func record(_ number: Int, at: WallTime, _ body: RecordBody) -> Record {
        Record(
            position: ArchivePosition(Int64(number)), at: at,
            monotonic: MonotonicTime(nanoseconds: Int64(number) * 1_000_000_000),
            boot: "b0000000-0000-0000-0000-000000000001", body: body)
    }

    /// One device for each slot and value, named after nothing odd.
    private func records() -> [Record] {
        var records: [Record] = []
        func add(_ body: RecordBody) {
            let number = records.count + 1
            records.append(
                record(number, at: WallTime(microseconds: eveningStart + Int64(number) * 1_000_000), body))
        }
        for (place, slot) in OddValues.slots.enumerated() {
            for (index, odd) in OddValues.all.enumerated() {
                let device = DeviceID("device-\(place)-\(index)")
                for (source, namespace, text) in OddValues.conversation(slot, odd) {
                    let message = CastMessage(from: source, to: "*", namespace, text: text)
                    add(
                        .frame(
                            RecordedFrame(device: device, link: LinkNumber(1), direction: .inbound, message: message)))
                }
            }
        }
        return records
    }

    @Test func `in any place of what a device says are stored, none refused, and the next start goes on from them`()
        throws
    {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        let projection = try Projection(connection: connection, recorderID: recorderOne)
        let records = records()
        #expect(records.count == OddValues.slots.count * OddValues.all.count * 7)

        let (events, states, outcome) = try OddValues.project(records, size: 5_000, into: projection)

        print("\(records.count) records with odd values: \(events.count) events, \(outcome.sanitized) sanitized")
        #expect(outcome.refused == 0, "\(outcome.refusals)")
        #expect(outcome.events == events.count)
        #expect(
            try connection.execute("SELECT count(*) FROM projection.change_event").first?.integer(0)
                == Int64(events.count))
        // Every text with a NUL in it is marked as changed, and nothing that is marked holds none of what is changed.
        let marked = try connection.execute("SELECT count(*) FROM projection.change_event WHERE finding IS NOT NULL")
        #expect(marked.first?.integer(0) == Int64(outcome.sanitized))
        #expect(outcome.sanitized > 100)
        let named = try connection.execute(
            "SELECT count(*) FROM projection.change_event WHERE after::text LIKE '%a\u{FFFD}b%' AND finding IS NULL")
        #expect(named.first?.integer(0) == 0)

        #expect(throws: Never.self) {
            try StatusDiffer(
                restoring: try projection.restoredStates(), heard: try projection.restoredHeard(),
                titleSalt: try projection.restoredTitleSalt())
        }
        #expect(throws: Never.self) { try PlayLedger(restoring: projection.restoredPlayStates()) }
        let restored = try projection.restoredStates().map { ($0.0, $0.1.text) }
        #expect(Dictionary(restored) { one, _ in one } == states)

        // The same, in other stretches, gives the same rows.
        let live = try dump(connection)
        try projection.reset()
        _ = try OddValues.project(records, size: 1_777, into: projection)
        let rebuilt = try dump(connection)
        for (table, rows) in live { #expect(rebuilt[table] == rows, "\(table)") }
    }

    @Test func `in every text of a row are stored`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        let projection = try Projection(connection: connection, recorderID: recorderOne)
        let texts =
            (0...0x20).map { "a\(Unicode.Scalar(UInt8($0)))b" } + [
                "", "\u{FFFE}\u{FFFF}", "\u{10FFFF}", "'; --", "\"><script>", "{}", "\\N", "\\.", "NULL",
                String(repeating: "x", count: 262_144), String(repeating: "\u{1F4FA}", count: 4_000),
            ]
        var events: [ChangeEvent] = []
        for text in texts {
            let value = JSONValue.string(text)
            let object: JSONValue = .object(JSONObject([(key: text, value: value)]))
            func add(_ kind: ChangeEvent.Kind, media: Int64? = nil, _ after: JSONValue) {
                events.append(
                    sample(
                        Int64(events.count + 1), kind, device: text, app: text, media: media, before: object,
                        after: after))
            }
            add(.deviceSeen, ["name": value, "model": value, "addresses": [value]])
            add(.appStarted, ["appId": value, "displayName": value, "statusText": value, "sessionId": value])
            let film: JSONValue = [
                "contentId": value, "contentType": value, "streamType": value, "metadata": ["title": value],
                "duration": 1e300,
            ]
            add(.mediaSessionStarted, media: .max, ["playerState": "PLAYING", "media": film])
            add(.mediaSessionEnded, media: .max, ["idleReason": value])
            add(.gapStarted, ["from": value, "reason": value])
            add(.gapEnded, ["to": value])
        }
        var ledger = PlayLedger()
        var batch = ProjectionBatch(events)
        for event in events { batch.plays += ledger.fold(event) }
        batch.playStates = ledger.takeStates()
        batch.deviceStates = texts.map { (DeviceID($0), .object(JSONObject([(key: $0, value: .string($0))]))) }
        batch.heard = Dictionary(texts.map { (DeviceID($0), WallTime(microseconds: .max)) }) { one, _ in one }
        batch.notUnderstood = texts.map {
            NotUnderstood(
                name: .init(.mediaStatusKey, $0, $0), count: .max, firstPosition: ArchivePosition(1),
                firstAt: WallTime(microseconds: .min), lastPosition: ArchivePosition(.max),
                lastAt: WallTime(microseconds: .max))
        }

        let outcome = try projection.apply(batch)

        #expect(outcome.refused == 0, "\(outcome.refusals)")
        #expect(outcome.events == texts.count * 6)
        let counts = try connection.execute(
            """
            SELECT (SELECT count(*) FROM projection.device), (SELECT count(*) FROM projection.app_session),
                (SELECT count(*) FROM projection.media_session), (SELECT count(*) FROM projection.gap),
                (SELECT count(*) FROM projection.play), (SELECT count(*) FROM projection.device_state)
            """
        ).first
        #expect((0..<6).map { counts?.integer($0) } == [Int64](repeating: Int64(texts.count), count: 6).map { $0 })
        #expect(
            try connection.execute("SELECT max(length(name))::bigint FROM projection.device").first?.integer(0)
                == 262_144)
        #expect(throws: Never.self) { try PlayLedger(restoring: projection.restoredPlayStates()) }
    }

    @Test func `of time are moved into the years that can be stored`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        let projection = try Projection(connection: connection, recorderID: recorderOne)
        let moments: [Int64] = [.min, -1, 0, 253_402_300_799_999_999, 253_402_300_800_000_000, .max]
        var (events, number) = ([ChangeEvent](), Int64(0))
        for moment in moments {
            for kind in [ChangeEvent.Kind.deviceSeen, .appStarted, .mediaSessionStarted, .gapStarted, .gapEnded] {
                number += 1
                var event = sample(
                    number, kind, device: "d\(moment)", app: "a", media: kind == .mediaSessionStarted ? 1 : nil)
                event.observedAt = WallTime(microseconds: moment)
                event.positionSeconds = [.infinity, -.infinity, .nan, -0.0, 1e308][Int(number) % 5]
                events.append(event)
            }
        }
        var batch = ProjectionBatch(events)
        var ledger = PlayLedger()
        for event in events { batch.plays += ledger.fold(event) }
        let outcome = try projection.apply(batch)
        #expect(outcome.refused == 0, "\(outcome.refusals)")
        // -9.2e18 and -1 are before 1970, the last two after 9999: five events of each are changed.
        #expect(outcome.sanitized == 20)
        let range = try connection.execute(
            "SELECT min(observed_at)::text, max(observed_at)::text FROM projection.change_event"
        ).first
        #expect(range?.text(0) == "1970-01-01 00:00:00+00")
        #expect(range?.text(1) == "9999-12-31 23:59:59.999999+00")
    }
}
