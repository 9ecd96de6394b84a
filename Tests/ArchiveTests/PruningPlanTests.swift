import IO
import Recording
import TestSupport
import Testing

@testable import Archive

// Goal: what is kept is what the rule says.
// Method: random sets of segments and limits, against the rule spelled out naively: try every number of segments.
@Suite("What a pruning rule asks for")
struct PruningPlanTests {
    struct Facts {
        var segments: [PrunableSegment]
        var latest: [Int64]
        var free: Int64
        var total: Int64
        var applied: Int64
        var now: Int64
    }

    static func facts(_ generator: inout SeededNumbers) -> Facts {
        var position: Int64 = 1
        var (segments, latest): ([PrunableSegment], [Int64]) = ([], [])
        for _ in 0..<generator.below(8) {
            let next = position + 1 + Int64(generator.below(100))
            segments.append(
                PrunableSegment(
                    name: SegmentName(day: CalendarDay(number: 20_000), firstPosition: ArchivePosition(position)),
                    last: ArchivePosition(next - 1), bytes: Int64(generator.below(50))))
            // Mostly older first; now and then the clock went back.
            latest.append(Int64(segments.count * 20 + generator.below(45)) * 1_000_000)
            position = next
        }
        if !segments.isEmpty { segments[segments.count - 1].last = ArchivePosition(.max) }
        return Facts(
            segments: segments, latest: latest, free: Int64(generator.below(200)),
            total: 200, applied: Int64(generator.below(400)), now: 200_000_000)
    }

    static func rule(_ generator: inout SeededNumbers) -> PruningRule {
        var rule = PruningRule()
        if generator.below(2) == 0 { rule.age = .seconds(generator.below(200)) }
        if generator.below(2) == 0 { rule.bytes = Int64(1 + generator.below(200)) }
        if generator.below(2) == 0 { rule.freePercent = Int64(1 + generator.below(99)) }
        return rule
    }

    /// The smallest number of oldest segments whose removal leaves nothing that the rule has against the rest; when no
    /// number does, all but the newest.
    static func naive(_ facts: Facts, _ rule: PruningRule) -> (wanted: Int, allowed: Int) {
        let most = max(0, facts.segments.count - 1)
        func isContent(_ count: Int) -> Bool {
            let kept = facts.segments.dropFirst(count)
            let freed = facts.free + facts.segments.prefix(count).reduce(0) { $0 + $1.bytes }
            if let limit = rule.bytes, kept.reduce(0, { $0 + $1.bytes }) > limit { return false }
            if let percent = rule.freePercent, freed * 100 < percent * facts.total { return false }
            if let age = rule.age, let oldest = facts.latest.dropFirst(count).first {
                return oldest >= facts.now - age.components.seconds * 1_000_000
            }
            return true
        }
        let wanted = (0..<most).first(where: isContent) ?? most
        let allowed = facts.segments.prefix(wanted).prefix { $0.last.number <= facts.applied }.count
        return (wanted, allowed)
    }

    @Test func `is the fewest oldest segments after which it is content`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededNumbers(seed: seed)
        var seen: Set<Int> = []
        for round in 0..<20_000 {
            let facts = Self.facts(&generator)
            let rule = Self.rule(&generator)
            let plan = try PruningPlan(
                facts.segments, rule, now: WallTime(microseconds: facts.now), free: facts.free, total: facts.total,
                applied: ArchivePosition(facts.applied)
            ) { name throws(ArchiveError) in
                let place = facts.segments.firstIndex { $0.name == name } ?? 0
                return WallTime(microseconds: facts.latest[place])
            }
            let expected = Self.naive(facts, rule)
            let gone = facts.segments.prefix(expected.allowed)
            guard plan.segments == expected.allowed, plan.held == expected.wanted - expected.allowed,
                plan.first == gone.first?.name.firstPosition, plan.last == gone.last?.last,
                plan.bytes == gone.reduce(0, { $0 + $1.bytes })
            else {
                Issue.record("seed \(seed), round \(round): \(plan), not \(expected), of \(facts) by \(rule)")
                return
            }
            seen.insert(plan.segments)
        }
        #expect(seen.isSuperset(of: [0, 1, 2, 3, 4, 5, 6]))
    }

    @Test func `is said as on the command line`() {
        #expect(PruningRule(age: .seconds(90 * 86_400)).text == "--keep 90d")
        #expect(PruningRule(age: .seconds(36 * 3600)).text == "--keep 36h")
        #expect(PruningRule(age: .seconds(90)).text == "--keep 90s")
        #expect(PruningRule(bytes: 50 << 30, freePercent: 10).text == "--keep-size 50G --keep-free 10%")
        #expect(PruningRule(bytes: 1_000_001).text == "--keep-size 1000001")
        #expect(PruningRule().keepsEverything)
    }
}
