import CastModel
import Conflicts
import Differ
import Testing

// Goal: each threshold does what docs/conflicts.md says of it, and nothing else has to change.
// Method: for each, a quarrel that is one conflict with the one value and none with the other one, worked out by hand.
@Suite("Each rule of conflicts, on both sides") struct RuleThresholdTests {
    /// One quarrel, the value of a rule with which it is a conflict, and one with which it is none.
    struct Case: Sendable, CustomTestStringConvertible {
        var rule: String
        var told: String
        var untold: String
        var quarrel: @Sendable () -> Quarrel

        var testDescription: String { rule }
    }

    /// Three moves of two senders, 10 s between them: two undoings, each 10 s after the move it takes back.
    private static func threeMoves(_ move: (inout Quarrel, Double, Bool, Quarrel.Hand) -> Void) -> Quarrel {
        var quarrel = Quarrel()
        quarrel.load(-60, "Film", mediaSession: 1, by: .sender(1, series: 1))
        for step in 0..<3 {
            let isFirst = step % 2 == 0
            let hand: Quarrel.Hand = isFirst ? .sender(Int64(5 + step), series: 1) : .sender(900, series: 2)
            move(&quarrel, 10 * Double(step), isFirst, hand)
        }
        return quarrel
    }

    /// By a quarter of the full volume.
    @Sendable private static func volume() -> Quarrel {
        threeMoves { $0.volume($1, $2 ? 0.25 : 0.5, $2 ? 0.5 : 0.25, by: $3) }
    }

    @Sendable private static func playPause() -> Quarrel {
        threeMoves { $0.player($1, $2 ? "PAUSED" : "PLAYING", by: $3) }
    }

    /// By 300 s.
    @Sendable private static func seek() -> Quarrel {
        threeMoves { $0.seek($1, $2 ? 100 : 400, $2 ? 400 : 100, by: $3) }
    }

    @Sendable private static func tracks() -> Quarrel {
        threeMoves { $0.tracks($1, $2 ? [1] : [2], $2 ? [2] : [1], by: $3) }
    }

    @Sendable private static func style() -> Quarrel {
        threeMoves { $0.style($1, ["fontScale": $2 ? 1 : 2], ["fontScale": $2 ? 2 : 1], by: $3) }
    }

    /// Sender 1's film, which was paused at second 10; another sender's comes at second 70.
    @Sendable private static func takeoverOfPaused() -> Quarrel {
        var quarrel = film()
        quarrel.player(10, "PAUSED", by: .sender(6, series: 1))
        quarrel.load(70, "Clip", mediaSession: 2, over: 1, by: .sender(70_000, series: 2))
        return quarrel
    }

    /// Its app ends at second 60, the next one starts at 64, and at 68.5 it plays what another sender has loaded.
    @Sendable private static func takeoverByApp() -> Quarrel {
        var quarrel = film()
        quarrel.appStops(60)
        quarrel.app(64, "Tube", appSession: "s-2")
        quarrel.load(68, "Clip", mediaSession: 1, by: .sender(70_000))
        return quarrel
    }

    private static func film() -> Quarrel {
        var quarrel = Quarrel()
        quarrel.app(0, "Player", appSession: "s-1")
        quarrel.load(2, "Film", mediaSession: 1, by: .sender(5, series: 1))
        return quarrel
    }

    /// A sender pauses twice and the device plays on between, 2 s after an ad break was over.
    @Sendable private static func nearBreak() -> Quarrel {
        var quarrel = Quarrel()
        quarrel.load(-60, "Film", mediaSession: 1, by: .sender(1, series: 1))
        quarrel.add(5, .breakStarted, after: ["source": "ima"])
        quarrel.add(8, .breakEnded, before: ["source": "ima"])
        quarrel.player(9, "PAUSED", by: .sender(2, series: 1))
        quarrel.player(10, "PLAYING", by: .device)
        quarrel.player(14, "PAUSED", by: .sender(3, series: 1))
        return quarrel
    }

    /// A sender jumps, and 2 s later the device jumps back, twice.
    @Sendable private static func settling() -> Quarrel {
        var quarrel = Quarrel()
        for step in 0..<2 {
            quarrel.seek(10 * Double(step), 100, 400, by: .sender(Int64(5 + step), series: 1))
            quarrel.seek(10 * Double(step) + 2, 402, 100, by: .device)
        }
        return quarrel
    }

    private static let cases: [Case] = [
        Case(rule: "volume_fight.undoings", told: "2", untold: "3", quarrel: volume),
        Case(rule: "volume_fight.pause_seconds", told: "10", untold: "9.999", quarrel: volume),
        Case(rule: "volume_fight.step", told: "0.25", untold: "0.251", quarrel: volume),
        Case(rule: "play_pause_fight.undoings", told: "2", untold: "3", quarrel: playPause),
        Case(rule: "play_pause_fight.pause_seconds", told: "10", untold: "9.999", quarrel: playPause),
        Case(rule: "seek_fight.undoings", told: "2", untold: "3", quarrel: seek),
        Case(rule: "seek_fight.pause_seconds", told: "10", untold: "9.999", quarrel: seek),
        Case(rule: "seek_fight.step", told: "300", untold: "300.1", quarrel: seek),
        Case(rule: "track_fight.undoings", told: "2", untold: "3", quarrel: tracks),
        Case(rule: "track_fight.pause_seconds", told: "10", untold: "9.999", quarrel: tracks),
        Case(rule: "style_fight.undoings", told: "2", untold: "3", quarrel: style),
        Case(rule: "style_fight.pause_seconds", told: "10", untold: "9.999", quarrel: style),
        Case(rule: "takeover.paused_seconds", told: "60", untold: "59.9", quarrel: takeoverOfPaused),
        Case(rule: "takeover.launch_seconds", told: "4", untold: "3.9", quarrel: takeoverByApp),
        Case(rule: "takeover.load_seconds", told: "8.5", untold: "8.4", quarrel: takeoverByApp),
        Case(rule: "break_seconds", told: "1.9", untold: "2", quarrel: nearBreak),
        Case(rule: "settle_seconds", told: "1.9", untold: "2", quarrel: settling),
        // Two certain undoings: 1 - 1/4.
        Case(rule: "least_score", told: "0.75", untold: "0.751", quarrel: volume),
    ]

    @Test(arguments: cases) func `decides what is told`(one: Case) throws {
        let quarrel = one.quarrel()
        #expect(quarrel.conflicts().count == (["break_seconds", "settle_seconds"].contains(one.rule) ? 0 : 1))
        for (value, count) in [(one.told, 1), (one.untold, 0)] {
            var rules = ConflictRules()
            try rules.set("\(one.rule)=\(value)")
            #expect(quarrel.conflicts(rules).count == count, "\(one.rule)=\(value)")
        }
    }

    @Test func `is tried here, every one`() {
        #expect(Self.cases.map(\.rule) == ConflictRules.all.map(\.name))
    }
}
