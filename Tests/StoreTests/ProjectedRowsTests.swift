import CastModel
import Differ
import Recording
import Testing

@testable import Store

@Suite("Rows from change events") struct ProjectedRowsTests {
    @Test(arguments: [
        ([ChangeEvent.Kind.seeked], DeviceRow.Reach.seen), ([.deviceSeen], .seen), ([.linkOpened], .linked),
        ([.deviceSeen, .linkOpened, .deviceWithdrawn], .linked), ([.linkOpened, .deviceSeen], .linked),
        ([.linkOpened, .linkClosed], .lost), ([.linkOpened, .linkClosed, .deviceWithdrawn], .withdrawn),
        ([.deviceSeen, .deviceWithdrawn], .withdrawn), ([.deviceSeen, .deviceWithdrawn, .deviceSeen], .seen),
        ([.linkOpened, .linkClosed, .linkOpened, .deviceWithdrawn], .linked),
    ])
    func `say how a device stands, wherever the batch is cut`(kinds: [ChangeEvent.Kind], reach: DeviceRow.Reach) throws
    {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        let projection = try Projection(connection: connection, recorderID: recorderOne)
        for split in 0...kinds.count {
            let events = kinds.enumerated().map { sample(Int64($0 + 1), $1) }
            try projection.reset()
            try projection.apply(ProjectionBatch(Array(events[..<split])))
            try projection.apply(ProjectionBatch(Array(events[split...]), after: Int64(split)))
            #expect(try LedgerQueries(connection: connection).devices().map(\.reach) == [reach])
        }
    }

    @Test func `hold what media says, and forget it when other media takes its place`() {
        let first: JSONValue = ["media": ["contentId": "a", "metadata": ["title": "A"], "duration": 60]]
        let rows = ProjectedRows([
            sample(1, .mediaSessionStarted, app: "s", media: 1, after: first),
            sample(2, .mediaChanged, app: "s", media: 1, after: ["contentId": "b\u{0}", "streamType": "LIVE"]),
            sample(3, .playerStateChanged, app: "s", media: 1, after: ["playerState": "PLAYING"]),
        ])
        let key = ProjectedRows.Key(device: "tv1", appSession: "s", number: 1)
        #expect(
            rows.mediaSessions[key]?.told
                == JSONObject([
                    ("ends", true), ("replaces_media", true), ("content_id", "b\u{FFFD}"), ("stream_type", "LIVE"),
                    ("player_state", "PLAYING"),
                ]))
    }

    @Test func `know nothing of wrong types, and take no harm`() {
        let junk: [JSONValue] = [.null, 1, "x", [], ["name": 1, "addresses": "x", "media": 3, "duration": "y"]]
        for kind in ChangeEvent.Kind.allCases {
            for value in junk {
                let rows = ProjectedRows([sample(1, kind, app: "s", media: 1, before: value, after: value)])
                #expect(rows.devices.count == 1 && rows.devices.first?.value.told["name"] == nil)
                #expect(rows.mediaSessions.first?.value.told["duration_seconds"] == nil)
            }
        }
    }
}

@Suite("A database address") struct AddressTests {
    @Test(arguments: [
        ("postgresql://anna:s3cret@db.example:5433/ledger", "db.example:5433/ledger"),
        ("postgresql:///ledger?host=/run/postgresql&password=s3cret", "/run/postgresql:5432/ledger"),
        ("host=db user=anna password=s3cret dbname=ledger", "db:5432/ledger"),
    ])
    func `is shown without user and password`(address: String, shown: String) throws {
        #expect(try PostgresConnection.describe(address) == shown)
    }

    @Test(arguments: [
        "postgresql://anna:s3cr%zzet@db/x", "postgresql://anna:s3cret@[db/x", "s3cret", "password",
        "host=a pass=s3cret",
    ])
    func `that is wrong is not repeated in the error`(address: String) {
        #expect(throws: StoreError.badAddress) { try PostgresConnection(address) }
        #expect(!StoreError.badAddress.description.contains("s3c"))
    }

    @Test func `of nobody is an error that names no password`() {
        let error = #expect(throws: StoreError.self) {
            try PostgresConnection(
                "postgresql://anna:s3cret@127.0.0.1:1/x", patience: PostgresPatience(connectLimit: .seconds(2)))
        }
        #expect(error?.description.contains("s3cret") == false)
        #expect(error?.description.hasPrefix("PostgreSQL cannot be reached: ") == true)
    }
}
