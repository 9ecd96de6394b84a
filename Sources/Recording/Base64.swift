/// Bytes as text: the standard alphabet of RFC 4648 section 4, with padding.
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let pad = UInt8(ascii: "=")

    /// 0 through 63 for a digit, 255 for any other byte.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// Appends the text of `source`.
    public static func write(_ source: [UInt8], to bytes: inout [UInt8]) {
        var index = 0
        while index < source.count {
            let left = source.count - index
            let first = UInt32(source[index]) << 16
            let second = left > 1 ? UInt32(source[index + 1]) << 8 : 0
            let group = first | second | (left > 2 ? UInt32(source[index + 2]) : 0)
            bytes.append(alphabet[Int(group >> 18)])
            bytes.append(alphabet[Int(group >> 12 & 63)])
            bytes.append(left > 1 ? alphabet[Int(group >> 6 & 63)] : pad)
            bytes.append(left > 2 ? alphabet[Int(group & 63)] : pad)
            index += 3
        }
    }

    /// The bytes that a text stands for; nil unless it is exactly what ``write(_:to:)`` writes for them.
    ///
    /// Missing padding, white space and stray bits in the last digit are refused: one text per byte sequence.
    public static func decode(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 4 == 0 else { return nil }
        let padding = digits.suffix(2).reversed().prefix { $0 == pad }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        var group: UInt32 = 0
        for (index, digit) in digits.dropLast(padding).enumerated() {
            let value = values[Int(digit)]
            guard value < 64 else { return nil }
            group = group << 6 | UInt32(value)
            if index % 4 == 3 {
                bytes.append(UInt8(truncatingIfNeeded: group >> 16))
                bytes.append(UInt8(truncatingIfNeeded: group >> 8))
                bytes.append(UInt8(truncatingIfNeeded: group))
                group = 0
            }
        }
        switch padding {
        case 0: return bytes
        case 1:
            guard group & 3 == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: group >> 10))
            bytes.append(UInt8(truncatingIfNeeded: group >> 2))
        default:
            guard group & 15 == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: group >> 4))
        }
        return bytes
    }
}
