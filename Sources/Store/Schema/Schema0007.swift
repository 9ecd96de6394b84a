// Written by schema/embed from schema/0007-input-inactive.sql: edit that, not this.

extension Migration {
    static let schema0007 = Migration(
        number: 7, name: "input-inactive",
        sql: #"""
            -- Whether a TV is known to show nothing of what plays: so that a play that lasts is counted on as such up to the
            -- checkpoint, as its other times are.

            ALTER TABLE projection.play ADD COLUMN input_is_inactive boolean NOT NULL DEFAULT false;
            COMMENT ON COLUMN projection.play.input_is_inactive
                IS 'Whether the TV is known to be in standby or on another input since counted_at. False once ended.';

            -- A play that lasts goes on in its phase up to the checkpoint. A play that two recorders saw counts once: the one that saw
            -- it first has it.
            CREATE OR REPLACE VIEW ledger.plays AS
                SELECT p.device_id, p.app_session_id, p.media_session_id, p.app_id, p.app_name, p.content_id, p.title,
                    p.duration_seconds, p.started_at, p.start_cause, p.ended_at, p.end_reason, p.recorder_id, p.position, p.ordinal,
                    p.queue_item_id, p.content_url, p.entity, p.series, p.season, p.episode, p.artist, p.album, p.content_type,
                    p.stream_type, p.end_is_uncertain, p.phase,
                    CASE WHEN p.ended_at IS NULL THEN greatest(p.counted_at, c.observed_at) ELSE p.counted_at END AS counted_at,
                    p.played_seconds + CASE p.phase WHEN 'playing' THEN l.seconds ELSE 0 END AS played_seconds,
                    p.paused_seconds + CASE p.phase WHEN 'paused' THEN l.seconds ELSE 0 END AS paused_seconds,
                    p.buffering_seconds + CASE p.phase WHEN 'buffering' THEN l.seconds ELSE 0 END AS buffering_seconds,
                    p.ad_seconds + CASE p.phase WHEN 'advertisement' THEN l.seconds ELSE 0 END AS ad_seconds,
                    p.input_inactive_seconds
                        + CASE WHEN p.phase = 'playing' AND p.input_is_inactive THEN l.seconds ELSE 0 END
                        AS input_inactive_seconds,
                    p.gap_seconds + CASE p.phase WHEN 'unobserved' THEN l.seconds ELSE 0 END AS gap_seconds,
                    p.first_position_seconds, p.last_position_seconds, p.max_position_seconds, p.seeks, p.tracks, p.members,
                    p.continued_from, p.continued_in, p.input_is_inactive
                FROM projection.play p
                JOIN projection.checkpoint c USING (recorder_id)
                CROSS JOIN LATERAL (
                    SELECT CASE WHEN p.ended_at IS NULL
                        THEN greatest(0, coalesce(extract(epoch FROM c.observed_at - p.counted_at), 0))::double precision
                        ELSE 0 END AS seconds
                ) l
                WHERE NOT EXISTS (
                    SELECT FROM projection.play o
                    WHERE o.device_id = p.device_id AND o.app_session_id = p.app_session_id
                        AND o.media_session_id = p.media_session_id AND o.recorder_id <> p.recorder_id
                        AND (o.started_at, o.recorder_id) < (p.started_at, p.recorder_id)
                        AND coalesce(o.ended_at, 'infinity') > p.started_at
                        AND o.content_id IS NOT DISTINCT FROM p.content_id
                        AND o.queue_item_id IS NOT DISTINCT FROM p.queue_item_id
                );
            """#)
}
