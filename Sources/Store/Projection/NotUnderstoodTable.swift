import Differ
import Recording

/// The statement that adds up what was not understood: part of the batch's transaction, so each batch counts once.
struct NotUnderstoodTable {
    let connection: PostgresConnection
    let recorderID: String

    /// Adds counts to those stored.
    func add(_ counts: [NotUnderstood], with writer: RowWriter) throws(StoreError) {
        try writer.store(counts[...], doing: "storing what was not understood") { (counts) throws(StoreError) in
            try add(counts)
        }
    }

    private func add(_ counts: ArraySlice<NotUnderstood>) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO projection.not_understood AS t (
                recorder_id, subject, namespace, word, count, first_position, first_at, last_position, last_at)
            SELECT $1::uuid, subject, namespace, word, sum(count)::bigint, min(first_position), min(first_at),
                max(last_position), max(last_at)
            FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[],
                $9::timestamptz[]) AS r (subject, namespace, word, c, f, first_at, l, last_at),
                LATERAL (SELECT c::bigint AS count, f::bigint AS first_position, l::bigint AS last_position) AS n
            GROUP BY subject, namespace, word
            ON CONFLICT (recorder_id, subject, namespace, word) DO UPDATE SET
                count = t.count + excluded.count, first_position = least(t.first_position, excluded.first_position),
                first_at = least(t.first_at, excluded.first_at),
                last_position = greatest(t.last_position, excluded.last_position),
                last_at = greatest(t.last_at, excluded.last_at)
            """,
            [
                .text(recorderID), .texts(counts.map(\.name.subject.rawValue)),
                .texts(counts.map { Self.clean($0.name.namespace) }), .texts(counts.map { Self.clean($0.name.word) }),
                .texts(counts.map { "\($0.count)" }), .texts(counts.map { "\($0.firstPosition.number)" }),
                .times(counts.map(\.firstAt)), .texts(counts.map { "\($0.lastPosition.number)" }),
                .times(counts.map(\.lastAt)),
            ], doing: "storing what was not understood")
    }

    /// Text without NUL, of bounded length; two words may become the same by that, and are then counted as one.
    private static func clean(_ text: String) -> String {
        var changed = false
        return Sanitizing.id(text, changed: &changed)
    }
}
