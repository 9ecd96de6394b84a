-- What a ledger of years needs. The measurements are in docs/scale.md.

-- Conflicts of a period, among those of years: by their time, as plays are found.

CREATE INDEX conflict_of_time ON projection.conflict
    USING gist (tstzrange(least(started_at, ended_at), greatest(started_at, ended_at), '[]'));

CREATE OR REPLACE VIEW ledger.conflicts AS
    SELECT c.device_id, c.kind, c.started_at, c.ended_at, c.score, c.sentence, c.undoings, c.certain_undoings,
        c.evidence, c.evidence_count, c.actors, c.other_turns, c.before, c.after, c.app_session_id, c.recorder_id,
        c.position, c.ordinal,
        -- Its time, however the clock was set: so that a question for a period finds it by index.
        tstzrange(least(c.started_at, c.ended_at), greatest(c.started_at, c.ended_at), '[]') AS span
    FROM projection.conflict c
    -- One recorder sees nothing twice; of several, each conflict asks the key for its likes on its device.
    WHERE (SELECT count(*) < 2 FROM projection.checkpoint) OR NOT EXISTS (
        SELECT FROM projection.conflict o
        WHERE o.device_id = c.device_id AND o.kind = c.kind AND o.recorder_id <> c.recorder_id
            AND (o.started_at, o.recorder_id) < (c.started_at, c.recorder_id) AND o.ended_at >= c.started_at
    );

-- As in 0012, but that plays, observed spans and lanes meet the days and hours that they touch by a hash. Before, a year
-- of plays was compared with every day of the year.
CREATE OR REPLACE FUNCTION ledger.buckets(
    asked_from timestamptz, asked_to timestamptz, zone text DEFAULT 'UTC', step text DEFAULT 'day',
    between_from time DEFAULT NULL, between_to time DEFAULT NULL, weekdays integer[] DEFAULT NULL
) RETURNS TABLE (number bigint, day date, hour integer, from_at timestamptz, to_at timestamptz)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    WITH part AS (
        -- An evening that goes on after midnight is two parts of a day.
        SELECT w.from_time, w.to_time
        FROM (VALUES
            (coalesce(between_from, time '00:00'), CASE WHEN coalesce(between_from, time '00:00')
                < coalesce(between_to, time '24:00') THEN coalesce(between_to, time '24:00') ELSE time '24:00' END),
            (time '00:00', CASE WHEN between_from >= between_to THEN between_to ELSE time '00:00' END)
        ) w (from_time, to_time)
        WHERE w.from_time < w.to_time
    ), cut AS (
        SELECT p.from_time, p.to_time, NULL::integer AS hour FROM part p WHERE step <> 'hour'
        UNION ALL
        SELECT greatest(p.from_time, make_time(h, 0, 0)),
            least(p.to_time, CASE h WHEN 23 THEN time '24:00' ELSE make_time(h + 1, 0, 0) END), h
        FROM part p, generate_series(0, 23) h
        WHERE step = 'hour' AND p.to_time > make_time(h, 0, 0)
            AND p.from_time < CASE h WHEN 23 THEN time '24:00' ELSE make_time(h + 1, 0, 0) END
    ), found AS MATERIALIZED (
        SELECT d.day, c.hour, greatest(asked_from, ledger.first_moment(d.day + c.from_time, zone)) AS from_at,
            least(asked_to, ledger.first_moment(d.day + c.to_time, zone)) AS to_at
        FROM (
            SELECT date '2000-01-01' + n AS day
            FROM generate_series(
                (asked_from AT TIME ZONE zone)::date - date '2000-01-01' - 1,
                (asked_to AT TIME ZONE zone)::date - date '2000-01-01' + 1) n
        ) d, cut c
        WHERE weekdays IS NULL OR extract(isodow FROM d.day)::integer = ANY (weekdays)
    )
    SELECT row_number() OVER (ORDER BY f.from_at), f.day, f.hour, f.from_at, f.to_at
    FROM found f
    WHERE f.from_at < f.to_at
    $$;

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
        SELECT b.*, n AS unit FROM bucket b, generate_series(b.first_unit, b.last_unit) n
    ), touched AS MATERIALIZED (
        SELECT p.device_id, p.recorder_id, p.position, p.ordinal, p.ended_at, p.counted_at, p.phase, p.phase_since,
            p.input_is_inactive, p.played_seconds, p.paused_seconds, p.buffering_seconds, p.ad_seconds, p.gap_seconds,
            p.input_inactive_seconds, least(p.started_at, coalesce(p.ended_at, p.counted_at)) AS from_at,
            greatest(p.started_at, coalesce(p.ended_at, p.counted_at)) AS to_at
        FROM ledger.plays p
        WHERE p.span && tstzrange(asked_from, asked_to) AND (asked_device IS NULL OR p.device_id = asked_device)
    ), touched_unit AS MATERIALIZED (
        -- Before it meets a bucket: so that they meet by their units, not each with each.
        SELECT t.*, d.first_unit, n AS unit
        FROM touched t
        CROSS JOIN unit u
        CROSS JOIN LATERAL (
            SELECT floor(date_part('epoch', greatest(t.from_at, asked_from)) / u.seconds)::integer AS first_unit,
                floor(date_part('epoch', least(t.to_at, asked_to)) / u.seconds)::integer AS last_unit
        ) d
        CROSS JOIN LATERAL generate_series(d.first_unit, d.last_unit) n
    ), pair AS (
        -- A play meets a bucket on the first unit of both.
        SELECT t.*, b.number, b.day, b.hour, b.from_at AS bucket_from, b.to_at AS bucket_to,
            t.from_at >= b.from_at AND t.to_at <= b.to_at AS is_whole
        FROM touched_unit t
        JOIN bucket_unit b ON b.unit = t.unit AND b.from_at <= t.to_at AND b.to_at > t.from_at
            AND t.unit = greatest(t.first_unit, b.first_unit)
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
                AS inactive,
            count(*) AS spans
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

CREATE OR REPLACE FUNCTION ledger.observed_share(
    asked_from timestamptz, asked_to timestamptz, zone text DEFAULT 'UTC', step text DEFAULT 'day',
    asked_device text DEFAULT NULL, between_from time DEFAULT NULL, between_to time DEFAULT NULL,
    weekdays integer[] DEFAULT NULL
) RETURNS TABLE (
    device_id text, day date, hour integer, known_seconds double precision, observed_seconds double precision,
    media_observed_seconds double precision
)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    WITH bucket_day AS MATERIALIZED (
        SELECT b.*, n AS utc_day, floor(date_part('epoch', b.from_at) / 86400)::integer AS first_day
        FROM ledger.buckets(asked_from, asked_to, zone, step, between_from, between_to, weekdays) b,
            generate_series(floor(date_part('epoch', b.from_at) / 86400)::integer,
                floor(date_part('epoch', b.to_at - interval '1 microsecond') / 86400)::integer) n
    ), span_day AS MATERIALIZED (
        -- Before it meets a bucket: so that they meet by their days, not each with each.
        SELECT o.*, d.first_day, n AS utc_day
        FROM ledger.observed_span(asked_from, asked_to, asked_device) o
        CROSS JOIN LATERAL (
            SELECT floor(date_part('epoch', o.from_at) / 86400)::integer AS first_day,
                floor(date_part('epoch', o.to_at) / 86400)::integer AS last_day
        ) d
        CROSS JOIN LATERAL generate_series(d.first_day, d.last_day) n
    )
    SELECT o.device_id, b.day, b.hour, sum(c.seconds)::double precision,
        coalesce(sum(c.seconds) FILTER (WHERE o.observed), 0)::double precision,
        coalesce(sum(c.seconds) FILTER (WHERE o.media_observed), 0)::double precision
    FROM span_day o
    JOIN bucket_day b ON b.utc_day = o.utc_day AND b.from_at < o.to_at AND b.to_at > o.from_at
        AND o.utc_day = greatest(o.first_day, b.first_day)
    CROSS JOIN LATERAL (
        SELECT extract(epoch FROM least(o.to_at, b.to_at) - greatest(o.from_at, b.from_at)) AS seconds
    ) c
    GROUP BY o.device_id, b.day, b.hour
    $$;

CREATE OR REPLACE FUNCTION ledger.uptime(
    asked_from timestamptz, asked_to timestamptz, zone text DEFAULT 'UTC', asked_device text DEFAULT NULL,
    between_from time DEFAULT NULL, between_to time DEFAULT NULL, weekdays integer[] DEFAULT NULL
) RETURNS TABLE (
    device_id text, day date, known_seconds double precision, observed_seconds double precision,
    reachable_seconds double precision, unreachable_seconds double precision, activities jsonb
)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    WITH bucket_day AS MATERIALIZED (
        SELECT b.*, n AS utc_day, floor(date_part('epoch', b.from_at) / 86400)::integer AS first_day
        FROM ledger.buckets(asked_from, asked_to, zone, 'day', between_from, between_to, weekdays) b,
            generate_series(floor(date_part('epoch', b.from_at) / 86400)::integer,
                floor(date_part('epoch', b.to_at - interval '1 microsecond') / 86400)::integer) n
    ), lane_day AS MATERIALIZED (
        SELECT l.device_id, l.activity, l.reason, l.from_at, l.to_at, d.first_day, n AS utc_day
        FROM ledger.lanes(asked_from, asked_to, asked_device) l
        CROSS JOIN LATERAL (
            SELECT floor(date_part('epoch', l.from_at) / 86400)::integer AS first_day,
                floor(date_part('epoch', l.to_at) / 86400)::integer AS last_day
        ) d
        CROSS JOIN LATERAL generate_series(d.first_day, d.last_day) n
    ), part AS (
        SELECT l.device_id, b.day, l.activity, l.reason,
            sum(extract(epoch FROM least(l.to_at, b.to_at) - greatest(l.from_at, b.from_at))) AS seconds
        FROM lane_day l
        JOIN bucket_day b ON b.utc_day = l.utc_day AND b.from_at < l.to_at AND b.to_at > l.from_at
            AND l.utc_day = greatest(l.first_day, b.first_day)
        GROUP BY l.device_id, b.day, l.activity, l.reason
    ), told AS (
        SELECT p.device_id, p.day, p.activity, sum(p.seconds) AS seconds,
            sum(p.seconds) FILTER (
                WHERE p.activity <> 'unobserved' OR p.reason IN ('not_joined', 'attach_refused', 'not_told')
            ) AS observed,
            sum(p.seconds) FILTER (WHERE p.reason = 'frames_lost') AS crowded,
            sum(p.seconds) FILTER (WHERE p.reason IN ('device_unreachable', 'link_lost')) AS unreachable
        FROM part p
        GROUP BY p.device_id, p.day, p.activity
    )
    SELECT t.device_id, t.day, sum(t.seconds)::double precision, coalesce(sum(t.observed), 0)::double precision,
        (coalesce(sum(t.observed), 0) + coalesce(sum(t.crowded), 0))::double precision,
        coalesce(sum(t.unreachable), 0)::double precision,
        jsonb_object_agg(t.activity, t.seconds)
    FROM told t
    GROUP BY t.device_id, t.day
    $$;
