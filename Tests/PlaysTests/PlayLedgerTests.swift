import CastModel
import Differ
import Plays
import Recording
import Testing

@Suite("A play") struct PlayLedgerTests {
    @Test func `counts what it played, paused and buffered, and ends as it was told`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "LOADING", Evening.movie(), requestID: 3)
        evening.player(12, "BUFFERING", at: 0)
        evening.player(15, "PLAYING", at: 0)  // buffered 3
        evening.player(75, "PAUSED", at: 60)  // played 60
        evening.player(105, "PLAYING", at: 60)  // paused 30
        evening.ends(125, "CANCELLED", .senderRequest)  // played 20
        #expect(
            evening.lines == ["Movie: sender_request 10, stopped 125, played 80, paused 30, buffering 3"])
        let play = evening.plays[0]
        #expect(play.appName == "Default Media Receiver")
        #expect(play.firstPositionSeconds == 0)
        #expect(play.lastPositionSeconds == 80)
        #expect(play.maxPositionSeconds == 80)
        #expect(play.progress == 80.0 / 600)
        #expect(play.coverage == 1)
    }

    @Test(arguments: [
        ("FINISHED", "finished"), ("CANCELLED", "stopped"), ("INTERRUPTED", "replaced"), ("ERROR", "failed"),
        ("SOMETHING", "unknown"),
    ])
    func `ends for the reason of its media session`(idleReason: String, expected: String) {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie(), at: 0)
        evening.ends(40, idleReason)
        #expect(evening.lines == ["Movie: sender_request 10, \(expected) 40, played 30"])
    }

    @Test(arguments: [
        (ChangeEvent.Attribution.senderRequest, false, "sender_request"), (.receiver, false, "receiver"),
        (.receiver, true, "cloud"), (.senderRequest, true, "sender_request"), (.snapshot, true, "already_playing"),
        (.unknown, false, "unknown"),
    ])
    func `says who started it`(attribution: ChangeEvent.Attribution, fromCloud: Bool, expected: String) {
        var evening = Evening()
        evening.app(0, fromCloud: fromCloud)
        evening.begins(10, "PLAYING", Evening.movie(), attribution, at: 0)
        #expect(evening.lines == ["Movie: \(expected) 10, playing"])
    }

    @Test func `does not begin while the player idles, nor while what it loads has no name`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "IDLE", Evening.movie())
        #expect(evening.lines == [])
        evening.player(20, "PLAYING", .receiver, at: 0)
        #expect(evening.lines == ["Movie: receiver 20, playing"])
        var other = Evening()
        other.app(0)
        other.begins(10, "LOADING")
        #expect(other.lines == [])
        other.add(12, .mediaChanged, .receiver, after: Evening.movie())
        #expect(other.lines == ["Movie: sender_request 10, loading"])
    }

    @Test func `is ended by its app, and by another app that takes its place`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie(), at: 0)
        evening.appStops(40)
        #expect(evening.lines == ["Movie: sender_request 10, app_closed 40, played 30"])
        // A device may show no app at all before the next one.
        evening.appSession = "s-2"
        evening.app(42, "YouTube", id: "233637DE")
        #expect(evening.lines == ["Movie: sender_request 10, app_replaced 40, played 30"])

        var other = Evening()
        other.app(0)
        other.begins(10, "PLAYING", Evening.movie(), at: 0)
        other.appSession = "s-2"
        other.add(
            40, .appReplaced, .senderRequest, before: ["appId": "CC1AD845", "sessionId": "s-1"],
            after: ["appId": "233637DE", "sessionId": "s-2", "displayName": "YouTube"])
        #expect(other.lines == ["Movie: sender_request 10, app_replaced 40, played 30"])
    }

    @Test func `goes on where its app says another id of itself, and where a placeholder ends`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie(), at: 0)
        evening.add(
            20, .appReplaced, .receiver, before: ["appId": "2C6A6E3D", "sessionId": "s-1"],
            after: ["appId": "2C6A6E3D", "universalAppId": "233637DE", "sessionId": "s-1", "displayName": "YouTube"])
        evening.add(25, .appStopped, .receiver, before: ["appId": "705D30C6", "sessionId": "s-1"])
        evening.ends(30, "FINISHED")
        #expect(evening.lines == ["Movie: sender_request 10, finished 30, played 20"])
        #expect(evening.plays[0].appID == AppID("233637DE"))
        #expect(evening.plays[0].appName == "YouTube")
    }

    @Test func `has the name that its app told last, never an empty one`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie(), at: 0)
        evening.add(
            20, .appReplaced, .receiver, before: ["appId": "2C6A6E3D", "sessionId": "s-1"],
            after: ["appId": "2C6A6E3D", "universalAppId": "233637DE", "sessionId": "s-1", "displayName": ""])
        evening.mediaSession = 2
        evening.begins(30, "PLAYING", Evening.movie("Next", "http://m/2"), at: 0)
        #expect(evening.plays.map(\.appName) == ["Default Media Receiver", "Default Media Receiver"])
        #expect(evening.plays.map(\.appID) == [AppID("233637DE"), AppID("233637DE")])

        // Media that is heard before its app is named.
        var other = Evening()
        other.appSession = nil
        other.begins(0, "PLAYING", Evening.movie(), at: 0)
        other.appSession = "s-1"
        other.app(5, "")
        #expect(other.plays.map(\.appName) == [nil])
        #expect(other.plays.map(\.appSessionID) == [AppSessionID("s-1")])
    }

    @Test func `that an idle screen or a group's placeholder shows is none`() {
        for id in ["E8C28D3C", "531A4F84", "705D30C6", "MultizoneLeader", "MultizoneFollower"] {
            var evening = Evening()
            evening.app(0, id: id)
            evening.begins(10, "PLAYING", Evening.movie(), at: 0)
            evening.player(20, "PAUSED", at: 10)
            evening.ends(40, "FINISHED")
            #expect(evening.lines == [])
        }
    }

    @Test func `is each item of a queue, finished or replaced by its position, and a short idle in between is neither`()
    {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie("One", "a", seconds: 60), at: 0)
        evening.player(70, "IDLE", .receiver)
        evening.add(71, .queueItemChanged, .receiver, after: ["currentItemId": 2])
        evening.add(71, .mediaChanged, .receiver, after: Evening.movie("Two", "b", seconds: 60), sameRecord: true)
        evening.player(72, "PLAYING", .receiver, at: 0)
        // Skipped after 30 s.
        evening.add(
            102, .queueItemChanged, .senderRequest,
            after: ["currentItemId": 3, "media": Evening.movie("Three", "c", seconds: 60)], at: 0)
        evening.ends(122, "CANCELLED", .senderRequest)
        #expect(
            evening.lines == [
                "One: sender_request 10, finished 70, played 60", "Two: receiver 72, replaced 102, played 30",
                "Three: sender_request 102, stopped 122, played 20",
            ])
        #expect(evening.plays.map(\.queueItemID) == [nil, 2, 3])
    }

    @Test func `is each round of content that repeats by way of its end, and one where it only returns to its start`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie("Jingle", "a", seconds: 20), at: 0)
        evening.player(30, "IDLE", .receiver)
        evening.player(31, "PLAYING", .receiver, at: 0)
        evening.player(51, "IDLE", .receiver)
        evening.player(52, "PLAYING", .receiver, at: 0)
        evening.ends(60, "CANCELLED", .senderRequest)
        #expect(
            evening.lines == [
                "Jingle: sender_request 10, finished 30, played 20", "Jingle: receiver 31, finished 51, played 20",
                "Jingle: receiver 52, stopped 60, played 8",
            ])
        // Idle in the middle is a pause of some kind.
        var other = Evening()
        other.app(0)
        other.begins(10, "PLAYING", Evening.movie("Jingle", "a", seconds: 20), at: 0)
        other.player(15, "IDLE", .receiver)
        other.player(16, "PLAYING", .receiver, at: 0)
        #expect(other.lines == ["Jingle: sender_request 10, playing, played 5"])
    }
}
