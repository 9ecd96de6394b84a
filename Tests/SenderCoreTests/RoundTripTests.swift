import CastModel
import Recording
import Testing

@testable import SenderCore

// Goal: the round trip is the time from our PING to the device's PONG, and nothing else is taken for one.
// Method: a link whose PINGs go out at 0, 5, 10 s and so on; answers at moments of our choice.
@Suite("The round trip of a link") struct RoundTripTests {
    private func seconds(_ sender: Conversation) -> Duration? { sender.machine.lastRoundTrip }

    @Test func `is measured anew with each answer`() {
        var sender = Conversation.up()
        #expect(seconds(sender) == nil)
        sender.pass(.milliseconds(3))
        sender.hears(.pong, from: "receiver-0")
        #expect(seconds(sender) == .milliseconds(3))
        sender.pass(.milliseconds(4_997))
        #expect(sender.handle(.fired(.heartbeat)).contains(.send(.ping)))
        #expect(seconds(sender) == .milliseconds(3), "until the next answer, the last one holds")
        sender.pass(.milliseconds(40))
        sender.hears(.pong, from: "receiver-0")
        #expect(seconds(sender) == .milliseconds(40))
    }

    @Test func `is not told by what nobody asked for, nor by other messages`() {
        var sender = Conversation.up()
        sender.pass(.milliseconds(2))
        sender.hears(.other, from: "receiver-0")
        sender.hears(.ping, from: "receiver-0")
        #expect(seconds(sender) == nil)
        sender.hears(.pong, from: "receiver-0")
        sender.pass(.seconds(1))
        sender.hears(.pong, from: "receiver-0")
        #expect(seconds(sender) == .milliseconds(2))
    }

    @Test func `of a PING that is not answered looks long, never short`() {
        var sender = Conversation.up()
        for _ in 0..<2 {
            sender.pass(.seconds(5))
            sender.hears(.other, from: "receiver-0")
            sender.handle(.fired(.heartbeat))
        }
        sender.pass(.milliseconds(10))
        sender.hears(.pong, from: "receiver-0")
        #expect(seconds(sender) == .milliseconds(10_010))
    }

    @Test func `is not measured over a time in which we do not read, and is forgotten with the link`() {
        var sender = Conversation.up()
        sender.handle(.readingPaused)
        sender.pass(.seconds(5))
        sender.handle(.fired(.heartbeat))
        sender.pass(.seconds(4))
        sender.handle(.readingResumed)
        sender.hears(.pong, from: "receiver-0")
        #expect(seconds(sender) == nil)
        sender.pass(.seconds(1))
        sender.handle(.fired(.heartbeat))
        sender.pass(.milliseconds(7))
        sender.hears(.pong, from: "receiver-0")
        #expect(seconds(sender) == .milliseconds(7))
        sender.handle(.linkDown)
        #expect(seconds(sender) == nil)
        sender.handle(.fired(.connect))
        sender.handle(.linkUp)
        #expect(seconds(sender) == nil)
    }
}
