import CastModel
import Glibc
import IO
import Recording
import Testing

@testable import Archive

// Goal: nothing goes that is not announced under the hash chain, and what stays verifies, whatever interrupts.
@Suite("Pruning an archive")
struct ArchivePruningTests {
    /// 100 records in segments of 12 to 15, the last one open.
    static func archive() throws -> (files: MemoryFiles, writer: ArchiveWriter) {
        let files = MemoryFiles()
        let writer = try ArchiveWriter(
            Samples.folder, boot: Samples.boot, limits: Samples.limits(frameBytes: 1500, segmentBytes: 3000),
            files: files)
        for start in stride(from: 0, to: 100, by: 5) {
            try writer.append(Samples.frames(start..<start + 5), now: Samples.now)
        }
        return (files, writer)
    }

    static func firsts(_ files: some ArchiveFiles) throws -> [Int64] {
        try Samples.folder.segments(files).map(\.firstPosition.number)
    }

    /// 2026-03-01T20:15:00Z and so many seconds, after the first record.
    static func at(_ seconds: Int64) -> WallTime { WallTime(microseconds: Samples.evening + seconds * 1_000_000) }

    /// Prunes what is older than so many seconds at second 100, as the recorder does; nil when nothing goes.
    static func prune(
        _ files: some ArchiveFiles, _ writer: ArchiveWriter, olderThan seconds: Int64, applied: Int64 = 100,
        in folder: ArchiveFolder = Samples.folder
    ) throws -> ArchivePruning.Outcome? {
        var pruning = ArchivePruning(folder, files: files)
        let plan = try pruning.plan(
            PruningRule(age: .seconds(seconds)), now: at(100), applied: ArchivePosition(applied))
        guard let pruned = try pruning.announcement(of: plan) else { return nil }
        let observation = Observation(at: at(100), monotonic: Samples.now, .segmentsPruned(pruned))
        try writer.append([observation], now: Samples.now)
        let told = Record(
            position: writer.durable, at: observation.at, monotonic: observation.monotonic, boot: Samples.boot,
            body: observation.body)
        return try pruning.carryOut(told)
    }

    @Test func `leaves an archive that verifies, and says what went, when and by which rule`() throws {
        let (files, writer) = try Self.archive()
        let before = try Self.firsts(files)
        let reached = try #require(before.lastIndex { $0 <= 51 })
        let outcome = try #require(try Self.prune(files, writer, olderThan: 50))
        // Record n is observed at second n-1: segments whose last record is before second 50 go.
        #expect(try Self.firsts(files) == Array(before[reached...]))
        #expect(outcome.segments == reached)
        #expect(outcome.others == reached, "the index of each")
        let kept = before[reached]
        guard case .segmentsPruned(let pruned) = outcome.told.body else {
            Issue.record("\(outcome.told)")
            return
        }
        #expect(pruned.first == ArchivePosition(1))
        #expect(pruned.last == ArchivePosition(kept - 1))
        #expect(pruned.segments == reached)
        #expect(pruned.rule == "--keep 50s")
        #expect(pruned.bytes > 0)

        let verification = try ArchiveVerification.run(Samples.folder, files: files)
        #expect(verification.isIntact, "\(verification.damage)")
        #expect(verification.pruned == outcome.told)
        #expect(verification.firstPosition == ArchivePosition(kept))
        #expect(verification.lastPosition == ArchivePosition(101))
        #expect(!verification.isPruningUnfinished)
        #expect(try Self.prune(files, writer, olderThan: 50) == nil, "once is enough")

        let again = try #require(try Self.prune(files, writer, olderThan: 20))
        let second = try ArchiveVerification.run(Samples.folder, files: files)
        #expect(second.isIntact, "\(second.damage)")
        #expect(second.pruned == again.told)
        #expect(try PrunedMarkers.read(Samples.folder, files) == [outcome.told, again.told])
    }

    @Test func `keeps what the database has not applied, and the newest segment always`() throws {
        let (files, writer) = try Self.archive()
        let before = try Self.firsts(files)
        #expect(try Self.prune(files, writer, olderThan: 0, applied: 0) == nil)
        #expect(try Self.prune(files, writer, olderThan: 0, applied: before[1] - 2) == nil)
        #expect(try Self.firsts(files) == before)
        _ = try Self.prune(files, writer, olderThan: 0, applied: before[3] - 1)
        #expect(try Self.firsts(files) == Array(before[3...]))
        _ = try Self.prune(files, writer, olderThan: 0, applied: 1_000)
        #expect(try Self.firsts(files).count == 1)
        #expect(try ArchiveVerification.run(Samples.folder, files: files).isIntact)
    }

    @Test func `a segment that is gone without an announcement is damage`() throws {
        let (files, writer) = try Self.archive()
        func remove(_ place: Int) throws {
            let name = try Samples.folder.segments(files)[place]
            files.state.withLock { _ = $0.files.removeValue(forKey: Samples.folder.path(of: name)) }
        }
        try remove(0)
        let first = try ArchiveVerification.run(Samples.folder, files: files)
        #expect(first.damage.map(\.problem) == [.missingBeginning])
        let outcome = try #require(try Self.prune(files, writer, olderThan: 60))
        #expect(try ArchiveVerification.run(Samples.folder, files: files).isIntact, "now the beginning is announced")
        try remove(0)
        let more = try ArchiveVerification.run(Samples.folder, files: files)
        #expect(more.damage.map(\.problem) == [.missingBeginning], "one more than was announced")
        #expect(more.pruned == nil)
        #expect(outcome.segments > 0)
    }

    @Test func `a forged or changed pruned.jsonl shows, and removes nothing`() throws {
        let (files, writer) = try Self.archive()
        let outcome = try #require(try Self.prune(files, writer, olderThan: 60))
        let path = PrunedMarkers.path(in: Samples.folder)
        let line = try #require(files.contents[path])
        var forged = outcome.told
        guard case .segmentsPruned(var pruned) = forged.body else {
            Issue.record("\(forged)")
            return
        }
        pruned.last = ArchivePosition(80)
        forged.body = .segmentsPruned(pruned)
        var bytes: [UInt8] = []
        RecordLine.write(forged, to: &bytes)
        files.state.withLock { $0.files[path]?.content = bytes }
        let before = try Self.firsts(files)
        #expect(throws: ArchiveError.notAnnounced(position: forged.position)) {
            try ArchivePruning(Samples.folder, files: files).finish()
        }
        #expect(try Self.firsts(files) == before)
        let verification = try ArchiveVerification.run(Samples.folder, files: files)
        #expect(verification.damage.map(\.problem) == [.prunedMarker(forged.position)])
        files.state.withLock { _ = $0.files.removeValue(forKey: path) }
        #expect(try ArchiveVerification.run(Samples.folder, files: files).isIntact, "the archive itself says it")
        files.state.withLock { $0.files[path] = MemoryFiles.File(content: line, synced: line, isNameSynced: true) }
        #expect(try ArchiveVerification.run(Samples.folder, files: files).isIntact)
    }

    // The line tells of a position that was pruned itself, so that nobody can look it up.
    @Test func `a forged line of pruned.jsonl does not hide that segments in the middle are gone`() throws {
        let (files, writer) = try Self.archive()
        let outcome = try #require(try Self.prune(files, writer, olderThan: 60))
        guard case .segmentsPruned(var pruned) = outcome.told.body else {
            Issue.record("\(outcome.told)")
            return
        }
        var forged = outcome.told
        forged.position = ArchivePosition(5)
        pruned.last = ArchivePosition(1_000_000_000)
        forged.body = .segmentsPruned(pruned)
        var line: [UInt8] = []
        RecordLine.write(forged, to: &line)
        let path = PrunedMarkers.path(in: Samples.folder)
        let names = try Samples.folder.segments(files)
        files.state.withLock { state in
            state.files[path]?.content += line
            state.files[Samples.folder.path(of: names[1])] = nil
        }
        let verified = try ArchiveVerification.run(Samples.folder, files: files)
        let hole = names[1].firstPosition...ArchivePosition(names[2].firstPosition.number - 1)
        #expect(verified.damage.map(\.problem) == [.missing(hole)])
        #expect(verified.missing == [hole])
    }

    @Test func `refuses when what stays does not follow what goes`() throws {
        let (files, writer) = try Self.archive()
        // The same positions with another hash before them: a segment of another archive.
        let foreign = MemoryFiles()
        let other = try ArchiveWriter(
            Samples.folder, boot: "0b0e2c5a-1111-2222-3333-444455557777",
            limits: Samples.limits(frameBytes: 1500, segmentBytes: 3000), files: foreign)
        for start in stride(from: 0, to: 100, by: 5) {
            try other.append(Samples.frames(start..<start + 5), now: Samples.now)
        }
        let second = try Samples.folder.segments(files)[1]
        let path = Samples.folder.path(of: second)
        let bytes = try #require(foreign.contents[path], "both archives have the same boundaries")
        files.state.withLock { $0.files[path]?.content = bytes }
        let before = try Self.firsts(files)
        #expect(throws: ArchiveError.self) {
            try Self.prune(files, writer, olderThan: 100 - (second.firstPosition.number - 1))
        }
        #expect(try Self.firsts(files) == before)
        #expect(writer.durable == ArchivePosition(100), "nothing was announced")
    }

    @Test func `cut short anywhere, is finished at the next start, and never removes without a word`() throws {
        let (whole, _) = try Self.archive()
        let everything = Samples.records(Samples.frames(0..<100))
        let before = try Self.firsts(whole)
        var interrupted = 0
        var finished = 0
        var step = 0
        while true {
            let (files, writer) = try Self.archive()
            files.fail(step..<1_000_000, EIO)
            let isDone = (try? Self.prune(files, writer, olderThan: 50)) != nil
            for left in [MemoryFiles(files.contents), files.afterPowerCut()] {
                // What a reader finds at this moment: all that is left is good and in order.
                let now = try ArchiveVerification.run(Samples.folder, files: left)
                #expect(now.isIntact, "step \(step): \(now.damage)")
                let isAllThere = try Self.firsts(left).first == 1
                #expect(isAllThere || now.pruned != nil, "step \(step): gone without a word")
                let restarted = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: left)
                if try ArchivePruning(Samples.folder, files: left).finish() != nil { finished += 1 }
                let records = try Samples.all(left).filter { if case .frame = $0.body { true } else { false } }
                #expect(records == everything.suffix(records.count), "step \(step)")
                #expect(records.count == 100 || records.count == 101 - Int(before[before.lastIndex { $0 <= 51 } ?? 0]))
                let after = try ArchiveVerification.run(Samples.folder, files: left)
                #expect(after.isIntact && !after.isPruningUnfinished, "step \(step)")
                let orphans = try Samples.folder.sidecars(left).filter {
                    $0.position < ArchivePosition(101 - Int64(records.count))
                }
                #expect(orphans.isEmpty, "step \(step)")
                _ = try Self.prune(left, restarted, olderThan: 50)
                #expect(try Samples.all(left).count < 100, "step \(step): the next look prunes again")
                #expect(try ArchiveVerification.run(Samples.folder, files: left).isIntact)
            }
            if isDone { break }
            interrupted += 1
            step += 1
        }
        #expect(interrupted > 10)
        #expect(finished > 3)
    }

    @Test func `torn tails and indexes of pruned segments go with them`() throws {
        let (files, writer) = try Self.archive()
        let names = try Samples.folder.segments(files)
        for (place, ending) in [(0, ".torn"), (0, ".torn.2"), (1, ".torn"), (5, ".torn")] {
            let path = Samples.folder.path(of: names[place]) + ending
            files.state.withLock { $0.files[path] = MemoryFiles.File(content: [1], synced: [1], isNameSynced: true) }
        }
        let outcome = try #require(try Self.prune(files, writer, olderThan: 60))
        guard case .segmentsPruned(let pruned) = outcome.told.body else {
            Issue.record("\(outcome.told)")
            return
        }
        #expect(pruned.tornFiles == 3)
        #expect(outcome.others == outcome.segments + 3)
        #expect(files.contents.keys.filter { $0.contains(".torn") }.count == 1)
    }

    /// Two recorders' runs: the first shows titles, the second leaves them out; every batch is a zstd frame of its own.
    private static func twoRuns(_ files: MemoryFiles) throws -> (second: SegmentName, last: SegmentName) {
        var firsts: [SegmentName] = []
        for (run, choice) in [[], [RedactionChoice.titles], [.titles]].enumerated() {
            let writer = try ArchiveWriter(
                Samples.folder, boot: Samples.boot, limits: Samples.limits(frameBytes: 1), files: files)
            let body = RecordBody.recorderStarted(recorder: "attic", version: "1", redaction: Set(choice))
            let start = run * 20
            try writer.append([Observation(at: at(Int64(start)), monotonic: Samples.now, body)], now: Samples.now)
            try writer.append(Samples.frames(start..<start + 9), now: Samples.now)
            try writer.finish(now: Samples.now)
            firsts.append(try #require(try Samples.folder.segments(files).last))
        }
        return (firsts[1], firsts[2])
    }

    private static func announcement(_ files: MemoryFiles) throws -> SegmentsPruned? {
        var pruning = ArchivePruning(Samples.folder, files: files)
        let plan = try pruning.plan(
            PruningRule(bytes: 1), now: at(100), applied: ArchivePosition(1000))
        return try pruning.announcement(of: plan)
    }

    @Test func `keeps a damaged segment until its whole day is old enough`() throws {
        let (files, _) = try Self.archive()
        let oldest = try #require(try Samples.folder.segments(files).first)
        let path = Samples.folder.path(of: oldest)
        // In the second half, which only its records tell the time of; the day ends 13,496 s after the first record.
        files.state.withLock { state in
            let count = state.files[path]?.content.count ?? 0
            state.files[path]?.content[count - 100] ^= 0xFF
            state.files[path + ".index"] = nil
        }
        var pruning = ArchivePruning(Samples.folder, files: files)
        func count(at seconds: Int64) throws -> Int {
            try pruning.plan(PruningRule(age: .seconds(50)), now: Self.at(seconds), applied: ArchivePosition(100))
                .segments
        }
        #expect(try count(at: 100) == 0, "undamaged it would have gone")
        #expect(try count(at: 13_496 + 49) == 0)
        #expect(try count(at: 13_496 + 51) > 0)
    }

    @Test func `carries what the last recorder that goes left out, and nothing where that cannot be read`() throws {
        let files = MemoryFiles()
        let (second, _) = try Self.twoRuns(files)
        let said = try #require(try Self.announcement(files)?.recorderStarted)
        #expect(said.contains(#""redaction":["titles"]"#))
        files.state.withLock { $0.files[Samples.folder.path(of: second)]?.content[100] ^= 0xFF }
        let damaged = try #require(try Self.announcement(files))
        #expect(damaged.segments == 2)
        #expect(damaged.recorderStarted == nil, "the run before it showed titles, this one may not have")
    }

    @Test func `believes no pruned.jsonl about what was left out unless the archive says the same`() throws {
        let files = MemoryFiles()
        _ = try Self.archiveOfOneRun(files)
        let forged = Record(
            position: ArchivePosition(50), at: Self.at(50), monotonic: Samples.now, boot: Samples.boot,
            body: .segmentsPruned(
                SegmentsPruned(
                    first: ArchivePosition(1), last: ArchivePosition(5), segments: 1, tornFiles: 0, bytes: 1,
                    chain: "00", rule: "--keep 1d", recorderStarted: "{}")))
        try PrunedMarkers.add(forged, in: Samples.folder, files)
        let pruned = try #require(try Self.announcement(files))
        #expect(pruned.recorderStarted == nil)
    }

    private static func archiveOfOneRun(_ files: MemoryFiles) throws -> ArchiveWriter {
        let writer = try ArchiveWriter(
            Samples.folder, boot: Samples.boot, limits: Samples.limits(segmentBytes: 3000), files: files)
        try writer.append(Samples.frames(0..<60), now: Samples.now)
        return writer
    }

    @Test func `an index that cannot be opened does not stop pruning`() throws {
        let scratch = try Scratch()
        let folder = try ArchiveFolder(data: scratch.path, recorder: "attic")
        let writer = try ArchiveWriter(
            folder, boot: Samples.boot, limits: Samples.limits(frameBytes: 1500, segmentBytes: 3000))
        for start in stride(from: 0, to: 100, by: 5) {
            try writer.append(Samples.frames(start..<start + 5), now: Samples.now)
        }
        let oldest = try #require(try folder.segments(DiskFiles()).first)
        let index = SegmentIndex.path(of: oldest, in: folder)
        try Files.removeTree(index)
        // A link that leads nowhere cannot be opened, by root neither.
        #expect(try ChildProcess.run(["ln", "-s", "/nowhere/at/all", index]).0 == .code(0))
        let outcome = try #require(try Self.prune(DiskFiles(), writer, olderThan: 60, in: folder))
        #expect(outcome.others == outcome.segments)
        #expect(try ArchiveVerification.run(folder).isIntact)
    }

    @Test func `a reader goes on while what it reads is pruned`() throws {
        for place in 0..<3 {
            let scratch = try Scratch()
            let folder = try ArchiveFolder(data: scratch.path, recorder: "attic")
            let writer = try ArchiveWriter(
                folder, boot: Samples.boot, limits: Samples.limits(frameBytes: 1500, segmentBytes: 3000))
            for start in stride(from: 0, to: 100, by: 5) {
                try writer.append(Samples.frames(start..<start + 5), now: Samples.now)
            }
            let before = try folder.segments(DiskFiles()).map(\.firstPosition.number)
            let kept = before[before.lastIndex { $0 <= 51 } ?? 0]
            let reader = ArchiveReader(folder, from: ArchivePosition(before[place]))
            var found = try reader.readAvailable(limitRecords: 1).flatMap(\.records).map(\.position.number)
            _ = try #require(try Self.prune(DiskFiles(), writer, olderThan: 50, in: folder))
            while case let batches = try reader.readAvailable(limitRecords: 1), !batches.isEmpty {
                found += batches.flatMap(\.records).map(\.position.number)
            }
            // The file that it has open stays readable to its end; then comes what was kept.
            #expect(found == Array(before[place]..<before[place + 1]) + Array(kept...101))
            #expect(reader.skippedCount == 0)
            let late = ArchiveReader(folder)
            #expect(try late.readAvailable().first?.records.first?.position.number == kept)
        }
    }

    @Test func `pruning by hand does not count as having observed`() throws {
        let (files, first) = try Self.archive()
        try first.finish(now: Samples.now)
        _ = consume first
        let until = Self.at(99)
        do {
            let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
            #expect(writer.recovery.lastDurable?.at == until)
            let pruned = SegmentsPruned(
                first: ArchivePosition(1), last: ArchivePosition(1), segments: 1, tornFiles: 0, bytes: 1, chain: "00",
                rule: "--keep 1d", observedUntil: until)
            try writer.append(
                [Observation(at: Self.at(5000), monotonic: Samples.now, .segmentsPruned(pruned))], now: Samples.now)
        }
        let next = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        #expect(next.recovery.lastDurable?.position == ArchivePosition(101))
        #expect(next.recovery.lastDurable?.at == until)
    }
}
