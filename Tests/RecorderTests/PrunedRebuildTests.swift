import Archive
import CastModel
import CastWire
import IO
import Recording
import Store
import Telemetry
import TestSupport
import Testing

@testable import Recorder

// Goal: rows whose records were pruned survive a rebuild and an upgrade, and nothing counts twice.
// Method: an evening with a play, a gap and an app across the boundary; the sums are worked out by hand.
@Suite("A rebuild of a pruned archive", .serialized, .waits)
struct PrunedRebuildTests {
    static let boot = "0b0e2c5a-1111-2222-3333-444455556666"
    static let den = DeviceID("aaaa")
    static let hall = DeviceID("bbbb")
    /// 2026-03-01T20:00:00Z.
    static let start: Int64 = 1_772_395_200_000_000

    static func at(_ second: Int64) -> WallTime { WallTime(microseconds: start + second * 1_000_000) }

    static func observation(_ second: Int64, _ body: RecordBody) -> Observation {
        Observation(at: at(second), monotonic: MonotonicTime(nanoseconds: second * 1_000_000_000), body)
    }

    static func frame(_ second: Int64, _ namespace: Namespace, from source: String, _ text: String) -> Observation {
        observation(
            second,
            .frame(
                RecordedFrame(
                    device: den, link: LinkNumber(1), direction: .inbound,
                    message: CastMessage(from: source, to: "*", namespace, text: text))))
    }

    static func opened(_ device: DeviceID, _ link: Int64) -> RecordBody {
        .linkOpened(
            LinkOpened(
                device: device, link: LinkNumber(link), address: "192.0.2.1", port: 8009, tlsVersion: "TLSv1.3",
                cipher: "TLS_AES_256_GCM_SHA384", peerCertificate: [], attachMode: .invisible))
    }

    static func status(_ second: Int64, _ state: String, _ position: Int, idle: String? = nil) -> Observation {
        let idle = idle.map { #","idleReason":"\#($0)""# } ?? ""
        return frame(
            second, .media, from: "t-1",
            #"{"type":"MEDIA_STATUS","requestId":0,"status":[{"mediaSessionId":1,"playbackRate":1,"playerState":"\#(state)","#
                + #""currentTime":\#(position),"media":{"contentId":"film","contentType":"video/mp4","streamType":"#
                + #""BUFFERED","duration":5400,"metadata":{"metadataType":1,"title":"The Ferry"}}\#(idle)}]}"#)
    }

    /// Each inner list is a segment of its own; positions 1 to 7 lie before the boundary.
    static func evening(_ redaction: Set<RedactionChoice>) -> [[Observation]] {
        let app =
            #"{"requestId":0,"type":"RECEIVER_STATUS","status":{"applications":[{"appId":"CC1AD845","displayName":"#
            + #""Default Media Receiver","isIdleScreen":false,"sessionId":"s-1","transportId":"t-1","statusText":"","#
            + #""namespaces":[{"name":"urn:x-cast:com.google.cast.media"}]}],"volume":{"level":0.5,"muted":false}}}"#
        let seen = DeviceAdvertisement(
            deviceID: den, name: "Den", model: "Chromecast", addresses: ["192.0.2.1"], port: 8009, capabilities: nil,
            txt: [], source: .mdns)
        return [
            [
                observation(0, .recorderStarted(recorder: "attic", version: "0.1", redaction: redaction)),
                observation(1, .deviceSeen(seen)), observation(2, opened(den, 1)), observation(2, opened(hall, 2)),
                frame(3, .receiver, from: "receiver-0", app),
            ],
            [status(10, "PLAYING", 0)],
            [
                observation(
                    60, .linkClosed(LinkClosed(device: hall, link: LinkNumber(2), reason: .silent, detail: "")))
            ],
            [frame(70, .heartbeat, from: "receiver-0", #"{"type":"PONG"}"#), status(100, "PAUSED", 90)],
            [
                observation(120, opened(hall, 3)), status(160, "IDLE", 90, idle: "FINISHED"),
                observation(
                    200, .linkClosed(LinkClosed(device: den, link: LinkNumber(1), reason: .silent, detail: ""))),
            ],
        ]
    }

    /// A recorder's archive, its database, and what a test does with both.
    private final class Stage {
        let data: DataFolder
        let folder: ArchiveFolder
        let database: LedgerDatabase
        let connection: PostgresConnection
        private let writer: ArchiveWriter

        init(redaction: Set<RedactionChoice> = []) throws {
            data = DataFolder(try Files.makeTemporaryFolder("castledger-pruned", mode: 0o711))
            folder = try ArchiveFolder(data: data.path, recorder: data.recorderID())
            var limits = ArchiveLimits.standard
            limits.segmentBytes = 1
            writer = try ArchiveWriter(folder, boot: PrunedRebuildTests.boot, limits: limits)
            for segment in PrunedRebuildTests.evening(redaction) {
                try writer.append(segment, now: MonotonicTime(nanoseconds: 0))
            }
            database = try LedgerDatabase(address: nil, data: data.path)
            connection = try database.connect()
        }

        func end() {
            database.close()
            try? Files.removeTree(data.path)
        }

        /// Applies what the archive has, as the projector does.
        func project() throws {
            let projection = try Projection(connection: database.connect(), recorderID: folder.recorder)
            var run = try ProjectionRun(
                projection: projection, folder: folder, durable: writer.durable, log: .silent)
            while try run.applyNext(upTo: writer.durable, limitRecords: 3) != nil {}
        }

        /// Prunes the first three segments: what is older than second 65.
        func prune() throws {
            var pruning = ArchivePruning(folder)
            let now = PrunedRebuildTests.at(1065)
            let plan = try pruning.plan(
                PruningRule(age: .seconds(1000)), now: now, applied: ArchivePosition(.max))
            let pruned = try #require(try pruning.announcement(of: plan))
            #expect(pruned.last == ArchivePosition(7))
            let body = RecordBody.segmentsPruned(pruned)
            try writer.append(
                [Observation(at: now, monotonic: MonotonicTime(nanoseconds: 0), body)],
                now: MonotonicTime(nanoseconds: 0))
            _ = try pruning.carryOut(
                Record(
                    position: writer.durable, at: now, monotonic: MonotonicTime(nanoseconds: 0),
                    boot: PrunedRebuildTests.boot, body: body))
        }

        /// Drops the rows and replays; nobody writes meanwhile, as the lock of the writer is not asked for.
        func rebuild(dropsPruned: Bool = false) throws {
            let projection = try Projection(connection: database.connect(), recorderID: folder.recorder)
            try ReplayBeginning(folder).reset(projection, dropsPruned: dropsPruned)
            try project()
        }

        func rows(_ sql: String) throws -> [String] {
            try connection.execute(sql, doing: "reading rows").map { $0.text(0) ?? "-" }
        }
    }

    static let play = """
        SELECT concat_ws(' ', title, extract(epoch FROM started_at) - 1772395200, extract(epoch FROM ended_at) - 1772395200,
            end_reason, end_is_uncertain, 'played', played_seconds, 'paused', paused_seconds, 'gap', gap_seconds)
        FROM projection.play ORDER BY started_at
        """

    @Test func `keeps the rows of what went, and ends or goes on with what spans the boundary`() throws {
        let stage = try Stage()
        defer { stage.end() }
        try stage.project()
        #expect(
            try stage.rows(Self.play) == [
                "The Ferry 10.000000 160.000000 finished f played 90 paused 60 gap 0"
            ])
        let tables = [
            "change_event t WHERE position <= 7", "app_session t WHERE true", "device t WHERE true",
            "gap t WHERE true",
        ]
        func kept() throws -> [[String]] {
            try tables.map { try stage.rows("SELECT t::text FROM projection.\($0) ORDER BY 1") }
        }
        let before = try kept()
        #expect(before[0].count > 5)
        #expect(before[3].count == 2, "the hall's gap across the boundary, and the den's at the end")
        try stage.prune()
        try stage.project()
        try stage.rebuild()
        let after = try kept()
        for (place, table) in tables.enumerated() { #expect(after[place] == before[place], "\(table)") }
        // Played from 10 to the boundary at 60, not known until 100, paused from then to the end.
        #expect(
            try stage.rows(Self.play) == [
                "The Ferry 10.000000 160.000000 finished f played 50 paused 60 gap 40"
            ])
        let counted = try stage.rows(
            "SELECT (c.events - (SELECT count(*) FROM projection.change_event))::text FROM projection.checkpoint c")
        #expect(counted == ["0"])
        let once = try kept()
        try stage.rebuild()
        #expect(try kept() == once, "again and again the same")

        try stage.rebuild(dropsPruned: true)
        #expect(try stage.rows("SELECT 1 FROM projection.change_event WHERE position <= 7").isEmpty)
        #expect(try stage.rows("SELECT title FROM projection.play") == ["The Ferry"])
    }

    @Test func `an upgrade of the stored form keeps them, too`() throws {
        let stage = try Stage()
        defer { stage.end() }
        try stage.project()
        try stage.prune()
        try stage.project()
        let early = "SELECT t::text FROM projection.change_event t WHERE position <= 7 ORDER BY 1"
        let before = try stage.rows(early)
        try stage.connection.execute(
            "UPDATE projection.device_state SET state = '{\"form\":0}'", doing: "pretending an older version")
        try stage.project()
        #expect(try stage.rows(early) == before)
        #expect(
            try stage.rows(Self.play) == [
                "The Ferry 10.000000 160.000000 finished f played 50 paused 60 gap 40"
            ])
    }

    @Test func `titles that were left out when the records went stay left out`() throws {
        let stage = try Stage(redaction: [.titles])
        defer { stage.end() }
        try stage.project()
        try stage.prune()
        try stage.project()
        for drops in [false, true] {
            try stage.rebuild(dropsPruned: drops)
            #expect(try stage.rows("SELECT 1 FROM projection.change_event WHERE after::text ~ 'Ferry'").isEmpty)
            #expect(try stage.rows("SELECT 1 FROM projection.play WHERE title IS NOT NULL").isEmpty)
            #expect(try !stage.rows("SELECT 1 FROM projection.play").isEmpty)
        }
    }
}
