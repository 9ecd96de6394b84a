import CastModel

/// How texts lose their secrets: signatures in URLs, passwords in front of a host, tokens, what follows a telling name,
/// and JSON within strings.
extension Redaction {
    /// JSON within strings within JSON is looked into this far; deeper it is taken out whole.
    private static let nestingLimit = 4

    /// A text that is `nesting` JSON texts deep, without its secrets.
    static func redacted(_ text: String, nesting: Int) -> String {
        let utf8 = text.utf8
        if isWebToken(utf8) { return placeholder }
        if let first = utf8.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            return redactedJSON(text, nesting: nesting)
        }
        if utf8.count > 7, text.prefix(7).lowercased() == "bearer " { return String(text.prefix(7)) + placeholder }
        guard mayHoldSecret(utf8) else { return text }
        return redactedPlain(text)
    }

    /// What is taken out may put the rest in another light; a text that is still not clean after this many walks goes.
    private static let walkLimit = 8

    /// A text that is no JSON.
    private static func redactedPlain(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for walk in 0..<walkLimit {
            var isClean = true
            for redact in [redactedAuthorities, redactedWebTokens, SecretAssignments.redacted, redactedQuery] {
                guard let clean = redact(bytes), clean != bytes else { continue }
                bytes = clean
                isClean = false
            }
            if isClean { return walk == 0 ? text : String(decoding: bytes, as: UTF8.self) }
        }
        return placeholder
    }

    /// JSON within a string, or what looks like it.
    private static func redactedJSON(_ text: String, nesting: Int) -> String {
        let holdsWord = holdsSecretWord(plainName(text.utf8))
        guard holdsWord || mayHoldSecret(text.utf8) else { return text }
        guard nesting < nestingLimit, let json = try? JSONParser().parse(text) else {
            return holdsWord ? placeholder : redactedPlain(text)
        }
        let clean = redacted(json, nesting: nesting + 1)
        return clean == json ? text : clean.text
    }

    private static let webTokenStart = "eyJ"

    /// Whether a text is a JSON Web Token (RFC 7519): three parts of base64url, the first of which begins `{"`.
    private static func isWebToken(_ utf8: String.UTF8View) -> Bool {
        guard utf8.count >= 20, utf8.starts(with: webTokenStart.utf8) else { return false }
        guard utf8.allSatisfy(isOfWebToken) else { return false }
        let dots = utf8.count { $0 == UInt8(ascii: ".") }
        return dots == 2 || dots == 4
    }

    /// Tokens anywhere in a text, replaced; nil when it holds none.
    private static func redactedWebTokens(_ bytes: [UInt8]) -> [UInt8]? {
        var made: [UInt8] = []
        var (index, copied) = (0, 0)
        while let start = bytes[index...].firstIndex(of: UInt8(ascii: "e")) {
            index = start + 1
            guard bytes[start...].starts(with: webTokenStart.utf8) else { continue }
            let end = bytes[start...].firstIndex { !isOfWebToken($0) } ?? bytes.count
            index = end
            guard end - start >= 20, bytes[start..<end].count(where: { $0 == UInt8(ascii: ".") }) >= 2 else { continue }
            made += bytes[copied..<start]
            made += placeholder.utf8
            copied = end
        }
        return copied == 0 ? nil : made + bytes[copied...]
    }

    private static func isOfWebToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Whether a text has what every text with a secret has: most end here, so this is quick.
    private static func mayHoldSecret(_ utf8: String.UTF8View) -> Bool {
        func isTelling(_ bytes: some Sequence<UInt8>) -> Bool {
            var before: UInt8 = 0
            for byte in bytes {
                switch byte {
                case UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: ":"), UInt8(ascii: "="):
                    return true
                // The `eyJ` of a web token, the end of `Bearer `.
                case UInt8(ascii: "J") where before == UInt8(ascii: "y"): return true
                case 0x20 where before | 0x20 == UInt8(ascii: "r"): return true
                default: before = byte
                }
            }
            return false
        }
        return utf8.withContiguousStorageIfAvailable { isTelling($0) } ?? isTelling(utf8)
    }

    /// Names of URL parameters that sign or unlock, besides those that contain a secret word.
    private static let secretParameters = Set(
        ["sig", "signature", "key", "policy", "expires", "hmac", "jwt", "keypairid", "hdnea", "hdnts", "hdntl"].map {
            Array($0.utf8)
        })

    private static func isSecret(parameter: some Sequence<UInt8>) -> Bool {
        let plain = plainName(parameter)
        return secretParameters.contains(plain) || plain.starts(with: "xamz".utf8)
            || plain.starts(with: "xgoog".utf8) || holdsSecretWord(plain)
    }

    /// Every `scheme://user:password@host` without the user and the password; nil when there is none.
    private static func redactedAuthorities(_ bytes: [UInt8]) -> [UInt8]? {
        var made: [UInt8] = []
        var (index, copied) = (0, 0)
        while let colon = bytes[index...].firstIndex(of: UInt8(ascii: ":")) {
            index = colon + 1
            guard bytes[colon...].starts(with: "://".utf8) else { continue }
            let start = colon + 3
            let end = bytes[start...].firstIndex { authorityEnds.contains($0) } ?? bytes.count
            index = max(index, end - 1)
            guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { continue }
            made += bytes[copied..<start]
            made += placeholder.utf8
            copied = at
        }
        return copied == 0 ? nil : made + bytes[copied...]
    }

    private static let authorityEnds = Array("/?#\"'<> \t\r\n".utf8)

    /// A URL with the values of its secret parameters replaced; nil when it has no parameters.
    ///
    /// Everything after the first `?` or `#` counts as parameters.
    private static func redactedQuery(_ bytes: [UInt8]) -> [UInt8]? {
        let separators: [UInt8] = Array("?#&;".utf8)
        guard let first = bytes.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            return nil
        }
        var made = Array(bytes[..<first])
        var index = first
        while index < bytes.count {
            made.append(bytes[index])
            index += 1
            let end = bytes[index...].firstIndex { separators.contains($0) } ?? bytes.count
            let parameter = bytes[index..<end]
            if let equals = parameter.firstIndex(of: UInt8(ascii: "=")), isSecret(parameter: parameter[..<equals]) {
                made.append(contentsOf: parameter[...equals])
                made.append(contentsOf: placeholder.utf8)
            } else {
                made.append(contentsOf: parameter)
            }
            index = end
        }
        return made
    }
}
