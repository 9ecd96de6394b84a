// Written by schema/embed from schema/0009-conflicts.sql: edit that, not this.

extension Migration {
    static let schema0009 = Migration(
        number: 9, name: "conflicts",
        sql: #"""
            -- A conflict is two senders, or a sender and the device, undoing each other: docs/conflicts.md. Few change events touch
            -- one, so the row is written whole. What may become one is kept as JSON, to go on from there.

            CREATE TABLE projection.conflict (
                device_id text NOT NULL,
                started_at timestamptz NOT NULL,
                recorder_id uuid NOT NULL,
                position bigint NOT NULL,
                ordinal integer NOT NULL,
                kind text NOT NULL,
                app_session_id text,
                ended_at timestamptz NOT NULL,
                score double precision NOT NULL,
                undoings bigint NOT NULL,
                certain_undoings bigint NOT NULL,
                evidence jsonb NOT NULL,
                evidence_count bigint NOT NULL,
                actors jsonb NOT NULL,
                other_turns bigint NOT NULL,
                before jsonb,
                after jsonb,
                sentence text NOT NULL,
                PRIMARY KEY (device_id, started_at, recorder_id, position, ordinal, kind)
            );
            CREATE INDEX conflict_started_at ON projection.conflict (started_at);
            ALTER TABLE projection.conflict SET (fillfactor = 80);
            COMMENT ON TABLE projection.conflict IS 'Each conflict, as far as it was observed.';
            COMMENT ON COLUMN projection.conflict.device_id IS 'Where.';
            COMMENT ON COLUMN projection.conflict.started_at IS 'When its evidence begins.';
            COMMENT ON COLUMN projection.conflict.recorder_id IS 'Who observed it.';
            COMMENT ON COLUMN projection.conflict.position IS 'The record of the first change event of its evidence.';
            COMMENT ON COLUMN projection.conflict.ordinal
                IS 'The place of that change event in its record. With position and kind the name of the conflict.';
            COMMENT ON COLUMN projection.conflict.kind
                IS 'takeover, volume_fight, play_pause_fight, seek_fight, track_fight or style_fight.';
            COMMENT ON COLUMN projection.conflict.app_session_id IS 'In which app session. Null when none was known.';
            COMMENT ON COLUMN projection.conflict.ended_at IS 'When its evidence ends.';
            COMMENT ON COLUMN projection.conflict.score IS 'How sure it is, from 0 through 1.';
            COMMENT ON COLUMN projection.conflict.undoings IS 'How often one took back what another had done. 1 for a takeover.';
            COMMENT ON COLUMN projection.conflict.certain_undoings
                IS 'Of undoings, those by somebody who was certainly another one.';
            COMMENT ON COLUMN projection.conflict.evidence
                IS 'The change events that show it, as position/ordinal of the same recorder: the first 64.';
            COMMENT ON COLUMN projection.conflict.evidence_count IS 'How many change events show it in all.';
            COMMENT ON COLUMN projection.conflict.actors
                IS 'Who fought: a list of who, sender_series, first_request_id, last_request_id, moves, undoings, last_value.';
            COMMENT ON COLUMN projection.conflict.other_turns IS 'Turns of those who found no room in actors.';
            COMMENT ON COLUMN projection.conflict.before IS 'What was so before the first move. Null when unknown.';
            COMMENT ON COLUMN projection.conflict.after IS 'What was so after the last one. Null when unknown.';
            COMMENT ON COLUMN projection.conflict.sentence IS 'What happened, in words, without time and device.';

            CREATE TABLE projection.conflict_state (
                device_id text NOT NULL,
                recorder_id uuid NOT NULL,
                state json NOT NULL,
                PRIMARY KEY (device_id, recorder_id)
            );
            ALTER TABLE projection.conflict_state SET (fillfactor = 50);
            COMMENT ON TABLE projection.conflict_state
                IS 'What may become a conflict on each device at the checkpoint, to go on from there.';
            COMMENT ON COLUMN projection.conflict_state.device_id IS 'Which device.';
            COMMENT ON COLUMN projection.conflict_state.recorder_id IS 'Who observes it.';
            COMMENT ON COLUMN projection.conflict_state.state
                IS 'The own form of the ledger of conflicts. json, not jsonb: kept to the byte.';

            -- Nobody looked for conflicts in what is stored already. A state of no known form makes the recorder replay its archive.
            UPDATE projection.device_state SET state = '{}';

            -- A conflict that two recorders saw counts once: the one that saw it first has it.
            CREATE VIEW ledger.conflicts AS
                SELECT c.device_id, c.kind, c.started_at, c.ended_at, c.score, c.sentence, c.undoings, c.certain_undoings,
                    c.evidence, c.evidence_count, c.actors, c.other_turns, c.before, c.after, c.app_session_id, c.recorder_id,
                    c.position, c.ordinal
                FROM projection.conflict c
                WHERE NOT EXISTS (
                    SELECT FROM projection.conflict o
                    WHERE o.device_id = c.device_id AND o.kind = c.kind AND o.recorder_id <> c.recorder_id
                        AND (o.started_at, o.recorder_id) < (c.started_at, c.recorder_id) AND o.ended_at >= c.started_at
                );
            COMMENT ON VIEW ledger.conflicts IS 'Each conflict once, however many recorders saw it.';

            DO $$
            BEGIN
                IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'castledger_reader') THEN
                    GRANT SELECT ON ledger.conflicts TO castledger_reader;
                END IF;
            END
            $$;
            """#)
}
