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

    @Test func `eight who do not read keep out a ninth, until one of them leaves`() throws {
        try service { path, _ in
            let idlers = try (0..<StatusService.answerLimit).map { _ in try idler(path) }
            defer { idlers.dropFirst().forEach { Socket.close($0) } }
            // All are taken in the order they came, so the ninth finds eight before it.
            #expect(try ask(path) == 0, "turned away without a word")
            Socket.close(idlers[0])
            #expect(try eventually { try ask(path) == Self.long.count ? true : nil } == true)
        }
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
