import CastModel
import IO
import TestSupport
import Testing

// Goal: whatever is asked, the answer is one that the description has, and never a failure of ours.
// Method: schemathesis (PyPI) makes questions from the description, valid and broken ones, with a fixed seed.
@Suite("Questions that others think of", .waits) struct StrangeQuestionTests {
    private static let checks =
        "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
        + "response_headers_conformance"

    @Test func `are answered as described, valid and broken ones`() throws {
        let lab = try WebLab()
        try RowRouteTests.evening(lab)
        let folder = try Files.makeTemporaryFolder("castledger-schemathesis")
        defer { try? Files.removeTree(folder) }
        let (exit, output) = try ChildProcess.run(
            [
                "env", "-C", folder, try TestPython.path(), "-m", "schemathesis.cli", "run",
                "http://127.0.0.1:\(lab.port)/api/v1/openapi.json", "--phases", "coverage,fuzzing", "--max-examples",
                "4",
                "--seed", "20260301", "--max-time", "60", "--exclude-path", "/api/v1/stream", "--checks", Self.checks,
                "--generation-database", "none", "--no-color",
            ], includingErrors: true)
        let words = String(decoding: output, as: UTF8.self)
        #expect(exit == .code(0), "\(words.suffix(4_000))")
        #expect(words.contains("Test cases:") && !words.contains("No test cases"), "\(words.suffix(500))")
    }
}
