import CastModel
import Differ
import Plays
import Recording
import TestSupport
import Testing

@Suite("The spans of a play") struct PlaySpanTests {
    /// What the rows of plays say of their spans, put together as the database does.
    struct Told {
        private(set) var spans: [ChangeEvent.ID: [Int32: Play.Span]] = [:]
        private(set) var plays: [ChangeEvent.ID: Play] = [:]

        mutating func take(_ row: Play) {
            var known = spans[row.id] ?? [:]
            if let first = row.spans.withdrawnFrom { known = known.filter { $0.key < first } }
            if row.spans.turnIntoAds {
                for (number, span) in known where span.phase == .playing || span.phase == .buffering {
                    known[number]?.phase = .advertisement
                }
            }
            for span in row.spans.closed {
                #expect(known[span.number] == nil, "a span is told twice")
                known[span.number] = span
            }
            spans[row.id] = known
            plays[row.id] = row
        }

        /// The spans of a play in their order, the one that lasts included.
        func spans(of id: ChangeEvent.ID) -> [Play.Span] {
            var all = (spans[id] ?? [:]).values.sorted { $0.number < $1.number }
            if let play = plays[id], let phase = play.phase, let since = play.phaseSince, since < play.countedAt {
                all.append(
                    Play.Span(
                        number: Int32(all.count), from: since, to: play.countedAt, phase: phase,
                        isInputInactive: play.isInputInactive && phase != .unobserved))
            }
            return all
        }

        /// Checks that the spans of a play add up to its seconds.
        func check(_ id: ChangeEvent.ID, _ comment: Comment) {
            guard let play = plays[id] else { return }
            let all = spans(of: id)
            func sum(_ matches: (Play.Span) -> Bool) -> Int64 {
                all.filter(matches).reduce(0) { $0 + $1.to.microseconds - $1.from.microseconds }
            }
            func whole(_ seconds: Double) -> Int64 { Int64((seconds * 1e6).rounded()) }
            #expect(sum { $0.phase == .playing } == whole(play.time.playedSeconds), comment)
            #expect(sum { $0.phase == .paused } == whole(play.time.pausedSeconds), comment)
            #expect(sum { $0.phase == .buffering } == whole(play.time.bufferingSeconds), comment)
            #expect(sum { $0.phase == .advertisement } == whole(play.time.adSeconds), comment)
            #expect(sum { $0.phase == .unobserved } == whole(play.time.gapSeconds), comment)
            #expect(
                sum { $0.phase == .playing && $0.isInputInactive } == whole(play.time.inputInactiveSeconds), comment)
            #expect(all.map(\.number) == all.indices.map { Int32($0) }, comment)
            #expect(all.allSatisfy { $0.from < $0.to && $0.phase != .idle }, comment)
        }
    }

    /// Each span as a line: phase, from, to, and a star where nobody watched.
    private func lines(_ evening: Evening) -> [[String]] {
        var ledger = PlayLedger()
        var told = Told()
        for event in evening.events { for row in ledger.fold(event) { told.take(row) } }
        return told.plays.keys.sorted().map { id in
            told.check(id, "")
            return told.spans(of: id).map { span in
                let (from, to) = (span.from.seconds(since: Evening.start), span.to.seconds(since: Evening.start))
                return "\(span.phase.rawValue) \(Int(from))-\(Int(to))\(span.isInputInactive ? "*" : "")"
            }
        }
    }

    @Test func `are its phases, one after the other, and a seek parts none`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "LOADING", Evening.movie())
        evening.player(12, "BUFFERING", at: 0)
        evening.player(15, "PLAYING", at: 0)
        evening.add(30, .seeked, .senderRequest, after: ["currentTime": 100], at: 100)
        evening.player(40, "PAUSED", at: 110)
        evening.player(55, "PLAYING", at: 110)
        #expect(
            lines(evening) == [["loading 10-12", "buffering 12-15", "playing 15-40", "paused 40-55"]],
            "what lasts is counted up to the last change")
        evening.ends(65, "CANCELLED", .senderRequest)
        #expect(
            lines(evening) == [
                ["loading 10-12", "buffering 12-15", "playing 15-40", "paused 40-55", "playing 55-65"]
            ])
    }

    @Test func `are parted where the TV goes to standby, and loading without a name counts from its sign`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(5, "LOADING")
        evening.add(8, .mediaChanged, .receiver, after: Evening.movie())
        evening.player(10, "PLAYING", at: 0)
        evening.add(20, .standbyChanged, after: ["isStandBy": true])
        evening.player(30, "PAUSED", at: 20)
        evening.add(40, .standbyChanged, after: ["isStandBy": false])
        evening.appStops(50)
        #expect(
            lines(evening) == [
                ["loading 5-10", "playing 10-20", "playing 20-30*", "paused 30-40*", "paused 40-50"]
            ])
    }

    @Test func `of a gap are withdrawn where the gap turns out to have ended the play`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie(), at: 0)
        evening.gap(40, to: 100)
        evening.ends(105, nil, .snapshot)
        #expect(lines(evening) == [["playing 10-40"]])
    }

    @Test func `of a gap last up to the snapshot that follows`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie(), at: 0)
        evening.gap(40, to: 100)
        evening.player(103, "PAUSED", .snapshot, at: 60)
        evening.player(110, "PLAYING", at: 60)
        evening.ends(120, "CANCELLED", .senderRequest)
        #expect(
            lines(evening) == [["playing 10-40", "unobserved 40-103", "paused 103-110", "playing 110-120"]])
    }

    @Test func `of a gap that was told late begin where the gap did, but cut nothing that was counted`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie(), at: 0)
        evening.player(50, "PAUSED", at: 40)
        // The link was silent since 45; that is known at 60.
        evening.gap(45, told: 60)
        evening.gapEnds(45, 80)
        evening.player(90, "PLAYING", at: 40)
        evening.ends(100, "CANCELLED", .senderRequest)
        #expect(
            lines(evening) == [["playing 10-50", "unobserved 50-80", "paused 80-90", "playing 90-100"]])
    }

    @Test func `end and begin at a jump of the clock, and overlap where it was set back`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie(seconds: 7200), at: 0)
        evening.jump(from: 100, to: 40)
        evening.player(60, "PAUSED", at: 110)
        evening.ends(70, "CANCELLED", .senderRequest)
        #expect(lines(evening) == [["playing 10-100", "playing 40-60", "paused 60-70"]])
    }

    @Test func `turn into an ad where the length tells it afterwards`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "BUFFERING", Evening.movie(seconds: 20), at: 0)
        evening.player(12, "PLAYING", at: 0)
        evening.player(20, "PAUSED", at: 8)
        evening.player(23, "PLAYING", at: 8)
        evening.add(32, .durationChanged, .receiver, after: ["duration": 600], at: 0)
        evening.ends(42, "CANCELLED", .senderRequest)
        #expect(
            lines(evening) == [
                ["advertisement 10-12", "advertisement 12-20", "paused 20-23", "advertisement 23-32", "playing 32-42"]
            ])
    }

    @Test func `go on where the play goes on after an ad for which it was unloaded`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie(), at: 0)
        evening.add(40, .breakStarted, after: ["source": "ima"])
        evening.ends(41, "INTERRUPTED")
        evening.mediaSession = 2
        evening.begins(71, "PLAYING", Evening.movie(), .receiver, at: 30)
        evening.ends(81, "CANCELLED", .senderRequest)
        // One second of the break is in the media session that ends, thirty between the two: the play had ended meanwhile.
        #expect(
            lines(evening) == [["playing 10-40", "advertisement 40-41", "advertisement 41-71", "playing 71-81"]])
    }

    @Test(arguments: 1...60)
    func `add up to its seconds after every event of any life, to the microsecond`(seed: Int) throws {
        var ledger = PlayLedger()
        var told = Told()
        for (index, event) in PlaySplitTests.events(seed: UInt64(seed), count: 200, setsClocks: true).enumerated() {
            for row in ledger.fold(event) {
                told.take(row)
                told.check(row.id, "seed \(seed), event \(index), play \(row.id.playName)")
            }
        }
        #expect(told.spans.values.contains { $0.count > 2 })
    }

    @Test(arguments: 1...12)
    func `are the same when their changes are put together first`(seed: Int) {
        var ledger = PlayLedger()
        var (one, all) = (Told(), Told())
        var together: [ChangeEvent.ID: Play] = [:]
        let events = PlaySplitTests.events(seed: UInt64(seed) + 500, count: 200, setsClocks: true)
        for (index, event) in events.enumerated() {
            for row in ledger.fold(event) {
                one.take(row)
                var changes = together[row.id]?.spans ?? Play.SpanChanges()
                changes.add(row.spans)
                together[row.id] = row
                together[row.id]?.spans = changes
            }
            // Batches of seven events.
            guard index % 7 == 6 || index + 1 == events.count else { continue }
            for row in together.values { all.take(row) }
            together = [:]
        }
        #expect(one.spans == all.spans, "seed \(seed)")
    }

    @Test(arguments: try Corpus.names())
    func `of real messages add up to their seconds`(name: String) throws {
        var ledger = PlayLedger()
        var told = Told()
        for event in try CorpusFile(name).events {
            for row in ledger.fold(event) {
                told.take(row)
                told.check(row.id, "\(name)")
            }
        }
    }
}
