/// The settings file: lines of `key = value`, where keys are option names without dashes.
///
/// Blank lines and lines that begin with `#` are comments. A value extends to the end of its line; quotes have no
/// meaning. A repeatable option stands on several lines.
public struct SettingsFile: Sendable, Equatable {
    /// One `key = value`.
    public struct Entry: Sendable, Equatable {
        /// The key, without blanks around it.
        public var key: String
        /// The value, without blanks around it; may be empty.
        public var value: String
        /// Its line, from 1.
        public var line: Int
    }

    /// Where the text came from, for mistakes.
    public var path: String
    /// All entries, in order.
    public var entries: [Entry]
    /// The lines that are neither entry nor comment, from 1.
    public var malformedLines: [Int]

    /// Reads a settings file's text.
    public init(path: String, text: String) {
        self.path = path
        entries = []
        malformedLines = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = Self.trimmed(line)
            guard !content.isEmpty, !content.hasPrefix("#") else { continue }
            guard let equals = content.firstIndex(of: "="), equals != content.startIndex else {
                malformedLines.append(index + 1)
                continue
            }
            entries.append(
                Entry(
                    key: String(Self.trimmed(content[..<equals])),
                    value: String(Self.trimmed(content[content.index(after: equals)...])), line: index + 1))
        }
    }

    /// A file that is not there.
    public static let empty = SettingsFile(path: "", text: "")

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
