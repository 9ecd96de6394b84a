-- What did each device play today, and how did it end? Days are those of the server's TimeZone setting.
SELECT d.name AS device, p.app_name AS app, p.title, p.started_at, p.ended_at, p.end_reason, p.start_cause
FROM ledger.plays p
JOIN ledger.devices d USING (device_id)
WHERE p.started_at >= date_trunc('day', current_timestamp)
ORDER BY d.name, p.started_at;
