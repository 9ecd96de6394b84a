import CastModel
import Differ
import Plays
import Recording
import TestSupport
import Testing

@testable import Store

@Suite("Plays in the database", .waits) struct PlayProjectionTests {
    private func open(_ address: String, recorder: String = recorderOne) throws -> (PostgresConnection, Projection) {
        let connection = try PostgresConnection(address)
        return (connection, try Projection(connection: connection, recorderID: recorder))
    }

    /// Applies events with their plays, as a run that begins at the checkpoint does.
    private func apply(_ events: [ChangeEvent], after start: Int64 = 0, to projection: Projection) throws {
        var ledger = try PlayLedger(restoring: projection.restoredPlayStates())
        var batch = ProjectionBatch(events, after: start)
        for event in events { batch.plays += ledger.fold(event) }
        batch.playStates = ledger.takeStates()
        try projection.apply(batch)
    }

    private func film(_ title: String) -> JSONValue {
        [
            "contentId": .string("http://films/\(title)"), "contentType": "video/mp4", "streamType": "BUFFERED",
            "duration": 600,
            "metadata": ["metadataType": 2, "title": .string(title), "seriesTitle": "Films", "season": 3],
        ]
    }

    /// An app from second 0 on, and a film in it from second 10 on.
    private func begun(app: String = "a-1", title: String = "One") -> [ChangeEvent] {
        [
            sample(
                1, .appStarted, app: app,
                after: ["appId": "CC1AD845", "displayName": "Player", "sessionId": .string(app)]),
            sample(
                2, .mediaSessionStarted, second: 10, app: app, media: 1, attribution: .senderRequest,
                after: ["playerState": "PLAYING", "media": film(title), "activeTrackIds": [4]], positionSeconds: 0),
        ]
    }

    @Test func `are the same row by row, whether restored before every batch or rebuilt in one`() throws {
        let events = evening()
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        for (index, event) in events.enumerated() { try apply([event], after: Int64(index), to: projection) }
        let live = try dump(connection)
        try projection.reset()
        #expect(try connection.execute("SELECT 1 FROM projection.play").isEmpty)
        #expect(try connection.execute("SELECT 1 FROM projection.play_state").isEmpty)
        try apply(events, to: projection)
        let rebuilt = try dump(connection)
        #expect(rebuilt["play"] == live["play"])
        #expect(rebuilt["play_span"] == live["play_span"])
        #expect(rebuilt["play_span"]?.isEmpty == false)
        #expect(rebuilt["play_state"] == live["play_state"])
        // Of each device: 20 media sessions without media, of which each begins with its PLAYING.
        #expect(rebuilt["play"]?.count == 60)
    }

    @Test func `have one row each, written whole`() throws {
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        try apply(
            begun() + [
                sample(
                    3, .playerStateChanged, second: 70, app: "a-1", media: 1, after: ["playerState": "PAUSED"],
                    positionSeconds: 60),
                sample(
                    4, .mediaSessionEnded, ordinal: 1, second: 90.5, app: "a-1", media: 1,
                    after: ["playerState": "IDLE", "idleReason": "CANCELLED"]),
            ], to: projection)
        let row = try #require(try connection.execute("SELECT t::text FROM projection.play t").first?.text(0))
        #expect(
            row == #"(tv1,"2026-03-01 20:00:10+00",11111111-1111-1111-1111-111111111111,2,0,a-1,1,,CC1AD845,Player,"#
                + #"http://films/One,,,One,Films,3,,,,video/mp4,BUFFERED,600,sender_request,"2026-03-01 20:01:30.5+00","#
                + #"stopped,f,,"2026-03-01 20:01:30.5+00",60,20.5,0,0,0,0,0,60,60,0,"#
                + #""[{""to"": ""2026-03-01T20:01:30.500000Z"", ""from"": ""2026-03-01T20:00:10.000000Z"", "#
                + #"""captions"": false, ""trackIds"": [4], ""languages"": []}]",[],,,f,)"#)
    }

    @Test func `that last are counted up to the checkpoint`() throws {
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        try apply(begun(), to: projection)
        try projection.apply(
            ProjectionBatch(
                startingAt: ArchivePosition(2), through: ArchivePosition(3),
                throughTime: WallTime(microseconds: eveningStart + 40_000_000)))
        let queries = try LedgerQueries(connection: connection)
        let play = try #require(try queries.plays(LedgerFilter()).first).play
        #expect(play.time.playedSeconds == 30)
        #expect(play.phase == .playing)
        #expect(play.endedAt == nil)
        #expect(play.countedAt == WallTime(microseconds: eveningStart + 40_000_000))
    }

    @Test(arguments: [false, true])
    func `that last on a TV in standby are counted on as such, from a whole row or from its progress`(
        isRunBefore: Bool
    ) throws {
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        let standby = sample(3, .standbyChanged, second: 30, after: ["isStandBy": true])
        if isRunBefore {
            try apply(begun(), to: projection)
            try apply([standby], after: 2, to: projection)
        } else {
            try apply(begun() + [standby], to: projection)
        }
        try projection.apply(
            ProjectionBatch(
                startingAt: ArchivePosition(3), through: ArchivePosition(4),
                throughTime: WallTime(microseconds: eveningStart + 75_000_000)))
        // Played from 10 to 75, in standby from 30 on.
        let queries = try LedgerQueries(connection: connection)
        let play = try #require(try queries.plays(LedgerFilter()).first).play
        #expect(play.time.playedSeconds == 65)
        #expect(play.time.inputInactiveSeconds == 45)
        #expect(play.isInputInactive)

        try apply(
            [
                sample(
                    5, .playerStateChanged, second: 80, app: "a-1", media: 1, after: ["playerState": "PAUSED"],
                    positionSeconds: 70)
            ], after: 4, to: projection)
        try projection.apply(
            ProjectionBatch(
                startingAt: ArchivePosition(5), through: ArchivePosition(6),
                throughTime: WallTime(microseconds: eveningStart + 90_000_000)))
        let paused = try #require(try queries.plays(LedgerFilter()).first).play
        #expect(paused.time.pausedSeconds == 10)
        #expect(paused.time.inputInactiveSeconds == 50)
    }

    @Test func `come back as they were folded`() throws {
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        var events = begun()
        events.append(
            sample(3, .mediaSessionEnded, second: 100, app: "a-1", media: 1, after: ["idleReason": "FINISHED"]))
        try apply(events, to: projection)
        var ledger = PlayLedger()
        var folded = events.flatMap { ledger.fold($0) }.last
        // The changes of its spans are rows of their own.
        folded?.spans = Play.SpanChanges()
        let queries = try LedgerQueries(connection: connection)
        let rows = try queries.plays(LedgerFilter(device: "tv1"))
        #expect(rows.map(\.play) == [folded])
        #expect(rows.first?.recorderID == recorderOne)
        // Those that touch the time asked for.
        func count(from: Int64, to: Int64) throws -> Int {
            try queries.plays(
                LedgerFilter(
                    from: WallTime(microseconds: eveningStart + from * 1_000_000),
                    to: WallTime(microseconds: eveningStart + to * 1_000_000))
            ).count
        }
        #expect(try count(from: 0, to: 10) == 0)
        #expect(try count(from: 0, to: 11) == 1)
        #expect(try count(from: 99, to: 200) == 1)
        #expect(try count(from: 100, to: 200) == 0)
    }

    @Test func `that two recorders saw count once, and what only one of them saw counts`() throws {
        let address = try TestCluster.shared.newDatabase()
        let (connection, one) = try open(address)
        let (_, two) = try open(address, recorder: recorderTwo)
        try apply(begun(), to: one)
        // The other recorder came later.
        var late = begun()
        for index in late.indices { late[index].observedAt.microseconds += 5_000_000 }
        late.append(sample(3, .appStarted, second: 20, device: "tv2", app: "b", after: ["sessionId": "b"]))
        late.append(
            sample(
                4, .mediaSessionStarted, second: 21, device: "tv2", app: "b", media: 1,
                after: ["playerState": "PLAYING", "media": film("Two")]))
        try apply(late, to: two)
        let rows = try LedgerQueries(connection: connection).plays(LedgerFilter())
        #expect(rows.map { $0.play.content.title } == ["One", "Two"])
        #expect(rows.map(\.recorderID) == [recorderOne, recorderTwo])
    }

    @Test func `fit PostgreSQL, whatever a device says`() throws {
        let (connection, projection) = try open(TestCluster.shared.newDatabase())
        let long = String(repeating: "x", count: 5000)
        try apply(
            [
                sample(
                    1, .mediaSessionStarted, device: "tv\u{0}", app: "s\u{0}" + long, media: .max,
                    after: [
                        "playerState": "PLAYING", "currentItemId": .integer(.min),
                        "media": [
                            "contentId": .string("a\u{0}" + long), "duration": 1e308,
                            "metadata": ["title": "t\u{0}", "season": .integer(.max)],
                        ],
                    ], positionSeconds: 1e300)
            ], to: projection)
        let row = try #require(
            try connection.execute(
                "SELECT device_id, length(app_session_id), content_id, title, season FROM projection.play"
            ).first)
        #expect(row.text(0) == "tv\u{FFFD}")
        #expect(row.integer(1).map { $0 < 600 } == true)
        #expect(row.text(2) == "a\u{FFFD}" + long)
        #expect(row.text(3) == "t\u{FFFD}")
        #expect(row.integer(4) == .max)
    }
}
