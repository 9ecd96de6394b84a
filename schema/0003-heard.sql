-- Every device is heard every five seconds. That moment has a column of its own, so that a heartbeat does not store the
-- whole state of its device anew; and room is left on each page, so that it does not touch an index.

ALTER TABLE projection.device_state ADD COLUMN heard_at timestamptz;
COMMENT ON COLUMN projection.device_state.heard_at
    IS 'When something of this device was last received, up to the checkpoint. Null when nothing was.';
ALTER TABLE projection.device_state SET (fillfactor = 50);
ALTER TABLE projection.device SET (fillfactor = 50);
