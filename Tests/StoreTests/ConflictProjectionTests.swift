import CastModel
import Conflicts
import Differ
import Recording
import Testing

@testable import Store

@Suite("Conflicts in the database") struct ConflictProjectionTests {
    private func open(_ address: String, recorder: String = recorderOne) throws -> (PostgresConnection, Projection) {
        let connection = try PostgresConnection(address)
        return (connection, try Projection(connection: connection, recorderID: recorder))
    }

    /// Applies events with their conflicts, as a run that begins at the checkpoint does.
    private func apply(_ events: [ChangeEvent], after start: Int64 = 0, to projection: Projection) throws {
        var ledger = try ConflictLedger(restoring: projection.restoredConflictStates())
        var batch = ProjectionBatch(events, after: start)
        for event in events { batch.conflicts += ledger.fold(event) }
        batch.conflictStates = ledger.takeStates()
        try projection.apply(batch)
    }

    /// Two senders with ids far apart turn the volume of a device up and down, a second per move.
    private func fight(_ moves: Int, device: String = "tv1", position: Int64 = 1, second: Double = 0) -> [ChangeEvent] {
        (0..<moves).map { step in
            let up = step % 2 == 0
            return sample(
                position + Int64(step), .deviceVolumeChanged, second: second + Double(step), device: device,
                attribution: .senderRequest, requestID: Int64(up ? 10 + step : 900_000 + step),
                before: ["level": up ? 0.25 : 0.5], after: ["level": up ? 0.5 : 0.25])
        }
    }

    @Test func `are the same row by row, whether restored before every batch or rebuilt in one`() throws {
        let events = fight(7) + fight(6, device: "tv2", position: 8, second: 10) + fight(5, position: 14, second: 60)
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        for (index, event) in events.enumerated() { try apply([event], after: Int64(index), to: projection) }
        let live = try dump(connection)
        try projection.reset()
        #expect(try connection.execute("SELECT 1 FROM projection.conflict").isEmpty)
        #expect(try connection.execute("SELECT 1 FROM projection.conflict_state").isEmpty)
        try apply(events, to: projection)
        let rebuilt = try dump(connection)
        #expect(rebuilt["conflict"] == live["conflict"])
        #expect(rebuilt["conflict_state"] == live["conflict_state"])
        #expect(rebuilt["conflict"]?.count == 3)
    }

    @Test func `have one row each, written whole`() throws {
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        try apply(fight(3), to: projection)
        let row = try #require(try connection.execute("SELECT t::text FROM projection.conflict t").first?.text(0))
        #expect(
            row == #"(tv1,"2026-03-01 20:00:00+00",11111111-1111-1111-1111-111111111111,1,0,volume_fight,,"#
                + #""2026-03-01 20:00:02+00",0.75,2,2,"[""1/0"", ""2/0"", ""3/0""]",3,"#
                + #""[{""who"": ""sender"", ""moves"": 2, ""undoings"": 1, ""last_value"": {""level"": 0.5}, "#
                + #"""sender_series"": null, ""last_request_id"": 12, ""first_request_id"": 10}, "#
                + #"{""who"": ""sender"", ""moves"": 1, ""undoings"": 1, ""last_value"": {""level"": 0.25}, "#
                + #"""sender_series"": null, ""last_request_id"": 900001, ""first_request_id"": 900001}]",0,"#
                + #""{""level"": 0.25}","{""level"": 0.5}","#
                + #""two senders set the volume against each other twice; ended at 50 %")"#)
    }

    @Test func `are read back as they were found, filtered by device, time, kind, score and name`() throws {
        let events = fight(3) + fight(6, device: "tv2", position: 4, second: 100)
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        var ledger = ConflictLedger()
        var latest: [Conflict.ID: Conflict] = [:]
        for event in events { for row in ledger.fold(event) { latest[row.id] = row } }
        try apply([sample(100, .deviceSeen, device: "tv3")] + [], to: projection)
        try apply(
            events.map { event in
                var moved = event
                moved.id.position = ArchivePosition(event.id.position.number + 100)
                return moved
            }, after: 100, to: projection)
        let queries = try LedgerQueries(connection: connection)
        let all = try queries.conflicts()
        #expect(all.map(\.recorderID) == [recorderOne, recorderOne])
        for row in all {
            var found = row.conflict
            found.id.first.position = ArchivePosition(found.id.first.position.number - 100)
            found.evidence = found.evidence.map {
                ChangeEvent.ID(position: ArchivePosition($0.position.number - 100), ordinal: $0.ordinal)
            }
            #expect(found == latest[found.id])
        }
        func names(_ filter: LedgerFilter = LedgerFilter(), _ wanted: ConflictFilter = ConflictFilter()) throws
            -> [String]
        {
            try queries.conflicts(filter, wanted).map(\.conflict.id.name)
        }
        let (one, two) = ("101/0/volume_fight", "104/0/volume_fight")
        #expect(try names() == [one, two])
        #expect(try names(LedgerFilter(device: "tv2")) == [two])
        func at(_ second: Double) -> WallTime { WallTime(microseconds: eveningStart + Int64(second * 1e6)) }
        #expect(try names(LedgerFilter(from: at(1.9), to: at(100))) == [one])
        #expect(try names(LedgerFilter(from: at(2), to: at(100.1))) == [two])
        #expect(try names(LedgerFilter(limit: 1)) == [one])
        var wanted = ConflictFilter()
        wanted.kinds = [.seekFight]
        #expect(try names(LedgerFilter(), wanted) == [])
        wanted.kinds = [.seekFight, .volumeFight]
        wanted.minScore = 0.751
        #expect(try names(LedgerFilter(), wanted) == [two])
        wanted = ConflictFilter()
        wanted.id = Conflict.ID(name: one)
        #expect(try names(LedgerFilter(), wanted) == [one])
        // What only a newer program knows is counted.
        try connection.execute("UPDATE projection.conflict SET kind = 'odd' WHERE device_id = 'tv2'")
        var seen: [String] = []
        let unknown = try queries.conflicts { row throws(StoreError) in
            seen.append(row.conflict.id.name)
            return true
        }
        #expect(unknown == 1)
        #expect(seen == [one])
    }

    @Test func `that two recorders saw count once, and belong to the one that saw them first`() throws {
        let address = try TestCluster.shared.newDatabase()
        let (connection, one) = try open(address)
        let (_, two) = try open(address, recorder: recorderTwo)
        // The other one came half a second later.
        try apply(fight(5, second: 0.5), to: one)
        try apply(fight(7), to: two)
        let rows = try LedgerQueries(connection: connection).conflicts()
        #expect(rows.map(\.recorderID) == [recorderTwo])
    }

    @Test func `may hold what PostgreSQL takes in no text`() throws {
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        var events = fight(3)
        for index in events.indices { events[index].deviceID = DeviceID("a\0b") }
        try apply(events, to: projection)
        #expect(try connection.execute("SELECT 1 FROM projection.conflict").count == 1)
    }

    @Test func `are looked for from the beginning, once the schema knows them`() throws {
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        var batch = ProjectionBatch([sample(1, .deviceSeen)])
        batch.deviceStates = [(DeviceID("tv1"), ["version": 1])]
        try projection.apply(batch)
        // What the step of the schema does to a database that has rows.
        let statement = try #require(
            Migration.all[8].sql.split(separator: "\n").first { $0.hasPrefix("UPDATE projection.device_state") })
        try connection.executeScript(String(statement), doing: "forgetting states")
        // Such a state makes whoever projects replay the archive.
        let states = try projection.restoredStates()
        #expect(throws: DifferError.self) { try StatusDiffer(restoring: states, heard: [:], titleSalt: nil) }
    }
}
