public import CastModel
import Conflicts
import Differ
import Recording

/// Conflicts as rows of `projection.conflict`, the latest of each conflict once, written whole.
struct ConflictRows {
    /// The latest row of each conflict.
    let rows: [Conflict]

    /// - Parameter conflicts: In the order of the archive; a later row of a conflict takes the place of an earlier one.
    init(_ conflicts: [Conflict]) {
        var places: [Conflict.ID: Int] = [:]
        var rows: [Conflict] = []
        for conflict in conflicts {
            if let place = places[conflict.id] {
                rows[place] = conflict
            } else {
                places[conflict.id] = rows.count
                rows.append(conflict)
            }
        }
        self.rows = rows
    }

    /// Writes the rows; part of the caller's transaction.
    func store(recorder: String, over connection: PostgresConnection, with writer: RowWriter) throws(StoreError) {
        let doing = "storing conflicts"
        try writer.store(rows[...], doing: doing) { (rows) throws(StoreError) in
            var bytes: [UInt8] = [UInt8(ascii: "[")]
            for row in rows {
                if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
                var changed = false
                let fields = Self.fields(of: row, recorder).compactMap { column in
                    column.value.map { (key: column.key, value: $0) }
                }
                bytes += Sanitizing.json(.object(JSONObject(fields)), changed: &changed)
            }
            bytes.append(UInt8(ascii: "]"))
            try connection.execute(Self.statement, [.text(String(decoding: bytes, as: UTF8.self))], doing: doing)
        }
    }

    /// All columns, those without a value included; the key's come first.
    private static func fields(of row: Conflict, _ recorder: String) -> [(key: String, value: JSONValue?)] {
        var changed = false
        return [
            ("device_id", .string(Sanitizing.id(row.deviceID.text, changed: &changed))),
            ("started_at", .string(PostgresTime.clamped(row.from).text)), ("recorder_id", .string(recorder)),
            ("position", .integer(row.id.first.position.number)), ("ordinal", .integer(Int64(row.id.first.ordinal))),
            ("kind", .string(row.id.kind.rawValue)),
            ("app_session_id", row.appSessionID.map { .string(Sanitizing.id($0.text, changed: &changed)) }),
            ("ended_at", .string(PostgresTime.clamped(row.to).text)), ("score", .number(row.score)),
            ("undoings", .integer(row.undoings)), ("certain_undoings", .integer(row.certainUndoings)),
            ("evidence", row.evidenceJSON), ("evidence_count", .integer(row.evidenceCount)),
            ("actors", row.actorsJSON), ("other_turns", .integer(row.otherTurns)), ("before", row.before),
            ("after", row.after), ("sentence", .string(row.sentence)),
        ]
    }

    private static let keyColumns = ["device_id", "started_at", "recorder_id", "position", "ordinal", "kind"]
    private static let otherColumns = [
        "app_session_id", "ended_at", "score", "undoings", "certain_undoings", "evidence", "evidence_count", "actors",
        "other_turns", "before", "after", "sentence",
    ]

    private static let statement = """
        INSERT INTO projection.conflict SELECT * FROM json_populate_recordset(NULL::projection.conflict, $1::json)
        ON CONFLICT (\(keyColumns.joined(separator: ", "))) DO UPDATE SET
        \(otherColumns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """
}

extension Projection {
    /// What may become a conflict on each device at the checkpoint, in the order of their ids.
    public func restoredConflictStates() throws(StoreError) -> [(DeviceID, JSONValue)] { try states(in: .conflict) }
}
