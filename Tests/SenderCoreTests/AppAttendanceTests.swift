import CastModel
import Recording
import Testing

@testable import SenderCore

@Suite("Our presence with an app")
struct AppAttendanceTests {
    @Test func `begins half a second after it is there: CONNECT, and one look`() {
        var sender = Conversation.up()
        #expect(sender.hears(apps: [Conversation.app()]) == [.arm(.join, after: .milliseconds(500))])
        #expect(sender.hears(apps: [Conversation.app()]) == [], "statuses come in bursts")
        #expect(sender.handle(.fired(.join)).sent == ["CONNECT 2 web-5", "GET_STATUS media web-5"])
        #expect(sender.machine.joinedApp == Conversation.app())
        #expect(sender.hears(apps: [Conversation.app()]) == [])
    }

    @Test func `waits a whole second for Audible`() {
        var sender = Conversation.up()
        #expect(sender.hears(apps: [Conversation.app("25456794")]) == [.arm(.join, after: .seconds(1))])
    }

    @Test func `waits as long as an operator's file says, for the app of the universal id, too`() {
        let slow = KnownApp(
            appID: AppID("00C0FFEE"), name: "Slow", kind: .other, quirks: .init(joinDelayMilliseconds: 2500))
        let policy = SenderMachine.Policy(userAgent: "CastLedger/1", apps: AppRegistry([slow]))
        var app = Conversation.app("com.example.slow")
        #expect(policy.joinDelay(app) == .milliseconds(500))
        app.universalAppID = AppID("00c0ffee")
        #expect(policy.joinDelay(app) == .milliseconds(2500))
    }

    @Test(arguments: [(AttachMode.weak, "CONNECT 1 web-5"), (.strong, "CONNECT 0 web-5")])
    func `is visible only where an operator chose so`(mode: AttachMode, connect: String) {
        var sender = Conversation.up(attachMode: mode)
        sender.hears(apps: [Conversation.app()])
        #expect(sender.handle(.fired(.join)).sent.first == connect)
    }

    @Test func `is never with idle screens, placeholders, and apps without transport or media`() {
        var sender = Conversation.up()
        for app in [
            Conversation.app("E8C28D3C", idle: true), Conversation.app("531A4F84", placeholder: true),
            Conversation.app(on: nil), Conversation.app(media: false),
            Conversation.app(on: TransportID(String(repeating: "a", count: 300))),
        ] {
            sender.hears(apps: [app])
            #expect(sender.handle(.fired(.join)).isEmpty, "\(app)")
        }
        #expect(sender.hears(apps: []) == [.missedNoMore], "the last one offered media")
    }

    @Test(arguments: ["531A4F84", "705D30C6", "MultizoneLeader", "MultizoneFollower", "multizonefollower"])
    func `is never with a group's placeholder, whatever it offers`(id: String) throws {
        let told = JSONObject([
            ("appId", .string(id)), ("universalAppId", "CC32E753"), ("sessionId", "s"), ("transportId", "multizone-2"),
            ("namespaces", [["name": "urn:x-cast:com.google.cast.media"]]),
        ])
        let app = try #require(RunningApp(ReceiverApp(told)))
        var sender = Conversation.up()
        #expect(sender.hears(apps: [app]) == [])
        #expect(sender.handle(.fired(.join)).isEmpty)
        #expect(sender.machine.joinedApp == nil)
    }

    @Test func `is nowhere when only the platform is watched, or the app is denied`() {
        var platform = Conversation.up(attachMode: .platform)
        #expect(platform.hears(apps: [Conversation.app()]) == [.missed(because: .notJoined, since: platform.now)])
        var denying = Conversation.up(filter: DeviceFilter(deniedApps: ["CC1AD845"]))
        #expect(denying.hears(apps: [Conversation.app()]) == [.missed(because: .notJoined, since: denying.now)])
    }

    @Test func `begins when an app that was starting has said what it speaks`() {
        var sender = Conversation.up()
        #expect(sender.hears(apps: [Conversation.app(media: false)]) == [])
        #expect(sender.hears(apps: [Conversation.app()]) == [.arm(.join, after: .milliseconds(500))])
    }

    @Test func `does not begin when the app is gone before its half second`() {
        var sender = Conversation.up()
        sender.hears(apps: [Conversation.app()])
        #expect(sender.hears(apps: []) == [.disarm(.join)])
        #expect(sender.handle(.fired(.join)) == [])
    }

    @Test func `moves to the app that replaces it, without a word to the old one`() {
        var sender = Conversation.joined()
        let effects = sender.hears(apps: [Conversation.app("233637DE", on: TransportID("web-6"))])
        #expect(effects == [.arm(.join, after: .milliseconds(500))])
        #expect(sender.handle(.fired(.join)).sent == ["CONNECT 2 web-6", "GET_STATUS media web-6"])
    }

    @Test func `stays through a status in which the app has lost its namespaces`() {
        var sender = Conversation.joined()
        #expect(sender.hears(apps: [Conversation.app(media: false)]) == [])
        #expect(sender.machine.joinedApp != nil)
    }

    @Test func `ends with one CLOSE when the app closes it, and begins again with patience`() {
        var sender = Conversation.joined()
        let refusedAt = sender.now
        #expect(
            sender.hears(.close, from: "web-5", to: sender.machine.identity.senderID).sent == [
                "CLOSE web-5", "GET_STATUS receiver",
            ])
        #expect(sender.hears(.close, from: "web-5").sent == [], "answered once")
        sender.pass(.milliseconds(20))
        #expect(
            sender.hears(apps: [Conversation.app()]) == [
                .arm(.join, after: .seconds(10)), .missed(because: .attachRefused, since: refusedAt),
            ])
        #expect(sender.handle(.fired(.join)).first == .missedNoMore)
        sender.hears(.close, from: "web-5")
        #expect(sender.hears(apps: [Conversation.app()]).first == .arm(.join, after: .seconds(60)))
        sender.handle(.fired(.join))
        let last = sender.hears(.close, from: "web-5")
        #expect(last.sent == ["CLOSE web-5", "GET_STATUS receiver"])
        #expect(last.last == .joinRefused(AppID("CC1AD845")))
        #expect(
            sender.hears(apps: [Conversation.app()]) == [.missed(because: .attachRefused, since: sender.now)],
            "three refusals are enough")
        let next = sender.hears(apps: [Conversation.app(on: TransportID("web-6"))])
        #expect(
            next == [.arm(.join, after: .milliseconds(500)), .missedNoMore], "another launch is another app session")
    }

    @Test(arguments: [AttachMode.weak, .strong])
    func `is not closed by us where it is visible, not even in answer`(mode: AttachMode) {
        var sender = Conversation.joined(attachMode: mode)
        #expect(sender.hears(.close, from: "web-5").sent == ["GET_STATUS receiver"])
    }

    @Test func `ignores CLOSE of strangers`() {
        var sender = Conversation.joined()
        #expect(sender.hears(.close, from: "web-4") == [])
        #expect(sender.machine.joinedApp != nil)
    }

    @Test func `is not suspected when a sender was there before, or comes later, or is not told`() {
        for before in [true, nil] {
            var sender = Conversation.up()
            sender.hears(apps: [Conversation.app(senderConnected: before)])
            sender.handle(.fired(.join))
            #expect(sender.hears(apps: [Conversation.app(senderConnected: true)]) == [])
        }
        var late = Conversation.up()
        late.hears(apps: [Conversation.app(senderConnected: false)])
        late.handle(.fired(.join))
        late.pass(.milliseconds(3_001))
        #expect(late.hears(apps: [Conversation.app(senderConnected: true)]) == [])
    }
}

@Suite("Looking at the media again")
struct MediaResyncTests {
    private func playing(_ session: Int64, media: Bool, at position: Double = 0, of duration: Double? = nil)
        -> MediaFacts
    {
        MediaFacts(
            mediaSessionID: session, playerState: .playing, positionSeconds: position, playbackRate: 1, hasMedia: media,
            durationSeconds: duration)
    }

    @Test func `happens for an unknown media session without media, at most every 10 s`() {
        var sender = Conversation.joined()
        sender.pass(.seconds(4))
        #expect(sender.hears(media: playing(7, media: false)) == [.arm(.mediaResync, after: .seconds(6))])
        #expect(sender.hears(media: playing(7, media: false)) == [])
        sender.pass(.seconds(6))
        #expect(sender.handle(.fired(.mediaResync)).sent == ["GET_STATUS media web-5"])
        sender.pass(.seconds(11))
        #expect(sender.hears(media: playing(7, media: false)).sent == ["GET_STATUS media web-5"])
    }

    @Test func `does not happen when the answer came by itself`() {
        var sender = Conversation.joined()
        sender.hears(media: playing(7, media: false))
        sender.hears(media: playing(7, media: true))
        sender.pass(.seconds(10))
        #expect(sender.handle(.fired(.mediaResync)) == [])
    }

    @Test func `does not happen for a known media session, a load, or an idle player`() {
        var sender = Conversation.joined()
        sender.pass(.seconds(60))
        sender.hears(media: playing(7, media: true))
        #expect(sender.hears(media: playing(7, media: false)) == [])
        #expect(
            sender.hears(media: MediaFacts(mediaSessionID: 8, playerState: .idle, hasMedia: false)) == [])
        #expect(
            sender.hears(media: MediaFacts(mediaSessionID: 9, playerState: .playing, hasMedia: false, isLoading: true))
                == [])
        #expect(sender.hears(media: MediaFacts(mediaSessionID: nil, playerState: nil, hasMedia: false)) == [])
    }

    @Test func `happens when an app claims to play beyond the end, and says nothing`() {
        var sender = Conversation.joined()
        #expect(
            sender.hears(media: playing(7, media: true, at: 100, of: 400)) == [
                .arm(.mediaSilence, after: .seconds(120))
            ])
        var looks = 0
        for second in 1...400 {
            sender.hears(.other, from: "receiver-0")
            let asked = sender.wait(.seconds(1)).sent.filter { $0 == "GET_STATUS media web-5" }.count
            if asked > 0 { #expect(second == 300, "100 s of 400 s: the end is 300 s away") }
            looks += asked
        }
        #expect(looks == 1)
    }

    @Test func `waits two minutes at least, from the last status on`() {
        var sender = Conversation.joined()
        sender.hears(media: playing(7, media: true, at: 0, of: 10))
        for _ in 0..<20 {
            sender.hears(.other, from: "receiver-0")
            #expect(!sender.wait(.seconds(5)).sent.contains("GET_STATUS media web-5"))
        }
        // After 100 s the app speaks; nothing says that it has media anew.
        sender.hears(media: playing(7, media: false, at: 9))
        for second in 1...120 {
            sender.hears(.other, from: "receiver-0")
            let asks = sender.wait(.seconds(1)).sent.contains("GET_STATUS media web-5")
            #expect(asks == (second == 120))
        }
    }

    @Test func `does not happen for live media, or a paused player`() {
        for facts in [
            playing(7, media: true, at: 80_288, of: nil),
            MediaFacts(
                mediaSessionID: 7, playerState: .paused, positionSeconds: 1, hasMedia: true, durationSeconds: 2),
            MediaFacts(
                mediaSessionID: 7, playerState: .playing, positionSeconds: 1, playbackRate: 0, hasMedia: true,
                durationSeconds: 2),
        ] {
            var sender = Conversation.joined()
            #expect(sender.hears(media: facts) == [])
        }
    }

    @Test func `listens to the joined app alone`() {
        var sender = Conversation.joined()
        sender.pass(.seconds(60))
        #expect(sender.hears(media: playing(7, media: false), from: "web-4") == [])
        #expect(sender.machine.media == nil)
    }

    @Test func `survives absurd numbers`() {
        for number in [
            Double.greatestFiniteMagnitude, -Double.greatestFiniteMagnitude, Double.leastNonzeroMagnitude, 0, -0.0,
        ] {
            var sender = Conversation.joined()
            sender.hears(
                media: MediaFacts(
                    mediaSessionID: .max, playerState: .playing, positionSeconds: number, playbackRate: abs(number),
                    hasMedia: true, durationSeconds: number))
            _ = sender.wait(.seconds(10))
        }
    }
}
