import CastModel
import Differ
import Glibc
import IO
import Plays
import Recording
import TestSupport
import Testing

@testable import Store

@Suite("A conversation with PostgreSQL that is cut", .waits) struct CutConversationTests {
    private static let size = 3

    /// Where the batches begin: all numbers have six digits, so every conversation has the same length.
    private static let start = 100_000

    /// A batch of three events: an app starts on a device of its own, plays, and its media session goes on.
    private func batch(after done: Int) -> ProjectionBatch {
        let app = "app-\(done)"
        let film: JSONValue = [
            "playerState": "PLAYING", "media": ["contentId": .string("film-\(done)"), "duration": 95.5],
        ]
        let events = [
            sample(
                Int64(done + 1), .appStarted, second: Double(done), app: app,
                after: ["appId": "CC1AD845", "displayName": "Player"]),
            sample(Int64(done + 2), .mediaSessionStarted, second: Double(done), app: app, media: 1, after: film),
            sample(
                Int64(done + 3), .playerStateChanged, second: Double(done), app: app, media: 1,
                callbacks: [.mediaStatus], after: ["playerState": "PAUSED"]),
        ]
        var ledger = PlayLedger()
        var batch = ProjectionBatch(events, after: Int64(done))
        for event in events { batch.plays += ledger.fold(event) }
        batch.playStates = ledger.takeStates()
        batch.deviceStates = [(DeviceID("tv1"), ["at": .integer(Int64(done))])]
        return batch
    }

    /// Brings a new recorder to where the batches begin.
    private func begin(_ projection: Projection) throws {
        try projection.apply(
            ProjectionBatch(
                startingAt: ArchivePosition(0), through: ArchivePosition(Int64(Self.start)),
                throughTime: WallTime(microseconds: eveningStart)))
    }

    /// The bytes of the conversation about one batch, of both directions.
    private func conversationBytes(_ proxy: CuttingProxy, _ address: String) throws -> Int {
        let projection = try Projection(connection: PostgresConnection(address), recorderID: recorderTwo)
        try begin(projection)
        proxy.cut(after: .max)
        try projection.apply(batch(after: Self.start))
        return proxy.passedBytes
    }

    @Test func `at any byte, leaves the batch whole or absent, and the next connection goes on`() throws {
        let socket = "\(TestCluster.shared.folder.path)/postgres/.s.PGSQL.5432"
        let proxy = CuttingProxy(to: socket)
        defer { proxy.end() }
        let direct = try TestCluster.shared.newDatabase()
        let name = String(direct.split(separator: "=").last ?? "")
        let through = "host=\(proxy.folder.path) port=5432 user=castledger dbname=\(name)"
        let whole = try conversationBytes(proxy, through)
        #expect(whole > 3_000)

        let connection = try PostgresConnection(direct)
        let watcher = try Projection(connection: connection, recorderID: recorderOne)
        try begin(watcher)
        var (done, cuts, kept, absent) = (Self.start, 0, 0, 0)
        // Every byte of the last 400, which hold the checkpoint and the commit with its answer; before them every ninth.
        let places = Array(stride(from: 0, to: whole - 400, by: 9)) + Array((whole - 400)...(whole + 20))
        for place in places {
            let projection = try Projection(connection: PostgresConnection(through), recorderID: recorderOne)
            proxy.cut(after: place)
            do {
                try projection.apply(batch(after: done))
                done += Self.size
            } catch {
                cuts += 1
                #expect(error == .connectionLost(doing: error.doing), "byte \(place): \(error)")
                // The server may not have read the end of the connection yet: its transaction holds the row.
                let found = try connection.execute(
                    "SELECT position FROM projection.checkpoint WHERE recorder_id = $1::uuid FOR UPDATE",
                    [.text(recorderOne)]
                ).first?.integer(0)
                if found == Int64(done + Self.size) { kept += 1 } else { absent += 1 }
                #expect(found == Int64(done) || found == Int64(done + Self.size), "byte \(place)")
                if found == Int64(done) {
                    watcher.forgetRows()
                    try watcher.apply(batch(after: done))
                }
                done += Self.size
            }
            proxy.cut(after: .max)
        }
        print(
            "\(places.count) cuts in a conversation of \(whole) bytes: \(absent) absent, \(kept) whole, \(places.count - cuts) undisturbed"
        )
        #expect(absent > 300 && kept > 10 && places.count - cuts >= 20)

        let reference = try PostgresConnection(TestCluster.shared.newDatabase())
        let projection = try Projection(connection: reference, recorderID: recorderOne)
        try begin(projection)
        for start in stride(from: Self.start, to: done, by: Self.size) { try projection.apply(batch(after: start)) }
        let (expected, found) = (try dump(reference), try dump(connection))
        for (table, rows) in expected {
            let own = (found[table] ?? []).filter { !$0.contains(recorderTwo) }
            #expect(own == rows, "\(table)")
        }
        #expect(expected["change_event"]?.count == done - Self.start)
    }
}

extension StoreError {
    fileprivate var doing: String {
        switch self {
        case .connectionLost(let doing): doing
        default: ""
        }
    }
}
