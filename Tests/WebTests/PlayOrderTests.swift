import CastModel
import Differ
import Store
import TestSupport
import Testing
import WebCore

@testable import Web

// Goal: plays come in the order that was asked for, and page by page each of them once, whatever is not told or alike.
// Method: five plays of which every column has ties and, where it may, nothing; orders worked out by hand; pages of one and of
// two.
@Suite("The order of plays", .waits) struct PlayOrderTests {
    /// Positions of the plays by what they are ordered by; a tie goes by when they began, which is by position.
    private static let orders: [(name: String, positions: [Int64])] = [
        ("started_at", [1, 2, 3, 4, 5]), ("ended_at", [4, 5, 1, 3, 2]), ("device", [2, 5, 1, 3, 4]),
        ("members", [1, 3, 5, 4, 2]), ("app_name", [4, 1, 3, 2, 5]), ("title", [5, 2, 1, 3, 4]),
        ("played_seconds", [5, 3, 4, 1, 2]), ("paused_seconds", [1, 4, 5, 2, 3]), ("ad_seconds", [2, 3, 5, 1, 4]),
        ("buffering_seconds", [3, 4, 1, 2, 5]), ("duration_seconds", [2, 5, 1, 3, 4]), ("progress", [2, 4, 5, 1, 3]),
        ("seeks", [2, 5, 4, 1, 3]), ("captions", [1, 5, 4, 2, 3]), ("end_reason", [2, 5, 1, 3, 4]),
        ("start_cause", [4, 1, 2, 3, 5]), ("coverage", [4, 3, 1, 2, 5]), ("content_id", [4, 1, 3, 5, 2]),
    ]

    private static func lab() throws -> WebLab {
        let lab = try WebLab()
        try lab.record(
            [
                sample(1, .deviceSeen, after: ["name": "b"]),
                sample(2, .deviceSeen, device: "tv2", after: ["name": "A"]),
                sample(3, .deviceSeen, device: "tv3", after: [:]),
            ], until: 1200)
        // tv1 is called b, tv2 A, and tv3 nothing. The second play lasts.
        let long = String(repeating: "\u{9577}", count: 150)
        try PostgresConnection(lab.address).executeScript(
            """
            INSERT INTO projection.play (position, device_id, started_at, ended_at, app_name, app_id, title, content_id,
                entity, played_seconds, paused_seconds, ad_seconds, buffering_seconds, duration_seconds,
                max_position_seconds, seeks, tracks, members, end_reason, start_cause, gap_seconds, recorder_id, ordinal,
                end_is_uncertain, counted_at, input_inactive_seconds, phase, phase_since)
            SELECT p, d, timestamptz '2026-03-01 20:00Z' + s * interval '1 minute',
                timestamptz '2026-03-01 20:00Z' + e * interval '1 minute', app, app_id, title, content, entity, played,
                paused, ad, buffering, length, most, seeks, tracks::jsonb, members::jsonb, reason, cause, gap,
                '\(recorderOne)', 0, false, timestamptz '2026-03-01 20:20Z', 0,
                CASE WHEN e IS NULL THEN 'paused' END, CASE WHEN e IS NULL THEN timestamptz '2026-03-01 20:20Z' END
            FROM (VALUES
                (1, 'tv1', 0, 10, 'Alpha', 'a', 'Zoo', 'c1', NULL, 100, 0, 5, 1, 100, 50, 2, '[]', '[]', 'finished',
                    'receiver', 0),
                (2, 'tv2', 1, NULL, NULL, 'beta', NULL, NULL, 'e2', 100, 30, 0, 1, NULL, NULL, 0,
                    '[{"from":"2026-03-01T20:01:00.000000Z","to":null,"trackIds":[1],"languages":["en"],"captions":true}]',
                    '["x","y"]', NULL, 'sender_request', 0),
                (3, 'tv1', 2, 10, 'alpha', 'a', 'zoo', 'C1', NULL, 50, 30, 0, 0, 100, 50, 2,
                    '[{"from":"2026-03-01T20:02:00.000000Z","to":null,"trackIds":[1],"languages":[],"captions":true}]',
                    '[]', 'finished', 'sender_request', 240),
                (4, 'tv3', 3, 4, NULL, NULL, 'äh \(long)', NULL, NULL, 50, 0, 5, 0, 200, NULL, 1,
                    '[{"from":"2026-03-01T20:03:00.000000Z","to":null,"trackIds":[1],"languages":["de"],"captions":true}]',
                    '["x"]', 'stopped', 'already_playing', 60),
                (5, 'tv2', 4, 7, 'Beta', 'beta', NULL, 'c1', NULL, 7.25, 0, 0, 2, NULL, 10, 0,
                    '[{"from":"2026-03-01T20:04:00.000000Z","to":null,"trackIds":[1],"languages":["fr"],"captions":false}]',
                    '[]', 'failed', 'unknown', 0)
            ) v (p, d, s, e, app, app_id, title, content, entity, played, paused, ad, buffering, length, most, seeks, tracks,
                members, reason, cause, gap)
            """, doing: "making up plays")
        return lab
    }

    private static func positions(_ lab: WebLab, _ sort: String, limit: Int) throws -> [Int64] {
        var found: [Int64] = []
        var after = ""
        repeat {
            let page = try lab.json("/api/v1/plays?sort=\(sort)&limit=\(limit)\(after)")
            for case .integer(let position)? in (page["items"]?.array ?? []).map({ $0["position"] }) {
                found.append(position)
            }
            after = page["next"]?.string.map { "&after=\($0)" } ?? ""
        } while !after.isEmpty && found.count < 20
        return found
    }

    @Test func `is that of any column, in both directions, and pages go on behind each row`() throws {
        let lab = try Self.lab()
        for (name, expected) in Self.orders {
            for limit in [1, 2, 1000] {
                #expect(try Self.positions(lab, name, limit: limit) == expected, "\(name) by \(limit)")
                #expect(
                    try Self.positions(lab, "-\(name)", limit: limit) == expected.reversed(), "-\(name) by \(limit)")
            }
        }
    }

    @Test func `is known for every name that the description has`() {
        #expect(Self.orders.map(\.name) == Parameter.playOrders)
        #expect(LedgerPage.Order.allCases.map(\.rawValue) == Parameter.playOrders)
    }

    @Test func `goes on only where a place of the same order says so`() throws {
        let lab = try Self.lab()
        let next = try #require(try lab.json("/api/v1/plays?sort=title&limit=1")["next"]?.string)
        #expect(try lab.get("/api/v1/plays?sort=title&limit=1&after=\(next)").status == 200)
        #expect(try lab.get("/api/v1/plays?sort=device&limit=1&after=\(next)").status == 400)
        // A place whose value is no number is a mistake of whoever asks.
        let odd = CursorText.encode(["progress", "0", "tv1", recorderOne, "1", "0", "much"])
        #expect(try lab.get("/api/v1/plays?sort=progress&after=\(odd)").status == 400)
    }
}
