import Differ
import Recording

/// The partitions of `change_event`, one per month of UTC, made before they are needed.
///
/// A month without one is no failure: its rows go to the default partition.
struct MonthlyPartitions {
    /// A month of UTC, by the count of months since January 1970.
    struct Month: Hashable, Comparable {
        let number: Int

        init(number: Int) { self.number = number }

        init(of time: WallTime) {
            let day = time.dayUTC.parts
            number = (day.year - 1970) * 12 + day.month - 1
        }

        var year: Int { 1970 + number / 12 }
        var month: Int { number % 12 + 1 }
        /// "2026_03".
        var suffix: String { "\(year)_\(month < 10 ? "0" : "")\(month)" }
        /// "2026-03-01 00:00:00+00".
        var start: String { "\(year)-\(month < 10 ? "0" : "")\(month)-01 00:00:00+00" }
        func advanced(by months: Int) -> Month { Month(number: number + months) }

        static func < (one: Month, other: Month) -> Bool { one.number < other.number }
    }

    /// Months after the newest one that get a partition too.
    static let monthsAhead = 2
    /// A wrong clock must not make partitions without end; 2000-01 through 2099-12 may have one.
    static let reasonable = Month(number: 360)...Month(number: 1559)

    private var known: Set<Month> = []

    /// Sees to it that each month of these events, and the next two, has its partition.
    mutating func make(for events: [ChangeEvent], on connection: PostgresConnection) throws(StoreError) {
        let missing = Self.months(of: events).subtracting(known).filter(Self.reasonable.contains)
        for month in missing.sorted() {
            try Self.make(month, on: connection)
            known.insert(month)
        }
    }

    /// The months of these events, and those that follow each.
    static func months(of events: [ChangeEvent]) -> Set<Month> {
        // Most events share their month with the one before: days are cheaper to compare than calendars.
        var days: Set<CalendarDay> = []
        for event in events { days.insert(event.observedAt.dayUTC) }
        return Set(days.flatMap { day in (0...monthsAhead).map { Month(of: day.start).advanced(by: $0) } })
    }

    private static func make(_ month: Month, on connection: PostgresConnection) throws(StoreError) {
        let doing = "making the partition of \(month.suffix)"
        do {
            try connection.transaction(doing: doing) { () throws(StoreError) in
                try connection.execute("SELECT pg_advisory_xact_lock(\(Migration.lock))", doing: doing)
                try connection.execute(
                    """
                    CREATE TABLE IF NOT EXISTS projection.change_event_\(month.suffix)
                    PARTITION OF projection.change_event
                    FOR VALUES FROM ('\(month.start)') TO ('\(month.advanced(by: 1).start)')
                    """, doing: doing)
            }
        } catch {
            // Refused, for one because the default partition already has rows of this month: they stay there.
            guard case .refused = error, !error.isPassing else { throw error }
        }
    }
}
