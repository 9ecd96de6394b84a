-- What did each device play today, for how long, and how did it end? Days are those of the server's TimeZone setting.
SELECT d.name AS device, p.app_name AS app, p.title, p.started_at, p.ended_at, p.end_reason, p.start_cause,
    round(p.played_seconds::numeric, 1) AS played_seconds, round(p.gap_seconds::numeric, 1) AS gap_seconds
FROM ledger.plays p
JOIN ledger.devices d USING (device_id)
WHERE p.started_at >= date_trunc('day', current_timestamp)
ORDER BY d.name, p.started_at;
