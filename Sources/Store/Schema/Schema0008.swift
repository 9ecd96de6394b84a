// Written by schema/embed from schema/0008-coverage.sql: edit that, not this.

extension Migration {
    static let schema0008 = Migration(
        number: 8, name: "coverage",
        sql: #"""
            -- Coverage: how much of each device's time was observed. The terms are in docs/coverage.md, the reasons for them in
            -- decision 0016. Spans are half open: from_at belongs to one, to_at does not.

            -- A gap that lasts has no end, so its span is open; one whose clock went backwards is empty and counts nothing.
            CREATE INDEX gap_span ON projection.gap
                USING gist (tstzrange(started_at, CASE WHEN ended_at < started_at THEN started_at ELSE ended_at END));
            CREATE INDEX gap_lasting ON projection.gap (device_id, recorder_id) WHERE ended_at IS NULL;

            ALTER TABLE projection.device ADD COLUMN first_linked_at timestamptz;
            COMMENT ON COLUMN projection.device.first_linked_at IS 'When the first link to it was opened. Null before.';
            UPDATE projection.device d SET first_linked_at = (
                SELECT e.observed_at
                FROM projection.change_event e
                WHERE e.device_id = d.device_id AND e.recorder_id = d.recorder_id AND e.kind = 'link_opened'
                ORDER BY e.position, e.ordinal
                LIMIT 1);

            CREATE VIEW projection.first_link AS
                SELECT device_id, recorder_id, first_seen_at, first_linked_at,
                    first_linked_at IS NOT NULL AND first_linked_at <= first_seen_at + interval '60 seconds' AS is_prompt
                FROM projection.device;
            COMMENT ON VIEW projection.first_link
                IS 'When each recorder first saw a device and first had a link to it; is_prompt: within a minute.';

            CREATE VIEW ledger.unobserved AS
                SELECT device_id, recorder_id,
                    tstzrange(started_at, CASE WHEN ended_at < started_at THEN started_at ELSE ended_at END) AS span, reason,
                    CASE WHEN reason IN ('not_joined', 'attach_refused') THEN 'media'
                        WHEN reason IN ('clock_jump', 'device_excluded') THEN 'nothing' ELSE 'device' END AS hides
                FROM projection.gap
                UNION ALL
                SELECT device_id, recorder_id, tstzrange(first_seen_at, first_linked_at), 'device_unreachable', 'device'
                FROM projection.first_link
                WHERE NOT is_prompt AND (first_linked_at IS NULL OR first_linked_at > first_seen_at);
            COMMENT ON VIEW ledger.unobserved
                IS 'What each recorder missed of a device: its gaps, and the time before its first link when that took more '
                'than a minute. span has no end while it lasts; hides is device, media (an app that we have not joined) '
                'or nothing (the clock was set: the span never was; or rules leave the device out: nobody wants to know).';

            CREATE VIEW ledger.watched AS
                SELECT f.device_id, f.recorder_id,
                    CASE WHEN f.is_prompt THEN f.first_linked_at ELSE f.first_seen_at END AS from_at,
                    least(c.observed_at, g.since + interval '720 hours') AS to_at
                FROM projection.first_link f
                JOIN projection.checkpoint c USING (recorder_id)
                CROSS JOIN LATERAL (
                    SELECT least(min(o.started_at), CASE WHEN f.first_linked_at IS NULL THEN f.first_seen_at END) AS since
                    FROM projection.gap o
                    WHERE o.device_id = f.device_id AND o.recorder_id = f.recorder_id AND o.ended_at IS NULL
                        AND o.reason NOT IN (
                            'recorder_down', 'not_joined', 'attach_refused', 'clock_jump', 'device_excluded')
                ) g;
            COMMENT ON VIEW ledger.watched
                IS 'The time of which a recorder knows whether it observed a device: from its first link (from its first '
                'sight when that took more than a minute) to the checkpoint, but no longer than 30 days into a gap that '
                'lasts.';

            -- Why nothing was observed, of several reasons at once: the one that says most of the device comes first. A recorder
            -- that ran knows better than one that did not.
            CREATE FUNCTION ledger.reason_rank(reason text) RETURNS integer
                LANGUAGE sql IMMUTABLE PARALLEL SAFE
                RETURN CASE reason WHEN 'device_unreachable' THEN 1 WHEN 'link_lost' THEN 2 WHEN 'frames_lost' THEN 3
                    WHEN 'recorder_down' THEN 9 WHEN 'attach_refused' THEN 10 WHEN 'not_joined' THEN 11 ELSE 4 END;
            COMMENT ON FUNCTION ledger.reason_rank(text)
                IS 'Which of several reasons is told of a moment that two recorders missed: that of the lowest rank.';

            CREATE FUNCTION ledger.observed_span(
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
                ), told AS (
                    SELECT b.device_id, b.hides, b.reason, b.spans
                        - coalesce((
                            SELECT range_agg(s)
                            FROM by_reason o, unnest(o.spans) s
                            WHERE o.device_id = b.device_id AND o.hides = b.hides
                                AND (o.rank, o.reason) < (b.rank, b.reason)
                        ), '{}') AS spans
                    FROM by_reason b
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
            COMMENT ON FUNCTION ledger.observed_span(timestamptz, timestamptz, text)
                IS 'The known time of each device, or of one, within a period, cut into spans that never overlap: observed, '
                'observed but for the media of an app (reason says why), or not observed (reason says why). What one of '
                'several recorders observed is observed. lasts: the span reaches the end of what is known.';

            CREATE FUNCTION ledger.day_start(day date, zone text) RETURNS timestamptz
                LANGUAGE sql STABLE PARALLEL SAFE
                AS $$
                -- When clocks repeat midnight PostgreSQL takes the second one; the day began with the first.
                SELECT CASE WHEN earlier < usual AND earlier AT TIME ZONE zone = day::timestamp THEN earlier ELSE usual END
                FROM (SELECT day::timestamp AT TIME ZONE zone AS usual) u
                CROSS JOIN LATERAL (
                    SELECT usual - interval '4 hours'
                        + (day::timestamp - ((usual - interval '4 hours') AT TIME ZONE zone)) AS earlier
                ) e
                $$;
            COMMENT ON FUNCTION ledger.day_start(date, text)
                IS 'The first moment of a day on the clocks of a time zone, by its name: Europe/Berlin.';

            CREATE FUNCTION ledger.coverage(
                asked_from timestamptz, asked_to timestamptz, zone text DEFAULT 'UTC', asked_device text DEFAULT NULL
            ) RETURNS TABLE (
                device_id text, day date, known_seconds double precision, observed_seconds double precision,
                media_observed_seconds double precision, observed double precision, media_observed double precision, gaps jsonb
            )
                LANGUAGE sql STABLE PARALLEL SAFE
                AS $$
                WITH span AS MATERIALIZED (
                    -- The days that a span may touch are counted from 2000-01-01: its own by the clock, and one more on each side,
                    -- since clocks are set at midnight, too.
                    SELECT s.*, (s.from_at AT TIME ZONE zone)::date - date '2000-01-01' - 1 AS first_day,
                        (s.to_at AT TIME ZONE zone)::date - date '2000-01-01' + 1 AS last_day
                    FROM ledger.observed_span(asked_from, asked_to, asked_device) s
                ), day AS MATERIALIZED (
                    SELECT n, date '2000-01-01' + n AS day, ledger.day_start(date '2000-01-01' + n, zone) AS from_at,
                        ledger.day_start(date '2000-01-01' + n + 1, zone) AS to_at
                    FROM (SELECT min(first_day) AS first_day, max(last_day) AS last_day FROM span) s,
                        generate_series(s.first_day, s.last_day) n
                ), part AS (
                    SELECT s.device_id, d.day, s.observed, s.media_observed, s.reason,
                        extract(epoch FROM least(s.to_at, d.to_at) - greatest(s.from_at, d.from_at)) AS seconds
                    FROM span s
                    CROSS JOIN generate_series(s.first_day, s.last_day) n
                    JOIN day d ON d.n = n.n AND d.from_at < s.to_at AND d.to_at > s.from_at
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
            COMMENT ON FUNCTION ledger.coverage(timestamptz, timestamptz, text, text)
                IS 'How much of each device and day was observed, within a period. Days are those of the time zone named, so '
                'one may have 23 or 25 hours. known_seconds: the time of which a recorder knows whether it observed the '
                'device; of it observed_seconds, and of these media_observed_seconds, in which no app was left unjoined. '
                'observed and media_observed are their shares of known_seconds, 0 through 1. gaps: a list of reason and '
                'seconds, the longest first. A device and day of which nothing is known has no row.';

            DO $$
            BEGIN
                IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'castledger_reader') THEN
                    GRANT SELECT ON ledger.unobserved, ledger.watched TO castledger_reader;
                END IF;
            END
            $$;
            """#)
}
