public import Recording

/// A word that devices said and nobody gave a meaning to.
public struct NotUnderstoodRow: Sendable, Equatable {
    /// What it is, in the words of ``NotUnderstood/Subject``; a newer program may have stored another.
    public var subject: String
    /// The namespace of the messages.
    public var namespace: String
    /// The word.
    public var word: String
    /// How often it came, over all recorders.
    public var count: Int64
    /// When it came last.
    public var lastAt: WallTime
}

extension LedgerQueries {
    /// What was not understood, the most frequent first, at most `limit`; and how much there is in all.
    ///
    /// A ledger of an older program has none of it.
    public func notUnderstood(limit: Int) throws(StoreError) -> (rows: [NotUnderstoodRow], total: Int) {
        let doing = "reading what was not understood"
        let exists = try connection.execute("SELECT to_regclass('ledger.not_understood') IS NOT NULL", doing: doing)
        guard exists.first?.bool(0) == true else { return ([], 0) }
        let found = try rows(
            """
            SELECT subject, namespace, word, sum(count)::bigint, max(last_at), count(*) OVER ()
            FROM ledger.not_understood GROUP BY subject, namespace, word
            ORDER BY sum(count) DESC, subject, namespace, word LIMIT $1::bigint
            """, [.integer(Int64(limit))], doing: doing
        ) { row -> (NotUnderstoodRow, Int)? in
            guard let subject = row.text(0), let namespace = row.text(1), let word = row.text(2),
                let count = row.integer(3), let lastAt = row.time(4), let total = row.integer(5)
            else { return nil }
            let told = NotUnderstoodRow(
                subject: subject, namespace: namespace, word: word, count: count, lastAt: lastAt)
            return (told, Int(clamping: total))
        }
        return (found.map(\.0), found.first?.1 ?? 0)
    }
}
