public import Recording

/// A part of a long list: in which order, and after which row.
///
/// A row is named by what the order goes by, so that a list that grows meanwhile neither skips nor repeats one.
public struct LedgerPage: Sendable, Equatable {
    /// What plays are ordered by; other rows know their time only.
    public enum Order: String, Sendable, CaseIterable {
        /// When it began.
        case startedAt = "started_at"
        /// How long it played.
        case playedSeconds = "played_seconds"
        /// Its title, small and capital letters of English alike.
        case title
        /// Its app's name, small and capital letters of English alike.
        case appName = "app_name"

        /// The expression that the database orders by before the time, and the type of its value; nil for the time itself.
        var expression: (sql: String, type: String)? {
            switch self {
            case .startedAt: nil
            case .playedSeconds: ("played_seconds", "double precision")
            case .title: ("lower(coalesce(title, '') COLLATE \"C\")", "text")
            case .appName: ("lower(coalesce(app_name, '') COLLATE \"C\")", "text")
            }
        }
    }

    /// What names a row.
    public struct Key: Sendable, Equatable {
        /// When it began.
        public var at: WallTime
        /// Of which device.
        public var deviceID: String
        /// Who observed it.
        public var recorderID: String
        /// The record of its first change event.
        public var position: Int64
        /// The place of that one within its record.
        public var ordinal: Int64
        /// What ``Order`` goes by, as text, or the kind of a conflict; nil for neither.
        public var value: String?

        /// A key, part by part.
        public init(
            at: WallTime, deviceID: String, recorderID: String, position: Int64, ordinal: Int64, value: String? = nil
        ) {
            self.at = at
            self.deviceID = deviceID
            self.recorderID = recorderID
            self.position = position
            self.ordinal = ordinal
            self.value = value
        }
    }

    /// What it is ordered by.
    public var order: Order
    /// Whether the last one comes first.
    public var isDescending: Bool
    /// The row before the first one wanted; nil for the beginning.
    public var after: Key?

    /// A page.
    public init(order: Order = .startedAt, isDescending: Bool = false, after: Key? = nil) {
        self.order = order
        self.isDescending = isDescending
        self.after = after
    }
}

extension FilteredStatement {
    /// A column of a row's name: what the database calls it, its type, and the value after which to go on.
    typealias KeyColumn = (sql: String, type: String, value: PostgresParameter?)

    /// Ends the statement with an order, after the page's row; without a page with the order alone.
    mutating func finish(_ columns: [KeyColumn], page: LedgerPage?, limit: Int?) {
        let isDescending = page?.isDescending ?? false
        if page?.after != nil {
            let places = columns.map { column in place(column.value ?? .null) + "::" + column.type }
            let names = columns.map(\.sql).joined(separator: ", ")
            require("(\(names)) \(isDescending ? "<" : ">") (\(places.joined(separator: ", ")))")
        }
        finish(
            order: columns.map { $0.sql + (isDescending ? " DESC" : "") }.joined(separator: ", "), limit: limit)
    }

    /// The columns that order plays and conflicts.
    static func key(_ page: LedgerPage?, withKind: Bool = false) -> [KeyColumn] {
        let after = page?.after
        var columns: [KeyColumn] = [
            ("started_at", "timestamptz", after.map { .time($0.at) }),
            ("device_id", "text", after.map { .text($0.deviceID) }),
            ("recorder_id", "uuid", after.map { .text($0.recorderID) }),
            ("position", "bigint", after.map { .integer($0.position) }),
            ("ordinal", "integer", after.map { .integer($0.ordinal) }),
        ]
        if withKind { columns.append(("kind", "text", after.map { .text($0.value ?? "") })) }
        if let expression = page?.order.expression, !withKind {
            columns.insert((expression.sql, expression.type, after.map { .text($0.value ?? "") }), at: 0)
        }
        return columns
    }

    /// The columns that order change events.
    static func eventKey(_ page: LedgerPage?) -> [KeyColumn] {
        let after = page?.after
        return [
            ("observed_at", "timestamptz", after.map { .time($0.at) }),
            ("recorder_id", "uuid", after.map { .text($0.recorderID) }),
            ("position", "bigint", after.map { .integer($0.position) }),
            ("ordinal", "integer", after.map { .integer($0.ordinal) }),
        ]
    }
}
