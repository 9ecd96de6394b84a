import CastModel
import CastWire
import Differ
import Recording
import Testing

// Goal: what the series says of made-up senders is held against who really asked.
// Method: senders with counters of their own share an app; each command uses up its id and some more for questions. Two
// answers in a row are compared: do they say "the same sender" exactly when it was?
@Suite("The sender series against the truth")
struct SenderTruthTests {
    /// How the pairs of neighboring broadcasts were told: right, wrong, or not at all.
    struct Score {
        var right = 0
        var wrong = 0
        var unclear = 0
        var broadcasts: [(id: Int64, series: Int32?, truth: Int)] = []
    }

    /// Senders that take turns at random: when each joins, at which id, and how many questions it asks per command.
    static func score(seed: UInt64, senders: Int, start: (inout SeededRandom) -> Int64, commands: Int = 40) -> Score {
        var random = SeededRandom(seed: seed)
        var replay = Replay()
        replay.open(0)
        replay.receiver(0, #""applications":[{"appId":"A","sessionId":"s","transportId":"t-1"}]"#)
        replay.media(0.5, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","media":{"contentId":"film"}}"#)
        var next = (0..<senders).map { _ in start(&random) }
        var asked: [(id: Int64, truth: Int)] = []
        var seconds = 1.0
        let first = replay.records.count
        for index in 0..<commands {
            // One sender after the other joins; then anybody may be next.
            let joined = min(senders, 1 + index * senders / 12)
            let sender = random.below(joined)
            seconds += [1.5, 3, 8, 20][random.below(4)]
            next[sender] += Int64(1 + random.below(3))
            asked.append((next[sender], sender))
            replay.media(
                seconds, next[sender],
                #"{"mediaSessionId":1,"playerState":"PLAYING","volume":{"level":0.\#(index + 100)}}"#)
        }
        var differ = StatusDiffer()
        var answers: [Int32?] = []
        for (index, record) in replay.records.enumerated() {
            let events = differ.fold(record)
            if index >= first { answers.append(events.first?.senderSeries) }
        }
        var score = Score()
        score.broadcasts = zip(asked, answers).map { ($0.id, $1, $0.truth) }
        for (one, other) in zip(score.broadcasts, score.broadcasts.dropFirst()) {
            guard let before = one.series, let after = other.series else {
                score.unclear += 1
                continue
            }
            if (before == after) == (one.truth == other.truth) { score.right += 1 } else { score.wrong += 1 }
        }
        return score
    }

    private static func total(senders: Int, start: (inout SeededRandom) -> Int64) -> Score {
        (1...100).map { score(seed: UInt64($0), senders: senders, start: start) }.reduce(into: Score()) { sum, one in
            sum.right += one.right
            sum.wrong += one.wrong
            sum.unclear += one.unclear
        }
    }

    @Test(arguments: [1, 2, 3, 4])
    func `is always right, and never silent, where ids begin at random`(senders: Int) {
        let score = Self.total(senders: senders) { Int64($0.below(1 << 31)) + 1 }
        #expect(score.wrong == 0)
        #expect(score.unclear == 0)
        #expect(score.right == 3900)
    }

    @Test func `is always right where one sender is alone, whatever it asks besides`() {
        let score = Self.total(senders: 1) { _ in 1 }
        #expect((score.right, score.wrong, score.unclear) == (3900, 0, 0))
    }

    @Test(arguments: [2, 3])
    func `is rarely wrong where everybody begins at 1, and says so where it does not know`(senders: Int) {
        let score = Self.total(senders: senders) { _ in 1 }
        print(
            "everybody begins at 1, \(senders) senders: \(score.right) right, \(score.wrong) wrong, \(score.unclear) unclear"
        )
        #expect(score.wrong * 20 < score.right + score.unclear)
        #expect(score.unclear > 0)
    }

    @Test(arguments: 1...40)
    func `gives one number only ids that grow, in the order of their first appearance`(seed: UInt64) {
        for senders in [2, 3, 5] {
            var last: [Int32: Int64] = [:]
            var highest: Int32 = 0
            for (id, series, _) in Self.score(seed: seed, senders: senders, start: { _ in 1 }).broadcasts {
                guard let series else { continue }
                #expect(last[series].map { $0 < id } ?? true, "seed \(seed)")
                #expect(series <= highest + 1, "seed \(seed)")
                last[series] = id
                highest = max(highest, series)
            }
        }
    }
}
