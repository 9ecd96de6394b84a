import Archive
import CastModel
import Discovery
import IO
import Recording
import Store
import Telemetry
import TestSupport
import Testing

@testable import Recorder

@Suite("The projector", .serialized, .waits)
struct ProjectorServiceTests {
    /// An archive with so many devices seen.
    private func archive(_ count: Int64, in data: DataFolder, recorder: String) throws -> (
        ArchiveFolder, ArchivePosition
    ) {
        let folder = try ArchiveFolder(data: data.path, recorder: recorder)
        let writer = try ArchiveWriter(folder, boot: "0b0e2c5a-1111-2222-3333-444455556666")
        let seen = (1...count).map { number in
            Observation(
                at: WallTime(microseconds: 1_772_396_104_000_000 + number),
                monotonic: MonotonicTime(nanoseconds: number),
                .deviceWithdrawn(DeviceID("device-\(number)")))
        }
        try writer.append(seen, now: MonotonicTime(nanoseconds: 0))
        try writer.finish(now: MonotonicTime(nanoseconds: 0))
        return (folder, writer.durable)
    }

    @Test func `told to stop at once leaves the rest for the next start, which has it all`() throws {
        let data = DataFolder(try Files.makeTemporaryFolder("castledger-projector", mode: 0o711))
        defer { try? Files.removeTree(data.path) }
        let recorder = try data.recorderID()
        let (folder, durable) = try archive(20_000, in: data, recorder: recorder)
        let configuration = Configuration(data: data, discovers: false, version: "0.0-test")
        func run(within limit: Duration) throws -> ArchivePosition? {
            let projector = try ProjectorService(
                configuration: configuration, folder: folder, durable: durable, log: .silent)
            projector.start()
            projector.stop(within: limit)
            return projector.progress.applied
        }
        let first = try run(within: .zero)
        #expect((first ?? ArchivePosition(0)) < durable)
        #expect(try run(within: .seconds(120)) == durable)
    }
}
