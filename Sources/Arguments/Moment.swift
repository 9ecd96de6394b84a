/// A moment as a person types it.
///
/// Accepted: `now`; `-2h` (that long ago); `2026-03-01`; `2026-03-01T20:15`, with seconds and up to six digits of
/// their fraction if wanted, a blank for the `T` if wanted; and the same followed by `Z` or `+01:00` (RFC 3339).
public struct Moment: Sendable, Equatable {
    /// Microseconds since 1970-01-01T00:00:00Z, if the text is meant in UTC.
    public var microseconds: Int64
    /// Whether the text left open which zone it is meant in: a date, or a date and time of day alone.
    public var isWithoutZone: Bool

    /// A moment, part by part.
    public init(microseconds: Int64, isWithoutZone: Bool) {
        self.microseconds = microseconds
        self.isWithoutZone = isWithoutZone
    }

    /// The moment that a text means; nil when it means none.
    ///
    /// - Parameter now: The present, in microseconds since 1970.
    public init?(_ text: String, now: Int64) {
        if text == "now" {
            self.init(microseconds: now, isWithoutZone: false)
            return
        }
        if text.hasPrefix("-") {
            guard let back = DurationText.microseconds(String(text.dropFirst())) else { return nil }
            let (then, overflow) = now.subtractingReportingOverflow(back)
            guard !overflow else { return nil }
            self.init(microseconds: then, isWithoutZone: false)
            return
        }
        var reader = DigitReader(Array(text.utf8))
        guard let day = reader.date() else { return nil }
        if reader.isAtEnd {
            self.init(microseconds: day * 86_400_000_000, isWithoutZone: true)
            return
        }
        guard let sinceMidnight = reader.timeOfDay() else { return nil }
        let zoneless = day * 86_400_000_000 + sinceMidnight
        if reader.isAtEnd {
            self.init(microseconds: zoneless, isWithoutZone: true)
            return
        }
        guard let offset = reader.zoneOffset(), reader.isAtEnd else { return nil }
        self.init(microseconds: zoneless - offset * 60_000_000, isWithoutZone: false)
    }
}

/// Reads the parts of an ISO 8601 date and time, digit by digit.
private struct DigitReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    /// Days since 1970 of `2026-03-01`, years 1970 to 9999.
    mutating func date() -> Int64? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
            let day = number(digits: 2), year >= 1970, (1...12).contains(month), day >= 1,
            day <= Self.days(in: month, of: year)
        else { return nil }
        return Self.daysSince1970(year: year, month: month, day: day)
    }

    /// Microseconds since midnight of `T20:15:04.123456`.
    mutating func timeOfDay() -> Int64? {
        guard take("T") || take("t") || take(" "), let hour = number(digits: 2), take(":"),
            let minute = number(digits: 2), hour < 24, minute < 60
        else { return nil }
        let minutes = hour * 60 + minute
        guard take(":") else { return minutes * 60_000_000 }
        guard let second = number(digits: 2), second < 60 else { return nil }
        let microseconds = (minutes * 60 + second) * 1_000_000
        guard take(".") else { return microseconds }
        var fraction: Int64 = 0
        var digits = 0
        while digits < 6, let digit = number(digits: 1) {
            fraction = fraction * 10 + digit
            digits += 1
        }
        guard digits > 0 else { return nil }
        for _ in digits..<6 { fraction *= 10 }
        return microseconds + fraction
    }

    /// Minutes east of UTC of `Z` or `+01:00`.
    mutating func zoneOffset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let isEast = take("+")
        guard isEast || take("-"), let hours = number(digits: 2), take(":"), let minutes = number(digits: 2),
            hours < 24, minutes < 60
        else { return nil }
        return (isEast ? 1 : -1) * (hours * 60 + minutes)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func number(digits: Int) -> Int64? {
        guard index + digits <= bytes.count else { return nil }
        var number: Int64 = 0
        for byte in bytes[index..<index + digits] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        index += digits
        return number
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts from March, so that the leap day comes last in its year.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let marchMonth = month > 2 ? month - 3 : month + 9
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return marchYear * 365 + leapDays + (153 * marchMonth + 2) / 5 + day - 1 - 719_468
    }
}
