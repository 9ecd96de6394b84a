import CastModel
import IO
import TestSupport
import Testing
import WebCore

@testable import Web

// Goal: nobody gets at the ledger who should not, and nobody keeps others from it.
// Method: real connections that do what a browser of an attacker, or an attacker, would do.
@Suite("The guard of the interface", .waits) struct GuardTests {
    private static let token = "0123456789abcdefghijklmnop"

    @Test func `answers only to its own names, so that no other page can take its place`() throws {
        let lab = try WebLab { settings, _ in settings.hostNames = ["Ledger.Example"] }
        for host in [
            "localhost", "LOCALHOST:8380", "127.0.0.1:8380", "[::1]:80", "192.0.2.7", "ledger.example", "tv.localhost",
        ] {
            #expect(try lab.get("/api/v1/openapi.json", ["Host: \(host)"]).status == 200, "\(host)")
        }
        for host in ["evil.example", "ledger.example.evil", "127.0.0.1.evil.example", "1.2.3.4.5", "localhost.evil"] {
            #expect(try lab.get("/api/v1/openapi.json", ["Host: \(host)"]).status == 421, "\(host)")
        }
        for host in ["", "a:b:c", "[::1", "localhost:99999"] {
            #expect(try lab.get("/api/v1/openapi.json", ["Host: \(host)"]).status == 400, "\(host)")
        }
        #expect(try lab.get("/api/v1/openapi.json", ["Host: localhost", "Host: localhost"]).status == 400)
    }

    @Test func `lets nobody in without the token, and takes it as header or as cookie`() throws {
        let lab = try WebLab { settings, _ in settings.token = Self.token }
        for target in [
            "/api/v1/now", "/api/v1/devices", "/metrics", "/api/v1/stream", "/api/v1/openapi.json", "/nothing",
        ] {
            let reply = try lab.get(target)
            #expect(reply.status == 401, "\(target)")
            #expect(reply.header("www-authenticate")?.hasPrefix("Bearer") == true)
        }
        for shown in ["", Self.token + "x", String(Self.token.dropLast()), "0" + Self.token.dropFirst() + "?"] {
            #expect(try lab.get("/api/v1/devices", ["Authorization: Bearer \(shown)"]).status == 401, "\(shown)")
        }
        #expect(try lab.get("/api/v1/devices", ["Authorization: Bearer \(Self.token)"]).status == 200)
        #expect(try lab.get("/api/v1/devices?token=\(Self.token)").status == 401, "not in addresses, which are logged")
        #expect(try lab.get("/").status == 200, "the page asks for it")
        let refused = try lab.get(
            "/login", ["Content-Type: application/json"], method: "POST", body: #"{"token":"wrong"}"#)
        #expect(refused.status == 401 && refused.header("set-cookie") == nil)
        let login = try lab.get(
            "/login", ["Content-Type: application/x-www-form-urlencoded"], method: "POST", body: "token=\(Self.token)")
        #expect(login.status == 204)
        let cookie = try #require(login.header("set-cookie"))
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains("Secure"))
        let pair = cookie.split(separator: ";")[0]
        #expect(try lab.get("/api/v1/devices", ["Cookie: a=b; \(pair)"]).status == 200)
        let foreign = try lab.get(
            "/login", ["Content-Type: application/json", "Origin: https://evil.example"], method: "POST",
            body: "{\"token\":\"\(Self.token)\"}")
        #expect(foreign.status == 403)
    }

    @Test func `tells browsers to load nothing from elsewhere and to run nothing inline`() throws {
        let lab = try WebLab()
        for target in ["/", "/api/v1/devices", "/api/v1/nothing", "/metrics"] {
            let reply = try lab.get(target)
            let policy = reply.header("content-security-policy") ?? ""
            #expect(
                policy.hasPrefix("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"), "\(target)")
            #expect(reply.header("x-content-type-options") == "nosniff")
            #expect(reply.header("referrer-policy") == "no-referrer")
            #expect(reply.header("access-control-allow-origin") == nil)
        }
        let problem = try lab.get("/api/v1/nothing")
        #expect(problem.header("content-type") == "application/problem+json")
        #expect(try JSONParser().parse(problem.body)["status"] == 404)
    }

    @Test func `refuses what is no question, and stays well`() throws {
        let lab = try WebLab()
        let bad: [(String, Int)] = [
            ("/../etc/passwd", 404), ("/%2e%2e/%2e%2e/etc/passwd", 404), ("/assets/..%2f..%2fetc%2fpasswd", 404),
            ("/assets/%2e%2e", 404), ("//", 404), ("/api//v1/now", 404), ("/assets/index.html%00.png", 400),
            ("/api/v1/%zz", 400), ("/api/v1/plays?title=%", 400), ("/api/v1/plays?title=%f", 400),
            ("/api/v1/plays?title=%ff%fe", 400), ("/api/v1/plays?title=%0a", 400), ("/api/v1/plays?titel=a", 400),
            ("/api/v1/plays?limit=0", 400), ("/api/v1/plays?limit=1001", 400), ("/api/v1/plays?limit=-1", 400),
            ("/api/v1/plays?limit=1e3", 400), ("/api/v1/plays?limit=99999999999999999999", 400),
            ("/api/v1/plays?limit=1&limit=2", 400), ("/api/v1/plays?sort=password", 400),
            ("/api/v1/plays?from=soon", 400),
            ("/api/v1/plays?from=2026-03-02&to=2026-03-01", 400), ("/api/v1/plays?zone=../../etc/passwd", 400),
            ("/api/v1/plays?zone=Mars/Olympus", 400), ("/api/v1/plays?min=-3", 400), ("/api/v1/plays?min=nan", 400),
            ("/api/v1/plays?between=25:00-26:00", 400), ("/api/v1/plays?weekday=someday", 400),
            ("/api/v1/plays?device=", 400), ("/api/v1/events?kind=exploded", 400),
            ("/api/v1/timeline?resolution=nan", 400),
            ("/api/v1/timeline?from=1970-01-01&to=2026-01-01", 400), ("/api/v1/conflicts?min_score=2", 400),
            ("/api/v1/plays/99999999999999999999/0", 404), ("/api/v1/plays/1/0?recorder=x", 400),
            ("/api/v1/plays?" + String(repeating: "a", count: 9_000), 414),
        ]
        for (target, status) in bad {
            #expect(try lab.get(target).status == status, "\(target.prefix(80))")
        }
        for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE"] {
            #expect(try lab.get("/api/v1/now", method: method).status == 405, "\(method)")
        }
        #expect(try lab.get("/login", method: "POST", body: String(repeating: "x", count: 5_000)).status == 413)
        #expect(try lab.get("/api/v1/plays?title='%3BDROP%20TABLE%20x%3B--").status == 200)
        #expect(try lab.get("/healthz").text == "ok\n")
    }

    @Test func `ends heads that are huge, that never end, and that are none`() throws {
        let lab = try WebLab()
        let huge = try LabConnection(port: lab.port)
        huge.send("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
        for _ in 0..<128 { huge.send(String(repeating: "a", count: 1_024)) }
        huge.send("\r\n\r\n")
        let answer = String(decoding: huge.readToEnd(), as: UTF8.self)
        #expect(
            answer.isEmpty || answer.contains(" 431 ") || answer.contains(" 413 ") || answer.contains(" 414 "),
            "\(answer.prefix(100))")
        for noise in [
            "\u{16}\u{3}\u{1}hello\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", " / HTTP/1.1\r\n\r\n",
            "GET / HTTP/9.9\r\n\r\n",
        ] {
            let line = try LabConnection(port: lab.port)
            line.send(noise)
            _ = line.read(within: 500)
        }
        #expect(try lab.get("/healthz").status == 200)
    }

    @Test func `answers others while a thousand connections say nothing, and ends those in time`() throws {
        let lab = try WebLab { settings, _ in settings.limits.headLimit = .seconds(3) }
        let lines = try (0..<1_400).map { _ in try LabConnection(port: lab.port) }
        for line in lines { line.send("GET /healthz HTTP/1.1\r\nHost: loc") }
        let begun = Clock.monotonicNanoseconds()
        #expect(try lab.get("/healthz").status == 200)
        #expect(Clock.monotonicNanoseconds() - begun < 3_000_000_000)
        // One goes on, a byte at a time; its time is over all the same.
        let ended = try eventually(within: 30) { () -> Bool? in
            lines[0].send("a")
            return lines[1].read(within: 200) || lines[1].isEnded ? true : nil
        }
        #expect(ended == true)
    }

    @Test func `keeps what does not change, and compresses what is long`() throws {
        let lab = try WebLab()
        let first = try lab.get("/api/v1/openapi.json", ["Accept-Encoding: gzip"])
        #expect(first.header("content-encoding") == "gzip" && first.body.starts(with: [0x1F, 0x8B]))
        let plain = try lab.get("/api/v1/openapi.json", ["Accept-Encoding: gzip;q=0"])
        #expect(plain.header("content-encoding") == nil && plain.body.count > 2 * first.body.count)
        let tag = try #require(first.header("etag"))
        #expect(plain.header("etag") == tag)
        let again = try lab.get("/api/v1/openapi.json", ["If-None-Match: \"x\", \(tag)"])
        #expect(again.status == 304 && again.body.isEmpty)
        let page = try lab.get("/")
        #expect(try lab.get("/", ["If-None-Match: \(page.header("etag") ?? "")"]).status == 304)
    }
}
