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
    /// formula can call out.
    static func field(_ text: String) -> String {
        guard let first = text.unicodeScalars.first else { return "\"\"" }
        let isFormula = "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) && Double(text) == nil
        let safe = isFormula ? "'" + text : text
        guard safe.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return safe }
        return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
