import CastModel
import Differ
import Plays
import Recording
import Testing

@Suite("A play in a gap") struct GapTests {
    /// A movie that plays from second 10 on.
    private var playing: Evening {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie(seconds: 7200), at: 0)
        return evening
    }

    @Test func `goes on where nothing denies it, and the gap is not counted as played`() {
        var evening = playing
        evening.gap(40, to: 100, told: 50)
        evening.ends(130, "CANCELLED", .senderRequest)
        #expect(evening.lines == ["Movie: sender_request 10, stopped 130, played 60, gap 60"])
        // 60 of its 120 s were observed.
        #expect(evening.plays[0].coverage == 0.5)
    }

    @Test func `waits in it as long as the gap is short`() {
        var evening = playing
        evening.gap(40, told: 50)
        #expect(evening.lines == ["Movie: sender_request 10, unobserved, played 30"])
        #expect(evening.plays[0].countedAt == Evening.time(40))
    }

    @Test func `ended at the last moment observed, where the snapshot after the gap no longer has it`() {
        var lost = playing
        lost.gap(40, to: 100, told: 50)
        lost.ends(101, nil, .snapshot)
        #expect(lost.lines == ["Movie: sender_request 10, device_lost after 40, played 30"])

        var stopped = playing
        stopped.gap(40, to: 100, told: 50)
        stopped.appStops(101, .snapshot)
        #expect(stopped.lines == ["Movie: sender_request 10, device_lost after 40, played 30"])

        var down = playing
        down.gap(40, to: 100, told: 50, "recorder_down")
        down.appSession = "s-2"
        down.add(
            101, .appReplaced, .snapshot, before: ["sessionId": "s-1", "appId": "CC1AD845"],
            after: ["sessionId": "s-2", "appId": "233637DE"])
        #expect(down.lines == ["Movie: sender_request 10, recording_stopped after 40, played 30"])
    }

    @Test func `that the snapshot tells the reason of has it, at the last moment observed`() {
        var evening = playing
        evening.gap(40, to: 100, told: 50)
        evening.ends(101, "FINISHED", .snapshot)
        #expect(evening.lines == ["Movie: sender_request 10, finished after 40, played 30"])
    }

    @Test func `is followed by another one that already plays`() {
        var evening = playing
        evening.gap(40, to: 100, told: 50)
        evening.ends(101, nil, .snapshot)
        evening.mediaSession = 2
        evening.begins(101, "PLAYING", Evening.movie("Other", "http://m/2"), .snapshot, at: 5, sameRecord: true)
        evening.ends(111, "FINISHED")
        #expect(
            evening.lines == [
                "Movie: sender_request 10, device_lost after 40, played 30",
                "Other: already_playing 101, finished 111, played 10",
            ])
    }

    @Test func `that a snapshot finds paused did not play up to the snapshot`() {
        var evening = playing
        evening.gap(40, to: 100, told: 50)
        evening.player(105, "PAUSED", .snapshot, at: 33)
        evening.player(115, "PLAYING", at: 33)
        evening.ends(125, "CANCELLED", .senderRequest)
        // 40 to 105 was not observed, 105 to 115 it was paused, 115 to 125 it played.
        #expect(evening.lines == ["Movie: sender_request 10, stopped 125, played 40, paused 10, gap 65"])
        #expect(evening.plays[0].maxPositionSeconds == 43)
    }

    @Test(arguments: ["recorder_down", "device_excluded"])
    func `that the recorder's end began, or that of its interest, has ended until it is back`(reason: String) {
        var evening = playing
        evening.gap(40, told: 40, reason)
        #expect(evening.lines == ["Movie: sender_request 10, recording_stopped after 40, played 30"])
        evening.gapEnds(40, 7240, reason)
        #expect(evening.lines == ["Movie: sender_request 10, playing, played 30, gap 7200"])
        evening.ends(7250, "CANCELLED", .senderRequest)
        #expect(evening.lines == ["Movie: sender_request 10, stopped 7250, played 40, gap 7200"])
    }

    @Test
    func `is given up after a quarter of an hour by the clock of whatever else happens, and goes on when it is back`() {
        var evening = playing
        evening.gap(40, told: 50)
        evening.device = DeviceID("another")
        evening.add(949, .deviceVolumeChanged)
        #expect(evening.lines == ["Movie: sender_request 10, unobserved, played 30"])
        evening.add(950, .deviceVolumeChanged)
        #expect(evening.lines == ["Movie: sender_request 10, device_lost after 40, played 30"])
        evening.device = Evening.device
        evening.gapEnds(40, 1000)
        evening.ends(1010, "CANCELLED", .senderRequest)
        #expect(evening.lines == ["Movie: sender_request 10, stopped 1010, played 40, gap 960"])
    }

    @Test func `is counted up to its beginning, whatever the TV tells meanwhile`() {
        var evening = playing
        evening.gap(40)
        evening.add(60, .standbyChanged, .unknown, after: ["isStandBy": true])
        #expect(evening.plays.map(\.countedAt) == [Evening.time(40)])
        evening.gapEnds(40, 100)
        evening.ends(130, "CANCELLED", .senderRequest)
        #expect(evening.lines == ["Movie: sender_request 10, stopped 130, played 60, inactive 30, gap 60"])
    }

    @Test func `is out of the break before it, also for a ledger that is restored`() throws {
        var evening = playing
        evening.add(40, .breakStarted, .receiver, after: ["source": "ima"], at: 30)
        evening.ends(41, "CANCELLED", .receiver, at: 30)
        evening.gap(50, to: 60)
        evening.mediaSession = 2
        evening.begins(61, "PLAYING", Evening.movie("Other", "http://m/2"), .receiver, at: 0)
        var states: [DeviceID: JSONValue] = [:]
        var rows: [Play] = []
        for event in evening.events {
            var ledger = try PlayLedger(restoring: states.map { ($0.key, $0.value) })
            rows += ledger.fold(event)
            for (device, json) in ledger.takeStates() { states[device] = json }
        }
        #expect(evening.lines.last == "Other: receiver 61, playing")
        #expect(Evening.latest(rows) == evening.plays)
    }

    @Test func `that was over before is not given up`() {
        var evening = playing
        evening.gap(40, to: 60, told: 50)
        evening.device = DeviceID("another")
        evening.add(5000, .deviceVolumeChanged)
        #expect(evening.lines == ["Movie: sender_request 10, playing, played 30, gap 20"])
    }

    @Test func `after another counts both`() {
        var evening = playing
        evening.gap(20, to: 30)
        evening.gap(40, to: 60)
        evening.ends(70, "FINISHED")
        // 10 s up to 20, 10 s from 30 to 40, 10 s from 60 to 70.
        #expect(evening.lines == ["Movie: sender_request 10, finished 70, played 30, gap 30"])
    }

    @Test func `of lost frames is told of afterwards`() {
        var evening = playing
        evening.gap(40, told: 50, "frames_lost")
        evening.add(
            50, .gapEnded, .unknown,
            after: [
                "reason": "frames_lost", "from": .string(Evening.time(40).text), "to": .string(Evening.time(50).text),
            ], sameRecord: true)
        evening.ends(60, "FINISHED")
        #expect(evening.lines == ["Movie: sender_request 10, finished 60, played 40, gap 10"])
    }

    @Test func `whose reason changes is one absence, in which nothing is counted twice`() {
        var evening = playing
        evening.gap(40, to: 60, told: 50)
        evening.gap(60, to: 100, told: 61, "device_unreachable")
        evening.ends(130, "CANCELLED", .senderRequest)
        #expect(evening.lines == ["Movie: sender_request 10, stopped 130, played 60, gap 60"])

        var lost = playing
        lost.gap(40, to: 60, told: 50)
        lost.gap(60, to: 100, told: 61, "device_unreachable")
        lost.ends(101, nil, .snapshot)
        #expect(lost.lines == ["Movie: sender_request 10, device_lost after 40, played 30"])

        var down = playing
        down.gap(40, to: 70, told: 70, "recorder_down")
        down.gap(70, told: 130, "device_unreachable")
        #expect(down.lines == ["Movie: sender_request 10, recording_stopped after 40, played 30"])
        down.gapEnds(70, 200, "device_unreachable")
        down.player(201, "PAUSED", .snapshot, at: 90)
        down.player(211, "PLAYING", at: 90)
        down.ends(221, "CANCELLED", .senderRequest)
        #expect(down.lines == ["Movie: sender_request 10, stopped 221, played 40, paused 10, gap 161"])
    }

    @Test(arguments: [("not_joined", "unknown"), ("attach_refused", "unknown"), ("link_lost", "device_lost")])
    func `that the recorder's end adjoins has ended, since nothing else might ever end it`(
        reason: String, end: String
    ) {
        var evening = playing
        evening.gap(40, to: 70, told: 40, reason)
        evening.gap(70, told: 70, "recorder_down")
        #expect(evening.lines == ["Movie: sender_request 10, \(end) after 40, played 30"])
        evening.gapEnds(70, 170, "recorder_down")
        evening.ends(180, "CANCELLED", .senderRequest)
        #expect(evening.lines == ["Movie: sender_request 10, stopped 180, played 40, gap 130"])
    }

    @Test func `in which the archive is damaged leaves nobody to say how it ended`() {
        var evening = playing
        evening.gap(40, to: 100, told: 100, "archive_damaged")
        evening.ends(101, nil, .snapshot)
        #expect(evening.lines == ["Movie: sender_request 10, unknown after 40, played 30"])
    }

    @Test(arguments: ["not_joined", "attach_refused"])
    func `of its app alone leaves nobody to say how it ended`(reason: String) {
        var evening = playing
        evening.gap(40, told: 40, reason)
        evening.device = DeviceID("another")
        evening.add(950, .deviceVolumeChanged)
        #expect(evening.lines == ["Movie: sender_request 10, unknown after 40, played 30"])
    }

    @Test func `counts nothing twice where the clock is set back`() {
        var evening = playing
        evening.player(40, "PAUSED", at: 30)
        evening.player(20, "PLAYING", at: 30)
        evening.ends(30, "FINISHED")
        #expect(evening.lines == ["Movie: sender_request 10, finished 30, played 40"])
    }
}
