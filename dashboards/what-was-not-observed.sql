-- When did we not look, and why? The last seven days; ended_at is empty while a gap lasts.
SELECT d.name AS device, g.reason, g.started_at, g.ended_at, g.ended_at - g.started_at AS length
FROM ledger.gaps g
JOIN ledger.devices d USING (device_id)
WHERE coalesce(g.ended_at, current_timestamp) >= current_timestamp - interval '7 days'
ORDER BY g.started_at DESC, d.name;
