import CastModel
import Differ
import Plays
import Recording

/// Plays that only went on: the few columns that a pause or a seek changes, written without the rest of the row.
///
/// It remembers the rows that last, so that most changes cost a fifth of a whole row. Rows count once their batch is
/// committed: ``remember(_:)``.
struct PlayProgress {
    /// Above so many remembered rows we begin anew; writing a whole row again does no harm.
    private static let memoryLimitRows = 100_000

    private var known: [ChangeEvent.ID: Play] = [:]

    /// Whether a row differs from the one in the database in nothing but its progress.
    func covers(_ play: Play) -> Bool {
        guard play.endedAt == nil, var before = known[play.id] else { return false }
        before.phase = play.phase
        before.phaseSince = play.phaseSince
        before.spans = play.spans
        before.countedAt = play.countedAt
        before.isInputInactive = play.isInputInactive
        before.time = play.time
        before.firstPositionSeconds = play.firstPositionSeconds
        before.lastPositionSeconds = play.lastPositionSeconds
        before.maxPositionSeconds = play.maxPositionSeconds
        before.seeks = play.seeks
        return before == play
    }

    /// Writes the progress of plays whose rows exist; part of the caller's transaction.
    func store(_ plays: [Play], recorder: String, over connection: PostgresConnection) throws(StoreError) {
        guard !plays.isEmpty else { return }
        func texts(_ text: (Play) -> String) -> PostgresParameter { .texts(plays.map(text)) }
        func seconds(_ seconds: Double?) -> String { seconds.map { "\($0)" } ?? "" }
        var changed = false
        try connection.execute(
            Self.statement,
            [
                .text(recorder), texts { Sanitizing.id($0.deviceID.text, changed: &changed) },
                .times(plays.map(\.startedAt)), texts { "\($0.id.position.number)" }, texts { "\($0.id.ordinal)" },
                texts { $0.phase?.rawValue ?? "" }, .times(plays.map(\.countedAt)),
                texts { seconds($0.time.playedSeconds) }, texts { seconds($0.time.pausedSeconds) },
                texts { seconds($0.time.bufferingSeconds) }, texts { seconds($0.time.adSeconds) },
                texts { seconds($0.time.inputInactiveSeconds) }, texts { seconds($0.time.gapSeconds) },
                texts { seconds($0.firstPositionSeconds) }, texts { seconds($0.lastPositionSeconds) },
                texts { seconds($0.maxPositionSeconds) }, texts { "\($0.seeks)" },
                texts { "\($0.isInputInactive)" }, .times(plays.map { $0.phaseSince ?? $0.countedAt }),
            ], doing: "storing the progress of plays")
    }

    /// The batch is committed: its rows are in the database.
    mutating func remember(_ plays: [Play]) {
        if known.count > Self.memoryLimitRows { known = [:] }
        for play in plays {
            known[play.id] = play.endedAt == nil ? play : nil
            known[play.id]?.spans = Play.SpanChanges()
        }
    }

    /// All rows were dropped.
    mutating func forget() { known = [:] }

    private static let statement = """
        UPDATE projection.play t SET
            phase = nullif(r.phase, ''), counted_at = r.counted_at,
            played_seconds = r.played::double precision, paused_seconds = r.paused::double precision,
            buffering_seconds = r.buffering::double precision, ad_seconds = r.ads::double precision,
            input_inactive_seconds = r.inactive::double precision, gap_seconds = r.gap::double precision,
            first_position_seconds = nullif(r.first_position, '')::double precision,
            last_position_seconds = nullif(r.last_position, '')::double precision,
            max_position_seconds = nullif(r.max_position, '')::double precision, seeks = r.seeks::bigint,
            input_is_inactive = r.input_is_inactive::boolean, phase_since = r.phase_since
        FROM unnest(
            $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[],
            $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[],
            $17::text[], $18::text[], $19::timestamptz[]
        ) AS r (
            device_id, started_at, position, ordinal, phase, counted_at, played, paused, buffering, ads, inactive, gap,
            first_position, last_position, max_position, seeks, input_is_inactive, phase_since)
        WHERE t.device_id = r.device_id AND t.started_at = r.started_at AND t.recorder_id = $1::uuid
            AND t.position = r.position::bigint AND t.ordinal = r.ordinal::integer
        """
}
