import CastModel
import Differ
import Plays
import Recording
import Testing

@Suite("A play while the recorder's clock is set") struct ClockJumpTests {
    /// A movie that plays from second 10 on.
    private var playing: Evening {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie(seconds: 7200), at: 0)
        return evening
    }

    @Test(arguments: [3_600.0, -3_600.0])
    func `is counted by the time that passed, not by what the clock shows`(jump: Double) {
        var evening = playing
        evening.jump(from: 40, to: 40 + jump)
        evening.player(60 + jump, "PAUSED", at: 50)
        evening.player(65 + jump, "PLAYING", at: 50)
        evening.ends(75 + jump, "CANCELLED", .senderRequest)
        // 30 s before the jump and 20 after it, then 10 more; its end is told as the clock told it.
        let end = Int(75 + jump)
        #expect(evening.lines == ["Movie: sender_request 10, stopped \(end), played 60, paused 5"])
        #expect(evening.plays[0].maxPositionSeconds == 60)
    }

    @Test(arguments: [3_600.0, -3_600.0])
    func `is in its ad break for as long as that lasts, not as the clock shows`(jump: Double) {
        var evening = playing
        evening.add(40, .breakStarted, .unknown, after: ["source": "ima"], at: 30)
        evening.jump(from: 50, to: 50 + jump)
        evening.add(62 + jump, .breakEnded, .unknown, before: ["source": "ima"], at: 30)
        evening.ends(72 + jump, "CANCELLED", .senderRequest)
        #expect(evening.lines == ["Movie: sender_request 10, stopped \(Int(72 + jump)), played 40, ads 22"])
    }

    @Test func `that had a long break before a gap had ten minutes of ads`() {
        var evening = playing
        evening.add(40, .breakStarted, .unknown, after: ["source": "ima"], at: 30)
        evening.gap(1040, to: 1050)
        evening.ends(1060, "CANCELLED", .senderRequest)
        // 30 s, then ads up to 640, then 400 s and 10 more.
        #expect(evening.lines == ["Movie: sender_request 10, stopped 1060, played 440, ads 600, gap 10"])
    }

    @Test func `is counted right through a jump forwards and one back`() {
        var evening = playing
        evening.jump(from: 40, to: 3_640)
        evening.jump(from: 3_650, to: 50)
        evening.ends(80, "CANCELLED", .senderRequest)
        #expect(evening.lines == ["Movie: sender_request 10, stopped 80, played 70"])
        #expect(evening.plays[0].maxPositionSeconds == 70)
    }

    @Test(arguments: [3_600.0, -3_600.0])
    func `that waits in a gap has a gap of the time that passed`(jump: Double) {
        var evening = playing
        // The differ cuts the gap in two at the jump.
        evening.gap(40, told: 50)
        evening.gapEnds(40, 60)
        evening.jump(from: 60, to: 60 + jump, told: 60 + jump)
        evening.gap(60 + jump, told: 60 + jump)
        #expect(evening.lines == ["Movie: sender_request 10, unobserved, played 30"])
        evening.gapEnds(60 + jump, 90 + jump)
        evening.ends(100 + jump, "CANCELLED", .senderRequest)
        #expect(evening.lines == ["Movie: sender_request 10, stopped \(Int(100 + jump)), played 40, gap 50"])
    }

    @Test func `goes on in a ledger that was stored in between`() throws {
        var evening = playing
        evening.gap(40, told: 50)
        evening.gapEnds(40, 60)
        evening.jump(from: 60, to: 3_660, told: 3_660)
        evening.gap(3_660, told: 3_660)
        evening.gapEnds(3_660, 3_690)
        evening.ends(3_700, "CANCELLED", .senderRequest)
        let whole = evening.plays
        for cut in 1..<evening.events.count {
            var first = PlayLedger()
            var rows = evening.events[..<cut].flatMap { first.fold($0) }
            var second = try PlayLedger(restoring: first.takeStates())
            rows += evening.events[cut...].flatMap { second.fold($0) }
            #expect(Evening.latest(rows) == whole, "cut after \(cut) events")
        }
    }
}
