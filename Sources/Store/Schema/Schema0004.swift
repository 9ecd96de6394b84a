// Written by schema/embed from schema/0004-sender-series.sql: edit that, not this.

extension Migration {
    static let schema0004 = Migration(
        number: 4, name: "sender-series",
        sql: #"""
            -- Which sender asked, as far as the series of requestIds tells: an inference, so it is a column of its own.

            ALTER TABLE projection.change_event ADD COLUMN sender_series integer;
            COMMENT ON COLUMN projection.change_event.sender_series
                IS 'Which sender asked, numbered within the app session. Inferred from requestIds; null when unclear.';

            CREATE OR REPLACE VIEW ledger.events AS
                SELECT recorder_id, position, ordinal, observed_at, device_id, app_session_id,
                    media_session_id, kind, attribution,
                    request_id, callbacks, effective, before, after, position_seconds, finding, sender_series
                FROM projection.change_event;
            """#)
}
