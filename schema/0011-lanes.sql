-- Lanes: of every moment of a device what it did, and what is not known of it. The rules are in docs/reports.md.

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
        SELECT p.*, row_number() OVER (ORDER BY p.device_id, p.from_at, p.position, p.ordinal, p.number) AS place, lead(p.from_at) OVER later < p.to_at AS is_covered,
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
            -- Spans that go on alike are one: rare, as the ledger of plays sees to it.
            SELECT n.device_id, n.place, n.span
            FROM played n
            WHERE NOT EXISTS (SELECT FROM part t WHERE t.goes_on OR t.is_covered)
            UNION ALL
            SELECT i.device_id, min(i.place), tstzrange(min(lower(i.span)), max(upper(i.span)))
            FROM (
                SELECT m.*, count(*) FILTER (WHERE m.is_new) OVER (PARTITION BY m.device_id ORDER BY m.span) AS island
                FROM (
                    SELECT n.device_id, n.place, n.span,
                        (lower(n.span), t.phase, t.input_inactive, t.recorder_id, t.position, t.ordinal)
                        IS DISTINCT FROM (lag(upper(n.span)) OVER later, lag(t.phase) OVER later,
                            lag(t.input_inactive) OVER later, lag(t.recorder_id) OVER later,
                            lag(t.position) OVER later, lag(t.ordinal) OVER later) AS is_new
                    FROM played n
                    JOIN part t ON t.place = n.place
                    WHERE EXISTS (SELECT FROM part t WHERE t.goes_on OR t.is_covered)
                    WINDOW later AS (PARTITION BY n.device_id ORDER BY n.span)
                ) m
            ) i
            GROUP BY i.device_id, i.island
        ) p
        JOIN part t ON t.place = p.place
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
