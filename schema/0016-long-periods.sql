-- Long periods: what is asked of months costs so many times what is asked of a day. The measurements are in docs/scale.md,
-- the reasons in decision 0029.

-- As in 0010, and since when a span lasts: of several plays at once the one that began last counts, however a period cuts
-- them.
DROP FUNCTION ledger.play_parts(timestamptz, timestamptz, text);
CREATE FUNCTION ledger.play_parts(
    asked_from timestamptz, asked_to timestamptz, asked_device text DEFAULT NULL
) RETURNS TABLE (
    device_id text, recorder_id uuid, "position" bigint, ordinal integer, number integer, from_at timestamptz,
    to_at timestamptz, phase text, input_inactive boolean, app_id text, app_name text, title text, began_at timestamptz
)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    WITH touched AS MATERIALIZED (
        SELECT p.device_id, p.recorder_id, p.position, p.ordinal, p.app_id, p.app_name,
            coalesce(p.title, p.content_id, p.content_url, p.entity) AS title, p.ended_at, p.phase, p.phase_since,
            p.counted_at, p.input_is_inactive
        FROM ledger.plays p
        -- One device's plays are found by its key: the index of times would give those of all of them.
        WHERE (asked_device IS NOT NULL OR p.span && tstzrange(asked_from, asked_to))
            AND (asked_device IS NULL
                OR p.device_id = asked_device AND least(p.started_at, p.ended_at) < asked_to
                AND CASE WHEN p.ended_at IS NULL THEN 'infinity' ELSE greatest(p.started_at, p.ended_at) END >= asked_from
                AND NOT isempty(p.span * tstzrange(asked_from, asked_to)))
    )
    SELECT t.device_id, t.recorder_id, t.position, t.ordinal, s.number, greatest(s.from_at, asked_from),
        least(s.to_at, asked_to), s.phase, s.input_inactive, t.app_id, t.app_name, t.title, s.from_at
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
        t.title, t.phase_since
    FROM touched t
    WHERE t.ended_at IS NULL AND t.phase <> 'idle' AND t.phase_since < least(t.counted_at, asked_to)
        AND t.counted_at > asked_from
    $$;
COMMENT ON FUNCTION ledger.play_parts(timestamptz, timestamptz, text)
    IS 'The spans of plays that touch a period, cut to it, with app and title; began_at: before the cut. The number of one that lasts is the '
    'highest there is.';

-- As in 0013, but that any cut of a period leaves the answer what it was.
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
            p.app_name, p.title, p.began_at, tstzrange(p.from_at, p.to_at) AS span,
            lead(p.from_at) OVER later < p.to_at AS is_covered,
            p.from_at = lag(p.to_at) OVER later AND p.phase = lag(p.phase) OVER later
                AND p.position = lag(p.position) OVER later AS goes_on
        FROM ledger.play_parts(asked_from, asked_to, asked_device) p
        WHERE p.from_at < p.to_at
        WINDOW later AS (PARTITION BY p.device_id COLLATE "C" ORDER BY p.began_at, p.position, p.ordinal, p.number)
    ), odd AS MATERIALIZED (
        -- Only of these devices pieces may hide each other, or turn out to be alike: the ledger of plays sees to that.
        SELECT DISTINCT p.device_id FROM part p WHERE p.goes_on OR p.is_covered
    ), clear AS (
        SELECT p.device_id, p.recorder_id, p.position, p.ordinal, p.phase, p.input_inactive, p.app_id, p.app_name,
            p.title, p.span
        FROM part p
        WHERE p.is_covered IS NOT TRUE AND p.device_id IN (SELECT o.device_id FROM odd o)
        UNION ALL
        SELECT p.device_id, p.recorder_id, p.position, p.ordinal, p.phase, p.input_inactive, p.app_id, p.app_name,
            p.title, unnest(tstzmultirange(p.span) - range_agg(c.span)) AS span
        FROM part p
        JOIN part c ON c.device_id = p.device_id AND c.span && p.span
            AND (c.began_at, c.position, c.ordinal, c.number) > (p.began_at, p.position, p.ordinal, p.number)
        WHERE p.is_covered
        GROUP BY p.device_id, p.recorder_id, p.position, p.ordinal, p.number, p.phase, p.input_inactive, p.app_id,
            p.app_name, p.title, p.span
    ), piece AS (
        SELECT c.device_id, c.recorder_id, c.position, c.ordinal, c.phase, c.input_inactive, c.app_id, c.app_name,
            c.title, unnest(tstzmultirange(c.span) * d.observed) AS span, d.known_to
        FROM clear c
        JOIN device d USING (device_id)
    ), touched AS MATERIALIZED (
        -- By their time first, or by their device: there may be a thousand times as many others.
        SELECT a.device_id, a.app_session_id, a.started_at, a.ended_at, a.app_id, a.app_name, a.span
        FROM ledger.app_sessions a
        WHERE (asked_device IS NOT NULL OR a.span && tstzrange(asked_from, asked_to))
            AND (asked_device IS NULL
                OR a.device_id = asked_device AND a.started_at < asked_to
                AND coalesce(a.ended_at, 'infinity') > asked_from
                AND NOT isempty(a.span * tstzrange(asked_from, asked_to)))
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
            -- One that ended before the period, though nobody saw it, hides nothing.
            WHERE NOT isempty(o.spans)
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
            (r.spans - r.standby) * r.other_input AS other_input, r.spans - r.standby - r.other_input AS spans
        FROM rest r
    ), apps AS MATERIALIZED (
        SELECT a.device_id, range_agg(s) AS spans FROM app a, unnest(a.spans) s GROUP BY a.device_id
    ), found AS (
        SELECT p.device_id, p.span, p.phase, p.input_inactive, p.recorder_id, p.position, p.ordinal, p.app_id,
            p.app_name, p.title, d.known_to
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
                f.recorder_id, f.position, f.ordinal, f.app_id, f.app_name, f.title, f.known_to
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
            NULL, NULL, l.known_to
        FROM left_over l
        LEFT JOIN apps a USING (device_id)
    )
    SELECT t.device_id, lower(t.span), upper(t.span), t.activity, t.reason, t.input_inactive, t.recorder_id, t.position,
        t.ordinal, t.app_id, t.app_name, t.title, upper(t.span) IS NOT DISTINCT FROM t.known_to
    FROM told t
    $$;

-- As in 0014, but that PostgreSQL is told how few days or hours a play or a bucket touches: of unnest it expects 10
-- rows, of generate_series 1,000. With these it sorted all plays of the period.
CREATE OR REPLACE FUNCTION ledger.play_share(
    asked_from timestamptz, asked_to timestamptz, zone text DEFAULT 'UTC', step text DEFAULT 'day',
    asked_device text DEFAULT NULL, between_from time DEFAULT NULL, between_to time DEFAULT NULL,
    weekdays integer[] DEFAULT NULL
) RETURNS TABLE (
    device_id text, recorder_id uuid, "position" bigint, ordinal integer, day date, hour integer,
    played_seconds double precision, paused_seconds double precision, buffering_seconds double precision,
    ad_seconds double precision, gap_seconds double precision, input_inactive_seconds double precision
)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    WITH unit AS MATERIALIZED (
        -- Plays and buckets are found for each other by the hours, or days, of UTC that they touch.
        SELECT CASE step WHEN 'hour' THEN 3600 ELSE 86400 END AS seconds
    ), bucket AS MATERIALIZED (
        SELECT b.*, floor(date_part('epoch', b.from_at) / u.seconds)::integer AS first_unit,
            floor(date_part('epoch', b.to_at - interval '1 microsecond') / u.seconds)::integer AS last_unit
        FROM ledger.buckets(asked_from, asked_to, zone, step, between_from, between_to, weekdays) b, unit u
    ), bucket_unit AS MATERIALIZED (
        SELECT b.*, b.first_unit + n.n::integer - 1 AS unit
        FROM bucket b
        CROSS JOIN LATERAL unnest(array_fill(0, ARRAY[b.last_unit - b.first_unit + 1])) WITH ORDINALITY n (zero, n)
    ), touched AS MATERIALIZED (
        SELECT p.device_id, p.recorder_id, p.position, p.ordinal, p.ended_at, p.counted_at, p.phase, p.phase_since,
            p.input_is_inactive, p.played_seconds, p.paused_seconds, p.buffering_seconds, p.ad_seconds, p.gap_seconds,
            p.input_inactive_seconds, least(p.started_at, coalesce(p.ended_at, p.counted_at)) AS from_at,
            greatest(p.started_at, coalesce(p.ended_at, p.counted_at)) AS to_at
        FROM ledger.plays p
        -- One device's plays are found by its key: the index of times would give those of all of them.
        WHERE (asked_device IS NOT NULL OR p.span && tstzrange(asked_from, asked_to))
            AND (asked_device IS NULL
                OR p.device_id = asked_device AND least(p.started_at, p.ended_at) < asked_to
                AND CASE WHEN p.ended_at IS NULL THEN 'infinity' ELSE greatest(p.started_at, p.ended_at) END >= asked_from
                AND NOT isempty(p.span * tstzrange(asked_from, asked_to)))
    ), touched_unit AS MATERIALIZED (
        -- Before it meets a bucket: so that they meet by their units, not each with each.
        SELECT t.*, d.first_unit, d.first_unit + n.n::integer - 1 AS unit
        FROM touched t
        CROSS JOIN unit u
        CROSS JOIN LATERAL (
            SELECT floor(date_part('epoch', greatest(t.from_at, asked_from)) / u.seconds)::integer AS first_unit,
                floor(date_part('epoch', least(t.to_at, asked_to)) / u.seconds)::integer AS last_unit
        ) d
        CROSS JOIN LATERAL unnest(array_fill(0, ARRAY[greatest(0, d.last_unit - d.first_unit + 1)]))
            WITH ORDINALITY n (zero, n)
    ), pair AS (
        -- A play meets a bucket on the first unit of both. No common unit lies before that, and of an inequality PostgreSQL
        -- does not expect that hardly a row passes.
        SELECT t.*, b.number, b.day, b.hour, b.from_at AS bucket_from, b.to_at AS bucket_to,
            t.from_at >= b.from_at AND t.to_at <= b.to_at AS is_whole
        FROM touched_unit t
        JOIN bucket_unit b ON b.unit = t.unit AND b.from_at <= t.to_at AND b.to_at > t.from_at
            AND t.unit <= greatest(t.first_unit, b.first_unit)
    )
    -- Most plays lie within a day: their seconds are counted already.
    SELECT p.device_id, p.recorder_id, p.position, p.ordinal, p.day, p.hour, p.played_seconds, p.paused_seconds,
        p.buffering_seconds, p.ad_seconds, p.gap_seconds, p.input_inactive_seconds
    FROM pair p
    WHERE p.is_whole
    UNION ALL
    SELECT p.device_id, p.recorder_id, p.position, p.ordinal, p.day, p.hour, s.played, s.paused, s.buffering, s.ads,
        s.gap, s.inactive
    FROM pair p
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(c.seconds) FILTER (WHERE c.phase = 'playing'), 0)::double precision AS played,
            coalesce(sum(c.seconds) FILTER (WHERE c.phase = 'paused'), 0)::double precision AS paused,
            coalesce(sum(c.seconds) FILTER (WHERE c.phase = 'buffering'), 0)::double precision AS buffering,
            coalesce(sum(c.seconds) FILTER (WHERE c.phase = 'advertisement'), 0)::double precision AS ads,
            coalesce(sum(c.seconds) FILTER (WHERE c.phase = 'unobserved'), 0)::double precision AS gap,
            coalesce(sum(c.seconds) FILTER (WHERE c.phase = 'playing' AND c.input_inactive), 0)::double precision
                AS inactive, count(*) AS spans
        FROM (
            SELECT s.phase, s.input_inactive,
                extract(epoch FROM least(s.to_at, p.bucket_to) - greatest(s.from_at, p.bucket_from)) AS seconds
            FROM ledger.closed_spans s
            WHERE s.device_id = p.device_id AND s.recorder_id = p.recorder_id AND s.position = p.position
                AND s.ordinal = p.ordinal AND s.from_at < p.bucket_to AND s.to_at > p.bucket_from
            UNION ALL
            SELECT p.phase, p.input_is_inactive,
                extract(epoch FROM least(p.counted_at, p.bucket_to) - greatest(p.phase_since, p.bucket_from))
            WHERE p.ended_at IS NULL AND p.phase_since < least(p.counted_at, p.bucket_to)
                AND p.counted_at > p.bucket_from
        ) c
    ) s
    WHERE NOT p.is_whole AND s.spans > 0
    $$;

-- As in 0014, a day at a time.
CREATE OR REPLACE FUNCTION ledger.uptime(
    asked_from timestamptz, asked_to timestamptz, zone text DEFAULT 'UTC', asked_device text DEFAULT NULL,
    between_from time DEFAULT NULL, between_to time DEFAULT NULL, weekdays integer[] DEFAULT NULL
) RETURNS TABLE (
    device_id text, day date, known_seconds double precision, observed_seconds double precision,
    reachable_seconds double precision, unreachable_seconds double precision, activities jsonb
)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    WITH part AS (
        -- Day by day: lanes of many days at once are ranges of many days, each of which is cut by each.
        SELECT l.device_id, b.day, l.activity, l.reason, sum(extract(epoch FROM l.to_at - l.from_at)) AS seconds
        FROM ledger.buckets(asked_from, asked_to, zone, 'day', between_from, between_to, weekdays) b
        CROSS JOIN LATERAL ledger.lanes(b.from_at, b.to_at, asked_device) l
        GROUP BY l.device_id, b.day, l.activity, l.reason
    ), told AS (
        SELECT p.device_id, p.day, p.activity, sum(p.seconds) AS seconds, sum(p.seconds) FILTER (
                WHERE p.activity <> 'unobserved' OR p.reason IN ('not_joined', 'attach_refused', 'not_told')
            ) AS observed, sum(p.seconds) FILTER (WHERE p.reason = 'frames_lost') AS crowded,
            sum(p.seconds) FILTER (WHERE p.reason IN ('device_unreachable', 'link_lost')) AS unreachable
        FROM part p
        GROUP BY p.device_id, p.day, p.activity
    )
    SELECT t.device_id, t.day, sum(t.seconds)::double precision, coalesce(sum(t.observed), 0)::double precision,
        (coalesce(sum(t.observed), 0) + coalesce(sum(t.crowded), 0))::double precision,
        coalesce(sum(t.unreachable), 0)::double precision, jsonb_object_agg(t.activity, t.seconds)
    FROM told t
    GROUP BY t.device_id, t.day
    $$;

-- As in 0013, but that spans and days meet by a hash, and not each with each.
CREATE OR REPLACE FUNCTION ledger.coverage(
    asked_from timestamptz, asked_to timestamptz, zone text DEFAULT 'UTC', asked_device text DEFAULT NULL,
    between_from time DEFAULT NULL, between_to time DEFAULT NULL, weekdays integer[] DEFAULT NULL
) RETURNS TABLE (
    device_id text, day date, known_seconds double precision, observed_seconds double precision,
    media_observed_seconds double precision, observed double precision, media_observed double precision, gaps jsonb
)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    WITH span_day AS MATERIALIZED (
        -- Before it meets a day of the zone: so that they meet by their days of UTC, not each with each.
        SELECT s.*, d.first_day, d.first_day + n.n::integer - 1 AS utc_day
        FROM ledger.observed_span(asked_from, asked_to, asked_device) s
        CROSS JOIN LATERAL (
            SELECT floor(date_part('epoch', s.from_at) / 86400)::integer AS first_day,
                floor(date_part('epoch', s.to_at) / 86400)::integer AS last_day
        ) d
        CROSS JOIN LATERAL unnest(array_fill(0, ARRAY[d.last_day - d.first_day + 1])) WITH ORDINALITY n (zero, n)
    ), bucket_day AS MATERIALIZED (
        SELECT b.day, b.from_at, b.to_at, d.first_day, d.first_day + n.n::integer - 1 AS utc_day
        FROM (SELECT min(from_at) AS from_at, max(to_at) AS to_at FROM span_day) s
        CROSS JOIN LATERAL ledger.buckets(s.from_at, s.to_at, zone, 'day', between_from, between_to, weekdays) b
        CROSS JOIN LATERAL (
            SELECT floor(date_part('epoch', b.from_at) / 86400)::integer AS first_day,
                floor(date_part('epoch', b.to_at - interval '1 microsecond') / 86400)::integer AS last_day
        ) d
        CROSS JOIN LATERAL unnest(array_fill(0, ARRAY[d.last_day - d.first_day + 1])) WITH ORDINALITY n (zero, n)
    ), part AS (
        -- They meet on the first day of UTC of both.
        SELECT s.device_id, d.day, s.observed, s.media_observed, s.reason,
            extract(epoch FROM least(s.to_at, d.to_at) - greatest(s.from_at, d.from_at)) AS seconds
        FROM span_day s
        JOIN bucket_day d ON d.utc_day = s.utc_day AND d.from_at < s.to_at AND d.to_at > s.from_at
            AND s.utc_day <= greatest(s.first_day, d.first_day)
    ), by_reason AS (
        SELECT p.device_id, p.day, p.reason, sum(p.seconds) AS known,
            coalesce(sum(p.seconds) FILTER (WHERE p.observed), 0) AS observed,
            coalesce(sum(p.seconds) FILTER (WHERE p.media_observed), 0) AS media_observed
        FROM part p
        GROUP BY p.device_id, p.day, p.reason
    )
    SELECT r.device_id, r.day, sum(r.known)::double precision, sum(r.observed)::double precision,
        sum(r.media_observed)::double precision, (sum(r.observed) / sum(r.known))::double precision,
        (sum(r.media_observed) / sum(r.known))::double precision, coalesce(
            jsonb_agg(jsonb_build_object('reason', r.reason, 'seconds', r.known) ORDER BY r.known DESC, r.reason)
                FILTER (WHERE r.reason IS NOT NULL), '[]')
    FROM by_reason r
    GROUP BY r.device_id, r.day
    $$;
