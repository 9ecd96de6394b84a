import CastModel
import IO
import TestSupport
import Testing

// Goal: Prometheus finds in a recorder what dashboards and rules ask for.
// Method: Debian's prometheus scrapes a real recorder of simulated devices, with the rules of deploy/, and is asked by promtool.
@Suite("Prometheus", .waits) struct PrometheusTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// A program of Debian's package prometheus, as `make test-deps` unpacks it.
    private func peer(_ name: String) throws -> String {
        let path = "\(Self.root)/.build/test-peers/\(name)"
        try #require(Files.exists(path), "\(path) is not there: run 'make test-deps' first")
        return path
    }

    /// A port that nobody listens on at the moment.
    private func freePort() throws -> UInt16 {
        let address = try #require(SocketAddress(host: "127.0.0.1", port: 0))
        let listener = try Socket.listen(on: address)
        defer { Socket.close(listener) }
        return Socket.localPort(listener)
    }

    /// Prometheus with its configuration: looks every second, evaluates the rules as often.
    private func startPrometheus(_ world: World, recorder: UInt16, port: UInt16) throws -> ChildProcess {
        let configuration = """
            global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}
            rule_files: ["\(Self.root)/deploy/prometheus/castledger.rules.yml"]
            scrape_configs: [{job_name: castledger, static_configs: [{targets: ["127.0.0.1:\(recorder)"]}]}]
            """
        try Files.replace("\(world.folder)/prometheus.yml", with: Array(configuration.utf8), mode: 0o600)
        return try ChildProcess([
            peer("prometheus"), "--config.file=\(world.folder)/prometheus.yml",
            "--storage.tsdb.path=\(world.folder)/prometheus", "--web.listen-address=127.0.0.1:\(port)",
            "--log.level=error",
        ])
    }

    @Test func `of Debian scrapes a recorder, has what dashboards and rules name, and is woken by its end`() throws {
        let world = try World(devices: 2)
        defer { world.end() }
        let recorder = try freePort()
        let port = try freePort()
        try world.startRecorder(["--listen", "127.0.0.1:\(recorder)"])
        let prometheus = try startPrometheus(world, recorder: recorder, port: port)
        defer {
            prometheus.send(9)
            prometheus.wait()
        }
        /// Samples of an expression as JSON; empty while there are none.
        func ask(_ expression: String) throws -> [JSONValue] {
            let words = [
                try peer("promtool"), "query", "instant", "--format=json", "http://127.0.0.1:\(port)", expression,
            ]
            let (exit, output) = try ChildProcess.run(words, includingErrors: true)
            guard exit == .code(0) else { return [] }
            return try JSONParser().parse(output).array ?? []
        }
        func awaited(_ expression: String) throws {
            let found = try eventually { try ask(expression).isEmpty ? nil : true }
            #expect(found == true, "\(expression): \(world.logText.suffix(2000))")
        }
        try awaited("up{job=\"castledger\"} == 1")
        try awaited("castledger_devices{state=\"linked\"} == 2")
        try awaited("castledger_projection_lag_seconds < 60")

        #expect(try Program.run(["archive", "verify", "--data", world.data]).exit == .code(0))

        // What is told only while there is something to tell, or by a recorder that has run for longer.
        let rare: Set<String> = [
            "castledger_app_not_allowed", "castledger_conflicts_total", "castledger_device_observed_ratio",
            "castledger_webhook_notices_total",
        ]
        for name in try MetricNames.inDashboardsAndRules().subtracting(rare).sorted() { try awaited(name) }
        try awaited("castledger:devices_expected")
        let names = try ask("count by (__name__) ({job=\"castledger\"})").compactMap {
            $0["metric"]?["__name__"]?.string
        }
        let documented = try MetricNames.documented()
        for name in names where name.hasPrefix("castledger_") || name.hasPrefix("process_") {
            #expect(documented.contains(name), "\(name) is not in docs/metrics.md")
        }
        #expect(names.count > 15)

        let (_, text) = try ChildProcess.run(["curl", "-s", "-m", "20", "http://127.0.0.1:\(recorder)/metrics"])
        try Files.replace("\(world.folder)/metrics.txt", with: text, mode: 0o600)
        let (lint, findings) = try ChildProcess.run(
            ["sh", "-c", "\"$1\" check metrics <\"$2\"", "sh", peer("promtool"), "\(world.folder)/metrics.txt"],
            includingErrors: true)
        #expect(lint == .code(0), "promtool check metrics: \(String(decoding: findings, as: UTF8.self))")

        #expect(world.stopRecorder() == .code(0))
        try awaited("ALERTS{alertname=\"CastledgerRecorderDown\", alertstate=\"pending\"}")
    }
}
