import CastModel
import Differ
import Plays
import Recording
import Testing

@Suite("A play goes on") struct ContinuedPlayTests {
    private func playing(seconds: Double? = 600) -> Evening {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie(seconds: seconds), at: 0)
        return evening
    }

    @Test func `over a seek that is a LOAD of its own`() {
        // VLC: the media session is interrupted, and the next one has the same content (PROTOCOL 7.6).
        var evening = playing()
        evening.ends(40, "INTERRUPTED", .senderRequest, at: 30)
        evening.mediaSession = 2
        evening.begins(40, "LOADING", nil, sameRecord: true)
        evening.add(41, .mediaChanged, .senderRequest, after: Evening.movie())
        evening.player(42, "PLAYING", at: 300)
        evening.ends(52, "CANCELLED", .senderRequest)
        #expect(evening.lines == ["Movie: sender_request 10, stopped 52, played 40, seeks 1"])
        #expect(evening.plays[0].mediaSessionID == 1)
        #expect(evening.plays[0].maxPositionSeconds == 310)
    }

    @Test func `not when the same content is asked for again later, nor after its end, nor for other content`() {
        for (pause, reason, id, second) in [
            (3.0, "INTERRUPTED", "http://m/1", "Movie"), (1, "FINISHED", "http://m/1", "Movie"),
            (1, "INTERRUPTED", "http://m/2", "Other"),
        ] {
            var evening = playing()
            evening.ends(40, reason, .senderRequest)
            evening.mediaSession = 2
            evening.begins(40 + pause, "PLAYING", Evening.movie(second, id), at: 0)
            #expect(evening.plays.count == 2, "\(pause) \(reason) \(id)")
        }
    }

    @Test func `over an ad for which its app unloads it`() {
        // The texts of the IMA library, and a media session each for content, ad and content (PROTOCOL 5.5).
        var evening = playing()
        evening.add(40, .breakStarted, .receiver, after: ["source": "ima"], at: 30)
        evening.ends(41, "INTERRUPTED", at: 30)
        evening.mediaSession = 2
        evening.begins(42, "PLAYING", Evening.movie("Buy!", "http://ads/1", seconds: 20), .receiver, at: 0)
        evening.ends(61, "FINISHED")
        evening.mediaSession = nil
        evening.add(61, .breakEnded, .receiver, before: ["source": "ima"], at: 30)
        evening.mediaSession = 3
        evening.begins(62, "PLAYING", Evening.movie(), .receiver, at: 30)
        evening.ends(72, "CANCELLED", .senderRequest)
        // 30 s before and 10 s after; the ad from 40 to 62.
        #expect(evening.lines == ["Movie: sender_request 10, stopped 72, played 40, ads 22"])
        #expect(evening.plays[0].maxPositionSeconds == 40)
    }

    @Test func `into a break of its app, in which it has ads where the app pauses it`() {
        var evening = playing()
        evening.ends(40, "INTERRUPTED", .senderRequest, at: 30)
        evening.mediaSession = 2
        evening.begins(40, "LOADING", nil, sameRecord: true)
        evening.add(40.5, .breakStarted, .receiver, after: ["source": "ima"], at: 30)
        evening.add(41, .mediaChanged, .senderRequest, after: Evening.movie())
        evening.player(42, "PAUSED", .receiver, at: 30)
        evening.add(52, .breakEnded, .receiver, before: ["source": "ima"], at: 30)
        evening.player(53, "PLAYING", .receiver, at: 30)
        evening.ends(63, "CANCELLED", .senderRequest)
        // Loading from 40 to 42, ads up to 52, paused up to 53.
        #expect(evening.lines == ["Movie: sender_request 10, stopped 63, played 40, paused 1, ads 10, seeks 1"])
    }

    @Test func `over an ad that its own statuses tell`() {
        var evening = playing()
        evening.add(40, .breakStarted, .receiver, after: ["source": "break_status", "breakId": "b"], at: 5)
        evening.player(50, "BUFFERING", .receiver, at: 15)
        evening.player(52, "PLAYING", .receiver, at: 15)
        evening.player(60, "PAUSED", at: 23)
        evening.player(70, "PLAYING", at: 23)
        evening.add(75, .breakEnded, .receiver, before: ["source": "break_status", "breakId": "b"], at: 30)
        evening.ends(85, "CANCELLED", .senderRequest)
        // Ads from 40 to 60 and from 70 to 75, paused from 60 to 70, played 30 and 10.
        #expect(evening.lines == ["Movie: sender_request 10, stopped 85, played 40, paused 10, ads 25"])
        #expect(evening.plays[0].maxPositionSeconds == 40)
    }

    @Test func `over an ad in its disguise, which is not the end of the content`() {
        // YouTube on Google TV: title stays, duration and position are the ad's.
        var evening = playing()
        evening.add(40, .durationChanged, .receiver, before: ["duration": 600], after: ["duration": 10.041], at: 0.2)
        evening.add(40, .seeked, .receiver, before: ["currentTime": 30], after: ["currentTime": 0.2], sameRecord: true)
        evening.add(50, .durationChanged, .receiver, before: ["duration": 10.041], after: ["duration": 600], at: 30)
        evening.add(50, .seeked, .receiver, before: ["currentTime": 10], after: ["currentTime": 30], sameRecord: true)
        evening.ends(60, "CANCELLED", .senderRequest)
        #expect(evening.lines == ["Movie: sender_request 10, stopped 60, played 40, ads 10"])
        #expect(evening.plays[0].content.durationSeconds == 600)
        #expect(evening.plays[0].maxPositionSeconds == 40)

        // The end of the ad is not that of the content.
        var ad = playing()
        ad.add(40, .durationChanged, .receiver, before: ["duration": 600], after: ["duration": 10.041], at: 0.2)
        ad.ends(50, "FINISHED")
        #expect(ad.lines == ["Movie: sender_request 10, unknown 50, played 30, ads 10"])
        #expect(ad.plays[0].progress == 30.0 / 600)
    }

    @Test func `after an ad that came first, under its title`() {
        var evening = playing(seconds: 15)
        evening.add(25, .durationChanged, .receiver, before: ["duration": 15], after: ["duration": 600], at: 0)
        evening.ends(35, "CANCELLED", .senderRequest)
        #expect(evening.lines == ["Movie: sender_request 10, stopped 35, played 10, ads 15"])
        #expect(evening.plays[0].maxPositionSeconds == 10)
    }

    @Test func `while its length grows, as that of a stream that is being made`() {
        var evening = playing(seconds: 30)
        evening.add(30, .durationChanged, .receiver, before: ["duration": 30], after: ["duration": 90], at: 20)
        evening.ends(40, "CANCELLED", .senderRequest)
        #expect(evening.lines == ["Movie: sender_request 10, stopped 40, played 30"])
    }

    @Test func `when its media session is spoken of again`() {
        var evening = playing()
        evening.ends(40, nil)
        evening.begins(42, "PLAYING", Evening.movie(), .receiver, at: 30)
        evening.ends(52, "FINISHED")
        #expect(evening.lines == ["Movie: sender_request 10, finished 52, played 40"])
    }

    @Test func `when its app loads it anew, unasked`() {
        var evening = playing()
        evening.ends(40, "CANCELLED", .receiver)
        evening.mediaSession = 2
        evening.begins(60, "PLAYING", Evening.movie(), .receiver, at: 30)
        evening.ends(70, "FINISHED")
        #expect(evening.lines == ["Movie: sender_request 10, finished 70, played 40"])
    }

    @Test func `on another device or group, as one that moved there`() {
        // A speaker joins: the group takes the app session over, and the leader shows a placeholder (PROTOCOL 1.6).
        var evening = playing()
        let group = DeviceID("group")
        evening.device = group
        evening.app(43, "Default Media Receiver", .snapshot)
        evening.begins(43, "PLAYING", Evening.movie(), .snapshot, at: 33)
        evening.device = Evening.device
        evening.add(
            45, .appReplaced, .receiver, before: ["appId": "CC1AD845", "sessionId": "s-1"],
            after: ["appId": "531A4F84", "sessionId": "s-1"])
        evening.device = group
        evening.ends(60, "CANCELLED", .senderRequest)
        #expect(
            evening.lines == [
                "Movie: sender_request 10, transferred 45, played 35", "Movie: transfer 43, stopped 60, played 17",
            ])
        let plays = evening.plays
        #expect(plays[0].continuedIn == plays[1].id)
        #expect(plays[1].continuedFrom == plays[0].id)
    }

    @Test func `on another device also when that comes after its end, but no more than ten seconds`() {
        for (pause, causes) in [(10.0, ["transferred", "transfer"]), (10.1, ["app_closed", "already_playing"])] {
            var evening = playing()
            evening.appStops(40, .receiver)
            evening.device = DeviceID("group")
            evening.app(40 + pause, "Default Media Receiver", .snapshot)
            evening.begins(40 + pause, "PLAYING", Evening.movie(), .snapshot, at: 30)
            let plays = evening.plays
            #expect([plays[0].endReason?.rawValue, plays[1].startCause.rawValue] == causes, "after \(pause) s")
        }
    }

    @Test(arguments: [true, false])
    func `on another device whose app is named only after its media is heard`(endsBefore: Bool) {
        var evening = playing()
        if endsBefore { evening.appStops(40, .receiver) }
        evening.device = DeviceID("group")
        evening.appSession = nil
        evening.begins(42, "PLAYING", Evening.movie(), .snapshot, at: 32)
        evening.appSession = "s-1"
        evening.app(43, "Default Media Receiver", .snapshot)
        evening.device = Evening.device
        if !endsBefore { evening.appStops(45, .receiver) }
        let end = endsBefore ? "40, played 30" : "45, played 35"
        #expect(evening.lines == ["Movie: sender_request 10, transferred \(end)", "Movie: transfer 42, playing"])
        let plays = evening.plays
        #expect(plays[0].continuedIn == plays[1].id)
        #expect(plays[1].continuedFrom == plays[0].id)
    }

    @Test func `nowhere when another device plays other content in an app session of that name`() {
        var evening = playing()
        evening.appStops(40, .receiver)
        evening.device = DeviceID("group")
        evening.app(42, "Default Media Receiver", .snapshot)
        evening.begins(42, "PLAYING", Evening.movie("Other", "http://m/2"), .snapshot, at: 30)
        #expect(evening.plays.map(\.startCause) == [.senderRequest, .alreadyPlaying])
        #expect(evening.plays.allSatisfy { $0.continuedIn == nil && $0.continuedFrom == nil })
    }
}
