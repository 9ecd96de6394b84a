-- What the page asks beyond the views there are.

-- A record's change events by its position: rows come in the order of positions, so a summary per few pages is enough.
CREATE INDEX change_event_of_position ON projection.change_event
    USING brin (position) WITH (pages_per_range = 16, autosummarize = on);

CREATE VIEW ledger.device_states AS
    SELECT s.device_id, s.recorder_id, s.state::text AS state, s.heard_at
    FROM projection.device_state s;
COMMENT ON VIEW ledger.device_states
    IS 'What each device was like at the checkpoint, in the own form of the program, which changes with it: for the page '
    'only. heard_at: when it was last heard.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'castledger_reader') THEN
        GRANT SELECT ON ledger.device_states TO castledger_reader;
    END IF;
END
$$;
