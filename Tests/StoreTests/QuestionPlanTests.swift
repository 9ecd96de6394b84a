import CastModel
import TestSupport
import Testing

@testable import Store

// Goal: a question about one device or one day costs what that device or day holds, however long the ledger is.
// Method: half a year of 60 devices in the tables, made up by SQL; then PostgreSQL's own plans, and how many rows it read.
@Suite("A question to a long ledger", .waits) struct QuestionPlanTests {
    /// Six months, the schema's own indexes, and statistics.
    private static func makeLedger() throws -> String {
        let address = try TestCluster.shared.newDatabase()
        let connection = try PostgresConnection(address)
        _ = try Projection(connection: connection, recorderID: recorderOne)
        for month in 1...6 {
            try connection.execute(
                """
                CREATE TABLE projection.change_event_2026_0\(month) PARTITION OF projection.change_event
                FOR VALUES FROM ('2026-0\(month)-01Z') TO ('2026-0\(month + 1)-01Z')
                """)
        }
        try connection.executeScript(script, doing: "making up half a year")
        return address
    }

    private static let ledger = Result { try makeLedger() }

    /// Every device and day: 8 change events, a play of two spans and an app session; every fourth a gap and a conflict.
    private static let script = """
        CREATE TEMP VIEW day AS
            SELECT 'tv' || d AS device, '\(recorderOne)'::uuid AS recorder, n * 1000 + d AS position, d, n,
                timestamptz '2026-01-01Z' + n * interval '1 day' + d * interval '10 minutes' AS at
            FROM generate_series(0, 59) d, generate_series(0, 179) n;
        INSERT INTO projection.device (device_id, recorder_id, name, state, first_seen_at, last_heard_at, first_linked_at)
            SELECT DISTINCT device, recorder, device, 'linked', timestamptz '2026-01-01Z', timestamptz '2026-06-30Z',
                timestamptz '2026-01-01Z' FROM day;
        UPDATE projection.checkpoint SET position = 1000000, observed_at = '2026-06-30Z';
        INSERT INTO projection.change_event (device_id, observed_at, recorder_id, position, ordinal, kind, attribution,
                callbacks, effective)
            SELECT device, at + e * interval '7 minutes', recorder, position, e, 'seeked', 'receiver', '{}', true
            FROM day, generate_series(0, 7) e;
        INSERT INTO projection.app_session (device_id, app_session_id, recorder_id, started_at, start_attribution,
                ended_at, end_reason)
            SELECT device, 'session-' || n, recorder, at, 'receiver', at + interval '1 hour', 'stopped' FROM day;
        INSERT INTO projection.play (device_id, started_at, recorder_id, position, ordinal, app_session_id,
                media_session_id, start_cause, ended_at, end_reason, end_is_uncertain, counted_at, played_seconds,
                paused_seconds, buffering_seconds, ad_seconds, input_inactive_seconds, gap_seconds, seeks, tracks, members)
            SELECT device, at, recorder, position, 0, 'session-' || n, 1, 'receiver', at + interval '1 hour', 'stopped',
                false, at + interval '1 hour', 3000, 600, 0, 0, 0, 0, 0, '[]', '[]' FROM day;
        INSERT INTO projection.play_span
            SELECT device, recorder, position, 0, s, at + s * interval '50 minutes', at + (50 + s * 10) * interval '1 minute',
                (ARRAY['playing', 'paused'])[s + 1], false FROM day, generate_series(0, 1) s;
        INSERT INTO projection.gap
            SELECT device, recorder, position, 0, at + interval '2 hours', at + interval '3 hours', 'link_lost'
            FROM day WHERE (d + n) % 4 = 0;
        INSERT INTO projection.conflict (device_id, started_at, recorder_id, position, ordinal, kind, ended_at, score,
                undoings, certain_undoings, evidence, evidence_count, actors, other_turns, sentence)
            SELECT device, at, recorder, position, 0, 'volume_fight', at + interval '1 minute', 0.9, 3, 3, '[]', 4, '[]', 0,
                'two senders set the volume against each other' FROM day WHERE (d + n) % 4 = 1;
        ANALYZE;
        """

    /// One step of a plan that reads a table.
    private struct Reading {
        var relation: String
        var isSequential: Bool
        /// Rows that came out of it, and those that it read for nothing.
        var rows: Double
    }

    /// PostgreSQL's own account of having answered a question.
    private func plan(of sql: String, _ connection: PostgresConnection) throws -> JSONValue {
        let answer = try connection.execute("EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) " + sql)
        let text = try #require(answer.first?.text(0))
        return try #require(try JSONParser().parse(Array(text.utf8)).array?.first?["Plan"])
    }

    /// What a question reads.
    private func readings(_ sql: String, _ connection: PostgresConnection) throws -> [Reading] {
        let plan = try plan(of: sql, connection)
        var found: [Reading] = []
        func visit(_ node: JSONValue) {
            let loops = Self.number(node, "Actual Loops")
            if let relation = node["Relation Name"]?.string {
                let useless =
                    Self.number(node, "Rows Removed by Filter") + Self.number(node, "Rows Removed by Index Recheck")
                found.append(
                    Reading(
                        relation: relation, isSequential: node["Node Type"]?.string == "Seq Scan",
                        rows: loops * (Self.number(node, "Actual Rows") + useless)))
                // A partition that was not asked in the end was not read.
                if loops == 0 { found.removeLast() }
            }
            for part in node["Plans"]?.array ?? [] { visit(part) }
        }
        visit(plan)
        return found
    }

    private static func number(_ node: JSONValue, _ key: String) -> Double {
        switch node[key] {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: 0
        }
    }

    /// A question of a person, and what it may cost.
    struct Question: CustomTestStringConvertible, Sendable {
        var name: String
        var sql: String
        /// How many rows it may read of the tables that grow with time, each as often as it is read.
        var limit: Double
        /// The months of change events that it may touch.
        var months: Set<String> = []
        var testDescription: String { name }
    }

    private static let month = "timestamptz '2026-03-01Z', timestamptz '2026-03-31Z'"
    private static let day = "timestamptz '2026-03-15Z', timestamptz '2026-03-16Z'"

    // A month of conflicts: 60 devices, every fourth day, 30 days: 450.
    // One device's month holds 240 change events, 30 plays, 60 spans, 30 app sessions and 7 gaps; a fleet's day 480, 60,
    // 120, 60 and 15, and of plays and app sessions some of the day before that go on after midnight.
    static let questions = [
        Question(
            name: "one device, a month of change events",
            sql: """
                SELECT * FROM ledger.events WHERE device_id = 'tv7' AND observed_at >= '2026-03-01Z'
                AND observed_at < '2026-03-31Z' ORDER BY observed_at, recorder_id, position, ordinal
                """, limit: 240, months: ["03"]),
        Question(
            name: "the fleet, a day of change events",
            sql: """
                SELECT * FROM ledger.events WHERE observed_at >= '2026-03-15Z' AND observed_at < '2026-03-16Z'
                ORDER BY observed_at, device_id, recorder_id, position, ordinal
                """, limit: 480, months: ["03"]),
        Question(
            name: "one device, a month of plays",
            sql: """
                SELECT * FROM ledger.plays WHERE device_id = 'tv7' AND coalesce(ended_at > '2026-03-01Z', true)
                AND started_at < '2026-03-31Z' AND span && tstzrange('2026-03-01Z', '2026-03-31Z')
                ORDER BY started_at, device_id, recorder_id, position, ordinal
                """, limit: 40),
        Question(
            name: "the fleet, a day of plays",
            sql: """
                SELECT * FROM ledger.plays WHERE coalesce(ended_at > '2026-03-15Z', true) AND started_at < '2026-03-16Z'
                AND span && tstzrange('2026-03-15Z', '2026-03-16Z')
                ORDER BY started_at, device_id, recorder_id, position, ordinal
                """, limit: 100),
        Question(
            name: "the fleet, a day as lanes", sql: "SELECT * FROM ledger.lanes(\(day))", limit: 600,
            // What the TV said of its input last may be long ago.
            months: ["01", "02", "03"]),
        Question(name: "the fleet, a month of coverage", sql: "SELECT * FROM ledger.coverage(\(month))", limit: 600),
        Question(
            name: "the fleet, a month of conflicts",
            sql: """
                SELECT * FROM ledger.conflicts WHERE coalesce(ended_at > '2026-03-01Z', true)
                AND started_at < '2026-03-31Z' AND span && tstzrange('2026-03-01Z', '2026-03-31Z')
                ORDER BY started_at, device_id, recorder_id, position, ordinal, kind
                """, limit: 460),
    ]

    @Test(arguments: questions) func `reads what it is about, by index, and no other month`(question: Question) throws {
        let connection = try PostgresConnection(Self.ledger.get())
        let growing = ["change_event", "app_session", "media_session", "play", "play_span", "gap", "conflict"]
        let found = try readings(question.sql, connection)
        var rows = 0.0
        for reading in found {
            guard let table = growing.first(where: { reading.relation == $0 || reading.relation.hasPrefix($0 + "_2") })
            else { continue }
            #expect(!reading.isSequential, "\(reading)")
            rows += reading.rows
            guard table == "change_event" else { continue }
            #expect(question.months.contains(String(reading.relation.suffix(2))), "\(reading)")
        }
        print("\(question.name): \(rows) rows read, limit \(question.limit)")
        #expect(rows <= question.limit, "\(found)")
    }

    // 10,800 plays, and 5,460 observed and missed spans, touch a few days or hours each. Each with each would be 3.9 million
    // pairs of plays and days of UTC, 46.9 million of plays and hours, and 2.0 million of spans and days.
    @Test(arguments: [
        "ledger.play_share(timestamptz '2026-01-01Z', timestamptz '2026-07-01Z', 'Europe/Berlin')",
        "ledger.play_share(timestamptz '2026-01-01Z', timestamptz '2026-07-01Z', 'Asia/Kolkata', 'hour')",
        "ledger.observed_share(timestamptz '2026-01-01Z', timestamptz '2026-07-01Z', 'Europe/Berlin')",
    ]) func `for totals of half a year, looks at the days and hours that a play touches, not at all`(
        share: String
    ) throws {
        let connection = try PostgresConnection(Self.ledger.get())
        var compared = 0.0
        func visit(_ node: JSONValue) {
            let removed = Self.number(node, "Rows Removed by Join Filter")
            // A node tells of all its loops' rows as the average of one.
            compared += Self.number(node, "Actual Loops") * removed
            for part in node["Plans"]?.array ?? [] { visit(part) }
        }
        visit(try plan(of: "SELECT count(*) FROM \(share)", connection))
        print("\(share): \(compared) pairs for nothing")
        #expect(compared < 300_000)
    }

    // 60 devices on 180 days: 10,800 plays of 3,000 s played and 600 s paused; 180 days known, of which 2,700 gaps of an hour
    // were missed.
    @Test(arguments: ["day", "hour"]) func `adds up to what was written, by day or hour of any zone`(step: String)
        throws
    {
        let connection = try PostgresConnection(Self.ledger.get())
        for zone in ["UTC", "Europe/Berlin", "Asia/Kolkata"] {
            let period = "timestamptz '2026-01-01Z', timestamptz '2026-07-01Z', '\(zone)', '\(step)'"
            let rows = try connection.execute(
                """
                SELECT (SELECT round(sum(played_seconds))::bigint FROM ledger.play_share(\(period))),
                    (SELECT round(sum(paused_seconds))::bigint FROM ledger.play_share(\(period))),
                    (SELECT round(sum(known_seconds))::bigint FROM ledger.observed_share(\(period))),
                    (SELECT round(sum(observed_seconds))::bigint FROM ledger.observed_share(\(period)))
                """)
            let row = try #require(rows.first)
            #expect(row.integer(0) == 32_400_000)
            #expect(row.integer(1) == 6_480_000)
            #expect(row.integer(2) == 933_120_000)
            #expect(row.integer(3) == 923_400_000)
        }
    }
}
