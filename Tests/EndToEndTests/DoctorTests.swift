import CastModel
import IO
import TestSupport
import Testing

@Suite("castledger doctor", .waits) struct DoctorTests {
    /// What it finds about the database.
    private func findings(_ arguments: [String]) throws -> [String] {
        try Program.json(["doctor"] + arguments).filter { $0["check"] == "database" }
            .map { "\($0["level"]?.string ?? "-"): \($0["meaning"]?.string ?? "-")" }
    }

    @Test func `says why a private database does not come up`() throws {
        let data = try Files.makeTemporaryFolder("castledger-doctor")
        defer { try? Files.removeTree(data) }
        try Files.replace(data + "/postgres", with: Array("no folder".utf8))
        let found = try findings(["--data", data])
        #expect(found.count == 2, "\(found)")
        // As root it runs as 'postgres', who may not even look for the folder.
        let reasons = [
            "fail: The private PostgreSQL cluster failed to ",
            "fail: The user 'postgres' cannot reach \(data)/postgres",
        ]
        #expect(reasons.contains { found.last?.hasPrefix($0) == true }, "\(found)")
    }

    @Test func `says why a database of somebody's own does not answer`() throws {
        let data = try Files.makeTemporaryFolder("castledger-doctor")
        defer { try? Files.removeTree(data) }
        let found = try findings(["--data", data, "--database", "postgresql://nobody@127.0.0.1:1/none"])
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix("fail: PostgreSQL cannot be reached: ") == true, "\(found)")
    }

    @Test func `looks for no private database before the first recording`() throws {
        let data = try Files.makeTemporaryFolder("castledger-doctor")
        defer { try? Files.removeTree(data) }
        let found = try findings(["--data", data])
        #expect(found.count == 1 && found.first?.hasPrefix("ok: PostgreSQL's programs are in ") == true, "\(found)")
        #expect(!Files.exists(data + "/postgres"))
    }
}
