/// The checksum of a batch: CRC-32C (Castagnoli), as iSCSI uses it (RFC 3720 section 12.1).
enum CRC32C {
    /// Eight tables of 256: `tables[256 * n + b]` carries byte `b` over `n` more bytes.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var value = UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
            tables[byte] = value
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        return tables
    }()

    /// The checksum of the bytes.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe tables.withUnsafeBufferPointer { tables in
            unsafe bytes.withUnsafeBytes { bytes in
                var crc: UInt32 = ~0
                var index = 0
                // Eight bytes at a time: each has its own table, so the eight look-ups do not wait for each other.
                while index + 8 <= bytes.count {
                    let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                    let low = UInt32(truncatingIfNeeded: word) ^ crc
                    let high = UInt32(truncatingIfNeeded: word >> 32)
                    crc = unsafe tables[1792 + Int(low & 0xFF)] ^ tables[1536 + Int(low >> 8 & 0xFF)]
                    unsafe crc ^= tables[1280 + Int(low >> 16 & 0xFF)] ^ tables[1024 + Int(low >> 24)]
                    unsafe crc ^= tables[768 + Int(high & 0xFF)] ^ tables[512 + Int(high >> 8 & 0xFF)]
                    unsafe crc ^= tables[256 + Int(high >> 16 & 0xFF)] ^ tables[Int(high >> 24)]
                    index += 8
                }
                while index < bytes.count {
                    crc = unsafe crc >> 8 ^ tables[Int((crc ^ UInt32(bytes[index])) & 0xFF)]
                    index += 1
                }
                return ~crc
            }
        }
    }
}
