import CastModel
import Differ
import Recording
import TestSupport
import Testing

@testable import Store

// Goal: every second of a device is counted once, as observed or as missed for a reason.
// Method: days made by hand, in whole minutes that a comment adds up; 86,400 s are a day, 3,600 s an hour.
@Suite("Coverage", .waits) struct CoverageTests {
    private let address: String
    private let connection: PostgresConnection

    init() throws {
        address = try TestCluster.shared.newDatabase()
        connection = try PostgresConnection(address)
    }

    /// What a recorder tells: change events, each at its moment.
    private typealias Told = (at: String, device: String, kind: ChangeEvent.Kind, after: JSONValue?)

    private func moment(_ text: String) throws -> WallTime { try #require(WallTime(text: full(text)), "\(text)") }

    /// A moment as the archive spells it, with microseconds.
    private func full(_ text: String) -> String { text.dropLast() + ".000000Z" }

    /// Records what is told, in this order; the last record comes at `until`.
    private func record(_ recorder: String = recorderOne, until: String, _ told: [[Told]]) throws {
        let events = try told.flatMap { $0 }.enumerated().map { index, told in
            let second = try moment(told.at).seconds(since: WallTime(microseconds: eveningStart))
            return sample(Int64(index + 1), told.kind, second: second, device: told.device, after: told.after)
        }
        let end = ArchivePosition(Int64(events.count + 1))
        try Projection(connection: PostgresConnection(address), recorderID: recorder).apply(
            ProjectionBatch(startingAt: ArchivePosition(0), through: end, throughTime: moment(until), events: events))
    }

    /// A device that is seen and linked at once.
    private func linked(_ at: String, device: String = "tv1") -> [Told] {
        [(at, device, .deviceSeen, ["name": .string(device.uppercased())]), (at, device, .linkOpened, nil)]
    }

    /// A gap; without `to` it lasts.
    private func gap(_ reason: String, _ from: String, to: String?, device: String = "tv1") -> [Told] {
        var told: [Told] = [(from, device, .gapStarted, ["reason": .string(reason), "from": .string(full(from))])]
        if let to { told.append((to, device, .gapEnded, ["to": .string(full(to))])) }
        return told
    }

    /// Each day as "device day known observed media reason seconds, …".
    private func days(
        _ from: String, _ to: String, zone: String = "UTC", device: String? = nil
    ) throws -> [String] {
        let question = CoverageQuestion(device: device, from: try moment(from), to: try moment(to), zone: zone)
        return try LedgerQueries(connection: connection).coverage(question).map { row in
            let figures = [row.knownSeconds, row.observedSeconds, row.mediaObservedSeconds].map { "\(Int($0))" }
            let gaps = row.gaps.map { "\($0.reason) \(Int($0.seconds))" }
            return ([row.deviceID.text, row.day] + figures + gaps).joined(separator: " ")
        }
    }

    /// Each span missed as "from to reason", times without date and seconds.
    private func spans(_ from: String, _ to: String) throws -> [String] {
        let question = CoverageQuestion(from: try moment(from), to: try moment(to))
        return try LedgerQueries(connection: connection).unobserved(question).map { row in
            let clock = [row.from, row.to].map { $0.text.dropFirst(11).prefix(5) }
            return "\(clock[0]) \(clock[1]) \(row.reason)\(row.hidesMediaOnly ? " media" : "")\(row.lasts ? " …" : "")"
        }
    }

    @Test func `of a period that begins after its end is nothing, and no error`() throws {
        try record(until: "2026-03-02T00:00:00Z", [linked("2026-03-01T12:00:00Z")])
        let queries = try LedgerQueries(connection: connection)
        let question = CoverageQuestion(from: WallTime(microseconds: 2), to: WallTime(microseconds: 1))
        #expect(try queries.coverage(question) == [])
        #expect(try queries.unobserved(question) == [])
    }

    @Test func `of a day without a gap is all of it`() throws {
        try record(until: "2026-03-03T00:00:00Z", [linked("2026-03-02T00:00:00Z")])
        #expect(try days("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") == ["tv1 2026-03-02 86400 86400 86400"])
        #expect(try spans("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") == [])
    }

    @Test func `lacks the gap in the middle of a day`() throws {
        try record(
            until: "2026-03-03T00:00:00Z",
            [
                linked("2026-03-02T00:00:00Z"),
                gap("link_lost", "2026-03-02T10:15:00Z", to: "2026-03-02T10:45:00Z"),
                gap("recorder_down", "2026-03-02T12:00:00Z", to: "2026-03-02T12:10:00Z"),
            ])
        // 30 min of 60 s are 1,800 s; 10 min are 600 s; 86,400 - 2,400 = 84,000.
        #expect(
            try days("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") == [
                "tv1 2026-03-02 86400 84000 84000 link_lost 1800 recorder_down 600"
            ])
        #expect(
            try spans("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") == [
                "10:15 10:45 link_lost", "12:00 12:10 recorder_down",
            ])
        // A period that begins and ends within gaps: 10:30 to 12:05 are 95 min, 15 + 5 of them missed.
        #expect(
            try days("2026-03-02T10:30:00Z", "2026-03-02T12:05:00Z") == [
                "tv1 2026-03-02 5700 4500 4500 link_lost 900 recorder_down 300"
            ])
        // One within a gap, and an empty one.
        #expect(
            try days("2026-03-02T10:20:00Z", "2026-03-02T10:21:00Z") == ["tv1 2026-03-02 60 0 0 link_lost 60"])
        #expect(try days("2026-03-02T10:20:00Z", "2026-03-02T10:20:00Z") == [])
    }

    @Test func `divides a gap over midnight between the days`() throws {
        try record(
            until: "2026-03-04T00:00:00Z",
            [
                linked("2026-03-02T00:00:00Z"),
                gap("link_lost", "2026-03-02T23:30:00Z", to: "2026-03-03T00:45:00Z"),
            ])
        // 30 min before midnight, 45 min after.
        #expect(
            try days("2026-03-02T00:00:00Z", "2026-03-04T00:00:00Z") == [
                "tv1 2026-03-02 86400 84600 84600 link_lost 1800", "tv1 2026-03-03 86400 83700 83700 link_lost 2700",
            ])
    }

    @Test func `counts a TV that is off at night as unreachable, not as unknown`() throws {
        try record(
            until: "2026-03-03T00:00:00Z",
            [
                linked("2026-03-02T00:00:00Z"),
                gap("device_unreachable", "2026-03-02T00:30:00Z", to: "2026-03-02T10:30:00Z"),
            ])
        // 10 h off, 14 h on.
        #expect(
            try days("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") == [
                "tv1 2026-03-02 86400 50400 50400 device_unreachable 36000"
            ])
    }

    @Test func `knows that a day in Berlin has 23 hours in March and 25 in October`() throws {
        try record(
            until: "2026-10-26T00:00:00Z",
            [
                linked("2026-03-20T00:00:00Z"),
                // 01:30 to 03:30 on the clocks is one hour, and so is 02:30 to 02:30.
                gap("link_lost", "2026-03-29T00:30:00Z", to: "2026-03-29T01:30:00Z"),
                gap("link_lost", "2026-10-25T00:30:00Z", to: "2026-10-25T01:30:00Z"),
            ])
        // 23 h are 82,800 s; the days around have 24 h, from 23:00Z and 22:00Z on.
        #expect(
            try days("2026-03-27T23:00:00Z", "2026-03-30T22:00:00Z", zone: "Europe/Berlin") == [
                "tv1 2026-03-28 86400 86400 86400", "tv1 2026-03-29 82800 79200 79200 link_lost 3600",
                "tv1 2026-03-30 86400 86400 86400",
            ])
        // 25 h are 90,000 s.
        #expect(
            try days("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", zone: "Europe/Berlin") == [
                "tv1 2026-10-25 90000 86400 86400 link_lost 3600"
            ])
    }

    @Test func `begins days in India at half past six in the evening of UTC`() throws {
        try record(
            until: "2026-03-03T18:30:00Z",
            [
                linked("2026-03-01T18:30:00Z"),
                gap("link_lost", "2026-03-02T18:00:00Z", to: "2026-03-02T19:00:00Z"),
            ])
        #expect(
            try days("2026-03-01T18:30:00Z", "2026-03-03T18:30:00Z", zone: "Asia/Kolkata") == [
                "tv1 2026-03-02 86400 84600 84600 link_lost 1800", "tv1 2026-03-03 86400 84600 84600 link_lost 1800",
            ])
    }

    @Test(arguments: [
        // Cuba sets its clocks from 01:00 back to 00:00: midnight comes twice, and the day has 25 h.
        ("America/Havana", "2026-11-01", "2026-11-01T04:00:00.000000Z"),
        // Egypt sets them from 00:00 to 01:00: the day begins at 01:00.
        ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000000Z"),
        ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000000Z"),
        ("Asia/Kathmandu", "2026-03-29", "2026-03-28T18:15:00.000000Z"),
        // Samoa had no 30 December 2011.
        ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000000Z"),
        ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00.000000Z"),
    ])
    func `begins a day with its first moment`(zone: String, day: String, expected: String) throws {
        try Migration.applyAll(to: connection)
        let start = try connection.execute("SELECT ledger.day_start('\(day)', '\(zone)')").first?.time(0)
        #expect(start?.text == expected)
    }

    @Test func `counts from the first link on, and nothing before`() throws {
        try record(
            until: "2026-03-03T00:00:00Z",
            [
                linked("2026-03-02T12:00:00Z"),
                // Seen, and linked 40 s later: the minute in which we come to know it is no gap.
                [("2026-03-02T13:00:00Z", "tv2", .deviceSeen, nil), ("2026-03-02T13:00:40Z", "tv2", .linkOpened, nil)],
                // Seen, and linked ten minutes later.
                [("2026-03-02T14:00:00Z", "tv3", .deviceSeen, nil), ("2026-03-02T14:10:00Z", "tv3", .linkOpened, nil)],
                // Seen, and never linked.
                [("2026-03-02T15:00:00Z", "tv4", .deviceSeen, nil)],
            ])
        // 12 h; 11 h less 40 s; 10 h of which 10 min; 9 h.
        #expect(
            try days("2026-03-01T00:00:00Z", "2026-03-05T00:00:00Z") == [
                "tv1 2026-03-02 43200 43200 43200",
                "tv2 2026-03-02 39560 39560 39560",
                "tv3 2026-03-02 36000 35400 35400 device_unreachable 600",
                "tv4 2026-03-02 32400 0 0 device_unreachable 32400",
            ])
    }

    @Test func `counts a gap that lasts up to the last record, and nothing after it`() throws {
        try record(
            until: "2026-03-02T22:00:00Z",
            [linked("2026-03-02T00:00:00Z"), gap("link_lost", "2026-03-02T20:00:00Z", to: nil)])
        // 22 h known, the last 2 of them missed.
        #expect(
            try days("2026-03-02T00:00:00Z", "2026-03-04T00:00:00Z") == [
                "tv1 2026-03-02 79200 72000 72000 link_lost 7200"
            ])
        #expect(try spans("2026-03-02T00:00:00Z", "2026-03-04T00:00:00Z") == ["20:00 22:00 link_lost …"])
        #expect(try spans("2026-03-02T00:00:00Z", "2026-03-02T21:00:00Z") == ["20:00 21:00 link_lost"])
    }

    @Test func `gives a device up after thirty days, until it is back`() throws {
        try record(
            until: "2026-05-01T00:00:00Z",
            [
                linked("2026-03-01T00:00:00Z"), gap("link_lost", "2026-03-02T00:00:00Z", to: nil),
                linked("2026-03-01T00:00:00Z", device: "tv2"),
                gap("link_lost", "2026-03-02T00:00:00Z", to: "2026-04-02T00:00:00Z", device: "tv2"),
                [("2026-03-02T12:00:00Z", "tv3", .deviceSeen, nil)],
            ])
        // 2 March and 30 days is 1 April.
        #expect(
            try days("2026-03-31T00:00:00Z", "2026-04-03T00:00:00Z") == [
                "tv1 2026-03-31 86400 0 0 link_lost 86400",
                "tv2 2026-03-31 86400 0 0 link_lost 86400", "tv2 2026-04-01 86400 0 0 link_lost 86400",
                "tv2 2026-04-02 86400 86400 86400",
                "tv3 2026-03-31 86400 0 0 device_unreachable 86400",
                "tv3 2026-04-01 43200 0 0 device_unreachable 43200",
            ])
    }

    @Test func `of two recorders is what either of them observed`() throws {
        try record(
            until: "2026-03-03T00:00:00Z",
            [
                linked("2026-03-02T00:00:00Z"),
                gap("recorder_down", "2026-03-02T10:00:00Z", to: "2026-03-02T11:00:00Z"),
                gap("recorder_down", "2026-03-02T13:00:00Z", to: "2026-03-02T13:10:00Z"),
            ])
        // The second one comes at 09:00 and its last record is of 12:00; what it says lasts ends there.
        try record(
            recorderTwo, until: "2026-03-02T12:00:00Z",
            [
                linked("2026-03-02T09:00:00Z"),
                gap("link_lost", "2026-03-02T10:30:00Z", to: "2026-03-02T11:30:00Z"),
                gap("link_lost", "2026-03-02T11:45:00Z", to: nil),
            ])
        // Both miss 10:30 to 11:00, of which the one that ran knows more; the first alone misses 13:00 to 13:10.
        #expect(
            try days("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") == [
                "tv1 2026-03-02 86400 84000 84000 link_lost 1800 recorder_down 600"
            ])
        #expect(
            try spans("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") == [
                "10:30 11:00 link_lost", "13:00 13:10 recorder_down",
            ])
    }

    @Test func `observes a device whose app is not joined, but not its media`() throws {
        try record(
            until: "2026-03-03T00:00:00Z",
            [
                linked("2026-03-02T00:00:00Z"),
                gap("attach_refused", "2026-03-02T10:00:00Z", to: "2026-03-02T11:00:00Z"),
                gap("not_joined", "2026-03-02T12:00:00Z", to: "2026-03-02T14:00:00Z"),
                gap("link_lost", "2026-03-02T20:00:00Z", to: "2026-03-02T20:30:00Z"),
            ])
        // 30 min without the device; its media 1 h + 2 h more: 86,400 - 1,800 = 84,600, less 10,800 = 73,800.
        #expect(
            try days("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") == [
                "tv1 2026-03-02 86400 84600 73800 not_joined 7200 attach_refused 3600 link_lost 1800"
            ])
        #expect(
            try spans("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") == [
                "10:00 11:00 attach_refused media", "12:00 14:00 not_joined media", "20:00 20:30 link_lost",
            ])
    }

    @Test func `takes a clock that was set for neither observed nor missed`() throws {
        try record(
            until: "2026-03-03T00:00:00Z",
            [
                linked("2026-03-02T00:00:00Z"),
                // An hour that never was.
                gap("clock_jump", "2026-03-02T10:00:00Z", to: "2026-03-02T11:00:00Z"),
                // An hour that came twice.
                gap("clock_jump", "2026-03-02T15:00:00Z", to: "2026-03-02T14:00:00Z"),
                // And one in which the clock was set back during a gap: its length is not known.
                gap("link_lost", "2026-03-02T18:00:00Z", to: "2026-03-02T17:30:00Z"),
                gap("link_lost", "2026-03-02T19:00:00Z", to: "2026-03-02T19:00:00Z"),
            ])
        #expect(
            try days("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") == ["tv1 2026-03-02 82800 82800 82800"])
        #expect(try spans("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") == [])
    }

    @Test func `knows nothing of a device that rules leave out, for as long as they do`() throws {
        try record(
            until: "2026-03-03T00:00:00Z",
            [
                linked("2026-03-02T00:00:00Z"),
                gap("device_excluded", "2026-03-02T10:00:00Z", to: "2026-03-02T11:00:00Z"),
                gap("device_excluded", "2026-03-02T18:00:00Z", to: nil),
            ])
        // 10 h and 7 h are 61,200 s.
        #expect(try days("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") == ["tv1 2026-03-02 61200 61200 61200"])
        #expect(try spans("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") == [])
    }

    @Test func `counts a moment that two gaps of a recorder hide once`() throws {
        try record(until: "2026-03-03T00:00:00Z", [linked("2026-03-02T00:00:00Z")])
        try connection.execute(
            """
            INSERT INTO projection.gap SELECT 'tv1', '\(recorderOne)', 90 + n, 0, a, b, reason FROM (VALUES
                (1, timestamptz '2026-03-02 10:00Z', timestamptz '2026-03-02 11:00Z', 'link_lost'),
                (2, '2026-03-02 10:30Z', '2026-03-02 11:30Z', 'frames_lost'),
                (3, '2026-03-02 11:00Z', '2026-03-02 11:15Z', 'not_joined')) v (n, a, b, reason)
            """)
        // 10:00 to 11:30: 60 min told of as link_lost, 30 as frames_lost. Media that belongs to no observed time is none.
        #expect(
            try days("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") == [
                "tv1 2026-03-02 86400 81000 81000 link_lost 3600 frames_lost 1800"
            ])
    }

    @Test func `comes for every device, groups too, in the order of their names, or for one`() throws {
        try record(
            until: "2026-03-03T00:00:00Z",
            [
                linked("2026-03-02T00:00:00Z", device: "tv2"), linked("2026-03-02T12:00:00Z", device: "group"),
                linked("2026-03-02T00:00:00Z", device: "tv1"),
                gap("link_lost", "2026-03-02T13:00:00Z", to: "2026-03-02T14:00:00Z", device: "group"),
            ])
        let all = [
            "group 2026-03-02 43200 39600 39600 link_lost 3600", "tv1 2026-03-02 86400 86400 86400",
            "tv2 2026-03-02 86400 86400 86400",
        ]
        #expect(try days("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") == all)
        #expect(try days("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z", device: "Group") == [all[0]])
        #expect(throws: StoreError.self) {
            try days("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z", device: "Kitchen")
        }
    }

    @Test func `without a beginning is that of seven days, today included`() throws {
        try record(until: "2026-03-20T00:00:00Z", [linked("2026-03-01T00:00:00Z")])
        let question = CoverageQuestion(to: try moment("2026-03-15T12:00:00Z"), zone: "Europe/Berlin")
        let rows = try LedgerQueries(connection: connection).coverage(question)
        #expect(rows.map(\.day) == (9...15).map { "2026-03-\($0 < 10 ? "0" : "")\($0)" })
        // Six whole days, and 13 h by the clocks of Berlin.
        #expect(rows.map(\.knownSeconds) == [86400, 86400, 86400, 86400, 86400, 86400, 46800])
    }

    @Test func `needs no more than the reader role`() throws {
        try record(until: "2026-03-03T00:00:00Z", [linked("2026-03-02T00:00:00Z")])
        try connection.execute("SET ROLE castledger_reader")
        #expect(try days("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z").count == 1)
        #expect(try spans("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z").isEmpty)
        #expect(try connection.execute("SELECT * FROM ledger.watched, ledger.unobserved").isEmpty)
    }

    @Test func `of a week finds its gaps among those of years by their index`() throws {
        try record(until: "2026-03-03T00:00:00Z", [linked("2026-03-02T00:00:00Z")])
        try connection.execute(
            """
            INSERT INTO projection.gap
            SELECT 'tv' || n % 50, '\(recorderOne)', n, 0, t, t + interval '5 minutes', 'link_lost'
            FROM generate_series(1, 20000) n, LATERAL (SELECT timestamptz '2024-01-01Z' + n * interval '1 hour') x (t)
            """)
        try connection.execute("ANALYZE projection.gap")
        let plan = try connection.execute(
            """
            EXPLAIN SELECT count(*) FROM ledger.unobserved
            WHERE span && tstzrange('2025-03-01Z', '2025-03-08Z')
            """
        ).compactMap { $0.text(0) }.joined(separator: "\n")
        #expect(plan.contains("gap_span"), "\(plan)")
        #expect(!plan.contains("Seq Scan on gap"), "\(plan)")
    }
}
