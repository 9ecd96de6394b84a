import CastModel
import Differ
import Recording
import TestSupport
import Testing

@testable import Store

@Suite("A question to the ledger", .waits) struct LedgerQueriesTests {
    private func ledger(_ events: [ChangeEvent]) throws -> LedgerQueries {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        try Projection(connection: connection, recorderID: recorderOne).apply(ProjectionBatch(events))
        return try LedgerQueries(connection: connection)
    }

    private static let announced: JSONValue = [
        "name": "Living Room TV", "model": "Chromecast Ultra", "addresses": ["192.0.2.7", "2001:db8::7"],
    ]

    @Test func `gives back every event as it was stored`() throws {
        var events = ChangeEvent.Kind.allCases.enumerated().map { index, kind in
            sample(
                Int64(index + 1), kind, ordinal: Int32(index % 3), second: Double(index) + 0.000001, app: "a",
                media: index % 2 == 0 ? nil : Int64.max, attribution: .allCases[index % 4],
                requestID: [nil, 0, 7][index % 3], callbacks: Array(ChangeEvent.Callback.allCases.prefix(index % 5)),
                effective: index % 2 == 0, before: index % 4 == 0 ? nil : ["level": 0.3], after: nil,
                positionSeconds: index % 5 == 0 ? nil : 0.1)
        }
        for index in events.indices where index % 3 == 2 { events[index].senderSeries = Int32(index) }
        let values: [JSONValue] = [
            .null, true, 0, -1, .integer(.min), .unsigned(.max), 0.1, 1e-300, 1e15, "", "\u{1F600}\"\\\n", [], [:],
            ["a": [1, [2, ["b": nil]]]],
        ]
        for (index, value) in values.enumerated() {
            events.append(sample(1000 + Int64(index), .customMessage, second: 900, before: value, after: value))
        }

        let rows: [EventRow] = try ledger(events).events(LedgerFilter())

        #expect(rows.map(\.event) == events)
        #expect(rows.allSatisfy { $0.recorderID == recorderOne && $0.finding == nil })
    }

    @Test func `by device, time, kind and number, gives exactly those events, earliest first`() throws {
        let queries = try ledger(
            (1...40).map {
                sample($0, $0 % 4 == 0 ? .seeked : .playerStateChanged, second: Double($0), device: "tv\($0 % 2)")
            })
        func positions(_ filter: LedgerFilter) throws -> [Int64] {
            let rows: [EventRow] = try queries.events(filter)
            return rows.map(\.event.id.position.number)
        }
        let ten = WallTime(microseconds: eveningStart + 10_000_000)
        let twenty = WallTime(microseconds: eveningStart + 20_000_000)

        #expect(try positions(LedgerFilter()) == Array(1...40))
        #expect(try positions(LedgerFilter(device: "TV1", from: ten, to: twenty)) == [11, 13, 15, 17, 19])
        #expect(try positions(LedgerFilter(from: ten, to: twenty)) == Array(10...19))
        #expect(try positions(LedgerFilter(kinds: [.seeked], limit: 3)) == [4, 8, 12])
        #expect(try positions(LedgerFilter(device: "tv0", kinds: [.deviceSeen])) == [])
        #expect(try positions(LedgerFilter(limit: 0)) == [])
    }

    @Test func `stops when the reader has enough, and can be followed by another`() throws {
        let queries = try ledger((1...2000).map { sample($0, .seeked, second: Double($0) / 100) })
        var seen: [Int64] = []
        try queries.events { row in
            seen.append(row.event.id.position.number)
            return seen.count < 3
        }
        #expect(seen == [1, 2, 3])
        #expect(try queries.devices().map(\.deviceID) == [DeviceID("tv1")])
    }

    @Test func `knows a device by its id in any spelling and by its name in any case`() throws {
        let queries = try ledger([
            sample(1, .deviceSeen, device: "ab12", after: Self.announced),
            sample(2, .linkOpened, second: 5, device: "ab12", after: ["address": "192.0.2.7"]),
            sample(3, .deviceSeen, device: "cd34", after: ["name": "Bedroom"]),
            sample(4, .deviceSeen, device: "ef56", after: ["name": "bedroom"]),
            sample(5, .deviceSeen, device: "0078"),
        ])
        let livingRoom = DeviceRow(
            deviceID: DeviceID("ab12"), name: "Living Room TV", model: "Chromecast Ultra", address: "192.0.2.7",
            reach: .linked, firstSeenAt: WallTime(microseconds: eveningStart),
            lastHeardAt: WallTime(microseconds: eveningStart + 5_000_000), recorderID: recorderOne)

        #expect(try queries.device("AB-12") == livingRoom)
        #expect(try queries.device("living room tv") == livingRoom)
        #expect(throws: StoreError.ambiguousDevice("BEDROOM", matches: ["cd34", "ef56"])) {
            try queries.device("BEDROOM")
        }
        #expect(throws: StoreError.unknownDevice("Livin Rom TV", similar: ["Living Room TV"])) {
            try queries.device("Livin Rom TV")
        }
        #expect(throws: StoreError.unknownDevice("room", similar: ["Bedroom", "Living Room TV", "bedroom"])) {
            try queries.device("room")
        }
        #expect(throws: StoreError.unknownDevice("Kitchen", similar: [])) { try queries.device("Kitchen") }
        #expect(try queries.devices().map(\.deviceID.text) == ["cd34", "ef56", "ab12", "0078"])
    }

    @Test func `tells gaps that touch the time asked for`() throws {
        let queries = try ledger([
            sample(1, .deviceSeen, after: Self.announced),
            sample(2, .gapStarted, second: 12, after: ["reason": "link_lost", "from": "2026-03-01T20:00:10.000000Z"]),
            sample(3, .gapEnded, second: 31, after: ["to": "2026-03-01T20:00:30.000000Z"]),
            sample(4, .gapStarted, second: 60, after: ["reason": "recorder_down"]),
        ])
        #expect(try queries.devices().map(\.gapReason) == ["recorder_down"], "the one that lasts")
        let first = GapRow(
            recorderID: recorderOne, deviceID: DeviceID("tv1"), deviceName: "Living Room TV",
            startedAt: WallTime(microseconds: eveningStart + 10_000_000),
            endedAt: WallTime(microseconds: eveningStart + 30_000_000), reason: "link_lost")
        let second = GapRow(
            recorderID: recorderOne, deviceID: DeviceID("tv1"), deviceName: "Living Room TV",
            startedAt: WallTime(microseconds: eveningStart + 60_000_000), endedAt: nil, reason: "recorder_down")
        func at(_ second: Int64) -> WallTime { WallTime(microseconds: eveningStart + second * 1_000_000) }

        #expect(try queries.gaps() == [first, second])
        #expect(try queries.gaps(LedgerFilter(from: at(29), to: at(60))) == [first])
        #expect(try queries.gaps(LedgerFilter(from: at(30))) == [second])
        #expect(try queries.gaps(LedgerFilter(to: at(10))) == [])
    }

    @Test func `a media session ends with its app session when no message ended it`() throws {
        let queries = try ledger([
            sample(1, .appStarted, app: "s1", after: ["appId": "CC1AD845", "displayName": "Player"]),
            sample(
                2, .mediaSessionStarted, second: 1, app: "s1", media: 1, attribution: .senderRequest,
                after: ["media": ["contentId": "a", "metadata": ["title": "Film"], "duration": 95.5]]),
            sample(
                3, .mediaSessionEnded, second: 2, app: "s1", media: 1,
                after: ["playerState": "IDLE", "idleReason": "FINISHED"]),
            sample(4, .mediaSessionStarted, second: 3, app: "s1", media: 2, after: ["media": ["contentId": "b"]]),
            sample(
                5, .appReplaced, second: 4, app: "s2", before: ["sessionId": "s1"], after: ["displayName": "Other"]),
        ])
        let sessions = try queries.mediaSessions()
        #expect(sessions.map(\.contentID) == ["a", "b"])
        #expect(sessions.map(\.title) == ["Film", nil])
        #expect(sessions.map(\.durationSeconds) == [95.5, nil])
        #expect(sessions.map(\.appName) == ["Player", "Player"])
        #expect(sessions.map(\.endReason) == ["finished", "app_replaced"])
        #expect(sessions.map { $0.endedAt?.microseconds } == [eveningStart + 2_000_000, eveningStart + 4_000_000])
        #expect(sessions.map(\.startAttribution) == [.senderRequest, .receiver])
        let apps = try queries.appSessions()
        #expect(apps.map(\.appName) == ["Player", "Other"])
        #expect(apps.map(\.endReason) == ["replaced", nil])
    }

    @Test func `tells how far each recorder is`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        try Projection(connection: connection, recorderID: recorderTwo, site: "Hotel")
            .apply(ProjectionBatch([sample(9, .deviceSeen)]))
        _ = try Projection(connection: connection, recorderID: recorderOne)

        #expect(
            try LedgerQueries(connection: connection).recorders() == [
                RecorderRow(
                    recorderID: recorderOne, site: nil, checkpoint: ArchivePosition(0), checkpointAt: nil, events: 0,
                    sanitized: 0, refused: 0),
                RecorderRow(
                    recorderID: recorderTwo, site: "Hotel", checkpoint: ArchivePosition(9),
                    checkpointAt: WallTime(microseconds: eveningStart), events: 1, sanitized: 0, refused: 0),
            ])
    }

    @Test func `a database without a ledger says so`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        #expect(throws: StoreError.noLedger) { try LedgerQueries(connection: connection) }
    }

    @Test func `needs no more than the reader role, which cannot see the tables`() throws {
        let address = try TestCluster.shared.newDatabase()
        let owner = try PostgresConnection(address)
        try Projection(connection: owner, recorderID: recorderOne).apply(ProjectionBatch(evening()))
        let reader = try PostgresConnection(address)
        try reader.execute("SET ROLE castledger_reader")

        let queries = try LedgerQueries(connection: reader)
        let rows: [EventRow] = try queries.events(LedgerFilter(device: "TV 2"))
        #expect(!rows.isEmpty && rows.allSatisfy { $0.deviceName == "TV 2" })
        #expect(try queries.gaps().count == 12 && queries.mediaSessions().count == 60)
        #expect(try queries.recorders().count == 1 && queries.appSessions().count == 15)
        for table in ["change_event", "device_state", "checkpoint", "change_event_default", "change_event_2026_03"] {
            #expect(throws: StoreError.self) { try reader.execute("SELECT 1 FROM projection.\(table)") }
        }
        #expect(throws: StoreError.self) { try reader.execute("DELETE FROM ledger.gaps") }
    }

    @Test func `for one device's timeline, reads its index and nothing else`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        try Projection(connection: connection, recorderID: recorderOne).apply(
            ProjectionBatch(
                (1...3000).map { sample($0, .seeked, second: Double($0), device: "tv\($0 % 500)") }))
        try connection.execute("ANALYZE projection.change_event")

        let plan = try connection.execute(
            """
            EXPLAIN SELECT kind FROM ledger.events
            WHERE device_id = 'tv7' AND observed_at >= '2026-03-01 20:00Z' AND observed_at < '2026-03-02 20:00Z'
            ORDER BY observed_at, recorder_id, position, ordinal
            """
        ).compactMap { $0.text(0) }.joined(separator: "\n")
        #expect(plan.contains("change_event_2026_03_pkey"))
        #expect(!plan.contains("Seq Scan") && !plan.contains("2026_04"), "\(plan)")
    }
}
