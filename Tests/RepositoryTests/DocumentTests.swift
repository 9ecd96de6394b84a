import IO
import Testing

@Suite("Documents and formatting")
struct DocumentTests {
    @Test func `every Markdown file has exactly one title`() throws {
        for file in try Tree.files(below: "", named: ".md") {
            var insideCode = false
            var titles = 0
            for line in try Tree.lines(file) {
                if line.hasPrefix("```") { insideCode.toggle() }
                if !insideCode && line.hasPrefix("# ") { titles += 1 }
            }
            #expect(titles == 1, "\(file) has \(titles) titles")
        }
    }

    @Test func `Sources/README.md names every stage`() throws {
        let text = try Tree.text("Sources/README.md")
        for file in try Tree.files(below: "Sources", named: ".swift") {
            let module = file.split(separator: "/")[1]
            #expect(text.contains(module), "Sources/README.md does not say what \(module) is for")
        }
    }

    @Test func `every target has tests`() throws {
        let modules = Set(try Tree.files(below: "Sources", named: ".swift").map { String($0.split(separator: "/")[1]) })
        for module in modules.subtracting(["castledger"]) {
            let tests = try Tree.files(below: "Tests/\(module)Tests", named: ".swift")
            let hasTest = try tests.contains { try Tree.text($0).contains("@Test") }
            #expect(hasTest, "Tests/\(module)Tests has no test")
        }
    }

    @Test func `the formatter finds nothing to say`() throws {
        let (exit, output) = try ChildProcess.run(
            [
                "swift", "format", "lint", "--strict", "--recursive", Tree.root + "/Sources", Tree.root + "/Tests",
                Tree.root + "/Package.swift",
            ], includingErrors: true)
        #expect(exit == .code(0), "swift format lint: \(String(decoding: output, as: UTF8.self))")
    }
}
