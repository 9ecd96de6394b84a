/// Stores the rows of one batch: all of a table at once, or, once PostgreSQL has refused one, in halves down to the single
/// rows that it refuses, so that these do not hold up the others.
///
/// Belongs to one transaction. Each refused row of `n` costs at most `2 * log2(n) + 2` statements more, under savepoints.
final class RowWriter {
    /// How many refusals are told by their reason; the others are counted.
    static let reasonLimit = 8

    private let connection: PostgresConnection
    private let isCareful: Bool
    /// How many rows were refused.
    private(set) var refusedCount = 0
    /// What the first refused rows were for, and the SQLSTATE of each.
    private(set) var refusals: [String] = []

    /// - Parameter isCareful: False for the first attempt, which is over at the first refusal.
    init(_ connection: PostgresConnection, isCareful: Bool) {
        self.connection = connection
        self.isCareful = isCareful
    }

    /// Stores rows.
    ///
    /// - Parameters:
    ///   - instead: Stores what can be kept of a row that was refused.
    ///   - body: Stores several rows; on refusal none of them may be counted yet.
    func store<Row>(
        _ rows: ArraySlice<Row>, doing: String,
        instead: (Row, _ sqlState: String) throws(StoreError) -> Void = { (_, _) throws(StoreError) in },
        _ body: (ArraySlice<Row>) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let first = rows.first else { return }
        guard isCareful else { return try body(rows) }
        guard let sqlState = try refusal(doing, { () throws(StoreError) in try body(rows) }) else { return }
        guard rows.count == 1 else {
            let middle = rows.startIndex + rows.count / 2
            try store(rows[..<middle], doing: doing, instead: instead, body)
            return try store(rows[middle...], doing: doing, instead: instead, body)
        }
        refusedCount += 1
        if refusals.count < Self.reasonLimit { refusals.append("\(doing): SQLSTATE \(sqlState)") }
        _ = try refusal(doing) { () throws(StoreError) in try instead(first, sqlState) }
    }

    /// Runs `body` under a savepoint; the SQLSTATE when PostgreSQL refused its values, and nothing of it happened.
    private func refusal(
        _ doing: String, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) -> String? {
        try connection.execute("SAVEPOINT rows", doing: doing)
        do throws(StoreError) {
            try body()
            try connection.execute("RELEASE SAVEPOINT rows", doing: doing)
            return nil
        } catch {
            guard case .refused(_, let sqlState, _) = error, error.isAboutValues else { throw error }
            try connection.executeScript("ROLLBACK TO SAVEPOINT rows; RELEASE SAVEPOINT rows", doing: doing)
            return sqlState
        }
    }
}
