import CastModel
import Fleet
import Glibc
import IO
import Telemetry
import TestSupport
import Testing

/// Senders that other people wrote, against our fleet, while our recorder watches.
///
/// What the fleet and the recorder both misunderstand, no test between the two can find; these can.
@Suite("Real senders", .serialized, .waits)
struct RealSenderTests {
    private func script(_ name: String) -> String {
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/deploy/real-senders/" + name
    }

    /// What must be told of pychromecast_session.py, step by step: what devices make of it by PROTOCOL 5.1.
    ///
    /// Whatever else is told is a mistake, and so is whatever is not told.
    private static let storyOfPychromecast: [(step: String, told: [String])] = [
        ("launch", ["app_started receiver receiver_status", "sender_connected_changed receiver receiver_status"]),
        (
            "load",
            [
                // LOADING has id 0 and media, the completion the loader's id.
                "media_session_started receiver media_metadata+media_status",
                "media_loading receiver media_metadata+media_status",
                "player_state_changed sender_request media_status", "app_status_text_changed receiver receiver_status",
            ]
        ),
        ("pause", ["player_state_changed sender_request media_status"]),
        ("play", ["player_state_changed sender_request media_status"]),
        ("seek", seek), ("skip", seek), ("rewind", seek),
        ("rate", ["playback_rate_changed sender_request media_status"]),
        ("rate_again", ["playback_rate_changed sender_request media_status"]),
        ("volume", ["device_volume_changed sender_request receiver_status"]),
        ("volume_up", ["device_volume_changed sender_request receiver_status"]),
        ("volume_down", ["device_volume_changed sender_request receiver_status"]),
        ("mute", ["device_mute_changed sender_request receiver_status"]),
        ("unmute", ["device_mute_changed sender_request receiver_status"]),
        ("stream_volume", ["stream_volume_changed sender_request media_status"]),
        ("stream_mute", ["stream_volume_changed sender_request media_status"]),
        ("subtitle", ["active_tracks_changed sender_request media_status"]),
        ("no_subtitle", ["active_tracks_changed sender_request media_status"]),
        ("text_style", ["text_track_style_changed sender_request media_metadata+media_status"]),
        ("text_style_again", ["text_track_style_reasserted sender_request ineffective media_metadata+media_status"]),
        (
            "enqueue",
            [
                "queue_changed sender_request queue",
                // An insert sends the media again as it is (PROTOCOL 5.2); there is a next item now.
                "media_reasserted sender_request ineffective media_metadata+media_status",
                "supported_commands_changed sender_request media_status",
            ]
        ),
        (
            "repeat",
            [
                // A queue that repeats has an item before its first.
                "repeat_mode_changed sender_request media_status",
                "supported_commands_changed sender_request media_status",
            ]
        ),
        ("next", queueStep), ("previous", queueStep),
        (
            "stop_media",
            ["media_session_ended sender_request media_status", "app_status_text_changed receiver receiver_status"]
        ),
        (
            "stop_app",
            ["app_stopped sender_request receiver_status", "idle_screen_shown receiver receiver_status"]
        ),
    ]

    /// BUFFERING at the new position with the sender's id, then PLAYING with id 0.
    private static let seek = [
        "player_state_changed sender_request media_status", "seeked sender_request media_status",
        "player_state_changed receiver media_status",
    ]

    /// IDLE, INTERRUPTED; then the other item with media, both with the sender's id.
    private static let queueStep = [
        "player_state_changed sender_request media_status", "queue_item_changed sender_request media_status",
        "media_changed sender_request media_metadata+media_status",
        "player_state_changed sender_request media_status", "app_status_text_changed receiver receiver_status",
    ]

    @Test func `every command of pychromecast is told as what it is, and nothing else is`() throws {
        let world = try World()
        defer { world.end() }
        try world.startRecorder()
        try world.waitForEvent("link_opened")
        let endpoint = world.fleet.endpoints[0]
        let (exit, output) = try ChildProcess.run(
            [try TestPython.path(), script("pychromecast_session.py"), endpoint.host, "\(endpoint.port)"],
            includingErrors: true)
        #expect(exit == .code(0), "\(String(decoding: output, as: UTF8.self))")
        try world.waitForEvent { $0["kind"] == "idle_screen_shown" && $0["attribution"] == "receiver" }

        let caused = try world.events().filter {
            let attribution = $0["attribution"]?.string
            return attribution == "sender_request" || attribution == "receiver"
        }
        let told = story(caused, kinds: Set(caused.compactMap { $0["kind"]?.string }))
        let expected = Self.storyOfPychromecast.flatMap(\.told)
        #expect(told == expected, "\(told.difference(from: expected))")
        // Its ids only grow, whatever they are about.
        let requestIDs = caused.filter { $0["attribution"] == "sender_request" }.map { $0["request_id"]?.text ?? "" }
        let numbers = requestIDs.compactMap { Int($0) }
        #expect(numbers.count == requestIDs.count && numbers == numbers.sorted(), "\(requestIDs)")
        #expect(checkPermitted(try world.truth())["CONNECT app"] == 1)
    }

    @Test func `what VLC does is recorded as what it is`() throws {
        let world = try World(fetchesMedia: true)
        defer { world.end() }
        try world.startRecorder()
        try world.waitForEvent("link_opened")
        let endpoint = world.fleet.endpoints[0]
        let (exit, output) = try ChildProcess.run(
            ["python3", script("vlc_session.py"), endpoint.host, "\(endpoint.port)"], includingErrors: true)
        #expect(exit == .code(0), "\(String(decoding: output, as: UTF8.self))")
        try world.waitForEvent("media_session_ended")

        let told = story(
            try world.events(),
            kinds: ["app_started", "media_session_started", "player_state_changed", "media_session_ended"])
        #expect(told.first == "app_started receiver receiver_status")
        // A seek is a new LOAD with VLC (PROTOCOL 7.6): two media sessions begin.
        #expect(told.count { $0.hasPrefix("media_session_started") } == 2, "\(told)")
        let states = try world.events(["--kind", "player_state_changed"]).compactMap { $0["after"]?.text }
        #expect(states.contains { $0.contains("PAUSED") })
        #expect(states.contains { $0.contains("PLAYING") })
        _ = checkPermitted(try world.truth())
    }
}
