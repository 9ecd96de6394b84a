import Testing

@testable import CastWire

@Suite("Device authentication")
struct DeviceAuthenticationTests {
    @Test func `asks as protobuf's rules have it`() {
        // By hand: field 1 of DeviceAuthMessage, 22 bytes; algorithm 1; nonce of 16 bytes; hash 1.
        let nonce = [UInt8](0xA0...0xAF)
        let expected: [UInt8] = [0x0A, 22, 0x08, 1, 0x12, 16] + nonce + [0x18, 1]
        #expect(AuthenticationChallenge(nonce: nonce).payload == expected)
        #expect(AuthenticationChallenge(payload: expected)?.nonce == nonce)
        #expect(AuthenticationChallenge(payload: []) == nil)
    }

    @Test func `reads an answer, with every default where a field is missing`() throws {
        let least: [UInt8] = [0x12, 8, 0x0A, 2, 1, 2, 0x12, 2, 3, 4]
        let answer = try AuthenticationAnswer(payload: least)
        #expect(answer.signature == [1, 2])
        #expect(answer.certificate == [3, 4])
        #expect(answer.intermediates.isEmpty && answer.nonce.isEmpty)
        #expect(answer.signatureAlgorithm == 1 && !answer.isSHA256)
    }

    @Test func `reads intermediates in order, and the rest`() throws {
        let body: [UInt8] = [
            0x0A, 1, 9, 0x12, 1, 8, 0x1A, 1, 7, 0x1A, 1, 6, 0x20, 2, 0x2A, 1, 5, 0x30, 1, 0x3A, 1, 4,
        ]
        let answer = try AuthenticationAnswer(payload: [0x12, UInt8(body.count)] + body)
        #expect(answer.intermediates == [[7], [6]])
        #expect(answer.signatureAlgorithm == 2 && answer.isSHA256 && answer.nonce == [5])
    }

    @Test func `tells a device's refusal from nonsense`() {
        #expect(throws: AuthenticationAnswer.Refusal.device(error: 2)) {
            try AuthenticationAnswer(payload: [0x1A, 2, 0x08, 2])
        }
        for nonsense: [UInt8] in [[], [0x0A, 0], [0x12, 0], [0x12, 9, 1], [0xFF], [0x12, 3, 0x0A, 1, 1]] {
            #expect(throws: AuthenticationAnswer.Refusal.malformed, "\(nonsense)") {
                try AuthenticationAnswer(payload: nonsense)
            }
        }
    }

    @Test func `cut anywhere, an answer is malformed and never a trap`() throws {
        let whole: [UInt8] = [0x12, 14, 0x0A, 2, 1, 2, 0x12, 2, 3, 4, 0x1A, 2, 5, 6, 0x30, 1]
        _ = try AuthenticationAnswer(payload: whole)
        for count in whole.indices {
            #expect(throws: AuthenticationAnswer.Refusal.malformed) {
                try AuthenticationAnswer(payload: Array(whole.prefix(count)))
            }
        }
    }
}
