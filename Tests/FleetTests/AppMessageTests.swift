import CastModel
import CastWire
import Testing

@testable import Fleet

// PROTOCOL 6.4: plain text, no JSON; content is stopped for an ad and loaded again after it.
@Suite("An app's own messages")
struct AppMessageTests {
    static let ima = Namespace("urn:x-cast:com.google.ads.ima.cast")

    @Test func `of the IMA kind announce an ad in plain text, and the content is loaded again after it`() {
        var bench = MessageTableTests.playing("93F3197F")
        bench.now = .seconds(2)
        let asked = bench.send(1, "A", bench.transport, Self.ima, "requestAd,https://ads.example/?a=1,2,3&b=x,1.5")
        #expect(
            asked == [
                "1 *: text onContentPauseRequested,2.0", "2 *: text onContentPauseRequested,2.0",
                "1 *: MEDIA_STATUS 0: #1 IDLE CANCELLED", "2 *: MEDIA_STATUS 0: #1 IDLE CANCELLED",
            ])
        bench.now = .seconds(5)
        #expect(
            bench.handle(.fired(.advertisement)) == [
                "1 *: text onContentResumeRequested", "2 *: text onContentResumeRequested",
                "1 *: MEDIA_STATUS 0: #2 IDLE LOADING#2 media", "2 *: MEDIA_STATUS 0: #2 IDLE LOADING#2 media",
            ])
        #expect(
            bench.handle(.fired(.media(.loadSettles))).first
                == "1 *: MEDIA_STATUS 0: #2 PLAYING media items1 tracks[]")
        #expect(bench.handle(.fired(.advertisement)) == [])
    }

    @Test func `of the IMA kind wait for their position`() {
        var bench = MessageTableTests.playing("93F3197F")
        let message = CastMessage(from: "A", to: bench.transport, Self.ima, text: "requestAd,x,30")
        #expect(
            bench.machine.handle(.received(1, message, payload: nil), at: .seconds(10))
                == [.arm(.advertisement, after: .seconds(20))])
    }

    @Test(arguments: ["requestAd", "requestAd,x", "requestAd,x,soon", "requestAd,x,nan", "hello", ","])
    func `that an app does not understand are answered to their sender`(text: String) {
        var bench = MessageTableTests.playing("93F3197F")
        #expect(bench.send(1, "A", bench.transport, Self.ima, text) == ["1 A: text Message not recognized"])
    }

    @Test func `of the ticking kind come once per second while something is loaded`() {
        var bench = MessageTableTests.playing("07AEE832")
        bench.now = .seconds(1)
        #expect(bench.handle(.fired(.tick)) == ["1 *: update", "2 *: update"])
        _ = bench.request("STOP", 41)
        #expect(bench.handle(.fired(.tick)) == [])
        #expect(bench.machine.handle(.fired(.tick), at: bench.now) == [.arm(.tick, after: .seconds(1))])
    }
}
