import Glibc
import IO
import Recording
import Testing

@testable import Archive

@Suite("The archive's writer")
struct ArchiveWriterTests {
    static func paths(_ files: MemoryFiles) -> [String] {
        files.contents.keys.filter { $0.hasSuffix(".zst") }.map { String($0.dropFirst("/memory/archive/attic/".count)) }
            .sorted()
    }

    @Test func `gives positions without holes across restarts`() throws {
        let files = MemoryFiles()
        for run in 0..<4 {
            let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
            #expect(writer.durable == ArchivePosition(Int64(run * 5)))
            try writer.append(Samples.frames(run * 5..<run * 5 + 5), now: Samples.now)
            #expect(writer.durable == ArchivePosition(Int64(run * 5 + 5)))
        }
        #expect(try Samples.all(files) == Samples.records(Samples.frames(0..<20)))
        #expect(try ArchiveVerification.run(Samples.folder, files: files).segments == 4)
    }

    @Test func `counts the bytes that became durable, and the syncs that made them so`() throws {
        let files = MemoryFiles()
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        #expect(writer.work == ArchiveWork())
        for run in 0..<3 { try writer.append(Samples.frames(run * 5..<run * 5 + 5), now: Samples.now) }
        #expect(writer.work.syncs == 3)
        try writer.finish(now: Samples.now)
        let bytes = files.contents.filter { $0.key.hasSuffix(".zst") }.reduce(0) { $0 + $1.value.count }
        #expect(writer.work.writtenBytes == Int64(bytes) && bytes > 0)
        #expect(writer.work.syncNanoseconds >= 0)
    }

    @Test func `begins a segment at midnight UTC, by the time of the record`() throws {
        let files = MemoryFiles()
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        let midnight: Int64 = 1_772_409_600_000_000  // 2026-03-02T00:00:00Z
        try writer.append(Samples.frames(0..<4, from: midnight - 2_000_000), now: Samples.now)
        #expect(
            Self.paths(files) == [
                "2026/03/01/0000000000000000001.jsonl.zst", "2026/03/02/0000000000000000003.jsonl.zst",
            ])
        #expect(try ArchiveVerification.run(Samples.folder, files: files).records == 4)
    }

    @Test func `keeps the order when the clock goes back a day, also over a restart`() throws {
        let files = MemoryFiles()
        for back in 0..<3 {
            let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
            let from = Samples.evening - Int64(back) * 86_400_000_000
            try writer.append(Samples.frames(back * 2..<back * 2 + 2, from: from), now: Samples.now)
        }
        #expect(try Samples.all(files).map(\.position.number) == [1, 2, 3, 4, 5, 6])
        #expect(try Samples.all(files, from: 4).map(\.position.number) == [4, 5, 6])
        #expect(try ArchiveVerification.run(Samples.folder, files: files).isIntact)
    }

    @Test func `ends a frame when it is old, and a segment when it is large`() throws {
        func frames(_ files: MemoryFiles) -> Int {
            files.contents.values.reduce(0) { count, bytes in
                count + bytes.indices.filter { bytes[$0...].starts(with: ZstdFrame.header) }.count
            }
        }
        let files = MemoryFiles()
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, limits: Samples.limits(), files: files)
        func at(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }
        try writer.append(Samples.frames(0..<3), now: at(100))
        writer.endFrameIfDue(now: at(159))
        #expect(!writer.hasStaged)
        writer.endFrameIfDue(now: at(160))
        #expect(writer.hasStaged)
        try writer.commit()
        try writer.append(Samples.frames(3..<6), now: at(161))
        try writer.append(Samples.frames(6..<9), now: at(222))
        try writer.append(Samples.frames(9..<12), now: at(223))
        #expect(frames(files) == 3)
        #expect(Self.paths(files).count == 1)
        let segments = try ArchiveListing.segments(Samples.folder, files: files)
        #expect(segments.map(\.records) == [12])
        #expect(segments.map(\.isOpen) == [true])

        let small = MemoryFiles()
        let other = try ArchiveWriter(
            Samples.folder, boot: Samples.boot, limits: Samples.limits(segmentBytes: 2500), files: small)
        try other.append(Samples.frames(0..<12), now: at(0))
        #expect(try ArchiveListing.segments(Samples.folder, files: small).map(\.records) == [6, 6])
    }

    @Test func `refuses a second writer and names the first`() throws {
        let data = try Scratch()
        let folder = try ArchiveFolder(data: data.path, recorder: "attic")
        let first = try ArchiveWriter(folder, boot: Samples.boot)
        let error = try #require(throws: ArchiveError.self) { _ = try ArchiveWriter(folder, boot: Samples.boot) }
        guard case .locked(folder.path, let holder) = error else {
            Issue.record("\(error)")
            return
        }
        // "pid 4711 on attic since 2026-03-01T20:15:04.123456Z"
        let words = holder.split(separator: " ")
        #expect(words.count == 6)
        #expect(words.prefix(3) == ["pid", "\(getpid())", "on"])
        #expect(words.last.flatMap { WallTime(text: String($0)) } != nil, "\(holder)")
        // Another recorder's archive is another matter.
        _ = try ArchiveWriter(ArchiveFolder(data: data.path, recorder: "cellar"), boot: Samples.boot)
        withExtendedLifetime(first) {}
    }

    @Test(arguments: ["", ".", "..", "a/b", "-x", "ä", "a b", String(repeating: "a", count: 65)])
    func `refuses a recorder whose id cannot name a folder`(recorder: String) {
        #expect(throws: ArchiveError.invalidRecorder(recorder)) {
            try ArchiveFolder(data: "/memory", recorder: recorder)
        }
    }

    // Every call fails once, also half way through a write; the next try must end in the very same files.
    @Test func `after any failed call, the same write tried again loses and doubles nothing`() throws {
        func run(_ files: MemoryFiles) throws -> Int {
            let writer = try ArchiveWriter(
                Samples.folder, boot: Samples.boot, limits: Samples.limits(frameBytes: 1000, segmentBytes: 3000),
                files: files)
            var failures = 0
            for number in 0..<5 {
                writer.stage(Samples.frames(number * 4..<number * 4 + 4), now: Samples.now)
                let before = writer.durable
                while writer.hasStaged {
                    do throws(ArchiveError) { try writer.commit() } catch {
                        failures += 1
                        guard case .volumeFull = error, writer.durable >= before, failures < 10 else { throw error }
                    }
                }
            }
            return failures
        }
        let undisturbed = MemoryFiles()
        #expect(try run(undisturbed) == 0)
        let opening = 1  // Making the folder; opening does not try again by itself.
        for call in opening..<undisturbed.calls {
            let files = MemoryFiles()
            files.fail(call..<call + 1, ENOSPC)
            // An index that cannot be written is no failure of the writer.
            let failures = try run(files)
            #expect(failures + files.state.withLock { $0.unkept } == 1, "call \(call)")
            func segments(_ files: MemoryFiles) -> [String: [UInt8]] {
                files.contents.filter { !$0.key.hasSuffix(".index") }
            }
            #expect(segments(files) == segments(undisturbed), "call \(call)")
        }
    }

    @Test func `recovering can itself be cut short at any call`() throws {
        let (path, bytes, batchEnds) = SegmentCrashTests.whole
        let torn = Array(bytes.prefix(Int(batchEnds[2]) + 20))
        let whole = MemoryFiles([path: torn])
        _ = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: whole)
        for call in 0..<whole.calls {
            let files = MemoryFiles([path: torn])
            files.fail(call..<Int.max, EIO)
            #expect(throws: ArchiveError.self) { try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files) }
            let after = files.afterPowerCut()
            let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: after)
            #expect(writer.durable == ArchivePosition(9), "call \(call)")
            #expect(try ArchiveVerification.run(Samples.folder, files: after).isIntact, "call \(call)")
        }
    }
}
