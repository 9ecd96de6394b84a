import CastModel
import Differ
import Recording
import TestSupport
import Testing
import WebCore

@testable import Web

// Goal: every route gives the rows that are in the database, under the names of the command line.
// Method: an evening made by hand, asked over a real connection; figures worked out from the seconds of the evening.
@Suite("An answer over HTTP", .waits) struct RowRouteTests {
    /// A film on tv1 from second 70 to 225 (paused 135 to 165), tv2 that goes away at second 100, and a fight.
    static func evening(_ lab: WebLab) throws {
        let film: JSONValue = ["contentId": "f", "duration": 600, "metadata": ["title": "Film <b>"]]
        func player(_ position: Int64, _ second: Double, _ word: String) -> ChangeEvent {
            sample(
                position, .playerStateChanged, second: second, app: "a-1", media: 1,
                after: ["playerState": .string(word)])
        }
        var events = [
            sample(1, .deviceSeen, after: ["name": "Living Room", "model": "Chromecast", "addresses": ["192.0.2.7"]]),
            sample(2, .linkOpened, after: ["address": "192.0.2.7"]),
            sample(3, .deviceSeen, second: 1, device: "tv2", after: ["name": "Küche \u{1F4FA}"]),
            sample(4, .linkOpened, second: 2, device: "tv2"),
            sample(
                5, .appStarted, second: 60, app: "a-1",
                after: ["appId": "CC1AD845", "displayName": "Player", "sessionId": "a-1"]),
            sample(
                6, .mediaSessionStarted, second: 70, app: "a-1", media: 1, attribution: .senderRequest, requestID: 7,
                callbacks: [.mediaStatus, .mediaMetadata], after: ["playerState": "LOADING", "media": film],
                positionSeconds: 0),
            player(7, 75, "PLAYING"),
            sample(8, .linkClosed, second: 100, device: "tv2"),
            sample(9, .gapStarted, second: 100, device: "tv2", after: ["reason": "link_lost"]),
            player(10, 135, "PAUSED"), player(11, 165, "PLAYING"),
        ]
        for step in 0..<5 {
            let up = step % 2 == 0
            events.append(
                sample(
                    20 + Int64(step), .deviceVolumeChanged, second: 180 + Double(step), attribution: .senderRequest,
                    requestID: Int64(up ? 10 + step : 900_000 + step), before: ["level": up ? 0.25 : 0.5],
                    after: ["level": up ? 0.5 : 0.25]))
        }
        events.append(
            sample(
                30, .mediaSessionEnded, second: 225, app: "a-1", media: 1, attribution: .senderRequest,
                after: ["playerState": "IDLE", "idleReason": "CANCELLED"]))
        try lab.record(events, until: 300)
    }

    private static let stretch = "from=2026-03-01T20:00:00Z&to=2026-03-01T20:05:00Z"

    @Test func `about devices has both, with where they are and since when they are known`() throws {
        let lab = try WebLab()
        try Self.evening(lab)
        let items = try lab.json("/api/v1/devices")["items"]?.array ?? []
        #expect(items.map { $0["device_id"] } == ["tv2", "tv1"])
        #expect(items.map { $0["name"] } == ["Küche \u{1F4FA}", "Living Room"])
        #expect(items.map { $0["state"] } == ["lost", "linked"])
        #expect(items.map { $0["gap"] } == ["link_lost", .null])
        let one = try lab.json("/api/v1/devices/living%20room")
        #expect(one["device_id"] == "tv1" && one["first_seen_at"] == "2026-03-01T20:00:00.000000Z")
        #expect(one["reconnects"] == 0 && one["storms"] == 0 && one["recorder_id"] == .string(recorderOne))
        #expect(try lab.get("/api/v1/devices/nobody").status == 404)
    }

    @Test func `about plays has the film with its seconds, by filter, sorted and page by page`() throws {
        let lab = try WebLab()
        try Self.evening(lab)
        let plays = try lab.json("/api/v1/plays?\(Self.stretch)")
        let film = try #require(plays["items"]?.array?.first)
        #expect(plays["items"]?.array?.count == 1 && plays["next"] == .null)
        // Playing from 75 to 135 and from 165 to 225, paused for the 30 s between.
        #expect(film["played_seconds"] == 120 && film["paused_seconds"] == 30 && film["play_id"] == "6/0")
        #expect(film["title"] == "Film <b>" && film["device"] == "Living Room" && film["end_reason"] == "stopped")
        for (filter, count) in [
            ("app=player", 1), ("app=other", 0), ("title=film", 1), ("min=2m", 1), ("min=121", 0), ("device=tv1", 1),
            ("device=tv2", 0), ("device=tv1&device=tv2", 1), ("end_reason=stopped", 1), ("end_reason=finished", 0),
            ("between=20:00-21:00", 1), ("between=21:00-22:00", 0), ("weekday=sun", 1), ("weekday=mon", 0),
            ("between=21:00-22:00&zone=Europe/Berlin", 1),
        ] {
            let found = try lab.json("/api/v1/plays?\(Self.stretch)&\(filter)")["items"]?.array?.count
            #expect(found == count, "\(filter)")
        }
        let one = try lab.json("/api/v1/plays/6/0")
        let spans = try #require(one["spans"]?.array)
        #expect(spans.map { $0["activity"] } == ["loading", "playing", "paused", "playing"])
        #expect(spans.last?["to"] == "2026-03-01T20:03:45.000000Z")
        #expect(try lab.json("/api/v1/plays/6%2F0") == one)
        #expect(try lab.get("/api/v1/plays/7/0").status == 404)
    }

    @Test func `goes through long lists in both directions without a hole or a repetition`() throws {
        let lab = try WebLab()
        // Three events at each moment: the order within is that of positions.
        let events = (1...95).map { sample($0, .seeked, second: Double($0 / 3), device: "tv\($0 % 4)") }
        try lab.record(events, until: 100)
        for (order, expected) in [("earliest", Array(1...95)), ("latest", Array((1...95).reversed()))] {
            var seen: [JSONValue?] = []
            var after = ""
            repeat {
                let page = try lab.json("/api/v1/events?limit=10&order=\(order)\(after)")
                seen += page["items"]?.array?.map { $0["position"] } ?? []
                after = page["next"]?.string.map { "&after=\($0)" } ?? ""
            } while !after.isEmpty
            #expect(seen == expected.map { .integer(Int64($0)) })
        }
        #expect(try lab.get("/api/v1/events?after=00").status == 400)
    }

    @Test func `about a moment has the change, its words and its neighbors`() throws {
        let lab = try WebLab { _, sources in
            sources.rawRecord = { recorder, position in
                recorder == recorderOne ? ["position": .integer(position.number), "kind": "frame"] : nil
            }
        }
        try Self.evening(lab)
        let moment = try lab.json("/api/v1/events/6/0")
        #expect(moment["event"]?["kind"] == "media_session_started")
        #expect(moment["callbacks"] == ["media_status", "media_metadata"])
        #expect(moment["raw_frame"] == ["position": 6, "kind": "frame"])
        #expect(moment["before"]?.array?.map { $0["position"] } == [1, 2, 5])
        #expect(moment["after"]?.array?.map { $0["position"] } == [7, 10, 11, 20, 21, 22, 23, 24, 30])
        #expect(moment["words"]?.string?.contains("Film <b>") == true)
        #expect(try lab.get("/api/v1/events/6/1").status == 404)
        #expect(try lab.get("/api/v1/events/six").status == 404)
    }

    @Test func `about conflicts has the fight, and says why it is one`() throws {
        let lab = try WebLab()
        try Self.evening(lab)
        let items = try lab.json("/api/v1/conflicts?kind=volume_fight&min_score=0.5")["items"]?.array ?? []
        #expect(items.map { $0["conflict_id"] } == ["20/0/volume_fight"])
        #expect(items.first?["from"] == "2026-03-01T20:03:00.000000Z")
        let one = try lab.json("/api/v1/conflicts/20/0/volume_fight")
        #expect(one["explanation"]?.array?.isEmpty == false)
        let evidence = one["events"]?.array?.filter { $0["is_evidence"] == true }.map { $0["position"] }
        #expect(evidence == [20, 21, 22, 23, 24])
        #expect(try lab.json("/api/v1/conflicts?kind=style_fight")["items"] == [])
        #expect(try lab.get("/api/v1/conflicts?kind=brawl").status == 400)
    }

    @Test func `about a stretch of time has a lane per device, and merges what is too short to be seen`() throws {
        let lab = try WebLab()
        try Self.evening(lab)
        let timeline = try lab.json("/api/v1/timeline?\(Self.stretch)")
        let lanes = try #require(timeline["lanes"]?.array)
        #expect(lanes.map { $0["device_id"] } == ["tv2", "tv1"])
        #expect(
            lanes[1]["spans"]?.array?.map { $0["activity"] } == [
                "idle", "app_only", "loading", "playing", "paused", "playing", "app_only",
            ])
        #expect(lanes[1]["totals"]?["playing"] == 120 && lanes[1]["totals"]?["paused"] == 30)
        #expect(lanes[0]["spans"]?.array?.last?["reason"] == "link_lost")
        #expect(timeline["conflicts"]?.array?.map { $0["id"] } == ["20/0/volume_fight"])
        // Points of 100 s: 60-100 of the app and the start of the film stay, since 70-100 is shorter than a point.
        let coarse = try lab.json("/api/v1/timeline?\(Self.stretch)&resolution=100&device=tv1")
        let spans = try #require(coarse["lanes"]?.array?.first?["spans"]?.array)
        #expect(spans.map { $0["from"] }.first == "2026-03-01T20:00:00.000000Z")
        #expect(
            spans.compactMap { $0["merged"] }.reduce(0) { sum, merged in
                if case .integer(let count) = merged { sum + count } else { sum }
            } == 7)
        for (one, next) in zip(spans, spans.dropFirst()) { #expect(one["to"] == next["from"]) }
    }

    @Test func `about now and coverage tells what each device does`() throws {
        let lab = try WebLab()
        try Self.evening(lab)
        let now = try lab.json("/api/v1/now")["items"]?.array ?? []
        #expect(now.map { $0["device"] } == ["Küche \u{1F4FA}", "Living Room"])
        #expect(now.map { $0["activity"] } == ["unobserved", "app_only"])
        #expect(now[1]["app"] == "Player" && now[1]["conflicts"] == 1 && now[1]["senders"] == 0)
        let coverage = try lab.json("/api/v1/coverage?\(Self.stretch)")["items"]?.array ?? []
        #expect(coverage.isEmpty == false)
    }
}
