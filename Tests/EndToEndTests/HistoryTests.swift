import CastModel
import Glibc
import IO
import TestSupport
import Testing

// Goal: a history is an archive like any other, and the same again for the same options.
// Method: the program itself, diff and sha256sum.
@Suite("'castledger fleet --history'", .waits)
struct HistoryTests {
    private func write(
        _ folder: String, seed: Int = 4, _ more: [String] = []
    ) throws -> (exit: ChildProcess.Exit, output: String) {
        try Program.run(
            [
                "fleet", "--history", "3d", "--devices", "2", "--groups", "1", "--from", "2026-03-06", "--seed",
                "\(seed)", "--data", folder,
            ] + more)
    }

    @Test func `writes an intact archive, by day, and equal files for equal options`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-history")
        defer { try? Files.removeTree(folder) }
        let (one, again, other) = (folder + "/one", folder + "/again", folder + "/other")
        let (exit, output) = try write(one, ["--truth", folder + "/truth.jsonl"])
        #expect(exit == .code(0), "\(output)")
        #expect(output.contains("records up to 2026-03-08T23:59:59.999999Z"), "\(output)")
        #expect(try Program.run(["archive", "verify", "--data", one]).exit == .code(0))
        #expect(try write(again).exit == .code(0))
        let difference = ["diff", "-rq", "-x", "writer.lock", "-x", "archive-checks.json"]
        #expect(try ChildProcess.run(difference + [one, again]).0 == .code(0))
        #expect(try write(other, seed: 5).exit == .code(0))
        #expect(try ChildProcess.run(difference + [one, other]).0 == .code(1))

        let recorder = String(decoding: try Files.read(one + "/recorder-id"), as: UTF8.self).dropLast()
        let days = try Files.names(in: "\(one)/archive/\(recorder)/2026/03")
        #expect(days.sorted() == ["06", "07", "08"])

        let parser = JSONParser()
        let labels = try Files.read(folder + "/truth.jsonl").split(separator: UInt8(ascii: "\n"))
            .map { try parser.parse(Array($0)) }
        #expect(labels.allSatisfy { $0["what"]?.string == "label" && $0["kind"]?.string != nil })
        #expect(!labels.isEmpty)
    }

    @Test(arguments: [SIGTERM, SIGINT]) func `tells how far it is, and ends at once when told to, with a valid archive`(
        signal: Int32
    ) throws {
        let folder = try Files.makeTemporaryFolder("castledger-history")
        defer { try? Files.removeTree(folder) }
        // Ten years of a hundred devices: nobody waits for their end here.
        let (data, log) = (folder + "/data", folder + "/log")
        let history = try Program.start(
            ["fleet", "--history", "3650d", "--devices", "100", "--from", "2026-03-06", "--data", data], log: log)
        defer { history.send(SIGKILL) }
        let told = try eventually {
            let text = String(decoding: try Files.read(log), as: UTF8.self)
            return text.contains(" device-days per second, about ") ? text : nil
        }
        #expect(told?.hasPrefix("castledger: 2026-03-0") == true, "\(told ?? "nothing")")
        let began = Clock.monotonicNanoseconds()
        history.send(signal)
        #expect(history.wait() == .code(0))
        // A third of a second where nothing else runs; this test runs beside others. To its end it would take hours.
        let milliseconds = (Clock.monotonicNanoseconds() - began) / 1_000_000
        print("a history told to end by signal \(signal): \(milliseconds) ms")
        #expect(milliseconds < 10_000)
        #expect(String(decoding: try Files.read(log), as: UTF8.self).contains("\nstopped early: wrote "))
        let verified = try Program.run(["archive", "verify", "--data", data])
        #expect(verified.exit == .code(0), "\(verified.output)")
    }

    @Test func `refuses a folder that holds an archive, and options of another kind`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-history")
        defer { try? Files.removeTree(folder) }
        #expect(try write(folder).exit == .code(0))
        let (exit, output) = try write(folder)
        #expect(exit == .code(73))
        #expect(output == "castledger: \(folder) holds an archive already. Name another folder with --data.\n")
        #expect(
            try Program.run(["fleet", "--history", "1d"]).output
                == "castledger: --history needs --data: a folder that holds no archive yet.\n")
        #expect(
            try Program.run(["fleet", "--history", "1d", "--data", folder, "--advertise"]).output
                == "castledger: --advertise is for a fleet that answers, not for --history.\n")
        #expect(
            try Program.run(["fleet", "--data", folder]).output == "castledger: --data belongs to --history.\n")
    }
}
