import CastModel
import Conflicts
import Differ
import Recording
import Testing

@Suite("A ledger of conflicts") struct ConflictLedgerTests {
    /// Numbers that look random, the same for the same seed.
    private struct Generator: RandomNumberGenerator {
        var number: UInt64
        mutating func next() -> UInt64 {
            // Knuth's MMIX generator; its high bits are the good ones.
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (number >> 32) | (number << 32)
        }
    }

    /// Events of three devices in any order, most of which make sense; many are fights.
    private func events(seed: UInt64, count: Int) -> [ChangeEvent] {
        var generator = Generator(number: seed)
        var quarrel = Quarrel()
        var clock = 0.0
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
        var ids: [Int64] = [10, 900_000]
        var wanted: Int?
        for index in 0..<count {
            clock += pick([0, 0.5, 1, 2, 3, 8, 25, -5])
            if index % 12 == 0 {
                // For a while it is one thing on one device.
                wanted = pick([nil, 0, 4, 8, 10, 12])
                quarrel.device = DeviceID(pick(["one", "two", "three"]))
                quarrel.appSession = pick(["s-1", "s-1", "s-2", nil])
                quarrel.mediaSession = pick([1, 1, 2, nil])
            }
            let sender = pick([0, 1])
            ids[sender] += pick([1, 1, 2, 5000])
            let hand = pick([
                Quarrel.Hand.sender(ids[sender]), .sender(ids[sender], series: Int32(sender + 1)),
                .sender(ids[sender], series: Int32(sender + 1)), .device, .snapshot, .unknown,
            ])
            let any = Int.random(in: 0..<20, using: &generator)
            switch pick([true, true, false]) ? wanted ?? any : any {
            case 0...3: quarrel.volume(clock, pick([nil, 0.2, 0.5]), pick([0.1, 0.3, 0.6]), by: hand)
            case 4...7:
                quarrel.player(
                    clock, pick(["PLAYING", "PAUSED", "PLAYING", "PAUSED", "PLAYING", "PAUSED", "BUFFERING", "ODD"]),
                    by: hand)
            case 8, 9: quarrel.seek(clock, pick([0, 100, 500]), pick([30, 300, 1e12]), by: hand)
            case 10, 11: quarrel.tracks(clock, pick([[], [1], [7]]), pick([[1], [2], [7, 1]]), by: hand)
            case 12, 13:
                quarrel.style(clock, pick([["a": 1], nil]), pick([["a": 2], ["a": 1, "b": [1]], nil]), by: hand)
            case 14: quarrel.mute(clock, pick([true, false]), by: hand)
            case 15: quarrel.load(clock, "T", mediaSession: pick([1, 2, 3]), over: pick([1, 2, nil]), by: hand)
            case 16: quarrel.app(clock, "App", appSession: pick(["s-1", "s-2"]), by: hand, cloud: pick([true, false]))
            case 17: quarrel.appStops(clock, by: hand)
            case 18:
                quarrel.add(
                    clock, pick([.breakStarted, .breakEnded, .queueItemChanged, .senderConnectedChanged]), by: hand,
                    after: ["senderConnected": false])
            default: if pick([true, false, false, false]) { quarrel.gap(clock) }
            }
        }
        return quarrel.events
    }

    @Test(arguments: 1...16)
    func `gives the same conflicts, folded at once or restored from its states before every event`(seed: Int) throws {
        let events = events(seed: UInt64(seed), count: 120)
        var whole = ConflictLedger()
        let atOnce = events.flatMap { whole.fold($0) }

        var states: [DeviceID: JSONValue] = [:]
        var rows: [Conflict] = []
        for event in events {
            var ledger = try ConflictLedger(restoring: states.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
            rows += ledger.fold(event)
            for (device, json) in ledger.takeStates() {
                // As the database keeps them: as text.
                states[device] = try JSONParser(depthLimit: 200).parse(json.utf8)
            }
        }
        #expect(rows == atOnce, "seed \(seed)")
    }

    @Test(arguments: 1...40)
    func `keeps to its promises, whatever comes`(seed: Int) throws {
        let events = events(seed: UInt64(seed) &* 7919, count: 300)
        let names = Set(events.map(\.id))
        var ledger = ConflictLedger()
        for row in Quarrel.latest(events.flatMap { ledger.fold($0) }) {
            #expect(row.evidence.first == row.id.first, "seed \(seed)")
            #expect(names.isSuperset(of: row.evidence), "seed \(seed)")
            #expect(row.evidenceCount >= Int64(row.evidence.count) && row.evidence.count <= Conflict.evidenceLimit)
            #expect(row.evidence.sorted() == row.evidence, "seed \(seed)")
            #expect((0.5...1).contains(row.score), "seed \(seed) \(row.id.name)")
            #expect(row.certainUndoings <= row.undoings && row.undoings >= 1)
            #expect(row.actors.count >= 2 && !row.sentence.isEmpty)
            #expect(row.actors.map(\.undoings).reduce(0, +) + row.otherTurns >= row.undoings)
            // A clock that was set back may turn a window around; it is told as it was shown.
            #expect(row.to.seconds(since: row.from) > -3600)
            #expect(Conflict.ID(name: row.id.name) == row.id)
            #expect(Conflict.actors(row.actorsJSON) == row.actors)
            #expect(Conflict.evidence(row.evidenceJSON) == row.evidence)
        }
    }

    @Test func `finds something in such events`() {
        var kinds: [Conflict.Kind: Int] = [:]
        for seed in 1...40 {
            var ledger = ConflictLedger()
            for row in Quarrel.latest(events(seed: UInt64(seed) &* 7919, count: 300).flatMap { ledger.fold($0) }) {
                kinds[row.id.kind, default: 0] += 1
            }
        }
        #expect(Set(kinds.keys) == Set(Conflict.Kind.allCases), "\(kinds)")
    }

    @Test func `keeps a state that does not grow`() throws {
        var ledger = ConflictLedger()
        var longest = 0
        for event in events(seed: 4, count: 5000) {
            _ = ledger.fold(event)
            for (_, json) in ledger.takeStates() { longest = max(longest, json.utf8.count) }
        }
        #expect(longest < 40_000, "\(longest) bytes")
    }

    @Test func `refuses a state that it did not write`() throws {
        let device = DeviceID("one")
        for state: JSONValue in [
            7, [], ["version": 2], ["version": 1, "boards": [7]], ["version": 1, "boards": [["subject": "odd"]]],
            ["version": 1, "boards": [["subject": "seek", "turn": ["at": 1]]]],
            ["version": 1, "media": ["phase": "odd"]], ["version": 1, "platform": ["hands": [["id": 1]]]],
        ] {
            #expect(throws: ConflictsError.self, "\(state.text)") {
                try ConflictLedger(restoring: [(device, state)])
            }
        }
        _ = try ConflictLedger(restoring: [(device, ["version": 1])])
    }

    @Test func `begins anew where records are gone`() throws {
        var quarrel = Quarrel()
        quarrel.volume(0, 0.2, 0.5, by: .sender(10))
        quarrel.volume(2, 0.5, 0.2, by: .sender(900_000))
        quarrel.volume(4, 0.2, 0.5, by: .sender(11))
        var ledger = ConflictLedger()
        #expect(ledger.fold(quarrel.events[0]).isEmpty)
        #expect(ledger.fold(quarrel.events[1]).isEmpty)
        _ = ledger.takeStates()
        ledger.loseSight()
        #expect(ledger.takeStates().map(\.1.text) == [#"{"version":1}"#])
        #expect(ledger.fold(quarrel.events[2]).isEmpty)
    }
}

@Suite("The rules of conflicts") struct ConflictRulesTests {
    @Test func `are set by name, within their range`() throws {
        var rules = ConflictRules()
        try rules.set("volume_fight.undoings=3")
        try rules.set("takeover.paused_seconds=0.5")
        try rules.set("least_score=1")
        #expect(rules.volumeFight.undoings == 3)
        #expect(rules.takeoverPausedSeconds == 0.5)
        #expect(rules.leastScore == 1)
    }

    @Test(arguments: [
        ("volume_fight.undoings", "wants a name and a value"),
        ("volume=3", "no such rule; there are volume_fight.undoings"),
        ("volume_fight.undoings=0", "a whole number from 1 to 1000"), ("volume_fight.undoings=2.5", "whole"),
        ("seek_fight.step=-1", "a number from 0 to 86400"), ("least_score=1.01", "from 0 to 1"),
        ("least_score=", "from 0 to 1"),
        ("least_score=nan", "from 0 to 1"),
    ])
    func `refuse what they cannot be`(text: String, why: String) {
        var rules = ConflictRules()
        #expect {
            try rules.set(text)
        } throws: { error in
            "\(error)".contains(why)
        }
        #expect(rules == ConflictRules())
    }

    @Test func `change what is a fight, on both sides of each count`() throws {
        var quarrel = Quarrel()
        for step in 0..<4 {
            let up = step % 2 == 0
            quarrel.volume(
                2 * Double(step), up ? 0.2 : 0.5, up ? 0.5 : 0.2, by: .sender(Int64(up ? 10 + step : 900_000 + step)))
        }
        for (undoings, count) in [(1, 1), (2, 1), (3, 1), (4, 0)] {
            var rules = ConflictRules()
            try rules.set("volume_fight.undoings=\(undoings)")
            #expect(quarrel.conflicts(rules).count == count)
        }
        // Three undoings: 1 - 1/8.
        for (score, count) in [("0.875", 1), ("0.876", 0)] {
            var rules = ConflictRules()
            try rules.set("least_score=\(score)")
            #expect(quarrel.conflicts(rules).count == count)
        }
    }
}
