// Written by schema/embed from schema/0010-spans.sql: edit that, not this.

extension Migration {
    static let schema0010 = Migration(
        number: 10, name: "spans",
        sql: #"""
            -- When the seconds of a play were spent, not only how many: spans. The terms are in docs/reports.md, the reasons in
            -- decision 0020.

            ALTER TABLE projection.play ADD COLUMN phase_since timestamptz;
            COMMENT ON COLUMN projection.play.phase_since
                IS 'Since when it has been in its phase. Up to counted_at that time is in its seconds. Null once ended.';

            CREATE TABLE projection.play_span (
                device_id text NOT NULL,
                recorder_id uuid NOT NULL,
                position bigint NOT NULL,
                ordinal integer NOT NULL,
                number integer NOT NULL,
                from_at timestamptz NOT NULL,
                to_at timestamptz NOT NULL,
                phase text NOT NULL,
                input_inactive boolean NOT NULL,
                PRIMARY KEY (device_id, recorder_id, position, ordinal, number)
            );
            COMMENT ON TABLE projection.play_span
                IS 'The stretches of each play that are over. What it does since is in its row: phase, phase_since, counted_at.';
            COMMENT ON COLUMN projection.play_span.device_id IS 'Where it played.';
            COMMENT ON COLUMN projection.play_span.recorder_id IS 'Who observed it.';
            COMMENT ON COLUMN projection.play_span.position IS 'With ordinal the name of the play.';
            COMMENT ON COLUMN projection.play_span.ordinal IS 'With position the name of the play.';
            COMMENT ON COLUMN projection.play_span.number IS 'The place of the span in its play, from 0.';
            COMMENT ON COLUMN projection.play_span.from_at IS 'Its first moment.';
            COMMENT ON COLUMN projection.play_span.to_at IS 'The first moment after it.';
            COMMENT ON COLUMN projection.play_span.phase
                IS 'loading, buffering, playing, paused, advertisement, unobserved or unknown.';
            COMMENT ON COLUMN projection.play_span.input_inactive
                IS 'Whether the TV was known to be in standby or on another input.';

            -- The plays that touch a period, of all devices: by their time.
            CREATE INDEX play_span_of_time ON projection.play USING gist (
                tstzrange(least(started_at, ended_at), CASE WHEN ended_at < started_at THEN started_at ELSE ended_at END, '[]'));
            -- What a TV says of its input, rarely.
            CREATE INDEX change_event_of_input ON projection.change_event (device_id, kind, observed_at)
                WHERE kind IN ('standby_changed', 'active_input_changed');
            CREATE INDEX app_session_of_time ON projection.app_session
                USING gist (tstzrange(started_at, CASE WHEN ended_at < started_at THEN started_at ELSE ended_at END));

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
                    p.input_inactive_seconds
                        + CASE WHEN p.phase = 'playing' AND p.input_is_inactive THEN l.seconds ELSE 0 END
                        AS input_inactive_seconds,
                    p.gap_seconds + CASE p.phase WHEN 'unobserved' THEN l.seconds ELSE 0 END AS gap_seconds,
                    p.first_position_seconds, p.last_position_seconds, p.max_position_seconds, p.seeks, p.tracks, p.members,
                    p.continued_from, p.continued_in, p.input_is_inactive, p.phase_since,
                    -- Its time, however the clock was set: so that a question for a period finds it by index.
                    tstzrange(
                        least(p.started_at, p.ended_at),
                        CASE WHEN p.ended_at < p.started_at THEN p.started_at ELSE p.ended_at END, '[]') AS span
                FROM projection.play p
                JOIN projection.checkpoint c USING (recorder_id)
                CROSS JOIN LATERAL (
                    SELECT CASE WHEN p.ended_at IS NULL
                        THEN greatest(0, coalesce(extract(epoch FROM c.observed_at - p.counted_at), 0))::double precision
                        ELSE 0 END AS seconds
                ) l
                -- One recorder sees nothing twice; of several, each play asks the index of media sessions for its likes.
                WHERE (SELECT count(*) < 2 FROM projection.checkpoint) OR NOT EXISTS (
                    SELECT FROM projection.play o
                    WHERE o.device_id = p.device_id AND o.app_session_id = p.app_session_id
                        AND o.media_session_id = p.media_session_id AND o.recorder_id <> p.recorder_id
                        AND (o.started_at, o.recorder_id) < (p.started_at, p.recorder_id)
                        AND coalesce(o.ended_at, 'infinity') > p.started_at
                        AND o.content_id IS NOT DISTINCT FROM p.content_id
                        AND o.queue_item_id IS NOT DISTINCT FROM p.queue_item_id
                );

            CREATE VIEW ledger.closed_spans AS
                SELECT device_id, recorder_id, position, ordinal, number, from_at, to_at, phase, input_inactive
                FROM projection.play_span;
            COMMENT ON VIEW ledger.closed_spans
                IS 'The spans of plays that are over, of all recorders. ledger.play_spans has each play once, and what lasts.';

            CREATE VIEW ledger.play_spans AS
                SELECT s.device_id, s.recorder_id, s.position, s.ordinal, s.number, s.from_at, s.to_at, s.phase, s.input_inactive,
                    false AS lasts
                FROM ledger.plays p
                JOIN projection.play_span s USING (device_id, recorder_id, position, ordinal)
                UNION ALL
                SELECT p.device_id, p.recorder_id, p.position, p.ordinal, coalesce(n.number, 0), p.phase_since, p.counted_at,
                    p.phase, p.input_is_inactive AND p.phase <> 'unobserved', true
                FROM ledger.plays p
                CROSS JOIN LATERAL (
                    SELECT max(s.number) + 1 AS number
                    FROM projection.play_span s
                    WHERE s.device_id = p.device_id AND s.recorder_id = p.recorder_id AND s.position = p.position
                        AND s.ordinal = p.ordinal
                ) n
                WHERE p.ended_at IS NULL AND p.phase_since < p.counted_at AND p.phase <> 'idle';
            COMMENT ON VIEW ledger.play_spans
                IS 'What each play did and when, each play once: its phases as spans, half open. The one that lasts goes up to the '
                'last record applied. By phase they add up to the seconds of ledger.plays.';

            CREATE OR REPLACE VIEW ledger.app_sessions AS
                SELECT recorder_id, device_id, app_session_id, app_id, app_name, status_text, started_at,
                    start_attribution,
                    ended_at, end_reason,
                    tstzrange(started_at, CASE WHEN ended_at < started_at THEN started_at ELSE ended_at END) AS span
                FROM projection.app_session;

            -- As in 0008, but that a thousand devices are not compared with each other.
            CREATE OR REPLACE FUNCTION ledger.observed_span(
                asked_from timestamptz, asked_to timestamptz, asked_device text DEFAULT NULL
            ) RETURNS TABLE (
                device_id text, from_at timestamptz, to_at timestamptz, observed boolean, media_observed boolean, reason text,
                lasts boolean
            )
                LANGUAGE sql STABLE PARALLEL SAFE
                AS $$
                WITH watch AS (
                    SELECT w.device_id, w.recorder_id, tstzrange(w.from_at, w.to_at) * tstzrange(asked_from, asked_to) AS span
                    FROM ledger.watched w
                    WHERE w.from_at < w.to_at AND w.from_at < asked_to AND w.to_at > asked_from
                        AND (asked_device IS NULL OR w.device_id = asked_device)
                ), unobserved AS MATERIALIZED (
                    SELECT u.device_id, u.recorder_id, u.span, u.reason, u.hides
                    FROM ledger.unobserved u
                    WHERE u.span && tstzrange(asked_from, asked_to) AND (asked_device IS NULL OR u.device_id = asked_device)
                ), missed AS (
                    SELECT device_id, recorder_id, u.span * w.span AS span, u.reason, u.hides
                    FROM watch w
                    JOIN unobserved u USING (device_id, recorder_id)
                    WHERE u.span && w.span
                ), by_recorder AS (
                    SELECT w.device_id, tstzmultirange(w.span)
                            - coalesce(range_agg(m.span) FILTER (WHERE m.hides = 'nothing'), '{}') AS known,
                        coalesce(range_agg(m.span) FILTER (WHERE m.hides = 'device'), '{}') AS device_missed,
                        coalesce(range_agg(m.span) FILTER (WHERE m.hides = 'media'), '{}') AS media_missed
                    FROM watch w
                    LEFT JOIN missed m USING (device_id, recorder_id)
                    GROUP BY w.device_id, w.recorder_id, w.span
                ), part AS (
                    SELECT r.device_id, 1 AS layer, unnest(r.known) AS span FROM by_recorder r
                    UNION ALL
                    SELECT r.device_id, 2, unnest(r.known - r.device_missed) FROM by_recorder r
                    UNION ALL
                    SELECT r.device_id, 3, unnest(r.known - r.device_missed - r.media_missed) FROM by_recorder r
                ), by_device AS (
                    SELECT p.device_id, range_agg(p.span) FILTER (WHERE p.layer = 1) AS known,
                        coalesce(range_agg(p.span) FILTER (WHERE p.layer = 2), '{}') AS observed,
                        coalesce(range_agg(p.span) FILTER (WHERE p.layer = 3), '{}') AS media_observed
                    FROM part p
                    GROUP BY p.device_id
                ), by_reason AS (
                    SELECT m.device_id, m.hides, m.reason, range_agg(m.span) AS spans,
                        ledger.reason_rank(m.reason) AS rank
                    FROM missed m
                    WHERE m.hides <> 'nothing'
                    GROUP BY m.device_id, m.hides, m.reason
                ), ranked AS (
                    SELECT b.device_id, b.hides, array_agg(b.reason ORDER BY b.rank, b.reason) AS reasons,
                        array_agg(b.spans ORDER BY b.rank, b.reason) AS spans
                    FROM by_reason b
                    GROUP BY b.device_id, b.hides
                ), told AS (
                    SELECT r.device_id, r.hides, b.reason, b.spans
                        - coalesce((SELECT range_agg(s) FROM unnest(r.spans[1 : b.n - 1]) o, unnest(o) s), '{}') AS spans
                    FROM ranked r
                    CROSS JOIN LATERAL unnest(r.reasons, r.spans) WITH ORDINALITY b (reason, spans, n)
                ), found AS (
                    SELECT d.device_id, unnest(d.media_observed) AS span, true AS observed, true AS media_observed,
                        NULL::text AS reason, upper(d.known) AS known_to
                    FROM by_device d
                    UNION ALL
                    SELECT d.device_id, unnest((d.observed - d.media_observed) * t.spans), true, false, t.reason, upper(d.known)
                    FROM by_device d
                    JOIN told t ON t.device_id = d.device_id AND t.hides = 'media'
                    UNION ALL
                    SELECT d.device_id, unnest((d.known - d.observed) * t.spans), false, false, t.reason, upper(d.known)
                    FROM by_device d
                    JOIN told t ON t.device_id = d.device_id AND t.hides = 'device'
                )
                SELECT f.device_id, lower(f.span), upper(f.span), f.observed, f.media_observed, f.reason,
                    upper(f.span) = f.known_to AND f.known_to < asked_to
                FROM found f
                $$;

            CREATE FUNCTION ledger.play_parts(
                asked_from timestamptz, asked_to timestamptz, asked_device text DEFAULT NULL
            ) RETURNS TABLE (
                device_id text, recorder_id uuid, "position" bigint, ordinal integer, number integer, from_at timestamptz,
                to_at timestamptz, phase text, input_inactive boolean, app_id text, app_name text, title text
            )
                LANGUAGE sql STABLE PARALLEL SAFE
                AS $$
                WITH touched AS MATERIALIZED (
                    SELECT p.device_id, p.recorder_id, p.position, p.ordinal, p.app_id, p.app_name,
                        coalesce(p.title, p.content_id, p.content_url, p.entity) AS title, p.ended_at, p.phase, p.phase_since,
                        p.counted_at, p.input_is_inactive
                    FROM ledger.plays p
                    WHERE p.span && tstzrange(asked_from, asked_to) AND (asked_device IS NULL OR p.device_id = asked_device)
                )
                SELECT t.device_id, t.recorder_id, t.position, t.ordinal, s.number, greatest(s.from_at, asked_from),
                    least(s.to_at, asked_to), s.phase, s.input_inactive, t.app_id, t.app_name, t.title
                FROM touched t
                CROSS JOIN LATERAL (
                    -- Play by play, by the key: there may be a thousand times as many other spans.
                    SELECT c.number, c.from_at, c.to_at, c.phase, c.input_inactive
                    FROM ledger.closed_spans c
                    WHERE c.device_id = t.device_id AND c.recorder_id = t.recorder_id AND c.position = t.position
                        AND c.ordinal = t.ordinal AND c.from_at < asked_to AND c.to_at > asked_from
                    OFFSET 0
                ) s
                UNION ALL
                SELECT t.device_id, t.recorder_id, t.position, t.ordinal, 2147483647, greatest(t.phase_since, asked_from),
                    least(t.counted_at, asked_to), t.phase, t.input_is_inactive AND t.phase <> 'unobserved', t.app_id, t.app_name,
                    t.title
                FROM touched t
                WHERE t.ended_at IS NULL AND t.phase <> 'idle' AND t.phase_since < least(t.counted_at, asked_to)
                    AND t.counted_at > asked_from
                $$;
            COMMENT ON FUNCTION ledger.play_parts(timestamptz, timestamptz, text)
                IS 'The spans of plays that touch a period, cut to it, with app and title. The number of one that lasts is the '
                'highest there is.';

            DO $$
            BEGIN
                IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'castledger_reader') THEN
                    GRANT SELECT ON ledger.closed_spans, ledger.play_spans TO castledger_reader;
                END IF;
            END
            $$;
            """#)
}
