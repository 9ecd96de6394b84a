/// Makes foreign text safe to print, and measures what it takes on a terminal.
///
/// Names and titles come from devices and apps. A device may call itself "\u{1b}[2J": printed as it came, that clears
/// the reader's screen, and a right-to-left override turns a line around.
public enum PlainText {
    /// The text with everything that steers a terminal replaced by U+FFFD, and line breaks and tabs by a blank.
    ///
    /// At most `limitCharacters` of it; what is cut shows as an ellipsis.
    public static func neutralized(_ text: String, limitCharacters: Int = 300) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limitCharacters * 4) {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: plain.append(" ")
            case 0..<0x20, 0x7F..<0xA0: plain.append("\u{FFFD}")
            case 0x061C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF: plain.append("\u{FFFD}")
            default: plain.append(scalar)
            }
        }
        let result = String(plain)
        let isWhole = text.unicodeScalars.count <= limitCharacters * 4 && result.count <= limitCharacters
        return isWhole ? result : result.prefix(limitCharacters - 1) + "…"
    }

    /// The same in double quotes.
    static func quoted(_ text: String) -> String { "\"" + neutralized(text, limitCharacters: 120) + "\"" }

    /// How many columns a terminal uses for the text: two for East Asian wide characters and emoji, none for accents
    /// that join the letter before them.
    public static func columns(_ text: String) -> Int { text.reduce(0) { $0 + columns($1) } }

    /// The text in exactly `columns` columns: filled with blanks, or cut with an ellipsis.
    public static func fitted(_ text: String, columns limit: Int) -> String {
        let width = columns(text)
        guard width > limit else { return text + String(repeating: " ", count: limit - width) }
        guard limit > 0 else { return "" }
        var kept = ""
        var used = 0
        for character in text {
            let next = columns(character)
            guard used + next <= limit - 1 else { break }
            kept.append(character)
            used += next
        }
        return kept + "…" + String(repeating: " ", count: limit - used - 1)
    }

    private static func columns(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        switch first.value {
        case 0x0300...0x036F, 0x20D0...0x20FF, 0xFE00...0xFE0F: return 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
