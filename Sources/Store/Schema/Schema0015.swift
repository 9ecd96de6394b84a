// Written by schema/embed from schema/0015-conflict-time.sql: edit that, not this.

extension Migration {
    static let schema0015 = Migration(
        number: 15, name: "conflict-time",
        sql: #"""
            -- Conflicts of a period, among those of years: by their time, as plays are found.

            CREATE INDEX conflict_of_time ON projection.conflict
                USING gist (tstzrange(least(started_at, ended_at), greatest(started_at, ended_at), '[]'));

            CREATE OR REPLACE VIEW ledger.conflicts AS
                SELECT c.device_id, c.kind, c.started_at, c.ended_at, c.score, c.sentence, c.undoings, c.certain_undoings,
                    c.evidence, c.evidence_count, c.actors, c.other_turns, c.before, c.after, c.app_session_id, c.recorder_id,
                    c.position, c.ordinal,
                    -- Its time, however the clock was set: so that a question for a period finds it by index.
                    tstzrange(least(c.started_at, c.ended_at), greatest(c.started_at, c.ended_at), '[]') AS span
                FROM projection.conflict c
                -- One recorder sees nothing twice; of several, each conflict asks the key for its likes on its device.
                WHERE (SELECT count(*) < 2 FROM projection.checkpoint) OR NOT EXISTS (
                    SELECT FROM projection.conflict o
                    WHERE o.device_id = c.device_id AND o.kind = c.kind AND o.recorder_id <> c.recorder_id
                        AND (o.started_at, o.recorder_id) < (c.started_at, c.recorder_id) AND o.ended_at >= c.started_at
                );
            """#)
}
