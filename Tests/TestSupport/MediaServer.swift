import Glibc
import IO

/// A web server of its own kind on loopback, by Python's http.server: one path per way to be wrong about CORS.
public final class MediaServer {
    /// Its port.
    public let port: Int
    private let process: ChildProcess
    private let folder: String

    /// Where a path is.
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Starts it and waits until it listens.
    public init() throws {
        folder = try Files.makeTemporaryFolder("castledger-media")
        try Files.replace(folder + "/server.py", with: Array(Self.script.utf8))
        let errors = open(folder + "/log", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(errors) }
        process = try ChildProcess(
            ["python3", folder + "/server.py", folder + "/port"], output: errors, errors: errors)
        let path = folder + "/port"
        let found = try eventually(within: 30) { () -> Int? in
            guard let bytes = try? Files.read(path, limitBytes: 64), bytes.last == UInt8(ascii: "\n") else {
                return nil
            }
            return Int(String(decoding: bytes.dropLast(), as: UTF8.self))
        }
        guard let found else { throw MDNSLab.Failure(description: "the media server does not start: \(folder)/log") }
        port = found
    }

    /// The requests that it got, one line each: method, path, origin.
    public func requests() throws -> [String] {
        let text = String(decoding: try Files.read(folder + "/log", limitBytes: 1 << 20), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    /// Ends it.
    public func stop() {
        process.send(SIGKILL)
        process.wait()
        try? Files.removeTree(folder)
    }

    private static let script = #"""
        import http.server, os, sys

        CUES = b"WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n"
        FILM = bytes(1000) * 5000
        NEEDED = "Content-Type, Accept-Encoding, Range"

        class Server(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def answer(self, status, headers, body=b""):
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def note(self):
                print(self.command, self.path, self.headers["Origin"], file=sys.stderr, flush=True)

            def do_GET(self):
                self.note()
                allowed = [("Access-Control-Allow-Origin", "*")]
                path = self.path.split("?")[0]
                if path == "/good.vtt":
                    self.answer(206, allowed + [("Content-Type", "text/vtt")], CUES)
                elif path == "/shut.vtt":
                    self.answer(206, [("Content-Type", "text/vtt")], CUES)
                elif path == "/film.mp4":
                    self.answer(200, allowed + [("Content-Type", "video/mp4")], FILM)
                elif path == "/loop":
                    self.answer(302, allowed + [("Location", "/loop")])
                elif path == "/away":
                    self.answer(302, allowed + [("Location", "http://169.254.169.254/latest/meta-data/")])
                elif path == "/file":
                    self.answer(302, allowed + [("Location", "file:///etc/passwd")])
                elif path == "/moved.vtt":
                    self.answer(301, allowed + [("Location", "http://localhost:%d/good.vtt" % PORT)])
                elif path == "/many":
                    self.answer(200, allowed + [("X-%d" % n, "x" * 900) for n in range(90)], CUES)
                else:
                    self.answer(404, [])

            def do_OPTIONS(self):
                self.note()
                if self.path.startswith("/film.mp4"):
                    self.answer(501, [])
                else:
                    self.answer(204, [("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Headers", NEEDED)])

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        PORT = server.server_address[1]
        with open(sys.argv[1] + ".new", "w") as file:
            file.write("%d\n" % PORT)
        os.rename(sys.argv[1] + ".new", sys.argv[1])
        server.serve_forever()
        """#
}
