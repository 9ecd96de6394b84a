import Glibc
import Telemetry
import TestSupport
import Testing

@testable import IO
@testable import Recorder

@Suite("The service that tells how a recorder is", .waits)
struct StatusServiceTests {
    /// More than the kernel takes for somebody who does not read.
    private static let long = [UInt8](repeating: UInt8(ascii: "a"), count: 4 << 20)

    private func service(
        readLimit: Duration = .seconds(60), _ body: (_ path: String, _ service: StatusService) throws -> Void
    ) throws {
        let folder = try Files.makeTemporaryFolder("castledger-status")
        defer { try? Files.removeTree(folder) }
        let service = try StatusService(path: folder + "/status.socket", readLimit: readLimit, log: .silent) {
            Self.long
        }
        service.start()
        defer { service.stop() }
        try body(folder + "/status.socket", service)
    }

    /// Somebody who connects and does not read; nil until the service listens.
    private func idler(_ path: String) throws -> Int32 {
        let fd = try eventually { try LocalSocket.connect(to: path, until: .max) }
        return try #require(fd)
    }

    private func ask(_ path: String) throws -> Int? {
        try LocalSocket.readAll(from: path, within: .seconds(30))?.count
    }

    @Test func `gives everybody the whole answer, however long`() throws {
        try service { path, _ in
            Socket.close(try idler(path))
            for _ in 0..<3 { #expect(try ask(path) == Self.long.count) }
        }
    }

    @Test func `eight who do not read keep a ninth waiting, until one of them leaves`() throws {
        try service { path, _ in
            let idlers = try (0..<StatusService.answerLimit).map { _ in try idler(path) }
            defer { idlers.dropFirst().forEach { Socket.close($0) } }
            // All are taken in the order they came, so the ninth finds eight before it.
            #expect(throws: IOError(call: "read", number: ETIMEDOUT, subject: path)) {
                try LocalSocket.readAll(from: path, within: .milliseconds(300))
            }
            Socket.close(idlers[0])
            #expect(try eventually { try ask(path) == Self.long.count ? true : nil } == true)
        }
    }

    @Test func `without descriptors the thread rests, and answers once it has some`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-status")
        defer { try? Files.removeTree(folder) }
        let path = folder + "/status.socket"
        let attempts = Guarded(0)
        let service = try StatusService(
            path: path, log: .silent,
            acceptNext: { listener throws(IOError) -> Int32? in
                let attempt = attempts.withLock {
                    $0 += 1; return $0
                }
                if attempt <= 2 { throw IOError(call: "accept", number: EMFILE) }
                return try LocalSocket.accept(listener)
            }, report: { Array("well".utf8) })
        service.start()
        defer { service.stop() }
        let start = Clock.monotonicNanoseconds()
        let answer = try eventually { try LocalSocket.readAll(from: path, within: .seconds(30)) }
        #expect(answer == Array("well".utf8))
        // Two pauses of a second: a thread that went on trying would be done in no time.
        #expect(Clock.monotonicNanoseconds() - start >= 1_900_000_000)
    }

    @Test func `who does not read in time is dropped`() throws {
        try service(readLimit: .milliseconds(200)) { path, _ in
            let idlers = try (0..<StatusService.answerLimit).map { _ in try idler(path) }
            defer { idlers.forEach { Socket.close($0) } }
            #expect(try eventually { try ask(path) == Self.long.count ? true : nil } == true)
        }
    }

    @Test func `at the end the socket is gone, and a slow reader holds up nothing`() throws {
        try service { path, service in
            let idle = try idler(path)
            defer { Socket.close(idle) }
            service.stop()
            #expect(!Files.exists(path))
            #expect(try ask(path) == nil)
        }
    }
}
