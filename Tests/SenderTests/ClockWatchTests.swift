import IO
import Recording
import Testing

@testable import Sender

@Suite("A look at the clocks")
struct ClockWatchTests {
    /// 2026-03-01T20:00:00Z and a machine that is up for a thousand seconds.
    private static let start = ClockTimes(
        wallMicroseconds: 1_772_395_200_000_000, monotonicNanoseconds: 1_000_000_000_000, suspendedNanoseconds: 0)

    /// The clocks, some seconds later by each.
    private static func later(wall: Double, monotonic: Double, slept: Double = 0) -> ClockTimes {
        ClockTimes(
            wallMicroseconds: start.wallMicroseconds + Int64(wall * 1e6),
            monotonicNanoseconds: start.monotonicNanoseconds + Int64(monotonic * 1e9),
            suspendedNanoseconds: start.suspendedNanoseconds + Int64(slept * 1e9))
    }

    private static func findings(_ times: ClockTimes) -> [ClockWatch.Finding] {
        var watch = ClockWatch()
        #expect(watch.look(start) == [])
        return watch.look(times)
    }

    private static func wall(_ seconds: Double) -> WallTime {
        WallTime(microseconds: start.wallMicroseconds + Int64(seconds * 1e6))
    }

    @Test(arguments: [3_605.0, -3_595.0, 6.1, 3.9])
    func `finds that the wall clock was set, forwards or back`(shown: Double) {
        #expect(
            Self.findings(Self.later(wall: shown, monotonic: 5)) == [.jumped(from: Self.wall(5), to: Self.wall(shown))])
    }

    @Test(arguments: [
        (5.0, 5.0), (6.0, 5.0), (4.0, 5.0),
        // An NTP daemon gains at most 500 parts in a million: half a second in a thousand, 43.2 s in a day.
        (1_000.5, 1_000.0), (86_443.2, 86_400.0), (86_356.8, 86_400.0),
    ])
    func `finds nothing in a clock that is slewed or read a moment later`(wall: Double, monotonic: Double) {
        #expect(Self.findings(Self.later(wall: wall, monotonic: monotonic)) == [])
    }

    @Test func `finds that the machine slept, for what both clocks counted`() {
        #expect(
            Self.findings(Self.later(wall: 65, monotonic: 65, slept: 60)) == [
                .slept(from: Self.wall(5), to: Self.wall(65))
            ])
    }

    @Test func `finds both, the sleep by the clock as it was set`() {
        #expect(
            Self.findings(Self.later(wall: 165, monotonic: 65, slept: 60)) == [
                .jumped(from: Self.wall(65), to: Self.wall(165)), .slept(from: Self.wall(105), to: Self.wall(165)),
            ])
    }

    @Test func `survives clocks that show absurd times`() {
        for wall in [Int64.min, .max, 0] {
            var watch = ClockWatch()
            _ = watch.look(Self.start)
            _ = watch.look(ClockTimes(wallMicroseconds: wall, monotonicNanoseconds: .max, suspendedNanoseconds: .max))
            _ = watch.look(ClockTimes(wallMicroseconds: 0, monotonicNanoseconds: .min, suspendedNanoseconds: .min))
            _ = watch.look(Self.start)
        }
    }

    @Test func `at this machine's clocks finds nothing, a thousand times`() {
        var watch = ClockWatch()
        for _ in 0..<1_000 { #expect(watch.look(ClockTimes.read()) == []) }
    }
}
