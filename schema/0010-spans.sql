-- When the seconds of a play were spent, not only how many: spans. On top of them lanes, which tell of every moment of a
-- device what it did. The terms are in docs/reports.md, the reasons in decision 0020.

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
CREATE INDEX play_span_of_time ON projection.play
    USING gist (tstzrange(started_at, CASE WHEN ended_at < started_at THEN started_at ELSE ended_at END));
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
        -- With its time: so that a question for a period finds it by index.
        tstzrange(p.started_at, CASE WHEN p.ended_at < p.started_at THEN p.started_at ELSE p.ended_at END) AS span
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

CREATE FUNCTION ledger.input_parts(
    asked_from timestamptz, asked_to timestamptz, asked_device text DEFAULT NULL
) RETURNS TABLE (device_id text, activity text, from_at timestamptz, to_at timestamptz)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    WITH told AS (
        SELECT e.device_id, e.kind, e.observed_at, e.recorder_id, e.position, e.ordinal, e.after
        FROM ledger.events e
        WHERE e.kind IN ('standby_changed', 'active_input_changed') AND e.observed_at >= asked_from
            AND e.observed_at < asked_to AND (asked_device IS NULL OR e.device_id = asked_device)
        UNION ALL
        SELECT d.device_id, b.kind, b.observed_at, b.recorder_id, b.position, b.ordinal, b.after
        FROM ledger.devices d
        CROSS JOIN LATERAL (
            (SELECT e.kind, e.observed_at, e.recorder_id, e.position, e.ordinal, e.after
            FROM ledger.events e
            WHERE e.device_id = d.device_id AND e.kind = 'standby_changed' AND e.observed_at < asked_from
            ORDER BY e.observed_at DESC, e.recorder_id DESC, e.position DESC, e.ordinal DESC
            LIMIT 1)
            UNION ALL
            (SELECT e.kind, e.observed_at, e.recorder_id, e.position, e.ordinal, e.after
            FROM ledger.events e
            WHERE e.device_id = d.device_id AND e.kind = 'active_input_changed' AND e.observed_at < asked_from
            ORDER BY e.observed_at DESC, e.recorder_id DESC, e.position DESC, e.ordinal DESC
            LIMIT 1)
        ) b
        WHERE asked_device IS NULL OR d.device_id = asked_device
    ), step AS (
        SELECT t.device_id, t.kind, t.observed_at, t.after,
            lead(t.observed_at) OVER (
                PARTITION BY t.device_id, t.kind ORDER BY t.observed_at, t.recorder_id, t.position, t.ordinal
            ) AS next_at
        FROM told t
    )
    SELECT s.device_id, CASE s.kind WHEN 'standby_changed' THEN 'standby' ELSE 'other_input' END,
        greatest(s.observed_at, asked_from), coalesce(s.next_at, asked_to)
    FROM step s
    WHERE coalesce(s.next_at, asked_to) > greatest(s.observed_at, asked_from)
        AND CASE s.kind WHEN 'standby_changed' THEN s.after -> 'isStandBy' = 'true'::jsonb
            ELSE s.after -> 'isActiveInput' = 'false'::jsonb END
    $$;
COMMENT ON FUNCTION ledger.input_parts(timestamptz, timestamptz, text)
    IS 'When TVs said that they are in standby, or show another input: activity standby or other_input. What a TV does '
    'not say is not known.';

CREATE FUNCTION ledger.lanes(
    asked_from timestamptz, asked_to timestamptz, asked_device text DEFAULT NULL
) RETURNS TABLE (
    device_id text, from_at timestamptz, to_at timestamptz, activity text, reason text, input_inactive boolean,
    recorder_id uuid, "position" bigint, ordinal integer, app_id text, app_name text, title text, lasts boolean
)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    WITH known AS MATERIALIZED (
        SELECT o.device_id, tstzrange(o.from_at, o.to_at) AS span, o.observed, o.media_observed, o.reason, o.lasts
        FROM ledger.observed_span(asked_from, asked_to, asked_device) o
    ), device AS MATERIALIZED (
        SELECT k.device_id, coalesce(range_agg(k.span) FILTER (WHERE k.media_observed), '{}') AS observed,
            max(upper(k.span)) FILTER (WHERE k.lasts) AS known_to
        FROM known k
        GROUP BY k.device_id
    ), part AS MATERIALIZED (
        -- Of several plays at once, the span that began last counts.
        SELECT p.*, row_number() OVER later AS place, lead(p.from_at) OVER later < p.to_at AS is_covered,
            (p.from_at, p.phase, p.input_inactive, p.recorder_id, p.position, p.ordinal)
                IS NOT DISTINCT FROM (lag(p.to_at) OVER later, lag(p.phase) OVER later, lag(p.input_inactive) OVER later,
                    lag(p.recorder_id) OVER later, lag(p.position) OVER later, lag(p.ordinal) OVER later) AS goes_on
        FROM ledger.play_parts(asked_from, asked_to, asked_device) p
        WHERE p.from_at < p.to_at
        WINDOW later AS (PARTITION BY p.device_id ORDER BY p.from_at, p.position, p.ordinal, p.number)
    ), clear AS (
        SELECT p.device_id, p.place, tstzrange(p.from_at, p.to_at) AS span
        FROM part p
        WHERE p.is_covered IS NOT TRUE
        UNION ALL
        SELECT u.device_id, u.place, u.span
        FROM (
            SELECT p.device_id, p.place, unnest(
                tstzmultirange(tstzrange(p.from_at, p.to_at)) - range_agg(tstzrange(c.from_at, c.to_at))) AS span
            FROM part p
            JOIN part c ON c.device_id = p.device_id AND c.place > p.place AND c.from_at < p.to_at
            WHERE p.is_covered
            GROUP BY p.device_id, p.place, p.from_at, p.to_at
        ) u
    ), played AS MATERIALIZED (
        SELECT d.device_id, c.place, c.span
        FROM clear c
        JOIN device d USING (device_id)
        WHERE d.observed @> c.span
        UNION ALL
        SELECT d.device_id, c.place, unnest(tstzmultirange(c.span) * d.observed)
        FROM clear c
        JOIN device d USING (device_id)
        WHERE NOT d.observed @> c.span AND d.observed && c.span
    ), session AS MATERIALIZED (
        -- An app whose end nobody saw has ended when another one starts. Two recorders may have seen one app session.
        SELECT a.device_id, a.app_session_id, min(a.started_at) AS started_at, min(a.app_id) AS app_id,
            min(a.app_name) AS app_name, range_agg(a.span * tstzrange(a.started_at, CASE WHEN a.ended_at IS NULL THEN (
                SELECT min(o.started_at)
                FROM ledger.app_sessions o
                WHERE o.device_id = a.device_id AND o.started_at > a.started_at
            ) END) * tstzrange(asked_from, asked_to)) AS spans
        FROM ledger.app_sessions a
        WHERE a.span && tstzrange(asked_from, asked_to) AND (asked_device IS NULL OR a.device_id = asked_device)
        GROUP BY a.device_id, a.app_session_id
    ), app AS MATERIALIZED (
        SELECT s.device_id, s.app_id, s.app_name, s.spans - coalesce((
                SELECT range_agg(l.span)
                FROM (SELECT unnest(o.spans) AS span, o.started_at, o.app_session_id, o.device_id FROM session o) l
                WHERE s.is_covered AND l.device_id = s.device_id
                    AND (l.started_at, l.app_session_id) > (s.started_at, s.app_session_id)
            ), '{}') AS spans
        FROM (
            SELECT o.*, lower(lead(o.spans) OVER later) < upper(o.spans) AS is_covered
            FROM session o
            WINDOW later AS (PARTITION BY o.device_id ORDER BY o.started_at, o.app_session_id)
        ) s
    ), rest AS (
        SELECT d.device_id, d.observed - coalesce(p.spans, '{}') AS spans, coalesce(i.standby, '{}') AS standby,
            coalesce(i.other_input, '{}') AS other_input
        FROM device d
        LEFT JOIN (SELECT p.device_id, range_agg(p.span) AS spans FROM played p GROUP BY p.device_id) p USING (device_id)
        LEFT JOIN (
            SELECT i.device_id, range_agg(tstzrange(i.from_at, i.to_at)) FILTER (WHERE i.activity = 'standby') AS standby,
                range_agg(tstzrange(i.from_at, i.to_at)) FILTER (WHERE i.activity = 'other_input') AS other_input
            FROM ledger.input_parts(asked_from, asked_to, asked_device) i
            GROUP BY i.device_id
        ) i USING (device_id)
    ), left_over AS MATERIALIZED (
        -- What no play says: first what the TV says of its input, then which app runs.
        SELECT r.device_id, r.spans * r.standby AS standby, (r.spans - r.standby) * r.other_input AS other_input,
            r.spans - r.standby - r.other_input AS spans
        FROM rest r
    ), apps AS MATERIALIZED (
        SELECT a.device_id, range_agg(s) AS spans FROM app a, unnest(a.spans) s GROUP BY a.device_id
    ), found AS (
        SELECT p.device_id, p.span, CASE WHEN t.phase IN ('idle', 'unobserved') THEN 'unobserved' ELSE t.phase END
            AS activity, CASE WHEN t.phase = 'unobserved' THEN 'not_told' END AS reason, t.input_inactive, t.recorder_id,
            t.position, t.ordinal, t.app_id, t.app_name, t.title
        FROM (
            -- Spans that go on alike are one.
            SELECT n.device_id, n.place, n.span
            FROM played n
            WHERE NOT EXISTS (SELECT FROM part t WHERE t.goes_on)
            UNION ALL
            SELECT m.device_id, min(m.place), unnest(range_agg(m.span))
            FROM (
                SELECT n.device_id, n.place, n.span, count(*) FILTER (WHERE NOT t.goes_on)
                    OVER (PARTITION BY n.device_id ORDER BY n.place) AS island
                FROM played n
                JOIN part t USING (device_id, place)
                WHERE EXISTS (SELECT FROM part t WHERE t.goes_on)
            ) m
            GROUP BY m.device_id, m.island
        ) p
        JOIN part t USING (device_id, place)
        UNION ALL
        SELECT k.device_id, k.span, 'unobserved', k.reason, false, NULL, NULL, NULL, NULL, NULL, NULL
        FROM known k
        WHERE NOT k.observed
        UNION ALL
        SELECT k.device_id, unnest(tstzmultirange(k.span) * a.spans), 'unobserved', k.reason, false, NULL, NULL, NULL,
            a.app_id, a.app_name, NULL
        FROM known k
        JOIN app a ON a.device_id = k.device_id AND a.spans && k.span
        WHERE k.observed AND NOT k.media_observed
        UNION ALL
        SELECT k.device_id, unnest(tstzmultirange(k.span) - coalesce(a.spans, '{}')), 'unobserved', k.reason, false,
            NULL, NULL, NULL, NULL, NULL, NULL
        FROM known k
        LEFT JOIN apps a USING (device_id)
        WHERE k.observed AND NOT k.media_observed
        UNION ALL
        SELECT l.device_id, unnest(l.standby), 'standby', NULL, true, NULL, NULL, NULL, NULL, NULL, NULL
        FROM left_over l
        UNION ALL
        SELECT l.device_id, unnest(l.other_input), 'other_input', NULL, true, NULL, NULL, NULL, NULL, NULL, NULL
        FROM left_over l
        UNION ALL
        SELECT l.device_id, unnest(l.spans * a.spans), 'app_only', NULL, false, NULL, NULL, NULL, a.app_id, a.app_name,
            NULL
        FROM left_over l
        JOIN app a USING (device_id)
        UNION ALL
        SELECT l.device_id, unnest(l.spans - coalesce(a.spans, '{}')), 'idle', NULL, false, NULL, NULL, NULL, NULL, NULL,
            NULL
        FROM left_over l
        LEFT JOIN apps a USING (device_id)
    )
    SELECT f.device_id, lower(f.span), upper(f.span), f.activity, f.reason, f.input_inactive, f.recorder_id, f.position,
        f.ordinal, f.app_id, f.app_name, f.title, upper(f.span) IS NOT DISTINCT FROM d.known_to
    FROM found f
    JOIN device d USING (device_id)
    $$;
COMMENT ON FUNCTION ledger.lanes(timestamptz, timestamptz, text)
    IS 'What each device did at every known moment of a period: spans that never overlap and leave no hole but what is '
    'not known; equal neighbors are one. activity is loading, buffering, playing, paused, advertisement, unknown, '
    'app_only (an app runs and tells of no media), standby, other_input, idle or unobserved, for the reason said '
    '(not_told: observed again, but the player has not yet said what it does). recorder_id, position and ordinal name '
    'the play. lasts: it reaches the end of what is known.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'castledger_reader') THEN
        GRANT SELECT ON ledger.closed_spans, ledger.play_spans TO castledger_reader;
    END IF;
END
$$;
