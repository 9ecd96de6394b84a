import TestSupport
import Testing
import WebClient

@Suite("The web client", .serialized) struct WebClientTests {
    private static let page = "https://page.example"

    private func ask(
        _ url: String, _ method: WebMethod = .get, trust: WebTrust = .asTyped,
        headers: [(name: String, value: String)] = []
    ) -> [WebAnswer] {
        WebClient.ask(url, method, origin: Self.page, headers: headers, trust: trust)
    }

    @Test func `takes the head of an answer and the start of its body`() throws {
        let server = try MediaServer()
        defer { server.stop() }
        let track = try #require(ask(server.url("/good.vtt")).first)
        #expect(track.status == 206 && track.failure == nil && track.address == "127.0.0.1" && track.isNearby)
        #expect(track.values(of: "access-control-allow-origin") == ["*"])
        #expect(String(decoding: track.start, as: UTF8.self).hasPrefix("WEBVTT\n"))
        // 5 MB of film: what fits, and no failure.
        let film = try #require(ask(server.url("/film.mp4")).first)
        #expect(film.status == 200 && film.failure == nil && film.start.count == 1024)
        // 90 header lines of 907 or 908 bytes, after 124 bytes of others: 72 of them fit into 64 KiB.
        let many = try #require(ask(server.url("/many")).first)
        #expect(many.status == 200 && many.headers.filter { $0.name.hasPrefix("x-") }.count == 72)
    }

    @Test func `follows redirects as a page does, up to a limit`() throws {
        let server = try MediaServer()
        defer { server.stop() }
        let moved = ask(server.url("/moved.vtt"))
        #expect(moved.map(\.status) == [301, 206])
        #expect(moved.map(\.origin) == [Self.page, "null"])
        let loop = ask(server.url("/loop"))
        #expect(loop.count == 6 && loop.last?.redirect == server.url("/loop"))
        #expect(loop.allSatisfy { $0.origin == Self.page })
        let sent = try server.requests()
        #expect(sent.prefix(2) == ["GET /moved.vtt \(Self.page)", "GET /good.vtt null"])
    }

    @Test func `is led neither to another link nor to files`() throws {
        let server = try MediaServer()
        defer { server.stop() }
        // Loopback may send on to itself; the metadata address of clouds is link-local, and reached by nobody's word.
        let away = WebClient.ask(server.url("/good.vtt"), origin: Self.page, headers: [], trust: .foreign)
        #expect(away.count == 1 && away[0].wasRefused && away[0].address == "127.0.0.1" && away[0].status == 0)
        #expect(try server.requests().isEmpty)
        let file = ask(server.url("/file"))
        #expect(file.map(\.status) == [302, 0])
        #expect(file.last?.failure?.contains("not supported") == true, "\(file)")
    }

    @Test func `a line end in a header makes no second one`() throws {
        let server = try MediaServer()
        defer { server.stop() }
        let answers = WebClient.ask(
            server.url("/good.vtt"), origin: "https://a.example\r\nX-Other: 1\nOrigin: https://b.example", headers: [],
            trust: .asTyped)
        #expect(answers.map(\.status) == [206])
        #expect(try server.requests() == ["GET /good.vtt https://a.exampleX-Other: 1Origin: https://b.example"])
    }

    @Test func `says why nothing was answered`() throws {
        let port = try ClosedPort()
        let closed = ask("http://127.0.0.1:\(port.port)/")
        #expect(closed.map(\.status) == [0])
        #expect(closed[0].failure?.isEmpty == false && closed[0].address == "127.0.0.1")
        #expect(ask("http://name.invalid/")[0].failure?.contains("name.invalid") == true)
        #expect(ask("gopher://127.0.0.1/")[0].failure != nil)
    }
}
