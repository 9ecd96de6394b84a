import CastModel
import Recording
import Testing

@testable import SenderCore

@Suite("A hostile device")
struct HostileDeviceTests {
    @Test(arguments: [
        "receiver-0", "sender-0", "*", "", "\u{0}", "a\u{1B}[0m", "two words", "\u{202E}",
        String(repeating: "y", count: 257),
    ])
    func `cannot make us join, ask or close anything but an app`(transport: String) {
        var sender = Conversation.up()
        let app = Conversation.app(on: TransportID(transport))
        #expect(sender.hears(apps: [app]) == [.missed(because: .notJoined, since: sender.now)])
        #expect(VirtualConnection(to: TransportID(transport), .invisible) == nil)
        let later = sender.wait(.seconds(4)) + sender.hears(.close, from: transport, to: "*")
        #expect(later.sent.filter { $0.contains("CONNECT") || $0.contains("media") || $0.contains("CLOSE") } == [])
    }

    @Test func `does not hide the app that can be joined behind one that cannot`() {
        var sender = Conversation.up()
        sender.hears(apps: [Conversation.app(on: TransportID("receiver-0")), Conversation.app()])
        #expect(sender.wait(.milliseconds(500)).sent == ["CONNECT 2 web-5", "GET_STATUS media web-5"])
    }

    @Test func `cannot make us answer everybody`() {
        var sender = Conversation.up()
        #expect(sender.hears(.ping, from: "*", to: "sender-0") == [])
        #expect(sender.hears(.ping, from: "*", to: "*") == [])
        #expect(sender.hears(.ping, from: "receiver-0", to: "*").sent == ["PONG sender-0 > receiver-0"])
    }

    @Test func `that has a new name on every link is asked ever less often`() {
        var sender = Conversation(jitter: .zero)
        sender.handle(.start)
        var waits: [Duration] = []
        for _ in 0..<10 {
            sender.handle(.fired(.connect))
            sender.handle(.linkUp)
            sender.pass(.seconds(1))
            for case .arm(.connect, let wait) in sender.handle(.restart(.duplicate)) { waits.append(wait) }
        }
        // PROTOCOL 7.3: 1, 2, 5, 15, 30, 60 s and 10 min, each times 0.5 to 1.5.
        let steps: [Double] = [1, 2, 5, 15, 30, 60, 60, 60, 60, 600]
        #expect(waits.count == steps.count)
        for (wait, step) in zip(waits, steps) {
            #expect(wait >= .seconds(step / 2) && wait <= .seconds(step * 1.5), "\(wait) for \(step)")
        }
    }

    @Test func `that flips between apps a hundred times a second makes us say next to nothing`() {
        var sender = Conversation.up()
        var sent: [String] = []
        for number in 0..<3000 {
            let app = Conversation.app(on: TransportID("flip-\(number)"))
            sent += sender.hears(apps: number % 2 == 0 ? [app] : []).sent
            sent += sender.wait(.milliseconds(10)).sent
        }
        #expect(sent.filter { $0 != "PING" } == [], "an app must stay for half a second to be joined")
        #expect(sent.count <= 6, "one PING in five seconds")
    }

    @Test func `that flips at the speed of our joins gets two messages per join, twice a second at most`() {
        var sender = Conversation.up()
        var sent: [String] = []
        for number in 0..<60 {
            sent += sender.hears(apps: [Conversation.app(on: TransportID("flip-\(number)"))]).sent
            sent += sender.wait(.milliseconds(501)).sent
        }
        #expect(sent.filter { $0.hasPrefix("CONNECT") }.count == 60)
        #expect(sent.filter { $0.hasPrefix("GET_STATUS") }.count == 60)
        #expect(sent.filter { $0.hasPrefix("CLOSE") }.isEmpty)
    }
}
