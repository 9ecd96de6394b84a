import CastModel
import Fleet
import IO
import TestSupport
import Testing

@Suite("castledger doctor cors", .serialized) struct CrossOriginCommandTests {
    @Test func `says of each address what a receiver is refused`() throws {
        let server = try MediaServer()
        defer { server.stop() }
        let paths = ["/good.vtt", "/shut.vtt", "/film.mp4", "/moved.vtt", "/loop"]
        let (exit, output) = try Program.run(["doctor", "cors"] + paths.map { server.url($0) })
        #expect(exit == .code(1))
        let start = "http://127.0.0.1:\(server.port)"
        #expect(
            output.split(separator: "\n").map(String.init) == [
                "ok    text track      \(start)/good.vtt: a receiver app may read it",
                "fail  text track      \(start)/shut.vtt: no Access-Control-Allow-Origin: a receiver app may not read "
                    + "it, and captions do not show. Let the server answer with 'Access-Control-Allow-Origin: *'.",
                "warn  media           \(start)/film.mp4: the preflight (OPTIONS) is answered with status 501: a "
                    + "receiver that asks first is refused. Let the server answer OPTIONS with 204 and the "
                    + "Access-Control-Allow headers.",
                "warn  media           \(start)/film.mp4: it ignores Range: seeking may not work. Let the server "
                    + "support byte ranges.",
                "ok    text track      \(start)/moved.vtt: a receiver app may read it",
                "fail  media           \(start)/loop: no answer: more than 5 redirects. Can this machine reach it?",
            ])
        #expect(
            try server.requests().prefix(2) == [
                "GET /good.vtt https://www.gstatic.com", "OPTIONS /good.vtt https://www.gstatic.com",
            ])
    }

    @Test func `asks as the page of an app of one's own`() throws {
        let server = try MediaServer()
        defer { server.stop() }
        let (exit, _) = try Program.run(
            ["doctor", "cors", server.url("/good.vtt"), "--origin", "https://app.example"])
        #expect(exit == .code(0))
        #expect(try server.requests().first == "GET /good.vtt https://app.example")
    }

    @Test func `does not let media that was seen lead it to this machine`() throws {
        let server = try MediaServer()
        defer { server.stop() }
        let world = try World()
        defer { world.end() }
        try world.startRecorder()
        let media = JSONObject([
            ("contentId", .string(server.url("/film.mp4"))), ("contentType", "video/mp4"), ("streamType", "BUFFERED"),
            (
                "tracks",
                [
                    [
                        "trackId": 1, "type": "TEXT", "trackContentType": "text/vtt",
                        "trackContentId": .string(server.url("/shut.vtt")),
                    ],
                    ["trackId": 2, "type": "AUDIO", "trackContentId": .string(server.url("/audio"))],
                ]
            ),
        ])
        world.fleet.perform(.connect, device: 0)
        world.fleet.perform(.launch(AppID("CC1AD845")), device: 0)
        world.fleet.perform(.load(media, atSeconds: 0), device: 0)
        try world.waitForEvent { $0["kind"] == "media_session_started" }
        let (exit, output) = try Program.run(["doctor", "cors", "--data", world.data])
        #expect(exit == .code(0), "\(output)")
        let lines = output.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "warn  media           \(server.url("/film.mp4")): it leads to 127.0.0.1, an address of this machine or "
                    + "link: not asked. Give it as an argument to ask it all the same.",
                "warn  text track      \(server.url("/shut.vtt")): it leads to 127.0.0.1, an address "
                    + "of this machine or link: not asked. Give it as an argument to ask it all the same.",
            ])
        #expect(try server.requests().isEmpty)
    }

    @Test func `wants an address of the web`() throws {
        let (exit, output) = try Program.run(["doctor", "cors", "file:///etc/passwd"])
        #expect(exit == .code(64))
        #expect(output.contains("http:// or https:// is wanted"))
    }
}
