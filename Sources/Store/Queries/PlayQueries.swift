import CastModel
public import Plays
import Recording

/// A play, with what a reader wants beside it.
public struct PlayRow: Sendable, Equatable {
    /// The recorder that observed it; positions count per recorder.
    public var recorderID: String
    /// The device's present friendly name; nil when it never said one.
    public var deviceName: String?
    /// The play; one that lasts is counted up to the checkpoint.
    public var play: Play
    /// What the database ordered it by before its time, as text; nil for the time alone.
    public var orderValue: String?
}

/// Questions about plays.
extension LedgerQueries {
    /// Hands over the plays that touch the filter's time one by one, earliest first, until `each` returns false.
    ///
    /// `each` must not ask over the same connection.
    ///
    /// - Returns: How many plays were passed over because a newer program stored a word that this one does not know.
    @discardableResult
    public func plays(
        _ filter: LedgerFilter = LedgerFilter(), each: (PlayRow) throws(StoreError) -> Bool
    ) throws(StoreError) -> Int {
        let doing = "reading plays"
        let order = filter.page?.order ?? .startedAt
        let value = order.place.map { "(\($0.sql))::text" } ?? "NULL::text"
        var statement = FilteredStatement("SELECT \(PlayReading.columns), \(value) AS order_value FROM \(order.source)")
        let names = try prepare(&statement, filter, started: "started_at", ended: "ended_at")
        requireTime(filter, of: &statement)
        require(filter.plays, of: &statement)
        statement.finish(FilteredStatement.key(filter.page), page: filter.page, limit: filter.limit)
        var unknown = 0
        try connection.stream(statement.sql, statement.parameters, doing: doing) { row throws(StoreError) in
            switch PlayReading.read(row, names: names, parser: parser) {
            case .play(let play): return try each(play)
            case .unknownWord:
                unknown += 1
                return true
            case .malformed: throw .unexpectedAnswer(doing: doing)
            }
        }
        return unknown
    }

    /// All plays that pass the filter: use a limit, or ``plays(_:each:)``, where there may be many.
    public func plays(_ filter: LedgerFilter) throws(StoreError) -> [PlayRow] {
        var found: [PlayRow] = []
        try plays(filter) { row throws(StoreError) in
            found.append(row)
            return true
        }
        return found
    }
}
