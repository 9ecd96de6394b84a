import CastModel
import Differ
import IO
import Store
import TestSupport
import Testing
import WebCore

@testable import Web

// Goal: a file that is long comes whole or not at all, and keeps nobody from the rest.
// Method: writers made for it in place of exports, which write much, slowly or not to the end.
@Suite("A file over HTTP", .waits) struct DocumentRouteTests {
    private func lab(
        _ write: @escaping @Sendable (Question, @escaping ([UInt8]) -> Bool) throws -> Void
    ) throws -> WebLab {
        let lab = try WebLab { _, sources in sources.document = { question, _, take in try write(question, take) } }
        try lab.record([sample(1, .deviceSeen)], until: 1)
        return lab
    }

    @Test func `comes whole, plain or compressed, with a name to keep it under`() throws {
        let lab = try lab { _, take in
            for number in 0..<3_000 { _ = take(Array("row \(number), \(String(repeating: "x", count: 1_000))\n".utf8)) }
        }
        let plain = try lab.get("/api/v1/exports/csv")
        #expect(plain.body.count == (0..<3_000).reduce(0) { $0 + "row \($1), \n".utf8.count + 1_000 })
        #expect(plain.header("content-disposition") == "attachment; filename=\"castledger.csv\"")
        #expect(plain.header("content-type")?.hasPrefix("text/csv") == true)
        let small = try lab.get("/api/v1/exports/csv", ["Accept-Encoding: gzip"])
        #expect(small.header("content-encoding") == "gzip" && small.body.count * 20 < plain.body.count)
        let folder = try Files.makeTemporaryFolder("castledger-gzip")
        defer { try? Files.removeTree(folder) }
        try Files.replace(folder + "/a.gz", with: small.body)
        let (exit, unpacked) = try ChildProcess.run(["gzip", "-dc", folder + "/a.gz"])
        #expect(exit == .code(0) && unpacked == plain.body)
        #expect(try lab.get("/api/v1/exports/exe").status == 404)
    }

    @Test func `that fails before its first byte is a problem, and later a connection that breaks`() throws {
        let early = try lab { _, _ in throw HTTPProblem(400, "No.") }
        #expect(try early.get("/api/v1/exports/csv").status == 400)
        let late = try lab { _, take in
            _ = take(Array("half".utf8))
            throw HTTPProblem(500, "No.")
        }
        #expect(throws: (any Error).self, "the last chunk is missing") { try late.get("/api/v1/exports/csv") }
        #expect(try late.get("/healthz").status == 200)
    }

    @Test func `stops to be made when nobody reads any more`() throws {
        let isOver = Guarded(false)
        let lab = try lab { _, take in
            let piece = [UInt8](repeating: 0x61, count: 65_536)
            while take(piece) {}
            isOver.withLock { $0 = true }
        }
        let line = try LabConnection(port: lab.port)
        line.send("GET /api/v1/exports/csv HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(line.read(until: "aaaa"))
        line.close()
        #expect(try eventually { isOver.withLock { $0 } ? true : nil } == true)
    }
}
