public import CastModel

/// Takes secrets out of what leaves the archive (PROTOCOL 7.5).
///
/// The archive keeps what was received; the database and everything served goes through here. Redacting twice changes
/// nothing more.
public enum Redaction {
    /// Stands where a secret stood.
    public static let placeholder = "(redacted)"

    /// The value without its secrets: those under telling keys, in URLs, and in JSON texts within strings.
    public static func redacted(_ json: JSONValue) -> JSONValue {
        switch json {
        case .null, .bool, .integer, .unsigned, .number: json
        case .string(let text): .string(redacted(text))
        case .array(let elements): .array(elements.map { redacted($0) })
        case .object(let object): .object(redacted(object))
        }
    }

    /// The object without its secrets.
    public static func redacted(_ object: JSONObject) -> JSONObject {
        JSONObject(
            object.pairs.map { pair in
                if case .null = pair.value { return pair }
                return (pair.key, isSecret(key: pair.key) ? .string(placeholder) : redacted(pair.value))
            })
    }

    /// Whether a key announces a secret: by a part of its name, in any case, with or without `_` and `-`.
    ///
    /// `author` and `authors` are a book's, not a secret.
    public static func isSecret(key: String) -> Bool {
        let plain = plainName(key.utf8)
        return holdsSecretWord(plain) && plain != Array("author".utf8) && plain != Array("authors".utf8)
    }

    /// A text without its secrets: signatures in URLs, the password in front of a host, JSON that holds a secret.
    public static func redacted(_ text: String) -> String {
        let utf8 = text.utf8
        if utf8.first == UInt8(ascii: "{") || utf8.first == UInt8(ascii: "[") {
            return holdsSecretWord(plainName(utf8)) ? placeholder : text
        }
        guard mayHoldSecret(utf8) else { return text }
        return redactedQuery(redactedAuthority(text))
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

    private static let secretWords = [
        "token", "auth", "credential", "blob", "password", "secret", "cookie", "apikey", "screenid",
    ].map { Array($0.utf8) }

    /// Whether one of the secret words is part of a plain name.
    private static func holdsSecretWord(_ plain: [UInt8]) -> Bool {
        plain.indices.contains { start in
            secretWords.contains { word in
                plain[start] == word[0] && plain.count - start >= word.count && plain[start...].starts(with: word)
            }
        }
    }

    /// Names of URL parameters that sign or unlock, besides those that contain a secret word.
    private static let secretParameters = Set(
        ["sig", "signature", "key", "policy", "expires", "hmac", "jwt", "keypairid", "hdnea", "hdnts", "hdntl"].map {
            Array($0.utf8)
        })

    /// Lower case, without `_`, `-` and anything beyond ASCII letters and digits.
    private static func plainName(_ name: some Sequence<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        for byte in name {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): plain.append(byte | 0x20)
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): plain.append(byte)
            default: continue
            }
        }
        return plain
    }

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
