/// Writes comma-separated values (RFC 4180) that a spreadsheet opens without running them.
public enum CSVLine {
    /// One line with its CRLF.
    ///
    /// - Parameter fields: nil leaves a field empty, so that absent and empty text (`""`) stay two things.
    public static func text(_ fields: [String?]) -> String {
        fields.map { $0.map(field) ?? "" }.joined(separator: ",") + "\r\n"
    }

    /// Quoted where RFC 4180 asks for it.
    ///
    /// A text that a spreadsheet takes for a formula (it begins with `=`, `+`, `-`, `@`, also in full width, or with a
    /// tab or line break) gets an apostrophe before it, unless it is a plain number: titles are foreign text, and a
    /// formula can call out. The same stands before such a sign behind a semicolon, tab or line break, since programs
    /// that separate by these, as spreadsheets do where the comma is the decimal sign, would begin a cell there.
    static func field(_ text: String) -> String {
        guard let first = text.utf8.first else { return "\"\"" }
        var (holdsCells, wantsQuotes) = (false, false)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: ";"), UInt8(ascii: "\t"): holdsCells = true
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"): (holdsCells, wantsQuotes) = (true, true)
            case UInt8(ascii: ","), UInt8(ascii: "\""): wantsQuotes = true
            default: break
            }
        }
        // Almost every text begins with a letter or digit and has no cell within; signs in full width begin with EF.
        let mayBegin = first == 0xEF || "=+-@\t\r\n \"".utf8.contains(first)
        let safe = holdsCells || mayBegin ? harmless(text) : text
        guard wantsQuotes else { return safe }
        var quoted = "\"".unicodeScalars
        // Scalar by scalar: a quote with an accent upon it is one character to Swift, and a quote to everybody else.
        for scalar in safe.unicodeScalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }

    private static func harmless(_ text: String) -> String {
        guard !isNumber(text) else { return text }
        var safe = String.UnicodeScalarView()
        var beginsCell = true
        for (place, scalar) in text.unicodeScalars.enumerated() {
            if (beginsCell && signs.contains(scalar)) || (place == 0 && starts.contains(scalar)) { safe.append("'") }
            safe.append(scalar)
            // Blanks and quotes before a sign are passed over by some.
            if breaks.contains(scalar) {
                beginsCell = true
            } else if !(scalar == " " || scalar == "\"") {
                beginsCell = false
            }
        }
        return String(safe)
    }

    /// Digits with a sign, a point and an exponent: what no spreadsheet takes for more.
    private static func isNumber(_ text: String) -> Bool {
        Double(text) != nil && text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    }

    private static let signs = Set("=+-@＝＋－＠".unicodeScalars)
    private static let starts = Set("\t\r\n".unicodeScalars)
    private static let breaks = Set(";\t\r\n".unicodeScalars)
}
