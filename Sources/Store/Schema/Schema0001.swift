// Written by schema/embed from schema/0001-ledger.sql: edit that, not this.

extension Migration {
    static let schema0001 = Migration(
        number: 1, name: "ledger",
        sql: #"""
            -- The projection: what the archive says, as tables (schema projection), and as views for people and
            -- dashboards
            -- (schema ledger).
            --
            -- Every row is derived. No default, clock, sequence or random value takes part, so that dropping
            -- everything
            -- and replaying
            -- the archive gives the same rows. Every large table carries device_id in its key and refers to no other
            -- device, so that
            -- a distributed PostgreSQL can place it by device.

            CREATE SCHEMA ledger;
            COMMENT ON SCHEMA ledger
                IS 'Views to read: devices, sessions, events, gaps and plays. Granted to castledger_reader.';

            CREATE TABLE projection.recorder (
                recorder_id uuid PRIMARY KEY,
                site text
            );
            COMMENT ON TABLE projection.recorder IS 'Each recorder that writes into this database.';
            COMMENT ON COLUMN projection.recorder.recorder_id IS 'The name of its archive, for ever.';
            COMMENT ON COLUMN projection.recorder.site
                IS 'Where it stands, as its operator says. Null when not said.';

            CREATE TABLE projection.checkpoint (
                recorder_id uuid PRIMARY KEY,
                position bigint NOT NULL,
                observed_at timestamptz,
                events bigint NOT NULL,
                sanitized_rows bigint NOT NULL,
                refused_rows bigint NOT NULL
            );
            COMMENT ON TABLE projection.checkpoint
                IS 'How far each archive is applied. Moves in the same transaction as the rows.';
            COMMENT ON COLUMN projection.checkpoint.recorder_id IS 'Whose archive.';
            COMMENT ON COLUMN projection.checkpoint.position IS 'The last record applied. 0 before the first.';
            COMMENT ON COLUMN projection.checkpoint.observed_at
                IS 'When that record was observed. Null before the first.';
            COMMENT ON COLUMN projection.checkpoint.events IS 'Change events applied so far.';
            COMMENT ON COLUMN projection.checkpoint.sanitized_rows
                IS 'Of them, how many hold a text or number changed to fit PostgreSQL.';
            COMMENT ON COLUMN projection.checkpoint.refused_rows
                IS 'Of them, how many PostgreSQL refused, kept without before and after.';

            CREATE TABLE projection.archive_segment (
                recorder_id uuid NOT NULL,
                first_position bigint NOT NULL,
                path text NOT NULL,
                last_position bigint NOT NULL,
                first_at timestamptz NOT NULL,
                last_at timestamptz NOT NULL,
                PRIMARY KEY (recorder_id, first_position)
            );
            COMMENT ON TABLE projection.archive_segment IS 'The archive files that were applied.';
            COMMENT ON COLUMN projection.archive_segment.recorder_id IS 'Whose archive.';
            COMMENT ON COLUMN projection.archive_segment.first_position IS 'Its first record.';
            COMMENT ON COLUMN projection.archive_segment.path IS 'The file, relative to the archive of the recorder.';
            COMMENT ON COLUMN projection.archive_segment.last_position IS 'Its last record applied.';
            COMMENT ON COLUMN projection.archive_segment.first_at IS 'When its first record was observed.';
            COMMENT ON COLUMN projection.archive_segment.last_at IS 'When its last applied record was observed.';

            CREATE TABLE projection.device (
                device_id text NOT NULL,
                recorder_id uuid NOT NULL,
                name text,
                model text,
                address text,
                state text NOT NULL,
                first_seen_at timestamptz NOT NULL,
                last_heard_at timestamptz NOT NULL,
                PRIMARY KEY (device_id, recorder_id)
            );
            COMMENT ON TABLE projection.device IS 'Each device or group, as each recorder last knew it.';
            COMMENT ON COLUMN projection.device.device_id
                IS 'The device, for ever: its TXT id in lower case without dashes.';
            COMMENT ON COLUMN projection.device.recorder_id IS 'Who observed it.';
            COMMENT ON COLUMN projection.device.name IS 'Friendly name. Null when it never said one.';
            COMMENT ON COLUMN projection.device.model IS 'Model name. Null when it never said one.';
            COMMENT ON COLUMN projection.device.address IS 'Last known numeric address. Null when unknown.';
            COMMENT ON COLUMN projection.device.state
                IS 'seen (announced, no link yet), linked, lost (link down) or withdrawn (announcement gone, no
                link).';
            COMMENT ON COLUMN projection.device.first_seen_at
                IS 'When the first change event of this device was observed.';
            COMMENT ON COLUMN projection.device.last_heard_at IS 'When something of this device was last observed.';

            CREATE TABLE projection.app_session (
                device_id text NOT NULL,
                app_session_id text NOT NULL,
                recorder_id uuid NOT NULL,
                app_id text,
                app_name text,
                status_text text,
                started_at timestamptz NOT NULL,
                start_attribution text NOT NULL,
                ended_at timestamptz,
                end_reason text,
                PRIMARY KEY (device_id, app_session_id, recorder_id)
            );
            COMMENT ON TABLE projection.app_session IS 'One launch of a receiver app.';
            COMMENT ON COLUMN projection.app_session.device_id IS 'Where it ran.';
            COMMENT ON COLUMN projection.app_session.app_session_id IS 'The sessionId that the device gave it.';
            COMMENT ON COLUMN projection.app_session.recorder_id IS 'Who observed it.';
            COMMENT ON COLUMN projection.app_session.app_id IS 'Which receiver app. Null when not said.';
            COMMENT ON COLUMN projection.app_session.app_name IS 'The display name of the app. Null when not said.';
            COMMENT ON COLUMN projection.app_session.status_text
                IS 'The last status text of the app. Null when not said.';
            COMMENT ON COLUMN projection.app_session.started_at
                IS 'When it was first observed. See start_attribution: a snapshot found it already running.';
            COMMENT ON COLUMN projection.app_session.start_attribution
                IS 'Attribution of the first change event: sender_request, receiver, snapshot or unknown.';
            COMMENT ON COLUMN projection.app_session.ended_at
                IS 'When its end was observed. Null while it runs, and when the end was not observed.';
            COMMENT ON COLUMN projection.app_session.end_reason
                IS 'stopped or replaced. Null while ended_at is null.';

            CREATE TABLE projection.media_session (
                device_id text NOT NULL,
                app_session_id text NOT NULL,
                media_session_id bigint NOT NULL,
                recorder_id uuid NOT NULL,
                content_id text,
                content_type text,
                stream_type text,
                title text,
                duration_seconds double precision,
                player_state text,
                started_at timestamptz NOT NULL,
                start_attribution text NOT NULL,
                ended_at timestamptz,
                end_reason text,
                PRIMARY KEY (device_id, app_session_id, media_session_id, recorder_id)
            );
            COMMENT ON TABLE projection.media_session IS 'One loaded item or queue in a receiver app.';
            COMMENT ON COLUMN projection.media_session.device_id IS 'Where it played.';
            COMMENT ON COLUMN projection.media_session.app_session_id IS 'In which app session. Empty when unknown.';
            COMMENT ON COLUMN projection.media_session.media_session_id
                IS 'The mediaSessionId that the app gave it, unique within the app session only.';
            COMMENT ON COLUMN projection.media_session.recorder_id IS 'Who observed it.';
            COMMENT ON COLUMN projection.media_session.content_id IS 'The last contentId. Null when not said.';
            COMMENT ON COLUMN projection.media_session.content_type IS 'The last contentType. Null when not said.';
            COMMENT ON COLUMN projection.media_session.stream_type
                IS 'The last streamType: BUFFERED, LIVE or NONE. Null when not said.';
            COMMENT ON COLUMN projection.media_session.title IS 'The last title. Null when not said.';
            COMMENT ON COLUMN projection.media_session.duration_seconds
                IS 'The last duration, in seconds. Null when not said.';
            COMMENT ON COLUMN projection.media_session.player_state IS 'The last playerState. Null when not said.';
            COMMENT ON COLUMN projection.media_session.started_at
                IS 'When it was first observed. See start_attribution: a snapshot found it already loaded.';
            COMMENT ON COLUMN projection.media_session.start_attribution
                IS 'Attribution of the first change event: sender_request, receiver, snapshot or unknown.';
            COMMENT ON COLUMN projection.media_session.ended_at
                IS 'When its end was observed. Null while it lasts, and when the end was not observed.';
            COMMENT ON COLUMN projection.media_session.end_reason
                IS 'idleReason in lower case: finished, cancelled, interrupted, error. Null when not said.';

            CREATE TABLE projection.gap (
                device_id text NOT NULL,
                recorder_id uuid NOT NULL,
                position bigint NOT NULL,
                ordinal integer NOT NULL,
                started_at timestamptz NOT NULL,
                ended_at timestamptz,
                reason text NOT NULL,
                PRIMARY KEY (device_id, recorder_id, position, ordinal)
            );
            COMMENT ON TABLE projection.gap IS 'Each stretch in which a device was not observed.';
            COMMENT ON COLUMN projection.gap.device_id IS 'Which device.';
            COMMENT ON COLUMN projection.gap.recorder_id IS 'Who did not observe it.';
            COMMENT ON COLUMN projection.gap.position IS 'The record that told of the gap.';
            COMMENT ON COLUMN projection.gap.ordinal IS 'The change event of that record.';
            COMMENT ON COLUMN projection.gap.started_at IS 'The last moment observed.';
            COMMENT ON COLUMN projection.gap.ended_at IS 'The first moment observed again. Null while it lasts.';
            COMMENT ON COLUMN projection.gap.reason
                IS 'Why: recorder_down, link_lost, frames_lost and the like, of a closed list; else unknown.';

            CREATE TABLE projection.device_state (
                device_id text NOT NULL,
                recorder_id uuid NOT NULL,
                state json NOT NULL,
                PRIMARY KEY (device_id, recorder_id)
            );
            COMMENT ON TABLE projection.device_state
                IS 'What the differ knows of each device at the checkpoint, to go on from there.';
            COMMENT ON COLUMN projection.device_state.device_id IS 'Which device.';
            COMMENT ON COLUMN projection.device_state.recorder_id IS 'Whose differ.';
            COMMENT ON COLUMN projection.device_state.state
                IS 'The differ''s own form. json, not jsonb: kept to the byte.';

            CREATE TABLE projection.change_event (
                device_id text NOT NULL,
                observed_at timestamptz NOT NULL,
                recorder_id uuid NOT NULL,
                position bigint NOT NULL,
                ordinal integer NOT NULL,
                app_session_id text,
                media_session_id bigint,
                kind text NOT NULL,
                attribution text NOT NULL,
                request_id bigint,
                callbacks text[] NOT NULL,
                effective boolean NOT NULL,
                before jsonb,
                after jsonb,
                position_seconds double precision,
                finding text,
                PRIMARY KEY (device_id, observed_at, recorder_id, position, ordinal)
            ) PARTITION BY RANGE (observed_at);
            CREATE TABLE projection.change_event_default PARTITION OF projection.change_event DEFAULT;
            CREATE INDEX change_event_observed_at ON projection.change_event (observed_at);
            COMMENT ON TABLE projection.change_event
                IS 'One typed difference between two states of a device, partitioned by month.';
            COMMENT ON TABLE projection.change_event_default
                IS 'Change events of months that have no partition of their own.';
            COMMENT ON COLUMN projection.change_event.device_id IS 'Whose state changed.';
            COMMENT ON COLUMN projection.change_event.observed_at IS 'When the record was observed.';
            COMMENT ON COLUMN projection.change_event.recorder_id IS 'Who observed it.';
            COMMENT ON COLUMN projection.change_event.position IS 'The record in the archive of that recorder.';
            COMMENT ON COLUMN projection.change_event.ordinal
                IS 'Its place among the change events of that record, from 0.';
            COMMENT ON COLUMN projection.change_event.app_session_id IS 'In which app session. Null when in none.';
            COMMENT ON COLUMN projection.change_event.media_session_id
                IS 'In which media session. Null when in none.';
            COMMENT ON COLUMN projection.change_event.kind IS 'What changed, of a closed list.';
            COMMENT ON COLUMN projection.change_event.attribution
                IS 'Who caused it, as far as the wire tells: sender_request, receiver, snapshot or unknown.';
            COMMENT ON COLUMN projection.change_event.request_id
                IS 'The requestId of the frame, 0 included. Null when it carries none.';
            COMMENT ON COLUMN projection.change_event.callbacks
                IS 'The listeners that every connected sender calls on this frame.';
            COMMENT ON COLUMN projection.change_event.effective
                IS 'False when the frame re-asserts what was already so.';
            COMMENT ON COLUMN projection.change_event.before
                IS 'The part of the state that changed, before. Null when there was none.';
            COMMENT ON COLUMN projection.change_event.after IS 'The same part, after. Null when there is none.';
            COMMENT ON COLUMN projection.change_event.position_seconds
                IS 'Position in the media, in seconds. Null when unknown.';
            COMMENT ON COLUMN projection.change_event.finding
                IS 'What had to be changed to store this row. Null for nearly all: nothing.';
            """#)
}
