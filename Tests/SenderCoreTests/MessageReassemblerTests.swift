import CastWire
import SenderCore
import Testing

@Suite("Chunks of a message")
struct MessageReassemblerTests {
    private func chunk(
        _ text: String, more: Bool?, remaining: UInt32? = nil, from source: String = "web-5"
    ) -> CastMessage {
        var message = CastMessage(from: source, to: "*", .media, text: text)
        message.continued = more
        message.remainingLengthBytes = remaining
        return message
    }

    @Test func `leave whole messages alone`() {
        var reassembler = MessageReassembler()
        let whole = chunk("{}", more: nil)
        #expect(reassembler.take(whole) == [whole])
        let saysSo = chunk("{}", more: false)
        #expect(reassembler.take(saysSo) == [saysSo])
        #expect(!reassembler.isHolding)
    }

    @Test func `become one message when the last says that it is the last`() {
        var reassembler = MessageReassembler()
        #expect(reassembler.take(chunk(#"{"a""#, more: true)) == [])
        #expect(reassembler.take(chunk(":1", more: true)) == [])
        #expect(reassembler.take(chunk("}", more: false)) == [chunk(#"{"a":1}"#, more: nil)])
        #expect(!reassembler.isHolding)
    }

    @Test func `become one message when the rest has the announced size`() {
        var reassembler = MessageReassembler()
        #expect(reassembler.take(chunk("abc", more: true, remaining: 2)) == [])
        #expect(reassembler.take(chunk("de", more: nil)) == [chunk("abcde", more: nil)])
    }

    @Test func `come out raw when the rest has another size`() {
        var reassembler = MessageReassembler()
        let first = chunk("abc", more: true, remaining: 3)
        let other = chunk("de", more: nil)
        #expect(reassembler.take(first) == [])
        #expect(reassembler.take(other) == [first, other])
    }

    @Test func `of two speakers are kept apart`() {
        var reassembler = MessageReassembler()
        #expect(reassembler.take(chunk("a", more: true, from: "one")) == [])
        #expect(reassembler.take(chunk("x", more: true, from: "two")) == [])
        #expect(reassembler.take(chunk("b", more: false, from: "one")) == [chunk("ab", more: nil, from: "one")])
        #expect(reassembler.take(chunk("y", more: false, from: "two")) == [chunk("xy", more: nil, from: "two")])
    }

    @Test func `come out raw and in order when one gives up waiting`() {
        var reassembler = MessageReassembler()
        let chunks = [chunk("a", more: true), chunk("b", more: true), chunk("x", more: true, from: "two")]
        for chunk in chunks { #expect(reassembler.take(chunk) == []) }
        #expect(reassembler.flush() == chunks)
        #expect(reassembler.flush() == [])
    }

    @Test func `never wait beyond 8 messages or 1 MiB, and are never lost`() {
        var reassembler = MessageReassembler()
        var given = 0
        for number in 0..<100 {
            given += reassembler.take(chunk("a", more: true, from: "app-\(number)")).count
        }
        #expect(given == 92)
        #expect(reassembler.flush().count == 8)

        given = 0
        let block = String(repeating: "a", count: 65_280)  // with its own cost of 256, a sixteenth of the limit
        for _ in 0..<16 { given += reassembler.take(chunk(block, more: true)).count }
        #expect(given == 0)
        #expect(reassembler.take(chunk("a", more: true)).count == 17)
        #expect(!reassembler.isHolding)
    }

    @Test func `without content do not wait for ever either`() {
        var reassembler = MessageReassembler()
        var most = 0
        for _ in 0..<10_000 { most = max(most, reassembler.take(chunk("", more: true)).count) }
        #expect(most == 4097)
    }
}
