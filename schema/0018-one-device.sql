-- One device's plays and app sessions of a period, without looking at those before and after.
CREATE INDEX play_of_device ON projection.play (
    device_id, least(started_at, ended_at),
    (CASE WHEN ended_at IS NULL THEN 'infinity'::timestamptz ELSE greatest(started_at, ended_at) END)
);
CREATE INDEX app_session_of_device ON projection.app_session (device_id, started_at, coalesce(ended_at, 'infinity'));
-- The app that runs, without a look at those that ran.
CREATE INDEX app_session_open ON projection.app_session (device_id, started_at) WHERE ended_at IS NULL;
-- The plays that last, without a look at those that ended.
CREATE INDEX play_lasting ON projection.play (device_id) WHERE ended_at IS NULL;
