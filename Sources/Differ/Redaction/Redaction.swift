public import CastModel

/// Takes secrets out of what leaves the archive (PROTOCOL 7.5).
///
/// The archive keeps what was received; the database and everything served goes through here. Redacting twice changes
/// nothing more. What counts as a secret: tokens, passwords, keys and credentials, the ids that give control of a screen,
/// and the radio networks and hardware addresses of a home.
public enum Redaction {
    /// Stands where a secret stood.
    public static let placeholder = "(redacted)"

    /// The value without its secrets: those under telling keys, in URLs, and in JSON texts within strings.
    public static func redacted(_ json: JSONValue) -> JSONValue { redacted(json, nesting: 0) }

    /// The object without its secrets.
    public static func redacted(_ object: JSONObject) -> JSONObject { redacted(object, nesting: 0) }

    /// A text without its secrets.
    public static func redacted(_ text: String) -> String { redacted(text, nesting: 0) }

    /// A value that is `nesting` JSON texts deep.
    static func redacted(_ json: JSONValue, nesting: Int) -> JSONValue {
        switch json {
        case .null, .bool, .integer, .unsigned, .number: json
        case .string(let text): .string(redacted(text, nesting: nesting))
        case .array(let elements): .array(elements.map { redacted($0, nesting: nesting) })
        case .object(let object): .object(redacted(object, nesting: nesting))
        }
    }

    private static func redacted(_ object: JSONObject, nesting: Int) -> JSONObject {
        JSONObject(
            object.pairs.map { pair in
                if case .null = pair.value { return pair }
                if isSecret(key: pair.key) { return (pair.key, .string(placeholder)) }
                return (pair.key, redacted(pair.value, nesting: nesting))
            })
    }

    /// The value without what an app's own people put into it: session tokens have harmless names there.
    static func withoutCustomData(_ json: JSONValue) -> JSONValue {
        switch json {
        case .null, .bool, .integer, .unsigned, .number, .string: json
        case .array(let elements): .array(elements.map { withoutCustomData($0) })
        case .object(let object):
            .object(
                JSONObject(
                    object.pairs.map { pair in
                        if pair.key == "customData", pair.value != .null { return (pair.key, .string(placeholder)) }
                        return (pair.key, withoutCustomData(pair.value))
                    }))
        }
    }

    /// Whether a key announces a secret: by a part of its name, in any case, with or without `_` and `-`.
    public static func isSecret(key: String) -> Bool {
        isSecret(plainName: plainName(key.utf8))
    }

    /// Whether a name that ``plainName(_:)`` made announces a secret.
    static func isSecret(plainName plain: [UInt8]) -> Bool { secretNames.contains(plain) || holdsSecretWord(plain) }

    /// Parts of names.
    ///
    /// `auth` counts unless it begins `author`, who is a book's; `authorization` and the like count.
    private static let secretWords = [
        "token", "auth", "credential", "blob", "password", "passphrase", "secret", "cookie", "apikey", "privatekey",
        "pincode", "screenid", "loungeid", "bssid", "macaddr", "wifi",
    ].map { Array($0.utf8) }

    /// Whole names, whose letters also stand within harmless ones.
    private static let secretNames = Set(
        ["sid", "ssid", "mac", "jwt", "pin", "psk", "signature", "wpaid", "wpacipher", "ssidsuffix"].map {
            Array($0.utf8)
        })

    /// Which bytes a secret word begins with: most do not, and every key of every message is looked at.
    private static let isFirst: [Bool] = (0..<256).map { byte in secretWords.contains { Int($0[0]) == byte } }

    private static let author = Array("author".utf8)
    private static let authori = Array("authori".utf8)

    /// Whether one of the secret words is part of a plain name.
    static func holdsSecretWord(_ plain: [UInt8]) -> Bool {
        plain.indices.contains { start in
            guard isFirst[Int(plain[start])] else { return false }
            return secretWords.contains { word in
                guard plain[start] == word[0], plain.count - start >= word.count, plain[start...].starts(with: word)
                else { return false }
                return !plain[start...].starts(with: author) || plain[start...].starts(with: authori)
            }
        }
    }

    /// Lower case, without `_`, `-` and anything beyond ASCII letters and digits.
    static func plainName(_ name: some Sequence<UInt8>) -> [UInt8] {
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
}
