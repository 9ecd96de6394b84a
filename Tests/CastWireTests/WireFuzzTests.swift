import CastWire
import TestSupport
import Testing

@Suite("The wire codec on anything at all")
struct WireFuzzTests {
    @Test func `neither traps nor hangs, and what it decodes it can encode to the same message`() {
        var decoded = 0
        Fuzzing.rounds(20_000, "wire") { changes in
            var stream = pingFrame + pingFrame + pingFrame
            changes.change(&stream)
            var decoder = FrameDecoder()
            var rest = stream[...]
            while !rest.isEmpty {
                let part = rest.prefix(1 + changes.below(64))
                rest = rest.dropFirst(part.count)
                decoder.append(part)
                do {
                    while let body = try decoder.nextBody() {
                        guard let message = try? CastMessage(decoding: body) else { continue }
                        decoded += 1
                        let again = try? CastMessage(decoding: Array(FrameEncoder.frame(message).dropFirst(4)))
                        #expect(again == message)
                    }
                } catch {
                    // A stream that has lost its framing is given up, as a link is.
                    break
                }
            }
        }
        #expect(decoded > 10_000)
    }
}
