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
@Suite("Real senders", .serialized)
struct RealSenderTests {
    private func script(_ name: String) -> String {
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/deploy/real-senders/" + name
    }

    @Test func `what pychromecast does is recorded as what it is`() throws {
        let world = try World()
        defer { world.end() }
        try world.startRecorder()
        try world.waitForEvent("link_opened")
        let endpoint = world.fleet.endpoints[0]
        let (exit, output) = try ChildProcess.run(
            [try TestPython.path(), script("pychromecast_session.py"), endpoint.host, "\(endpoint.port)"],
            includingErrors: true)
        #expect(exit == .code(0), "\(String(decoding: output, as: UTF8.self))")
        try world.waitForEvent("app_stopped")

        let told = story(
            try world.events(),
            kinds: [
                "app_started", "media_session_started", "seeked", "device_volume_changed", "active_tracks_changed",
                "text_track_style_changed", "text_track_style_reasserted", "media_session_ended", "app_stopped",
            ])
        #expect(
            told == [
                "device_volume_changed snapshot",  // The answer to our own question: what the volume is.
                "app_started receiver receiver_status",  // The first of several statuses of a LAUNCH carries no id.
                "media_session_started sender_request media_metadata+media_status",
                "seeked sender_request media_status",
                "device_volume_changed sender_request receiver_status",
                "active_tracks_changed sender_request media_status",
                "text_track_style_changed sender_request media_metadata+media_status",
                "text_track_style_reasserted sender_request ineffective media_metadata+media_status",
                "media_session_ended sender_request media_status",
                "app_stopped sender_request receiver_status",
            ])
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
