// Written by schema/embed from schema/0012-reports.sql: edit that, not this.

extension Migration {
    static let schema0012 = Migration(
        number: 12, name: "reports",
        sql: #"""
            -- What reports, the page and dashboards add up: one definition each. The terms are in docs/reports.md.

            CREATE FUNCTION ledger.first_moment(local_time timestamp, zone text) RETURNS timestamptz
                LANGUAGE sql STABLE PARALLEL SAFE
                AS $$
                -- When clocks repeat an hour PostgreSQL takes the second one; the first is meant.
                SELECT CASE WHEN earlier < usual AND earlier AT TIME ZONE zone = local_time THEN earlier ELSE usual END
                FROM (SELECT local_time AT TIME ZONE zone AS usual) u
                CROSS JOIN LATERAL (
                    SELECT usual - interval '4 hours'
                        + (local_time - ((usual - interval '4 hours') AT TIME ZONE zone)) AS earlier
                ) e
                $$;
            COMMENT ON FUNCTION ledger.first_moment(timestamp, text)
                IS 'The first moment at which the clocks of a time zone show this; where they skip it, the moment of the skip.';

            CREATE FUNCTION ledger.buckets(
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
                ), found AS (
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
            COMMENT ON FUNCTION ledger.buckets(timestamptz, timestamptz, text, text, time, time, integer[])
                IS 'A period cut into the days of a time zone, or with step ''hour'' into the hours that its clocks show, and to '
                'the time of day and the weekdays asked for (1 is Monday). A day may have 23 or 25 hours, and an hour may be told '
                'twice: then it has both.';

            CREATE FUNCTION ledger.play_share(
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
                WITH bucket AS MATERIALIZED (
                    SELECT b.*, floor(extract(epoch FROM b.from_at) / 86400)::integer AS first_day,
                        floor(extract(epoch FROM b.to_at - interval '1 microsecond') / 86400)::integer AS last_day
                    FROM ledger.buckets(asked_from, asked_to, zone, step, between_from, between_to, weekdays) b
                ), bucket_day AS MATERIALIZED (
                    SELECT b.*, n AS utc_day FROM bucket b, generate_series(b.first_day, b.last_day) n
                ), touched AS MATERIALIZED (
                    SELECT p.device_id, p.recorder_id, p.position, p.ordinal, p.ended_at, p.counted_at, p.phase, p.phase_since,
                        p.input_is_inactive, p.played_seconds, p.paused_seconds, p.buffering_seconds, p.ad_seconds, p.gap_seconds,
                        p.input_inactive_seconds, least(p.started_at, coalesce(p.ended_at, p.counted_at)) AS from_at,
                        greatest(p.started_at, coalesce(p.ended_at, p.counted_at)) AS to_at
                    FROM ledger.plays p
                    WHERE p.span && tstzrange(asked_from, asked_to) AND (asked_device IS NULL OR p.device_id = asked_device)
                ), pair AS (
                    -- A play meets a bucket on the first UTC day of both.
                    SELECT t.*, b.number, b.day, b.hour, b.from_at AS bucket_from, b.to_at AS bucket_to,
                        t.from_at >= b.from_at AND t.to_at <= b.to_at AS is_whole
                    FROM touched t
                    CROSS JOIN LATERAL (
                        SELECT floor(extract(epoch FROM greatest(t.from_at, asked_from)) / 86400)::integer AS first_day,
                            floor(extract(epoch FROM least(t.to_at, asked_to)) / 86400)::integer AS last_day
                    ) d
                    CROSS JOIN LATERAL generate_series(d.first_day, d.last_day) n
                    JOIN bucket_day b ON b.utc_day = n AND b.from_at <= t.to_at AND b.to_at > t.from_at
                        AND n = greatest(d.first_day, b.first_day)
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
            COMMENT ON FUNCTION ledger.play_share(
                timestamptz, timestamptz, text, text, text, time, time, integer[])
                IS 'How much of each play lies in each day of a period, or with step ''hour'' in each hour of each day, or within '
                'the times of day and the weekdays asked for: a row per play and bucket that it touches. What the shares of a '
                'play add up to over its whole time are its seconds in ledger.plays.';

            CREATE FUNCTION ledger.observed_share(
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
                    SELECT b.*, n AS utc_day, floor(extract(epoch FROM b.from_at) / 86400)::integer AS first_day
                    FROM ledger.buckets(asked_from, asked_to, zone, step, between_from, between_to, weekdays) b,
                        generate_series(floor(extract(epoch FROM b.from_at) / 86400)::integer,
                            floor(extract(epoch FROM b.to_at - interval '1 microsecond') / 86400)::integer) n
                )
                SELECT o.device_id, b.day, b.hour, sum(c.seconds)::double precision,
                    coalesce(sum(c.seconds) FILTER (WHERE o.observed), 0)::double precision,
                    coalesce(sum(c.seconds) FILTER (WHERE o.media_observed), 0)::double precision
                FROM ledger.observed_span(asked_from, asked_to, asked_device) o
                CROSS JOIN LATERAL (
                    SELECT floor(extract(epoch FROM o.from_at) / 86400)::integer AS first_day,
                        floor(extract(epoch FROM o.to_at) / 86400)::integer AS last_day
                ) d
                CROSS JOIN LATERAL generate_series(d.first_day, d.last_day) n
                JOIN bucket_day b ON b.utc_day = n AND b.from_at < o.to_at AND b.to_at > o.from_at
                    AND n = greatest(d.first_day, b.first_day)
                CROSS JOIN LATERAL (
                    SELECT extract(epoch FROM least(o.to_at, b.to_at) - greatest(o.from_at, b.from_at)) AS seconds
                ) c
                GROUP BY o.device_id, b.day, b.hour
                $$;
            COMMENT ON FUNCTION ledger.observed_share(
                timestamptz, timestamptz, text, text, text, time, time, integer[])
                IS 'How much of each device and day, or hour of a day, was observed, within the times of day and the weekdays asked '
                'for. The figures are those of ledger.coverage.';

            CREATE FUNCTION ledger.uptime(
                asked_from timestamptz, asked_to timestamptz, zone text DEFAULT 'UTC', asked_device text DEFAULT NULL,
                between_from time DEFAULT NULL, between_to time DEFAULT NULL, weekdays integer[] DEFAULT NULL
            ) RETURNS TABLE (
                device_id text, day date, known_seconds double precision, observed_seconds double precision,
                reachable_seconds double precision, unreachable_seconds double precision, activities jsonb
            )
                LANGUAGE sql STABLE PARALLEL SAFE
                AS $$
                WITH bucket_day AS MATERIALIZED (
                    SELECT b.*, n AS utc_day, floor(extract(epoch FROM b.from_at) / 86400)::integer AS first_day
                    FROM ledger.buckets(asked_from, asked_to, zone, 'day', between_from, between_to, weekdays) b,
                        generate_series(floor(extract(epoch FROM b.from_at) / 86400)::integer,
                            floor(extract(epoch FROM b.to_at - interval '1 microsecond') / 86400)::integer) n
                ), part AS (
                    SELECT l.device_id, b.day, l.activity, l.reason,
                        sum(extract(epoch FROM least(l.to_at, b.to_at) - greatest(l.from_at, b.from_at))) AS seconds
                    FROM ledger.lanes(asked_from, asked_to, asked_device) l
                    CROSS JOIN LATERAL (
                        SELECT floor(extract(epoch FROM l.from_at) / 86400)::integer AS first_day,
                            floor(extract(epoch FROM l.to_at) / 86400)::integer AS last_day
                    ) d
                    CROSS JOIN LATERAL generate_series(d.first_day, d.last_day) n
                    JOIN bucket_day b ON b.utc_day = n AND b.from_at < l.to_at AND b.to_at > l.from_at
                        AND n = greatest(d.first_day, b.first_day)
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
            COMMENT ON FUNCTION ledger.uptime(timestamptz, timestamptz, text, text, time, time, integer[])
                IS 'How each device spent each day, by the lanes: activities has the seconds of each activity. known_seconds and '
                'observed_seconds are those of ledger.coverage; reachable_seconds: we had a link; unreachable_seconds: we tried and '
                'had none. What is neither, we did not run.';
            """#)
}
