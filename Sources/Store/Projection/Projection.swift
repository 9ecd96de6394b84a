public import CastModel
import Differ
import IO
public import Recording

/// One recorder's part of the database, kept equal to its archive up to the checkpoint.
///
/// A batch goes in as one transaction that also moves the checkpoint, so a crash on either side leaves a batch applied
/// or not, and applying again from the checkpoint puts nothing in twice. Commits are asynchronous: after a crash of the
/// *server* the checkpoint may be a moment earlier, and the archive has what is missing.
///
/// Belongs to the thread of its connection. On `StoreError.connectionLost`, connect again and go on from
/// ``checkpoint()``.
public final class Projection {
    let connection: PostgresConnection
    let recorderID: String
    private let recorderBytes: [UInt8]
    var tables: ProjectedTables
    var playProgress = PlayProgress()
    private var partitions = MonthlyPartitions()
    /// How long ``reset(if:)`` waits for each lock: others may have a table open for as long as they like.
    var lockLimit = Duration.seconds(60)

    /// Brings the schema up to date and registers the recorder.
    ///
    /// - Parameters:
    ///   - recorderID: The archive's name, a UUID.
    ///   - site: Where the recorder stands; nil leaves what the database has.
    public init(connection: PostgresConnection, recorderID: String, site: String? = nil) throws(StoreError) {
        self.connection = connection
        self.recorderID = recorderID
        tables = ProjectedTables(connection: connection, recorderID: recorderID)
        _ = try connection.withoutLimit { () throws(StoreError) in try Migration.applyAll(to: connection) }
        let doing = "registering the recorder"
        try connection.execute("SET synchronous_commit = off", doing: doing)
        let bytes = try connection.execute(
            """
            INSERT INTO projection.recorder AS t (recorder_id, site) VALUES ($1, $2)
            ON CONFLICT (recorder_id) DO UPDATE SET site = coalesce(excluded.site, t.site)
            RETURNING recorder_id
            """, [.text(recorderID), .text(site)], doing: doing
        ).first?.bytes(0)
        guard let bytes else { throw StoreError.unexpectedAnswer(doing: doing) }
        recorderBytes = bytes
        try connection.execute(
            """
            INSERT INTO projection.checkpoint (recorder_id, position, events, sanitized_rows, refused_rows)
            VALUES ($1, 0, 0, 0, 0) ON CONFLICT DO NOTHING
            """, [.text(recorderID)], doing: doing)
    }

    /// Names the place where the recorder stands; nil leaves what the database has.
    public func nameSite(_ site: String?) throws(StoreError) {
        try connection.execute(
            "UPDATE projection.recorder SET site = coalesce($2, site) WHERE recorder_id = $1",
            [.text(recorderID), .text(site)], doing: "naming the recorder's place")
    }

    /// Forgets which rows exist: another program may have changed them.
    public func forgetRows() {
        tables.forget()
        playProgress.forget()
    }

    /// Waits until everything applied so far is on the server's disk.
    public func makeDurable() throws(StoreError) {
        let doing = "making the last batches durable"
        // A synchronous commit takes all earlier ones with it.
        try connection.execute("SET synchronous_commit = on", doing: doing)
        try connection.execute(
            "UPDATE projection.checkpoint SET position = position WHERE recorder_id = $1::uuid", [.text(recorderID)],
            doing: doing)
        try connection.execute("SET synchronous_commit = off", doing: doing)
    }

    /// The last record that is applied; 0 before the first.
    public func checkpoint() throws(StoreError) -> ArchivePosition { try readCheckpoint(lock: false) }

    /// Does something that must not be undone by anybody who empties or rebuilds this recorder's rows meanwhile.
    ///
    /// - Parameter body: Gets the last record that is applied and that PostgreSQL keeps through a crash of its own. The
    ///   projection of new records waits until it returns.
    public func holdingCheckpoint<Result>(_ body: (ArchivePosition) throws -> Result) throws -> Result {
        let doing = "holding the checkpoint"
        // A commit that waits for the disk makes all earlier ones durable, too.
        let durable = try connection.transaction(doing: doing) { () throws(StoreError) -> ArchivePosition in
            try connection.execute("SET LOCAL synchronous_commit = on", doing: doing)
            let position = try readCheckpoint(lock: true)
            try connection.execute(
                "UPDATE projection.checkpoint SET position = position WHERE recorder_id = $1::uuid",
                [.text(recorderID)], doing: doing)
            return position
        }
        try connection.execute("BEGIN", doing: doing)
        do {
            let result = try body(min(durable, readCheckpoint(lock: true)))
            try connection.execute("COMMIT", doing: doing)
            return result
        } catch {
            _ = try? connection.execute("ROLLBACK", doing: doing)
            throw error
        }
    }

    /// Whether the last record that is applied may be one that was observed at a moment; true when the database does
    /// not know when its own was.
    public func mayHaveApplied(recordOf time: WallTime) throws(StoreError) -> Bool {
        guard let applied = try checkpointTime() else { return true }
        return PostgresTime.clamped(time) == applied
    }

    /// When the last record that is applied was observed; nil before the first.
    public func checkpointTime() throws(StoreError) -> WallTime? {
        let doing = "reading the checkpoint"
        let rows = try connection.execute(
            "SELECT observed_at FROM projection.checkpoint WHERE recorder_id = $1::uuid", [.text(recorderID)],
            doing: doing)
        guard let row = rows.first else { throw .unexpectedAnswer(doing: doing) }
        return row.time(0)
    }

    func readCheckpoint(lock: Bool) throws(StoreError) -> ArchivePosition {
        let doing = "reading the checkpoint"
        let rows = try connection.execute(
            "SELECT position FROM projection.checkpoint WHERE recorder_id = $1::uuid \(lock ? "FOR UPDATE" : "")",
            [.text(recorderID)], doing: doing)
        guard let position = rows.first?.integer(0) else { throw .unexpectedAnswer(doing: doing) }
        return ArchivePosition(position)
    }

    /// Where states are kept until the next start.
    enum StateTable: String {
        case device = "projection.device_state"
        case play = "projection.play_state"
        case conflict = "projection.conflict_state"
    }

    /// What the differ knew of each device at the checkpoint, in the order of their ids.
    public func restoredStates() throws(StoreError) -> [(DeviceID, JSONValue)] { try states(in: .device) }

    /// What was known of the plays of each device at the checkpoint, in the order of their ids.
    public func restoredPlayStates() throws(StoreError) -> [(DeviceID, JSONValue)] { try states(in: .play) }

    func states(in table: StateTable) throws(StoreError) -> [(DeviceID, JSONValue)] {
        let doing = "reading states"
        // A state wraps what a device said, so it nests deeper than any payload.
        let parser = JSONParser(depthLimit: 2 * JSONParser.depthLimit)
        var states: [(DeviceID, JSONValue)] = []
        try connection.stream(
            """
            SELECT device_id, state FROM \(table.rawValue) WHERE recorder_id = $1::uuid
            ORDER BY device_id COLLATE "C"
            """, [.text(recorderID)], doing: doing
        ) { row throws(StoreError) in
            guard let device = row.text(0), let json = row.bytes(1), let state = try? parser.parse(json) else {
                throw .unexpectedAnswer(doing: doing)
            }
            states.append((DeviceID(device), state))
            return true
        }
        return states
    }

    /// When each device was last heard before the checkpoint, for devices that were heard at all.
    public func restoredHeard() throws(StoreError) -> [DeviceID: WallTime] {
        let doing = "reading when devices were heard"
        var heard: [DeviceID: WallTime] = [:]
        try connection.stream(
            """
            SELECT device_id, heard_at FROM projection.device_state
            WHERE recorder_id = $1::uuid AND heard_at IS NOT NULL
            """, [.text(recorderID)], doing: doing
        ) { row throws(StoreError) in
            guard let device = row.text(0), let time = row.time(1) else { throw .unexpectedAnswer(doing: doing) }
            heard[DeviceID(device)] = time
            return true
        }
        return heard
    }

    /// The last record that is applied, and its time; 0 and none before the first.
    public func restoredLast() throws(StoreError) -> (position: ArchivePosition, at: WallTime?) {
        let doing = "reading the checkpoint"
        let rows = try connection.execute(
            "SELECT position, observed_at FROM projection.checkpoint WHERE recorder_id = $1::uuid",
            [.text(recorderID)], doing: doing)
        guard let row = rows.first, let position = row.integer(0) else { throw .unexpectedAnswer(doing: doing) }
        return (ArchivePosition(position), position > 0 ? row.time(1) : nil)
    }

    /// How titles were left out at the checkpoint; nil when they were kept.
    public func restoredTitleSalt() throws(StoreError) -> UInt64? {
        let doing = "reading whether titles are left out"
        let rows = try connection.execute(
            "SELECT title_salt FROM projection.checkpoint WHERE recorder_id = $1::uuid", [.text(recorderID)],
            doing: doing)
        guard let row = rows.first else { throw .unexpectedAnswer(doing: doing) }
        return row.integer(0).map { UInt64(bitPattern: $0) }
    }

    /// Applies a batch, all of it or nothing.
    ///
    /// A row that PostgreSQL refuses does not hold up the others: it is stored without its values, with a finding.
    ///
    /// - Throws: `checkpointMoved` when the database is not where the batch starts; `connectionLost` when it is unknown
    ///   whether the batch went in, which ``checkpoint()`` of a new connection tells.
    @discardableResult
    public func apply(_ batch: ProjectionBatch) throws(StoreError) -> ProjectionOutcome {
        let rows = ProjectedRows(batch.events, heard: batch.heard)
        let plays = PlayRows(batch.plays)
        try partitions.make(for: batch.events, on: connection)
        let outcome: ProjectionOutcome
        do throws(StoreError) {
            outcome = try apply(batch, rows, plays, carefully: false)
        } catch {
            guard error.isAboutValues else { throw error }
            outcome = try apply(batch, rows, plays, carefully: true)
        }
        tables.remember(rows)
        playProgress.remember(plays.rows)
        return outcome
    }

    private func apply(
        _ batch: ProjectionBatch, _ rows: ProjectedRows, _ plays: PlayRows, carefully: Bool
    ) throws(StoreError) -> ProjectionOutcome {
        try connection.transaction(doing: "applying a batch") { () throws(StoreError) -> ProjectionOutcome in
            let found = try readCheckpoint(lock: true)
            guard found == batch.startingAt else { throw .checkpointMoved(expected: batch.startingAt, found: found) }
            var outcome = ProjectionOutcome()
            let writer = RowWriter(connection, isCareful: carefully)
            try store(batch.events[...], &outcome, with: writer)
            try tables.apply(rows, with: writer)
            try plays.store(knowing: playProgress, recorder: recorderID, over: connection, with: writer)
            try store(states: batch.deviceStates, in: .device, with: writer)
            try ConflictRows(batch.conflicts).store(recorder: recorderID, over: connection, with: writer)
            try store(states: batch.playStates, in: .play, with: writer)
            try store(states: batch.conflictStates, in: .conflict, with: writer)
            try store(heard: batch.heard, with: writer)
            try NotUnderstoodTable(connection: connection, recorderID: recorderID)
                .add(batch.notUnderstood, with: writer)
            try store(segments: batch.segments)
            outcome.refused = writer.refusedCount
            outcome.refusals = writer.refusals
            try moveCheckpoint(to: batch, outcome)
            return outcome
        }
    }

    private func store(
        _ events: ArraySlice<ChangeEvent>, _ outcome: inout ProjectionOutcome, with writer: RowWriter
    ) throws(StoreError) {
        let doing = "storing change events"
        let recorder = recorderBytes
        var stored = ProjectionOutcome()
        try writer.store(
            events, doing: doing,
            instead: { (event, sqlState) throws(StoreError) in
                var stub = EventRows(recorder: recorder)
                stub.appendStub(of: event, sqlState: sqlState)
                try connection.copy(into: EventRows.target, stub.rows, doing: doing)
                stored.add(stub.outcome)
            },
            { (events) throws(StoreError) in
                var rows = EventRows(recorder: recorder)
                for event in events { rows.append(event) }
                try connection.copy(into: EventRows.target, rows.rows, doing: doing)
                stored.add(rows.outcome)
            })
        outcome.add(stored)
    }

    func store(
        states: [(DeviceID, JSONValue)], in table: StateTable, with writer: RowWriter
    ) throws(StoreError) {
        // Of several states of one device the last one counts; one statement cannot touch a row twice.
        var latest: [String: JSONValue] = [:]
        for (device, state) in states {
            var changed = false
            latest[Sanitizing.id(device.text, changed: &changed)] = state
        }
        let doing = "storing states"
        try writer.store(latest.sorted { $0.key < $1.key }[...], doing: doing) { (pairs) throws(StoreError) in
            try connection.execute(
                """
                INSERT INTO \(table.rawValue) (device_id, recorder_id, state)
                SELECT device_id, $1::uuid, state::json FROM unnest($2::text[], $3::text[]) AS r (device_id, state)
                ON CONFLICT (device_id, recorder_id) DO UPDATE SET state = excluded.state
                """, [.text(recorderID), .texts(pairs.map(\.key)), .texts(pairs.map(\.value.text))], doing: doing)
        }
    }

    /// One narrow column per device and stretch, whatever the size of its state: most devices only beat.
    func store(heard: [DeviceID: WallTime], with writer: RowWriter) throws(StoreError) {
        let pairs = heard.map { device, time in
            var changed = false
            return (Sanitizing.id(device.text, changed: &changed), time)
        }
        let doing = "storing when devices were heard"
        try writer.store(pairs[...], doing: doing) { (pairs) throws(StoreError) in
            try connection.execute(
                """
                UPDATE projection.device_state t SET heard_at = r.at
                FROM unnest($2::text[], $3::timestamptz[]) AS r (device_id, at)
                WHERE t.device_id = r.device_id AND t.recorder_id = $1::uuid
                """, [.text(recorderID), .texts(pairs.map(\.0)), .times(pairs.map(\.1))], doing: doing)
        }
    }

    private func store(segments: [AppliedSegment]) throws(StoreError) {
        for segment in segments {
            try connection.execute(
                """
                INSERT INTO projection.archive_segment AS t (
                    recorder_id, first_position, path, last_position, first_at, last_at)
                VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (recorder_id, first_position) DO UPDATE SET
                    path = excluded.path, last_position = greatest(t.last_position, excluded.last_position),
                    last_at = excluded.last_at
                """,
                [
                    .text(recorderID), .integer(segment.firstPosition.number), .text(segment.path),
                    .integer(segment.lastPosition.number), .time(segment.firstAt), .time(segment.lastAt),
                ], doing: "storing archive segments")
        }
    }

    private func moveCheckpoint(to batch: ProjectionBatch, _ outcome: ProjectionOutcome) throws(StoreError) {
        try connection.execute(
            """
            UPDATE projection.checkpoint SET position = $2, observed_at = $3, events = events + $4::bigint,
                sanitized_rows = sanitized_rows + $5::bigint, refused_rows = refused_rows + $6::bigint,
                title_salt = $7
            WHERE recorder_id = $1 RETURNING pg_notify('castledger_changes', '')
            """,
            [
                .text(recorderID), .integer(batch.through.number), .time(batch.throughTime),
                .integer(Int64(outcome.events)), .integer(Int64(outcome.sanitized)), .integer(Int64(outcome.refused)),
                .integer(batch.titleSalt.map { Int64(bitPattern: $0) }),
            ], doing: "moving the checkpoint")
    }

    /// Drops everything that was derived from this recorder's archive: the next batch starts at 0.
    ///
    /// Other recorders' rows stay. Readers wait while it runs; one that holds it up for a minute makes it fail, with
    /// SQLSTATE 55P03.
    ///
    /// - Parameter isStillRight: Asked while nobody else can move the checkpoint, nor prune by it; false leaves everything
    ///   as it is.
    /// - Returns: What `isStillRight` said.
    @discardableResult
    public func reset(if isStillRight: () -> Bool = { true }) throws(StoreError) -> Bool {
        forgetRows()
        return try connection.withoutLimit { () throws(StoreError) in try dropRows(if: isStillRight) }
    }

    private func dropRows(if isStillRight: () -> Bool) throws(StoreError) -> Bool {
        let doing = "dropping the rows of the recorder"
        let derived = [
            "change_event", "device_state", "play", "play_span", "play_state", "conflict", "conflict_state", "gap",
            "media_session", "app_session", "device",
            "archive_segment", "not_understood",
        ]
        return try connection.transaction(doing: doing) { () throws(StoreError) -> Bool in
            try connection.execute(
                "SELECT set_config('lock_timeout', $1, true)", [.text("\(lockLimit.wholeNanoseconds / 1_000_000)")],
                doing: doing)
            _ = try readCheckpoint(lock: true)
            guard isStillRight() else { return false }
            // No recorder may register between the count and the truncation.
            try connection.execute("LOCK TABLE projection.recorder IN SHARE MODE", doing: doing)
            let alone = try connection.execute(
                "SELECT count(*) = 1 FROM projection.recorder", doing: doing
            ).first?.bool(0)
            for table in derived {
                if alone == true {
                    try connection.execute("TRUNCATE projection.\(table)", doing: doing)
                } else {
                    try connection.execute(
                        "DELETE FROM projection.\(table) WHERE recorder_id = $1::uuid", [.text(recorderID)],
                        doing: doing)
                }
            }
            try connection.execute(
                """
                UPDATE projection.checkpoint SET position = 0, observed_at = NULL, events = 0, sanitized_rows = 0,
                    refused_rows = 0, title_salt = NULL
                WHERE recorder_id = $1::uuid
                """, [.text(recorderID)], doing: doing)
            return true
        }
    }
}

extension ProjectionOutcome {
    fileprivate mutating func add(_ other: ProjectionOutcome) {
        events += other.events
        sanitized += other.sanitized
    }
}
