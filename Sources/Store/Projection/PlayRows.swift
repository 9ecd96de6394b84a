import CastModel
import Differ
import Plays
import Recording

/// Plays as rows of `projection.play`, the latest of each play once: written whole, or only its progress.
struct PlayRows {
    /// The latest row of each play.
    let rows: [Play]

    /// - Parameter plays: In the order of the archive; a later row of a play takes the place of an earlier one, and adds
    ///   its changes of spans to that one's.
    init(_ plays: [Play]) {
        var places: [ChangeEvent.ID: Int] = [:]
        var rows: [Play] = []
        for play in plays {
            if let place = places[play.id] {
                var spans = rows[place].spans
                spans.add(play.spans)
                rows[place] = play
                rows[place].spans = spans
            } else {
                places[play.id] = rows.count
                rows.append(play)
            }
        }
        self.rows = rows
    }

    /// Writes the rows; part of the caller's transaction.
    func store(
        knowing progress: PlayProgress, recorder: String, over connection: PostgresConnection, with writer: RowWriter
    ) throws(StoreError) {
        var (whole, going): ([Play], [Play]) = ([], [])
        for row in rows { if progress.covers(row) { going.append(row) } else { whole.append(row) } }
        let progressed = { (rows: ArraySlice<Play>) throws(StoreError) in
            try progress.store(Array(rows), recorder: recorder, over: connection)
        }
        try writer.store(going[...], doing: "storing the progress of plays", progressed)
        let written = { (rows: ArraySlice<Play>) throws(StoreError) in
            try store(rows, recorder: recorder, over: connection)
        }
        try writer.store(whole[...], doing: "storing plays", written)
        let spans = rows.filter { !$0.spans.isEmpty }.map { PlaySpanRows.Row(play: $0, changes: $0.spans) }
        try PlaySpanRows(rows: spans, recorder: recorder).store(over: connection, with: writer)
    }

    private func store(
        _ rows: ArraySlice<Play>, recorder: String, over connection: PostgresConnection
    ) throws(StoreError) {
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
        try connection.execute(
            Self.statement, [.text(String(decoding: bytes, as: UTF8.self))], doing: "storing plays")
    }

    /// All columns, those without a value included.
    private static func fields(of play: Play, _ recorder: String) -> [(key: String, value: JSONValue?)] {
        [("recorder_id", .string(recorder))] + identity(of: play) + content(of: play.content) + course(of: play)
    }

    private static func identity(of play: Play) -> [(key: String, value: JSONValue?)] {
        var changed = false
        func id(_ text: String?) -> JSONValue? { text.map { .string(Sanitizing.id($0, changed: &changed)) } }
        return [
            ("device_id", id(play.deviceID.text)), ("started_at", moment(play.startedAt)),
            ("position", .integer(play.id.position.number)), ("ordinal", .integer(Int64(play.id.ordinal))),
            ("app_session_id", id(play.appSessionID?.text)),
            ("media_session_id", play.mediaSessionID.map { .integer($0) }),
            ("queue_item_id", play.queueItemID.map { .integer($0) }), ("app_id", id(play.appID?.text)),
            ("app_name", text(play.appName)),
        ]
    }

    private static func content(of content: PlayContent) -> [(key: String, value: JSONValue?)] {
        [
            ("content_id", text(content.contentID)), ("content_url", text(content.contentURL)),
            ("entity", text(content.entity)), ("title", text(content.title)), ("series", text(content.seriesTitle)),
            ("season", content.season.map { .integer($0) }), ("episode", content.episode.map { .integer($0) }),
            ("artist", text(content.artist)), ("album", text(content.album)),
            ("content_type", text(content.contentType)), ("stream_type", text(content.streamType)),
            ("duration_seconds", content.durationSeconds.map { .number($0) }),
        ]
    }

    private static func course(of play: Play) -> [(key: String, value: JSONValue?)] {
        [
            ("start_cause", .string(play.startCause.rawValue)), ("ended_at", moment(play.endedAt)),
            ("end_reason", text(play.endReason?.rawValue)), ("end_is_uncertain", .bool(play.endIsUncertain)),
            ("phase", text(play.phase?.rawValue)), ("phase_since", moment(play.phaseSince)),
            ("counted_at", moment(play.countedAt)),
            ("input_is_inactive", .bool(play.isInputInactive)),
            ("played_seconds", .number(play.time.playedSeconds)), ("paused_seconds", .number(play.time.pausedSeconds)),
            ("buffering_seconds", .number(play.time.bufferingSeconds)), ("ad_seconds", .number(play.time.adSeconds)),
            ("input_inactive_seconds", .number(play.time.inputInactiveSeconds)),
            ("gap_seconds", .number(play.time.gapSeconds)),
            ("first_position_seconds", play.firstPositionSeconds.map { .number($0) }),
            ("last_position_seconds", play.lastPositionSeconds.map { .number($0) }),
            ("max_position_seconds", play.maxPositionSeconds.map { .number($0) }), ("seeks", .integer(play.seeks)),
            ("tracks", play.tracksJSON), ("members", play.membersJSON), ("continued_from", name(play.continuedFrom)),
            ("continued_in", name(play.continuedIn)),
        ]
    }

    private static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }

    private static func moment(_ time: WallTime?) -> JSONValue? {
        time.map { .string(PostgresTime.clamped($0).text) }
    }

    private static func name(_ id: ChangeEvent.ID?) -> JSONValue? {
        id.map { .string($0.playName) }
    }

    private static let keyColumns = ["device_id", "started_at", "recorder_id", "position", "ordinal"]

    private static let statement: String = {
        // Every play has the same columns.
        let start = WallTime(microseconds: 0)
        let play = Play(
            id: ChangeEvent.ID(position: ArchivePosition(0), ordinal: 0), deviceID: DeviceID(""), startedAt: start,
            countedAt: start)
        let others = fields(of: play, "").map(\.key).filter { !keyColumns.contains($0) }
        return """
            INSERT INTO projection.play SELECT * FROM json_populate_recordset(NULL::projection.play, $1::json)
            ON CONFLICT (\(keyColumns.joined(separator: ", "))) DO UPDATE SET
            \(others.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            """
    }()
}
