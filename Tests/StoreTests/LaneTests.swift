import CastModel
import Differ
import Plays
import Recording
import Testing

@testable import Store

// Goal: every known second of a device is told once, for what it was.
// Method: evenings made by hand, second by second; and random ones, compared with a model that looks at every minute.
@Suite("Lanes") struct LaneTests {
    private let address: String
    private let connection: PostgresConnection

    init() throws {
        address = try TestCluster.shared.newDatabase()
        connection = try PostgresConnection(address)
    }

    private func record(_ events: [ChangeEvent], until second: Double, recorder: String = recorderOne) throws {
        let projection = try Projection(connection: PostgresConnection(address), recorderID: recorder)
        var ledger = PlayLedger()
        var batch = ProjectionBatch(events)
        for event in events { batch.plays += ledger.fold(event) }
        batch.playStates = ledger.takeStates()
        batch.through = ArchivePosition(events.last.map { $0.id.position.number + 1 } ?? 1)
        batch.throughTime = WallTime(microseconds: eveningStart + Int64(second * 1e6))
        try projection.apply(batch)
    }

    /// Each lane of a device as "activity from-to", in seconds of the evening; then what is not usual.
    private func lanes(_ from: Int, _ to: Int, device: String = "tv1") throws -> [String] {
        try connection.execute(
            """
            SELECT concat_ws(' ', activity, concat(round(extract(epoch FROM from_at - $1)), '-',
                round(extract(epoch FROM to_at - $1))), reason, CASE WHEN input_inactive THEN 'unwatched' END, app_name,
                title, CASE WHEN lasts THEN '…' END)
            FROM ledger.lanes($2::timestamptz, $3::timestamptz, $4::text) ORDER BY from_at
            """,
            [
                .time(WallTime(microseconds: eveningStart)),
                .time(WallTime(microseconds: eveningStart + Int64(from) * 1_000_000)),
                .time(WallTime(microseconds: eveningStart + Int64(to) * 1_000_000)), .text(device),
            ]
        ).compactMap { $0.text(0) }
    }

    private let film: JSONValue = ["contentId": "f", "duration": 600, "metadata": ["title": "Film"]]

    /// A link, an app from second 60 to 300, and a film in it from 70 to 225.
    private func evening(_ more: [ChangeEvent] = [], device: String = "tv1") -> [ChangeEvent] {
        func player(_ position: Int64, _ second: Double, _ word: String) -> ChangeEvent {
            sample(
                position, .playerStateChanged, second: second, device: device, app: "a-1", media: 1,
                after: ["playerState": .string(word)])
        }
        let usual = [
            sample(1, .deviceSeen, device: device, after: ["name": "TV"]), sample(2, .linkOpened, device: device),
            sample(
                3, .appStarted, second: 60, device: device, app: "a-1",
                after: ["appId": "CC1AD845", "displayName": "Player", "sessionId": "a-1"]),
            sample(
                4, .mediaSessionStarted, second: 70, device: device, app: "a-1", media: 1,
                attribution: .senderRequest, after: ["playerState": "LOADING", "media": film], positionSeconds: 0),
            player(5, 72, "BUFFERING"), player(6, 75, "PLAYING"), player(7, 135, "PAUSED"), player(8, 165, "PLAYING"),
            sample(
                10, .mediaSessionEnded, second: 225, device: device, app: "a-1", media: 1, attribution: .senderRequest,
                after: ["playerState": "IDLE", "idleReason": "CANCELLED"]),
            sample(12, .appStopped, second: 300, device: device, app: "a-1", before: ["sessionId": "a-1"]),
        ]
        return (usual + more).sorted { $0.id < $1.id }
    }

    @Test func `tell of every moment what it was, from the first link to the last record`() throws {
        try record(
            evening([
                sample(9, .standbyChanged, second: 180, after: ["isStandBy": true]),
                sample(11, .standbyChanged, second: 240, after: ["isStandBy": false]),
                sample(
                    13, .gapStarted, second: 375, after: ["reason": "link_lost", "from": .string(time(360))]),
                sample(14, .gapEnded, second: 420, after: ["to": .string(time(420))]),
                sample(15, .activeInputChanged, second: 450, after: ["isActiveInput": false]),
                sample(16, .activeInputChanged, second: 480, after: ["isActiveInput": true]),
            ]), until: 600)
        #expect(
            try lanes(0, 900) == [
                "idle 0-60", "app_only 60-70 Player", "loading 70-72 Player Film", "buffering 72-75 Player Film",
                "playing 75-135 Player Film", "paused 135-165 Player Film", "playing 165-180 Player Film",
                "playing 180-225 unwatched Player Film", "standby 225-240 unwatched", "app_only 240-300 Player",
                "idle 300-360", "unobserved 360-420 link_lost", "idle 420-450", "other_input 450-480 unwatched",
                "idle 480-600 …",
            ])
        // Cut to a period, with what the TV said before it.
        #expect(
            try lanes(200, 250) == [
                "playing 200-225 unwatched Player Film", "standby 225-240 unwatched", "app_only 240-250 Player",
            ])
    }

    private func time(_ second: Double) -> String {
        WallTime(microseconds: eveningStart + Int64(second * 1e6)).text
    }

    @Test func `show a play that lasts up to the last record, and its gap as unobserved`() throws {
        try record(Array(evening().prefix(8)), until: 200)
        #expect(try lanes(100, 900).last == "playing 165-200 Player Film …")
        let more =
            evening().prefix(8) + [
                sample(9, .gapStarted, second: 210, after: ["reason": "link_lost", "from": .string(time(190))])
            ]
        try Projection(connection: connection, recorderID: recorderOne).reset()
        try record(Array(more), until: 300)
        #expect(
            try lanes(150, 900) == [
                "paused 150-165 Player Film", "playing 165-190 Player Film", "unobserved 190-300 link_lost …",
            ])
    }

    @Test func `say that a player has not told yet, where only the link is back`() throws {
        try record(
            evening([]).prefix(8) + [
                sample(9, .gapStarted, second: 190, after: ["reason": "link_lost", "from": .string(time(180))]),
                sample(10, .gapEnded, second: 200, after: ["to": .string(time(200))]),
                sample(
                    11, .playerStateChanged, second: 204, app: "a-1", media: 1, attribution: .snapshot,
                    after: ["playerState": "PAUSED"]),
            ], until: 210)
        #expect(
            try lanes(170, 210) == [
                "playing 170-180 Player Film", "unobserved 180-200 link_lost",
                "unobserved 200-204 not_told Player Film",
                "paused 204-210 Player Film",
            ])
    }

    @Test func `name the app that was not joined`() throws {
        try record(
            evening([
                sample(11, .gapStarted, second: 230, after: ["reason": "not_joined", "from": .string(time(230))]),
                sample(13, .gapEnded, second: 310, after: ["to": .string(time(310))]),
            ]), until: 400)
        #expect(
            try lanes(200, 400) == [
                "playing 200-225 Player Film", "app_only 225-230 Player", "unobserved 230-300 not_joined Player",
                "unobserved 300-310 not_joined", "idle 310-400",
            ])
    }

    @Test func `overlap nowhere where the clock was set back: what came last counts`() throws {
        let jump: JSONValue = ["reason": "clock_jump", "from": .string(time(120)), "to": .string(time(90))]
        // 45 s of playing before the jump; 30 s and more after it, of which the clock showed some twice.
        try record(
            evening().prefix(6) + [
                sample(7, .gapStarted, second: 90, after: jump),
                sample(7, .gapEnded, ordinal: 1, second: 90, after: jump),
                sample(8, .playerStateChanged, second: 110, app: "a-1", media: 1, after: ["playerState": "PAUSED"]),
            ], until: 150)
        #expect(
            try lanes(70, 150) == [
                "loading 70-72 Player Film", "buffering 72-75 Player Film", "playing 75-110 Player Film",
                "paused 110-150 Player Film",
            ])
    }

    @Test func `are the same from one recorder as from two that saw the same`() throws {
        try record(evening(), until: 400)
        let alone = try lanes(0, 400)
        var other = evening()
        for index in other.indices { other[index].observedAt.microseconds += 200_000 }
        try record(other, until: 400, recorder: recorderTwo)
        let both = try lanes(1, 400)
        #expect(both.map { $0.split(separator: " ")[0] } == alone.map { $0.split(separator: " ")[0] })
    }
}
