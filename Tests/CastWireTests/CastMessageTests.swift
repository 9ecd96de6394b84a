import CastWire
import TestSupport
import Testing

@Suite("A Cast message")
struct CastMessageTests {
    static let ping = CastMessage(from: "sender-0", to: "receiver-0", .heartbeat, text: #"{"type":"PING"}"#)

    @Test func `is written as the protobuf definition says`() throws {
        #expect(Self.ping.encodedBody() == pingBody)
        #expect(try FrameEncoder.frame(Self.ping) == pingFrame)
    }

    @Test func `is read from what the definition says`() throws {
        #expect(try CastMessage(decoding: pingBody) == Self.ping)
    }

    @Test func `keeps all nine fields`() throws {
        var message = CastMessage(from: "a", to: "*", Namespace("urn:x-cast:x"), binary: [0, 255])
        message.protocolVersion = 3
        message.payloadUTF8 = [0xC3, 0x28]
        message.continued = true
        message.remainingLengthBytes = 4_294_967_295
        // 08 03 | 12 01 a | 1a 01 * | 22 0c … | 28 01 | 32 02 c3 28 | 3a 02 00 ff | 40 01 | 48 ff ff ff ff 0f
        let body: [UInt8] =
            [0x08, 3, 0x12, 1, 0x61, 0x1A, 1, 0x2A, 0x22, 12] + Array("urn:x-cast:x".utf8)
            + [0x28, 1, 0x32, 2, 0xC3, 0x28, 0x3A, 2, 0x00, 0xFF, 0x40, 1, 0x48, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]
        #expect(message.encodedBody() == body)
        #expect(try CastMessage(decoding: body) == message)
    }

    @Test func `skips fields that it does not know, of every wire type`() throws {
        let unknown: [UInt8] =
            [0x50, 0x96, 0x01]  // field 10, varint 150
            + [0x59, 1, 2, 3, 4, 5, 6, 7, 8]  // field 11, 64 bits
            + [0x62, 2, 9, 9]  // field 12, two bytes
            + [0x6D, 1, 2, 3, 4]  // field 13, 32 bits
        #expect(try CastMessage(decoding: unknown + pingBody + unknown) == Self.ping)
    }

    @Test func `finds its text in the binary field, where some devices put it`() throws {
        let body = pingBody.map { $0 == 0x32 ? 0x3A : $0 }  // field 6 becomes field 7
        let message = try CastMessage(decoding: body)
        #expect(message.payloadUTF8 == nil)
        #expect(message.textBytes == Array(#"{"type":"PING"}"#.utf8))
    }

    @Test func `of a repeated field keeps the last`() throws {
        let message = try CastMessage(decoding: pingBody + [0x12, 1, 0x7A])
        #expect(message.sourceID == "z")
    }

    @Test(arguments: 0..<pingBody.count)
    func `cut at any byte, is an error or a message, never a trap`(cut: Int) {
        let whole = try? CastMessage(decoding: Array(pingBody.prefix(cut)))
        // Only cuts between whole fields after field 4 (67 bytes: 2+10+12+41+2) leave a message.
        #expect((whole != nil) == [65, 67].contains(cut))
    }

    @Test func `with any single byte changed to any other, is an error or a message, never a trap`() {
        var messages = 0
        for index in pingBody.indices {
            for value in UInt8.min...UInt8.max {
                var body = pingBody
                body[index] = value
                if (try? CastMessage(decoding: body)) != nil { messages += 1 }
            }
        }
        #expect(messages > 10_000, "most changes hit text and still read")
    }

    @Test(
        arguments: [
            ([0x08], WireError.truncated(atByte: 0)),
            ([0x12, 5, 0x61], .truncated(atByte: 0)),
            ([0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], .truncated(atByte: 0)),
            ([0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], .malformedVarint(atByte: 0)),
            ([0x00, 0x00], .malformedVarint(atByte: 0)),
            ([0x13], .unexpectedWireType(field: 2, wireType: 3)),
            ([0x10, 0x01], .unexpectedWireType(field: 2, wireType: 0)),
            ([0x12, 2, 0xC3, 0x28], .invalidText(field: 2)),
            ([], .missingField(2)),
        ] as [([UInt8], WireError)])
    func `of garbage says what is wrong and where`(body: [UInt8], expected: WireError) {
        #expect(throws: expected) { try CastMessage(decoding: body) }
    }

    @Test func `of 100,000 random bodies is an error or a message, never a trap`() {
        var random = SeededNumbers(seed: 0x5EED)
        for _ in 0..<100_000 {
            let body = (0..<Int(random.next() % 48)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            _ = try? CastMessage(decoding: body)
        }
    }

    @Test func `longer than 64 KiB cannot be sent`() {
        let message = CastMessage(from: "a", to: "b", .media, text: String(repeating: "x", count: 65_536))
        #expect(throws: WireError.self) { try FrameEncoder.frame(message) }
    }
}
