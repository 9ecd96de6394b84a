public import Differ
public import Plays
public import Recording

/// Which rows of the ledger a question is about.
///
/// Where a condition makes no sense for a kind of row it is not looked at: a gap has no title.
public struct LedgerFilter: Sendable, Equatable {
    /// A device's name or id, as a person writes it; nil for all devices.
    public var device: String?
    /// Further devices' names or ids: with it, or instead of it, any of them; none for all devices.
    public var devices: [String] = []
    /// A group's name or id: it and the devices that its plays name as members; nil for all devices.
    public var group: String?
    /// The site of the recorder, in any case; nil for all.
    public var site: String?
    /// The first moment; nil for the beginning.
    public var from: WallTime?
    /// The first moment that is too late; nil for the end.
    public var to: WallTime?
    /// Times of day and days of the week; nil for all.
    public var hours: LedgerHours?
    /// Only change events of these kinds; empty for all.
    public var kinds: Set<ChangeEvent.Kind>
    /// Which plays.
    public var plays = PlayFilter()
    /// At most so many rows, the first ones of the order; nil for all.
    public var limit: Int?
    /// The order, and after which row; nil for earliest first from the beginning.
    public var page: LedgerPage?
    /// Only rows whose first change event lies in this record; nil for all.
    public var position: ArchivePosition?
    /// Only rows of this recorder, a UUID; nil for all.
    public var recorderID: String?

    /// A filter; without arguments it lets everything pass.
    public init(
        device: String? = nil, from: WallTime? = nil, to: WallTime? = nil, kinds: Set<ChangeEvent.Kind> = [],
        limit: Int? = nil
    ) {
        self.device = device
        self.from = from
        self.to = to
        self.kinds = kinds
        self.limit = limit
    }
}

/// Which plays a question is about.
public struct PlayFilter: Sendable, Equatable {
    /// A receiver app by name or id, in any case; nil for all.
    public var app: String?
    /// A text within title, series, artist or album, in any case; nil for all.
    public var title: String?
    /// Only plays that ended so; empty for all, also those that last.
    public var endReasons: Set<Play.EndReason> = []
    /// Only plays that began so; empty for all.
    public var startCauses: Set<Play.StartCause> = []
    /// Only plays that played for so many seconds or more; nil for all.
    public var minimumPlayedSeconds: Double?

    /// Only plays that last.
    public var isLasting = false

    /// Lets every play pass.
    public init() {}
}

/// A time of day on some days of the week, on the clocks of a time zone.
public struct LedgerHours: Sendable, Equatable {
    /// A name that the database knows: "Europe/Berlin".
    public var zone: String
    /// Minutes after midnight, from and to; nil for the whole day.
    ///
    /// It goes on after midnight when `to` is not above `from`: then each of its two parts belongs to its own day.
    public var betweenMinutes: (from: Int, to: Int)?
    /// Days of the week, Monday being 1; nil for all.
    public var weekdays: [Int]?

    /// Hours, part by part.
    public init(zone: String, betweenMinutes: (from: Int, to: Int)? = nil, weekdays: [Int]? = nil) {
        self.zone = zone
        self.betweenMinutes = betweenMinutes
        self.weekdays = weekdays
    }

    /// The same zone, time of day and days.
    public static func == (one: LedgerHours, other: LedgerHours) -> Bool {
        one.zone == other.zone && one.weekdays == other.weekdays
            && one.betweenMinutes?.from == other.betweenMinutes?.from
            && one.betweenMinutes?.to == other.betweenMinutes?.to
    }

    /// Whether they leave anything out.
    public var isWholeWeek: Bool { betweenMinutes == nil && weekdays == nil }
}

/// The text of a statement that grows by conditions, each with its parameters.
struct FilteredStatement {
    private(set) var sql: String
    private(set) var parameters: [PostgresParameter] = []

    /// - Parameter start: Everything before the conditions; its parameters are placed by ``place(_:)`` before.
    init(_ start: String, parameters: [PostgresParameter] = []) {
        sql = "\(start) WHERE true"
        self.parameters = parameters
    }

    /// Takes a parameter, and says by which name the statement may speak of it.
    mutating func place(_ parameter: PostgresParameter) -> String {
        parameters.append(parameter)
        return "$\(parameters.count)"
    }

    /// Adds a condition; `$` in it stands for the next parameter.
    mutating func require(_ condition: String, _ parameter: PostgresParameter) {
        let place = place(parameter)
        require(condition.split(separator: "$", omittingEmptySubsequences: false).joined(separator: place))
    }

    /// Adds a condition whose parameters are placed.
    mutating func require(_ condition: String) { sql += " AND \(condition)" }

    /// Adds what a statement inside found out: that it has a row, or something else does.
    mutating func require(any inner: FilteredStatement, or other: String? = nil) {
        parameters = inner.parameters
        require("(EXISTS (\(inner.sql))" + (other.map { " OR \($0)" } ?? "") + ")")
    }

    /// Adds what comes after the conditions.
    mutating func append(_ text: String) { sql += " \(text)" }

    /// Ends the statement.
    mutating func finish(order: String, limit: Int?) {
        sql += " ORDER BY \(order)"
        if let limit { sql += " LIMIT \(max(0, limit))" }
    }
}
