import CastModel
import Recording
import Testing

@testable import SenderCore

// Goal: whatever happens in whatever order, the machine neither traps nor breaks a promise.
// Method: from every stage, all sequences of three events out of all kinds of events.
@Suite("A sender, whatever happens")
struct SenderExhaustionTests {
    private static let events: [SenderMachine.Event] =
        [
            .start, .linkUp, .linkDown, .readingPaused, .readingResumed, .rediscovered(atNewAddress: false),
            .rediscovered(atNewAddress: true), .restart(.duplicate), .stop(.recorderStopping),
        ] + SenderMachine.Timer.allCases.map { .fired($0) }
        + [
            heard(.ping, "receiver-0"), heard(.close, "receiver-0"), heard(.close, "web-5"),
            heard(.receiverStatus([]), "receiver-0"), heard(.receiverStatus([Conversation.app()]), "receiver-0"),
            heard(.receiverStatus([Conversation.app("233637DE", on: TransportID("web-6"))]), "receiver-0"),
            heard(.receiverStatus([Conversation.app(senderConnected: false)]), "receiver-0"),
            heard(.receiverStatus([Conversation.app(senderConnected: true)]), "receiver-0"),
            heard(.mediaStatus([]), "web-5"),
            heard(.mediaStatus([MediaFacts(mediaSessionID: 1, playerState: .playing, hasMedia: false)]), "web-5"),
            heard(.other, "web-5"),
        ]

    private static func heard(_ content: HeardMessage.Content, _ source: String) -> SenderMachine.Event {
        .received(HeardMessage(from: source, to: "*", content))
    }

    private static func stages(_ mode: AttachMode) -> [Conversation] {
        var waiting = Conversation(attachMode: mode)
        waiting.handle(.start)
        var connecting = waiting
        connecting.handle(.fired(.connect))
        var joining = Conversation.up(attachMode: mode)
        joining.hears(apps: [Conversation.app()])
        var stopped = Conversation.joined(attachMode: mode)
        stopped.handle(.stop(.recorderStopping))
        return [
            Conversation(attachMode: mode), waiting, connecting, .up(attachMode: mode), joining,
            .joined(attachMode: mode), stopped,
        ]
    }

    @Test(arguments: AttachMode.allCases)
    func `keeps its promises`(mode: AttachMode) {
        for (number, stage) in Self.stages(mode).enumerated() {
            for first in Self.events {
                for second in Self.events {
                    for third in Self.events {
                        var sender = Witness(stage, isUp: (3...5).contains(number), isOver: number == 6, mode)
                        for event in [first, second, third] { sender.handle(event) }
                        guard sender.broken == nil else {
                            Issue.record("\(sender.broken ?? ""): stage \(number), \(first), \(second), \(third)")
                            return
                        }
                    }
                }
            }
        }
    }
}

/// Watches over a machine: what it may send when.
private struct Witness {
    private var conversation: Conversation
    private var isUp: Bool
    private var isOver: Bool
    private let mode: AttachMode
    private(set) var broken: String?

    init(_ conversation: Conversation, isUp: Bool, isOver: Bool, _ mode: AttachMode) {
        self.conversation = conversation
        self.isUp = isUp
        self.isOver = isOver
        self.mode = mode
    }

    mutating func handle(_ event: SenderMachine.Event) {
        conversation.pass(.seconds(4))
        let wasOver = isOver
        if event == .linkDown { isUp = false }
        let effects = conversation.handle(event)
        // The shell reports a link only when it was asked for one; a report that nobody waits for changes nothing.
        if event == .linkUp, effects.contains(.send(.connectPlatform)) { isUp = true }
        if wasOver && !effects.isEmpty { broken = "acts after its end" }
        for effect in effects { check(effect) }
        if case .stop = event {
            isOver = true
            if !conversation.armed.isEmpty { broken = "leaves timers behind" }
        }
    }

    private mutating func check(_ effect: SenderMachine.Effect) {
        switch effect {
        case .send(let message):
            if !isUp { broken = "speaks without a link" }
            switch message {
            case .leave: if mode != .invisible { broken = "closes what an app knows of" }
            case .join(let connection):
                let expected: ConnectionType? =
                    switch mode {
                    case .platform: nil
                    case .invisible: .invisible
                    case .weak: .weak
                    case .strong: .strong
                    }
                if connection.type != expected { broken = "joins in the wrong way" }
            case .challenge, .connectPlatform, .ping, .pong, .getReceiverStatus, .getMultizoneStatus,
                .getDeviceInformation:
                break
            case .getMediaStatus: if mode == .platform { broken = "asks an app" }
            }
        case .closeLink: isUp = false
        case .openLink: if isUp { broken = "opens a second link" }
        case .arm(_, let delay): if delay < .zero { broken = "arms a timer in the past" }
        case .disarm, .suspectVisible, .visibilityJudged, .joinRefused, .missed, .missedNoMore: break
        }
    }
}
