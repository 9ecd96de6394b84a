import Arguments
import IO
import TestSupport
import Testing

@Suite("A settings file of anything at all")
struct SettingsFuzzTests {
    @Test func `is understood, or refused with a line that says why`() throws {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let text = try Files.read("/\(root)/deploy/castledger.conf.example").map { $0 == UInt8(ascii: "#") ? 0x20 : $0 }
        var (understood, refused) = (0, 0)
        try Fuzzing.rounds(1_000, "settings") { changes in
            // Some lines of it: one mistake must not hide the others.
            let lines = text.split(separator: 0x0A).filter { _ in changes.below(8) == 0 }
            var bytes = Array(lines.joined(separator: [0x0A]))
            changes.change(&bytes)
            let file = SettingsFile(path: "castledger.conf", text: String(decoding: bytes, as: UTF8.self))
            let surroundings = Program.Surroundings(environment: [:], settings: file, now: noon)
            do {
                _ = try Program.castledger.parse(["record"], in: surroundings)
                understood += 1
            } catch let error as UsageError {
                refused += 1
                #expect(!error.lines(program: "castledger").isEmpty)
            }
        }
        #expect(understood + refused >= 1_000)
        #expect(refused > 100)
    }
}
