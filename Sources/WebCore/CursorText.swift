/// A place in a list as text that needs no escaping in a URL, and tells nothing to whoever reads it.
public enum CursorText {
    /// The text of these parts.
    public static func encode(_ parts: [String]) -> String {
        var bytes: [UInt8] = []
        for part in parts { bytes += Array(PercentText.encode(part).utf8) + [UInt8(ascii: "!")] }
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The parts behind a text; nil when it is none of ours.
    public static func decode(_ text: String) -> [String]? {
        let digits = text.utf8.map { digit in
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            default: UInt8.max
            }
        }
        guard digits.count.isMultiple(of: 2), digits.count <= 4096, !digits.contains(.max) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        guard bytes.last == UInt8(ascii: "!") else { return nil }
        var parts: [String] = []
        for part in bytes.dropLast().split(separator: UInt8(ascii: "!"), omittingEmptySubsequences: false) {
            guard let decoded = try? PercentText.decode(Substring(String(decoding: part, as: UTF8.self))) else {
                return nil
            }
            parts.append(decoded)
        }
        return parts
    }
}
