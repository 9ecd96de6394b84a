-- What devices said that nobody gave a meaning to yet, counted; and whether titles are left out.

CREATE TABLE projection.not_understood (
    recorder_id uuid NOT NULL,
    subject text NOT NULL,
    namespace text NOT NULL,
    word text NOT NULL,
    count bigint NOT NULL,
    first_position bigint NOT NULL,
    first_at timestamptz NOT NULL,
    last_position bigint NOT NULL,
    last_at timestamptz NOT NULL,
    PRIMARY KEY (recorder_id, subject, namespace, word)
);
COMMENT ON TABLE projection.not_understood
    IS 'Words and keys of messages that this version gives no meaning to. The archive has the messages.';
COMMENT ON COLUMN projection.not_understood.recorder_id IS 'Whose archive.';
COMMENT ON COLUMN projection.not_understood.subject IS 'What it is: a message type, a key, a word of a field.';
COMMENT ON COLUMN projection.not_understood.namespace IS 'The namespace of the messages.';
COMMENT ON COLUMN projection.not_understood.word
    IS 'The word; "(others)" for those beyond the first 64 of a device.';
COMMENT ON COLUMN projection.not_understood.count IS 'How often it came.';
COMMENT ON COLUMN projection.not_understood.first_position IS 'The record that said it first.';
COMMENT ON COLUMN projection.not_understood.first_at IS 'When that record was observed.';
COMMENT ON COLUMN projection.not_understood.last_position IS 'The record that said it last.';
COMMENT ON COLUMN projection.not_understood.last_at IS 'When that record was observed.';

CREATE VIEW ledger.not_understood AS
    SELECT recorder_id, subject, namespace, word, count, first_position, first_at, last_position,
        last_at
    FROM projection.not_understood;
COMMENT ON VIEW ledger.not_understood
    IS 'Words and keys of messages without a known meaning. Their records are in the archive.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'castledger_reader') THEN
        GRANT SELECT ON ledger.not_understood TO castledger_reader;
    END IF;
END
$$;

ALTER TABLE projection.checkpoint ADD COLUMN title_salt bigint;
COMMENT ON COLUMN projection.checkpoint.title_salt
    IS 'Makes the pseudonyms of contents while titles are left out. Null when they are kept.';
