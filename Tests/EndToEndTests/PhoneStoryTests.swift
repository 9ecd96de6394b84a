import CastModel
import Fleet
import IO
import TestSupport
import Testing

/// One line per change event: what a reader of the ledger learns from it.
func story(_ events: [JSONValue], kinds: Set<String>) -> [String] {
    events.filter { kinds.contains($0["kind"]?.string ?? "") }.map { event in
        var words = [event["kind"]?.string ?? "?", event["attribution"]?.string ?? "?"]
        if event["effective"] == false { words.append("ineffective") }
        if case .array(let callbacks)? = event["callbacks"], !callbacks.isEmpty {
            words.append(callbacks.compactMap(\.string).joined(separator: "+"))
        }
        return words.joined(separator: " ")
    }
}

@Suite("One phone's evening, as the ledger tells it", .serialized, .waits)
struct PhoneStoryTests {
    @Test func `every deed is one event of the right kind, cause and callbacks`() throws {
        let world = try World()
        defer { world.end() }
        try world.startRecorder()
        try world.waitForEvent("link_opened")
        func perform(_ action: PhoneMachine.Action, until kind: String, _ value: String = "") throws {
            world.fleet.perform(action, device: 0)
            try world.waitForEvent { $0["kind"]?.string == kind && ($0["after"]?.text ?? "").contains(value) }
        }
        let style: JSONObject = JSONObject([
            ("foregroundColor", "#FFFF00FF"), ("edgeType", "OUTLINE"), ("fontScale", 1),
        ])

        world.fleet.perform(.connect, device: 0)
        try perform(.launch(AppID("CC1AD845")), until: "app_started")
        try perform(.load(film, atSeconds: 0), until: "media_session_started", "PLAYING")
        try perform(.tracks([2]), until: "active_tracks_changed")
        try perform(.style(style), until: "text_track_style_changed")
        try perform(.style(style), until: "text_track_style_reasserted")
        try perform(.seek(toSeconds: 300), until: "seeked")
        try perform(.pause, until: "player_state_changed", "PAUSED")
        try perform(.deviceVolume(0.25), until: "device_volume_changed", "0.25")
        try perform(.stopMedia, until: "media_session_ended")

        let events = try world.events()
        #expect(
            story(
                events.filter { $0["attribution"]?.string != "snapshot" },
                kinds: [
                    "active_tracks_changed", "text_track_style_changed", "text_track_style_reasserted", "seeked",
                    "device_volume_changed", "media_session_ended",
                ]) == [
                    "active_tracks_changed sender_request media_status",
                    "text_track_style_changed sender_request media_metadata+media_status",
                    "text_track_style_reasserted sender_request ineffective media_metadata+media_status",
                    "seeked sender_request media_status",
                    "device_volume_changed sender_request receiver_status",
                    "media_session_ended sender_request media_status",
                ])
        let paused = events.last {
            $0["kind"]?.string == "player_state_changed" && $0["after"]?.text.contains("PAUSED") == true
        }
        #expect(paused?["attribution"]?.string == "sender_request")
        let ids = events.map { "\($0["position"]?.text ?? "") \($0["ordinal"]?.text ?? "")" }
        #expect(Set(ids).count == ids.count, "no event twice")

        let (exit, timeline) = try Program.run([
            "timeline", "--data", world.data, "--device", world.fleet.endpoints[0].name,
        ])
        #expect(exit == .code(0))
        #expect(timeline.contains("The Ferry"), "\(timeline)")
        #expect(timeline.contains("sender request"), "\(timeline)")
    }
}
