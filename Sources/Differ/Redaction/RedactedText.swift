import CastModel

/// How texts lose their secrets: signatures in URLs, passwords in front of a host, tokens, and JSON within strings.
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
        return redactedQuery(redactedAuthority(text))
    }

    /// JSON within a string, or what looks like it.
    private static func redactedJSON(_ text: String, nesting: Int) -> String {
        let holdsWord = holdsSecretWord(plainName(text.utf8))
        guard holdsWord || mayHoldSecret(text.utf8) || text.contains(webTokenStart) else { return text }
        guard nesting < nestingLimit, let json = try? JSONParser().parse(text) else {
            return holdsWord ? placeholder : redactedQuery(redactedAuthority(text))
        }
        let clean = redacted(json, nesting: nesting + 1)
        return clean == json ? text : clean.text
    }

    private static let webTokenStart = "eyJ"

    /// Whether a text is a JSON Web Token (RFC 7519): three parts of base64url, the first of which begins `{"`.
    private static func isWebToken(_ utf8: String.UTF8View) -> Bool {
        guard utf8.count >= 20, utf8.starts(with: webTokenStart.utf8) else { return false }
        var dots = 0
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "."): dots += 1
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="):
                continue
            default: return false
            }
        }
        return dots == 2 || dots == 4
    }

    /// Whether a text has what every URL with a secret has: most texts end here, so this is quick.
    private static func mayHoldSecret(_ utf8: String.UTF8View) -> Bool {
        func isTelling(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "?") || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "#")
        }
        return utf8.withContiguousStorageIfAvailable { bytes in
            for byte in bytes where isTelling(byte) { return true }
            return false
        } ?? utf8.contains { isTelling($0) }
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

    /// `scheme://user:password@host` without the user and the password.
    private static func redactedAuthority(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let separator = Array("://".utf8)
        guard
            let scheme = (0..<max(0, bytes.count - 2)).first(where: { Array(bytes[$0..<$0 + 3]) == separator })
        else { return text }
        let start = scheme + 3
        let ends: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
        let end = bytes[start...].firstIndex { ends.contains($0) } ?? bytes.count
        guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return text }
        return String(decoding: bytes[..<start] + Array(placeholder.utf8) + bytes[at...], as: UTF8.self)
    }

    /// A URL with the values of its secret parameters replaced.
    ///
    /// Everything after the first `?` or `#` counts as parameters.
    private static func redactedQuery(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let separators: [UInt8] = Array("?#&;".utf8)
        guard let first = bytes.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            return text
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
        return String(decoding: made, as: UTF8.self)
    }
}
