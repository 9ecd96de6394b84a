import CastModel
import Differ
import Plays
import Recording
import Testing

@testable import Store

@Suite("A filter") struct FilterTests {
    private let stage: DayStage

    /// Sunday 2026-03-01: three films on two TVs, one of which finishes; Monday: one.
    init() throws {
        stage = try DayStage()
        try stage.record(until: "2026-03-03T00:00:00Z", site: "Hotel") { story in
            for device in ["tv1", "tv2"] { story.link("2026-03-01T00:00:00Z", device) }
            story.film("2026-03-01T10:00:00Z", "2026-03-01T11:00:00Z", on: "tv1", "The Ferry", app: "Cinema")
            story.film("2026-03-01T12:00:00Z", "2026-03-01T12:00:20Z", on: "tv1", "Short", app: "Cinema")
            story.film(
                "2026-03-01T22:30:00Z", "2026-03-02T00:30:00Z", on: "tv2", "Night Ferry", app: "Radio", .receiver,
                end: "FINISHED")
            story.film("2026-03-02T18:00:00Z", nil, on: "tv2", "100% Sure_", app: "Radio")
        }
    }

    /// The titles that pass.
    private func titles(_ change: (inout LedgerFilter) -> Void) throws -> [String] {
        var filter = stage.filter("2026-03-01T00:00:00Z", "2026-03-03T00:00:00Z")
        change(&filter)
        let queries = try LedgerQueries(connection: stage.connection)
        let titles = try queries.plays(filter).compactMap { $0.play.content.title }
        // What is listed is what is counted.
        let counted = try queries.totals(filter, zone: filter.hours?.zone ?? "UTC", by: .title).filter { $0.plays > 0 }
            .compactMap(\.key)
        #expect(counted.sorted() == titles.sorted())
        return titles
    }

    @Test func `lets everything pass that it says nothing of`() throws {
        #expect(try titles { _ in } == ["The Ferry", "Short", "Night Ferry", "100% Sure_"])
    }

    @Test func `chooses by device, site, app and title, in any case and with signs as they are`() throws {
        #expect(try titles { $0.device = "tv1" } == ["The Ferry", "Short"])
        #expect(try titles { $0.site = "hotel" }.count == 4)
        #expect(try titles { $0.site = "elsewhere" } == [])
        #expect(try titles { $0.plays.app = "cinema" } == ["The Ferry", "Short"])
        #expect(try titles { $0.plays.app = "RADIO" } == ["Night Ferry", "100% Sure_"])
        #expect(try titles { $0.plays.title = "ferry" } == ["The Ferry", "Night Ferry"])
        #expect(try titles { $0.plays.title = "%" } == ["100% Sure_"])
        #expect(try titles { $0.plays.title = "_" } == ["100% Sure_"])
        #expect(try titles { $0.plays.title = "'; DROP" } == [])
    }

    @Test func `chooses by how plays began and ended, and by how long they played`() throws {
        #expect(try titles { $0.plays.endReasons = [.finished] } == ["Night Ferry"])
        #expect(try titles { $0.plays.endReasons = [.finished, .stopped] } == ["The Ferry", "Short", "Night Ferry"])
        #expect(try titles { $0.plays.startCauses = [.receiver] } == ["Night Ferry"])
        #expect(try titles { $0.plays.minimumPlayedSeconds = 30 } == ["The Ferry", "Night Ferry", "100% Sure_"])
        #expect(try titles { $0.plays.minimumPlayedSeconds = 20 }.count == 4)
    }

    @Test func `chooses by time of day and weekday, on the clocks of its zone`() throws {
        func hours(_ from: Int?, _ to: Int?, _ days: [Int]? = nil, _ zone: String = "UTC") -> LedgerHours {
            LedgerHours(zone: zone, betweenMinutes: from.map { ($0 * 60, (to ?? 24) * 60) }, weekdays: days)
        }
        #expect(try titles { $0.hours = hours(22, 23) } == ["Night Ferry", "100% Sure_"])
        #expect(try titles { $0.hours = hours(22, 2) } == ["Night Ferry", "100% Sure_"])
        #expect(try titles { $0.hours = hours(11, 13) } == ["Short"])
        #expect(try titles { $0.hours = hours(nil, nil, [1]) } == ["Night Ferry", "100% Sure_"])
        #expect(try titles { $0.hours = hours(nil, nil, [7]) } == ["The Ferry", "Short", "Night Ferry"])
        #expect(try titles { $0.hours = hours(9, 12, [7]) } == ["The Ferry"])
        // In Tokyo, nine hours ahead, the first begins at 19:00 on Sunday and the third on Monday.
        #expect(try titles { $0.hours = hours(19, 20, [7], "Asia/Tokyo") } == ["The Ferry"])
        #expect(try titles { $0.hours = hours(nil, nil, [7], "Asia/Tokyo") } == ["The Ferry", "Short"])
    }

    @Test func `counts only the seconds within the hours, and their coverage`() throws {
        var filter = stage.filter("2026-03-01T00:00:00Z", "2026-03-03T00:00:00Z")
        filter.hours = LedgerHours(zone: "UTC", betweenMinutes: (22 * 60, 60))
        let rows = try LedgerQueries(connection: stage.connection).totals(filter, zone: "UTC", by: nil)
        // The night film from 22:30 to 00:30, and the one that lasts from 22:00 to midnight on Monday: two hours each.
        #expect(rows.map(\.playedSeconds) == [14_400])
        // Two TVs; on each of two days the hours from 00:00 to 01:00 and from 22:00 to 24:00.
        #expect(rows.map(\.knownSeconds) == [2 * 2 * 3 * 3600])
    }

    @Test func `chooses change events by the moment at which they were observed`() throws {
        func count(_ hours: LedgerHours) throws -> Int {
            var filter = stage.filter("2026-03-01T00:00:00Z", "2026-03-03T00:00:00Z")
            filter.kinds = [.appStarted]
            filter.hours = hours
            return try LedgerQueries(connection: stage.connection).events(filter).count
        }
        #expect(try count(LedgerHours(zone: "UTC", betweenMinutes: (600, 720))) == 1)
        #expect(try count(LedgerHours(zone: "UTC", betweenMinutes: (22 * 60, 11 * 60))) == 2)
        #expect(try count(LedgerHours(zone: "UTC", weekdays: [1])) == 1)
        #expect(try count(LedgerHours(zone: "Asia/Tokyo", weekdays: [1])) == 1)
        #expect(try count(LedgerHours(zone: "Asia/Tokyo", weekdays: [2])) == 1)
    }

    // tv1's film from 10:00 to 11:00 is in the app Cinema, tv2's over midnight in Radio.
    @Test func `leaves of change events what happened while a play that passes was on`() throws {
        func kinds(_ change: (inout LedgerFilter) -> Void) throws -> [String] {
            var filter = stage.filter("2026-03-01T00:00:00Z", "2026-03-03T00:00:00Z")
            change(&filter)
            return try LedgerQueries(connection: stage.connection).events(filter).map {
                "\($0.event.deviceID.text) \($0.event.kind.rawValue)"
            }
        }
        let film = ["app_started", "media_session_started", "media_session_ended", "app_stopped"]
        #expect(try kinds { $0.plays.title = "the ferry" } == film.map { "tv1 " + $0 })
        #expect(try kinds { $0.plays.endReasons = [.finished] } == film.map { "tv2 " + $0 })
        #expect(try kinds { $0.plays.app = "cinema" } == (film + film).map { "tv1 " + $0 })
        #expect(
            try kinds { $0.plays.minimumPlayedSeconds = 3601 }.count == 6, "the night's film, and the one that lasts")
        #expect(try kinds { $0.plays.title = "nothing of that name" } == [])
    }

    @Test func `cuts lanes and what was missed to its hours`() throws {
        var filter = stage.filter("2026-03-01T00:00:00Z", "2026-03-03T00:00:00Z")
        filter.device = "tv2"
        // The film from Sunday 22:30 to Monday 00:30, and the one since Monday 18:00: an hour on each night's side.
        filter.hours = LedgerHours(zone: "UTC", betweenMinutes: (23 * 60, 60))
        var lanes: [String] = []
        try LedgerQueries(connection: stage.connection).lanes(filter) { row in
            lanes.append("\(row.from.text.prefix(16)) \(row.to.text.prefix(16)) \(row.activity)")
            return true
        }
        #expect(
            lanes == [
                "2026-03-01T00:00 2026-03-01T01:00 idle", "2026-03-01T23:00 2026-03-02T00:30 playing",
                "2026-03-02T00:30 2026-03-02T01:00 idle", "2026-03-02T23:00 2026-03-03T00:00 playing",
            ])
    }

    @Test func `names what it does not find`() throws {
        let queries = try LedgerQueries(connection: stage.connection)
        #expect(throws: StoreError.self) { try queries.plays(LedgerFilter(device: "kitchen")) }
        var filter = LedgerFilter()
        filter.group = "kitchen"
        #expect(throws: StoreError.self) { try queries.plays(filter) }
    }
}

// Goal: questions stay fast when there is much: they go by an index.
// Method: a hundred devices with a thousand plays each, as rows; what PostgreSQL says it would do.
@Suite("Questions to a large ledger", .serialized) struct QueryPlanTests {
    private static let rows = """
        INSERT INTO projection.recorder (recorder_id) VALUES ('\(recorderOne)') ON CONFLICT DO NOTHING;
        UPDATE projection.checkpoint SET position = 1000000, observed_at = '2026-03-01Z'::timestamptz + interval '1000 hours';
        INSERT INTO projection.device (device_id, recorder_id, name, state, first_seen_at, last_heard_at, first_linked_at)
        SELECT 'tv' || d, '\(recorderOne)', 'TV ' || d, 'linked', '2026-03-01Z', '2026-04-01Z', '2026-03-01Z'
        FROM generate_series(1, 100) d;
        INSERT INTO projection.play (
            device_id, recorder_id, position, ordinal, started_at, ended_at, start_cause, end_reason, end_is_uncertain,
            counted_at, played_seconds, paused_seconds, buffering_seconds, ad_seconds, input_inactive_seconds,
            gap_seconds, seeks, tracks, members, app_session_id, media_session_id, title)
        SELECT 'tv' || d, '\(recorderOne)', n * 1000 + d, 0, s.at, s.at + interval '40 minutes', 'receiver', 'finished',
            false, s.at + interval '40 minutes', 2400, 0, 0, 0, 0, 0, 0, '[]', '[]', 's' || d, n, 'Title ' || n % 50
        FROM generate_series(0, 999) n, generate_series(1, 100) d,
            LATERAL (SELECT '2026-03-01Z'::timestamptz + n * interval '1 hour' + d * interval '1 second' AS at) s;
        INSERT INTO projection.play_span
        SELECT device_id, recorder_id, position, ordinal, k, started_at + k * interval '20 minutes',
            started_at + (k + 1) * interval '20 minutes', 'playing', false
        FROM projection.play, generate_series(0, 1) k;
        INSERT INTO projection.app_session
        SELECT device_id, 's' || position, recorder_id, 'CC1AD845', 'Player', NULL, started_at, 'sender_request', ended_at,
            'app_stopped'
        FROM projection.play WHERE media_session_id % 5 = 0;
        ANALYZE;
        """

    private func plan(_ sql: String, on connection: PostgresConnection) throws -> String {
        try connection.execute("EXPLAIN \(sql)").compactMap { $0.text(0) }.joined(separator: "\n")
    }

    @Test func `go by indexes for a device's week and for a day of all devices`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        _ = try Projection(connection: connection, recorderID: recorderOne)
        try connection.executeScript(Self.rows, doing: "filling")
        let week = "'2026-03-10Z', '2026-03-17Z'"
        let day = "'2026-03-10Z', '2026-03-11Z'"
        for (sql, index) in [
            ("SELECT * FROM ledger.lanes(\(week), 'tv7')", "play_of_device"),
            ("SELECT * FROM ledger.lanes(\(day))", "play_span_of_time"),
            ("SELECT * FROM ledger.play_share(\(week), 'Europe/Berlin', 'day', 'tv7')", "play_of_device"),
            ("SELECT * FROM ledger.play_share(\(day), 'Europe/Berlin', 'hour')", "play_span_of_time"),
            ("SELECT * FROM ledger.plays WHERE span && tstzrange(\(day))", "play_span_of_time"),
        ] {
            let plan = try plan(sql, on: connection)
            #expect(!plan.contains("Seq Scan on play"), "\(sql)\n\(plan)")
            #expect(plan.contains(index), "\(sql)\n\(plan)")
        }
        // Apps are found by their time, not by reading all there ever were.
        #expect(try plan("SELECT * FROM ledger.lanes(\(day))", on: connection).contains("app_session_of_time"))
        // A day of a hundred devices has 24 plays of each; in UTC all but the last lie within it.
        let share = try connection.execute(
            "SELECT count(*), sum(played_seconds) FROM ledger.play_share(\(day))"
        ).first
        // 2,400 plays of 40 minutes.
        #expect(share?.integer(0) == 2400)
        #expect(share?.double(1) == 5_760_000.0)
    }
}
