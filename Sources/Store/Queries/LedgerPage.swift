public import Recording

/// A part of a long list: in which order, and after which row.
///
/// A row is named by what the order goes by, so that a list that grows meanwhile neither skips nor repeats one.
public struct LedgerPage: Sendable, Equatable {
    /// What plays are ordered by: the columns of a table of plays.
    ///
    /// Other rows know their time only. What is not told comes as the least of all; a play that lasts ends after all others.
    public enum Order: String, Sendable, CaseIterable {
        /// When it began.
        case startedAt = "started_at"
        /// When it ended.
        case endedAt = "ended_at"
        /// The device's name, else its id; of names, small and capital letters of English are alike, here and below.
        case device
        /// How many members of a group played it.
        case members
        /// The app's name, else its id.
        case appName = "app_name"
        /// The title, else what identifies the content.
        case title
        /// How long it played.
        case playedSeconds = "played_seconds"
        /// How long it was paused.
        case pausedSeconds = "paused_seconds"
        /// How long advertisements played.
        case adSeconds = "ad_seconds"
        /// How long it buffered.
        case bufferingSeconds = "buffering_seconds"
        /// How long the content is.
        case durationSeconds = "duration_seconds"
        /// The furthest position as a share of that.
        case progress
        /// How often somebody jumped in it.
        case seeks
        /// The language of the first captions that were on.
        case captions
        /// Why it ended, in the alphabet of the words.
        case endReason = "end_reason"
        /// Why it began, likewise.
        case startCause = "start_cause"
        /// The share of its time that was observed.
        case coverage
        /// The content id, else the entity.
        case contentID = "content_id"
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
        if let place = page?.order.place, !withKind {
            columns.insert((place.sql, place.type, after.map { .text($0.value ?? "") }), at: 0)
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
