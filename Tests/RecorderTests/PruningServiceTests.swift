import Archive
import CastModel
import CastWire
import IO
import Recording
import Telemetry
import TestSupport
import Testing

@testable import Recorder

@Suite("The pruning thread")
struct PruningServiceTests {
    /// An archive thread on a folder with ten closed segments of old frames, and the thread that prunes it.
    private final class Stage {
        let data: DataFolder
        let folder: ArchiveFolder
        let archive: ArchiveThread
        let durable: Guarded<ArchivePosition>
        let applied = Guarded<ArchivePosition?>(nil)
        let looks = Guarded(0)
        let lines = Guarded<[String]>([])
        /// Asked by whoever waits for the database on behalf of the service.
        let keepsWaiting = Guarded<(@Sendable () -> Bool)?>(nil)
        let service: PruningService

        init(_ rule: PruningRule, clock: ClockTrust? = nil) throws {
            data = DataFolder(try Files.makeTemporaryFolder("castledger-pruning"))
            folder = try ArchiveFolder(data: data.path, recorder: "attic")
            var limits = ArchiveLimits.standard
            limits.batchRecords = 5
            limits.segmentBytes = 1
            let writer = try ArchiveWriter(folder, boot: "0b0e2c5a-1111-2222-3333-444455556666", limits: limits)
            for round in 0..<10 {
                let frames = (0..<5).map { number in
                    Observation(
                        at: WallTime(microseconds: 1_772_396_104_000_000 + Int64(round * 5 + number)),
                        monotonic: MonotonicTime(nanoseconds: 0), .deviceWithdrawn(DeviceID("device-\(number)")))
                }
                try writer.append(frames, now: MonotonicTime(nanoseconds: 0))
            }
            let durable = Guarded(writer.durable)
            self.durable = durable
            let lines = lines
            let log = Log { _, line in lines.withLock { $0.append(line) } }
            archive = try ArchiveThread(writer, log: log, limits: limits) { position in
                durable.withLock { $0 = position }
            }
            let (applied, looks) = (applied, looks)
            service = try PruningService(
                rule: rule, folder: folder, archive: archive, durable: durable,
                clock: Guarded(clock ?? ClockTrust(beginning: .now, lastDurable: nil)), log: log,
                interval: .milliseconds(20),
                applied: {
                    looks.withLock { $0 += 1 }
                    return applied.withLock { $0 }
                },
                holding: { [keepsWaiting] isWanted, work in
                    keepsWaiting.withLock { $0 = isWanted }
                    try work(applied.withLock { $0 } ?? ArchivePosition(0))
                })
            service.start()
        }

        func end() {
            service.stop()
            #expect(archive.stop(within: .seconds(60)) == 0)
            try? Files.removeTree(data.path)
        }

        var segments: Int { (try? ArchiveListing.segments(folder).count) ?? -1 }

        /// Waits, with a deadline, for something that can be observed.
        func wait(for condition: () -> Bool) -> Bool { (try? eventually { condition() ? true : nil }) == true }
    }

    @Test func `prunes nothing while the database is away or behind, and says so once`() throws {
        let stage = try Stage(PruningRule(age: .seconds(3600)))
        defer { stage.end() }
        let looks = stage.looks
        #expect(stage.wait { looks.withLock { $0 } >= 8 })
        #expect(stage.segments == 10)
        stage.applied.withLock { $0 = ArchivePosition(4) }
        let before = looks.withLock { $0 }
        #expect(stage.wait { looks.withLock { $0 } >= before + 8 })
        #expect(stage.segments == 10)
        let lines = stage.lines.withLock { $0 }
        #expect(lines.filter { $0.contains("while the database is away") }.count == 1)
        #expect(lines.filter { $0.contains("until the database has them") }.count == 1)
        #expect(lines.count == 2)
    }

    @Test func `prunes what is too old and applied, after the archive says so`() throws {
        let stage = try Stage(PruningRule(age: .seconds(3600)))
        defer { stage.end() }
        stage.applied.withLock { $0 = ArchivePosition(37) }
        #expect(stage.wait { stage.lines.withLock { $0.contains { $0.contains("segments were pruned") } } })
        let verification = try ArchiveVerification.run(stage.folder)
        #expect(verification.isIntact)
        // Segments of five: the seventh ends with position 35, the eighth with 40, beyond what is applied.
        #expect(verification.firstPosition == ArchivePosition(36))
        guard case .segmentsPruned(let pruned)? = verification.pruned?.body else {
            Issue.record("nothing tells of the pruning")
            return
        }
        #expect(pruned.last == ArchivePosition(35))
        #expect(pruned.segments == 7)
        #expect(pruned.rule == "--keep 1h")
        #expect(verification.pruned?.position == ArchivePosition(51))
        #expect(
            stage.lines.withLock { $0 }.contains {
                $0.contains(#"msg="segments were pruned" count=7 archive.position=35 reason="--keep 1h""#)
            })
    }

    @Test func `does not hold up the end: who waits for the database is told, and nothing new is announced`() throws {
        let stage = try Stage(PruningRule(age: .seconds(3600)))
        stage.applied.withLock { $0 = ArchivePosition(37) }
        #expect(stage.wait { stage.keepsWaiting.withLock { $0 } != nil })
        let isWanted = try #require(stage.keepsWaiting.withLock { $0 })
        #expect(isWanted())
        stage.end()
        #expect(!isWanted())
    }

    @Test func `believes no age for a day when the recorder began with a clock in the future`() throws {
        let now = ClockReading.now
        // The last record is of two days ago, by a clock that was right; the segments are older still.
        let last = WallTime(microseconds: now.wall.microseconds - 2 * 86_400_000_000)
        let stage = try Stage(
            PruningRule(age: .seconds(3600)), clock: ClockTrust(beginning: now, lastDurable: last))
        defer { stage.end() }
        stage.applied.withLock { $0 = ArchivePosition(50) }
        #expect(stage.wait { stage.looks.withLock { $0 } >= 8 })
        #expect(stage.segments == 10)
    }

    @Test func `without a rule there is no thread`() throws {
        let stage = try Stage(PruningRule())
        stage.applied.withLock { $0 = ArchivePosition(50) }
        stage.end()
        #expect(stage.looks.withLock { $0 } == 0)
    }
}
