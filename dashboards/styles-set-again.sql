-- Which senders set text track styles again and again? Receivers tell everybody each time, equal or not.
SELECT d.name AS device, date_trunc('hour', e.observed_at) AS hour,
    count(*) FILTER (WHERE e.kind = 'text_track_style_changed') AS changed,
    count(*) FILTER (WHERE e.kind = 'text_track_style_reasserted') AS set_again
FROM ledger.events e
JOIN ledger.devices d USING (device_id)
WHERE e.kind IN ('text_track_style_changed', 'text_track_style_reasserted')
    AND e.observed_at >= current_timestamp - interval '7 days'
GROUP BY d.name, date_trunc('hour', e.observed_at)
ORDER BY hour DESC, d.name;
