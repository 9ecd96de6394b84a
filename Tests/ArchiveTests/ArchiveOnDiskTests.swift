import IO
import Recording
import Testing

@testable import Archive

@Suite("An archive on disk")
struct ArchiveOnDiskTests {
    /// Reads a recorder's folder knowing nothing but docs/format.md: zstdcat, JSON, SHA-256, CRC-32C bit by bit.
    static let witness = """
        import glob, hashlib, json, subprocess, sys
        def crc32c(data):
            crc = 0xffffffff
            for byte in data:
                crc ^= byte
                for _ in range(8):
                    crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
            return crc ^ 0xffffffff
        chain, position, batches, segments = bytes(32), 0, 0, 0
        for path in sorted(glob.glob(sys.argv[1] + '/????/??/??/*.jsonl.zst')):
            lines = subprocess.run(['zstdcat', path], check=True, capture_output=True).stdout.splitlines(keepends=True)
            first = json.loads(lines[0])
            assert first == {'kind': 'segment', 'format': 1, 'recorder': 'attic', 'first_position': position + 1,
                             'previous_chain': chain.hex()}, first
            covered, records, segments = lines[0], 0, segments + 1
            for line in lines[1:]:
                value = json.loads(line)
                if value['kind'] == 'batch':
                    chain = hashlib.sha256(chain + covered).digest()
                    assert value == {'kind': 'batch', 'records': records, 'first_position': position - records + 1,
                                     'last_position': position, 'crc32c': '%08x' % crc32c(covered),
                                     'chain': chain.hex()}, value
                    covered, records, batches = b'', 0, batches + 1
                else:
                    position += 1
                    records += 1
                    assert value['position'] == position, value
                    covered += line
            assert covered == b''
        print(position, 'records', batches, 'batches', segments, 'segments', chain.hex())
        """

    @Test func `is read by zstdcat and Python, which compute the same checksums and chain`() throws {
        let data = try Scratch()
        let folder = try ArchiveFolder(data: data.path, recorder: "attic")
        for run in 0..<3 {
            let limits = Samples.limits(frameBytes: 1500, segmentBytes: 4000)
            let writer = try ArchiveWriter(folder, boot: Samples.boot, limits: limits)
            try writer.append(Samples.frames(run * 17..<run * 17 + 17), now: Samples.now)
            try writer.finish(now: Samples.now)
        }
        let verified = try ArchiveVerification.run(folder)
        #expect(verified.isIntact)
        #expect(verified.records == 51)
        #expect(verified.segments == 6)
        let (exit, output) = try ChildProcess.run(["python3", "-c", Self.witness, folder.path])
        #expect(exit == .code(0))
        let chain = try #require(verified.chain)
        #expect(String(decoding: output, as: UTF8.self) == "51 records 18 batches 6 segments \(chain)\n")
    }

    @Test func `cut by a crash, is whole zstd again after the next start`() throws {
        let (path, bytes, _) = SegmentCrashTests.whole
        for cut in stride(from: bytes.count - 1, to: 300, by: -50) {
            let data = try Scratch()
            let folder = try ArchiveFolder(data: data.path, recorder: "attic")
            let segment = folder.path + path.dropFirst(Samples.folder.path.count)
            try Files.makeFolders(String(segment.prefix(segment.utf8.count - 30)))
            try Files.replace(segment, with: Array(bytes.prefix(cut)))
            #expect(try ChildProcess.run(["zstd", "-t", "-q", segment]).0 == .code(1), "cut at \(cut)")
            let writer = try ArchiveWriter(folder, boot: Samples.boot)
            try writer.append(Samples.frames(50..<53), now: Samples.now)
            try writer.finish(now: Samples.now)
            let (exit, _) = try ChildProcess.run(["python3", "-c", Self.witness, folder.path])
            #expect(exit == .code(0), "cut at \(cut)")
        }
    }

    @Test func `can be read by its owner alone`() throws {
        let data = try Scratch()
        let folder = try ArchiveFolder(data: data.path, recorder: "attic")
        let writer = try ArchiveWriter(folder, boot: Samples.boot)
        try writer.append(Samples.frames(0..<1), now: Samples.now)
        let (_, output) = try ChildProcess.run(["find", folder.path, "-printf", "%m %P\\n"])
        #expect(
            String(decoding: output, as: UTF8.self).split(separator: "\n").sorted() == [
                "600 2026/03/01/0000000000000000001.jsonl.zst", "600 writer.lock", "700 ", "700 2026", "700 2026/03",
                "700 2026/03/01",
            ])
    }

    @Test func `lists its segments with positions, times and sizes`() throws {
        let data = try Scratch()
        let folder = try ArchiveFolder(data: data.path, recorder: "attic")
        let first = try ArchiveWriter(folder, boot: Samples.boot)
        try first.append(Samples.frames(0..<5), now: Samples.now)
        try first.finish(now: Samples.now)
        try first.append(Samples.frames(5..<7), now: Samples.now)
        let segments = try ArchiveListing.segments(folder)
        #expect(segments.map(\.firstPosition.number) == [1, 6])
        #expect(segments.map(\.lastPosition?.number) == [5, 7])
        #expect(segments.map(\.from?.text) == ["2026-03-01T20:15:04.000000Z", "2026-03-01T20:15:09.000000Z"])
        #expect(segments.map(\.to?.text) == ["2026-03-01T20:15:08.000000Z", "2026-03-01T20:15:10.000000Z"])
        #expect(segments.map(\.records) == [5, 2])
        #expect(segments.map(\.isOpen) == [false, true])
        for segment in segments {
            let compressed = try ChildProcess.run(["stat", "-c", "%s", segment.path]).1
            #expect(String(decoding: compressed, as: UTF8.self) == "\(segment.compressedBytes)\n")
            let content = try ChildProcess.run(["sh", "-c", "zstdcat '\(segment.path)' 2>/dev/null | wc -c"]).1
            #expect(String(decoding: content, as: UTF8.self) == "\(segment.bytes)\n")
        }
        #expect(try ArchiveFolder.recorders(data: data.path) == ["attic"])
    }

    @Test func `says of the segment being written that it is open, also where a frame has just ended`() throws {
        let data = try Scratch()
        let folder = try ArchiveFolder(data: data.path, recorder: "attic")
        func areOpen() throws -> [Bool] { try ArchiveListing.segments(folder).map(\.isOpen) }
        do {
            let limits = Samples.limits(frameBytes: 1, segmentBytes: 2000)
            let writer = try ArchiveWriter(folder, boot: Samples.boot, limits: limits)
            try writer.append(Samples.frames(0..<9), now: Samples.now)
            #expect(try areOpen() == [false, true])
            try writer.finish(now: Samples.now)
            #expect(try areOpen() == [false, false])
            try writer.append(Samples.frames(9..<10), now: Samples.now)
        }
        #expect(try areOpen() == [false, false, false], "a crash left whole frames")
    }

    @Test(arguments: ["mkfifo", "ln -s /dev/zero", "mkdir"])
    func `with something else in place of a segment, is refused at once, by name`(make: String) throws {
        let data = try Scratch()
        let folder = try ArchiveFolder(data: data.path, recorder: "attic")
        let writer = try ArchiveWriter(folder, boot: Samples.boot)
        try writer.append(Samples.frames(0..<3), now: Samples.now)
        try writer.finish(now: Samples.now)
        let segment = try #require(try ArchiveListing.segments(folder).first).path
        try Files.removeTree(segment)
        #expect(try ChildProcess.run(["sh", "-c", "\(make) \(segment)"]).0 == .code(0))
        #expect {
            try ArchiveVerification.run(folder)
        } throws: { error in
            "\(error)".contains(segment)
        }
    }
}
