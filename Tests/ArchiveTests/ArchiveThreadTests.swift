import Glibc
import IO
import Recording
import Telemetry
import TestSupport
import Testing

@testable import Archive

@Suite("The archive's thread")
struct ArchiveThreadTests {
    private final class Lines: Sendable {
        let lines = Guarded<[String]>([])
        var log: Log { Log { _, line in self.lines.withLock { $0.append(line) } } }
    }

    @Test func `makes what it is given durable, while a reader follows`() throws {
        let data = try Scratch()
        let folder = try ArchiveFolder(data: data.path, recorder: "attic")
        let durable = try Mailbox<ArchivePosition>(limit: 100_000)
        let archive = try ArchiveThread(try ArchiveWriter(folder, boot: Samples.boot), log: .silent) { position in
            _ = durable.post([position])
        }
        let observations = Samples.frames(0..<3000)
        let producer = OwnedThread("producer") {
            for start in stride(from: 0, to: observations.count, by: 30) {
                while !archive.append(Array(observations[start..<start + 30])) {}
            }
        }
        let reader = ArchiveReader(folder)
        var found: [Record] = []
        while found.count < 3000, let positions = durable.take(timeout: .seconds(30)), let last = positions.last {
            while true {
                let batches = try reader.readAvailable(upTo: last)
                guard !batches.isEmpty else { break }
                found += batches.flatMap(\.records)
            }
            #expect(found.count == Int(last.number))
        }
        producer.join()
        #expect(found == Samples.records(observations))
        #expect(archive.stop(within: .seconds(60)) == 0)
        #expect(try ArchiveVerification.run(folder).records == 3000)
        #expect(try ArchiveListing.segments(folder).map(\.isOpen) == [false])
    }

    @Test func `writes a single observation without waiting for more, and frees the archive when stopped`() throws {
        let files = MemoryFiles()
        let durable = try Mailbox<ArchivePosition>(limit: 10)
        let archive = try ArchiveThread(
            try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files), log: .silent
        ) { _ = durable.post([$0]) }
        #expect(archive.append(Samples.frames(0..<1)))
        #expect(durable.take(timeout: .seconds(30)) == [ArchivePosition(1)])
        #expect(archive.lastDurable == nil)
        #expect(archive.stop(within: .seconds(60)) == 0)
        let next = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        #expect(next.durable == ArchivePosition(1))
        #expect(next.recovery.cuts.isEmpty)
    }

    @Test func `on a full disk keeps everything, takes no more than its limit, and goes on when there is room`() throws
    {
        let files = MemoryFiles()
        let lines = Lines()
        let durable = try Mailbox<ArchivePosition>(limit: 1000)
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        files.fail(0..<Int.max, ENOSPC)
        let archive = try ArchiveThread(writer, log: lines.log, mailboxLimit: 500) { _ = durable.post([$0]) }

        var taken = 0
        while true {
            let wasStalled = archive.isStalled
            if archive.append(Samples.frames(taken..<taken + 50)) { taken += 50 } else if wasStalled { break }
        }
        #expect(taken >= 500)
        #expect(!archive.append(Samples.frames(0..<501)))
        files.fail(0..<0, 0)

        var last = 0
        while last < taken, let positions = durable.take(timeout: .seconds(30)), let position = positions.last {
            last = Int(position.number)
        }
        #expect(last == taken)
        #expect(archive.append(Samples.frames(taken..<taken + 1)))
        #expect(archive.stop(within: .seconds(60)) == 0)
        #expect(try Samples.all(files) == Samples.records(Samples.frames(0..<taken + 1)))
        let logged = lines.lines.withLock { $0 }
        #expect(logged.count == 2)
        #expect(
            logged.first?.hasPrefix(#"level=error msg="the archive cannot be written; frames are kept in memory""#)
                == true)
        #expect(logged.last?.hasPrefix(#"level=notice msg="the archive can be written again""#) == true)
    }

    @Test func `on a disk that stays full, says so again after every 60 attempts, and once when it is over`() throws {
        let files = MemoryFiles()
        let lines = Lines()
        let durable = try Mailbox<ArchivePosition>(limit: 10)
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        // Each attempt on a new segment is one call that fails: 130 attempts, then room.
        files.fail(0..<130, ENOSPC)
        let archive = try ArchiveThread(writer, log: lines.log, retryInterval: .milliseconds(1)) {
            _ = durable.post([$0])
        }
        #expect(archive.append(Samples.frames(0..<1)))
        #expect(durable.take(timeout: .seconds(30)) == [ArchivePosition(1)])
        #expect(archive.stop(within: .seconds(60)) == 0)
        let logged = lines.lines.withLock { $0 }
        #expect(logged.count == 4)
        let starts = [
            #"level=error msg="the archive cannot be written; frames are kept in memory" error="#,
            #"level=error msg="the archive still cannot be written; frames are kept in memory as far as they fit" attempt=61 "#,
            #"level=error msg="the archive still cannot be written; frames are kept in memory as far as they fit" attempt=121 "#,
            #"level=notice msg="the archive can be written again" attempt=130"#,
        ]
        for (line, start) in zip(logged, starts) { #expect(line.hasPrefix(start), "\(line)") }
    }

    // What the thread took is durable, or is counted as lost when it stops: nothing else, whatever the disk does.
    @Test(arguments: 0..<6) func `on a disk that fails by a seed, keeps what it took or says how much it did not`(
        part: Int
    ) throws {
        for seed in part * 3..<(part + 1) * 3 {
            var random = SeededNumbers(seed: UInt64(seed))
            let files = FaultyFiles(seed: UInt64(seed) &+ 77)
            let archive = try ArchiveThread(
                try ArchiveWriter(
                    Samples.folder, boot: Samples.boot, limits: Samples.limits(segmentBytes: 8_000), files: files),
                log: .silent, mailboxLimit: 400, retryInterval: .milliseconds(1)
            ) { _ in }
            var taken: [Observation] = []
            for round in 0..<20 {
                let more = Samples.frames(round * 50..<round * 50 + Int.random(in: 40...50, using: &random))
                if archive.append(more) { taken += more }
                let room = Int.random(in: 0..<2_000, using: &random)
                let oneIn = Int.random(in: 2...6, using: &random)
                files.state.withLock { state in
                    state.oneFailsIn = round % 3 == 0 ? oneIn : nil
                    state.roomBytes = round % 5 == 0 ? state.disk.usedBytes + room : nil
                }
            }
            if !random.isOne(in: 3) { files.heal() }
            let lost = try #require(archive.stop(within: .seconds(60)))
            files.heal()
            let found = try Samples.all(files)
            #expect(found.count + lost == taken.count, "seed \(seed)")
            #expect(found == Samples.records(Array(taken.prefix(found.count))), "seed \(seed)")
            _ = try ArchiveRepair.run(Samples.folder, files: files)
            #expect(try ArchiveVerification.run(Samples.folder, files: files).isIntact, "seed \(seed)")
        }
    }

    @Test func `on a full disk takes no more bytes of frames than its limit, and goes on when there is room`() throws {
        let files = MemoryFiles()
        let durable = try Mailbox<ArchivePosition>(limit: 1000)
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        files.fail(0..<Int.max, ENOSPC)
        let archive = try ArchiveThread(writer, log: .silent, waitingLimitBytes: 32 * 10_000) {
            _ = durable.post([$0])
        }
        let long = Samples.longFrames(1, bytes: 10_000)
        for number in 1...32 { #expect(archive.append(long), "frame \(number)") }
        #expect(!archive.append(long))
        #expect(!archive.append(long))
        files.fail(0..<0, 0)
        var last: Int64 = 0
        while last < 32, let positions = durable.take(timeout: .seconds(30)), let position = positions.last {
            last = position.number
        }
        #expect(last == 32)
        #expect(archive.append(long))
        #expect(archive.stop(within: .seconds(60)) == 0)
    }

    @Test func `frames longer than every limit are taken one by one`() throws {
        let files = MemoryFiles()
        let archive = try ArchiveThread(
            try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files), log: .silent, waitingLimitBytes: 10_000
        ) { _ in }
        #expect(archive.append(Samples.longFrames(40, bytes: 20_000)), "nothing waited")
        #expect(archive.stop(within: .seconds(60)) == 0)
        #expect(try Samples.all(files).count == 40)
    }

    @Test func `gives no sign of life while whoever hears of durable records hangs`() throws {
        let archive = Guarded<ArchiveThread?>(nil)
        let (hanging, going) = (try Mailbox<Bool>(limit: 1), try Mailbox<Bool>(limit: 1))
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: MemoryFiles())
        let thread = try ArchiveThread(writer, log: .silent) { _ in
            _ = hanging.post([archive.withLock { $0?.diskBusySince == nil }])
            _ = going.take(timeout: .seconds(60))
        }
        archive.withLock { $0 = thread }
        #expect(thread.append(Samples.frames(0..<1)))
        #expect(hanging.take(timeout: .seconds(60)) == [true], "the disk is not busy any more")
        let sign = thread.lifeSign
        #expect(thread.lifeSign == sign, "the watchdog sees a thread that stands still")
        #expect(going.post([true]))
        #expect(thread.stop(within: .seconds(60)) == 0)
    }

    @Test func `told to stop on a full disk, says how many observations are lost`() throws {
        let files = MemoryFiles()
        let lines = Lines()
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        files.fail(0..<Int.max, ENOSPC)
        let archive = try ArchiveThread(writer, log: lines.log) { _ in }
        #expect(archive.append(Samples.frames(0..<150)))
        #expect(archive.append(Samples.frames(150..<170)))
        #expect(archive.stop(within: .seconds(60)) == 170)
        #expect(!archive.append(Samples.frames(170..<171)))
        #expect(
            lines.lines.withLock { $0.last }
                == #"level=error msg="stopping while the archive cannot be written" count=170"#)
    }
}

@Suite("When waiting observations are written")
struct BatchTimingTests {
    static func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    @Test func `is 200 ms after the first of them`() {
        var timing = BatchTiming(records: 100)
        #expect(!timing.isDue(Self.at(0)))
        #expect(timing.wait(Self.at(0)) == 5_000_000_000)
        timing.add(1, now: Self.at(1000))
        timing.add(98, now: Self.at(1150))
        #expect(timing.wait(Self.at(1150)) == 50_000_000)
        #expect(!timing.isDue(Self.at(1199)))
        #expect(timing.isDue(Self.at(1200)))
        timing.wrote()
        #expect(!timing.isDue(Self.at(9999)))
    }

    @Test func `is at once when there are a hundred`() {
        var timing = BatchTiming(records: 100)
        timing.add(99, now: Self.at(0))
        #expect(!timing.isDue(Self.at(0)))
        timing.add(1, now: Self.at(0))
        #expect(timing.isDue(Self.at(0)))
        #expect(timing.wait(Self.at(0)) == 0)
    }

    @Test func `is not put off by a clock that goes back`() {
        var timing = BatchTiming(records: 100)
        timing.add(1, now: Self.at(1000))
        #expect(timing.wait(Self.at(900)) == 200_000_000)
    }
}
