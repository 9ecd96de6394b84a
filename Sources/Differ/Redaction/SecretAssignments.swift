/// Finds secrets in plain text by what stands before them: `password=x`, `"token": "x"`, `Authorization: Bearer x`.
///
/// One walk over the text; from each `:` and `=` it looks back over one name and ahead over one value.
struct SecretAssignments {
    private let bytes: [UInt8]
    private var isInURL = false
    private var isInAuthority = false

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The text with the values after telling names replaced; nil when it holds none.
    static func redacted(_ bytes: [UInt8]) -> [UInt8]? {
        var search = SecretAssignments(bytes)
        var made: [UInt8] = []
        var (index, copied) = (0, 0)
        while index < bytes.count {
            guard let value = search.secret(at: index) else {
                index += 1
                continue
            }
            made += bytes[copied..<value.lowerBound]
            made += Redaction.placeholder.utf8
            copied = value.upperBound
            index = max(copied, index + 1)
        }
        return copied == 0 ? nil : made + bytes[copied...]
    }

    /// The value that what stands at a place announces as a secret.
    private mutating func secret(at index: Int) -> Range<Int>? {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: ":"):
            if bytes[index...].starts(with: "://".utf8) {
                (isInURL, isInAuthority) = (true, true)
                return nil
            }
            return isInAuthority ? nil : value(afterOperatorAt: index)
        case UInt8(ascii: "="): return value(afterOperatorAt: index)
        case UInt8(ascii: "b"), UInt8(ascii: "B"): return bearer(at: index)
        case UInt8(ascii: "/"):
            // The two of `://` come before the authority.
            if index > 0, bytes[index - 1] != UInt8(ascii: ":"), bytes[index - 1] != byte { isInAuthority = false }
        case UInt8(ascii: "?"), UInt8(ascii: "#"): isInAuthority = false
        default: if Self.outsideURL.contains(byte) { (isInURL, isInAuthority) = (false, false) }
        }
        return nil
    }

    private func value(afterOperatorAt index: Int) -> Range<Int>? {
        let isColon = bytes[index] == UInt8(ascii: ":")
        var nameEnd = index
        while nameEnd > max(0, index - 8), Self.aroundName.contains(bytes[nameEnd - 1]) { nameEnd -= 1 }
        var nameStart = nameEnd
        while nameStart > max(0, nameEnd - 128), Self.isOfName(bytes[nameStart - 1]) { nameStart -= 1 }
        guard nameStart < nameEnd else { return nil }
        let name = Redaction.plainName(bytes[nameStart..<nameEnd])
        guard Redaction.isSecret(plainName: name) || Self.textNames.contains(name) else { return nil }
        // Players name what they made themselves `blob:https://…`.
        if isColon, name.elementsEqual("blob".utf8) { return nil }

        var start = index + 1
        while start < min(bytes.count, index + 3), Self.operators.contains(bytes[start]) { start += 1 }
        while start < bytes.count, Self.blanks.contains(bytes[start]) { start += 1 }
        guard start < bytes.count else { return nil }
        if let quoted = quotedValue(at: start) { return quoted.isEmpty ? nil : quoted }
        var end = plainValueEnd(from: start)
        if bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") {
            end = bytes.count
        } else if isColon, Self.lineNames.contains(where: { name.starts(with: $0) || name.suffix($0.count) == $0[...] })
        {
            end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
        }
        guard start < end else { return nil }
        // `The Secret: Dare to Dream` is a film, `secret: 7Hx` is a secret.
        let isProse = isColon && start > index + 1 && nameEnd == index && Self.proseNames.contains(name)
        return isProse && !Self.holdsDigit(bytes[start..<end]) ? nil : start..<end
    }

    /// Between quotes, which may be escaped, as in JSON within a string.
    private func quotedValue(at start: Int) -> Range<Int>? {
        var open = start
        while open < bytes.count, bytes[open] == UInt8(ascii: "\\") { open += 1 }
        guard open < bytes.count, bytes[open] == UInt8(ascii: "\"") || bytes[open] == UInt8(ascii: "'") else {
            return nil
        }
        let escapes = open - start
        var run = 0
        for index in (open + 1)..<max(open + 1, bytes.count) {
            if bytes[index] == bytes[open], run <= escapes { return (open + 1)..<(index - run) }
            run = bytes[index] == UInt8(ascii: "\\") ? run + 1 : 0
        }
        return (open + 1)..<bytes.count
    }

    /// Where a value without quotes ends; the name of an authorization scheme and the next word are one value.
    private func plainValueEnd(from start: Int) -> Int {
        func end(from start: Int) -> Int {
            bytes[start...].firstIndex {
                Self.separators.contains($0) || (isInURL && ($0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")))
            } ?? bytes.count
        }
        let first = end(from: start)
        guard Self.schemes.contains(Redaction.plainName(bytes[start..<first].prefix(16))) else { return first }
        let next = bytes[first...].firstIndex { !Self.blanks.contains($0) } ?? bytes.count
        return next == first ? first : end(from: next)
    }

    /// The token behind the word `Bearer`: long or with a digit, as no word of a sentence is.
    private func bearer(at index: Int) -> Range<Int>? {
        let word = bytes[index...].prefix(7)
        guard word.count == 7, word.last == 0x20, word.dropLast().map({ $0 | 0x20 }).elementsEqual("bearer".utf8),
            index == 0 || !Self.isOfName(bytes[index - 1])
        else { return nil }
        let start = bytes[(index + 7)...].firstIndex { $0 != 0x20 } ?? bytes.count
        let end = bytes[start...].firstIndex { Self.separators.contains($0) } ?? bytes.count
        return end - start >= 16 || Self.holdsDigit(bytes[start..<end]) ? start..<end : nil
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func holdsDigit(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static let blanks = Array(" \t".utf8)
    private static let aroundName = Array(" \t\"'\\]".utf8)
    private static let operators = Array(":=>".utf8)
    private static let separators = Array(" \t\r\n,;&\"'<>{}]".utf8)
    private static let outsideURL = Array(" \t\r\n\"'<>".utf8)
    private static let schemes = ["bearer", "basic", "digest", "token"].map { Array($0.utf8) }
    /// After these and a colon the whole rest of the line is secret, as in HTTP headers and Wi-Fi codes.
    private static let lineNames = ["authorization", "cookie", "wifi"].map { Array($0.utf8) }
    /// Names that keys of JSON do not have, besides those of ``Redaction``.
    private static let textNames = ["jsessionid", "phpsessid", "passwd", "pwd"].map { Array($0.utf8) }
    private static let proseNames = ["secret", "secrets", "mac", "pin", "sid", "signature"].map { Array($0.utf8) }
}
