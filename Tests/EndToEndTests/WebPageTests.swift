import CastModel
import Glibc
import IO
import TestSupport
import Testing

// Goal: 'record' and 'serve' show what the ledger has, to those who may see it, and end in good order.
// Method: the program as a process, a simulated device, curl as somebody else's reader.
@Suite("The page of the program", .waits) struct WebPageTests {
    /// A port that nobody listens on at the moment.
    private func freePort() throws -> UInt16 {
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { throw Failure(description: "no loopback") }
        let listener = try Socket.listen(on: address)
        defer { Socket.close(listener) }
        return Socket.localPort(listener)
    }

    private struct Failure: Error { let description: String }

    /// An answer and its status code.
    private func ask(_ url: String, _ more: [String] = []) throws -> (code: Int, body: [UInt8]) {
        let (_, output) = try ChildProcess.run(
            ["curl", "-s", "-m", "20", "-w", "\n%{http_code}"] + more + [url])
        let end = output.lastIndex(of: 0x0A) ?? 0
        return (Int(String(decoding: output[(end + 1)...], as: UTF8.self)) ?? 0, Array(output[..<end]))
    }

    private func json(_ url: String, _ more: [String] = []) throws -> JSONValue {
        let answer = try ask(url, more)
        guard answer.code == 200 else {
            throw Failure(description: "\(url): \(answer.code) \(String(decoding: answer.body, as: UTF8.self))")
        }
        return try JSONParser(depthLimit: 512).parse(answer.body)
    }

    @Test func `is there while it records, has the raw frame behind an event, and ends with it`() throws {
        let world = try World()
        defer { world.end() }
        let port = try freePort()
        let root = "http://127.0.0.1:\(port)"
        try world.startRecorder(["--listen", "127.0.0.1:\(port)"])
        try world.waitForEvent("link_opened")
        let now = try eventually { () -> JSONValue? in
            guard let item = try? json(root + "/api/v1/now")["items"]?.array?.first else { return nil }
            return item["state"] == "linked" ? item : nil
        }
        #expect(now?["activity"] == "idle", "\(world.logText)")
        #expect(try ask(root + "/healthz").code == 200)
        let metrics = String(decoding: try ask(root + "/metrics").body, as: UTF8.self)
        for line in ["castledger_up 1\n", "castledger_database_up 1\n", "castledger_devices{state=\"linked\"} 1\n"] {
            #expect(metrics.contains(line), "\(metrics)")
        }
        #expect(now?["attach_mode"] == "invisible" && now?["sender_connected"] == .null, "no app runs")
        try checkFigures(world, root)
        let events = try world.events(["--kind", "link_opened"])
        let name = try #require(events.first)
        let moment = try json(root + "/api/v1/events/\(name["position"]?.text ?? "")/\(name["ordinal"]?.text ?? "")")
        #expect(moment["raw_frame"]?["kind"] == "link_opened")
        #expect(moment["raw_frame"]?["position"] == name["position"])
        let page = String(decoding: try ask(root + "/").body.prefix(15), as: UTF8.self)
        #expect(page.lowercased() == "<!doctype html>")
        // The same rows as the command line has.
        let (_, exported) = try Program.run([
            "export", "--format", "csv", "--data", world.data, "--what", "events", "--from", "-1d", "--to", "now",
        ])
        let streamed = String(decoding: try ask(root + "/api/v1/exports/csv?what=events").body, as: UTF8.self)
        let rows = Set(exported.split(separator: "\r\n").filter { !$0.hasPrefix("castledger: ") })
        #expect(rows.count > 3 && rows.isSubset(of: Set(streamed.split(separator: "\r\n"))))
        for report in ["as-run", "uptime", "audit", "totals"] {
            let lines = try ask(root + "/api/v1/reports/\(report)")
            #expect(lines.code == 200, "\(report): \(String(decoding: lines.body, as: UTF8.self))")
            for line in lines.body.split(separator: 0x0A) {
                #expect(throws: Never.self) { try JSONParser().parse(Array(line)) }
            }
            let table = try ask(root + "/api/v1/reports/\(report)?format=csv&zone=Asia/Kolkata")
            #expect(table.code == 200 && String(decoding: table.body, as: UTF8.self).contains("device"), "\(report)")
        }
        #expect(try ask(root + "/api/v1/reports/secrets").code == 404)
        #expect(world.stopRecorder() == .code(0), "\(world.logText)")
        #expect(try ask(root + "/healthz").code == 0, "nobody listens any more")
    }

    /// What only the recorder knows is on its way to the page, and what only the disk knows.
    private func checkFigures(_ world: World, _ root: String) throws {
        let trip = try eventually { () -> Double? in
            guard
                case .number(let seconds)? = try json(root + "/api/v1/devices")["items"]?.array?.first?[
                    "round_trip_seconds"]
            else { return nil }
            return seconds
        }
        #expect(trip.map { $0 > 0 && $0 < 5 } == true, "\(String(describing: trip))")
        #expect(try json(root + "/api/v1/status")["storage"]?["last_verify"] == .null)
        #expect(try Program.run(["archive", "verify", "--data", world.data]).exit == .code(0))
        let storage = try #require(try json(root + "/api/v1/status")["storage"])
        #expect(storage["last_verify"]?["intact"] == true)
        #expect(storage["archive_days"]?.array?.count == 1 || storage["archive_days"]?.array?.count == 2)
        let metrics = String(decoding: try ask(root + "/metrics").body, as: UTF8.self)
        for line in [
            "castledger_links_opened_total 1\n", "castledger_frames_sent_total{type=\"CHALLENGE\"} 1\n",
            "castledger_archive_intact 1\n", "castledger_frames_malformed_total 0\n",
        ] {
            #expect(metrics.contains(line), "\(line)\(metrics)")
        }
        let (_, told) = try ChildProcess.run([Program.path, "status", "--data", world.data, "--json"])
        #expect(try JSONParser().parse(told)["storage"]?["last_verify"] == storage["last_verify"])
        let (_, words) = try ChildProcess.run([Program.path, "status", "--data", world.data])
        #expect(String(decoding: words, as: UTF8.self).contains("verified   intact on 20"))
    }

    @Test func `of a ledger that nobody records is served, follows a recorder that starts, and 'watch' prints it`()
        throws
    {
        let world = try World()
        defer { world.end() }
        try world.startRecorder()
        try world.waitForEvent("link_opened")
        try world.waitUntilApplied()
        #expect(world.stopRecorder() == .code(0))
        let port = try freePort()
        let served = try Program.start(
            ["serve", "--data", world.data, "--listen", "127.0.0.1:\(port)"], log: world.folder + "/serve.log")
        defer {
            served.send(SIGTERM)
            served.wait()
        }
        let root = "http://127.0.0.1:\(port)"
        let state = try eventually { try? json(root + "/api/v1/devices")["items"]?.array?.first?["state"]?.string }
        #expect(state == "not recorded")
        #expect(try ask(root + "/api/v1/status").code == 200)
        let watch = try Program.start(
            ["watch", "--json", "--data", world.data, "--only", "change"], log: world.folder + "/watch.log")
        defer {
            watch.send(SIGINT)
            watch.wait()
        }
        let stream = try ChildProcess(
            ["curl", "-sN", root + "/api/v1/stream"],
            output: open(world.folder + "/stream.log", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600), errors: STDERR_FILENO)
        defer {
            stream.send(SIGKILL)
            stream.wait()
        }
        func text(_ name: String) -> String {
            String(decoding: (try? Files.read(world.folder + "/" + name)) ?? [], as: UTF8.self)
        }
        #expect(try eventually { text("stream.log").contains("event: status") ? true : nil } == true)
        try world.startRecorder()
        let told = try eventually { () -> Bool? in
            text("stream.log").contains("\"kind\":\"link_opened\"")
                && text("watch.log").contains("\"kind\":\"link_opened\"")
                ? true : nil
        }
        #expect(told == true, "\(text("stream.log"))\n\(text("watch.log"))\n\(text("serve.log"))\n\(world.logText)")
        #expect(
            try eventually {
                try? json(root + "/api/v1/devices")["items"]?.array?.first?["state"] == "linked" ? true : nil
            } == true)
    }

    @Test func `on another address wants a token, and settings that would let others in are refused`() throws {
        let world = try World()
        defer { world.end() }
        let port = try freePort()
        let token = world.folder + "/token"
        let record = ["record", "--data", world.data, "--no-discovery", "--device", "127.0.0.1"]
        for (more, word) in [
            (["--listen", "0.0.0.0:\(port)"], "--token-file"), (["--listen", "[::]:\(port)"], "--token-file"),
            (["--listen", "nowhere"], "numeric address"),
            (["--listen", "127.0.0.1:\(port)", "--tls-key", "/none"], "go together"),
            (["--webhook-on", "gap"], "need --webhook-url"), (["--webhook-url", "ftp://a"], "begins with http"),
        ] {
            let (exit, words) = try Program.run(record + more)
            #expect(exit == .code(64) && words.contains(word), "\(more): \(words)")
        }
        try Files.replace(token, with: Array("short\n".utf8))
        #expect(try Program.run(record + ["--token-file", token]).exit == .code(78))
        try Files.replace(token, with: Array("0123456789abcdef\n".utf8), mode: 0o644)
        let (exit, words) = try Program.run(record + ["--token-file", token])
        #expect(exit == .code(78) && words.contains("others may read"))
        try Files.replace(token, with: Array("0123456789abcdef\n".utf8))
        try world.startRecorder(["--listen", "0.0.0.0:\(port)", "--token-file", token])
        let root = "http://127.0.0.1:\(port)"
        let refused = try eventually { () -> Int? in
            let code = try ask(root + "/api/v1/devices").code
            return code == 0 ? nil : code
        }
        #expect(refused == 401, "\(world.logText)")
        let shown = try eventually { () -> Bool? in
            try ask(root + "/api/v1/devices", ["-H", "Authorization: Bearer 0123456789abcdef"]).code == 200 ? true : nil
        }
        #expect(shown == true)
        #expect(!world.logText.contains("0123456789abcdef"))
    }

    @Test func `is encrypted where key and certificate are given`() throws {
        let world = try World()
        defer { world.end() }
        let port = try freePort()
        let (key, certificate) = (world.folder + "/key.pem", world.folder + "/certificate.pem")
        let (exit, _) = try ChildProcess.run(
            [
                "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
                "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            ], includingErrors: true)
        try #require(exit == .code(0))
        try world.startRecorder(["--listen", "127.0.0.1:\(port)", "--tls-key", key, "--tls-certificate", certificate])
        let root = "https://localhost:\(port)"
        let shown = try eventually { () -> Bool? in
            try ask(root + "/api/v1/devices", ["--cacert", certificate, "--compressed"]).code == 200 ? true : nil
        }
        #expect(shown == true, "\(world.logText)")
        #expect(try ask(root + "/healthz").code == 0, "an unknown certificate is refused")
        #expect(try ask("http://localhost:\(port)/healthz").code == 0, "no plain answer")
    }
}
