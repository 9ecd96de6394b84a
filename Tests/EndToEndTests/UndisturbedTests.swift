import CastModel
import Fleet
import IO
import TestSupport
import Testing

/// What a recorder may send, by namespace (DESIGN 1): what the device's side must see, and nothing else.
private let permittedTypes: [String: Set<String>] = [
    "urn:x-cast:com.google.cast.tp.connection": ["CONNECT", "CLOSE"],
    "urn:x-cast:com.google.cast.tp.heartbeat": ["PING", "PONG"],
    "urn:x-cast:com.google.cast.receiver": ["GET_STATUS"],
    "urn:x-cast:com.google.cast.media": ["GET_STATUS"],
    "urn:x-cast:com.google.cast.multizone": ["GET_STATUS"],
    "urn:x-cast:com.google.cast.receiver.discovery": ["GET_DEVICE_INFO"],
]

/// The frames that the fleet's devices got from us, checked one by one.
func checkPermitted(_ truth: [JSONValue]) -> [String: Int] {
    var counts: [String: Int] = [:]
    for line in truth where line["what"]?.string == "frame_received" && line["is_castledger"] == true {
        let namespace = line["namespace"]?.string ?? ""
        let type = line["type"]?.string ?? ""
        if namespace == "urn:x-cast:com.google.cast.tp.deviceauth" {
            // The challenge: PKCS #1 v1.5 and SHA-256 around 16 bytes (PROTOCOL 2.8).
            let bytes = line["payload_hex"]?.string ?? ""
            #expect(bytes.hasPrefix("0a1608011210") && bytes.hasSuffix("1801") && bytes.utf8.count == 48)
            counts["challenge", default: 0] += 1
            continue
        }
        #expect(permittedTypes[namespace]?.contains(type) == true, "we sent \(type) on \(namespace)")
        if type == "CONNECT" {
            let isPlatform = line["destination"]?.string == "receiver-0"
            #expect(
                line["payload"]?["connType"] == (isPlatform ? 0 : 2), "CONNECT to \(line["destination"]?.text ?? "")")
            #expect(line["payload"]?["userAgent"]?.string?.hasPrefix("CastLedger/") == true)
            counts[isPlatform ? "CONNECT receiver-0" : "CONNECT app", default: 0] += 1
        }
        counts[type, default: 0] += 1
    }
    return counts
}

@Suite("A recorder disturbs nobody", .serialized, .waits)
struct UndisturbedTests {
    @Test func `an app whose last visible sender leaves ends, though we are attached to it`() throws {
        let world = try World()
        defer { world.end() }
        try world.startRecorder()
        try world.waitForEvent("link_opened")
        world.fleet.perform(.connect, device: 0)
        world.fleet.perform(.launch(AppID("CC1AD845")), device: 0)
        world.fleet.perform(.load(film, atSeconds: 0), device: 0)
        try world.waitForEvent("media_session_started")
        let joined = try world.truth().contains { line in
            line["what"]?.string == "frame_received" && line["is_castledger"] == true
                && line["type"]?.string == "CONNECT" && line["payload"]?["connType"] == 2
        }
        #expect(joined, "the recorder is attached to the app")

        world.fleet.perform(.leave, device: 0)

        try world.waitForEvent("app_stopped")
        #expect(world.stopRecorder() == .code(0))
        _ = checkPermitted(try world.truth())
    }

    @Test func `through a whole fight of two phones, devices get from us only what the list permits`() throws {
        let world = try World(devices: 3, scenario: .twoPhones, speed: 4)
        defer { world.end() }
        try world.startRecorder()
        try world.waitForEvent(within: 90) { $0["kind"]?.string == "text_track_style_reasserted" }
        // Devices ping every five seconds; wait until each has asked and been answered.
        let counts = try eventually { () -> [String: Int]? in
            let counts = checkPermitted(try world.truth())
            return (counts["PONG"] ?? 0) >= 3 ? counts : nil
        }
        #expect(world.stopRecorder() == .code(0))

        let seen = try #require(counts, "no device was answered a PING")
        #expect(seen["CONNECT receiver-0"] == 3, "one link per device")
        #expect(seen["GET_DEVICE_INFO"] == 3)
        #expect(seen["challenge"] == 3)
        #expect((seen["CONNECT app"] ?? 0) >= 3)
        #expect((seen["PING"] ?? 0) >= 3)
        _ = checkPermitted(try world.truth())
    }
}

/// A film with two text tracks, ids 1 and 2.
let film: JSONObject = JSONObject([
    ("contentId", "https://media.example/film.mp4"), ("contentType", "video/mp4"), ("streamType", "BUFFERED"),
    ("duration", 600), ("metadata", ["metadataType": 1, "title": "The Ferry"]),
    (
        "tracks",
        [
            ["trackId": 1, "type": "TEXT", "subtype": "SUBTITLES", "language": "en", "name": "English"],
            ["trackId": 2, "type": "TEXT", "subtype": "SUBTITLES", "language": "de", "name": "Deutsch"],
        ]
    ),
])
