import CastModel
import Conflicts
import Differ
import Testing

// Goal: what looks like a fight and is none is not told; each stands beside the fight that it looks like, which is.
@Suite("An innocent lookalike") struct InnocentLookalikeTests {
    /// A film that sender 1 loaded, in an app session of its own.
    private func film() -> Quarrel {
        var quarrel = Quarrel()
        quarrel.app(0, "Player", appSession: "s-1", by: .sender(4, series: 1))
        quarrel.load(1, "Film", mediaSession: 1, by: .sender(5, series: 1))
        return quarrel
    }

    private func kinds(_ quarrel: Quarrel) -> [String] { quarrel.conflicts().map { "\($0.id.kind.rawValue)" } }

    // 40 % up to 80 %, down to 30 %, up to 50 %: each way twice undone, if it were two hands.
    @Test func `is one person who drags a slider`() {
        func drag(_ hand: (Int) -> Quarrel.Hand) -> [String] {
            var quarrel = film()
            for (step, level) in [0.4, 0.6, 0.8, 0.5, 0.3, 0.5, 0.7, 0.4].enumerated().dropFirst() {
                let before = [0.4, 0.6, 0.8, 0.5, 0.3, 0.5, 0.7][step - 1]
                quarrel.volume(60 + Double(step), before, level, by: hand(step))
            }
            return kinds(quarrel)
        }
        #expect(drag { .sender(Int64(5 + $0), series: 1) } == [])
        // The same levels by two hands, up and down in turn: the third, fifth and seventh move change the way.
        #expect(
            drag {
                [3, 4, 7].contains($0) ? .sender(Int64(90_000 + $0), series: 2) : .sender(Int64(5 + $0), series: 1)
            }
                == ["volume_fight"])
    }

    @Test func `is one person who skips through a queue`() {
        func skip(_ hand: (Int) -> Quarrel.Hand) -> [String] {
            var quarrel = film()
            for step in 0..<6 {
                // Forth and back: each item ends the one before, and its position jumps.
                let ways: (Int64, Int64) = step % 2 == 0 ? (1, 2) : (2, 1)
                quarrel.add(
                    60 + 4 * Double(step), .queueItemChanged, by: hand(step),
                    before: ["currentItemId": .integer(ways.0)],
                    after: ["currentItemId": .integer(ways.1)])
                quarrel.seek(61 + 4 * Double(step), step % 2 == 0 ? 10 : 60, step % 2 == 0 ? 60 : 10, by: hand(step))
            }
            return kinds(quarrel)
        }
        #expect(skip { .sender(Int64(6 + $0), series: 1) } == [])
        // Without items, the same jumps by two hands.
        var quarrel = film()
        for step in 0..<6 {
            quarrel.seek(
                61 + 4 * Double(step), step % 2 == 0 ? 10 : 60, step % 2 == 0 ? 60 : 10,
                by: step % 2 == 0 ? .sender(Int64(6 + step), series: 1) : .sender(Int64(90_000 + step), series: 2))
        }
        #expect(kinds(quarrel) == ["seek_fight"])
    }

    @Test func `is an app that stops for an ad and loads the film again`() {
        func interrupt(_ hand: Quarrel.Hand) -> [String] {
            var quarrel = film()
            quarrel.load(60, "Ad", mediaSession: 2, over: 1, by: hand)
            quarrel.load(90, "Film", mediaSession: 3, over: 2, by: .device)
            return kinds(quarrel)
        }
        #expect(interrupt(.device) == [])
        #expect(interrupt(.sender(70_000, series: 2)) == ["takeover"])
    }

    @Test func `is a remote control that pauses`() {
        func pause(_ hand: (Int) -> Quarrel.Hand, times: Int) -> [String] {
            var quarrel = film()
            for step in 0..<times {
                quarrel.player(60 + 5 * Double(step), step % 2 == 0 ? "PAUSED" : "PLAYING", by: hand(step))
            }
            return kinds(quarrel)
        }
        // It pauses and plays on, as often as it likes; or the phone plays on.
        #expect(pause({ _ in .device }, times: 6) == [])
        #expect(pause({ $0 % 2 == 0 ? .device : .sender(Int64(6 + $0), series: 1) }, times: 2) == [])
        // One pauses again what the other let play.
        #expect(
            pause({ $0 % 2 == 0 ? .device : .sender(Int64(6 + $0), series: 1) }, times: 6) == ["play_pause_fight"])
    }

    @Test func `is a routine that launches an app`() {
        func launch(isRoutine: Bool) -> [String] {
            var quarrel = film()
            quarrel.appStops(60)
            quarrel.app(61, "Tube", appSession: "s-2", cloud: isRoutine)
            quarrel.load(63, "Clip", mediaSession: 1, by: isRoutine ? .device : .sender(70_000))
            return kinds(quarrel)
        }
        #expect(launch(isRoutine: true) == [])
        #expect(launch(isRoutine: false) == ["takeover"])
    }

    // The kitchen's film ends without a word of who stopped it, and goes on in the living room, where the app starts.
    @Test func `is a play that is transferred to another device`() {
        func transfer(stays: Bool) -> [String] {
            var kitchen = film()
            var ledger = ConflictLedger()
            kitchen.appStops(60)
            if stays {
                kitchen.app(61, "Tube", appSession: "s-2")
                kitchen.load(62, "Clip", mediaSession: 1, by: .sender(70_000))
            }
            var livingRoom = Quarrel()
            livingRoom.device = DeviceID("fedcba9876543210fedcba9876543210")
            livingRoom.app(61, "Player", appSession: "s-9")
            livingRoom.load(62, "Film", mediaSession: 1, by: .device)
            return Quarrel.latest((kitchen.events + livingRoom.events).flatMap { ledger.fold($0) })
                .map(\.id.kind.rawValue)
        }
        #expect(transfer(stays: false) == [])
        #expect(transfer(stays: true) == ["takeover"])
    }
}
