import Testing

@testable import Archive

@Suite("A batch's checksum")
struct ChecksumTests {
    @Test func `is the CRC32C of RFC 3720 appendix B.4`() {
        #expect(CRC32C.checksum([UInt8](repeating: 0, count: 32)[...]) == 0x8A91_36AA)
        #expect(CRC32C.checksum([UInt8](repeating: 0xFF, count: 32)[...]) == 0x62A8_AB43)
        #expect(CRC32C.checksum(Array(0...31)[...]) == 0x46DD_794E)
        #expect(CRC32C.checksum(Array((0...31).reversed())[...]) == 0x113F_DB5C)
        let readCommand: [UInt8] = [
            0x01, 0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
            0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x18,
            0x28, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        ]
        #expect(CRC32C.checksum(readCommand[...]) == 0xD996_3A56)
    }

    @Test func `is right for every length around the eight bytes done at a time`() {
        // Bit by bit, from the definition.
        func slow(_ bytes: ArraySlice<UInt8>) -> UInt32 {
            ~bytes.reduce(~0) { crc, byte in
                (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1) * 0x82F6_3B78 }
            }
        }
        let bytes = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        for start in 0..<9 {
            for end in start...bytes.count { #expect(CRC32C.checksum(bytes[start..<end]) == slow(bytes[start..<end])) }
        }
    }
}

@Suite("The checksum of a zstd frame")
struct XXHash64Tests {
    // Expected values: the first three are xxHash's own test vectors, all four agree with a Python version of its specification.
    @Test(
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
            ("abcdefghijklmnopqrstuvwxyz0123456789", 0x64F2_3ECF_1609_B766),
        ] as [(String, UInt64)])
    func `is XXH64 with seed 0`(text: String, hash: UInt64) {
        #expect(XXHash64.hash(Array(text.utf8)[...]) == hash)
    }
}

@Suite("The hash chain")
struct ChainValueTests {
    @Test func `is SHA-256 over the value before and the bytes`() {
        // printf: 32 zero bytes and "abc", into sha256sum.
        let expected = "365aa7d8f7f9402c4b9434502b4cc89ddb09fe50d7cd95b493b834c62d5a5370"
        #expect(ChainValue.start.next(Array("abc".utf8)[...]).description == expected)
        #expect(ChainValue(hexadecimal: expected.utf8) == ChainValue.start.next(Array("abc".utf8)[...]))
    }

    @Test(arguments: [
        "", "00", String(repeating: "0", count: 63), String(repeating: "A", count: 64),
        String(repeating: "g", count: 64),
    ])
    func `has one spelling`(text: String) {
        #expect(ChainValue(hexadecimal: text.utf8) == nil)
    }
}
