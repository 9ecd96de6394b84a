import IO
import TestSupport
import Testing

// Goal: what stands in deploy/ for others' programs is what those programs take it for.
// Method: each file is read by the program that it is for, or by the rules that its makers publish.
@Suite("What is deployed for others") struct OperatingTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    private static let deploy = root + "/deploy"

    /// Runs a program that must end well, and returns what it said.
    @discardableResult
    private func run(_ words: [String]) throws -> String {
        let (exit, output) = try ChildProcess.run(words, includingErrors: true)
        let text = String(decoding: output, as: UTF8.self)
        #expect(exit == .code(0), "\(words.joined(separator: " ")): \(text)")
        return text
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Files.read("\(Self.deploy)/\(name)"), as: UTF8.self)
    }

    private func promtool() throws -> String {
        let path = Self.root + "/.build/test-peers/promtool"
        try #require(Files.exists(path), "\(path) is not there: run 'make test-deps' first")
        return path
    }

    @Test func `rules of Prometheus fire in the cases that were counted by hand, and not before`() throws {
        let folder = Self.deploy + "/prometheus"
        try run([promtool(), "check", "config", "\(folder)/prometheus.yml"])
        let said = try run([promtool(), "test", "rules", "\(folder)/castledger.rules.test.yml"])
        #expect(said.contains("SUCCESS"))
    }

    @Test func `each alert of Prometheus has a case in which it fires, and one in which it does not yet`() throws {
        let cases = try text("prometheus/castledger.rules.test.yml")
        let alerts = try text("prometheus/castledger.rules.yml").split(separator: "\n").compactMap { line in
            line.split(separator: "alert: ").dropFirst().first.map(String.init)
        }
        #expect(alerts.count == 13)
        for alert in alerts { #expect(cases.contains("alertname: \(alert)\n        exp_alerts:\n"), "\(alert)") }
    }

    /// 13 of 100, where 0 is shut in altogether: what is left is the network, that it asks Avahi, and the id of the boot.
    @Test(arguments: ["castledger.service", "castledger-serve.service"])
    func `a unit is as shut in as its documentation says`(unit: String) throws {
        try run(["systemd-analyze", "security", "--offline=true", "--threshold=13", "\(Self.deploy)/\(unit)"])
        #expect(try Files.read(Self.root + "/docs/operating.md").contains("1.3 of 10"))
    }

    @Test func `dashboards and rules name metrics that are documented, and no others`() throws {
        let named = try MetricNames.inDashboardsAndRules()
        #expect(named.count > 15)
        #expect(try named.subtracting(MetricNames.documented()).sorted() == [])
    }

    @Test func `the container file and the compose file are well formed`() throws {
        let python = try TestPython.path()
        let programs = String(python.dropLast("python".count))
        try run([programs + "hadolint", "\(Self.deploy)/container/Containerfile"])
        try run([
            programs + "check-jsonschema", "--builtin-schema", "vendor.compose-spec",
            "\(Self.deploy)/container/compose.yaml",
        ])
    }

    @Test func `the scripts are what their shell can read`() throws {
        for script in ["deb/build", "deb/manual", "deb/postinst", "deb/prerm", "deb/postrm", "install-test-peers"] {
            try run(["sh", "-n", "\(Self.deploy)/\(script)"])
        }
        try run(["bash", "-n", "\(Self.deploy)/deb/test"])
    }
}

extension [UInt8] {
    fileprivate func contains(_ words: String) -> Bool { String(decoding: self, as: UTF8.self).contains(words) }
}
