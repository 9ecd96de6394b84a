import CastModel
public import Recording

/// By what plays are added up.
public enum TotalKey: String, Sendable, CaseIterable {
    /// Each device.
    case device
    /// Each receiver app.
    case app
    /// Each title; of several contents with one title together.
    case title
    /// Each hour of the day, whatever the day.
    case hour
    /// Each day of the week.
    case weekday
    /// Each day.
    case day
}

/// What plays come to, of one device, app, title, hour or day.
public struct TotalRow: Sendable, Equatable {
    /// What tells it from the others: a device id, an app id, a title, "0" through "23", "1" (Monday) through "7", a day;
    /// nil for what is not said, and for the sum of all.
    public var key: String?
    /// A name of it, for people; nil when it has none.
    public var name: String?
    /// How many plays touch it.
    public var plays: Int64
    /// Seconds played, ads not counted.
    public var playedSeconds: Double
    /// Seconds paused.
    public var pausedSeconds: Double
    /// Seconds of ads.
    public var adSeconds: Double
    /// Of those played, the ones in which the TV was in standby or on another input.
    public var inputInactiveSeconds: Double
    /// How long it is known whether the devices were observed; nil where that says nothing of the row.
    public var knownSeconds: Double?
    /// Of them, those in which they were.
    public var observedSeconds: Double?
}

/// When most plays were on at once.
public struct MostAtOnce: Sendable, Equatable {
    /// How many.
    public var plays: Int64
    /// Since when; the first time that there were so many.
    public var from: WallTime
    /// Until when.
    public var to: WallTime
}

/// Questions that add plays up.
extension LedgerQueries {
    /// What plays come to by a key; nil adds up all of them, in one row.
    ///
    /// Devices, apps and titles with the most time played come first, hours and days in their order. A group's play counts
    /// once, for the group.
    public func totals(
        _ filter: LedgerFilter, zone: String, by key: TotalKey?
    ) throws(StoreError) -> [TotalRow] {
        let known = try devices()
        let scope = try ReportScope(filter, zone: zone, known: known, self)
        var statement = FilteredStatement("", parameters: [])
        let devices = statement.place(.texts(scope.deviceIDs))
        let arguments = scope.arguments(of: &statement, step: key == .hour ? "hour" : "day")
        let (chosen, join) = Self.chosen(of: &statement, scope, key, self)
        let names = Dictionary(known.compactMap { row in row.name.map { (row.deviceID.text, $0) } }) { first, _ in first
        }
        let words = Words(key)
        let limit = filter.limit.map { "LIMIT \(max(0, $0))" } ?? ""
        return try rows(
            """
            WITH \(chosen)played AS (
                -- First each play, then all of them: plays are counted without sorting their names.
                SELECT q.key, min(q.name) AS name, count(*) AS plays, sum(q.played) AS played, sum(q.paused) AS paused,
                    sum(q.ads) AS ads, sum(q.inactive) AS inactive
                FROM (
                    SELECT \(words.ofPlay) AS key, \(words.name) AS name, sum(s.played_seconds) AS played,
                        sum(s.paused_seconds) AS paused, sum(s.ad_seconds) AS ads,
                        sum(s.input_inactive_seconds) AS inactive
                    FROM ledger.play_share(\(arguments)) s \(join)
                    WHERE s.device_id = ANY (\(devices)::text[])
                    GROUP BY 1, s.device_id, s.recorder_id, s.position, s.ordinal
                ) q
                GROUP BY q.key
            ), covered AS (
                SELECT \(words.ofCoverage) AS key, sum(known_seconds) AS known, sum(observed_seconds) AS observed
                FROM ledger.observed_share(\(arguments))
                WHERE device_id = ANY (\(devices)::text[])
                GROUP BY 1
            )
            SELECT coalesce(p.key, c.key), p.name, coalesce(p.plays, 0), coalesce(p.played, 0), coalesce(p.paused, 0),
                coalesce(p.ads, 0), coalesce(p.inactive, 0), c.known, c.observed
            FROM played p \(words.join) c ON coalesce(c.key, '') = coalesce(p.key, '')
            ORDER BY \(words.order) \(limit)
            """, statement.parameters, doing: "adding up what was played"
        ) { row -> TotalRow? in
            guard let plays = row.integer(2), let played = row.double(3), let paused = row.double(4),
                let ads = row.double(5), let inactive = row.double(6)
            else { return nil }
            let key = row.text(0)
            return TotalRow(
                key: key, name: row.text(1) ?? (words.isDevice ? key.flatMap { names[$0] } : nil), plays: plays,
                playedSeconds: played, pausedSeconds: paused, adSeconds: ads, inputInactiveSeconds: inactive,
                knownSeconds: row.double(7), observedSeconds: row.double(8))
        }
    }

    /// The plays that pass the filter, as a part of a statement and a join with it; nothing where all of them do.
    private static func chosen(
        of statement: inout FilteredStatement, _ scope: ReportScope, _ key: TotalKey?, _ queries: LedgerQueries
    ) -> (table: String, join: String) {
        if scope.hasAllPlays, key != .app, key != .title { return ("", "") }
        let columns =
            "device_id, recorder_id, position, ordinal, app_id, app_name, "
            + "coalesce(title, content_id, content_url, entity) AS any_title"
        // No index has the names of plays alone: a hash finds them.
        return (
            "chosen AS MATERIALIZED (\(scope.plays(of: &statement, queries, columns: columns))), ",
            "JOIN chosen p USING (device_id, recorder_id, position, ordinal)"
        )
    }

    /// The parts of the statement that depend on the key.
    private struct Words {
        var ofPlay: String
        var name = "NULL::text"
        var ofCoverage: String
        /// Coverage of what no play touches counts, too, where the key is a matter of place or time.
        var join = "FULL JOIN covered"
        var order = "1 NULLS LAST"
        var isDevice = false

        init(_ key: TotalKey?) {
            let mostFirst = "4 DESC, 3 DESC, 1 NULLS LAST"
            switch key {
            case nil: (ofPlay, ofCoverage) = ("NULL::text", "NULL::text")
            case .device?: (ofPlay, ofCoverage, order, isDevice) = ("s.device_id", "device_id", mostFirst, true)
            case .app?:
                (ofPlay, ofCoverage) = ("coalesce(p.app_id, p.app_name)", "NULL::text")
                (name, join, order) = ("min(p.app_name)", Self.without, mostFirst)
            case .title?:
                (ofPlay, ofCoverage) = ("p.any_title", "NULL::text")
                (join, order) = (Self.without, mostFirst)
            case .hour?: (ofPlay, ofCoverage, order) = ("s.hour::text", "hour::text", "coalesce(p.key, c.key)::integer")
            case .weekday?:
                (ofPlay, ofCoverage) = (
                    "extract(isodow FROM s.day)::integer::text", "extract(isodow FROM day)::integer::text"
                )
            case .day?: (ofPlay, ofCoverage) = ("s.day::text", "day::text")
            }
        }

        /// That of a device says nothing of an app.
        private static let without =
            "LEFT JOIN (SELECT NULL::text AS key, NULL::double precision AS known, "
            + "NULL::double precision AS observed WHERE false)"
    }

    /// When most plays were on at once, of those that pass the filter; nil when none was.
    ///
    /// A play is on from its first to its last sign, paused or not. The times of day of the filter are not looked at.
    public func mostAtOnce(_ filter: LedgerFilter, zone: String) throws(StoreError) -> MostAtOnce? {
        let scope = try ReportScope(filter, zone: zone, known: try devices(), self)
        var statement = FilteredStatement("", parameters: [])
        let devices = statement.place(.texts(scope.deviceIDs))
        let from = statement.place(.time(filter.from))
        let to = statement.place(.time(filter.to))
        let plays = scope.plays(of: &statement, self)
        let found: [MostAtOnce] = try rows(
            """
            WITH lasting AS (
                SELECT greatest(started_at, \(from)::timestamptz) AS from_at,
                    least(coalesce(ended_at, counted_at), \(to)::timestamptz) AS to_at
                FROM (\(plays)) p
                WHERE device_id = ANY (\(devices)::text[])
            ), step AS (
                SELECT from_at AS at, 1 AS change FROM lasting WHERE from_at < to_at
                UNION ALL
                SELECT to_at, -1 FROM lasting WHERE from_at < to_at
            )
            SELECT sum(change) OVER later, at, lead(at) OVER later
            FROM step
            WINDOW later AS (ORDER BY at, change ROWS UNBOUNDED PRECEDING)
            ORDER BY 1 DESC, 2
            LIMIT 1
            """, statement.parameters, doing: "counting what was on at once"
        ) { row -> MostAtOnce? in
            guard let plays = row.integer(0), let from = row.time(1), let to = row.time(2) else { return nil }
            return MostAtOnce(plays: plays, from: from, to: to)
        }
        return found.first
    }
}
