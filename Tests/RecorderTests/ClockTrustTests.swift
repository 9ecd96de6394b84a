import Recording
import Testing

@testable import Recorder

@Suite("Trust in the wall clock")
struct ClockTrustTests {
    private static let second: Int64 = 1_000_000
    /// 2026-03-01T20:00:00Z.
    private static let start: Int64 = 1_772_395_200 * second

    /// The clocks after so many seconds, the wall clock being off by some.
    private func clocks(_ seconds: Int64, off: Int64 = 0) -> ClockReading {
        ClockReading(
            wall: WallTime(microseconds: Self.start + (seconds + off) * Self.second),
            monotonic: MonotonicTime(nanoseconds: seconds * 1_000_000_000))
    }

    private func last(_ secondsBefore: Int64) -> WallTime {
        WallTime(microseconds: Self.start - secondsBefore * Self.second)
    }

    /// Seconds from the last record to the beginning, and whether ages are believed then.
    @Test(arguments: [(-1, false), (0, true), (1, true), (86_400, true), (86_401, false)] as [(Int64, Bool)])
    func `is there at a start that comes no more than a day after the last record`(seconds: Int64, isBelieved: Bool) {
        let trust = ClockTrust(beginning: clocks(0), lastDurable: last(seconds))
        #expect(trust.believes(clocks(0)) == isBelieved)
        #expect(trust.believes(clocks(86_399)) == isBelieved)
        #expect(trust.believes(clocks(86_400)))
    }

    @Test func `is there at the first start of all, and ends for a day with a jump of more than a minute`() {
        var trust = ClockTrust(beginning: clocks(0), lastDurable: nil)
        func look(_ now: ClockReading) -> [Bool] {
            let hasJumped = trust.look(now)
            return [hasJumped, trust.believes(now)]
        }
        #expect(look(clocks(60)) == [false, true])
        #expect(look(clocks(120, off: 60)) == [false, true], "slewed")
        #expect(look(clocks(180, off: 121)) == [true, false])
        #expect(look(clocks(240, off: 121)) == [false, false], "told once")
        #expect(look(clocks(180 + 86_399, off: 121)) == [false, false])
        #expect(look(clocks(180 + 86_400, off: 121)) == [false, true])
        #expect(look(clocks(100_000)) == [true, false], "and back")
    }
}
