import CastModel
import Recording
import Testing

@testable import SenderCore

@Suite("An app that we are not with")
struct MissedAppTests {
    @Test func `is a gap from its start to its end, and the next one is another`() {
        var sender = Conversation.up(attachMode: .platform)
        sender.hears(apps: [Conversation.app(media: false)])
        sender.pass(.seconds(2))
        let startedAt = sender.now
        #expect(sender.hears(apps: [Conversation.app()]) == [.missed(because: .notJoined, since: startedAt)])
        sender.pass(.seconds(2))
        #expect(sender.hears(apps: [Conversation.app()]) == [])
        #expect(sender.hears(apps: [Conversation.app("E8C28D3C", idle: true)]) == [.missedNoMore])
        #expect(sender.hears(apps: []) == [])
    }

    @Test func `is no gap while we wait a moment to join it`() {
        var sender = Conversation.up()
        #expect(sender.hears(apps: [Conversation.app()]) == [.arm(.join, after: .milliseconds(500))])
        #expect(sender.handle(.fired(.join)).sent == ["CONNECT 2 web-5", "GET_STATUS media web-5"])
    }

    @Test(arguments: [(4_999, false), (5_000, true)])
    func `is a gap while we wait longer, as an operator's file says`(milliseconds: Int, isGap: Bool) {
        let slow = KnownApp(
            appID: AppID("CC1AD845"), name: "Slow", kind: .other, quirks: .init(joinDelayMilliseconds: milliseconds))
        var sender = Conversation.up(apps: AppRegistry([slow]))
        let heardAt = sender.now
        let effects = sender.hears(apps: [Conversation.app()])
        #expect(effects.first == .arm(.join, after: .milliseconds(milliseconds)))
        #expect(effects.contains(.missed(because: .notJoined, since: heardAt)) == isGap)
        #expect((sender.handle(.fired(.join)).first == .missedNoMore) == isGap)
    }

    @Test func `whose transport id nobody can join is a gap, and a group's placeholder is none`() {
        var sender = Conversation.up()
        let absurd = Conversation.app(on: TransportID("*"))
        #expect(sender.hears(apps: [absurd]) == [.missed(because: .notJoined, since: sender.now)])
        #expect(sender.hears(apps: [Conversation.app("531A4F84", placeholder: true)]) == [.missedNoMore])
    }

    @Test func `ends with its link, without a word`() {
        var sender = Conversation.up(attachMode: .platform)
        sender.hears(apps: [Conversation.app()])
        #expect(!sender.handle(.linkDown).contains(.missedNoMore))
    }
}
