import CastModel
import Recording
import Testing

@testable import Store

// Goal: the lanes that SQL works out with ranges are what one finds by looking at every minute.
// Method: random links, gaps, plays that may overlap, app sessions of which some never end, and what TVs say of their
// input, in whole minutes, written into the tables as they are; a naive model that asks each minute.
@Suite("Lanes, minute by minute") struct LaneOracleTests {
    /// Minute 0 is 2026-03-27T00:00Z.
    private static let start: Int64 = 1_774_569_600_000_000
    private static let asked = 50..<900
    private static let checkpoint = 860

    private struct Span {
        var play: Int
        var number: Int
        var from: Int
        var to: Int
        var phase: String
        var isUnwatched: Bool
    }

    private struct Session {
        var name: String
        var from: Int
        var to: Int?
    }

    private struct Device {
        var gaps: [(from: Int, to: Int, reason: String)] = []
        var spans: [Span] = []
        var sessions: [Session] = []
        var inputs: [(at: Int, isStandby: Bool, word: Bool?)] = []

        /// What a minute comes to.
        func finding(at minute: Int) -> String? {
            guard minute >= 0, minute < LaneOracleTests.checkpoint else { return nil }
            if let gap = gaps.first(where: { $0.from <= minute && minute < $0.to }) {
                let app = gap.reason == "not_joined" ? session(at: minute)?.name : nil
                return ["unobserved", gap.reason, app ?? "-"].joined(separator: " ")
            }
            let playing = spans.filter { $0.from <= minute && minute < $0.to }
                .max { ($0.from, $0.play, $0.number) < ($1.from, $1.play, $1.number) }
            if let playing {
                let isGap = playing.phase == "unobserved"
                return "\(playing.phase) \(isGap ? "not_told" : "-") play-\(playing.play) \(playing.isUnwatched)"
            }
            func word(_ isStandby: Bool) -> Bool? { inputs.last { $0.at <= minute && $0.isStandby == isStandby }?.word }
            if word(true) == true { return "standby" }
            if word(false) == false { return "other_input" }
            return session(at: minute).map { "app_only \($0.name)" } ?? "idle"
        }

        private func session(at minute: Int) -> Session? {
            sessions.enumerated().filter { _, session in
                let next = sessions.map(\.from).filter { $0 > session.from }.min()
                return session.from <= minute && minute < session.to ?? next ?? .max
            }.max { ($0.element.from, $0.element.name) < ($1.element.from, $1.element.name) }?.element
        }
    }

    private func random(_ dice: inout Dice) -> Device {
        var device = Device()
        var clock = dice.below(80)
        while clock < 800 {
            let to = clock + 1 + dice.below(60)
            device.gaps.append((clock, min(to, Self.checkpoint), dice.isLucky(3) ? "not_joined" : "link_lost"))
            clock = to + 1 + dice.below(300)
        }
        for play in 0..<dice.below(8) {
            var at = dice.below(800)
            for number in 0...dice.below(5) {
                // Some leave a hole, some were set back by the clock.
                at += [0, 0, 0, 5, -7][dice.below(5)]
                let to = at + 1 + dice.below(40)
                let phases = ["playing", "paused", "buffering", "loading", "advertisement", "unobserved", "unknown"]
                device.spans.append(
                    Span(
                        play: play, number: number, from: at, to: min(to, Self.checkpoint),
                        phase: phases[dice.below(phases.count)], isUnwatched: dice.isLucky(4)))
                at = to
            }
        }
        device.spans.removeAll { $0.from >= $0.to }
        for number in 0..<dice.below(7) {
            let from = dice.below(800)
            device.sessions.append(
                Session(name: "app-\(number)", from: from, to: dice.isLucky(3) ? nil : from + 1 + dice.below(200)))
        }
        for _ in 0..<dice.below(9) {
            device.inputs.append((dice.below(850), dice.isLucky(2), [true, false, nil][dice.below(3)]))
        }
        // One moment says one thing of each.
        device.inputs.sort { ($0.at, $0.isStandby ? 1 : 0) < ($1.at, $1.isStandby ? 1 : 0) }
        var kept: [(at: Int, isStandby: Bool, word: Bool?)] = []
        for input in device.inputs where kept.last.map({ $0.at != input.at || $0.isStandby != input.isStandby }) ?? true
        {
            kept.append(input)
        }
        device.inputs = kept
        return device
    }

    private func time(_ minute: Int) -> String { "timestamptz '2026-03-27 00:00Z' + \(minute) * interval '1 minute'" }

    private func store(_ device: Device, _ name: String, over connection: PostgresConnection) throws {
        let key = "'\(name)', '\(recorderOne)'"
        try connection.execute(
            """
            INSERT INTO projection.device (device_id, recorder_id, state, first_seen_at, last_heard_at, first_linked_at)
            VALUES (\(key), 'linked', \(time(0)), \(time(Self.checkpoint)), \(time(0)))
            """)
        for (index, gap) in device.gaps.enumerated() {
            try connection.execute(
                """
                INSERT INTO projection.gap (device_id, recorder_id, position, ordinal, started_at, ended_at, reason)
                VALUES (\(key), \(index), 0, \(time(gap.from)), \(time(gap.to)), '\(gap.reason)')
                """)
        }
        for (play, spans) in Dictionary(grouping: device.spans, by: \.play) {
            let from = spans.map(\.from).min() ?? 0
            let to = spans.map(\.to).max() ?? 0
            try connection.execute(
                """
                INSERT INTO projection.play (
                    device_id, recorder_id, position, ordinal, started_at, ended_at, start_cause, end_is_uncertain,
                    counted_at, played_seconds, paused_seconds, buffering_seconds, ad_seconds, input_inactive_seconds,
                    gap_seconds, seeks, tracks, members)
                VALUES (\(key), \(play), 0, \(time(from)), \(time(to)), 'unknown', false, \(time(to)), 0, 0, 0, 0, 0, 0,
                    0, '[]', '[]')
                """)
        }
        for span in device.spans {
            try connection.execute(
                """
                INSERT INTO projection.play_span VALUES (\(key), \(span.play), 0, \(span.number), \(time(span.from)),
                    \(time(span.to)), '\(span.phase)', \(span.isUnwatched))
                """)
        }
        for session in device.sessions {
            try connection.execute(
                """
                INSERT INTO projection.app_session (
                    device_id, recorder_id, app_session_id, app_name, started_at, start_attribution, ended_at)
                VALUES (\(key), '\(session.name)', '\(session.name)', \(time(session.from)), 'unknown',
                    \(session.to.map(time) ?? "NULL"))
                """)
        }
        for (index, input) in device.inputs.enumerated() {
            let after =
                "{\"\(input.isStandby ? "isStandBy" : "isActiveInput")\": \(input.word.map { "\($0)" } ?? "null")}"
            try connection.execute(
                """
                INSERT INTO projection.change_event (
                    device_id, recorder_id, position, ordinal, observed_at, kind, attribution, callbacks, effective, after)
                VALUES (\(key), \(index), 1, \(time(input.at)),
                    '\(input.isStandby ? "standby_changed" : "active_input_changed")', 'receiver', '{}', true, '\(after)')
                """)
        }
    }

    /// A database of random devices, by the seed.
    private func stored(_ seed: Int) throws -> (connection: PostgresConnection, devices: [Device]) {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        _ = try Projection(connection: connection, recorderID: recorderOne)
        try connection.execute(
            "UPDATE projection.checkpoint SET position = 9, observed_at = \(time(Self.checkpoint))")
        var dice = Dice(seed: UInt64(seed))
        let devices = (0..<12).map { _ in random(&dice) }
        try connection.transaction(doing: "storing") { () throws(StoreError) in
            for (index, device) in devices.enumerated() {
                do { try store(device, "tv\(index)", over: connection) } catch let error as StoreError {
                    throw error
                } catch { fatalError("\(error)") }
            }
        }
        return (connection, devices)
    }

    /// What each minute of a period comes to by SQL, by device; checks that spans leave no hole and equal neighbors are one.
    private func lanes(
        _ asked: Range<Int>, _ connection: PostgresConnection, _ comment: Comment
    ) throws -> [String: [Int: String]] {
        let rows = try connection.execute(
            """
            SELECT device_id, (extract(epoch FROM from_at - $1) / 60)::integer, (extract(epoch FROM to_at - $1) / 60)::integer,
                concat_ws(' ', activity, CASE WHEN activity = 'app_only' THEN app_name
                    WHEN "position" IS NOT NULL THEN concat(coalesce(reason, '-'), ' play-', "position", ' ',
                        CASE input_inactive WHEN true THEN 'true' ELSE 'false' END)
                    WHEN activity = 'unobserved' THEN concat(reason, ' ', coalesce(app_name, '-')) END)
            FROM ledger.lanes($2::timestamptz, $3::timestamptz) ORDER BY device_id, from_at
            """,
            [
                .time(WallTime(microseconds: Self.start)), .time(moment(asked.lowerBound)),
                .time(moment(asked.upperBound)),
            ])
        var found: [String: [Int: String]] = [:]
        var last: (device: String, to: Int, word: String)?
        for row in rows {
            let device = try #require(row.text(0))
            let from = Int(try #require(row.integer(1)))
            let to = Int(try #require(row.integer(2)))
            let word = try #require(row.text(3))
            if let last, last.device == device {
                #expect(last.to == from, "\(comment), \(device), minute \(from)")
                #expect(last.word != word, "\(comment), \(device), minute \(from): equal neighbors")
            }
            last = (device, to, word)
            for minute in from..<to { found[device, default: [:]][minute] = word }
        }
        return found
    }

    @Test(arguments: [1, 2, 3, 4])
    func `are what every minute says, without holes or overlaps, and equal neighbors are one`(seed: Int) throws {
        let (connection, devices) = try stored(seed)
        // However the period is cut, each minute says the same.
        for asked in [Self.asked, 50..<311, 311..<312, 312..<470, 470..<640, 640..<900] {
            let found = try lanes(asked, connection, "seed \(seed), \(asked)")
            for (index, device) in devices.enumerated() {
                for minute in asked {
                    #expect(
                        found["tv\(index)"]?[minute] == device.finding(at: minute),
                        "seed \(seed), \(asked), tv\(index), minute \(minute)")
                }
            }
        }
    }

    // Kiritimati is 14 hours ahead: its 28th of March begins in minute 600.
    @Test(arguments: [1, 2, 3, 4]) func `of a day add up to the minutes of that day`(seed: Int) throws {
        let (connection, devices) = try stored(seed)
        let rows = try connection.execute(
            """
            SELECT u.device_id, u.day::text, a.key, round(a.value::numeric / 60)::integer
            FROM ledger.uptime($1::timestamptz, $2::timestamptz, 'Pacific/Kiritimati') u, jsonb_each_text(u.activities) a
            """, [.time(moment(Self.asked.lowerBound)), .time(moment(Self.asked.upperBound))])
        var found: [String: Int] = [:]
        for row in rows {
            let key = [0, 1, 2].map { row.text($0) ?? "" }.joined(separator: " ")
            found[key] = Int(try #require(row.integer(3)))
        }
        var expected: [String: Int] = [:]
        for (index, device) in devices.enumerated() {
            for minute in Self.asked {
                guard let activity = device.finding(at: minute)?.split(separator: " ").first else { continue }
                expected["tv\(index) 2026-03-\(minute < 600 ? 27 : 28) \(activity)", default: 0] += 1
            }
        }
        #expect(found == expected)
    }

    private func moment(_ minute: Int) -> WallTime { WallTime(microseconds: Self.start + Int64(minute) * 60_000_000) }
}
