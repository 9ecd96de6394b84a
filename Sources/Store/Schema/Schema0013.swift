// Written by schema/embed from schema/0013-hours.sql: edit that, not this.

extension Migration {
    static let schema0013 = Migration(
        number: 13, name: "hours",
        sql: #"""
            -- Coverage within times of day and weekdays, as reports have it; and lanes of many devices at once, faster.

            DROP FUNCTION ledger.coverage(timestamptz, timestamptz, text, text);
            CREATE FUNCTION ledger.coverage(
                asked_from timestamptz, asked_to timestamptz, zone text DEFAULT 'UTC', asked_device text DEFAULT NULL,
                between_from time DEFAULT NULL, between_to time DEFAULT NULL, weekdays integer[] DEFAULT NULL
            ) RETURNS TABLE (
                device_id text, day date, known_seconds double precision, observed_seconds double precision,
                media_observed_seconds double precision, observed double precision, media_observed double precision, gaps jsonb
            )
                LANGUAGE sql STABLE PARALLEL SAFE
                AS $$
                WITH span AS MATERIALIZED (
                    SELECT s.*, floor(extract(epoch FROM s.from_at) / 86400)::integer AS first_day,
                        floor(extract(epoch FROM s.to_at) / 86400)::integer AS last_day
                    FROM ledger.observed_span(asked_from, asked_to, asked_device) s
                ), day AS MATERIALIZED (
                    SELECT b.day, b.from_at, b.to_at, floor(extract(epoch FROM b.from_at) / 86400)::integer AS first_day, n
                    FROM (SELECT min(from_at) AS from_at, max(to_at) AS to_at FROM span) s
                    CROSS JOIN LATERAL ledger.buckets(s.from_at, s.to_at, zone, 'day', between_from, between_to, weekdays) b
                    CROSS JOIN LATERAL generate_series(floor(extract(epoch FROM b.from_at) / 86400)::integer,
                        floor(extract(epoch FROM b.to_at - interval '1 microsecond') / 86400)::integer) n
                ), part AS (
                    -- A span meets a day of the zone on the first UTC day of both.
                    SELECT s.device_id, d.day, s.observed, s.media_observed, s.reason,
                        extract(epoch FROM least(s.to_at, d.to_at) - greatest(s.from_at, d.from_at)) AS seconds
                    FROM span s
                    CROSS JOIN LATERAL generate_series(s.first_day, s.last_day) n
                    JOIN day d ON d.n = n.n AND d.from_at < s.to_at AND d.to_at > s.from_at
                        AND n.n = greatest(s.first_day, d.first_day)
                ), by_reason AS (
                    SELECT p.device_id, p.day, p.reason, sum(p.seconds) AS known,
                        coalesce(sum(p.seconds) FILTER (WHERE p.observed), 0) AS observed,
                        coalesce(sum(p.seconds) FILTER (WHERE p.media_observed), 0) AS media_observed
                    FROM part p
                    GROUP BY p.device_id, p.day, p.reason
                )
                SELECT r.device_id, r.day, sum(r.known)::double precision, sum(r.observed)::double precision,
                    sum(r.media_observed)::double precision, (sum(r.observed) / sum(r.known))::double precision,
                    (sum(r.media_observed) / sum(r.known))::double precision,
                    coalesce(
                        jsonb_agg(jsonb_build_object('reason', r.reason, 'seconds', r.known) ORDER BY r.known DESC, r.reason)
                            FILTER (WHERE r.reason IS NOT NULL), '[]')
                FROM by_reason r
                GROUP BY r.device_id, r.day
                $$;
            COMMENT ON FUNCTION ledger.coverage(timestamptz, timestamptz, text, text, time, time, integer[])
                IS 'How much of each device and day was observed, within a period, and within the times of day and the weekdays '
                'asked for. Days are those of the time zone named, so one may have 23 or 25 hours. known_seconds: the time of '
                'which a recorder knows whether it observed the device; of it observed_seconds, and of these '
                'media_observed_seconds, in which no app was left unjoined. observed and media_observed are their shares of '
                'known_seconds, 0 through 1. gaps: a list of reason and seconds, the longest first. A device and day of which '
                'nothing is known has no row.';

            -- As in 0011, but that plays which nothing hides are passed through as they are, and apps are found by their time.
            CREATE OR REPLACE FUNCTION ledger.lanes(
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
                    SELECT p.device_id, p.recorder_id, p.position, p.ordinal, p.number, p.phase, p.input_inactive, p.app_id,
                        p.app_name, p.title, tstzrange(p.from_at, p.to_at) AS span,
                            lead(p.from_at) OVER later < p.to_at AS is_covered,
                        p.from_at = lag(p.to_at) OVER later AND p.phase = lag(p.phase) OVER later
                            AND p.position = lag(p.position) OVER later AS goes_on
                    FROM ledger.play_parts(asked_from, asked_to, asked_device) p
                    WHERE p.from_at < p.to_at
                    WINDOW later AS (PARTITION BY p.device_id COLLATE "C" ORDER BY p.from_at, p.position, p.ordinal, p.number)
                ), odd AS MATERIALIZED (
                    -- Only of these devices pieces may hide each other, or turn out to be alike: the ledger of plays sees to that.
                    SELECT DISTINCT p.device_id FROM part p WHERE p.goes_on OR p.is_covered
                ), clear AS (
                    SELECT p.device_id, p.recorder_id, p.position, p.ordinal, p.phase, p.input_inactive, p.app_id, p.app_name,
                        p.title,
                        p.span
                    FROM part p
                    WHERE p.is_covered IS NOT TRUE AND p.device_id IN (SELECT o.device_id FROM odd o)
                    UNION ALL
                    SELECT p.device_id, p.recorder_id, p.position, p.ordinal, p.phase, p.input_inactive, p.app_id, p.app_name,
                        p.title,
                        unnest(tstzmultirange(p.span) - range_agg(c.span)) AS span
                    FROM part p
                    JOIN part c ON c.device_id = p.device_id AND c.span && p.span
                        AND (lower(c.span), c.position, c.ordinal, c.number) > (lower(p.span), p.position, p.ordinal, p.number)
                    WHERE p.is_covered
                    GROUP BY p.device_id, p.recorder_id, p.position, p.ordinal, p.number, p.phase, p.input_inactive, p.app_id,
                        p.app_name, p.title, p.span
                ), piece AS (
                    SELECT c.device_id, c.recorder_id, c.position, c.ordinal, c.phase, c.input_inactive, c.app_id, c.app_name,
                        c.title,
                        unnest(tstzmultirange(c.span) * d.observed) AS span, d.known_to
                    FROM clear c
                    JOIN device d USING (device_id)
                ), touched AS MATERIALIZED (
                    -- By their time first: there may be a thousand times as many others.
                    SELECT a.device_id, a.app_session_id, a.started_at, a.ended_at, a.app_id, a.app_name, a.span
                    FROM ledger.app_sessions a
                    WHERE a.span && tstzrange(asked_from, asked_to) AND (asked_device IS NULL OR a.device_id = asked_device)
                ), session AS MATERIALIZED (
                    -- An app whose end nobody saw has ended when another one starts. Two recorders may have seen one app session.
                    SELECT a.device_id, a.app_session_id, min(a.started_at) AS started_at, min(a.app_id) AS app_id,
                        min(a.app_name) AS app_name, range_agg(a.span * tstzrange(a.started_at, CASE WHEN a.ended_at IS NULL THEN (
                            SELECT min(o.started_at)
                            FROM ledger.app_sessions o
                            WHERE o.device_id = a.device_id AND o.started_at > a.started_at
                        ) END) * tstzrange(asked_from, asked_to)) AS spans
                    FROM touched a
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
                    SELECT d.device_id, d.known_to, d.observed - coalesce(p.spans, '{}') AS spans,
                        coalesce(i.standby, '{}') AS standby, coalesce(i.other_input, '{}') AS other_input
                    FROM device d
                    LEFT JOIN (SELECT p.device_id, range_agg(p.span) AS spans FROM part p GROUP BY p.device_id) p USING (device_id)
                    LEFT JOIN (
                        SELECT i.device_id, range_agg(tstzrange(i.from_at,
                            i.to_at)) FILTER (WHERE i.activity = 'standby') AS standby,
                            range_agg(tstzrange(i.from_at, i.to_at)) FILTER (WHERE i.activity = 'other_input') AS other_input
                        FROM ledger.input_parts(asked_from, asked_to, asked_device) i
                        GROUP BY i.device_id
                    ) i USING (device_id)
                ), left_over AS MATERIALIZED (
                    -- What no play says: first what the TV says of its input, then which app runs.
                    SELECT r.device_id, r.known_to, r.spans * r.standby AS standby,
                        (r.spans - r.standby) * r.other_input AS other_input,
                        r.spans - r.standby - r.other_input AS spans
                    FROM rest r
                ), apps AS MATERIALIZED (
                    SELECT a.device_id, range_agg(s) AS spans FROM app a, unnest(a.spans) s GROUP BY a.device_id
                ), found AS (
                    SELECT p.device_id, p.span, p.phase, p.input_inactive, p.recorder_id, p.position, p.ordinal, p.app_id,
                        p.app_name,
                        p.title, d.known_to
                    FROM part p
                    JOIN device d USING (device_id)
                    WHERE d.observed @> p.span AND p.device_id NOT IN (SELECT o.device_id FROM odd o)
                    UNION ALL
                    SELECT p.device_id, unnest(tstzmultirange(p.span) * d.observed), p.phase, p.input_inactive, p.recorder_id,
                        p.position, p.ordinal, p.app_id, p.app_name, p.title, d.known_to
                    FROM part p
                    JOIN device d USING (device_id)
                    WHERE NOT d.observed @> p.span AND d.observed && p.span AND p.device_id NOT IN (SELECT o.device_id FROM odd o)
                    UNION ALL
                    SELECT i.device_id, tstzrange(min(lower(i.span)), max(upper(i.span))), i.phase, i.input_inactive, i.recorder_id,
                        i.position, i.ordinal, min(i.app_id), min(i.app_name), min(i.title), max(i.known_to)
                    FROM (
                        SELECT m.*, count(*) FILTER (WHERE m.is_new) OVER (PARTITION BY m.device_id ORDER BY m.span) AS island
                        FROM (
                            SELECT n.*, (lower(n.span), n.phase, n.input_inactive, n.recorder_id, n.position, n.ordinal)
                                IS DISTINCT FROM (lag(upper(n.span)) OVER later, lag(n.phase) OVER later,
                                    lag(n.input_inactive) OVER later, lag(n.recorder_id) OVER later, lag(n.position) OVER later,
                                    lag(n.ordinal) OVER later) AS is_new
                            FROM piece n
                            WINDOW later AS (PARTITION BY n.device_id ORDER BY n.span)
                        ) m
                    ) i
                    GROUP BY i.device_id, i.island, i.phase, i.input_inactive, i.recorder_id, i.position, i.ordinal
                ), told AS (
                    SELECT f.device_id, f.span, CASE WHEN f.phase IN ('idle', 'unobserved') THEN 'unobserved' ELSE f.phase END
                        AS activity, CASE WHEN f.phase = 'unobserved' THEN 'not_told' END AS reason, f.input_inactive,
                            f.recorder_id,
                        f.position, f.ordinal, f.app_id, f.app_name, f.title, f.known_to
                    FROM found f
                    UNION ALL
                    SELECT k.device_id, k.span, 'unobserved', k.reason, false, NULL, NULL, NULL, NULL, NULL, NULL,
                        CASE WHEN k.lasts THEN upper(k.span) END
                    FROM known k
                    WHERE NOT k.observed
                    UNION ALL
                    SELECT k.device_id, unnest(tstzmultirange(k.span) * a.spans), 'unobserved', k.reason, false, NULL, NULL, NULL,
                        a.app_id, a.app_name, NULL, CASE WHEN k.lasts THEN upper(k.span) END
                    FROM known k
                    JOIN app a ON a.device_id = k.device_id AND a.spans && k.span
                    WHERE k.observed AND NOT k.media_observed
                    UNION ALL
                    SELECT k.device_id, unnest(tstzmultirange(k.span) - coalesce(a.spans, '{}')), 'unobserved', k.reason, false,
                        NULL, NULL, NULL, NULL, NULL, NULL, CASE WHEN k.lasts THEN upper(k.span) END
                    FROM known k
                    LEFT JOIN apps a USING (device_id)
                    WHERE k.observed AND NOT k.media_observed
                    UNION ALL
                    SELECT l.device_id, unnest(l.standby), 'standby', NULL, true, NULL, NULL, NULL, NULL, NULL, NULL, l.known_to
                    FROM left_over l
                    UNION ALL
                    SELECT l.device_id, unnest(l.other_input), 'other_input', NULL, true, NULL, NULL, NULL, NULL, NULL, NULL,
                        l.known_to
                    FROM left_over l
                    UNION ALL
                    SELECT l.device_id, unnest(l.spans * a.spans), 'app_only', NULL, false, NULL, NULL, NULL, a.app_id, a.app_name,
                        NULL, l.known_to
                    FROM left_over l
                    JOIN app a USING (device_id)
                    UNION ALL
                    SELECT l.device_id, unnest(l.spans - coalesce(a.spans, '{}')), 'idle', NULL, false, NULL, NULL, NULL, NULL,
                        NULL,
                        NULL, l.known_to
                    FROM left_over l
                    LEFT JOIN apps a USING (device_id)
                )
                SELECT t.device_id, lower(t.span), upper(t.span), t.activity, t.reason, t.input_inactive, t.recorder_id, t.position,
                    t.ordinal, t.app_id, t.app_name, t.title, upper(t.span) IS NOT DISTINCT FROM t.known_to
                FROM told t
                $$;
            """#)
}
