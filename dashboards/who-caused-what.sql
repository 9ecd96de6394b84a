-- Who changes the most: senders or the devices themselves? Effective changes of the last seven days.
SELECT d.name AS device, e.kind,
    count(*) FILTER (WHERE e.attribution = 'sender_request') AS by_senders,
    count(*) FILTER (WHERE e.attribution = 'receiver') AS by_the_receiver,
    count(*) FILTER (WHERE e.attribution = 'unknown') AS undecided
FROM ledger.events e
JOIN ledger.devices d USING (device_id)
WHERE e.observed_at >= current_timestamp - interval '7 days' AND e.effective AND e.attribution <> 'snapshot'
GROUP BY d.name, e.kind
ORDER BY d.name, count(*) DESC;
