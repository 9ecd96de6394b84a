import IO
import Recording
import Testing

@testable import Store

@Suite("Patience with PostgreSQL") struct PatienceTests {
    /// What a connection was asked, and when it is to be given up.
    private struct Asked {
        var count = 0
        var last: Int?
    }

    /// A connection that is given up when it is asked for the given time.
    private func connection(_ asked: Guarded<Asked>) throws -> PostgresConnection {
        let patience = PostgresPatience { _, _ in
            asked.withLock { asked in
                asked.count += 1
                return asked.last.map { asked.count < $0 } ?? true
            }
        }
        return try PostgresConnection(TestCluster.shared.newDatabase(), patience: patience)
    }

    @Test func `is asked at each statement, however fast the server answers`() throws {
        let asked = Guarded(Asked())
        let connection = try connection(asked)
        let before = asked.withLock { $0.count }
        for _ in 0..<20 { try connection.execute("SELECT 1") }
        #expect(asked.withLock { $0.count } >= before + 20)
        asked.withLock { $0.last = 0 }
        #expect(throws: StoreError.noAnswer(doing: "counting", seconds: 0)) {
            try connection.execute("SELECT 1", doing: "counting")
        }
        #expect(!connection.isAlive)
    }

    @Test func `is asked while rows come without end`() throws {
        let asked = Guarded(Asked())
        let connection = try connection(asked)
        var rows = 0
        #expect(throws: StoreError.noAnswer(doing: "counting", seconds: 0)) {
            try connection.stream("SELECT generate_series(1, 100000)", doing: "counting") { _ in
                rows += 1
                // The question after this one gets no for an answer.
                if rows == 1_500 { asked.withLock { $0.last = 0 } }
                return true
            }
        }
        #expect((1_500...2_000).contains(rows), "given up after \(rows) rows")
    }

    @Test func `ends when somebody's lock keeps us from dropping rows, and leaves them all`() throws {
        let address = try TestCluster.shared.newDatabase()
        let projection = try Projection(connection: PostgresConnection(address), recorderID: recorderOne)
        try projection.apply(ProjectionBatch(evening()))
        projection.lockLimit = .milliseconds(200)
        let reader = try PostgresConnection(address)
        try reader.executeScript("BEGIN; SELECT 1 FROM projection.play", doing: "reading")
        var refusal: StoreError?
        do throws(StoreError) { try projection.reset() } catch { refusal = error }
        guard case .refused("dropping the rows of the recorder", "55P03", _) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(refusal?.isPassing == true, "a recorder tries again")
        try reader.execute("COMMIT")
        #expect(try dump(reader)["change_event"]?.count == evening().count)
        try projection.reset()
        #expect(try dump(reader)["change_event"]?.isEmpty == true)
    }
}
