public import CastModel
public import Recording

/// What an archive takes of the disk, how it grows, and whether it was found whole: for the command line, the page and
/// Prometheus alike.
public struct ArchiveStorage: Sendable, Equatable {
    /// What one day takes.
    public struct Day: Sendable, Equatable {
        /// The day of the segments' first records, in UTC.
        public var day: CalendarDay
        /// Their bytes on disk, with their indexes.
        public var bytes: Int64

        /// A day.
        public init(_ day: CalendarDay, bytes: Int64) {
            self.day = day
            self.bytes = bytes
        }
    }

    /// Days told, the latest.
    private static let daysTold = 31
    /// Whole days that the rate is made of, the latest.
    private static let daysOfRate = 7

    /// All days that have segments, in order.
    public var days: [Day]
    /// The day that is not over yet.
    public var today: CalendarDay
    /// Free bytes of its volume; nil when not known.
    public var freeBytes: Int64?
    /// The last check; nil when none is noted.
    public var check: ArchiveCheck?

    /// What an archive takes, part by part.
    public init(days: [Day], today: CalendarDay, freeBytes: Int64?, check: ArchiveCheck?) {
        self.days = days.sorted { $0.day < $1.day }
        self.today = today
        self.freeBytes = freeBytes
        self.check = check
    }

    /// All of it, in bytes.
    public var bytes: Int64 { days.reduce(0) { $0 + $1.bytes } }

    /// Bytes of a day on which it was recorded: the mean of the last seven that are over.
    ///
    /// Nil before the first is.
    public var bytesPerDay: Double? {
        let whole = days.filter { $0.day < today }.suffix(Self.daysOfRate)
        return whole.isEmpty ? nil : Double(whole.reduce(0) { $0 + $1.bytes }) / Double(whole.count)
    }

    /// Days until the archive alone fills its volume at that rate; nil where that cannot be told.
    public var daysUntilFull: Double? {
        guard let rate = bytesPerDay, rate > 0, let freeBytes else { return nil }
        return Double(freeBytes) / rate
    }

    /// The facts under stable names.
    public var object: JSONObject {
        JSONObject([
            ("archive_bytes", .integer(bytes)),
            (
                "archive_days",
                .array(
                    days.suffix(Self.daysTold).map {
                        ["day": .string(String($0.day.start.text.prefix(10))), "bytes": .integer($0.bytes)]
                    })
            ),
            ("archive_bytes_per_day", bytesPerDay.map { .integer(Int64($0.rounded())) } ?? .null),
            ("archive_days_until_full", daysUntilFull.map { .number(($0 * 10).rounded() / 10) } ?? .null),
            ("last_verify", check?.json ?? .null),
        ])
    }

    /// The same in two lines for people.
    public var summary: [String] {
        let rate = bytesPerDay.map { ", \(Figures.bytes(Int64($0.rounded()))) a day" } ?? ""
        let full = daysUntilFull.map { $0 < 3650 ? ", room for \(Int64($0)) days of it" : "" } ?? ""
        return [
            "storage    \(Figures.bytes(bytes)) archived on \(days.count) \(days.count == 1 ? "day" : "days")\(rate)\(full)",
            "verified   \(check?.words ?? "never noted: castledger archive verify")",
        ]
    }
}
