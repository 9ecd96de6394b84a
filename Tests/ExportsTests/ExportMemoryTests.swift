import IO
import TestSupport
import Testing

// Goal: what an export takes of memory does not grow with what it tells.
// Method: the program of the benchmarks feeds each form with generated rows, and says what it takes meanwhile.
@Suite("The memory of an export", .serialized, .waits) struct ExportMemoryTests {
    private static let program = Program.path + "-bench"

    @Test(arguments: ["csv", "jsonl", "ics", "xmltv", "otio", "perfetto", "html"])
    func `is the same after all rows as after a hundredth of them`(form: String) throws {
        try #require(Files.exists(Self.program), "'swift build' makes it")
        // Ten devices for twenty days with ten plays each.
        let (exit, output) = try ChildProcess.run([Self.program, "exports", form, "10", "20", "10"])
        let words = String(decoding: output, as: UTF8.self)
        try #require(exit == .code(0), "\(words)")
        print(words)
        let kibibytes = words.split(separator: ";").compactMap { mark in
            mark.split(separator: " ").dropLast().last.flatMap { Int($0) }
        }
        try #require(kibibytes.count == 3 && words.contains("2000 plays, "), "\(words)")
        #expect(kibibytes[0] > 1000)
        #expect(kibibytes[2] - kibibytes[0] <= 1024, "\(words)")
    }
}
