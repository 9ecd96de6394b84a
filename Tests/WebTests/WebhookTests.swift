import CastModel
import Differ
import IO
import Telemetry
import TestSupport
import Testing
import WebCore

@testable import Web

// Goal: whoever is told by a webhook is told everything, also what happened while nobody listened.
// Method: a receiver in this process that refuses when it is told to; the signature worked out by Python's hmac.
@Suite("A webhook", .waits) struct WebhookTests {
    /// Takes notices, or refuses them.
    private final class Receiver: Sendable {
        struct Post: Sendable {
            var body: JSONValue
            var headers: [String: String]
        }
        let state = Guarded((status: 200, posts: [Post](), refusals: 0))

        func take(_ body: [UInt8], _ headers: [(name: String, value: String)]) -> Int {
            state.withLock { state in
                guard state.status == 200 else {
                    state.refusals += 1
                    return state.status
                }
                let fields = Dictionary(headers.map { ($0.name, $0.value) }) { first, _ in first }
                state.posts.append(Post(body: (try? JSONParser().parse(body)) ?? .null, headers: fields))
                return 200
            }
        }

        var kinds: [String] { state.withLock { $0.posts.compactMap { $0.body["kind"]?.string } } }
    }

    private func hook(
        _ lab: WebLab, _ receiver: Receiver, _ folder: String, kinds: Set<Notice.Kind> = [], apps: [String] = [],
        health: @escaping @Sendable () -> JSONValue? = { nil }
    ) throws -> WebhookService {
        let address = lab.address
        let settings = WebhookSettings(
            url: "http://127.0.0.1/none", secret: Array("a secret of the test".utf8), kinds: kinds, allowedApps: apps,
            cursorPath: folder + "/cursor.json")
        let made = try WebhookService(
            settings: settings, apps: .builtIn, databaseAddress: { address }, health: health, log: .silent
        ) { receiver.take($0, $1) }
        made.start()
        return made
    }

    private func awaitKinds(_ receiver: Receiver, _ expected: [String]) throws {
        let found = try eventually { receiver.kinds.count >= expected.count ? true : nil }
        #expect(found == true)
        #expect(receiver.kinds == expected)
    }

    @Test func `tells plays, conflicts, devices that go and come, and apps that may not run, in order`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-hook")
        defer { try? Files.removeTree(folder) }
        let lab = try WebLab()
        try lab.record([sample(1, .deviceSeen, after: ["name": "TV"])], until: 1)
        let receiver = Receiver()
        let hook = try hook(lab, receiver, folder, apps: ["netflix"])
        let begun = try eventually { Files.exists(folder + "/cursor.json") ? true : nil }
        try #require(begun == true)
        try lab.record(
            [
                sample(2, .appStarted, second: 2, app: "a", after: ["appId": "CC1AD845", "sessionId": "a"]),
                sample(3, .gapStarted, second: 3, after: ["reason": "link_lost"]),
                sample(4, .gapEnded, second: 4, after: ["reason": "link_lost", "seconds": 1]),
                sample(5, .gapStarted, second: 5, after: ["reason": "not_joined"]),
            ], until: 6)
        try awaitKinds(receiver, ["app_not_allowed", "gap", "device_down", "device_up", "gap"])
        let post = try #require(receiver.state.withLock { $0.posts.first })
        #expect(post.headers["Castledger-Event-Id"] == "\(recorderOne)/2/0/app_not_allowed")
        #expect(post.body["device"] == "TV" && post.body["device_id"] == "tv1")
        #expect(post.body["data"]?["event_id"] == "2/0")
        #expect(hook.stop(within: .seconds(20)))
    }

    @Test func `tells later what nobody took, and what happened while it did not run`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-hook")
        defer { try? Files.removeTree(folder) }
        let lab = try WebLab()
        try lab.record([sample(1, .deviceSeen, after: ["name": "TV"])], until: 1)
        let receiver = Receiver()
        let kinds: Set<Notice.Kind> = [.playStarted, .playEnded]
        let first = try hook(lab, receiver, folder, kinds: kinds)
        let begun = try eventually { Files.exists(folder + "/cursor.json") ? true : nil }
        try #require(begun == true)
        receiver.state.withLock { $0.status = 503 }
        try lab.record(
            [
                sample(2, .appStarted, second: 2, app: "a", after: ["appId": "CC1AD845", "sessionId": "a"]),
                sample(
                    3, .mediaSessionStarted, second: 3, app: "a", media: 1,
                    after: ["playerState": "PLAYING", "media": ["contentId": "one"]]),
            ], until: 4)
        let refused = try eventually { receiver.state.withLock { $0.refusals } >= 2 ? true : nil }
        #expect(refused == true)
        #expect(first.stop(within: .seconds(20)))
        try lab.record(
            [
                sample(4, .mediaSessionEnded, second: 5, app: "a", media: 1, after: ["idleReason": "FINISHED"]),
                sample(
                    5, .mediaSessionStarted, second: 6, app: "a", media: 2,
                    after: ["playerState": "PLAYING", "media": ["contentId": "two"]]),
            ], until: 7)
        receiver.state.withLock { $0.status = 200 }
        let second = try hook(lab, receiver, folder, kinds: kinds)
        let told = try eventually { receiver.kinds.count >= 3 ? true : nil }
        #expect(told == true)
        let posts = receiver.state.withLock { $0.posts }
        let names = posts.map { "\($0.body["kind"]?.string ?? "") \($0.body["data"]?["content_id"]?.string ?? "")" }
        #expect(Set(names) == ["play_started one", "play_ended one", "play_started two"])
        #expect(Set(posts.map { $0.headers["Castledger-Event-Id"] }).count == 3)
        #expect(second.stop(within: .seconds(20)))
    }

    @Test func `signs what it sends, so that Python's hmac agrees`() throws {
        let body = Array(#"{"id":"1","sentence":"Küche"}"#.utf8)
        let script = """
            import hmac, hashlib
            print(hmac.new(b"a secret of the test", b"1772395200." + bytes(\(body)), hashlib.sha256).hexdigest())
            """
        let (exit, output) = try ChildProcess.run(["python3", "-c", script])
        try #require(exit == .code(0))
        let digits = String(decoding: output, as: UTF8.self).split(separator: "\n")[0]
        let header = Signature.header(body, secret: Array("a secret of the test".utf8), seconds: 1_772_395_200)
        #expect(header == "t=1772395200,v1=\(digits)")
        // RFC 4231, test case 2.
        let known = Signature.hmac(Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
        #expect(known.prefix(4) == [0x5B, 0xDC, 0xC1, 0x46] && known.suffix(2) == [0x38, 0x43])
    }

    @Test func `tells trouble with the archive once, until it is over`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-hook")
        defer { try? Files.removeTree(folder) }
        let lab = try WebLab()
        try lab.record([sample(1, .deviceSeen)], until: 1)
        let receiver = Receiver()
        let trouble = Guarded(true)
        let hook = try hook(lab, receiver, folder, kinds: [.archiveTrouble]) {
            trouble.withLock { $0 }
                ? [
                    "troubles": [
                        ["kind": "archive_stalled", "sentence": "The disk refuses."],
                        ["kind": "database", "sentence": "x"],
                    ]
                ] : ["troubles": []]
        }
        try awaitKinds(receiver, ["archive_trouble"])
        #expect(receiver.state.withLock { $0.posts.first?.body["sentence"] } == "The disk refuses.")
        #expect(hook.stop(within: .seconds(20)))
    }
}
