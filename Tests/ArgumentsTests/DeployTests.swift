import Arguments
import IO
import Testing

// Goal: what stands in deploy/ is true for the program that is built from the same tree.
// Method: read the files as the program and systemd would.
@Suite("The deployed settings") struct DeployTests {
    private func text(_ name: String) throws -> String {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return String(decoding: try Files.read("/\(root)/deploy/\(name)"), as: UTF8.self)
    }

    @Test func `in the example are accepted as they stand, and change nothing`() throws {
        let file = SettingsFile(path: "castledger.conf", text: try text("castledger.conf.example"))
        #expect(file.entries.isEmpty)
        #expect(try arguments("record", settings: file) == arguments("record"))
    }

    @Test func `in the example are accepted when all are switched on, and none is missing`() throws {
        let lines = try text("castledger.conf.example").split(separator: "\n").map { line in
            line.hasPrefix("#") && !line.hasPrefix("# ") ? line.dropFirst() : line
        }
        let file = SettingsFile(path: "castledger.conf", text: lines.joined(separator: "\n"))
        #expect(Set(file.entries.map(\.key)) == Set(Program.castledger.settingKeys))
        let parsed = try arguments("record", settings: file)
        #expect(parsed.text(.site) == "Lobby")
        #expect(parsed.texts(.deviceAddress) == ["192.0.2.17", "192.0.2.18:8009"])
        #expect(parsed.has(.noDiscovery))
    }

    @Test(arguments: [("castledger.service", "record"), ("castledger-serve.service", "serve")])
    func `of the unit start a command line that parses`(name: String, command: String) throws {
        let unit = try text(name).split(separator: "\n")
        let start = try #require(unit.first { $0.hasPrefix("ExecStart=") }).dropFirst("ExecStart=".count)
        let words = start.split(separator: " ").dropFirst().map(String.init)
        let surroundings = Program.Surroundings(environment: [:], settings: .empty, now: noon)
        guard case .run(let found, _) = try Program.castledger.parse(words, in: surroundings) else {
            Issue.record("\(start)")
            return
        }
        #expect(found.name == command)
        let hopeless = try #require(unit.first { $0.hasPrefix("RestartPreventExitStatus=") })
        #expect(hopeless == "RestartPreventExitStatus=64 78")
    }
}
