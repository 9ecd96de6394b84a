import CastModel
import Fleet
import IO
import TestSupport
import Testing

@Suite("A group's evening, as the ledger tells it", .serialized, .waits)
struct GroupStoryTests {
    @Test func `is told by the group alone; its members are joined by nobody`() throws {
        // Living Room TV, Kitchen Display, Bedroom Speaker, and the group of the latter two.
        let world = try World(devices: 3, groups: 1)
        defer { world.end() }
        try world.startRecorder()
        let group = world.fleet.endpoints[3].deviceID
        for endpoint in world.fleet.endpoints {
            try world.waitForEvent {
                $0["kind"] == "link_opened" && $0["device_id"] == .string(endpoint.deviceID)
            }
        }
        let song: JSONObject = JSONObject([
            ("media", ["contentId": "song", "contentType": "audio/mpeg", "duration": 300]), ("autoplay", true),
        ])
        world.fleet.perform(.connect, device: 3)
        world.fleet.perform(.launch(AppID("CC32E753")), device: 3)
        world.fleet.perform(.loadQueue([song]), device: 3)
        // As the first thing we hear of the media session, or after its LOADING.
        try world.waitForEvent { $0["after"]?["playerState"] == "PLAYING" }
        world.fleet.perform(.deviceVolume(0.25), device: 3)
        try world.waitForEvent {
            $0["kind"] == "device_volume_changed" && $0["device_id"] == .string(group) && $0["after"]?["level"] == 0.25
        }
        world.fleet.perform(.stopApp, device: 3)
        try world.waitForEvent { $0["kind"] == "app_stopped" && $0["device_id"] == .string(group) }
        try world.waitUntilApplied()
        #expect(world.stopRecorder() == .code(0))

        let events = try world.events()
        let media = events.filter { $0["media_session_id"] != JSONValue.null }
        #expect(!media.isEmpty)
        #expect(media.allSatisfy { $0["device_id"] == .string(group) }, "a member has no media session of its own")
        #expect(checkPermitted(try world.truth())["CONNECT app"] == 1, "the group's app, and no placeholder")
        // The truth: both members had the group's volume, and a placeholder each.
        let placeholders = try world.truth().filter {
            $0["what"] == "frame_sent" && $0["type"] == "RECEIVER_STATUS" && $0["is_castledger"] == true
        }.compactMap { $0["payload"]?["status"]?["applications"]?.array?.first?["appId"]?.string }
        #expect(placeholders.contains("531A4F84"))
        #expect(placeholders.contains("705D30C6"))
    }
}
