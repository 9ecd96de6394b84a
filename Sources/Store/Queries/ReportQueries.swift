public import CastModel
import Differ
import Plays
public import Recording

/// How much of a play lies in one day, in seconds.
public struct PlayShare: Sendable, Equatable {
    /// Played, ads not counted.
    public var playedSeconds: Double
    /// Paused.
    public var pausedSeconds: Double
    /// Waiting for data.
    public var bufferingSeconds: Double
    /// Ads.
    public var adSeconds: Double
    /// Not observed.
    public var gapSeconds: Double
    /// Of those played, the ones in which the TV was in standby or on another input.
    public var inputInactiveSeconds: Double
}

/// One play of one day of one device, or the day itself when nothing was played on it.
public struct AsRunRow: Sendable, Equatable {
    /// Which device.
    public var deviceID: DeviceID
    /// Its present friendly name; nil when it never said one.
    public var deviceName: String?
    /// "2026-03-01", in the time zone asked for.
    public var day: String
    /// How much of the day it is known whether the device was observed, in seconds.
    public var knownSeconds: Double
    /// Of them, those in which it was.
    public var observedSeconds: Double
    /// The play; nil when nothing that passes the filter was played that day.
    public var play: PlayRow?
    /// How much of the play lies in the day; nil when there is none.
    public var share: PlayShare?
}

/// How one device spent one day.
public struct UptimeRow: Sendable, Equatable {
    /// Which device.
    public var deviceID: DeviceID
    /// Its present friendly name; nil when it never said one.
    public var deviceName: String?
    /// "2026-03-01", in the time zone asked for.
    public var day: String
    /// How long it is known whether the device was observed, in seconds.
    public var knownSeconds: Double
    /// Of them, those in which it was.
    public var observedSeconds: Double
    /// Those in which we had a link to it.
    public var reachableSeconds: Double
    /// Those in which we tried and had none.
    public var unreachableSeconds: Double
    /// Seconds by activity, as ``LaneRow/activity`` spells them.
    public var activities: [String: Double]
}

/// What reports ask, day by day.
extension LedgerQueries {
    /// The first moments of a day and of the one after it, on the clocks of a time zone.
    public func day(_ day: String, zone: String) throws(StoreError) -> (from: WallTime, to: WallTime) {
        let doing = "finding out when a day begins"
        let row = try connection.execute(
            """
            SELECT ledger.first_moment($1::date::timestamp, $2::text),
                ledger.first_moment(($1::date + 1)::timestamp, $2::text)
            """, [.text(day), .text(zone)], doing: doing
        ).first
        guard let from = row?.time(0), let to = row?.time(1) else { throw .unexpectedAnswer(doing: doing) }
        return (from, to)
    }

    /// Hands over what was played, by device in the order of ``devices()``, then by day, then by time, until `each` returns
    /// false.
    ///
    /// A play that lies in several days comes once for each. A day on which nothing was played, of which something is known,
    /// comes without a play.
    ///
    /// - Returns: How many plays were passed over because a newer program stored a word that this one does not know.
    @discardableResult
    public func asRun(
        _ filter: LedgerFilter, zone: String, each: (AsRunRow) throws(StoreError) -> Bool
    ) throws(StoreError) -> Int {
        let doing = "reading what was played, day by day"
        let known = try devices()
        let scope = try ReportScope(filter, zone: zone, known: known, self)
        var statement = FilteredStatement("", parameters: [])
        let devices = statement.place(.texts(scope.deviceIDs))
        let arguments = scope.arguments(of: &statement, step: "day")
        let plays = scope.plays(of: &statement, self)
        let sql = """
            WITH share AS (
                SELECT device_id, recorder_id, position, ordinal, day, sum(played_seconds) AS share_played,
                    sum(paused_seconds) AS share_paused, sum(buffering_seconds) AS share_buffering,
                    sum(ad_seconds) AS share_ads, sum(gap_seconds) AS share_gap,
                    sum(input_inactive_seconds) AS share_inactive
                FROM ledger.play_share(\(arguments)) GROUP BY device_id, recorder_id, position, ordinal, day
            ), covered AS (
                SELECT device_id, day, sum(known_seconds) AS known, sum(observed_seconds) AS observed
                FROM ledger.observed_share(\(arguments)) GROUP BY device_id, day
            ), chosen AS MATERIALIZED (
                -- No index has the names of plays alone: a hash finds them.
                \(plays)
            ), played AS (
                SELECT \(PlayReading.columns), s.day, s.share_played, s.share_paused, s.share_buffering, s.share_ads,
                    s.share_gap, s.share_inactive
                FROM share s JOIN chosen p USING (device_id, recorder_id, position, ordinal)
            )
            SELECT q.*, c.device_id, c.day::text, c.known, c.observed
            FROM unnest(\(devices)::text[]) WITH ORDINALITY d (device_id, place)
            JOIN covered c ON c.device_id = d.device_id
            LEFT JOIN played q ON q.device_id = c.device_id AND q.day = c.day
            ORDER BY d.place, c.day, q.started_at, q.recorder_id, q.position, q.ordinal
            """
        let names = Dictionary(known.compactMap { row in row.name.map { (row.deviceID, $0) } }) { first, _ in first }
        var unknown = 0
        try connection.stream(sql, statement.parameters, doing: doing) { row throws(StoreError) in
            guard let device = row.text(51).map(DeviceID.init), let day = row.text(52), let known = row.double(53),
                let observed = row.double(54)
            else { throw .unexpectedAnswer(doing: doing) }
            var found = AsRunRow(
                deviceID: device, deviceName: names[device], day: day, knownSeconds: known, observedSeconds: observed)
            guard row.text(0) != nil else { return try each(found) }
            switch PlayReading.read(row, names: names, parser: parser) {
            case .play(let play):
                guard let share = Self.share(row, from: 45) else { throw .unexpectedAnswer(doing: doing) }
                (found.play, found.share) = (play, share)
                return try each(found)
            case .unknownWord:
                unknown += 1
                return true
            case .malformed: throw .unexpectedAnswer(doing: doing)
            }
        }
        return unknown
    }

    private static func share(_ row: PostgresRow, from column: Int) -> PlayShare? {
        guard let played = row.double(column), let paused = row.double(column + 1),
            let buffering = row.double(column + 2), let ads = row.double(column + 3), let gap = row.double(column + 4),
            let inactive = row.double(column + 5)
        else { return nil }
        return PlayShare(
            playedSeconds: played, pausedSeconds: paused, bufferingSeconds: buffering, adSeconds: ads, gapSeconds: gap,
            inputInactiveSeconds: inactive)
    }

    /// Hands over how devices spent their days, by device in the order of ``devices()``, then by day, until `each` returns
    /// false.
    public func uptime(
        _ filter: LedgerFilter, zone: String, each: (UptimeRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let doing = "reading how devices spent their days"
        let known = try devices()
        let scope = try ReportScope(filter, zone: zone, known: known, self)
        var statement = FilteredStatement("", parameters: [])
        let devices = statement.place(.texts(scope.deviceIDs))
        let arguments = scope.arguments(of: &statement, step: nil)
        let names = Dictionary(known.compactMap { row in row.name.map { (row.deviceID, $0) } }) { first, _ in first }
        try connection.stream(
            """
            SELECT u.device_id, u.day::text, u.known_seconds, u.observed_seconds, u.reachable_seconds,
                u.unreachable_seconds, u.activities
            FROM unnest(\(devices)::text[]) WITH ORDINALITY d (device_id, place)
            JOIN ledger.uptime(\(arguments)) u ON u.device_id = d.device_id
            ORDER BY d.place, u.day
            """, statement.parameters, doing: doing
        ) { row throws(StoreError) in
            guard let device = row.text(0).map(DeviceID.init), let day = row.text(1), let known = row.double(2),
                let observed = row.double(3), let reachable = row.double(4), let unreachable = row.double(5),
                let told = row.jsonText(6).flatMap({ try? parser.parse($0) })?.object
            else { throw .unexpectedAnswer(doing: doing) }
            let activities = told.pairs.compactMap { pair in pair.value.lossyNumber.map { (pair.key, $0) } }
            return try each(
                UptimeRow(
                    deviceID: device, deviceName: names[device], day: day, knownSeconds: known,
                    observedSeconds: observed, reachableSeconds: reachable, unreachableSeconds: unreachable,
                    activities: Dictionary(activities) { first, _ in first }))
        }
    }
}

/// What a report is about, as arguments of the schema's functions.
struct ReportScope {
    /// The devices, in the order of reports.
    let deviceIDs: [String]
    private let only: String?
    private let filter: LedgerFilter
    private let zone: String

    init(
        _ filter: LedgerFilter, zone: String, known: [DeviceRow], _ queries: LedgerQueries
    ) throws(StoreError) {
        self.filter = filter
        self.zone = zone
        let wanted = try queries.deviceIDs(filter, among: known).map { Set($0) }
        deviceIDs = known.map(\.deviceID.text).filter { wanted?.contains($0) ?? true }
        only = deviceIDs.count == 1 ? deviceIDs[0] : nil
    }

    /// The arguments of a function: period, zone, step where it takes one, device, hours.
    func arguments(of statement: inout FilteredStatement, step: String?) -> String {
        let from = statement.place(.time(filter.from))
        let to = statement.place(.time(filter.to))
        let zone = statement.place(.text(zone))
        let device = statement.place(.text(only))
        let window = LedgerQueries.window(filter.hours, of: &statement)
        let step = step.map { "'\($0)', " } ?? ""
        return "\(from)::timestamptz, \(to)::timestamptz, \(zone)::text, \(step)\(device)::text, \(window)"
    }

    /// Whether every play of the devices passes the filter.
    var hasAllPlays: Bool { filter.plays == PlayFilter() && filter.site == nil }

    /// A query of the plays that pass the filter, whole.
    func plays(
        of statement: inout FilteredStatement, _ queries: LedgerQueries, columns: String = "*"
    ) -> String {
        var inner = FilteredStatement("SELECT \(columns) FROM ledger.plays", parameters: statement.parameters)
        let from = inner.place(.time(filter.from))
        let to = inner.place(.time(filter.to))
        let period = "tstzrange(\(from)::timestamptz, \(to)::timestamptz)"
        if let only {
            // By its key: the index of times would give the plays of all devices.
            inner.require("device_id = $", .text(only))
            inner.require("NOT isempty(span * \(period))")
        } else {
            inner.require("span && \(period)")
        }
        if let site = filter.site { queries.require(site: site, of: &inner) }
        queries.require(filter.plays, of: &inner)
        statement = FilteredStatement("", parameters: inner.parameters)
        return inner.sql
    }
}
