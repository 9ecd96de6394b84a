import CastModel
import Differ
import Plays
import Recording
import Testing

@Suite("A ledger of plays") struct PlaySplitTests {
    /// Numbers that look random, the same for the same seed.
    private struct Generator: RandomNumberGenerator {
        var number: UInt64
        mutating func next() -> UInt64 {
            // Knuth's MMIX generator; its high bits are the good ones.
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (number >> 32) | (number << 32)
        }
    }

    /// Events of three devices in any order, most of which make sense.
    ///
    /// - Parameter setsClocks: Whether clocks are set now and then, each device's by itself.
    static func events(seed: UInt64, count: Int, setsClocks: Bool = false) -> [ChangeEvent] {
        var generator = Generator(number: seed)
        var evening = Evening()
        var clock = 0.0
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
        for _ in 0..<count {
            clock += pick([0, 0.5, 1, 3, 20, 200, -5])
            evening.device = DeviceID(pick(["one", "two", "three"]))
            evening.appSession = pick(["s-1", "s-1", "s-2", nil])
            evening.mediaSession = pick([1, 1, 2, 3, nil])
            let attribution = pick(ChangeEvent.Attribution.allCases)
            let movie: JSONValue? = pick([
                Evening.movie(), Evening.movie("Two", "b", seconds: 15), ["contentId": ""], nil,
            ])
            let same = pick([false, false, true])
            let position = pick([nil, 0, 7.5, 600])
            switch Int.random(in: 0..<25, using: &generator) {
            case 0: evening.app(clock, id: pick(["CC1AD845", "531A4F84"]), attribution, fromCloud: same)
            case 1: evening.appStops(clock, attribution)
            case 2...4:
                evening.begins(
                    clock, pick(["PLAYING", "LOADING", "IDLE", "ODD"]), movie, attribution, requestID: 3, at: position,
                    sameRecord: same)
            case 5, 6: evening.ends(clock, pick(["FINISHED", "CANCELLED", "INTERRUPTED", nil]), attribution)
            case 7: evening.gap(clock - 2, told: clock, pick(["link_lost", "recorder_down"]))
            case 8: evening.gapEnds(clock - 2, clock)
            case 9: evening.add(clock, .queueItemChanged, attribution, after: ["currentItemId": pick([1, 2, 3])])
            case 10: evening.add(clock, .mediaChanged, attribution, after: movie, at: position)
            case 11:
                evening.add(
                    clock, .durationChanged, attribution, after: ["duration": pick([10, 600, nil])], at: position)
            case 12: evening.add(clock, .seeked, attribution, after: ["currentTime": pick([0, 90, nil])], at: position)
            case 13: evening.add(clock, .breakStarted, attribution, after: ["source": pick(["ima", "youtube"])])
            case 14: evening.add(clock, .breakEnded, attribution, before: ["source": pick(["ima", "youtube"])])
            case 15: evening.add(clock, .standbyChanged, attribution, after: ["isStandBy": pick([true, false, nil])])
            case 16:
                evening.add(clock, .activeTracksChanged, attribution, after: ["activeTrackIds": pick([[1], [2], nil])])
            case 17: evening.add(clock, .groupMemberAdded, attribution, after: ["deviceId": pick(["x", "y"])])
            case 18: evening.add(clock, .mediaLoading, attribution, after: movie.map { media in ["media": media] })
            case 19:
                evening.add(clock, .metadataChanged, attribution, after: ["metadata": ["title": pick(["a", "b"])]])
            case 20 where setsClocks:
                let jumped = clock + pick([3600, 40, -40, -3600])
                evening.jump(from: clock - 0.25, to: jumped)
                clock = jumped
            case 21 where setsClocks:
                evening.gapEnds(clock - 1, clock)
                evening.gap(pick([clock, clock - 3]), told: clock, pick(["device_unreachable", "not_joined"]))
            default: evening.player(clock, pick(["PLAYING", "PAUSED", "BUFFERING", "IDLE"]), attribution, at: position)
            }
        }
        return evening.events
    }

    @Test(arguments: 1...24)
    func `gives the same plays, folded at once or restored from its states before every event`(seed: Int) throws {
        try compare(Self.events(seed: UInt64(seed), count: 150), "seed \(seed)")
    }

    @Test(arguments: 1...24)
    func `gives the same plays at once or restored, however the clocks are set`(seed: Int) throws {
        try compare(Self.events(seed: UInt64(seed), count: 150, setsClocks: true), "seed \(seed), clocks set")
    }

    private func compare(_ events: [ChangeEvent], _ comment: Comment) throws {
        var whole = PlayLedger()
        let atOnce = Evening.latest(events.flatMap { whole.fold($0) })

        var states: [DeviceID: JSONValue] = [:]
        var rows: [Play] = []
        for event in events {
            var ledger = try PlayLedger(restoring: states.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
            rows += ledger.fold(event)
            for (device, json) in ledger.takeStates() {
                // As the database keeps them: as text.
                states[device] = try JSONParser(depthLimit: 200).parse(json.utf8)
            }
        }
        #expect(Evening.latest(rows) == atOnce, comment)
        #expect(!atOnce.isEmpty, comment)
        for play in atOnce {
            #expect(play.coverage >= 0 && play.coverage <= 1)
            #expect(play.progress.map { $0 >= 0 && $0 <= 1 } ?? true)
            #expect((play.endedAt == nil) == (play.endReason == nil))
            #expect((play.endedAt == nil) == (play.phase != nil))
        }
    }

    @Test func `refuses a state that it did not write`() throws {
        let device = DeviceID("a")
        for (state, field) in [
            ("[]", "form"), (#"{"version":0}"#, "version"), (#"{"version":2,"open":[{}]}"#, "play"),
            (#"{"version":2,"open":[7]}"#, "open"), (#"{"version":2,"standBy":"perhaps"}"#, "standBy"),
        ] {
            #expect(throws: PlaysError.unreadableState(device, field: field)) {
                _ = try PlayLedger(restoring: [(device, try JSONParser().parse(Array(state.utf8)))])
            }
        }
    }

    @Test func `forgets nothing that it must know, and stores only what changed`() {
        var ledger = PlayLedger()
        var evening = Evening()
        evening.app(0)
        evening.device = DeviceID("other")
        evening.add(1, .deviceVolumeChanged)
        for event in evening.events { _ = ledger.fold(event) }
        #expect(ledger.takeStates().map(\.0) == [Evening.device])
        #expect(ledger.takeStates().isEmpty)
    }
}
