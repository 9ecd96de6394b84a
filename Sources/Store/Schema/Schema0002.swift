// Written by schema/embed from schema/0002-views.sql: edit that, not this.

extension Migration {
    static let schema0002 = Migration(
        number: 2, name: "views",
        sql: #"""
            -- What people and dashboards read. A table may change its shape in a later migration, a view keeps its
            -- columns.

            CREATE VIEW ledger.devices AS
                SELECT DISTINCT ON (device_id) device_id, name, model, address, state, first_seen_at,
                    last_heard_at, recorder_id
                FROM projection.device
                ORDER BY device_id, last_heard_at DESC, recorder_id;
            COMMENT ON VIEW ledger.devices IS 'Each device once, as the recorder that heard it last knows it.';

            CREATE VIEW ledger.events AS
                SELECT recorder_id, position, ordinal, observed_at, device_id, app_session_id,
                    media_session_id, kind, attribution,
                    request_id, callbacks, effective, before, after, position_seconds, finding
                FROM projection.change_event;
            COMMENT ON VIEW ledger.events
                IS 'Every change event of every recorder. Join ledger.devices for the name.';

            CREATE VIEW ledger.gaps AS
                SELECT recorder_id, device_id, started_at, ended_at, reason, position, ordinal
                FROM projection.gap;
            COMMENT ON VIEW ledger.gaps
                IS 'Each stretch in which a device was not observed. ended_at is null while it lasts.';

            CREATE VIEW ledger.app_sessions AS
                SELECT recorder_id, device_id, app_session_id, app_id, app_name, status_text, started_at,
                    start_attribution,
                    ended_at, end_reason
                FROM projection.app_session;
            COMMENT ON VIEW ledger.app_sessions IS 'Each launch of a receiver app.';

            -- A media session ends with its app session at the latest, also when no message said so.
            CREATE VIEW ledger.media_sessions AS
                SELECT m.recorder_id, m.device_id, m.app_session_id, m.media_session_id, a.app_id, a.app_name,
                    m.content_id, m.content_type, m.stream_type, m.title, m.duration_seconds, m.player_state,
                    m.started_at, m.start_attribution, coalesce(m.ended_at, a.ended_at) AS ended_at,
                    CASE
                        WHEN m.ended_at IS NOT NULL THEN m.end_reason
                        WHEN a.end_reason = 'stopped' THEN 'app_closed'
                        WHEN a.end_reason = 'replaced' THEN 'app_replaced'
                    END AS end_reason
                FROM projection.media_session m
                LEFT JOIN projection.app_session a USING (device_id, app_session_id, recorder_id);
            COMMENT ON VIEW ledger.media_sessions IS 'Each loaded item or queue, with its receiver app.';

            CREATE VIEW ledger.plays AS
                SELECT DISTINCT ON (device_id, app_session_id, media_session_id)
                    device_id, app_session_id, media_session_id, app_id, app_name, content_id, title,
                    duration_seconds, started_at,
                    CASE start_attribution WHEN 'snapshot' THEN 'already_playing' ELSE start_attribution END
                        AS start_cause,
                    ended_at, end_reason, recorder_id
                FROM ledger.media_sessions
                ORDER BY device_id, app_session_id, media_session_id, started_at, recorder_id;
            COMMENT ON VIEW ledger.plays IS 'Each media session once, however many recorders saw it.';

            CREATE VIEW ledger.recorders AS
                SELECT r.recorder_id, r.site, c.position, c.observed_at, c.events, c.sanitized_rows, c.refused_rows
                FROM projection.recorder r
                JOIN projection.checkpoint c USING (recorder_id);
            COMMENT ON VIEW ledger.recorders IS 'Each recorder and how far its archive is applied.';

            -- A shared server may keep the right to make roles from us. Then its owner makes the role and repeats
            -- the two
            -- grants.
            DO $$
            BEGIN
                IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'castledger_reader') THEN
                    CREATE ROLE castledger_reader NOLOGIN;
                END IF;
            EXCEPTION
                WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN NULL;
            END $$;

            DO $$
            BEGIN
                IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'castledger_reader') THEN
                    GRANT USAGE ON SCHEMA ledger TO castledger_reader;
                    GRANT SELECT ON ALL TABLES IN SCHEMA ledger TO castledger_reader;
                END IF;
            END $$;
            """#)
}
