import CastModel
import Fleet
import IO
import TestSupport
import Testing

@Suite("Secrets and titles, from the wire to the reader", .serialized, .waits)
struct RedactionTests {
    private static let secret = "s3cret-0815"

    /// The film, with a token that its app echoes and a key that nobody knows.
    private static let media = JSONObject(
        film.pairs + [
            ("contentUrl", .string("https://media.example/film.mp4?sig=\(secret)")), ("mood", "blue"),
            ("customData", ["accessToken": .string(secret)]),
        ])

    /// Plays the film and waits until it is in the ledger.
    private func play(in world: World) throws {
        try world.waitForEvent("link_opened")
        world.fleet.perform(.connect, device: 0)
        world.fleet.perform(.launch(AppID("CC1AD845")), device: 0)
        try world.waitForEvent("app_started")
        world.fleet.perform(.load(Self.media, atSeconds: 0), device: 0)
        try world.waitForEvent("media_session_started")
    }

    @Test func `a secret is in the archive, and in nothing that leaves it`() throws {
        let world = try World()
        defer { world.end() }
        try world.startRecorder()
        try play(in: world)
        let place = ["--data", world.data]

        #expect(try Program.run(["frames", "--raw"] + place).output.contains(Self.secret))
        #expect(try Program.run(["archive", "cat"] + place).output.contains(Self.secret))
        for command in [["frames"], ["frames", "--json"], ["events", "--json"], ["timeline"]] {
            let (exit, output) = try Program.run(command + place)
            #expect(exit == .code(0))
            #expect(!output.contains(Self.secret), "\(command)")
            #expect(output.contains("media.example") || output.contains("The Ferry"), "\(command)")
        }
        let findings = try Program.json(["doctor"] + place).filter { $0["check"] == "not understood" }
        #expect(
            findings.contains { finding in
                finding["meaning"]?.string?.hasPrefix("media key mood on urn:x-cast:com.google.cast.media, ") == true
            }, "\(findings)")
    }

    @Test func `told to, the archive holds no secret and the ledger no title, and a rebuild neither`() throws {
        let world = try World()
        defer { world.end() }
        try world.startRecorder(["--redact", "titles", "--redact", "archive"])
        try play(in: world)
        _ = world.stopRecorder()
        let place = ["--data", world.data]

        let archive = try Program.run(["archive", "cat"] + place).output
        #expect(!archive.contains(Self.secret))
        #expect(archive.contains(#""redaction":["archive","titles"]"#))
        #expect(archive.contains(#""redacted":true"#))
        #expect(archive.contains("The Ferry"), "titles are no secrets")
        #expect(try Program.run(["archive", "verify"] + place).exit == .code(0))

        func told() throws -> String { try world.events().map(\.text).joined(separator: "\n") }
        let live = try told()
        #expect(live.contains("media_session_started") && live.contains(#""duration":600"#))
        #expect(!live.contains("Ferry") && !live.contains("media.example"))
        #expect(try Program.run(["rebuild"] + place).exit == .code(0))
        #expect(try told() == live)
    }
}
