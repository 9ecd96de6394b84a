import CastModel
import Recording
import Testing

@testable import SenderCore

@Suite("A sender's link")
struct SenderLinkTests {
    @Test func `is opened after a random time up to the jitter`() {
        var waits: [Duration] = []
        for seed in 0..<200 {
            var sender = Conversation(jitter: .seconds(5), seed: UInt64(seed))
            guard case .arm(.connect, let wait)? = sender.handle(.start).first else {
                Issue.record("armed nothing")
                return
            }
            waits.append(wait)
        }
        #expect(waits.allSatisfy { $0 >= .zero && $0 <= .seconds(5) })
        #expect((waits.min() ?? .zero) < .milliseconds(200))
        #expect((waits.max() ?? .zero) > .milliseconds(4800))
    }

    @Test func `is opened at once where no jitter is wished`() {
        var sender = Conversation()
        #expect(sender.handle(.start) == [.arm(.connect, after: .zero)])
        #expect(sender.handle(.fired(.connect)) == [.openLink])
    }

    @Test func `begins with CONNECT, a challenge, PING and the requests, numbered upwards`() {
        var sender = Conversation()
        sender.handle(.start)
        sender.handle(.fired(.connect))
        let effects = sender.handle(.linkUp)
        #expect(
            effects.sent == [
                "CONNECT receiver-0", "challenge", "PING", "GET_STATUS receiver", "GET_STATUS multizone",
                "GET_DEVICE_INFO",
            ])
        let numbers = effects.requestIDs
        #expect(numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2])
        #expect(numbers[0] > 0 && numbers[0] < 1 << 31)
        #expect(
            effects.suffix(2) == [.arm(.heartbeat, after: .seconds(5)), .arm(.receiverResync, after: .seconds(600))])
    }

    @Test func `has a sender id and request numbers of its own each time`() {
        var sender = Conversation()
        sender.handle(.start)
        var senderIDs: Set<String> = []
        var numbers: Set<Int64> = []
        for _ in 0..<20 {
            sender.handle(.fired(.connect))
            numbers.formUnion(sender.handle(.linkUp).requestIDs)
            senderIDs.insert(sender.machine.identity.senderID)
            sender.handle(.linkDown)
        }
        #expect(senderIDs.count == 20)
        #expect(senderIDs.allSatisfy { $0.hasPrefix("sender-9") && $0.utf8.count == 14 })
        #expect(numbers.count == 60)
    }

    @Test func `is kept alive by a PING every 5 s`() {
        var sender = Conversation.up()
        var pings = 0
        for _ in 0..<60 {
            sender.hears(.other, from: "receiver-0")
            pings += sender.wait(.seconds(5)).sent.filter { $0 == "PING" }.count
        }
        #expect(pings == 60)
    }

    @Test func `is given up after exactly 15 s of silence`() {
        for quietAfterMilliseconds in [0, 1, 2_500, 4_999, 5_000, 5_001, 9_999, 12_345] {
            var sender = Conversation.up()
            var effects = sender.wait(.milliseconds(quietAfterMilliseconds))
            sender.hears(.other, from: "receiver-0")
            effects += sender.wait(.milliseconds(14_999))
            #expect(!effects.contains(.closeLink(.silent)))
            #expect(sender.wait(.milliseconds(1)).first == .closeLink(.silent))
            #expect(sender.armed[.heartbeat] == nil)
            #expect(sender.armed[.connect] != nil)
        }
    }

    @Test func `does not count as silent while we do not read`() {
        var sender = Conversation.up()
        sender.handle(.readingPaused)
        #expect(!sender.wait(.seconds(60)).contains(.closeLink(.silent)))
        sender.handle(.readingResumed)
        #expect(!sender.wait(.seconds(14)).contains(.closeLink(.silent)))
        #expect(sender.wait(.seconds(1)).contains(.closeLink(.silent)))
    }

    @Test(arguments: [
        ("receiver-0", "sender-0", ["PONG sender-0 > receiver-0"]),
        ("Tr@n$p0rt-0", "Tr@n$p0rt-0", ["PONG Tr@n$p0rt-0 > Tr@n$p0rt-0"]),
        ("receiver-0", "*", ["PONG sender-0 > receiver-0"]),
        (String(repeating: "x", count: 257), "sender-0", []),
    ])
    func `answers PING at once, with the ids swapped`(source: String, destination: String, answer: [String]) {
        var sender = Conversation.up()
        #expect(sender.hears(.ping, from: source, to: destination).sent == answer)
    }

    @Test func `looks at the receiver status every 10 min`() {
        var sender = Conversation.up()
        var looks = 0
        for _ in 0..<360 {
            sender.hears(.other, from: "receiver-0")
            looks += sender.wait(.seconds(5)).sent.filter { $0 == "GET_STATUS receiver" }.count
        }
        #expect(looks == 3)  // 1,800 s
    }

    @Test func `comes back for ever, and after a healthy link soon`() {
        var sender = Conversation()
        sender.handle(.start)
        for _ in 0..<12 {
            sender.handle(.fired(.connect))
            sender.handle(.linkDown)
        }
        #expect(sender.machine.failures == 12)
        sender.handle(.fired(.connect))
        sender.handle(.linkUp)
        sender.pass(.seconds(299))
        sender.handle(.linkDown)
        #expect(sender.machine.failures == 13, "five minutes make a link healthy, not less")
        sender.handle(.fired(.connect))
        sender.handle(.linkUp)
        sender.pass(.seconds(300))
        let effects = sender.handle(.linkDown)
        #expect(sender.machine.failures == 1)
        guard case .arm(.connect, let wait)? = effects.last else {
            Issue.record("armed nothing")
            return
        }
        #expect(wait >= .milliseconds(500) && wait <= .milliseconds(1500))
    }

    @Test func `is tried again when a device that seemed gone announces itself`() {
        var sender = Conversation()
        sender.handle(.start)
        for failure in 1...12 {
            sender.handle(.fired(.connect))
            sender.handle(.linkDown)
            let again = sender.handle(.rediscovered(atNewAddress: false))
            #expect(again.isEmpty == (failure < 10))
            let moved = sender.handle(.rediscovered(atNewAddress: true))
            guard case .arm(.connect, let wait)? = moved.first else {
                Issue.record("armed nothing")
                return
            }
            #expect(wait <= .seconds(1))
        }
    }

    @Test func `stays when the device announces itself elsewhere`() {
        var sender = Conversation.up()
        #expect(sender.handle(.rediscovered(atNewAddress: true)) == [])
    }

    @Test func `is made anew when the platform closes it`() {
        var sender = Conversation.up()
        let effects = sender.hears(.close, from: "receiver-0")
        #expect(effects.first == .closeLink(.closedByDevice))
        #expect(sender.armed[.connect] != nil)
    }

    @Test func `ends with CLOSE for an app that never knew of us`() {
        var sender = Conversation.joined()
        let effects = sender.handle(.stop(.recorderStopping))
        #expect(effects.sent == ["CLOSE web-5"])
        #expect(effects[1] == .closeLink(.recorderStopping))
        #expect(sender.armed.isEmpty)
    }

    @Test(arguments: [AttachMode.weak, .strong])
    func `ends without CLOSE for an app that knows of us`(mode: AttachMode) {
        var sender = Conversation.joined(attachMode: mode)
        #expect(sender.handle(.stop(.recorderStopping)).first == .closeLink(.recorderStopping))
    }
}
