import CastModel
import Differ
import Recording

/// The statements that apply ``ProjectedRows`` to the small tables.
///
/// Each table takes two: one makes the rows that are new, one changes those that the events speak of. All rows of a
/// batch travel as one JSON array, so a batch of any size costs the same few round trips.
///
/// It remembers which rows exist, so that most batches make none. Rows of a batch count once it is committed:
/// ``remember(_:)``.
struct ProjectedTables {
    /// Above so many remembered rows we begin anew; making an existing row again does no harm.
    static let memoryLimitRows = 200_000

    let connection: PostgresConnection
    let recorderID: String
    private var knownDevices: Set<ProjectedRows.Key> = []
    private var knownAppSessions: Set<ProjectedRows.Key> = []
    private var knownMediaSessions: Set<ProjectedRows.Key> = []

    init(connection: PostgresConnection, recorderID: String) {
        self.connection = connection
        self.recorderID = recorderID
    }

    /// Applies everything; part of the caller's transaction.
    func apply(_ rows: ProjectedRows, with writer: RowWriter) throws(StoreError) {
        try make(rows.devices, knownDevices, Self.insertDevices, of: "devices", writer)
        try change(rows.devices, Self.updateDevices, of: "devices", writer)
        try hear(rows.heard, writer)
        try make(rows.appSessions, knownAppSessions, Self.insertAppSessions, of: "app sessions", writer)
        try change(rows.appSessions, Self.updateAppSessions, of: "app sessions", writer)
        try make(rows.mediaSessions, knownMediaSessions, Self.insertMediaSessions, of: "media sessions", writer)
        try change(rows.mediaSessions, Self.updateMediaSessions, of: "media sessions", writer)
        // First the ends of gaps from earlier batches, or they would end those that begin in this one.
        let ends = rows.gapEnds.mapValues { JSONObject([(key: "ended_at", value: .string($0))]) }
        try run(Self.endGaps, with: ends, of: "gaps", writer)
        try run(Self.insertGaps, with: rows.gaps, of: "gaps", writer)
    }

    /// The batch is committed: its rows exist.
    mutating func remember(_ rows: ProjectedRows) {
        Self.remember(rows.devices, in: &knownDevices)
        Self.remember(rows.appSessions, in: &knownAppSessions)
        Self.remember(rows.mediaSessions, in: &knownMediaSessions)
    }

    /// All rows were dropped.
    mutating func forget() {
        knownDevices = []
        knownAppSessions = []
        knownMediaSessions = []
    }

    private static func remember(
        _ changes: [ProjectedRows.Key: ProjectedRows.Change], in known: inout Set<ProjectedRows.Key>
    ) {
        if known.count > memoryLimitRows { known = [] }
        for (key, change) in changes where change.begun != nil { known.insert(key) }
    }

    private func make(
        _ changes: [ProjectedRows.Key: ProjectedRows.Change], _ known: Set<ProjectedRows.Key>, _ statement: String,
        of subject: String, _ writer: RowWriter
    ) throws(StoreError) {
        var rows: [ProjectedRows.Key: JSONObject] = [:]
        for (key, change) in changes where !known.contains(key) {
            guard let begun = change.begun else { continue }
            rows[key] = JSONObject([
                (key: "started_at", value: .string(begun.at.text)),
                (key: "start_attribution", value: .string(begun.attribution.rawValue)),
            ])
        }
        try run(statement, with: rows, of: subject, writer)
    }

    private func change(
        _ changes: [ProjectedRows.Key: ProjectedRows.Change], _ statement: String, of subject: String,
        _ writer: RowWriter
    ) throws(StoreError) {
        let told = changes.mapValues(\.told).filter { !$0.value.pairs.isEmpty }
        try run(statement, with: told, of: subject, writer)
    }

    private func hear(_ heard: [ProjectedRows.Key: WallTime], _ writer: RowWriter) throws(StoreError) {
        let doing = "storing when devices were heard"
        try writer.store(Array(heard)[...], doing: doing) { (pairs) throws(StoreError) in
            try connection.execute(
                """
                UPDATE projection.device t SET last_heard_at = r.at
                FROM unnest($2::text[], $3::timestamptz[]) AS r (device_id, at)
                WHERE t.device_id = r.device_id AND t.recorder_id = $1::uuid AND t.last_heard_at < r.at
                """, [.text(recorderID), .texts(pairs.map(\.key.device)), .times(pairs.map(\.value))], doing: doing)
        }
    }

    /// Runs a statement with rows as one JSON array: keys, then the columns that are told.
    private func run(
        _ statement: String, with rows: [ProjectedRows.Key: JSONObject], of subject: String, _ writer: RowWriter
    ) throws(StoreError) {
        try writer.store(Array(rows)[...], doing: "storing \(subject)") { (rows) throws(StoreError) in
            var bytes: [UInt8] = [UInt8(ascii: "[")]
            for (key, row) in rows {
                if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
                let keys: [(key: String, value: JSONValue)] = [
                    ("device_id", .string(key.device)), ("app_session_id", .string(key.appSession)),
                    ("number", .integer(key.number)), ("ordinal", .integer(Int64(key.ordinal))),
                ]
                JSONValue.object(JSONObject(keys + row.pairs)).write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
            try connection.execute(
                statement, [.text(recorderID), .text(String(decoding: bytes, as: UTF8.self))],
                doing: "storing \(subject)")
        }
    }

    private static let insertDevices = """
        INSERT INTO projection.device (device_id, recorder_id, state, first_seen_at, last_heard_at)
        SELECT device_id, $1::uuid, 'seen', started_at, started_at
        FROM json_to_recordset($2::json) AS r (device_id text, started_at timestamptz)
        ON CONFLICT DO NOTHING
        """

    private static let updateDevices = """
        UPDATE projection.device t SET
            name = coalesce(r.name, t.name), model = coalesce(r.model, t.model),
            address = coalesce(r.address, t.address),
            state = coalesce(CASE t.state WHEN 'linked' THEN r.state_if_linked ELSE r.state_otherwise END, t.state),
            first_linked_at = coalesce(t.first_linked_at, r.first_linked_at)
        FROM json_to_recordset($2::json) AS r (
            device_id text, name text, model text, address text, state_if_linked text, state_otherwise text,
            first_linked_at timestamptz)
        WHERE t.device_id = r.device_id AND t.recorder_id = $1::uuid
        """

    private static let insertAppSessions = """
        INSERT INTO projection.app_session (device_id, app_session_id, recorder_id, started_at, start_attribution)
        SELECT device_id, app_session_id, $1::uuid, started_at, start_attribution
        FROM json_to_recordset($2::json) AS r (
            device_id text, app_session_id text, started_at timestamptz, start_attribution text)
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
        """

    private static let insertMediaSessions = """
        INSERT INTO projection.media_session (
            device_id, app_session_id, media_session_id, recorder_id, started_at, start_attribution)
        SELECT device_id, app_session_id, number, $1::uuid, started_at, start_attribution
        FROM json_to_recordset($2::json) AS r (
            device_id text, app_session_id text, number bigint, started_at timestamptz,
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
            device_id text, app_session_id text, number bigint, content_id text, content_type text,
            stream_type text, title text, duration_seconds double precision, player_state text, ends boolean,
            ended_at timestamptz, end_reason text, replaces_media boolean)
        WHERE t.device_id = r.device_id AND t.app_session_id = r.app_session_id
            AND t.media_session_id = r.number AND t.recorder_id = $1::uuid
        """

    private static let endGaps = """
        UPDATE projection.gap t SET ended_at = r.ended_at
        FROM json_to_recordset($2::json) AS r (device_id text, ended_at timestamptz)
        WHERE t.device_id = r.device_id AND t.recorder_id = $1::uuid AND t.ended_at IS NULL
        """

    private static let insertGaps = """
        INSERT INTO projection.gap (device_id, recorder_id, position, ordinal, started_at, ended_at, reason)
        SELECT device_id, $1::uuid, number, ordinal, started_at, ended_at, reason
        FROM json_to_recordset($2::json) AS r (
            device_id text, number bigint, ordinal integer, started_at timestamptz, ended_at timestamptz, reason text)
        """
}
