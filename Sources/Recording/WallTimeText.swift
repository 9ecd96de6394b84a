/// A day of the proleptic Gregorian calendar.
public struct CalendarDay: Sendable, Hashable, Comparable {
    /// Days since 1970-01-01; 0 through 2,932,896 (9999-12-31).
    public let number: Int64

    /// A day by its number, clamped to the years 1970 through 9999.
    public init(number: Int64) { self.number = min(max(number, 0), Self.last) }

    /// A day by year, month and day of the month; nil when there is no such day in the years 1970 through 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1970...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        guard day <= (month == 2 ? (leap ? 29 : 28) : Self.lengths[month - 1]) else { return nil }
        // The year is counted from March, so that the leap day is its last.
        let shiftedYear = Int64(month <= 2 ? year - 1 : year)
        let monthFromMarch = Int64((month + 9) % 12)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
        number = 365 * shiftedYear + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400 + dayOfYear - Self.epoch
    }

    /// Year 1970 through 9999, month 1 through 12 and day of the month 1 through 31.
    public var parts: (year: Int, month: Int, day: Int) {
        let days = number + Self.epoch
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)), Int(month), Int(day))
    }

    /// Midnight UTC at the start of the day.
    public var start: WallTime { WallTime(microseconds: number * WallTime.microsecondsPerDay) }

    /// Earlier before later.
    public static func < (one: CalendarDay, other: CalendarDay) -> Bool { one.number < other.number }

    private static let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    /// Days from 0000-03-01 to 1970-01-01.
    private static let epoch: Int64 = 719_468
    private static let last: Int64 = 2_932_896
}

extension WallTime {
    static let microsecondsPerDay: Int64 = 86_400_000_000

    /// The day in UTC; moments outside 1970 through 9999 count as the first or last day.
    public var dayUTC: CalendarDay {
        CalendarDay(number: microseconds / Self.microsecondsPerDay)
    }

    /// RFC 3339 in UTC with microseconds, such as `2026-03-01T20:15:04.123456Z`: always 27 characters.
    ///
    /// Moments before 1970 and after 9999 are written as the first or last moment between.
    public var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(27)
        writeText(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the 27 bytes of ``text``.
    public func writeText(to bytes: inout [UInt8]) {
        let clamped = min(max(microseconds, 0), Self.latest)
        let day = CalendarDay(number: clamped / Self.microsecondsPerDay).parts
        let microsecond = Int(clamped % Self.microsecondsPerDay)
        let second = microsecond / 1_000_000
        Self.write(day.year, digits: 4, then: "-", to: &bytes)
        Self.write(day.month, digits: 2, then: "-", to: &bytes)
        Self.write(day.day, digits: 2, then: "T", to: &bytes)
        Self.write(second / 3600, digits: 2, then: ":", to: &bytes)
        Self.write(second / 60 % 60, digits: 2, then: ":", to: &bytes)
        Self.write(second % 60, digits: 2, then: ".", to: &bytes)
        Self.write(microsecond % 1_000_000, digits: 6, then: "Z", to: &bytes)
    }

    /// The moment that ``text`` writes; nil for any other spelling.
    ///
    /// Strict: years 1970 through 9999, six digits after the point, capital `T` and `Z`, no leap second. Shorter and
    /// relative forms that a person types are the command line's business.
    public init?(text: String) {
        var text = text
        guard let time = text.withUTF8({ WallTime(utf8: $0) }) else { return nil }
        self = time
    }

    /// The moment that the 27 bytes of ``text`` write; nil for any others.
    init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count == 27 else { return nil }
        var isDigital = true
        func number(_ range: Range<Int>) -> Int {
            var value = 0
            for index in range {
                let digit = bytes[index] &- UInt8(ascii: "0")
                if digit > 9 { isDigital = false }
                value = value &* 10 &+ Int(digit)
            }
            return value
        }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        let microsecond = number(20..<26)
        let isPunctuated =
            bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-") && bytes[10] == UInt8(ascii: "T")
            && bytes[13] == UInt8(ascii: ":") && bytes[16] == UInt8(ascii: ":") && bytes[19] == UInt8(ascii: ".")
            && bytes[26] == UInt8(ascii: "Z")
        guard isDigital, isPunctuated, hour < 24, minute < 60, second < 60,
            let date = CalendarDay(year: year, month: month, day: day)
        else { return nil }
        let seconds = Int64(hour * 3600 + minute * 60 + second)
        microseconds = date.number * Self.microsecondsPerDay + seconds * 1_000_000 + Int64(microsecond)
    }

    /// 9999-12-31T23:59:59.999999Z.
    private static let latest: Int64 = 2_932_897 * microsecondsPerDay - 1

    private static func write(_ value: Int, digits: Int, then separator: Unicode.Scalar, to bytes: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
        bytes.append(UInt8(ascii: separator))
    }
}
