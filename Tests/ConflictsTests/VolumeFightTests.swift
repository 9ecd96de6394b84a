import CastModel
import Conflicts
import Differ
import Testing

@Suite("A volume fight") struct VolumeFightTests {
    /// Two senders with ids far apart: moves at these moments, up and down in turn.
    private func fight(_ moments: [Double], low: Double = 0.2, high: Double = 0.5) -> Quarrel {
        var quarrel = Quarrel()
        for (index, moment) in moments.enumerated() {
            let up = index % 2 == 0
            quarrel.volume(
                moment, up ? low : high, up ? high : low,
                by: up ? .sender(Int64(10 + index)) : .sender(Int64(900_000 + index)))
        }
        return quarrel
    }

    @Test func `of three moves is told with window, score, evidence and a sentence`() {
        // Sureness 1 each; two undoings: 1 - 1/4.
        #expect(
            fight([0, 2, 5]).lines == [
                "1/0/volume_fight 0-5 0.75 2(2) [1/0 2/0 3/0] two senders set the volume against each other twice; ended at 50 %"
            ])
    }

    @Test func `of seven moves ends where the last one left it`() throws {
        // Six undoings: 1 - 1/64.
        let quarrel = fight([0, 1, 2, 3, 4, 5, 6])
        #expect(
            quarrel.lines == [
                "1/0/volume_fight 0-6 0.984 6(6) [1/0 2/0 3/0 4/0 5/0 6/0 7/0] "
                    + "two senders set the volume against each other six times; ended at 50 %"
            ])
        let row = try #require(quarrel.conflicts().first)
        #expect(row.before == ["level": 0.2])
        #expect(row.after == ["level": 0.5])
        #expect(row.actors.map(\.moves) == [4, 3])
        #expect(row.actors.map(\.undoings) == [3, 3])
        #expect(row.actors.map(\.firstRequestID) == [10, 900_001])
        #expect(row.actors.map(\.lastRequestID) == [16, 900_005])
        #expect(row.actors.map(\.lastValue) == [["level": 0.5], ["level": 0.2]])
        #expect(row.evidenceCount == 7)
    }

    @Test func `needs two undoings`() {
        #expect(fight([0, 2]).lines.isEmpty)
    }

    @Test func `may pause for twenty seconds between moves, and no longer`() {
        #expect(fight([0, 20, 40]).lines.count == 1)
        #expect(fight([0, 20, 40.001]).lines.isEmpty)
        #expect(fight([0, 20.001, 40]).lines.isEmpty)
    }

    @Test func `is of steps of two hundredths, and no smaller ones`() {
        #expect(fight([0, 1, 2], low: 0.5, high: 0.52).lines.count == 1)
        #expect(fight([0, 1, 2], low: 0.5, high: 0.519).lines.isEmpty)
    }

    @Test func `begins anew after a long pause`() {
        #expect(
            fight([0, 1, 2, 100, 101, 102]).conflicts().map(\.id.name) == ["1/0/volume_fight", "4/0/volume_fight"])
    }

    @Test func `is none where one person drags the slider up and down`() {
        var quarrel = Quarrel()
        var level = 0.5
        for step in 0..<40 {
            let next = level + (step / 5 % 2 == 0 ? 0.05 : -0.05)
            quarrel.volume(Double(step) * 0.3, level, next, by: .sender(Int64(100 + step), series: 1))
            level = next
        }
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `is none where two turn it the same way`() {
        var quarrel = Quarrel()
        for step in 0..<6 {
            quarrel.volume(
                Double(step), 0.1 * Double(step + 1), 0.1 * Double(step + 2),
                by: .sender(step % 2 == 0 ? Int64(10 + step) : Int64(90_000 + step)))
        }
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `counts a drag of many steps as one move`() throws {
        var quarrel = Quarrel()
        for step in 0..<4 {
            quarrel.volume(
                Double(step) * 0.1, 0.2 + 0.1 * Double(step), 0.3 + 0.1 * Double(step), by: .sender(Int64(10 + step)))
        }
        for step in 0..<4 {
            quarrel.volume(
                2 + Double(step) * 0.1, 0.6 - 0.1 * Double(step), 0.5 - 0.1 * Double(step),
                by: .sender(Int64(70_000 + step)))
        }
        #expect(quarrel.lines.isEmpty)
        quarrel.volume(4, 0.2, 0.6, by: .sender(14))
        let row = try #require(quarrel.conflicts().first)
        #expect(row.undoings == 2)
        #expect(row.evidenceCount == 9)
        #expect(row.actors.map(\.moves) == [5, 4])
    }

    @Test func `goes on with the moves of the last turn`() {
        var quarrel = fight([0, 1, 2])
        quarrel.volume(3, 0.5, 0.6, by: .sender(13))
        #expect(
            quarrel.lines == [
                "1/0/volume_fight 0-3 0.75 2(2) [1/0 2/0 3/0 4/0] two senders set the volume against each other twice; ended at 60 %"
            ])
        quarrel.volume(22.001, 0.6, 0.7, by: .sender(14))
        #expect(quarrel.conflicts().first?.to == Quarrel.time(3))
    }

    @Test func `between a sender and the device itself is less sure`() {
        var quarrel = Quarrel()
        quarrel.volume(0, 0.2, 0.5, by: .sender(41))
        quarrel.volume(2, 0.5, 0.2, by: .device)
        quarrel.volume(4, 0.2, 0.5, by: .sender(42))
        // 0.75 times 3/4.
        #expect(
            quarrel.lines == [
                "1/0/volume_fight 0-4 0.563 2(0) [1/0 2/0 3/0] a sender and the device set the volume against each other twice; ended at 50 %"
            ])
    }

    @Test func `tells senders apart by ids that do not grow, where their numbers are unclear`() {
        var quarrel = Quarrel()
        quarrel.volume(0, 0.2, 0.5, by: .sender(12))
        quarrel.volume(2, 0.5, 0.2, by: .sender(9))
        quarrel.volume(4, 0.2, 0.5, by: .sender(13))
        // From 12 to 9 is certainly another one; from 9 to 13 perhaps: (1 + 0.5) / 2 * 3/4.
        #expect(quarrel.conflicts().map(\.score) == [0.563])
        #expect(quarrel.conflicts().map(\.certainUndoings) == [1])
    }

    @Test func `knows in hindsight that ids close to each other were two senders'`() {
        var quarrel = Quarrel()
        quarrel.volume(0, 0.2, 0.5, by: .sender(5))
        // It might be the same sender still; the next one says that it was not, since nobody counts back.
        quarrel.volume(2, 0.5, 0.2, by: .sender(9))
        quarrel.volume(4, 0.2, 0.5, by: .sender(6))
        #expect(
            quarrel.lines == [
                "1/0/volume_fight 0-4 0.563 2(1) [1/0 2/0 3/0] two senders set the volume against each other twice; ended at 50 %"
            ])
    }

    @Test func `is told of two senders who count alike, since one request sets one level`() {
        var quarrel = Quarrel()
        for step in 0..<3 {
            quarrel.volume(4 * Double(step), 0.2, 0.5, by: .sender(Int64(7 + step), series: 1))
            quarrel.volume(4 * Double(step) + 0.9, 0.5, 0.2, by: .sender(Int64(7 + step), series: 1))
        }
        // Five undoings: three by the same id, which is certain, and two by the next one, which might be one sender's.
        // (3 x 1 + 2 x 0.5) / 5 x (1 - 1/32).
        #expect(
            quarrel.lines == [
                "1/0/volume_fight 0-8.9 0.775 5(3) [1/0 2/0 3/0 4/0 5/0 6/0] two senders set the volume against each other five times; ended at 20 %"
            ])
    }

    @Test func `is none where a device makes less of what was asked, or a request comes again later`() {
        for (seconds, level) in [(0.5, 0.36), (1.1, 0.2)] {
            var quarrel = Quarrel()
            for step in 0..<6 {
                quarrel.volume(4 * Double(step), 0.2, 0.5, by: .sender(Int64(7 + step), series: 1))
                quarrel.volume(4 * Double(step) + seconds, 0.5, level, by: .sender(Int64(7 + step), series: 1))
            }
            #expect(quarrel.lines.isEmpty)
        }
    }

    @Test func `is none of one sender whose ids grow by questions between`() {
        var quarrel = Quarrel()
        for step in 0..<8 {
            quarrel.volume(
                Double(step) * 3, step % 2 == 0 ? 0.2 : 0.5, step % 2 == 0 ? 0.5 : 0.2,
                by: .sender(Int64(100 + 9 * step)))
        }
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `is none of a tool that is a new sender for each command`() {
        var quarrel = Quarrel()
        for step in 0..<8 {
            quarrel.volume(Double(step) * 3, step % 2 == 0 ? 0.2 : 0.5, step % 2 == 0 ? 0.5 : 0.2, by: .sender(2))
        }
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `is none of one request that the device answers twice, with other levels`() {
        var quarrel = Quarrel()
        quarrel.volume(0, 0.2, 0.5, by: .sender(7))
        quarrel.volume(0.4, 0.5, 0.45, by: .sender(7))
        quarrel.volume(0.8, 0.45, 0.5, by: .sender(7))
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `is none where a phone comes back with new ids`() {
        var quarrel = Quarrel()
        quarrel.volume(0, 0.2, 0.5, by: .sender(41))
        quarrel.volume(3, 0.5, 0.3, by: .sender(700_000))
        quarrel.volume(6, 0.3, 0.6, by: .sender(700_001))
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `is over muting as well`() {
        var quarrel = Quarrel()
        quarrel.volume(0, 0.3, 0.4, by: .snapshot)
        quarrel.mute(1, true, by: .sender(5))
        quarrel.mute(2, false, by: .sender(800))
        quarrel.mute(3, true, by: .sender(6))
        #expect(
            quarrel.lines == [
                "2/0/volume_fight 1-3 0.563 2(1) [2/0 3/0 4/0] two senders set the volume against each other twice; ended muted"
            ])
    }

    @Test func `does not go on through a gap`() {
        var quarrel = fight([0, 2])
        quarrel.gap(3)
        quarrel.volume(4, 0.2, 0.5, by: .sender(12))
        #expect(quarrel.lines.isEmpty)
        // A gap that hides media alone leaves the volume.
        quarrel = fight([0, 2])
        quarrel.gap(3, "not_joined")
        quarrel.volume(4, 0.2, 0.5, by: .sender(12))
        #expect(quarrel.lines.count == 1)
    }

    @Test func `is not seen in what was already so, nor where nothing says who`() {
        for hand in [Quarrel.Hand.snapshot, .unknown] {
            var quarrel = Quarrel()
            quarrel.volume(0, 0.2, 0.5, by: .sender(41))
            quarrel.volume(2, 0.5, 0.2, by: hand)
            quarrel.volume(4, 0.2, 0.5, by: .sender(42))
            #expect(quarrel.lines.isEmpty)
        }
    }

    @Test func `is over the volume of the media, too, where senders are numbered`() {
        var quarrel = Quarrel()
        for (index, moment) in [0.0, 2, 4].enumerated() {
            let up = index % 2 == 0
            quarrel.add(
                moment, .streamVolumeChanged, by: .sender(Int64(20 + index), series: up ? 1 : 2),
                before: ["level": up ? 0.2 : 1], after: ["level": up ? 1 : 0.2])
        }
        #expect(
            quarrel.lines == [
                "1/0/volume_fight 0-4 0.75 2(2) [1/0 2/0 3/0] two senders set the volume of the media against each other twice; ended at 100 %"
            ])
    }

    @Test func `names at most 64 change events, and counts all`() throws {
        let row = try #require(fight((0..<200).map { Double($0) }).conflicts().first)
        #expect(row.evidence.count == 64)
        #expect(row.evidenceCount == 200)
        #expect(row.undoings == 199)
        #expect(row.to == Quarrel.time(199))
    }
}
