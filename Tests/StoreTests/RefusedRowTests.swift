import CastModel
import Differ
import IO
import Plays
import Recording
import TestSupport
import Testing

@testable import Store

/// PostgreSQL refuses nothing that we know of, so rules of ours stand in for what we do not know.
@Suite("A row that PostgreSQL refuses", .waits) struct RefusedRowTests {
    /// The evening, with plays, states and words.
    private func batch() -> ProjectionBatch {
        let events = evening()
        var ledger = PlayLedger()
        var batch = ProjectionBatch(events)
        for event in events { batch.plays += ledger.fold(event) }
        batch.playStates = ledger.takeStates()
        batch.deviceStates = (1...3).map { (DeviceID("tv\($0)"), ["n": .integer(Int64($0))]) }
        batch.notUnderstood = (1...3).map {
            NotUnderstood(
                name: .init(.mediaStatusKey, "n", "word-\($0)"), count: 1, firstPosition: ArchivePosition(1),
                firstAt: WallTime(microseconds: eveningStart), lastPosition: ArchivePosition(1),
                lastAt: WallTime(microseconds: eveningStart))
        }
        return batch
    }

    /// Of each table one rule, the rows it refuses of those there are, and how it is told.
    private static let rules: [(table: String, rule: String, refused: Int, of: Int, reason: String)] = [
        ("device", "device_id <> 'tv2'", 1, 3, "storing devices: SQLSTATE 23514"),
        ("app_session", "app_session_id NOT IN ('app-2-0', 'app-2-1')", 2, 15, "storing app sessions: SQLSTATE 23514"),
        ("media_session", "media_session_id <> 7", 3, 60, "storing media sessions: SQLSTATE 23514"),
        ("gap", "device_id <> 'tv3'", 4, 12, "storing gaps: SQLSTATE 23514"),
        ("play", "media_session_id <> 19", 3, 60, "storing plays: SQLSTATE 23514"),
        ("device_state", "state::text <> '{\"n\":2}'", 1, 3, "storing states: SQLSTATE 23514"),
        ("play_state", "device_id <> 'tv1'", 1, 3, "storing states: SQLSTATE 23514"),
        ("not_understood", "word <> 'word-3'", 1, 3, "storing what was not understood: SQLSTATE 23514"),
    ]

    @Test(arguments: 0..<8)
    func `in any table holds up no other row, and is counted`(number: Int) throws {
        let (table, rule, refused, rows, reason) = Self.rules[number]
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        let projection = try Projection(connection: connection, recorderID: recorderOne)
        try connection.execute("ALTER TABLE projection.\(table) ADD CHECK (\(rule))")

        let outcome = try projection.apply(batch())

        #expect(outcome.refused == refused)
        #expect(outcome.refusals == [String](repeating: reason, count: refused))
        let content = try dump(connection)
        #expect(content[table]?.count == rows - refused)
        for other in Self.rules where other.table != table {
            #expect(content[other.table]?.count == other.of, "\(other.table)")
        }
        #expect(content["change_event"]?.count == evening().count)
        let counted = try connection.execute("SELECT refused_rows FROM projection.checkpoint").first?.integer(0)
        #expect(counted == Int64(refused))
    }

    /// How many COPYs a batch takes, refused ones included: a sequence is not rolled back.
    private func copies(
        _ events: [ChangeEvent], _ connection: PostgresConnection, _ projection: Projection
    ) throws -> (copies: Int64, outcome: ProjectionOutcome, milliseconds: Int64) {
        try connection.executeScript(
            """
            CREATE SEQUENCE copies MINVALUE 0 START 0;
            CREATE FUNCTION public.count_copy() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM nextval('public.copies'); RETURN NULL; END $$;
            CREATE TRIGGER count_copy BEFORE INSERT ON projection.change_event FOR EACH STATEMENT
                EXECUTE FUNCTION public.count_copy();
            ALTER TABLE projection.change_event ADD CHECK (after ->> 'poison' IS NULL);
            """, doing: "counting")
        let start = Clock.monotonicNanoseconds()
        let outcome = try projection.apply(ProjectionBatch(events))
        let milliseconds = (Clock.monotonicNanoseconds() - start) / 1_000_000
        let count = try connection.execute("SELECT last_value FROM copies").first?.integer(0) ?? 0
        return (count + 1, outcome, milliseconds)
    }

    @Test(arguments: [(5_000, 1, 29), (500, 500, 1_500)] as [(Int, Int, Int64)])
    func `costs a bounded number of statements`(rows: Int, poisoned: Int, limit: Int64) throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        let projection = try Projection(connection: connection, recorderID: recorderOne)
        var events = (1...rows).map {
            sample(Int64($0), .customMessage, second: Double($0), after: ["n": .integer(Int64($0))])
        }
        for index in poisoned == 1 ? 3_333..<3_334 : 0..<rows { events[index].after = ["poison": true] }
        let clean = try PostgresConnection(TestCluster.shared.newDatabase())
        let start = Clock.monotonicNanoseconds()
        try Projection(connection: clean, recorderID: recorderOne).apply(
            ProjectionBatch(
                (1...Int64(rows)).map { sample($0, .customMessage, second: Double($0), after: ["n": .integer($0)]) }))
        let usual = (Clock.monotonicNanoseconds() - start) / 1_000_000
        let (copies, outcome, milliseconds) = try copies(events, connection, projection)
        print(
            "\(poisoned) refused rows of \(rows): \(copies) COPYs, \(milliseconds) ms; none refused, schema made: \(usual) ms"
        )
        #expect(outcome.events == rows && outcome.refused == poisoned)
        #expect(outcome.refusals.count == min(poisoned, 8))
        // One attempt, the whole once more, 13 levels of two halves each, and the stub; all of them: 2 n - 1 and n stubs.
        #expect(copies <= limit)
    }
}
