import CastModel
import Differ
import TestSupport
import Testing

@testable import Web

// Goal: what the ledger knows of links, senders and groups at this moment is told of the right device.
// Method: the evening of the other routes, with states of devices in the differ's own form.
@Suite("What is told of this moment", .waits) struct PresentTests {
    private static func item(_ answer: JSONValue, _ device: JSONValue) throws -> JSONValue {
        try #require(answer["items"]?.array?.first { $0["device_id"] == device })
    }

    @Test func `has how apps are joined, and whether the app knows of a sender`() throws {
        let lab = try WebLab()
        try RowRouteTests.evening(lab)
        let apps: JSONValue = [
            ["appId": "531A4F84", "isIdleScreen": false, "senderConnected": true], ["appId": "CC1AD845"],
        ]
        func asked(_ state: JSONValue) throws -> JSONValue {
            try lab.record([], until: 300, states: ["tv1": state])
            return try Self.item(try lab.json("/api/v1/now"), "tv1")
        }
        // The app that runs does not say, whatever another one says.
        var now = try asked(["version": 4, "link": 7, "attachMode": "invisible", "apps": apps])
        #expect(now["attach_mode"] == "invisible" && now["sender_connected"] == .null)
        #expect(try lab.json("/api/v1/devices/tv1")["attach_mode"] == "invisible")
        for told in [true, false] {
            now = try asked([
                "version": 4, "link": 7, "attachMode": "platform",
                "apps": [["appId": "CC1AD845", "senderConnected": .bool(told)]],
            ])
            #expect(now["attach_mode"] == "platform" && now["sender_connected"] == .bool(told))
        }
        // Of a ledger from before modes were kept.
        #expect(try asked(["version": 4, "link": 7])["attach_mode"] == .null)
        // A device that is gone tells nothing, whatever it last told.
        let lost: JSONValue = ["version": 4, "attachMode": "weak", "apps": [["senderConnected": true]]]
        try lab.record([], until: 300, states: ["tv2": lost])
        let away = try Self.item(try lab.json("/api/v1/now"), "tv2")
        #expect(away["attach_mode"] == .null && away["sender_connected"] == .null)
    }

    @Test func `has members below their group, however the group spells them`() throws {
        let lab = try WebLab()
        let devices = [("tv1", "Kitchen"), ("tv2", "Bath"), ("g2", "Upstairs"), ("g1", "All"), ("tv3", "Alone")]
        try lab.record(
            devices.enumerated().map { number, device in
                sample(Int64(number + 1), .deviceSeen, device: device.0, after: ["name": .string(device.1)])
            }, until: 60,
            states: [
                "g1": ["version": 4, "multizone": ["members": [["deviceId": "TV-1"], ["deviceId": "tv2"]]]],
                "g2": ["version": 4, "multizone": ["members": [["deviceId": "T-V2"]]]],
                "tv3": ["version": 4, "multizone": ["members": [["deviceId": "TV3"]]]],
            ])
        let now = try lab.json("/api/v1/now")
        #expect(try Self.item(now, "g1")["group_members"] == ["tv1", "tv2"])
        #expect(try Self.item(now, "g2")["group_members"] == ["tv2"])
        #expect(try Self.item(now, "tv3")["group_members"] == [], "a lone speaker lists itself")
        let answer = try lab.json("/api/v1/timeline?from=2026-03-01T20:00:00Z&to=2026-03-01T20:01:00Z")
        let groups = (answer["lanes"]?.array ?? []).map { lane in
            "\(lane["device_id"]?.string ?? "") \(lane["group"]?.string ?? "-")"
        }
        // By name; tv2 is in two groups, and shown below the first by name.
        #expect(groups == ["g1 -", "tv3 -", "tv2 g1", "tv1 g1", "g2 -"])
    }
}
