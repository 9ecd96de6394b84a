import Conflicts
import IO
import Testing

@Suite("docs/conflicts.md") struct ConflictsDocumentTests {
    /// The rows of the tables of the page, each as its cells.
    private func rows() throws -> [[String]] {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let text = String(decoding: try Files.read(root + "/docs/conflicts.md"), as: UTF8.self)
        return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.split(separator: "|").map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    @Test func `has every rule with its default and unit, in order`() throws {
        let names = Set(ConflictRules.all.map(\.name))
        let told = try rows().filter { names.contains($0[0]) }.map { $0.prefix(3).joined(separator: " ") }
        let rules = ConflictRules()
        let real = ConflictRules.all.map { rule in
            let value = rules[rule]
            return "\(rule.name) \(value == value.rounded() ? "\(Int(value))" : "\(value)") \(rule.unit)"
        }
        #expect(told == real)
    }

    @Test func `has every kind`() throws {
        let told = Set(try rows().map { $0[0] })
        for kind in Conflict.Kind.allCases { #expect(told.contains(kind.rawValue)) }
    }
}
