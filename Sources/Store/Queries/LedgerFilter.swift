public import Differ
public import Recording

/// Which rows of the ledger a question is about.
public struct LedgerFilter: Sendable, Equatable {
    /// A device's name or id, as a person writes it; nil for all devices.
    public var device: String?
    /// The first moment; nil for the beginning.
    public var from: WallTime?
    /// The first moment that is too late; nil for the end.
    public var to: WallTime?
    /// Only change events of these kinds; empty for all.
    public var kinds: Set<ChangeEvent.Kind>
    /// At most so many rows, the earliest ones; nil for all.
    public var limit: Int?

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

/// The text of a statement that grows by conditions, each with its parameters.
struct FilteredStatement {
    private(set) var sql: String
    private(set) var parameters: [PostgresParameter] = []

    init(_ sql: String) { self.sql = "\(sql) WHERE true" }

    /// Adds a condition; `$` in it stands for the next parameter.
    mutating func require(_ condition: String, _ parameter: PostgresParameter) {
        parameters.append(parameter)
        let place = "$\(parameters.count)"
        sql += " AND \(condition.split(separator: "$", omittingEmptySubsequences: false).joined(separator: place))"
    }

    /// Ends the statement.
    mutating func finish(order: String, limit: Int?) {
        sql += " ORDER BY \(order)"
        if let limit { sql += " LIMIT \(max(0, limit))" }
    }
}
