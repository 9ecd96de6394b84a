import Archive
import CastModel
import CastWire
import Glibc
import IO
import Recording
import Store
import Telemetry
import Testing

@testable import Recorder

@Suite("The ledger of a damaged archive", .serialized)
struct DamagedArchiveTests {
    private typealias Evening = PrunedRebuildTests

    @Test func `has a gap where records are gone, whether made bit by bit or at once`() throws {
        let data = DataFolder(try Files.makeTemporaryFolder("castledger-damaged", mode: 0o711))
        defer { try? Files.removeTree(data.path) }
        let folder = try ArchiveFolder(data: data.path, recorder: data.recorderID())
        var limits = ArchiveLimits.standard
        limits.segmentBytes = 1
        let writer = try ArchiveWriter(folder, boot: Evening.boot, limits: limits)
        for segment in Evening.evening([]) { try writer.append(segment, now: MonotonicTime(nanoseconds: 0)) }
        // The third of five segments: that the hall's link was lost.
        let batches = try ArchiveReader(folder).readAvailable(limitRecords: 100)
        let segment = try #require(batches.first { $0.records.first?.position == ArchivePosition(7) }?.segment)
        try #require(unlink("\(folder.path)/\(segment)") == 0)

        let database = try LedgerDatabase(address: nil, data: data.path)
        defer { database.close() }
        let connection = try database.connect()
        let projection = try Projection(connection: database.connect(), recorderID: folder.recorder)
        func project(_ limit: Int) throws -> [String] {
            // Each from the checkpoint, as after a restart.
            while true {
                var run = try ProjectionRun(
                    projection: projection, folder: folder, durable: writer.durable, log: .silent)
                guard try run.applyNext(upTo: writer.durable, limitRecords: limit) != nil else { break }
            }
            return try connection.execute(
                """
                SELECT concat_ws(' ', device_id, reason, extract(epoch FROM started_at)::integer - 1772395200,
                    extract(epoch FROM ended_at)::integer - 1772395200) FROM projection.gap ORDER BY 1
                """
            ).map { $0.text(0) ?? "-" }
        }
        let live = try project(1)
        // The last record before is of second 10; the den is heard at 70, the hall linked at 120.
        #expect(
            live == ["aaaa archive_damaged 10 70", "aaaa link_lost 160", "bbbb archive_damaged 10 120"])
        try projection.reset()
        #expect(try project(1_000) == live)
    }
}
