import CastModel

/// Makes values fit PostgreSQL, which has no place for some that JSON and Swift have.
///
/// The archive keeps the original; the row says in `finding` that it was changed.
enum Sanitizing {
    /// Ids above this many bytes are cut: an index entry has a limit (2,704 bytes), a TXT value 255.
    static let idLimitBytes = 512

    /// A text with U+FFFD in place of each NUL; `changed` becomes true when there was one.
    static func text(_ text: String, changed: inout Bool) -> String {
        guard hasNUL(text) else { return text }
        changed = true
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }

    /// Whether there is a NUL: asked of every string of every row, hence over the bytes in one go.
    private static func hasNUL(_ text: String) -> Bool {
        let fast = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in unsafe bytes.contains(0) }
        return fast ?? text.utf8.contains(0)
    }

    /// A text for a key column: without NUL, and of bounded length.
    static func id(_ text: String, changed: inout Bool) -> String {
        let clean = Self.text(text, changed: &changed)
        guard clean.utf8.count > idLimitBytes else { return clean }
        changed = true
        return String(decoding: clean.utf8.prefix(idLimitBytes), as: UTF8.self)
    }

    /// JSON text that `jsonb` accepts and that reads back as it was written.
    static func json(_ value: JSONValue, changed: inout Bool) -> [UInt8] {
        guard !fits(value) else { return value.utf8 }
        changed = true
        return fitting(value).utf8
    }

    /// Beyond this `jsonb` spells a number out in digits, which no longer reads back as a 64-bit integer.
    private static let numberLimit = 9.2e18

    private static func fits(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool, .integer, .unsigned: true
        case .number(let number): number.magnitude < numberLimit
        case .string(let string): !hasNUL(string)
        case .array(let elements): elements.allSatisfy(fits)
        case .object(let object): object.pairs.allSatisfy { !hasNUL($0.key) && fits($0.value) }
        }
    }

    private static func fitting(_ value: JSONValue) -> JSONValue {
        var changed = false
        return switch value {
        case .null, .bool, .integer, .unsigned: value
        case .number(let number): number.magnitude < numberLimit ? value : .string(number.description)
        case .string(let string): .string(text(string, changed: &changed))
        case .array(let elements): .array(elements.map(fitting))
        case .object(let object):
            .object(
                JSONObject(
                    object.pairs.map { (key: text($0.key, changed: &changed), value: fitting($0.value)) }))
        }
    }
}
