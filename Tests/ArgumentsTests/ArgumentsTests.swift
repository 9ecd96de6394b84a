import Arguments
import Testing

/// 2026-03-01T12:00:00Z, by `date -u -d 2026-03-01T12:00:00Z +%s`.
let noon: Int64 = 1_772_366_400_000_000

/// What a line of castledger asks for.
func invocation(
    _ words: String..., environment: [String: String] = [:], settings: SettingsFile = .empty
) throws -> Invocation {
    try Program.castledger.parse(
        words, in: Program.Surroundings(environment: environment, settings: settings, now: noon))
}

/// The options that a line of castledger gives to its command.
func arguments(
    _ words: String..., environment: [String: String] = [:], settings: SettingsFile = .empty
) throws -> ParsedArguments {
    let invocation = try Program.castledger.parse(
        words, in: Program.Surroundings(environment: environment, settings: settings, now: noon))
    guard case .run(_, let arguments) = invocation else { throw NoArguments() }
    return arguments
}

/// The page that a line of castledger prints.
func helpPage(_ words: String...) throws -> String {
    let invocation = try Program.castledger.parse(
        words, in: Program.Surroundings(environment: [:], settings: .empty, now: noon))
    guard case .help(let page) = invocation else { throw NoArguments() }
    return page
}

/// The lines printed for a mistaken line of castledger.
func mistakes(
    _ words: String..., environment: [String: String] = [:], settings: SettingsFile = .empty
) -> [String] {
    do {
        _ = try Program.castledger.parse(
            words, in: Program.Surroundings(environment: environment, settings: settings, now: noon))
        return []
    } catch {
        return error.lines(program: "castledger")
    }
}

private struct NoArguments: Error {}

@Suite("A command line") struct CommandLineTests {
    @Test func `takes a value after a blank or after an equals sign`() throws {
        #expect(try arguments("timeline", "--device", "Living Room").text(.deviceSought) == "Living Room")
        #expect(try arguments("timeline", "--device=Living Room").text(.deviceSought) == "Living Room")
        #expect(try arguments("timeline", "--device=a=b").text(.deviceSought) == "a=b")
    }

    @Test func `takes words besides options where the command reads files, in any place`() throws {
        let given = try arguments("explain", "one", "--json", "-", "two", "--", "--three")
        #expect(given.operands == ["one", "-", "two", "--three"])
        #expect(given.has(.json))
        #expect(
            mistakes("explain", "--json") == [
                "castledger explain: say which file: none was given.", "'castledger explain --help' explains it.",
            ])
    }

    @Test func `takes a value that begins with one dash, since times may`() throws {
        #expect(try arguments("timeline", "--from", "-2h").moment(.from)?.microseconds == noon - 7_200_000_000)
    }

    @Test func `keeps repeated options in their order`() throws {
        let parsed = try arguments("record", "--device", "192.0.2.1", "--device=192.0.2.2:9000")
        #expect(parsed.texts(.deviceAddress) == ["192.0.2.1", "192.0.2.2:9000"])
    }

    @Test func `fills in the defaults that help shows`() throws {
        let parsed = try arguments("timeline")
        #expect(parsed.moment(.from) == Moment(microseconds: noon - 86_400_000_000, isWithoutZone: false))
        #expect(parsed.moment(.to) == Moment(microseconds: noon, isWithoutZone: false))
        #expect(parsed.text(.deviceSought) == nil)
        #expect(!parsed.has(.json))
        #expect(try arguments("fleet").integer(.fleetDevices) == 3)
        #expect(try arguments("record").text(.attach) == "invisible")
    }

    @Test func `names a command of two words`() throws {
        guard case .run(let command, _) = try invocation("archive", "list", "--json") else {
            Issue.record("no command")
            return
        }
        #expect(command == .archiveList)
    }

    @Test(arguments: [["--help"], ["-h"], ["help"], []])
    func `without a command, or with --help, asks for the program's page`(words: [String]) throws {
        let surroundings = Program.Surroundings(environment: [:], settings: .empty, now: noon)
        let invocation = try Program.castledger.parse(words, in: surroundings)
        #expect(invocation == .help(HelpPage.program(.castledger)))
    }

    @Test func `asks for help even when the rest is wrong`() throws {
        let page = HelpPage.command(.timeline, of: .castledger)
        #expect(try helpPage("timeline", "--devcie", "x", "--help") == page)
        #expect(try helpPage("help", "timeline") == page)
    }

    @Test func `asks for the version`() throws {
        #expect(try invocation("--version") == .version)
    }

    @Test func `every command and option of the table is well formed`() {
        for command in Program.castledger.commands {
            #expect(command.summary.hasSuffix("."), "\(command.name)")
            #expect(command.example.hasPrefix("castledger \(command.name)"), "\(command.name)")
            #expect(command.exitStatuses.contains(.usage), "\(command.name)")
            #expect(Set(command.options.map(\.name)).count == command.options.count, "\(command.name)")
            for option in command.options {
                #expect(option.name.hasPrefix("--") && option.summary.hasSuffix("."), "\(option.name)")
                #expect((option.form == .flag) == option.placeholder.isEmpty, "\(option.name)")
            }
        }
    }

    @Test func `the examples in help are lines that parse`() throws {
        for command in Program.castledger.commands {
            var words: [String] = []
            for (index, part) in command.example.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
                words += index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
            }
            let surroundings = Program.Surroundings(environment: [:], settings: .empty, now: noon)
            let invocation = try Program.castledger.parse(Array(words.dropFirst()), in: surroundings)
            guard case .run(command, _) = invocation else {
                Issue.record("\(command.example)")
                continue
            }
        }
    }
}
