import CastModel
import Differ
import Recording
import TestSupport
import Testing

@testable import Store

@Suite("The projection", .waits) struct ProjectionTests {
    private func open(_ address: String, recorder: String = recorderOne) throws -> (PostgresConnection, Projection) {
        let connection = try PostgresConnection(address)
        return (connection, try Projection(connection: connection, recorderID: recorder))
    }

    @Test func `stores an event column by column`() throws {
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        var event = sample(
            7, .textTrackStyleReasserted, ordinal: 2, second: 1.5, app: "a-1", media: 3, attribution: .senderRequest,
            requestID: 41, callbacks: [.mediaStatus, .mediaMetadata], effective: false,
            before: ["fontScale": 1.5], after: ["fontScale": 1.5, "name": "Ü"], positionSeconds: 12.25)
        event.senderSeries = 2

        let outcome = try projection.apply(ProjectionBatch([event]))

        let row = try #require(try connection.execute("SELECT t::text FROM projection.change_event t").first?.text(0))
        #expect(
            row == #"(tv1,"2026-03-01 20:00:01.5+00",11111111-1111-1111-1111-111111111111,7,2,a-1,3,"#
                + #"text_track_style_reasserted,sender_request,41,"{media_status,media_metadata}",f,"#
                + #""{""fontScale"": 1.5}","{""name"": ""Ü"", ""fontScale"": 1.5}",12.25,,2)"#)
        #expect(outcome.events == 1 && outcome.sanitized == 0 && outcome.refused == 0)
        #expect(try projection.checkpoint() == ArchivePosition(7))
    }

    @Test func `is the same row by row, whether applied live in small batches or rebuilt in one`() throws {
        let events = evening()
        let (live, small) = try open(TestCluster.shared.newDatabase())
        var start = 0
        for size in [1, 2, 3, 5, 8, 13, 21, 34].cycled(to: events.count) {
            let slice = events[start..<min(start + size, events.count)]
            guard !slice.isEmpty else { break }
            try small.apply(ProjectionBatch(Array(slice), after: Int64(start)))
            start += slice.count
        }
        let first = try dump(live)

        try small.reset()
        #expect(try small.checkpoint() == ArchivePosition(0))
        #expect(try live.execute("SELECT 1 FROM projection.change_event").isEmpty)
        try small.apply(ProjectionBatch(events))

        #expect(start == events.count)
        #expect(try dump(live) == first)
        // 3 devices: 20 media sessions, 5 app sessions and 4 gaps each (rounds 4, 9, 14, 19), the last one open.
        #expect(first["media_session"]?.count == 60)
        #expect(first["app_session"]?.count == 15)
        #expect(first["gap"]?.count == 12)
        #expect(first["gap"]?.filter { $0.contains("00\",,link_lost") }.count == 3)
    }

    @Test func `a batch from elsewhere in the archive is refused, and changes nothing`() throws {
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        try projection.apply(ProjectionBatch([sample(5, .deviceSeen)]))
        let before = try dump(connection)

        #expect(throws: StoreError.checkpointMoved(expected: ArchivePosition(0), found: ArchivePosition(5))) {
            try projection.apply(ProjectionBatch([sample(5, .deviceSeen)]))
        }
        #expect(throws: StoreError.checkpointMoved(expected: ArchivePosition(9), found: ArchivePosition(5))) {
            try projection.apply(ProjectionBatch([sample(10, .deviceSeen)], after: 9))
        }
        #expect(try dump(connection) == before)
    }

    @Test func `a batch without events moves the checkpoint`() throws {
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        try projection.apply(
            ProjectionBatch(
                startingAt: ArchivePosition(0), through: ArchivePosition(900),
                throughTime: WallTime(microseconds: eveningStart)))
        #expect(try projection.checkpoint() == ArchivePosition(900))
        #expect(
            try dump(connection)["checkpoint"]
                == ["(11111111-1111-1111-1111-111111111111,900,\"2026-03-01 20:00:00+00\",0,0,0,)"])
    }

    @Test func `values that PostgreSQL has no place for are changed, counted and marked`() throws {
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        let outcome = try projection.apply(
            ProjectionBatch([
                sample(1, .customMessage, after: ["text": "a\u{0}b", "k\u{0}": [1e300, -1e19]]),
                sample(2, .customMessage, device: "tv\u{0}", app: "x\u{0}y", after: ["fine": "\u{FFFD}\u{10FFFF}"]),
                sample(3, .customMessage, after: ["fine": #"\u0000 \ud800"#]),
            ]))

        #expect(outcome.events == 3 && outcome.sanitized == 2 && outcome.refused == 0)
        let rows = try connection.execute(
            "SELECT device_id, after::text, finding FROM projection.change_event ORDER BY position")
        #expect(rows.map { $0.text(0) } == ["tv1", "tv\u{FFFD}", "tv1"])
        #expect(rows[0].text(1) == "{\"k\u{FFFD}\": [\"1e+300\", \"-1e+19\"], \"text\": \"a\u{FFFD}b\"}")
        #expect(rows[2].text(1) == #"{"fine": "\\u0000 \\ud800"}"#)
        #expect(rows.map { $0.text(2) != nil } == [true, true, false])
    }

    @Test func `a row that PostgreSQL refuses leaves a stub, and the rest goes in`() throws {
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        // A rule of ours stands in for a limit that a device could reach only with gigabytes.
        try connection.execute(
            """
            ALTER TABLE projection.change_event ADD CHECK (after ->> 'poison' IS NULL)
            """)
        var events = (1...100).map { sample($0, .customMessage, second: Double($0), after: ["n": .integer($0)]) }
        for poisoned in [0, 41, 42, 99] { events[poisoned].after = ["poison": true] }

        let outcome = try projection.apply(ProjectionBatch(events))

        #expect(outcome.events == 100 && outcome.sanitized == 0 && outcome.refused == 4)
        let stubs = try connection.execute(
            "SELECT position, finding FROM projection.change_event WHERE after IS NULL ORDER BY position")
        #expect(stubs.map { $0.integer(0) } == [1, 42, 43, 100])
        #expect(
            stubs[0].text(1) == "PostgreSQL refused the values (SQLSTATE 23514); the archive has them")
        #expect(try connection.execute("SELECT count(*) FROM projection.change_event").first?.integer(0) == 100)
    }

    @Test func `loses nothing and doubles nothing when the connection breaks just before the commit`() throws {
        let address = try TestCluster.shared.newDatabase()
        let (connection, projection) = try open(address)
        // Everything of the batch is written when the checkpoint moves; then the server ends this connection.
        try connection.executeScript(
            """
            CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
            CREATE TRIGGER break AFTER UPDATE ON projection.checkpoint FOR EACH ROW EXECUTE FUNCTION break();
            """, doing: "setting the trap")
        #expect(throws: StoreError.connectionLost(doing: "moving the checkpoint")) {
            try projection.apply(ProjectionBatch(evening()))
        }
        #expect(!connection.isAlive)

        let (second, again) = try open(address)
        try second.execute("DROP TRIGGER break ON projection.checkpoint")
        #expect(try again.checkpoint() == ArchivePosition(0))
        #expect(try second.execute("SELECT 1 FROM projection.change_event").isEmpty)
        try again.apply(ProjectionBatch(evening()))
        #expect(try dump(second)["change_event"]?.count == evening().count)
    }

    @Test func `the states of the devices come back as they were, NUL included`() throws {
        let (_, projection) = try open(TestCluster.shared.newDatabase())
        let deep = (0..<80).reduce(JSONValue.string("bottom")) { inner, _ in .array([inner]) }
        var batch = ProjectionBatch([sample(1, .deviceSeen)])
        batch.deviceStates = [
            (DeviceID("b"), ["old": true]), (DeviceID("a"), ["title": "a\u{0}b", "n": 1.0]), (DeviceID("b"), deep),
        ]
        try projection.apply(batch)

        let states = try projection.restoredStates()
        #expect(states.map(\.0) == [DeviceID("a"), DeviceID("b")])
        #expect(states.map(\.1.text) == [#"{"title":"a\u0000b","n":1.0}"#, deep.text])
    }

    @Test func `when a device was heard comes back, however often its state was stored`() throws {
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        var first = ProjectionBatch([sample(1, .deviceSeen)])
        first.deviceStates = [(DeviceID("a"), ["n": 1]), (DeviceID("b"), ["n": 2])]
        first.heard = [DeviceID("a"): WallTime(microseconds: 1_772_395_200_000_001)]
        try projection.apply(first)
        var second = ProjectionBatch(
            startingAt: first.through, through: first.through.next, throughTime: first.throughTime)
        second.deviceStates = [(DeviceID("a"), ["n": 3])]
        try projection.apply(second)

        #expect(try projection.restoredHeard() == [DeviceID("a"): WallTime(microseconds: 1_772_395_200_000_001)])
        #expect(try connection.execute("SELECT 1 FROM projection.device_state").count == 2)
    }

    @Test func `two recorders share a database without touching each other`() throws {
        let address = try TestCluster.shared.newDatabase()
        let (connection, one) = try open(address)
        let (_, two) = try open(address, recorder: recorderTwo)
        try one.apply(ProjectionBatch(evening()))
        try two.apply(ProjectionBatch([sample(1, .deviceSeen, after: ["name": "TV 1"])]))
        try one.reset()

        #expect(try one.checkpoint() == ArchivePosition(0))
        #expect(try two.checkpoint() == ArchivePosition(1))
        let left = try dump(connection)
        #expect(left["change_event"]?.count == 1 && left["device"]?.count == 1 && left["gap"]?.isEmpty == true)
    }

    @Test func `archive segments grow with the batches`() throws {
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        for last: Int64 in [10, 20] {
            var batch = ProjectionBatch([sample(last, .deviceSeen, second: Double(last))], after: last - 10)
            batch.segments = [
                AppliedSegment(
                    path: "2026/03/01/1.jsonl.zst", firstPosition: ArchivePosition(1),
                    lastPosition: ArchivePosition(last), firstAt: WallTime(microseconds: eveningStart),
                    lastAt: WallTime(microseconds: eveningStart + last))
            ]
            try projection.apply(batch)
        }
        #expect(
            try dump(connection)["archive_segment"] == [
                "(11111111-1111-1111-1111-111111111111,1,2026/03/01/1.jsonl.zst,20,\"2026-03-01 20:00:00+00\","
                    + "\"2026-03-01 20:00:00.00002+00\")"
            ])
    }
}

extension Array {
    /// The elements again and again, `count` of them.
    fileprivate func cycled(to count: Int) -> [Element] { (0..<count).map { self[$0 % self.count] } }
}
