import IO
import Recording
import Testing

@testable import Archive

// Goal: what is wrong between segments is found and named: missing, doubled, empty ones, and files of others.
@Suite("An archive whose segments do not fit together")
struct ArchiveStructureTests {
    /// Four segments of three records each: positions 1, 4, 7 and 10 begin one.
    private static func archive(_ numbers: Range<Int> = 0..<12) throws -> [String: [UInt8]] {
        let files = MemoryFiles()
        let limits = Samples.limits(segmentBytes: 1000)
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, limits: limits, files: files)
        try writer.append(Samples.frames(numbers), now: Samples.now)
        try writer.finish(now: Samples.now)
        return files.contents.filter { $0.key.hasSuffix(".zst") }
    }

    private static func path(_ first: Int, day: String = "2026/03/01") -> String {
        let digits = String(first)
        return "/memory/archive/attic/\(day)/" + String(repeating: "0", count: 19 - digits.utf8.count) + digits
            + ".jsonl.zst"
    }

    private static func range(_ first: Int64, _ last: Int64) -> ClosedRange<ArchivePosition> {
        ArchivePosition(first)...ArchivePosition(last)
    }

    private static func verify(_ contents: [String: [UInt8]]) throws -> ArchiveVerification {
        try ArchiveVerification.run(Samples.folder, files: MemoryFiles(contents))
    }

    @Test func `with two segments missing, says which positions are`() throws {
        var contents = try Self.archive()
        #expect(contents.keys.sorted() == [1, 4, 7, 10].map { Self.path($0) })
        contents[Self.path(4)] = nil
        contents[Self.path(7)] = nil
        let verified = try Self.verify(contents)
        #expect(verified.damage.map(\.problem) == [.missing(Self.range(4, 9))])
        #expect(verified.damage.map(\.segment) == [Self.path(10)])
        #expect(verified.missing == [Self.range(4, 9)])
        #expect(verified.records == 6)
        #expect("\(verified.damage[0])".hasSuffix("the segments before it are missing, with positions 4 to 9."))
    }

    @Test func `with a segment that was emptied, says which positions are missing`() throws {
        var contents = try Self.archive()
        contents[Self.path(4)] = []
        let verified = try Self.verify(contents)
        #expect(verified.damage.map(\.problem) == [.missing(Self.range(4, 6))])
        #expect(verified.missing == [Self.range(4, 6)])
        #expect(verified.records == 9)
    }

    @Test func `with the newest segment emptied, has lost nothing that can be known`() throws {
        // The name is all that a crash left: the next start sets it aside.
        var contents = try Self.archive()
        contents[Self.path(13)] = []
        let verified = try Self.verify(contents)
        #expect(verified.isIntact)
        #expect(verified.isNewestEmpty)
        #expect(verified.records == 12)
        #expect(try !Self.verify(Self.archive()).isNewestEmpty)
        let files = MemoryFiles(contents)
        #expect(try ArchiveRepair.run(Samples.folder, files: files).recovery.cuts.map(\.bytes) == [0])
        #expect(files.contents[Self.path(13) + ".torn"] == [])
    }

    // The index was made when the segment was whole.
    @Test func `with the newest segment emptied or cut, is known by its index to have lost records`() throws {
        let files = MemoryFiles()
        let limits = Samples.limits(frameBytes: 1, segmentBytes: 2500)
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, limits: limits, files: files)
        try writer.append(Samples.frames(0..<12), now: Samples.now)
        try writer.finish(now: Samples.now)
        let newest = try #require(try Samples.folder.segments(files).last)
        let path = Samples.folder.path(of: newest)
        let bytes = try #require(files.contents[path])
        let ends = try ArchiveReader(Samples.folder, files: files).readAvailable()
            .filter { path.hasSuffix($0.segment) }.map { (end: $0.bytes.upperBound, last: $0.records.last?.position) }
        #expect(ends.map(\.last?.number) == [9, 12])
        for cut in 0..<bytes.count {
            files.state.withLock { $0.files[path]?.content = Array(bytes.prefix(cut)) }
            let verified = try ArchiveVerification.run(Samples.folder, files: files)
            let last = ends.last { $0.end <= cut }?.last ?? ArchivePosition(6)
            guard verified.lastPosition == last, !verified.isNewestEmpty,
                verified.damage.map(\.problem)
                    == (last == ArchivePosition(12) ? [] : [.cutShort(last: ArchivePosition(12))])
            else {
                Issue.record("cut to \(cut) bytes: \(verified)")
                return
            }
        }
    }

    @Test func `with two segments that claim the same positions, names the second and returns each record once`() throws
    {
        // The same segment once more, in the folder of another day.
        var contents = try Self.archive()
        contents[Self.path(4, day: "2026/03/02")] = contents[Self.path(4)]
        let twice = try Self.verify(contents)
        #expect(twice.damage.map(\.problem) == [.repeated(last: ArchivePosition(6))])
        #expect(twice.damage.map(\.segment) == [Self.path(4, day: "2026/03/02")])
        #expect(twice.records == 12)
        #expect(twice.missing.isEmpty)

        // One that begins in the middle of another: from an archive whose segments are shorter.
        let other = MemoryFiles()
        let writer = try ArchiveWriter(
            Samples.folder, boot: Samples.boot, limits: Samples.limits(batchRecords: 1, segmentBytes: 1), files: other)
        try writer.append(Samples.frames(0..<12), now: Samples.now)
        contents = try Self.archive()
        contents[Self.path(5)] = other.contents[Self.path(5)]
        let inside = try Self.verify(contents)
        #expect(inside.damage.first?.problem == .repeated(last: ArchivePosition(6)))
        #expect(inside.damage.first?.segment == Self.path(5))
        #expect(inside.records == 12)
        #expect(inside.lastPosition == ArchivePosition(12))
        #expect(inside.missing.isEmpty)
    }

    @Test func `with files of others in it, passes over them and counts them`() throws {
        var contents = try Self.archive()
        let folder = "/memory/archive/attic"
        for name in [
            "notes.txt", "2026/03/README", "2026/03/01/1.jsonl.zst", "2026/03/01/.swp", "26/03/x", "writer.lock",
        ] {
            contents["\(folder)/\(name)"] = [1, 2, 3]
        }
        contents[Self.path(4) + ".torn"] = [9]
        contents[Self.path(4) + ".torn.2"] = [9]
        contents[Self.path(4) + ".index"] = [9]
        let verified = try Self.verify(contents)
        #expect(verified.isIntact)
        #expect(verified.records == 12)
        #expect(verified.otherFiles?.foreign == 5)
        #expect(verified.otherFiles?.torn == 2)
    }

    // The clock goes a year forwards, then back over midnight, then right again: positions decide, not folders.
    @Test func `after jumps of the clock, is in the order of its positions, everywhere`() throws {
        let files = MemoryFiles()
        let limits = Samples.limits(batchRecords: 1, segmentBytes: 1)
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, limits: limits, files: files)
        let day: Int64 = 86_400_000_000
        var expected: [Observation] = []
        for jump in [0, 365 * day, -day, -40 * day, 0, day] {
            expected += Samples.frames(expected.count..<expected.count + 2, from: Samples.evening + jump)
        }
        try writer.append(expected, now: Samples.now)
        let paths = files.contents.keys.sorted().filter { $0.hasSuffix(".zst") }
        #expect(
            paths.map { String($0.dropFirst("/memory/archive/attic/".count).prefix(10)) } == [
                "2026/01/20", "2026/01/20", "2026/02/28", "2026/02/28", "2026/03/01", "2026/03/01", "2026/03/01",
                "2026/03/01", "2026/03/02", "2026/03/02", "2027/03/01", "2027/03/01",
            ])
        #expect(try Samples.all(files) == Samples.records(expected))
        #expect(try Samples.all(files, from: 5) == Array(Samples.records(expected).dropFirst(4)))
        #expect(try ArchiveListing.segments(Samples.folder, files: files).map(\.firstPosition.number) == Array(1...12))
        let verified = try ArchiveVerification.run(Samples.folder, files: files)
        #expect(verified.isIntact)
        #expect(verified.records == 12)
    }

    @Test func `does not begin another segment when the clock goes back, and does when a later day comes`() throws {
        let files = MemoryFiles()
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        let day: Int64 = 86_400_000_000
        for (index, jump) in [0, -day, 365 * day, -day, 366 * day].enumerated() {
            try writer.append(Samples.frames(index..<index + 1, from: Samples.evening + jump), now: Samples.now)
        }
        #expect(
            files.contents.keys.filter { $0.hasSuffix(".zst") }.sorted() == [
                Self.path(1), Self.path(3, day: "2027/03/01"), Self.path(5, day: "2027/03/02"),
            ])
        #expect(try ArchiveVerification.run(Samples.folder, files: files).isIntact)
    }
}
