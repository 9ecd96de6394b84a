import CastModel
import Recording

/// The statements that apply ``ProjectedRows`` to the small tables.
///
/// Each table takes two: one makes the rows that are new, one changes those that the events speak of. All rows of a
/// batch travel as one JSON array, so a batch of any size costs the same few round trips.
struct ProjectedTables {
    let connection: PostgresConnection
    let recorderID: String

    /// Applies everything; part of the caller's transaction.
    func apply(_ rows: ProjectedRows) throws(StoreError) {
        try apply(rows.devices, keys: ["device_id"], [Self.insertDevices, Self.updateDevices], of: "devices")
        try apply(
            rows.appSessions, keys: ["device_id", "app_session_id"], [Self.insertAppSessions, Self.updateAppSessions],
            of: "app sessions")
        try apply(
            rows.mediaSessions, keys: ["device_id", "app_session_id", "media_session_id"],
            [Self.insertMediaSessions, Self.updateMediaSessions], of: "media sessions")
        // First the ends of gaps from earlier batches, or they would end those that begin in this one.
        try apply(rows.gaps, keys: ["device_id", "position", "ordinal"], [Self.endGaps, Self.insertGaps], of: "gaps")
    }

    private func apply(
        _ table: ProjectedRows.Table, keys: [String], _ statements: [String], of subject: String
    ) throws(StoreError) {
        guard !table.isEmpty else { return }
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for (key, row) in table {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            JSONValue.object(JSONObject(zip(keys, key).map { (key: $0, value: .string($1)) } + row.pairs))
                .write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        let json = String(decoding: bytes, as: UTF8.self)
        for statement in statements {
            try connection.execute(statement, [.text(recorderID), .text(json)], doing: "storing \(subject)")
        }
    }

    private static let insertDevices = """
        INSERT INTO projection.device (device_id, recorder_id, state, first_seen_at, last_heard_at)
        SELECT device_id, $1::uuid, 'seen', first_seen_at, last_heard_at
        FROM json_to_recordset($2::json) AS r (device_id text, first_seen_at timestamptz, last_heard_at timestamptz)
        WHERE first_seen_at IS NOT NULL
        ON CONFLICT DO NOTHING
        """

    private static let updateDevices = """
        UPDATE projection.device t SET
            name = coalesce(r.name, t.name), model = coalesce(r.model, t.model),
            address = coalesce(r.address, t.address), last_heard_at = greatest(t.last_heard_at, r.last_heard_at),
            state = coalesce(CASE t.state WHEN 'linked' THEN r.state_if_linked ELSE r.state_otherwise END, t.state)
        FROM json_to_recordset($2::json) AS r (
            device_id text, name text, model text, address text, last_heard_at timestamptz, state_if_linked text,
            state_otherwise text)
        WHERE t.device_id = r.device_id AND t.recorder_id = $1::uuid
        """

    private static let insertAppSessions = """
        INSERT INTO projection.app_session (device_id, app_session_id, recorder_id, started_at, start_attribution)
        SELECT device_id, app_session_id, $1::uuid, started_at, start_attribution
        FROM json_to_recordset($2::json) AS r (
            device_id text, app_session_id text, started_at timestamptz, start_attribution text)
        WHERE started_at IS NOT NULL
        ON CONFLICT DO NOTHING
        """

    private static let updateAppSessions = """
        UPDATE projection.app_session t SET
            app_id = coalesce(r.app_id, t.app_id), app_name = coalesce(r.app_name, t.app_name),
            status_text = coalesce(r.status_text, t.status_text),
            ended_at = CASE WHEN r.ends THEN r.ended_at ELSE t.ended_at END,
            end_reason = CASE WHEN r.ends THEN r.end_reason ELSE t.end_reason END
        FROM json_to_recordset($2::json) AS r (
            device_id text, app_session_id text, app_id text, app_name text, status_text text, ends boolean,
            ended_at timestamptz, end_reason text)
        WHERE t.device_id = r.device_id AND t.app_session_id = r.app_session_id AND t.recorder_id = $1::uuid
            AND (r.ends OR num_nonnulls(r.app_id, r.app_name, r.status_text) > 0)
        """

    private static let insertMediaSessions = """
        INSERT INTO projection.media_session (
            device_id, app_session_id, media_session_id, recorder_id, started_at, start_attribution)
        SELECT device_id, app_session_id, media_session_id, $1::uuid, started_at, start_attribution
        FROM json_to_recordset($2::json) AS r (
            device_id text, app_session_id text, media_session_id bigint, started_at timestamptz,
            start_attribution text)
        ON CONFLICT DO NOTHING
        """

    private static let updateMediaSessions = """
        UPDATE projection.media_session t SET
            content_id = coalesce(r.content_id, CASE WHEN r.replaces_media THEN NULL ELSE t.content_id END),
            content_type = coalesce(r.content_type, CASE WHEN r.replaces_media THEN NULL ELSE t.content_type END),
            stream_type = coalesce(r.stream_type, CASE WHEN r.replaces_media THEN NULL ELSE t.stream_type END),
            title = coalesce(r.title, CASE WHEN r.replaces_media THEN NULL ELSE t.title END),
            duration_seconds = coalesce(
                r.duration_seconds, CASE WHEN r.replaces_media THEN NULL ELSE t.duration_seconds END),
            player_state = coalesce(r.player_state, t.player_state),
            ended_at = CASE WHEN r.ends THEN r.ended_at ELSE t.ended_at END,
            end_reason = CASE WHEN r.ends THEN r.end_reason ELSE t.end_reason END
        FROM json_to_recordset($2::json) AS r (
            device_id text, app_session_id text, media_session_id bigint, content_id text, content_type text,
            stream_type text, title text, duration_seconds double precision, player_state text, ends boolean,
            ended_at timestamptz, end_reason text, replaces_media boolean)
        WHERE t.device_id = r.device_id AND t.app_session_id = r.app_session_id
            AND t.media_session_id = r.media_session_id AND t.recorder_id = $1::uuid
            AND (r.ends OR r.replaces_media OR num_nonnulls(r.content_id, r.content_type, r.stream_type, r.title,
                r.duration_seconds, r.player_state) > 0)
        """

    private static let endGaps = """
        UPDATE projection.gap t SET ended_at = r.ended_at
        FROM json_to_recordset($2::json) AS r (device_id text, position bigint, ended_at timestamptz)
        WHERE t.device_id = r.device_id AND t.recorder_id = $1::uuid AND t.ended_at IS NULL AND r.position IS NULL
        """

    private static let insertGaps = """
        INSERT INTO projection.gap (device_id, recorder_id, position, ordinal, started_at, ended_at, reason)
        SELECT device_id, $1::uuid, position, ordinal, started_at, ended_at, reason
        FROM json_to_recordset($2::json) AS r (
            device_id text, position bigint, ordinal integer, started_at timestamptz, ended_at timestamptz, reason text)
        WHERE position IS NOT NULL
        """
}
