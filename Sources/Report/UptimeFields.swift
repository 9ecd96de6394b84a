import CastModel

/// A row of `castledger report uptime`: how a device spent a day, a device's sum, or the sum of all.
///
/// The names and their order are stable.
public struct UptimeFields: Sendable {
    /// Of what it tells.
    public var scope: CoverageFields.Scope
    /// Which device; nil for all.
    public var deviceID: String?
    /// Its friendly name; nil when it never said one, and for all.
    public var deviceName: String?
    /// "2026-03-01"; nil for sums.
    public var day: String?
    /// How long it is known whether the device was observed, in seconds.
    public var knownSeconds: Double
    /// Of them, those in which it was.
    public var observedSeconds: Double
    /// Those in which we had a link to it.
    public var reachableSeconds: Double
    /// Those in which we tried and had none.
    public var unreachableSeconds: Double
    /// Seconds by activity.
    public var activities: [String: Double]

    /// The activities, in the order of reports.
    public static let activityNames = [
        "playing", "paused", "buffering", "loading", "advertisement", "unknown", "app_only", "standby", "other_input",
        "idle", "unobserved",
    ]

    /// A row, part by part.
    public init(
        scope: CoverageFields.Scope, deviceID: String?, deviceName: String?, day: String?, knownSeconds: Double = 0,
        observedSeconds: Double = 0, reachableSeconds: Double = 0, unreachableSeconds: Double = 0,
        activities: [String: Double] = [:]
    ) {
        self.scope = scope
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.day = day
        self.knownSeconds = knownSeconds
        self.observedSeconds = observedSeconds
        self.reachableSeconds = reachableSeconds
        self.unreachableSeconds = unreachableSeconds
        self.activities = activities
    }

    /// Counts other time to this.
    public mutating func add(_ other: UptimeFields) {
        knownSeconds += other.knownSeconds
        observedSeconds += other.observedSeconds
        reachableSeconds += other.reachableSeconds
        unreachableSeconds += other.unreachableSeconds
        activities.merge(other.activities, uniquingKeysWith: +)
    }

    /// The share of the time in which we looked that it could be reached, 0 through 1; nil when we never looked.
    public var uptime: Double? {
        let looked = reachableSeconds + unreachableSeconds
        return looked > 0 ? reachableSeconds / looked : nil
    }

    /// The names, in order.
    public static let names =
        [
            "row", "device_id", "device", "day", "known_seconds", "observed_seconds", "observed", "reachable_seconds",
            "unreachable_seconds", "uptime",
        ] + activityNames.map { $0 + "_seconds" }

    private var values: [JSONValue?] {
        [
            .string(scope.rawValue), deviceID.map(JSONValue.string), deviceName.map(JSONValue.string),
            day.map(JSONValue.string), .number(knownSeconds), .number(observedSeconds),
            knownSeconds > 0 ? .number(observedSeconds / knownSeconds) : nil, .number(reachableSeconds),
            .number(unreachableSeconds), uptime.map(JSONValue.number),
        ] + Self.activityNames.map { .number(activities[$0] ?? 0) }
    }

    /// One JSON object, without newline; absent values are `null`.
    public var json: String {
        JSONValue.object(JSONObject(zip(Self.names, values).map { (key: $0, value: $1 ?? .null) })).text
    }

    /// The heading of a CSV file, with its CRLF.
    public static let csvHeading = CSVLine.text(names.map { $0 })

    /// One CSV line with its CRLF.
    public var csv: String { CSVLine.text(values.map { $0?.string ?? $0?.text }) }

    /// The columns of ``activityCells(of:_:)``.
    public static let activityColumns: [Table.Column] = [.init("device", limitColumns: 24)] + timeColumns

    /// Columns of time by activity; those that most devices leave empty, and those that say least, leave first.
    private static let timeColumns: [Table.Column] = [
        .init("playing", isNumeric: true), .init("paused", isNumeric: true, leavingRank: 6, leavesEmpty: true),
        .init("app only", isNumeric: true, leavingRank: 7, leavesEmpty: true),
        .init("idle", isNumeric: true, leavingRank: 3, leavesEmpty: true),
        .init("standby", isNumeric: true, leavingRank: 4, leavesEmpty: true),
        .init("other input", isNumeric: true, leavingRank: 5, leavesEmpty: true),
        .init("unobserved", isNumeric: true, leavingRank: 2, leavesEmpty: true),
    ]

    /// The totals of a device by activity, for people.
    public static func activityCells(of name: String, _ activities: [String: Double]) -> [String] {
        let row = UptimeFields(scope: .device, deviceID: nil, deviceName: name, day: nil, activities: activities)
        return [name] + row.cells.dropFirst(4)
    }

    /// The columns of ``cells``.
    ///
    /// - Parameter zone: Whose days they are.
    public static func columns(zone: String) -> [Table.Column] {
        [
            .init("day, \(zone)", isWhole: true), .init("device", limitColumns: 24), .init("uptime", isNumeric: true),
            .init("observed", isNumeric: true, leavingRank: 1),
        ] + timeColumns
    }

    /// The row of a table for people; what buffers, loads or shows ads counts as playing.
    ///
    /// Shares are rounded down: 100% is all of it.
    public var cells: [String] {
        func time(_ names: String...) -> String {
            let seconds = names.reduce(0) { $0 + (activities[$1] ?? 0) }
            return seconds >= 0.05 ? Figures.stretch(seconds) : ""
        }
        return [
            scope == .day ? day ?? "-" : "all days", scope == .all ? "all devices" : deviceName ?? deviceID ?? "-",
            uptime.map(TimePlayed.percent) ?? "-",
            knownSeconds > 0 ? TimePlayed.percent(observedSeconds / knownSeconds) : "-",
            time("playing", "buffering", "loading", "advertisement", "unknown"), time("paused"), time("app_only"),
            time("idle"), time("standby"), time("other_input"), time("unobserved"),
        ]
    }
}
