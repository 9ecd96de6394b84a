/// The hash behind a zstd frame's checksum (RFC 8878 section 3.1.1): XXH64 with seed 0.
///
/// libzstd does not export it. We need it in one place: to end a frame that a crash left open.
enum XXHash64 {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    /// The hash of the bytes.
    static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        unsafe bytes.withUnsafeBytes { bytes in
            var index = 0
            func word64() -> UInt64 {
                defer { index += 8 }
                return unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            }
            func word32() -> UInt64 {
                defer { index += 4 }
                return unsafe UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)))
            }
            var hash = prime5
            if bytes.count >= 32 {
                var lanes = [prime1 &+ prime2, prime2, 0, 0 &- prime1]
                while index + 32 <= bytes.count {
                    for lane in 0..<4 { lanes[lane] = round(lanes[lane], word64()) }
                }
                hash = rotate(lanes[0], 1) &+ rotate(lanes[1], 7) &+ rotate(lanes[2], 12) &+ rotate(lanes[3], 18)
                for lane in lanes { hash = (hash ^ round(0, lane)) &* prime1 &+ prime4 }
            }
            hash &+= UInt64(bytes.count)
            while index + 8 <= bytes.count { hash = rotate(hash ^ round(0, word64()), 27) &* prime1 &+ prime4 }
            while index + 4 <= bytes.count { hash = rotate(hash ^ word32() &* prime1, 23) &* prime2 &+ prime3 }
            while index < bytes.count {
                hash = unsafe rotate(hash ^ UInt64(bytes[index]) &* prime5, 11) &* prime1
                index += 1
            }
            hash = (hash ^ hash >> 33) &* prime2
            hash = (hash ^ hash >> 29) &* prime3
            return hash ^ hash >> 32
        }
    }

    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotate(lane &+ word &* prime2, 31) &* prime1
    }

    private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 { value << count | value >> (64 - count) }
}
