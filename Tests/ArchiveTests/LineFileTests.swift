import Glibc
import IO
import Testing

@testable import Archive

@Suite("A file read line by line")
struct LineFileTests {
    /// All that reading gives: lines as texts, failures in brackets.
    private func reading(_ path: String, limitBytes: Int = LineFile.limitBytes) throws -> [String] {
        let file = try LineFile(path, limitBytes: limitBytes)
        var read: [String] = []
        while read.count < 1000 {
            do throws(LineFile.Failure) {
                guard let line = try file.next() else { return read }
                read.append("\(file.lineNumber) \(String(decoding: line, as: UTF8.self))")
            } catch {
                switch error {
                case .tooLong: read.append("[too long \(file.lineNumber)]")
                case .cutOff: read.append("[cut off]")
                case .compression: read.append("[compression]")
                case .files: read.append("[files]")
                }
            }
        }
        return read
    }

    private func file(_ folder: Scratch, _ content: [UInt8]) throws -> String {
        let path = folder.path + "/log"
        try Files.replace(path, with: content)
        return path
    }

    @Test(arguments: [
        ("", []), ("\n", ["1 "]), ("one", ["1 one"]), ("one\n", ["1 one"]), ("one\n\ntwo", ["1 one", "2 ", "3 two"]),
        ("one\r\ntwo\n", ["1 one\r", "2 two"]),
    ])
    func `gives each line once, the last one with or without a newline`(text: String, lines: [String]) throws {
        let folder = try Scratch()
        #expect(try reading(try file(folder, Array(text.utf8))) == lines)
    }

    @Test func `gives lines that are spread over several reads`() throws {
        let folder = try Scratch()
        let long = String(repeating: "x", count: 200_000)
        let path = try file(folder, Array("\(long)\n\(long)y\nend\n".utf8))
        #expect(try reading(path) == ["1 \(long)", "2 \(long)y", "3 end"])
    }

    @Test func `passes over a line that is too long, and goes on`() throws {
        let folder = try Scratch()
        let limit = 100_000
        var content = Array("one\n".utf8) + [UInt8](repeating: 120, count: limit + 1) + Array("\ntwo\n".utf8)
        content += [UInt8](repeating: 121, count: limit * 2) + Array("\nthree\n".utf8)
        let path = try file(folder, content)
        #expect(try reading(path, limitBytes: limit) == ["1 one", "[too long 2]", "3 two", "[too long 4]", "5 three"])
    }

    @Test func `reads what zstd compressed, in one frame or several`() throws {
        let folder = try Scratch()
        let lines = (1...400).map { "line \($0) " + String(repeating: "\($0 % 7)", count: 700) }
        let plain = try file(folder, Array(lines.map { $0 + "\n" }.joined().utf8))
        let script = "zstd -q \(plain) -o \(plain).zst && cat \(plain).zst \(plain).zst > \(plain).twice.zst"
        #expect(try ChildProcess.run(["sh", "-c", script]).0 == .code(0))
        let expected = lines.enumerated().map { "\($0.offset + 1) \($0.element)" }
        #expect(try reading(plain + ".zst") == expected)
        #expect(
            try reading(plain + ".twice.zst")
                == expected + lines.enumerated().map { "\($0.offset + 401) \($0.element)" })
    }

    @Test func `says where a compressed file was cut off, after all lines before`() throws {
        let folder = try Scratch()
        var bytes: [UInt8] = []
        var compressor = ZstdCompressor()
        compressor.compress(Array("one\ntwo\nthr".utf8), ending: .flush, to: &bytes)
        let flushed = bytes.count
        compressor.compress(Array("ee\n".utf8), ending: .flush, to: &bytes)
        compressor.compress([], ending: .frame, to: &bytes)
        #expect(try reading(try file(folder, bytes)) == ["1 one", "2 two", "3 three"])
        #expect(try reading(try file(folder, Array(bytes[..<flushed]))) == ["1 one", "2 two", "[cut off]"])
        for cut in 4..<bytes.count {
            #expect(try reading(try file(folder, Array(bytes[..<cut]))).last == "[cut off]", "cut at \(cut)")
        }
    }

    @Test func `says that zstd refuses the rest, after all lines before`() throws {
        let folder = try Scratch()
        var bytes: [UInt8] = []
        var compressor = ZstdCompressor()
        compressor.compress(Array("one\n".utf8), ending: .frame, to: &bytes)
        let path = try file(folder, bytes + Array("no zstd at all".utf8))
        #expect(try reading(path) == ["1 one", "[compression]"])
    }

    // In a process of its own: what other tests took at their peak would hide what this one takes.
    @Test func `takes no more memory than a line may, however small its text was compressed`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Scratch()
            // A frame without checksum or size, a window of 2 MiB, and blocks of 128 KiB of zeros in four bytes each: 96 MiB.
            let zeros = [[UInt8]](repeating: [0x02, 0x00, 0x10, 0x00], count: 768).flatMap(\.self)
            let frame: [UInt8] =
                [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58] + zeros + [0x29, 0x00, 0x00] + Array("\none\n".utf8)
            let tests = LineFileTests()
            let path = try tests.file(folder, frame)
            let before = LineFileTests.peakMemoryKiB()
            #expect(try tests.reading(path, limitBytes: 100_000) == ["[too long 1]", "2 one"])
            #expect(LineFileTests.peakMemoryKiB() - before < 64 << 10)
        }
    }

    /// The most memory that this process ever had.
    private static func peakMemoryKiB() -> Int {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return usage.ru_maxrss
    }

    @Test func `that is not there or is a folder is an error`() throws {
        let folder = try Scratch()
        #expect(throws: IOError.self) { try LineFile(folder.path + "/none") }
        #expect(try reading(folder.path) == ["[files]"])
    }
}
