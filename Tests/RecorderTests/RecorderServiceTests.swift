import Archive
import CastModel
import Discovery
import Fleet
import IO
import Recorder
import Recording
import Sender
import Store
import Telemetry
import TestSupport
import Testing

@Suite("The recorder service", .serialized, .waits)
struct RecorderServiceTests {
    /// Records a fleet of two for a few seconds in this process.
    private func record(
        _ fleet: FleetService, into data: DataFolder, seconds: Int64, redaction: Set<RedactionChoice> = []
    ) throws -> [RecorderSnapshot] {
        let configuration = Configuration(
            data: data, devices: try fleet.endpoints.map { try DeviceAddress(parsing: "\($0.host):\($0.port)") },
            discovers: false, redaction: redaction, version: "0.0-test")
        let snapshots = Guarded<[RecorderSnapshot]>([])
        let service = RecorderService(configuration: configuration, log: .silent)
        // A first start makes the cluster, which may take longer on a busy machine than the recording does.
        service.catchUpLimit = .seconds(120)
        try service.run(until: SignalWatch([12]), for: .seconds(seconds)) { snapshot in
            snapshots.withLock { $0.append(snapshot) }
        }
        return snapshots.withLock { $0 }
    }

    @Test func `records a fleet into archive and database, and says afterwards when it did not look`() throws {
        let data = DataFolder(try Files.makeTemporaryFolder("castledger-service"))
        defer { try? Files.removeTree(data.path) }
        let fleet = try FleetService(options: FleetOptions(devices: 2, scenario: .evening, speed: 5), log: .silent)
        fleet.start()
        defer { fleet.stop() }

        let first = try record(fleet, into: data, seconds: 4)
        #expect(try #require(first.last).links.map(\.isUp) == [true, true])
        #expect(Set(try #require(first.last).links.compactMap(\.name)) == Set(fleet.endpoints.map(\.name)))
        _ = try record(fleet, into: data, seconds: 2)

        let id = try #require(try data.existingRecorderID())
        let folder = try ArchiveFolder(data: data.path, recorder: id)
        let verification = try ArchiveVerification.run(folder)
        #expect(verification.isIntact)
        var kinds: [String] = []
        for batch in try ArchiveReader(folder).readAvailable(limitRecords: 1_000_000) {
            for record in batch.records {
                switch record.body {
                case .recorderStarted: kinds.append("started")
                case .recorderStopped: kinds.append("stopped")
                case .gap(let gap):
                    kinds.append("gap \(gap.reason.rawValue)")
                    #expect(gap.from < (try #require(gap.to)))
                default: break
                }
            }
        }
        #expect(kinds == ["started", "stopped", "gap recorder_down", "started", "stopped"])

        let database = try LedgerDatabase(address: nil, data: data.path)
        defer { database.close() }
        let connection = try database.connect()
        let applied = try Projection(connection: connection, recorderID: id).checkpoint()
        #expect(applied == verification.lastPosition)
        let segments = try connection.execute("SELECT 1 FROM projection.archive_segment", doing: "counting").count
        #expect(segments == 2, "one row per file, and each of the two runs wrote one file")
        try checkRebuild(of: data, recorder: id, connection)
        try checkDashboards(connection)
    }

    @Test func `leaves out titles and secrets when it is told to, also when the database is made again`() throws {
        let data = DataFolder(try Files.makeTemporaryFolder("castledger-service"))
        defer { try? Files.removeTree(data.path) }
        let fleet = try FleetService(options: FleetOptions(devices: 2, scenario: .evening, speed: 5), log: .silent)
        fleet.start()
        defer { fleet.stop() }
        _ = try record(fleet, into: data, seconds: 4, redaction: [.titles, .archive])

        let id = try #require(try data.existingRecorderID())
        let first = try ArchiveReader(try ArchiveFolder(data: data.path, recorder: id)).readAvailable(limitRecords: 100)
        #expect(
            first.first?.records.first?.body
                == .recorderStarted(recorder: id, version: "0.0-test", redaction: [.titles, .archive]))
        let database = try LedgerDatabase(address: nil, data: data.path)
        defer { database.close() }
        let connection = try database.connect()
        func check() throws {
            let played = try connection.execute(
                """
                SELECT count(*) FILTER (WHERE kind = 'media_session_started'), count(*) FILTER (WHERE after::text ~ '"title"'),
                    count(*) FILTER (WHERE after::text ~ '"duration"'), count(*) FILTER (WHERE after::text ~ 'media.example')
                FROM projection.change_event
                """, doing: "looking for titles"
            ).first
            #expect(try #require(played?.integer(0)) > 0)
            #expect(played?.integer(1) == 0)
            #expect(try #require(played?.integer(2)) > 0)
            #expect(played?.integer(3) == 0)
            let kept = try connection.execute(
                #"SELECT count(*) FROM projection.device_state WHERE state::text ~ '"title"'"#,
                doing: "looking for titles")
            #expect(kept.first?.integer(0) == 0)
        }
        try check()
        try checkRebuild(of: data, recorder: id, connection)
        try check()
    }

    /// Dropping the database and replaying the archive gives the same rows, whatever stretches they came in at first.
    private func checkRebuild(of data: DataFolder, recorder: String, _ connection: PostgresConnection) throws {
        let tables = [
            "app_session", "archive_segment", "change_event", "checkpoint", "conflict", "conflict_state", "device",
            "device_state", "gap", "media_session", "not_understood", "play", "play_state",
        ]
        func rows() throws -> [String: [String?]] {
            var rows: [String: [String?]] = [:]
            for table in tables {
                let sql = "SELECT t::text FROM projection.\(table) t ORDER BY 1"
                rows[table] = try connection.execute(sql, doing: "reading \(table)").map { $0.text(0) }
            }
            return rows
        }
        let live = try rows()
        _ = try Rebuild.run(data: data, recorderID: recorder, databaseURL: nil, log: .silent) { _ in }
        let rebuilt = try rows()
        for table in tables { #expect(live[table] == rebuilt[table], "\(table)") }
    }

    /// Every question of `dashboards/` is answered to somebody who may read views and nothing else.
    private func checkDashboards(_ connection: PostgresConnection) throws {
        let folder = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/dashboards"
        let questions = try Files.names(in: folder).filter { $0.hasSuffix(".sql") }
        #expect(questions.count == 4)
        try connection.execute("SET ROLE castledger_reader", doing: "becoming a reader")
        for question in questions {
            let sql = String(decoding: try Files.read("\(folder)/\(question)"), as: UTF8.self)
            let rows = try connection.execute(sql, doing: question)
            if question == "what-played-today.sql" { #expect(!rows.isEmpty, "the evening played something") }
        }
    }
}
