/// Names of contents, by which a browser knows that it has one already (RFC 9110, 8.8.3).
public enum EntityTag {
    /// The name of these bytes: their FNV-1a sum of 64 bits and their count, for no more than caching.
    ///
    /// A weak one, since it stands for every coding of them.
    public static func of(_ bytes: [UInt8]) -> String {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "W/\"\(String(sum, radix: 16))-\(String(bytes.count, radix: 16))\""
    }

    /// Whether an `If-None-Match` names it.
    public static func matches(_ header: String?, _ tag: String) -> Bool {
        guard let header else { return false }
        let bare = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
        return header.split(separator: ",").contains { part in
            var part = part.drop { $0 == " " || $0 == "\t" }
            while part.last == " " || part.last == "\t" { part.removeLast() }
            if part.hasPrefix("W/") { part = part.dropFirst(2) }
            return part == "*" || part == bare
        }
    }
}
