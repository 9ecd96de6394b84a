import CastModel
import Recording
import Testing

@testable import SenderCore

@Suite("A device that seems to show us to an app")
struct VisibilityTrialTests {
    /// A conversation that has joined an app, which a moment later says that it has a sender.
    private func suspecting() -> (sender: Conversation, effects: [SenderMachine.Effect]) {
        var sender = Conversation.up()
        let effects = suspect(&sender)
        return (sender, effects)
    }

    private func suspect(_ sender: inout Conversation) -> [SenderMachine.Effect] {
        sender.hears(apps: [Conversation.app(senderConnected: false)])
        sender.pass(.milliseconds(500))
        sender.handle(.fired(.join))
        sender.pass(.seconds(1))
        return sender.hears(apps: [Conversation.app(senderConnected: true)])
    }

    private func comeBack(_ sender: inout Conversation) {
        sender.pass(.seconds(1))
        #expect(sender.handle(.fired(.connect)) == [.openLink])
        sender.handle(.linkUp)
    }

    @Test func `is left without CLOSE, which could end the app, and looked at again`() {
        var (sender, effects) = suspecting()
        effects.removeAll { if case .disarm = $0 { true } else { false } }
        #expect(
            effects == [
                .suspectVisible(AppID("CC1AD845")), .closeLink(.attachModeChanged), .arm(.connect, after: .seconds(1)),
            ])
        #expect(sender.machine.attachMode == .platform)
        #expect(!sender.machine.isDowngraded, "nothing is decided yet")
        #expect(sender.machine.failures == 0)
        comeBack(&sender)
    }

    /// One trial, up to the look that decides: the app has no sender, or has one.
    private func look(_ sender: inout Conversation, senderConnected: Bool) -> [SenderMachine.Effect] {
        comeBack(&sender)
        var effects = sender.hears(apps: [Conversation.app(senderConnected: senderConnected)])
        effects.removeAll { if case .disarm = $0 { true } else { false } }
        return effects
    }

    private let joinsAgain: [SenderMachine.Effect] = [
        .visibilityJudged(staysWithPlatform: false), .closeLink(.attachModeChanged), .arm(.connect, after: .seconds(1)),
    ]

    @Test func `is watched by its platform alone from then on, when the app twice has no sender without us`() {
        var (sender, _) = suspecting()
        #expect(look(&sender, senderConnected: false) == joinsAgain, "its sender may have left as we did")
        comeBack(&sender)
        _ = suspect(&sender)
        #expect(
            look(&sender, senderConnected: false) == [
                .visibilityJudged(staysWithPlatform: true), .missed(because: .notJoined, since: sender.now),
            ])
        #expect(sender.machine.isDowngraded)
        sender.handle(.linkDown)
        sender.handle(.fired(.connect))
        sender.handle(.linkUp)
        let next = Conversation.app("233637DE", on: TransportID("web-6"), senderConnected: false)
        #expect(sender.hears(apps: [next]) == [.missed(because: .notJoined, since: sender.now)])
        #expect(sender.machine.attachMode == .platform)
    }

    @Test func `is joined again, when the app has its sender without us`() {
        var (sender, _) = suspecting()
        #expect(look(&sender, senderConnected: true) == joinsAgain)
        comeBack(&sender)
        #expect(sender.machine.attachMode == .invisible)
        sender.hears(apps: [Conversation.app(senderConnected: true)])
        #expect(sender.handle(.fired(.join)).sent == ["CONNECT 2 web-5", "GET_STATUS media web-5"])
    }

    @Test(arguments: [(30, true), (31, false)])
    func `counts as seen when the app ended as we left, not when it did so much later`(
        seconds: Int, staysWithPlatform: Bool
    ) {
        var (sender, _) = suspecting()
        _ = look(&sender, senderConnected: false)
        comeBack(&sender)
        _ = suspect(&sender)
        sender.pass(.seconds(seconds - 1))
        comeBack(&sender)
        #expect(sender.hears(apps: []).first == .visibilityJudged(staysWithPlatform: staysWithPlatform))
    }

    @Test func `makes us come and go three times at most`() {
        var (sender, effects) = suspecting()
        for _ in 0..<3 {
            comeBack(&sender)
            sender.hears(apps: [Conversation.app(senderConnected: true)])
            comeBack(&sender)
            effects = suspect(&sender)
        }
        #expect(effects == [], "it is not examined any more, and nobody is told that it were")
        #expect(sender.machine.attachMode == .invisible && !sender.machine.isDowngraded)
        #expect(sender.machine.joinedApp != nil, "three suspicions came to nothing")
    }

    @Test func `is not suspected when the app began after us: whoever launched it joins it as we do`() {
        var sender = Conversation.up()
        sender.hears(apps: [])
        #expect(suspect(&sender) == [])
        #expect(sender.machine.joinedApp != nil)
    }

    @Test func `is not suspected where an operator chose to be seen`() {
        var sender = Conversation.up(attachMode: .weak)
        #expect(suspect(&sender) == [])
    }
}
