import CastModel
public import Conflicts
public import Differ
public import Plays
public import Recording

/// Emptying the database of an archive whose beginning was pruned.
extension Projection {
    /// Events read from the server at once.
    private static let chunkRows = 5_000

    /// Drops what the archive can give again, and makes anew what follows from the change events that it cannot.
    ///
    /// Change events before `first` stay as they are: devices, app sessions, media sessions, gaps, plays and conflicts follow
    /// from them. The next batch starts at the record before `first`. All in one transaction. Other recorders' rows stay.
    ///
    /// - Parameters:
    ///   - first: The first record that the archive still has.
    ///   - isStillRight: Asked when the checkpoint is held; false leaves everything as it is.
    ///   - fold: Gets each kept event, in the order of the archive, and gives the plays and conflicts that it
    ///     changes.
    ///   - end: Gets the moment of the last record that is gone, when it is known, and gives the last plays, and the states
    ///     that the next batch goes on from.
    /// - Returns: What `isStillRight` said.
    public func reset(
        keepingBefore first: ArchivePosition, if isStillRight: () -> Bool,
        fold: (ChangeEvent) -> (plays: [Play], conflicts: [Conflict]),
        end: (WallTime?) -> ProjectionBatch
    ) throws(StoreError) -> Bool {
        let doing = "dropping the rows whose records are in the archive"
        forgetRows()
        return try connection.withoutLimit { () throws(StoreError) in
            try keep(before: first, if: isStillRight, fold: fold, end: end, doing)
        }
    }

    private func keep(
        before first: ArchivePosition, if isStillRight: () -> Bool,
        fold: (ChangeEvent) -> (plays: [Play], conflicts: [Conflict]),
        end: (WallTime?) -> ProjectionBatch, _ doing: String
    ) throws(StoreError) -> Bool {
        try connection.transaction(doing: doing) { () throws(StoreError) -> Bool in
            _ = try readCheckpoint(lock: true)
            guard isStillRight() else { return false }
            let writer = RowWriter(connection, isCareful: false)
            try drop(from: first, doing)
            let rows = try connection.execute(
                """
                SELECT last_at FROM projection.archive_segment WHERE recorder_id = $1::uuid
                ORDER BY first_position DESC LIMIT 1
                """, [.text(recorderID)], doing: doing)
            try foldKept(fold, writer)
            let batch = end(rows.first?.time(0))
            try PlayRows(batch.plays).store(
                knowing: playProgress, recorder: recorderID, over: connection, with: writer)
            try store(states: batch.deviceStates, in: .device, with: writer)
            try ConflictRows(batch.conflicts).store(recorder: recorderID, over: connection, with: writer)
            try store(states: batch.playStates, in: .play, with: writer)
            try store(states: batch.conflictStates, in: .conflict, with: writer)
            try store(heard: batch.heard, with: writer)
            try moveCheckpoint(before: first, batch, doing)
            return true
        }
    }

    private func drop(from first: ArchivePosition, _ doing: String) throws(StoreError) {
        for table in [
            "device_state", "play", "play_span", "play_state", "conflict", "conflict_state", "gap", "media_session",
            "app_session", "device",
        ] {
            try connection.execute(
                "DELETE FROM projection.\(table) WHERE recorder_id = $1::uuid", [.text(recorderID)], doing: doing)
        }
        // Words that were last met in records that are gone stay counted; others are counted anew, in what there is.
        for (table, column) in [
            ("change_event", "position"), ("archive_segment", "first_position"), ("not_understood", "last_position"),
        ] {
            try connection.execute(
                "DELETE FROM projection.\(table) WHERE recorder_id = $1::uuid AND \(column) >= $2",
                [.text(recorderID), .integer(first.number)], doing: doing)
        }
    }

    private func foldKept(
        _ fold: (ChangeEvent) -> (plays: [Play], conflicts: [Conflict]), _ writer: RowWriter
    ) throws(StoreError) {
        let doing = "reading the change events that stay"
        let parser = JSONParser(depthLimit: 2 * JSONParser.depthLimit)
        // A cursor takes no parameters everywhere; the id is a UUID, or it would not have come so far.
        try connection.executeScript(
            """
            DECLARE kept NO SCROLL CURSOR FOR SELECT \(EventReading.columns) FROM projection.change_event
            WHERE recorder_id = '\(recorderID)'::uuid ORDER BY position, ordinal
            """, doing: doing)
        while true {
            let rows = try connection.execute("FETCH \(Self.chunkRows) FROM kept", doing: doing)
            guard !rows.isEmpty else { break }
            var (events, plays, conflicts): ([ChangeEvent], [Play], [Conflict]) = ([], [], [])
            for row in rows {
                switch EventReading.read(row, names: [:], parser: parser) {
                case .event(let kept):
                    events.append(kept.event)
                    let derived = fold(kept.event)
                    plays += derived.plays
                    conflicts += derived.conflicts
                // A newer program stored it, and it stays; this one cannot tell what follows from it.
                case .unknownKind: continue
                case .malformed: throw .unexpectedAnswer(doing: doing)
                }
            }
            try tables.apply(ProjectedRows(events), with: writer)
            try PlayRows(plays).store(knowing: playProgress, recorder: recorderID, over: connection, with: writer)
            try ConflictRows(conflicts).store(recorder: recorderID, over: connection, with: writer)
        }
        try connection.executeScript("CLOSE kept", doing: doing)
    }

    private func moveCheckpoint(
        before first: ArchivePosition, _ batch: ProjectionBatch, _ doing: String
    ) throws(StoreError) {
        try connection.execute(
            """
            UPDATE projection.checkpoint c SET position = $2::bigint - 1, observed_at = $3, title_salt = $4,
                events = e.events, sanitized_rows = e.sanitized, refused_rows = e.refused
            FROM (
                SELECT count(*) AS events, count(*) FILTER (WHERE finding LIKE 'changed%') AS sanitized,
                    count(*) FILTER (WHERE finding LIKE 'PostgreSQL refused%') AS refused
                FROM projection.change_event WHERE recorder_id = $1::uuid
            ) AS e
            WHERE c.recorder_id = $1::uuid
            """,
            [
                .text(recorderID), .integer(first.number), .time(batch.throughTime),
                .integer(batch.titleSalt.map { Int64(bitPattern: $0) }),
            ], doing: doing)
    }
}
