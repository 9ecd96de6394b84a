import CastModel
import Differ
import Plays
import Recording
import Testing

@Suite("A play tells") struct PlayDetailTests {
    private var playing: Evening {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "PLAYING", Evening.movie(), at: 0)
        return evening
    }

    @Test func `how long nobody could see it: the TV in standby or on another input`() {
        var evening = playing
        evening.add(20, .activeInputChanged, .receiver, after: ["isActiveInput": false])
        evening.add(30, .standbyChanged, .receiver, after: ["isStandBy": true])
        evening.add(40, .activeInputChanged, .receiver, after: ["isActiveInput": true])
        evening.add(50, .standbyChanged, .receiver, after: ["isStandBy": false])
        evening.player(55, "PAUSED", at: 45)
        evening.add(60, .standbyChanged, .receiver, after: ["isStandBy": true])
        evening.ends(70, "CANCELLED", .senderRequest)
        // Played from 10 to 55; inactive from 20 to 50. Paused in standby is not played.
        #expect(evening.lines == ["Movie: sender_request 10, stopped 70, played 45, paused 15, inactive 30"])
    }

    @Test func `whether nobody can see it now, while it lasts`() {
        var evening = playing
        evening.add(20, .standbyChanged, .receiver, after: ["isStandBy": true])
        #expect(evening.plays.map(\.isInputInactive) == [true])
        var other = evening
        other.add(30, .standbyChanged, .receiver, after: ["isStandBy": false])
        #expect(other.plays.map(\.isInputInactive) == [false])
        evening.ends(40, "FINISHED")
        #expect(evening.plays.map(\.isInputInactive) == [false])
        evening.mediaSession = 2
        evening.begins(50, "PLAYING", Evening.movie("Next", "http://m/2"), at: 0)
        #expect(evening.plays.map(\.isInputInactive) == [false, true])
    }

    @Test func `nothing of that kind where a device does not say so`() {
        var evening = playing
        evening.ends(40, "FINISHED")
        #expect(evening.plays[0].time.inputInactiveSeconds == 0)
    }

    @Test func `which tracks were selected, and when captions were on`() {
        let tracks: JSONValue = [
            ["trackId": 1, "type": "AUDIO", "language": "en"],
            ["trackId": 2, "type": "TEXT", "subtype": "SUBTITLES", "language": "de", "name": "Deutsch"],
        ]
        var evening = Evening()
        evening.app(0)
        var media = Evening.movie().object ?? JSONObject()
        media["tracks"] = tracks
        evening.add(
            10, .mediaSessionStarted, .senderRequest,
            after: ["playerState": "PLAYING", "media": .object(media), "activeTrackIds": [1]], at: 0)
        evening.add(
            30, .activeTracksChanged, .senderRequest, before: ["activeTrackIds": [1]],
            after: ["activeTrackIds": [1, 2], "tracks": tracks])
        evening.add(
            50, .activeTracksChanged, .senderRequest, before: ["activeTrackIds": [1, 2]],
            after: ["activeTrackIds": []])
        evening.ends(60, "FINISHED")
        let told = evening.plays[0].tracks.map {
            "\($0.from.seconds(since: Evening.start))-\($0.to.map { $0.seconds(since: Evening.start) } ?? -1) "
                + "\($0.trackIDs) \($0.languages) \($0.hasText)"
        }
        #expect(
            told == [
                "10.0-30.0 [1] [\"en\"] false", "30.0-50.0 [1, 2] [\"en\", \"de\"] true", "50.0-60.0 [] [] false",
            ])
    }

    @Test func `the first sixty-four selections, however many there are`() {
        var evening = playing
        for number in 0..<200 {
            evening.add(
                20 + Double(number), .activeTracksChanged, .senderRequest,
                after: ["activeTrackIds": [.integer(Int64(number))]])
        }
        #expect(evening.plays[0].tracks.count == 64)
    }

    @Test func `the members of its group, also of those that came and went`() {
        var evening = Evening()
        evening.add(0, .groupMemberAdded, .snapshot, after: ["deviceId": "BBBB-1", "name": "Kitchen"])
        evening.add(0, .groupMemberAdded, .snapshot, after: ["deviceId": "aaaa1", "name": "Bath"])
        evening.add(0, .groupMemberAdded, .snapshot, after: ["deviceId": .string(Evening.device.text)])
        evening.app(1)
        evening.begins(10, "PLAYING", Evening.movie(), at: 0)
        evening.add(20, .groupMemberAdded, .receiver, after: ["deviceId": "cccc1"])
        evening.add(30, .groupMemberRemoved, .receiver, before: ["deviceId": "aaaa1"])
        evening.ends(40, "FINISHED")
        evening.mediaSession = 2
        evening.begins(50, "PLAYING", Evening.movie("Next", "http://m/2"), at: 0)
        #expect(evening.plays.map { $0.memberIDs.map(\.text) } == [["aaaa1", "bbbb1", "cccc1"], ["bbbb1", "cccc1"]])
    }

    @Test func `seeks and repeats apart, and how far it came`() {
        var evening = playing
        evening.add(20, .seeked, .senderRequest, before: ["currentTime": 10], after: ["currentTime": 500], at: 500)
        evening.add(30, .seeked, .senderRequest, before: ["currentTime": 510], after: ["currentTime": 100], at: 100)
        evening.add(
            40, .seeked, .receiver, before: ["currentTime": 110], after: ["currentTime": 0, "restart": true], at: 0)
        evening.player(50, "PAUSED", at: 10)
        let play = evening.plays[0]
        #expect(play.seeks == 2)
        #expect(play.firstPositionSeconds == 0)
        #expect(play.lastPositionSeconds == 10)
        #expect(play.maxPositionSeconds == 510)
        #expect(play.progress == 0.85)
    }

    @Test(
        arguments: [
            (["contentId": "a", "streamType": "LIVE", "duration": 100], nil), (["contentId": "a", "duration": 0], nil),
            (["contentId": "a", "duration": -1], nil), (["contentId": "a", "duration": nil], nil),
            (["contentId": "a"], nil),
            (["contentId": "a", "duration": 20], 1.0), (["contentId": "a", "duration": 60], 0.5),
        ] as [(JSONValue, Double?)])
    func `its progress only where a length is known, and never more than all of it`(media: JSONValue, expected: Double?)
    {
        var evening = Evening()
        evening.begins(10, "PLAYING", media, at: 0)
        evening.player(40, "PAUSED", at: 30)
        #expect(evening.plays[0].progress == expected)
    }

    @Test func `content without an id by its title`() {
        var evening = Evening()
        evening.app(0, "A TV app")
        evening.begins(10, "PLAYING", ["contentId": "", "duration": 0, "metadata": ["title": "News"]], at: 200)
        evening.add(
            40, .metadataChanged, .receiver, before: ["metadata": ["title": "News"]],
            after: ["metadata": ["title": "Weather"]], at: 0)
        evening.ends(50, "CANCELLED", .senderRequest)
        #expect(
            evening.lines == [
                "News: sender_request 10, replaced 40, played 30",
                "Weather: receiver 40, stopped 50, played 10",
            ])
    }

    @Test func `a station that names each song is one play`() {
        var evening = Evening()
        evening.begins(
            10, "PLAYING", ["contentId": "http://radio", "streamType": "LIVE", "metadata": ["title": "Song 1"]], at: 0)
        evening.add(40, .metadataChanged, .receiver, after: ["metadata": ["title": "Song 2"]])
        evening.ends(50, "CANCELLED", .senderRequest)
        #expect(evening.lines == ["Song 2: sender_request 10, stopped 50, played 40"])
    }

    @Test func `a LOAD that failed, when it is its own`() {
        var evening = Evening()
        evening.app(0)
        evening.begins(10, "LOADING", Evening.movie(), requestID: 509)
        evening.mediaSession = nil
        evening.add(11, .mediaError, .senderRequest, requestID: 508, after: ["type": "LOAD_FAILED"])
        evening.add(12, .mediaError, .senderRequest, requestID: 509, after: ["type": "INVALID_REQUEST"])
        #expect(evening.lines == ["Movie: sender_request 10, loading"])
        evening.add(15, .mediaError, .senderRequest, requestID: 509, after: ["type": "LOAD_FAILED"])
        #expect(evening.lines == ["Movie: sender_request 10, failed 15"])
    }

    @Test func `the reason that came late`() {
        var evening = playing
        evening.ends(40, nil)
        #expect(evening.lines == ["Movie: sender_request 10, unknown 40, played 30"])
        evening.ends(41, "FINISHED")
        #expect(evening.lines == ["Movie: sender_request 10, finished 40, played 30"])
    }

    @Test func `that it was replaced by what begins in the same message`() {
        var evening = playing
        evening.ends(40, nil, .senderRequest)
        evening.mediaSession = 2
        evening.begins(40, "PLAYING", Evening.movie("Other", "http://m/2"), at: 0, sameRecord: true)
        #expect(
            evening.lines == [
                "Movie: sender_request 10, replaced 40, played 30", "Other: sender_request 40, playing",
            ])
    }

    @Test func `that its app ended, where that interrupted it`() {
        var evening = playing
        evening.ends(40, "INTERRUPTED")
        evening.appStops(41)
        #expect(evening.lines == ["Movie: sender_request 10, app_closed 40, played 30"])
    }
}
