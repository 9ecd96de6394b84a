import CastModel
import Differ
import Recording
import TestSupport
import Testing

@testable import Store

@Suite("What was not understood, stored", .waits) struct NotUnderstoodTests {
    private func told(_ word: String, _ count: Int64, _ first: Int64, _ last: Int64) -> NotUnderstood {
        NotUnderstood(
            name: NotUnderstood.Name(.mediaStatusKey, "urn:x-cast:com.google.cast.media", word), count: count,
            firstPosition: ArchivePosition(first), firstAt: WallTime(microseconds: eveningStart + first * 1_000_000),
            lastPosition: ArchivePosition(last), lastAt: WallTime(microseconds: eveningStart + last * 1_000_000))
    }

    private func batch(_ from: Int64, _ to: Int64, _ counts: [NotUnderstood], salt: UInt64? = nil) -> ProjectionBatch {
        ProjectionBatch(
            startingAt: ArchivePosition(from), through: ArchivePosition(to),
            throughTime: WallTime(microseconds: eveningStart), notUnderstood: counts, titleSalt: salt)
    }

    @Test func `adds up over batches, once each, and starts anew with a rebuild`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        let projection = try Projection(connection: connection, recorderID: recorderOne)
        try projection.apply(batch(0, 10, [told("mood", 3, 2, 7), told("a\u{0}b", 1, 4, 4)]))
        let second = batch(10, 20, [told("mood", 2, 11, 19)])
        try projection.apply(second)
        // The same batch again is refused as a whole.
        #expect(throws: StoreError.self) { try projection.apply(second) }

        let queries = try LedgerQueries(connection: connection)
        let (rows, total) = try queries.notUnderstood(limit: 10)
        #expect(total == 2)
        #expect(
            rows.map { "\($0.subject) \($0.word) \($0.count)" } == [
                "MEDIA_STATUS key mood 5", "MEDIA_STATUS key a\u{FFFD}b 1",
            ])
        #expect(rows[0].lastAt == WallTime(microseconds: eveningStart + 19_000_000))
        let stored = try connection.execute(
            "SELECT t::text FROM projection.not_understood t WHERE word = 'mood'"
        ).first?.text(0)
        #expect(
            stored
                == "(11111111-1111-1111-1111-111111111111,\"MEDIA_STATUS key\",urn:x-cast:com.google.cast.media,mood,5,2,"
                + "\"2026-03-01 20:00:02+00\",19,\"2026-03-01 20:00:19+00\")")
        #expect(try queries.notUnderstood(limit: 1).rows.count == 1)

        let live = try dump(connection)
        try projection.reset()
        #expect(try queries.notUnderstood(limit: 10).total == 0)
        try projection.apply(batch(0, 20, [told("mood", 5, 2, 19), told("a\u{0}b", 1, 4, 4)]))
        #expect(try dump(connection) == live)
    }

    @Test func `is nothing in the ledger of an older program`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        _ = try Projection(connection: connection, recorderID: recorderOne)
        try connection.execute("DROP VIEW ledger.not_understood")
        let found = try LedgerQueries(connection: connection).notUnderstood(limit: 10)
        #expect(found.rows.isEmpty && found.total == 0)
    }

    @Test func `whether titles are left out is part of the checkpoint`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        let projection = try Projection(connection: connection, recorderID: recorderOne)
        #expect(try projection.restoredTitleSalt() == nil)
        try projection.apply(batch(0, 1, [], salt: .max))
        #expect(try projection.restoredTitleSalt() == .max)
        try projection.apply(batch(1, 2, []))
        #expect(try projection.restoredTitleSalt() == nil)
        try projection.apply(batch(2, 3, [], salt: 7))
        try projection.reset()
        #expect(try projection.restoredTitleSalt() == nil)
    }
}
