import CastModel
import Differ
import Plays
import Recording

/// Plays as rows of `projection.play`: written whole, the latest of each play once.
struct PlayRows {
    /// The latest row of each play.
    let rows: [Play]

    /// - Parameter plays: In the order of the archive; a later row of a play takes the place of an earlier one.
    init(_ plays: [Play]) {
        var places: [ChangeEvent.ID: Int] = [:]
        var rows: [Play] = []
        for play in plays {
            if let place = places[play.id] {
                rows[place] = play
            } else {
                places[play.id] = rows.count
                rows.append(play)
            }
        }
        self.rows = rows
    }

    /// Writes the rows; part of the caller's transaction.
    func store(
        knowing progress: PlayProgress, recorder: String, over connection: PostgresConnection
    ) throws(StoreError) {
        var (whole, going): ([Play], [Play]) = ([], [])
        for row in rows { if progress.covers(row) { going.append(row) } else { whole.append(row) } }
        try progress.store(going, recorder: recorder, over: connection)
        try store(whole, recorder: recorder, over: connection)
    }

    private func store(
        _ rows: [Play], recorder: String, over connection: PostgresConnection
    ) throws(StoreError) {
        guard !rows.isEmpty else { return }
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for row in rows {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            var changed = false
            bytes += Sanitizing.json(.object(JSONObject(Self.fields(of: row))), changed: &changed)
        }
        bytes.append(UInt8(ascii: "]"))
        try connection.execute(
            Self.statement, [.text(recorder), .text(String(decoding: bytes, as: UTF8.self))], doing: "storing plays")
    }

    private static func fields(of play: Play) -> [(key: String, value: JSONValue)] {
        (identity(of: play) + content(of: play.content) + course(of: play)).compactMap { pair in
            pair.value.map { (key: pair.key, value: $0) }
        }
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
            ("phase", text(play.phase?.rawValue)), ("counted_at", moment(play.countedAt)),
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
        id.map { .string("\($0.position.number)/\($0.ordinal)") }
    }

    private static let statement = """
        INSERT INTO projection.play (
            device_id, started_at, recorder_id, position, ordinal, app_session_id, media_session_id,
            queue_item_id, app_id, app_name, content_id, content_url, entity, title, series, season, episode,
            artist, album, content_type, stream_type, duration_seconds, start_cause, ended_at, end_reason,
            end_is_uncertain, phase, counted_at, played_seconds, paused_seconds, buffering_seconds, ad_seconds,
            input_inactive_seconds, gap_seconds, first_position_seconds, last_position_seconds,
            max_position_seconds, seeks, tracks, members, continued_from, continued_in)
        SELECT
            device_id, started_at, $1::uuid, position, ordinal, app_session_id, media_session_id, queue_item_id,
            app_id, app_name, content_id, content_url, entity, title, series, season, episode, artist, album,
            content_type, stream_type, duration_seconds, start_cause, ended_at, end_reason, end_is_uncertain,
            phase, counted_at, played_seconds, paused_seconds, buffering_seconds, ad_seconds,
            input_inactive_seconds, gap_seconds, first_position_seconds, last_position_seconds,
            max_position_seconds, seeks, tracks, members, continued_from, continued_in
        FROM json_to_recordset($2::json) AS r (
            device_id text, started_at timestamptz, position bigint, ordinal integer, app_session_id text,
            media_session_id bigint, queue_item_id bigint, app_id text, app_name text, content_id text,
            content_url text, entity text, title text, series text, season bigint, episode bigint, artist text,
            album text, content_type text, stream_type text, duration_seconds double precision,
            start_cause text, ended_at timestamptz, end_reason text, end_is_uncertain boolean, phase text,
            counted_at timestamptz, played_seconds double precision, paused_seconds double precision,
            buffering_seconds double precision, ad_seconds double precision,
            input_inactive_seconds double precision, gap_seconds double precision,
            first_position_seconds double precision, last_position_seconds double precision,
            max_position_seconds double precision, seeks bigint, tracks jsonb, members jsonb,
            continued_from text, continued_in text)
        ON CONFLICT (device_id, started_at, recorder_id, position, ordinal) DO UPDATE SET
            app_session_id = excluded.app_session_id, media_session_id = excluded.media_session_id,
            queue_item_id = excluded.queue_item_id, app_id = excluded.app_id, app_name = excluded.app_name,
            content_id = excluded.content_id, content_url = excluded.content_url, entity = excluded.entity,
            title = excluded.title, series = excluded.series, season = excluded.season,
            episode = excluded.episode, artist = excluded.artist, album = excluded.album,
            content_type = excluded.content_type, stream_type = excluded.stream_type,
            duration_seconds = excluded.duration_seconds, start_cause = excluded.start_cause,
            ended_at = excluded.ended_at, end_reason = excluded.end_reason,
            end_is_uncertain = excluded.end_is_uncertain, phase = excluded.phase,
            counted_at = excluded.counted_at, played_seconds = excluded.played_seconds,
            paused_seconds = excluded.paused_seconds, buffering_seconds = excluded.buffering_seconds,
            ad_seconds = excluded.ad_seconds, input_inactive_seconds = excluded.input_inactive_seconds,
            gap_seconds = excluded.gap_seconds, first_position_seconds = excluded.first_position_seconds,
            last_position_seconds = excluded.last_position_seconds,
            max_position_seconds = excluded.max_position_seconds, seeks = excluded.seeks,
            tracks = excluded.tracks, members = excluded.members, continued_from = excluded.continued_from,
            continued_in = excluded.continued_in
        """

}
