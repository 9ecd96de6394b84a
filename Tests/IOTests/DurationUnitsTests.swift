import Testing

@testable import IO

@Suite("A duration in other units")
struct DurationUnitsTests {
    @Test(
        arguments: [
            (Duration.zero, 0, 0), (.nanoseconds(1), 1, 1), (.milliseconds(20), 20_000_000, 20),
            (.nanoseconds(20_000_001), 20_000_001, 21), (.nanoseconds(-5), -5, 0), (.seconds(3), 3_000_000_000, 3000),
            (.seconds(10_000_000_000), Int64.max, Int32.max), (.seconds(-10_000_000_000), Int64.min, 0),
            (.seconds(Int64.max), Int64.max, Int32.max),
        ] as [(Duration, Int64, Int32)])
    func `is cut to what fits, and a wait is rounded up`(duration: Duration, nanoseconds: Int64, milliseconds: Int32) {
        #expect(duration.wholeNanoseconds == nanoseconds)
        #expect(duration.pollMilliseconds == milliseconds)
    }

    @Test func `beyond the end of the clock is never, not a trap`() {
        #expect(Clock.monotonicNanoseconds(after: .seconds(Int64.max)) == .max)
    }
}
