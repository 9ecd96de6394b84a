import Glibc
import IO
import Store
import TestSupport
import Testing

@testable import Recorder

/// A tablespace on a file system of a few megabytes, filled to its last byte.
@Suite("The projection, when PostgreSQL's disk is full", .serialized, .waits, .root("DiskFullTests"))
struct DiskFullTests {
    private static let shared = Result { try FaultyServer() }

    private func run(_ words: String...) throws {
        let (exit, output) = try ChildProcess.run(words, includingErrors: true)
        try #require(exit == .code(0), "\(words): \(String(decoding: output, as: UTF8.self))")
    }

    /// Writes zeros until nothing more goes in.
    private func fill(_ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        for size in [1 << 16, 1 << 12, 1] {
            let zeros = [UInt8](repeating: 0, count: size)
            while write(file, zeros, size) > 0 {}
        }
        #expect(errno == ENOSPC)
    }

    @Test func `is told, recording goes on, and the batch goes in once there is room`() throws {
        let server = try FaultyServer.ready(Self.shared)
        let folder = try Files.makeTemporaryFolder("castledger-full", mode: 0o711)
        defer { try? Files.removeTree(folder) }
        try run("mount", "-t", "tmpfs", "-o", "size=32m,mode=711", "castledger-full", folder)
        defer { _ = try? ChildProcess.run(["umount", "-l", folder]) }
        try Files.makeFolders(folder + "/space")
        try run("chown", "postgres", folder + "/space")
        let owner = try PostgresConnection(server.address("postgres"))
        try owner.execute("CREATE TABLESPACE tiny LOCATION '\(folder)/space'")
        try owner.execute("CREATE DATABASE full_one TABLESPACE tiny")
        let stage = try ProjectionStage(server.address("full_one"), batches: 1)
        try stage.awaitApplied(1)
        try fill(folder + "/filler")

        stage.grow(to: stage.evening.ends.count)
        let trouble = try stage.awaitTrouble { $0.contains("No space left on device") }
        print(trouble)
        #expect(
            trouble.hasPrefix("PostgreSQL refused to go on while storing ") && trouble.hasSuffix("(SQLSTATE 53100)."))
        let applied = try #require(stage.projector.progress.applied)
        #expect(applied < (try #require(stage.evening.ends.last)))

        try Files.removeTree(folder + "/filler")
        try stage.finish(on: server)
        try owner.execute("DROP DATABASE full_one WITH (FORCE)")
        try owner.execute("DROP TABLESPACE tiny")
    }
}
