"""The dashboards that ask PostgreSQL: what is on, what was on, who fought, how much was observed."""
from shapes import (ACTIVITIES, CONFLICTS, DEVICES, KINDS, REASONS, STATES, ZONE, BLUE, GREEN, ORANGE, RED, colored,
                    columns, dashboard, figure, graph, hidden, lanes, override, sql, table)

NAME = "coalesce(d.name, d.device_id)"
SECONDS = {"unit": "s", "decimals": 0}


def fleet_now():
    return dashboard("fleet-now", "fleet now", "What every device does at this moment, as far as it was observed.", [
        figure("Devices linked", "Devices to which a link is up.", sql("""
SELECT count(*) FILTER (WHERE state = 'linked') AS linked FROM ledger.devices
"""), (0, 0, 4, 4), thresholds=((None, GREEN),)),
        figure("Devices away", "Devices that were linked once, and are not.", sql("""
SELECT count(*) FILTER (WHERE state IN ('lost', 'withdrawn')) AS away FROM ledger.devices
"""), (4, 0, 4, 4), thresholds=((None, GREEN), (1, ORANGE))),
        figure("Playing", "Devices on which something plays.", sql("""
SELECT count(DISTINCT device_id) AS playing FROM ledger.plays WHERE ended_at IS NULL AND phase = 'playing'
"""), (8, 0, 4, 4)),
        figure("Conflicts", "Conflicts within the time chosen.", sql("""
SELECT count(*) AS conflicts FROM ledger.conflicts WHERE $__timeFilter(started_at)
"""), (12, 0, 4, 4), thresholds=((None, GREEN), (1, ORANGE), (10, RED))),
        figure("Observed", "Of the time chosen that is known, the share in which devices were observed.", sql("""
SELECT sum(observed_seconds) / nullif(sum(known_seconds), 0) AS observed
FROM ledger.coverage($__timeFrom(), $__timeTo())
"""), (16, 0, 4, 4), unit="percentunit", thresholds=((None, RED), (0.9, ORANGE), (0.99, GREEN))),
        figure("Last record", "When the last record was observed that the database knows.", sql("""
SELECT extract(epoch FROM max(observed_at)) * 1000 AS "last record" FROM ledger.recorders
"""), (20, 0, 4, 4), unit="dateTimeFromNow"),
        table("What is on", "One row per device. A device that is not linked shows what it did last, where it may go on.", f"""
SELECT {NAME} AS device, d.state, coalesce(p.app_name, a.app_name) AS app, p.title,
    CASE WHEN p.phase IS NOT NULL THEN p.phase WHEN a.app_session_id IS NOT NULL THEN 'app_only' END AS activity,
    coalesce(p.started_at, a.started_at) AS since, p.played_seconds AS played, p.duration_seconds AS duration,
    g.reason AS missed, d.last_heard_at AS "last heard", d.model, d.address, d.device_id
FROM ledger.devices d
LEFT JOIN LATERAL (
    SELECT p.* FROM ledger.plays p
    WHERE p.device_id = d.device_id AND p.ended_at IS NULL
    ORDER BY p.started_at DESC
    LIMIT 1
) p ON true
LEFT JOIN LATERAL (
    -- An app whose end nobody saw has ended when another one began: the last one counts.
    SELECT a.app_session_id, a.app_name, a.started_at, a.ended_at FROM ledger.app_sessions a
    WHERE a.device_id = d.device_id
    ORDER BY a.started_at DESC
    LIMIT 1
) a ON a.ended_at IS NULL AND d.state = 'linked'
LEFT JOIN LATERAL (
    SELECT g.reason FROM ledger.gaps g
    WHERE g.device_id = d.device_id AND g.recorder_id = d.recorder_id AND g.ended_at IS NULL
    ORDER BY g.started_at DESC
    LIMIT 1
) g ON true
ORDER BY 1, d.device_id
""", (0, 4, 24, 18), [
            colored("state", STATES), colored("activity", ACTIVITIES), colored("missed", REASONS),
            override("played", **SECONDS), override("duration", **SECONDS),
            override("last heard", unit="dateTimeFromNow"), hidden("device_id"),
        ]),
    ], refresh="10s")


# Lanes of one device after the other: of a few devices it reads far less than of all.
LANES = """
WITH lane AS (
    SELECT coalesce(d.name, d.device_id) AS device, l.from_at, l.to_at, {value} AS value,
        lead(l.from_at) OVER (PARTITION BY l.device_id ORDER BY l.from_at) AS next_at
    FROM ledger.devices d
    CROSS JOIN LATERAL ledger.lanes($__timeFrom(), $__timeTo(), d.device_id) l
    WHERE d.device_id IN (${{device:sqlstring}})
)
SELECT from_at AS time, device, value AS "Value" FROM lane
UNION ALL
-- Where nothing is known after it, a state ends here and is not drawn on.
SELECT to_at, device, NULL FROM lane WHERE next_at IS DISTINCT FROM to_at
ORDER BY time, device
"""


def what_played():
    return dashboard("what-played", "what played", "What each device did and played; gaps are shown as such.", [
        lanes("What each device did", "One row per device. What is not known is empty, what was not observed is "
              "unobserved: neither is idle. Choose devices above where there are more than fifty.",
              LANES.format(value="l.activity"), ACTIVITIES, (0, 0, 24, 10)),
        lanes("What was on", "The title while it played, was paused or showed ads; the app where it tells no title.",
              LANES.format(value="CASE WHEN l.activity IN ('playing', 'paused', 'buffering', 'advertisement', "
                           "'loading', 'app_only') THEN coalesce(l.title, l.app_name, l.app_id, l.activity) END"),
              {}, (0, 10, 24, 10), show="auto"),
        columns("Played by app", "Hours of playing within the time chosen, ads and pauses not counted.", """
SELECT coalesce(p.app_name, p.app_id, 'unknown') AS app, sum(s.played_seconds) AS played, sum(s.ad_seconds) AS ads
FROM ledger.play_share($__timeFrom(), $__timeTo(), ${zone:sqlstring}) s
JOIN ledger.plays p USING (device_id, recorder_id, position, ordinal)
WHERE s.device_id IN (${device:sqlstring})
GROUP BY 1
ORDER BY 2 DESC, 1
LIMIT 20
""", (0, 20, 8, 9), "s"),
        columns("Played by device", "Hours of playing within the time chosen, and of time not observed.", f"""
SELECT {NAME} AS device, sum(s.played_seconds) AS played, sum(s.gap_seconds) AS "not observed"
FROM ledger.play_share($__timeFrom(), $__timeTo(), ${{zone:sqlstring}}) s
JOIN ledger.devices d USING (device_id)
WHERE s.device_id IN (${{device:sqlstring}})
GROUP BY d.device_id, d.name
ORDER BY 2 DESC, 1
LIMIT 20
""", (8, 20, 8, 9), "s"),
        columns("Played by day", "Days are those of the time zone above; the share observed is in the dashboard of coverage.",
                """
SELECT to_char(s.day, 'YYYY-MM-DD') AS day, sum(s.played_seconds) AS played
FROM ledger.play_share($__timeFrom(), $__timeTo(), ${zone:sqlstring}) s
WHERE s.device_id IN (${device:sqlstring})
GROUP BY s.day
ORDER BY s.day
""", (16, 20, 8, 9), "s", across=False),
        table("Plays", "Each play that began within the time chosen, the newest first; a thousand at most.", f"""
SELECT p.started_at AS started, {NAME} AS device, coalesce(p.app_name, p.app_id) AS app, p.title, p.series,
    p.start_cause AS "start cause", p.ended_at AS ended, coalesce(p.end_reason, 'lasts') AS "end",
    p.end_is_uncertain AS "end in a gap", p.played_seconds AS played, p.paused_seconds AS paused,
    p.ad_seconds AS ads, p.gap_seconds AS "not observed", p.seeks, p.position || '/' || p.ordinal AS play
FROM ledger.plays p
JOIN ledger.devices d USING (device_id)
WHERE $__timeFilter(p.started_at) AND p.device_id IN (${{device:sqlstring}})
ORDER BY p.started_at DESC, p.position DESC
LIMIT 1000
""", (0, 29, 24, 14), [override(name, **SECONDS) for name in ("played", "paused", "ads", "not observed")]),
    ], variables=[DEVICES, ZONE], annotations=[CONFLICTS])


def conflicts():
    chosen = "c.device_id IN (${device:sqlstring}) AND c.score >= ${score:sqlstring}::double precision"
    return dashboard("conflicts", "conflicts", "Who undid whom: two senders, or a sender and the device.", [
        figure("Conflicts", "Within the time chosen.", sql(f"""
SELECT count(*) AS conflicts FROM ledger.conflicts c WHERE $__timeFilter(c.started_at) AND {chosen}
"""), (0, 0, 4, 5), thresholds=((None, GREEN), (1, ORANGE), (10, RED))),
        graph("Conflicts by kind", "How many began in each span of time.", [sql(f"""
SELECT $__timeGroup(c.started_at, $__interval) AS time, c.kind AS metric, count(*) AS value
FROM ledger.conflicts c
WHERE $__timeFilter(c.started_at) AND {chosen}
GROUP BY 1, 2
ORDER BY 1, 2
""", "time_series")], (4, 0, 14, 9), bars=True, stacked=True, decimals=0),
        columns("Where", "The twenty devices with the most.", f"""
SELECT {NAME} AS device, count(*) AS conflicts
FROM ledger.conflicts c
JOIN ledger.devices d USING (device_id)
WHERE $__timeFilter(c.started_at) AND {chosen}
GROUP BY d.device_id, d.name
ORDER BY 2 DESC, 1
LIMIT 20
""", (18, 0, 6, 9), "short"),
        figure("Undoings", "How often somebody took back what another had done.", sql(f"""
SELECT coalesce(sum(c.undoings), 0) AS undoings FROM ledger.conflicts c WHERE $__timeFilter(c.started_at) AND {chosen}
"""), (0, 5, 4, 4)),
        table("Conflicts", "The newest first; a thousand at most. 'castledger conflicts --explain ID' tells of one what it "
              "rests on.", f"""
SELECT c.started_at AS started, {NAME} AS device, c.kind, c.sentence, c.score, c.undoings,
    extract(epoch FROM c.ended_at - c.started_at)::double precision AS "for",
    c.kind || '/' || c.position || '/' || c.ordinal AS conflict
FROM ledger.conflicts c
JOIN ledger.devices d USING (device_id)
WHERE $__timeFilter(c.started_at) AND {chosen}
ORDER BY c.started_at DESC, c.position DESC
LIMIT 1000
""", (0, 9, 24, 16), [colored("kind", KINDS), override("for", **SECONDS), override("score", decimals=2)]),
    ], variables=[DEVICES, {
        "type": "custom", "name": "score", "label": "Least score", "query": "0,0.5,0.75,0.9", "hide": 0,
        "multi": False, "includeAll": False, "current": {"selected": True, "text": "0", "value": "0"},
        "options": [{"selected": word == "0", "text": word, "value": word} for word in ("0", "0.5", "0.75", "0.9")],
    }], since="now-7d")


def coverage():
    return dashboard("coverage", "coverage and health", "How much was observed, and why not the rest.", [
        figure("Observed", "Of the time that is known, the share in which devices were observed.", sql("""
SELECT sum(observed_seconds) / nullif(sum(known_seconds), 0) AS observed
FROM ledger.coverage($__timeFrom(), $__timeTo(), ${zone:sqlstring})
WHERE device_id IN (${device:sqlstring})
"""), (0, 0, 5, 4), unit="percentunit", thresholds=((None, RED), (0.9, ORANGE), (0.99, GREEN))),
        figure("Observed with media", "The same, without the time in which an app ran that we had not joined.", sql("""
SELECT sum(media_observed_seconds) / nullif(sum(known_seconds), 0) AS "media observed"
FROM ledger.coverage($__timeFrom(), $__timeTo(), ${zone:sqlstring})
WHERE device_id IN (${device:sqlstring})
"""), (0, 4, 5, 4), unit="percentunit", thresholds=((None, RED), (0.9, ORANGE), (0.99, GREEN))),
        columns("Missed, and why", "Seconds not observed by day and reason.", """
SELECT to_char(c.day, 'YYYY-MM-DD') AS day,
    sum((g ->> 'seconds')::double precision) FILTER (WHERE g ->> 'reason' = 'device_unreachable') AS device_unreachable,
    sum((g ->> 'seconds')::double precision) FILTER (WHERE g ->> 'reason' = 'link_lost') AS link_lost,
    sum((g ->> 'seconds')::double precision) FILTER (WHERE g ->> 'reason' = 'recorder_down') AS recorder_down,
    sum((g ->> 'seconds')::double precision) FILTER (WHERE g ->> 'reason' IN ('not_joined', 'attach_refused'))
        AS "app not joined",
    sum((g ->> 'seconds')::double precision) FILTER (WHERE g ->> 'reason' NOT IN (
        'device_unreachable', 'link_lost', 'recorder_down', 'not_joined', 'attach_refused')) AS other
FROM ledger.coverage($__timeFrom(), $__timeTo(), ${zone:sqlstring}) c
LEFT JOIN LATERAL jsonb_array_elements(c.gaps) g ON true
WHERE c.device_id IN (${device:sqlstring})
GROUP BY c.day
ORDER BY c.day
""", (5, 0, 19, 8), "s", across=False),
        lanes("When each device was observed", "observed, or why it was not. Empty: not known.", """
WITH span AS (
    SELECT coalesce(d.name, d.device_id) AS device, o.from_at, o.to_at, coalesce(o.reason, 'observed') AS value,
        lead(o.from_at) OVER (PARTITION BY o.device_id ORDER BY o.from_at) AS next_at
    FROM ledger.observed_span($__timeFrom(), $__timeTo()) o
    JOIN ledger.devices d USING (device_id)
    WHERE o.device_id IN (${device:sqlstring})
)
SELECT from_at AS time, device, value AS "Value" FROM span
UNION ALL
SELECT to_at, device, NULL FROM span WHERE next_at IS DISTINCT FROM to_at
ORDER BY time, device
""", REASONS, (0, 8, 24, 9)),
        table("By device", "Sums of seconds, so a device that is known for longer weighs more.", f"""
SELECT {NAME} AS device, sum(c.observed_seconds) / nullif(sum(c.known_seconds), 0) AS observed,
    sum(c.media_observed_seconds) / nullif(sum(c.known_seconds), 0) AS "with media",
    sum(c.observed_seconds) AS "time observed", sum(c.known_seconds) AS "time known", d.state,
    d.last_heard_at AS "last heard", d.model, d.address
FROM ledger.coverage($__timeFrom(), $__timeTo(), ${{zone:sqlstring}}) c
JOIN ledger.devices d USING (device_id)
WHERE c.device_id IN (${{device:sqlstring}})
GROUP BY d.device_id, d.name, d.state, d.last_heard_at, d.model, d.address
ORDER BY 2, 1
""", (0, 17, 12, 12), [
            override("observed", unit="percentunit", decimals=1, min=0, max=1,
                     custom_cellOptions={"type": "gauge", "mode": "basic"}, color={"mode": "fixed", "fixedColor": BLUE}),
            override("with media", unit="percentunit", decimals=1), override("time observed", **SECONDS),
            override("time known", **SECONDS), colored("state", STATES),
            override("last heard", unit="dateTimeFromNow"),
        ]),
        table("Gaps", "The newest first; a thousand at most. Empty: it lasts.", f"""
SELECT g.started_at AS started, {NAME} AS device, g.reason, g.ended_at AS ended,
    extract(epoch FROM g.ended_at - g.started_at)::double precision AS "for"
FROM ledger.gaps g
JOIN ledger.devices d USING (device_id)
WHERE g.started_at < $__timeTo() AND coalesce(g.ended_at, 'infinity') >= $__timeFrom()
    AND g.device_id IN (${{device:sqlstring}})
ORDER BY g.started_at DESC, g.position DESC
LIMIT 1000
""", (12, 17, 12, 12), [colored("reason", REASONS), override("for", **SECONDS)]),
    ], variables=[DEVICES, ZONE], since="now-7d", refresh="5m")
