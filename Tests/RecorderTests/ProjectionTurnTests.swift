import Archive
import IO
import Recording
import Store
import Telemetry
import TestSupport
import Testing

@testable import Recorder

@Suite("The turn to project an archive", .serialized, .waits)
struct ProjectionTurnTests {
    static let waiting =
        "Another program, most likely 'castledger rebuild', brings this recorder's records into the database: waiting."
    private let server: FaultyServer
    private let evening: RecordedEvening
    private let address: String

    private static let shared = Result { try FaultyServer() }

    init() throws {
        server = try FaultyServer.ready(Self.shared)
        evening = try RecordedEvening.shared.get()
        address = server.address(try server.newDatabase())
    }

    private func turn(_ connection: PostgresConnection) -> ProjectionTurn {
        ProjectionTurn(connection: connection, recorderID: evening.folder.recorder)
    }

    private func rebuild(_ progress: (ArchivePosition) -> Void = { _ in }) throws -> Rebuild.Outcome {
        try Rebuild.run(
            data: evening.data, recorderID: evening.folder.recorder, databaseURL: address, log: .silent,
            progress: progress)
    }

    @Test(arguments: [0, 1, 2])
    func `passes to a rebuild after a batch, and back however far the rebuild came`(batches: Int) throws {
        let stage = try ProjectionStage(address, batches: 3)
        try stage.awaitApplied(3)
        do {
            let connection = try PostgresConnection(address)
            let projection = try Projection(connection: connection, recorderID: evening.folder.recorder)
            try turn(connection).takeForRebuild()
            stage.grow(to: 4)
            _ = try stage.awaitTrouble { $0 == Self.waiting }
            try projection.reset()
            #expect(try connection.execute("SELECT 1 FROM projection.change_event").isEmpty)
            if batches > 0 {
                let end = evening.ends[batches - 1]
                var run = try ProjectionRun(
                    projection: projection, folder: evening.folder, durable: end, syncsSegments: true, log: .silent)
                _ = try run.applyNext(upTo: end, limitRecords: .max)
                #expect(run.applied == end)
            }
            #expect(stage.projector.progress.applied == evening.ends[2], "it waits")
            // Here the rebuild dies: its connection closes.
        }
        try stage.finish(on: server)
        #expect(stage.logged(Self.waiting) == 1)
    }

    @Test func `passes to a whole rebuild and back while the archive grows, which is no trouble`() throws {
        var limits = ProjectorLimits.impatient
        limits.silence = .seconds(60)
        let stage = try ProjectionStage(address, batches: 3, limits: limits)
        try stage.awaitApplied(3)
        for batches in 4...6 {
            var hasGrown = false
            #expect(
                try rebuild { _ in
                    if !hasGrown { stage.grow(to: batches) }; hasGrown = true
                }.events > 0)
        }
        try stage.finish(on: server)
        #expect(stage.logged(Self.waiting) == 0)
    }

    @Test func `is one program's: a second recorder of the same archive waits for the end of the first`() throws {
        let first = try ProjectionStage(address, batches: 3)
        try first.awaitApplied(3)
        let second = try ProjectionStage(address, batches: 3)
        _ = try second.awaitTrouble { $0 == Self.waiting }
        first.projector.stop(within: .seconds(60))
        try second.finish(on: server)
    }

    @Test func `is not for two rebuilds at once`() throws {
        let connection = try PostgresConnection(address)
        try turn(connection).takeForRebuild()
        #expect(throws: StoreError.rebuildRuns) { try rebuild() }
    }

    @Test func `that nobody gives back is not taken`() throws {
        let holder = try PostgresConnection(address)
        #expect(try turn(holder).takeIfFree())
        let connection = try PostgresConnection(address)
        #expect(try !turn(connection).takeIfFree())
        #expect(try !turn(holder).isWanted())
        #expect(throws: StoreError.projectedElsewhere) { try turn(connection).takeForRebuild(within: .seconds(1)) }
    }

    @Test func `of two recorders in one database is two`() throws {
        let (one, other) = (try PostgresConnection(address), try PostgresConnection(address))
        #expect(try turn(one).takeIfFree())
        let another = ProjectionTurn(connection: other, recorderID: "22222222-2222-2222-2222-222222222222")
        #expect(try another.takeIfFree())
    }
}
