import Testing

@Suite("Sizes")
struct SizeTests {
    static let fileLimitLines = 400
    static let functionLimitLines = 70

    @Test func `no file has more than 400 lines`() throws {
        for file in try Tree.files(below: "Sources", named: ".swift") + Tree.files(below: "Tests", named: ".swift") {
            let count = try Tree.lines(file).count
            #expect(count <= Self.fileLimitLines + 1, "\(file) has \(count) lines")
        }
    }

    @Test func `no function has more than 70 lines`() throws {
        for file in try Tree.files(below: "Sources", named: ".swift") {
            for function in functions(in: try Tree.lines(file)) {
                #expect(
                    function.lines <= Self.functionLimitLines, "\(file):\(function.start) has \(function.lines) lines")
            }
        }
    }

    /// Functions by indentation: the formatter guarantees that a body closes at the indentation of its `func`.
    private func functions(in lines: [Substring]) -> [(start: Int, lines: Int)] {
        var found: [(start: Int, lines: Int)] = []
        for (index, line) in lines.enumerated() {
            let words = line.split(separator: " ")
            let isFunction =
                words.contains("func") || words.contains { $0.hasPrefix("init(") || $0.hasPrefix("init?(") }
            guard isFunction, !line.drop(while: { $0 == " " }).hasPrefix("//") else { continue }
            let closing = String(repeating: " ", count: line.prefix { $0 == " " }.count) + "}"
            let rest = lines[index...]
            // One-line bodies and protocol requirements have no closing line of their own at this indentation
            // before the next declaration; they are shorter than any limit.
            guard line.hasSuffix("{") || line.hasSuffix("("), let end = rest.firstIndex(where: { $0 == closing }) else {
                continue
            }
            found.append((index + 1, end - index + 1))
        }
        return found
    }
}
