import CastWire
import Testing

/// A PING from sender-0 to receiver-0, written out by hand from the protobuf encoding.
let pingBody: [UInt8] =
    [0x08, 0x00]  // 1: protocol version 0
    + [0x12, 8] + Array("sender-0".utf8)  // 2: source
    + [0x1A, 10] + Array("receiver-0".utf8)  // 3: destination
    + [0x22, 39] + Array("urn:x-cast:com.google.cast.tp.heartbeat".utf8)  // 4: namespace
    + [0x28, 0x00]  // 5: payload type STRING
    + [0x32, 15] + Array(#"{"type":"PING"}"#.utf8)  // 6: payload

/// The same with its length, 2+10+12+41+2+17 = 84 bytes, in front.
let pingFrame: [UInt8] = [0, 0, 0, 84] + pingBody

@Suite("The frame decoder")
struct FrameDecoderTests {
    @Test(arguments: 0...pingFrame.count * 2)
    func `split at any byte, yields the same two bodies`(split: Int) throws {
        let stream = pingFrame + pingFrame
        var decoder = FrameDecoder()
        var bodies: [[UInt8]] = []

        for part in [stream[..<split], stream[split...]] {
            decoder.append(part)
            while let body = try decoder.nextBody() { bodies.append(body) }
        }

        #expect(bodies == [pingBody, pingBody])
        #expect(decoder.pendingBytes == 0)
    }

    @Test func `fed byte by byte, yields a body exactly at its last byte`() throws {
        var decoder = FrameDecoder()
        for (index, byte) in pingFrame.enumerated() {
            decoder.append([byte])
            let body = try decoder.nextBody()
            #expect((body != nil) == (index == pingFrame.count - 1))
        }
    }

    @Test func `an empty body is a body`() throws {
        var decoder = FrameDecoder()
        decoder.append([0, 0, 0, 0])
        #expect(try decoder.nextBody() == [])
    }

    @Test func `the longest body that is read has 1 MiB`() throws {
        var decoder = FrameDecoder()
        decoder.append([0x00, 0x10, 0x00, 0x00])
        #expect(try decoder.nextBody() == nil)
        decoder.append([UInt8](repeating: 7, count: 1_048_576))
        #expect(try decoder.nextBody()?.count == 1_048_576)
    }

    @Test(arguments: [[0x00, 0x10, 0x00, 0x01], [0xFF, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0]] as [[UInt8]])
    func `a longer one is refused before it is waited for, and again and again`(prefix: [UInt8]) {
        var decoder = FrameDecoder()
        decoder.append(prefix)
        for _ in 0..<2 {
            #expect(throws: WireError.self) { try decoder.nextBody() }
        }
    }
}
