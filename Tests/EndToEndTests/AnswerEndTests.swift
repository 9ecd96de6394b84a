import Archive
import CastModel
import Glibc
import IO
import Recording
import TestSupport
import Testing

/// What a person is told of an answer that does not hold for all that is in the archive.
@Suite("An answer of the ledger", .serialized, .waits)
struct AnswerEndTests {
    static let recorder = "5f0c7a52-8a4e-4b7b-9d6e-0a1b2c3d4e5f"

    private func archive(_ data: String) throws -> ArchiveFolder {
        try ArchiveFolder(data: data, recorder: Self.recorder)
    }

    /// Appends one device that went away per second, from so many seconds after 2026-03-01T20:15:04Z on.
    private func append(_ seconds: ClosedRange<Int64>, to data: String) throws {
        let writer = try ArchiveWriter(archive(data), boot: "0b0e2c5a-1111-2222-3333-444455556666")
        let now = MonotonicTime(nanoseconds: 0)
        for second in seconds {
            let at = WallTime(microseconds: 1_772_396_104_000_000 + second * 1_000_000)
            let body = RecordBody.deviceWithdrawn(DeviceID("device-\(second)"))
            try writer.append([Observation(at: at, monotonic: now, body)], now: now)
        }
        try writer.finish(now: now)
    }

    private func folder() throws -> String {
        let data = try Files.makeTemporaryFolder("castledger-end", mode: 0o711)
        try Files.replace(data + "/recorder-id", with: Array("\(Self.recorder)\n".utf8), mode: 0o644)
        try append(1...5, to: data)
        return data
    }

    @Test func `says when the database is behind the archive, and where both end`() throws {
        let data = try folder()
        defer { try? Files.removeTree(data) }
        let place = ["--data", data]
        #expect(try Program.run(["rebuild"] + place).exit == .code(0))
        let down = "castledger: no recorder writes into \(data) now: nothing is known after 2026-03-01T20:"
        let (_, even) = try Program.run(["devices"] + place)
        #expect(even == "\(down)15:09.000000Z\ncastledger: no device known\n")

        // Fifteen minutes later, nobody has applied what came.
        try append(900...902, to: data)
        let (_, behind) = try Program.run(["devices"] + place)
        let expected = """
            castledger: the database ends at 2026-03-01T20:15:09.000000Z, the archive at 2026-03-01T20:30:06.000000Z: \
            3 records are not in this answer
            \(down)30:06.000000Z
            castledger: no device known

            """
        #expect(behind == expected)

        let (coverageExit, coverage) = try Program.run(["coverage", "--from", "2026-03-02"] + place)
        #expect(coverageExit == .code(1))
        #expect(coverage.hasSuffix("castledger: no device is known in that period\n"), "\(coverage)")
    }

    @Test func `is not given as whole by a rebuild of a damaged archive`() throws {
        let data = try folder()
        defer { try? Files.removeTree(data) }
        try append(900...902, to: data)
        let segment = try #require(try ArchiveListing.segments(archive(data)).first?.path)
        var content = try Files.read(segment)
        content[40] ^= 0xFF
        try Files.replace(segment, with: content)
        let (exit, text) = try Program.run(["rebuild", "--data", data])
        #expect(exit == .code(65))
        let expected = """
            castledger: the archive is damaged at 1 place: what was there is missing in the database. 'castledger archive \
            verify' names the records.
            """
        #expect(text.contains(expected + "\n"), "\(text)")
        #expect(text.contains("rebuilt: "), "what can be read is in the database")
    }

    @Test func `comes later than from a server that lives: a person is told what we wait for`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-silent", mode: 0o711)
        defer { try? Files.removeTree(folder) }
        // Listens, and says nothing.
        let listener = try LocalSocket.listen(at: folder + "/.s.PGSQL.5432")
        defer { Socket.close(listener) }
        let log = folder + "/log"
        let program = try Program.start(
            ["devices", "--data", folder, "--database", "postgresql://nobody@/nothing?host=\(folder)"], log: log)
        let said = try eventually { () -> String? in
            let text = String(decoding: try Files.read(log), as: UTF8.self)
            return text.isEmpty ? nil : text
        }
        program.send(SIGTERM)
        program.wait()
        let expected = """
            castledger: PostgreSQL has been silent for a while (connecting): it is slow, stopped, or waits for a lock. Still \
            waiting; end with Ctrl-C.

            """
        #expect(said == expected)
    }

    @Test(arguments: [["record", "--no-discovery", "--device", "127.0.0.1:1"], ["archive", "prune", "--dry-run"]])
    func `is kept for ever only by leaving out the limit: none of something is a mistake`(words: [String]) throws {
        let data = try Files.makeTemporaryFolder("castledger-none", mode: 0o711)
        defer { try? Files.removeTree(data) }
        let (exit, text) = try Program.run(words + ["--data", data, "--keep", "0d"])
        #expect(exit == .code(64))
        #expect(text == "castledger: --keep 0 would keep nothing. Leave it out to keep everything.\n")
        #expect(try Files.names(in: data) == [])
    }

    @Test func `of status is 'down' also when the disk is bad`() throws {
        let data = try folder()
        defer { try? Files.removeTree(data) }
        try Files.replace(data + "/recorder-id", with: Array("half a na\n".utf8), mode: 0o644)
        let (exit, text) = try Program.run(["status", "--data", data])
        #expect(exit == .code(2))
        let expected = "down       no recorder writes into \(data); its archive cannot be read: read a UUID from "
        #expect(text.hasPrefix(expected), "\(text)")
    }
}
