import CastModel
import Differ
import Plays
import Recording

/// Spans of plays as rows of `projection.play_span`: those that closed, and what became of those before.
struct PlaySpanRows {
    /// A play whose spans changed.
    struct Row {
        var play: Play
        var changes: Play.SpanChanges
    }

    /// Spans are written by so many, so that one statement stays of bounded size.
    private static let chunkSpans = 10_000

    let rows: [Row]
    let recorder: String

    /// Writes the changes; part of the caller's transaction.
    func store(over connection: PostgresConnection, with writer: RowWriter) throws(StoreError) {
        let changing = rows.filter { $0.changes.withdrawnFrom != nil || $0.changes.turnIntoAds }
        try writer.store(changing[...], doing: "changing spans of plays") { (rows) throws(StoreError) in
            try change(rows, over: connection)
        }
        let spans = rows.flatMap { row in row.changes.closed.map { (play: row.play, span: $0) } }
        for start in stride(from: 0, to: spans.count, by: Self.chunkSpans) {
            let chunk = spans[start..<min(start + Self.chunkSpans, spans.count)]
            try writer.store(chunk, doing: "storing spans of plays") { (spans) throws(StoreError) in
                try add(spans, over: connection)
            }
        }
    }

    private func change(_ rows: ArraySlice<Row>, over connection: PostgresConnection) throws(StoreError) {
        var names = names(of: rows.map(\.play))
        names.append(.texts(rows.map { $0.changes.withdrawnFrom.map { "\($0)" } ?? "" }))
        try connection.execute(
            """
            DELETE FROM projection.play_span t
            USING unnest($2::text[], $3::text[], $4::text[], $5::text[])
                AS r (device_id, position, ordinal, withdrawn_from)
            WHERE \(Self.isOfPlay) AND t.number >= nullif(r.withdrawn_from, '')::integer
            """, names, doing: "withdrawing spans of plays")
        let turned = rows.filter(\.changes.turnIntoAds).map(\.play)
        guard !turned.isEmpty else { return }
        try connection.execute(
            """
            UPDATE projection.play_span t SET phase = 'advertisement'
            FROM unnest($2::text[], $3::text[], $4::text[]) AS r (device_id, position, ordinal)
            WHERE \(Self.isOfPlay) AND t.phase IN ('playing', 'buffering')
            """, self.names(of: turned), doing: "turning spans of plays into ads")
    }

    private func add(
        _ spans: ArraySlice<(play: Play, span: Play.Span)>, over connection: PostgresConnection
    ) throws(StoreError) {
        var parameters = names(of: spans.map(\.play))
        parameters += [
            .texts(spans.map { "\($0.span.number)" }), .times(spans.map(\.span.from)), .times(spans.map(\.span.to)),
            .texts(spans.map(\.span.phase.rawValue)), .texts(spans.map { "\($0.span.isInputInactive)" }),
        ]
        try connection.execute(
            """
            INSERT INTO projection.play_span (
                device_id, recorder_id, position, ordinal, number, from_at, to_at, phase, input_inactive)
            SELECT device_id, $1::uuid, position::bigint, ordinal::integer, number::integer, from_at, to_at, phase,
                inactive::boolean
            FROM unnest(
                $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::text[],
                $9::text[])
                AS r (device_id, position, ordinal, number, from_at, to_at, phase, inactive)
            ON CONFLICT (device_id, recorder_id, position, ordinal, number) DO UPDATE SET
                from_at = excluded.from_at, to_at = excluded.to_at, phase = excluded.phase,
                input_inactive = excluded.input_inactive
            """, parameters, doing: "storing spans of plays")
    }

    private static let isOfPlay = """
        t.device_id = r.device_id AND t.recorder_id = $1::uuid AND t.position = r.position::bigint \
        AND t.ordinal = r.ordinal::integer
        """

    /// The recorder, and the names of plays.
    private func names(of plays: [Play]) -> [PostgresParameter] {
        var changed = false
        return [
            .text(recorder), .texts(plays.map { Sanitizing.id($0.deviceID.text, changed: &changed) }),
            .texts(plays.map { "\($0.id.position.number)" }), .texts(plays.map { "\($0.id.ordinal)" }),
        ]
    }
}
