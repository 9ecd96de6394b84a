/// Foreign text in XML 1.0 and HTML.
enum XMLText {
    /// The text with all markup escaped, fit for content and for attributes in either kind of quotes.
    ///
    /// XML 1.0 has no way to say most control characters, surrogates and U+FFFE, U+FFFF; U+FFFD takes their place. Tab
    /// and line breaks are written as references, or a reader would turn them into blanks in attributes.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x26: escaped += "&amp;"
            case 0x3C: escaped += "&lt;"
            case 0x3E: escaped += "&gt;"
            case 0x22: escaped += "&quot;"
            case 0x27: escaped += "&#39;"
            case 0x09, 0x0A, 0x0D: escaped += "&#\(scalar.value);"
            case 0..<0x20, 0x7F..<0x85, 0x86..<0xA0, 0xFFFE, 0xFFFF: escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
