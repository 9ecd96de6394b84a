-- A play is one content item on one device, from its first sign to its end. Few change events touch one, so the row is
-- written whole. What lasts is kept as JSON, to go on from there.

CREATE TABLE projection.play (
    device_id text NOT NULL,
    started_at timestamptz NOT NULL,
    recorder_id uuid NOT NULL,
    position bigint NOT NULL,
    ordinal integer NOT NULL,
    app_session_id text,
    media_session_id bigint,
    queue_item_id bigint,
    app_id text,
    app_name text,
    content_id text,
    content_url text,
    entity text,
    title text,
    series text,
    season bigint,
    episode bigint,
    artist text,
    album text,
    content_type text,
    stream_type text,
    duration_seconds double precision,
    start_cause text NOT NULL,
    ended_at timestamptz,
    end_reason text,
    end_is_uncertain boolean NOT NULL,
    phase text,
    counted_at timestamptz NOT NULL,
    played_seconds double precision NOT NULL,
    paused_seconds double precision NOT NULL,
    buffering_seconds double precision NOT NULL,
    ad_seconds double precision NOT NULL,
    input_inactive_seconds double precision NOT NULL,
    gap_seconds double precision NOT NULL,
    first_position_seconds double precision,
    last_position_seconds double precision,
    max_position_seconds double precision,
    seeks bigint NOT NULL,
    tracks jsonb NOT NULL,
    members jsonb NOT NULL,
    continued_from text,
    continued_in text,
    PRIMARY KEY (device_id, started_at, recorder_id, position, ordinal)
);
CREATE INDEX play_started_at ON projection.play (started_at);
CREATE INDEX play_of_media_session ON projection.play (device_id, app_session_id, media_session_id);
ALTER TABLE projection.play SET (fillfactor = 80);
COMMENT ON TABLE projection.play IS 'Each play, as far as it was observed.';
COMMENT ON COLUMN projection.play.device_id IS 'Where it played: a device or a group.';
COMMENT ON COLUMN projection.play.started_at IS 'Its first sign. See start_cause: already_playing began earlier.';
COMMENT ON COLUMN projection.play.recorder_id IS 'Who observed it.';
COMMENT ON COLUMN projection.play.position IS 'The record of the change event that began it.';
COMMENT ON COLUMN projection.play.ordinal
    IS 'The place of that change event in its record. With position the name of the play.';
COMMENT ON COLUMN projection.play.app_session_id IS 'In which app session. Null when unknown.';
COMMENT ON COLUMN projection.play.media_session_id IS 'In which media session it began. Null when the app tells none.';
COMMENT ON COLUMN projection.play.queue_item_id IS 'Which item of the queue. Null when there is none.';
COMMENT ON COLUMN projection.play.app_id
    IS 'Which receiver app, by its universal id where it has one. Null when not said.';
COMMENT ON COLUMN projection.play.app_name IS 'The display name of the app. Null when not said.';
COMMENT ON COLUMN projection.play.content_id IS 'The contentId. Null when not said or empty.';
COMMENT ON COLUMN projection.play.content_url IS 'The contentUrl. Null when not said or empty.';
COMMENT ON COLUMN projection.play.entity IS 'The entity, a deep link. Null when not said or empty.';
COMMENT ON COLUMN projection.play.title IS 'Title. Null when not said.';
COMMENT ON COLUMN projection.play.series IS 'The series that an episode belongs to. Null when not said.';
COMMENT ON COLUMN projection.play.season IS 'Season of the series. Null when not said.';
COMMENT ON COLUMN projection.play.episode IS 'Episode of the season. Null when not said.';
COMMENT ON COLUMN projection.play.artist IS 'Performer. Null when not said.';
COMMENT ON COLUMN projection.play.album IS 'Album. Null when not said.';
COMMENT ON COLUMN projection.play.content_type IS 'The contentType, MIME or not. Null when not said.';
COMMENT ON COLUMN projection.play.stream_type IS 'BUFFERED, LIVE or NONE, as it was spelled. Null when not said.';
COMMENT ON COLUMN projection.play.duration_seconds
    IS 'Length of the content in seconds, not that of an ad. Null when unknown.';
COMMENT ON COLUMN projection.play.start_cause
    IS 'sender_request, receiver, cloud, already_playing, transfer or unknown.';
COMMENT ON COLUMN projection.play.ended_at IS 'Its last sign. Null while it lasts.';
COMMENT ON COLUMN projection.play.end_reason
    IS 'finished, stopped, replaced, failed, app_closed, app_replaced, device_lost, recording_stopped, transferred or unknown. Null while it lasts.';
COMMENT ON COLUMN projection.play.end_is_uncertain
    IS 'Whether the end lies in a gap: then ended_at is the last moment observed before it.';
COMMENT ON COLUMN projection.play.phase
    IS 'What it does since counted_at: loading, buffering, playing, paused, advertisement, idle, unobserved or unknown. Null once ended.';
COMMENT ON COLUMN projection.play.counted_at IS 'Up to when the seconds are counted. Nothing changed since.';
COMMENT ON COLUMN projection.play.played_seconds IS 'Seconds played, ads not counted, on the wall clock.';
COMMENT ON COLUMN projection.play.paused_seconds IS 'Seconds paused.';
COMMENT ON COLUMN projection.play.buffering_seconds
    IS 'Seconds of waiting for data, loading before the start not counted.';
COMMENT ON COLUMN projection.play.ad_seconds IS 'Seconds of ads.';
COMMENT ON COLUMN projection.play.input_inactive_seconds
    IS 'Of played_seconds, those with the TV in standby or on another input.';
COMMENT ON COLUMN projection.play.gap_seconds IS 'Seconds in which the device was not observed.';
COMMENT ON COLUMN projection.play.first_position_seconds IS 'Where in the content it was first. Null when unknown.';
COMMENT ON COLUMN projection.play.last_position_seconds IS 'Where it was last. Null when unknown.';
COMMENT ON COLUMN projection.play.max_position_seconds IS 'The furthest it came. Null when unknown.';
COMMENT ON COLUMN projection.play.seeks IS 'How often somebody jumped in it.';
COMMENT ON COLUMN projection.play.tracks IS 'Selections of tracks: a list of from, to, trackIds, languages, captions.';
COMMENT ON COLUMN projection.play.members IS 'Device ids of the members of the group. Empty on a lone device.';
COMMENT ON COLUMN projection.play.continued_from
    IS 'The play on another device that goes on here: position/ordinal of the same recorder. Null for none.';
COMMENT ON COLUMN projection.play.continued_in IS 'The play on another device that this goes on in. Null for none.';

CREATE TABLE projection.play_state (
    device_id text NOT NULL,
    recorder_id uuid NOT NULL,
    state json NOT NULL,
    PRIMARY KEY (device_id, recorder_id)
);
ALTER TABLE projection.play_state SET (fillfactor = 50);
COMMENT ON TABLE projection.play_state
    IS 'What is known of the plays of each device at the checkpoint, to go on from there.';
COMMENT ON COLUMN projection.play_state.device_id IS 'Which device.';
COMMENT ON COLUMN projection.play_state.recorder_id IS 'Who observes it.';
COMMENT ON COLUMN projection.play_state.state IS 'The own form of the ledger of plays. json, not jsonb: kept to the byte.';

-- A play that lasts goes on in its phase up to the checkpoint. A play that two recorders saw counts once: the one that saw
-- it first has it.
CREATE OR REPLACE VIEW ledger.plays AS
    SELECT p.device_id, p.app_session_id, p.media_session_id, p.app_id, p.app_name, p.content_id, p.title,
        p.duration_seconds, p.started_at, p.start_cause, p.ended_at, p.end_reason, p.recorder_id, p.position, p.ordinal,
        p.queue_item_id, p.content_url, p.entity, p.series, p.season, p.episode, p.artist, p.album, p.content_type,
        p.stream_type, p.end_is_uncertain, p.phase,
        CASE WHEN p.ended_at IS NULL THEN greatest(p.counted_at, c.observed_at) ELSE p.counted_at END AS counted_at,
        p.played_seconds + CASE p.phase WHEN 'playing' THEN l.seconds ELSE 0 END AS played_seconds,
        p.paused_seconds + CASE p.phase WHEN 'paused' THEN l.seconds ELSE 0 END AS paused_seconds,
        p.buffering_seconds + CASE p.phase WHEN 'buffering' THEN l.seconds ELSE 0 END AS buffering_seconds,
        p.ad_seconds + CASE p.phase WHEN 'advertisement' THEN l.seconds ELSE 0 END AS ad_seconds,
        p.input_inactive_seconds,
        p.gap_seconds + CASE p.phase WHEN 'unobserved' THEN l.seconds ELSE 0 END AS gap_seconds,
        p.first_position_seconds, p.last_position_seconds, p.max_position_seconds, p.seeks, p.tracks, p.members,
        p.continued_from, p.continued_in
    FROM projection.play p
    JOIN projection.checkpoint c USING (recorder_id)
    CROSS JOIN LATERAL (
        SELECT CASE WHEN p.ended_at IS NULL
            THEN greatest(0, coalesce(extract(epoch FROM c.observed_at - p.counted_at), 0))::double precision
            ELSE 0 END AS seconds
    ) l
    WHERE NOT EXISTS (
        SELECT FROM projection.play o
        WHERE o.device_id = p.device_id AND o.app_session_id = p.app_session_id
            AND o.media_session_id = p.media_session_id AND o.recorder_id <> p.recorder_id
            AND (o.started_at, o.recorder_id) < (p.started_at, p.recorder_id)
            AND coalesce(o.ended_at, 'infinity') > p.started_at
            AND o.content_id IS NOT DISTINCT FROM p.content_id
            AND o.queue_item_id IS NOT DISTINCT FROM p.queue_item_id
    );
COMMENT ON VIEW ledger.plays IS 'Each play once, however many recorders saw it.';
