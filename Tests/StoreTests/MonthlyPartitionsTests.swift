import Differ
import Recording
import TestSupport
import Testing

@testable import Store

@Suite("The partition of a month", .waits) struct MonthlyPartitionsTests {
    /// Stores one event at each moment and tells where each went.
    private func stored(_ moments: [Int64], prepare: String? = nil) throws -> [String] {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        let projection = try Projection(connection: connection, recorderID: recorderOne)
        if let prepare { try connection.execute(prepare) }
        let events = moments.enumerated().map { index, moment in
            var event = sample(Int64(index + 1), .seeked)
            event.observedAt = WallTime(microseconds: moment)
            return event
        }
        try projection.apply(ProjectionBatch(events))
        return try connection.execute("SELECT tableoid::regclass::text FROM projection.change_event ORDER BY position")
            .map { String(($0.text(0) ?? "").dropFirst("projection.change_event_".count)) }
    }

    @Test func `begins at midnight UTC of the first and ends before the next`() throws {
        // date -u -d '2026-03-01' +%s and so on.
        let march: Int64 = 1_772_323_200_000_000
        let april: Int64 = 1_775_001_600_000_000
        let year: Int64 = 1_798_761_600_000_000  // 2027-01-01
        let leap: Int64 = 1_835_481_600_000_000  // 2028-03-01
        #expect(
            try stored([march - 1, march, april - 1, april, year - 1, year, leap - 1, leap])
                == ["2026_02", "2026_03", "2026_03", "2026_04", "2026_12", "2027_01", "2028_02", "2028_03"])
    }

    @Test func `of a wrong clock is the default one`() throws {
        #expect(try stored([0, -5, .max, .min, 4_102_444_800_000_000]) == Array(repeating: "default", count: 5))
    }

    @Test func `is made ahead for two more months`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        let projection = try Projection(connection: connection, recorderID: recorderOne)
        try projection.apply(ProjectionBatch([sample(1, .seeked)]))
        let made = try connection.execute(
            "SELECT relname::text FROM pg_class WHERE relispartition AND relkind = 'r' ORDER BY 1")
        #expect(
            made.map { $0.text(0) } == [
                "change_event_2026_03", "change_event_2026_04", "change_event_2026_05", "change_event_default",
            ])
    }

    @Test func `that cannot be made does not hold up its rows`() throws {
        // Another recorder's row of the month is in the default partition already.
        let row = """
            INSERT INTO projection.change_event VALUES ('x', '2026-03-09Z', gen_random_uuid(), 1, 0, NULL, NULL, 'seeked',
                'unknown', NULL, '{}', true)
            """
        let march: Int64 = 1_772_323_200_000_000
        #expect(try Set(stored([march, march + 1], prepare: row)) == ["default"])
    }
}
