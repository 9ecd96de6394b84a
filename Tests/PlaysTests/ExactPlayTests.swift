import CastModel
import Differ
import Plays
import Recording
import Testing

@Suite("A play, to the second") struct ExactPlayTests {
    /// A movie that plays from second 10 on.
    private var playing: Evening {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie(), at: 0)
        return evening
    }

    // MARK: Queue items

    @Test func `ends where the queue steps, though the next item is named later`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(1, "PLAYING", Evening.movie("A", "http://x/a", seconds: nil), at: 0)
        evening.add(101, .queueItemChanged, .senderRequest, after: ["currentItemId": 2], at: 0)
        evening.add(103, .mediaChanged, .senderRequest, after: Evening.movie("B", "http://x/b"), at: 2)
        evening.ends(120, "CANCELLED", .senderRequest, at: 19)
        #expect(
            evening.lines == [
                "A: sender_request 1, replaced 101, played 100", "B: sender_request 101, stopped 120, played 19",
            ])
        #expect(evening.plays.map(\.queueItemID) == [nil, 2])
        #expect(evening.plays.map(\.maxPositionSeconds) == [100, 19])
    }

    @Test func `ends where the queue steps to the same content, also while the player buffers`() {
        var evening = playing
        evening.player(40, "BUFFERING", at: 30)
        evening.add(
            41, .queueItemChanged, .senderRequest, after: ["currentItemId": 2, "media": Evening.movie()], at: 0)
        evening.player(42, "PLAYING", at: 0)
        evening.ends(52, "CANCELLED", .senderRequest, at: 10)
        #expect(
            evening.lines == [
                "Movie: sender_request 10, replaced 41, played 30, buffering 1",
                "Movie: sender_request 41, stopped 52, played 10, buffering 1",
            ])
    }

    @Test func `begins anew when it had failed and a sender starts it again, but not when its app does`() {
        var evening = playing
        evening.ends(40, "ERROR")
        evening.begins(45, "PLAYING", Evening.movie(), .senderRequest, at: 0)
        evening.ends(55, "CANCELLED", .senderRequest)
        #expect(
            evening.lines == [
                "Movie: sender_request 10, failed 40, played 30", "Movie: sender_request 45, stopped 55, played 10",
            ])

        var retried = playing
        retried.ends(40, "ERROR")
        retried.begins(45, "PLAYING", Evening.movie(), .receiver, at: 30)
        retried.ends(55, "CANCELLED", .senderRequest)
        #expect(retried.lines == ["Movie: sender_request 10, stopped 55, played 40"])
    }

    // MARK: Ad breaks of an app

    /// The movie is unloaded at second 41 for an ad break that began a second before.
    private var unloaded: Evening {
        var evening = playing
        evening.add(40, .breakStarted, .unknown, after: ["source": "ima"], at: 30)
        evening.ends(41, "INTERRUPTED", at: 30)
        evening.mediaSession = 2
        return evening
    }

    @Test func `is one that a sender asks for in an ad break`() {
        var evening = unloaded
        evening.begins(45, "PLAYING", Evening.movie("Other", "http://m/2"), .senderRequest, at: 0)
        evening.player(55, "PAUSED", at: 10)
        evening.ends(65, "CANCELLED", .senderRequest)
        #expect(
            evening.lines == [
                "Movie: sender_request 10, replaced 41, played 30, ads 1",
                "Other: sender_request 45, stopped 65, played 10, paused 10",
            ])
    }

    @Test func `is one that turns out to be asked for when its LOAD is complete, and ends the break`() {
        var evening = unloaded
        evening.begins(41, "LOADING", Evening.movie("Other", "http://m/2", seconds: 3600), .receiver)
        evening.player(45, "PLAYING", .senderRequest, at: 0)
        evening.ends(645, "INTERRUPTED", at: 600)
        evening.mediaSession = 3
        evening.begins(646, "PLAYING", Evening.movie("Third", "http://m/3"), .receiver, at: 0)
        evening.ends(656, "CANCELLED", .senderRequest)
        #expect(
            evening.lines == [
                "Movie: sender_request 10, replaced 41, played 30, ads 1",
                "Other: sender_request 41, replaced 645, played 600",
                "Third: receiver 646, stopped 656, played 10",
            ])
    }

    @Test(arguments: [(640.0, 1), (641, 2)])
    func `is one that the app loads by itself, ten minutes after a break began without an end`(
        loadedAt: Double, plays: Int
    ) {
        var evening = unloaded
        evening.begins(loadedAt, "PLAYING", Evening.movie("Other", "http://m/2"), .receiver, at: 0)
        evening.ends(loadedAt + 10, "CANCELLED", .senderRequest)
        #expect(evening.plays.count == plays)
        if plays == 2 { #expect(evening.lines[1] == "Other: receiver 641, stopped 651, played 10") }
    }

    @Test func `goes on in the media session of its ad`() {
        var evening = unloaded
        evening.begins(42, "PLAYING", Evening.movie("Buy!", "http://ads/1", seconds: 20), .receiver, at: 0)
        evening.add(62, .mediaChanged, .receiver, after: Evening.movie(), at: 30)
        evening.ends(72, "CANCELLED", .senderRequest, at: 40)
        // 30 s before the break and 10 s after; the ad from 40 to 62.
        #expect(evening.lines == ["Movie: sender_request 10, stopped 72, played 40, ads 22"])
        #expect(evening.plays[0].maxPositionSeconds == 40)
    }

    @Test func `plays on ten minutes after a break whose end was lost`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie(seconds: 7200), at: 0)
        evening.add(40, .breakStarted, .unknown, after: ["source": "ima"], at: 30)
        evening.ends(1040, "CANCELLED", .senderRequest)
        // 10 to 40, then ads up to 640, then 400 s more.
        #expect(evening.lines == ["Movie: sender_request 10, stopped 1040, played 430, ads 600"])
        #expect(evening.plays[0].maxPositionSeconds == 430)
    }

    @Test func `has ads, no pause, while its app stops it for them`() {
        var evening = playing
        evening.player(40, "PAUSED", .receiver, at: 30)
        evening.add(41, .breakStarted, .unknown, after: ["source": "ima"], at: 30)
        evening.add(71, .breakEnded, .unknown, before: ["source": "ima"], at: 30)
        evening.player(72, "PLAYING", .receiver, at: 30)
        evening.ends(82, "CANCELLED", .senderRequest)
        #expect(evening.lines == ["Movie: sender_request 10, stopped 82, played 40, paused 2, ads 30"])
    }

    // MARK: Positions

    @Test func `got as far as its device says`() {
        var stalled = playing
        stalled.ends(320, "CANCELLED", .senderRequest, at: 10)
        #expect(stalled.plays[0].lastPositionSeconds == 10)
        #expect(stalled.plays[0].maxPositionSeconds == 10)

        var sought = playing
        sought.add(100, .seeked, .senderRequest, before: ["currentTime": 80], after: ["currentTime": 20], at: 20)
        sought.ends(110, "CANCELLED", .senderRequest, at: 29)
        #expect(sought.plays[0].lastPositionSeconds == 29)
        #expect(sought.plays[0].maxPositionSeconds == 80)

        // Many players are at 0 when they are done.
        var done = playing
        done.ends(320, "CANCELLED", .senderRequest, at: 0)
        #expect(done.plays[0].maxPositionSeconds == 310)
    }

    @Test func `that comes out of a gap is where its device says, or where it came to by itself`() {
        var told = playing
        told.gap(40, to: 100, told: 50)
        told.ends(130, "CANCELLED", .senderRequest, at: 115)
        #expect(told.plays[0].lastPositionSeconds == 115)

        var silent = playing
        silent.gap(40, to: 100, told: 50)
        silent.appStops(110)
        #expect(silent.lines == ["Movie: sender_request 10, app_closed 110, played 40, gap 60"])
        #expect(silent.plays[0].lastPositionSeconds == 100)

        // Its end lay in the gap, and nobody saw what came then.
        var long = playing
        long.gap(40, to: 1000, told: 50)
        long.appStops(1010)
        #expect(long.plays[0].maxPositionSeconds == 30)
    }

    // MARK: Gaps

    @Test func `ended in the gap after which its media session has other content`() {
        for kind in [ChangeEvent.Kind.mediaChanged, .queueItemChanged] {
            var evening = playing
            evening.gap(40, to: 100, told: 50)
            let media = Evening.movie("Other", "http://m/2")
            evening.add(
                101, kind, .snapshot, after: kind == .mediaChanged ? media : ["currentItemId": 2, "media": media], at: 5
            )
            evening.ends(111, "CANCELLED", .senderRequest, at: 15)
            #expect(
                evening.lines == [
                    "Movie: sender_request 10, device_lost after 40, played 30",
                    "Other: already_playing 101, stopped 111, played 10",
                ])
            #expect(evening.plays[0].maxPositionSeconds == 30)
        }
    }
}
