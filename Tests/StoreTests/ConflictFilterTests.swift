import CastModel
import Conflicts
import Differ
import Recording
import Testing

@testable import Store

// Sunday 2026-03-01: two TVs whose volume is fought over at the same time, from 20:00:00, and one of them again at 22:00.
@Suite("Conflicts that are asked for by time") struct ConflictFilterTests {
    private let queries: LedgerQueries

    init() throws {
        let address = try TestCluster.shared.newDatabase()
        let projection = try Projection(connection: PostgresConnection(address), recorderID: recorderOne, site: "Hotel")
        var events: [ChangeEvent] = []
        for (device, start) in [("tv1", 0.0), ("tv2", 3), ("tv1", 7200)] {
            for step in 0..<6 {
                let up = step % 2 == 0
                events.append(
                    sample(
                        Int64(events.count + 1), .deviceVolumeChanged, second: start + Double(step), device: device,
                        attribution: .senderRequest, requestID: Int64(up ? 10 + step : 900_000 + step),
                        before: ["level": up ? 0.25 : 0.5], after: ["level": up ? 0.5 : 0.25]))
            }
        }
        var ledger = ConflictLedger()
        var batch = ProjectionBatch(events)
        for event in events { batch.conflicts += ledger.fold(event) }
        batch.conflictStates = ledger.takeStates()
        try projection.apply(batch)
        queries = try LedgerQueries(connection: PostgresConnection(address))
    }

    /// Device and second after 20:00 at which each conflict began that passes.
    private func found(_ change: (inout LedgerFilter) -> Void) throws -> [String] {
        var filter = LedgerFilter()
        change(&filter)
        return try queries.conflicts(filter).map { row in
            "\(row.conflict.deviceID.text) \(row.conflict.from.microseconds / 1_000_000 - eveningStart / 1_000_000)"
        }
    }

    @Test func `are those that touch the hours and days, each for itself though they overlap`() throws {
        #expect(try found { _ in } == ["tv1 0", "tv2 3", "tv1 7200"])
        #expect(
            try found { $0.hours = LedgerHours(zone: "UTC", betweenMinutes: (20 * 60, 21 * 60)) } == ["tv1 0", "tv2 3"])
        // In Kolkata it is 01:30 on Monday, and 03:30.
        #expect(
            try found { $0.hours = LedgerHours(zone: "Asia/Kolkata", betweenMinutes: (210, 240), weekdays: [1]) }
                == ["tv1 7200"])
        #expect(try found { $0.hours = LedgerHours(zone: "Asia/Kolkata", weekdays: [7]) } == [])
    }

    @Test func `are those of the device and the site`() throws {
        #expect(try found { $0.device = "tv2" } == ["tv2 3"])
        #expect(try found { $0.site = "hotel" }.count == 3)
        #expect(try found { $0.site = "school" } == [])
    }

    // As `conflicts --rule` asks: of spans that were found anew.
    @Test func `are chosen alike when they were found anew`() throws {
        let rows = try queries.conflicts()
        let spans = rows.map { (deviceID: $0.conflict.deviceID, from: $0.conflict.from, to: $0.conflict.to) }
        func passing(_ change: (inout LedgerFilter) -> Void) throws -> [Int] {
            var filter = LedgerFilter()
            change(&filter)
            return try queries.passing(filter, spans)
        }
        #expect(try passing { _ in } == [0, 1, 2])
        #expect(try passing { $0.hours = LedgerHours(zone: "UTC", betweenMinutes: (20 * 60, 21 * 60)) } == [0, 1])
        #expect(
            try passing { $0.hours = LedgerHours(zone: "Asia/Kolkata", betweenMinutes: (210, 240), weekdays: [1]) }
                == [2])
        // Nothing was played.
        #expect(try passing { $0.plays.app = "Player" } == [])
        #expect(try found { $0.plays.app = "Player" } == [])
        #expect(try queries.passing(LedgerFilter(), []) == [])
    }
}
