import CastModel
import Fleet
import Glibc
import IO
import TestSupport
import Testing

// Goal: whoever is told by a webhook has been told every play and every conflict of the ledger, whatever broke meanwhile.
// Method: a real recorder, phones that fight, and a receiver by Python's http.server that refuses, dies after it has written
// a notice down but before it answers, and is started again; then the recorder is killed, too. Python checks each signature.
@Suite("A webhook of a recorder", .waits) struct WebhookDeliveryTests {
    private static let secret = "a secret of the test's own"

    /// Writes each notice down as "valid|invalid|stale kind id".
    ///
    /// Refuses the first notice, and ends without an answer when a file named "die" is there.
    private static let script = #"""
        import hashlib, hmac, http.server, json, os, sys, time

        FOLDER, SECRET = sys.argv[1], sys.argv[3].encode()
        refused = set()

        class Receiver(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                fields = dict(field.split("=", 1) for field in self.headers["Castledger-Signature"].split(","))
                expected = hmac.new(SECRET, fields["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
                verdict = "valid" if hmac.compare_digest(expected, fields["v1"]) else "invalid"
                if abs(time.time() - int(fields["t"])) > 60:
                    verdict = "stale"
                notice = json.loads(body)
                if notice["id"] != self.headers["Castledger-Event-Id"]:
                    verdict = "invalid"
                if not refused:
                    refused.add(notice["id"])
                    self.send_response(503)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                with open(FOLDER + "/notices", "a") as file:
                    file.write("%s %s %s\n" % (verdict, notice["kind"], notice["id"]))
                if os.path.exists(FOLDER + "/die"):
                    os.remove(FOLDER + "/die")
                    os._exit(9)
                self.send_response(204)
                self.end_headers()

        http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Receiver).serve_forever()
        """#

    /// What a receiver wrote down.
    private struct Told {
        var lines: [[Substring]] = []

        init(_ folder: String) {
            let text = String(decoding: (try? Files.read(folder + "/notices")) ?? [], as: UTF8.self)
            lines = text.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.count == 3 }
        }

        func ids(_ kind: String) -> Set<String> { Set(lines.filter { $0[1] == kind }.map { String($0[2]) }) }
    }

    @Test func `is taken by a server that refuses, dies and comes back: nothing of the ledger is missing`() throws {
        let world = try World(devices: 2, scenario: .fights, speed: 20)
        defer { world.end() }
        try Files.replace(world.folder + "/hook.py", with: Array(Self.script.utf8))
        try Files.replace(world.folder + "/secret", with: Array(Self.secret.utf8), mode: 0o600)
        let address = try #require(SocketAddress(host: "127.0.0.1", port: 0))
        let listener = try Socket.listen(on: address)
        let port = Socket.localPort(listener)
        Socket.close(listener)
        func startReceiver() throws -> ChildProcess {
            try ChildProcess(["python3", world.folder + "/hook.py", world.folder, "\(port)", Self.secret])
        }
        let settings = [
            "--webhook-url", "http://127.0.0.1:\(port)/", "--webhook-secret-file", world.folder + "/secret",
        ]
        func awaitNotices(_ count: Int) throws {
            let enough = try eventually { Told(world.folder).lines.count >= count ? true : nil }
            try #require(enough == true, "\(Told(world.folder).lines.count) of \(count): \(world.logText)")
        }

        var receiver = try startReceiver()
        defer { receiver.send(SIGKILL); receiver.wait() }
        try world.startRecorder(settings)
        try awaitNotices(5)
        // It has written one more down when it dies, and nobody knows that.
        try Files.replace(world.folder + "/die", with: [])
        #expect(receiver.wait() == .code(9))
        let before = Told(world.folder).lines.count
        try world.waitForEvent(within: 60) { _ in (try? world.events().count) ?? 0 > 40 }
        world.killRecorder()
        receiver = try startReceiver()
        try world.startRecorder(settings)
        try awaitNotices(before + 20)
        world.fleet.stop()

        func names(_ command: [String], _ more: String) throws -> [String] {
            try Program.json(command + ["--data", world.data, "--from", "-1d"]).map { row in
                "\(row["recorder_id"]?.string ?? "")/\(row["position"]?.text ?? "")/\(row["ordinal"]?.text ?? "")\(more)"
            }
        }
        let began = try Set(names(["plays"], "/play_started"))
        #expect(began.count >= 4, "\(began)")
        let all = try eventually { Told(world.folder).ids("play_started").isSuperset(of: began) ? true : nil }
        let told = Told(world.folder)
        #expect(all == true, "missing: \(began.subtracting(told.ids("play_started"))), \(told.lines)")
        #expect(told.ids("play_started") == began, "nothing invented")
        #expect(told.lines.allSatisfy { $0[0] == "valid" }, "\(told.lines.filter { $0[0] != "valid" })")
        // The one that was written down without an answer came again, under its own name.
        let again = told.lines[before - 1][2]
        #expect(told.lines.filter { $0[2] == again }.count >= 2, "\(again): \(told.lines)")
        #expect(world.stopRecorder() == .code(0), "\(world.logText)")
    }
}
