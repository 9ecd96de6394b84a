import Recording
import Testing

@Suite("A moment as text")
struct WallTimeTests {
    // Expected values: Python's datetime.
    static let known: [(Int64, String)] = [
        (0, "1970-01-01T00:00:00.000000Z"),
        (946_684_799_999_999, "1999-12-31T23:59:59.999999Z"),
        (951_825_600_000_001, "2000-02-29T12:00:00.000001Z"),
        (1_709_251_199_500_000, "2024-02-29T23:59:59.500000Z"),
        (1_772_396_104_123_456, "2026-03-01T20:15:04.123456Z"),
        (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
        (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
    ]

    @Test(arguments: known)
    func `is RFC 3339 in UTC with microseconds, both ways`(microseconds: Int64, text: String) {
        #expect(WallTime(microseconds: microseconds).text == text)
        #expect(WallTime(text: text) == WallTime(microseconds: microseconds))
    }

    @Test(arguments: [
        "", "2026-03-01", "2026-03-01T20:15:04Z", "2026-03-01T20:15:04.123Z", "2026-03-01T20:15:04.123456",
        "2026-03-01 20:15:04.123456Z", "2026-03-01t20:15:04.123456z", "2026-03-01T20:15:04.123456+00:00",
        "2026-02-29T00:00:00.000000Z", "2100-02-29T00:00:00.000000Z", "2026-04-31T00:00:00.000000Z",
        "2026-00-01T00:00:00.000000Z", "2026-13-01T00:00:00.000000Z", "2026-01-00T00:00:00.000000Z",
        "2026-01-01T24:00:00.000000Z", "2026-01-01T00:60:00.000000Z", "2016-12-31T23:59:60.000000Z",
        "1969-12-31T23:59:59.999999Z", "0000-01-01T00:00:00.000000Z", "+026-03-01T20:15:04.123456Z",
        "2026-03-01T20:15:04,123456Z", "２026-03-01T20:15:04.123456Z", "2026-03-01T20:15:04.123456Z ",
    ])
    func `refuses every other spelling`(text: String) {
        #expect(WallTime(text: text) == nil)
    }

    @Test func `counts every day of 8030 years, each one after the other`() {
        var expected: Int64 = 0
        for year in 1970...9999 {
            let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
            for (month, length) in [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                for day in [1, length] {
                    let number = expected + Int64(day - 1)
                    let made = CalendarDay(year: year, month: month + 1, day: day)
                    guard made?.number == number else {
                        Issue.record("\(year)-\(month + 1)-\(day) is day \(number), not \(String(describing: made))")
                        return
                    }
                    let parts = CalendarDay(number: number).parts
                    guard parts == (year, month + 1, day) else {
                        Issue.record("day \(number) is \(year)-\(month + 1)-\(day), not \(parts)")
                        return
                    }
                }
                expected += Int64(length)
            }
        }
        #expect(expected == 2_932_897)
    }

    @Test(arguments: [
        (Int64.min, "1970-01-01T00:00:00.000000Z"), (-1, "1970-01-01T00:00:00.000000Z"),
        (253_402_300_800_000_000, "9999-12-31T23:59:59.999999Z"), (Int64.max, "9999-12-31T23:59:59.999999Z"),
    ])
    func `stays within the years 1970 through 9999, whatever the clock says`(microseconds: Int64, text: String) {
        #expect(WallTime(microseconds: microseconds).text == text)
    }

    @Test func `ends its day at midnight UTC`() {
        let midnight: Int64 = 1_772_323_200_000_000  // 2026-03-01T00:00:00Z
        #expect(WallTime(microseconds: midnight - 1).dayUTC.parts == (2026, 2, 28))
        #expect(WallTime(microseconds: midnight).dayUTC.parts == (2026, 3, 1))
        #expect(WallTime(microseconds: midnight).dayUTC.start == WallTime(microseconds: midnight))
    }
}
