import Testing

@testable import Differ

@Suite("A fingerprint") struct FingerprintTests {
    // The key and the message of the example in appendix A of the paper of SipHash-2-4.
    @Test func `under a key is SipHash-2-4`() {
        let key: (UInt64, UInt64) = (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)
        #expect(Fingerprint.keyed(0x00...0x0e, by: key) == 0xa129_ca61_49be_45e5)
    }

    // The first two vectors of the reference program: nothing, and one zero byte. Eight bytes fill a word exactly.
    @Test(
        arguments: [(0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (8, 0x93f5_f579_9a93_2462)]
            as [(UInt8, UInt64)])
    func `under a key is that of the reference program at the edges of a word`(count: UInt8, expected: UInt64) {
        let key: (UInt64, UInt64) = (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)
        #expect(Fingerprint.keyed(0..<count, by: key) == expected)
    }
}
