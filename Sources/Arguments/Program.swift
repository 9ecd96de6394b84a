/// The whole command line of a program: its commands, and how words become an invocation.
public struct Program: Sendable {
    /// The program's name, as typed: "castledger".
    public var name: String
    /// What it is for: half a sentence without full stop.
    public var summary: String
    /// Its commands, in the order of help; those of one group stand together.
    public var commands: [Command]
    /// What the names of its environment variables begin with: "CASTLEDGER_".
    public var environmentPrefix: String

    /// A program, part by part.
    public init(name: String, summary: String, commands: [Command], environmentPrefix: String) {
        self.name = name
        self.summary = summary
        self.commands = commands
        self.environmentPrefix = environmentPrefix
    }

    /// Where options come from besides the command line, in falling order of weight, and what time it is.
    public struct Surroundings: Sendable {
        /// Environment variables by name.
        ///
        /// Names that no option has are not looked at, since others (a container platform, say) set variables with any
        /// prefix they like.
        public var environment: [String: String]
        /// The settings file.
        public var settings: SettingsFile
        /// The present, in microseconds since 1970.
        public var now: Int64
        /// Surroundings, part by part.
        public init(environment: [String: String], settings: SettingsFile, now: Int64) {
            self.environment = environment
            self.settings = settings
            self.now = now
        }
    }

    /// What the words after the program's name ask for.
    ///
    /// - Throws: All mistakes of the command line at once.
    public func parse(_ words: [String], in surroundings: Surroundings) throws(UsageError) -> Invocation {
        guard let first = words.first, first != "--help", first != "-h", first != "help" || words.count > 1 else {
            return .help(HelpPage.program(self))
        }
        if first == "--version" { return .version }
        if first == "help" { return try parse(Array(words.dropFirst()) + ["--help"], in: surroundings) }
        guard let command = command(matching: words) else {
            return try explainUnknownCommand(words)
        }
        let rest = Array(words.dropFirst(command.words.count))
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            return .help(HelpPage.command(command, of: self))
        }
        var reading = OptionReading(command: command, now: surroundings.now)
        reading.read(words: rest)
        reading.read(environment: surroundings.environment, prefix: environmentPrefix)
        reading.read(settings: surroundings.settings, known: settingKeys)
        return .run(command, try reading.finish())
    }

    /// The keys that a settings file may hold, whichever command reads it.
    public var settingKeys: [String] {
        var keys: [String] = []
        for option in commands.flatMap(\.options)
        where option.setting == .environmentAndFile && !keys.contains(option.settingKey) {
            keys.append(option.settingKey)
        }
        return keys
    }

    /// The command that the words begin with; of "doctor" and "doctor cors" the longer one.
    private func command(matching words: [String]) -> Command? {
        commands.filter { $0.words.count <= words.count && Array(words.prefix($0.words.count)) == $0.words }
            .max { $0.words.count < $1.words.count }
    }

    private func explainUnknownCommand(_ words: [String]) throws(UsageError) -> Invocation {
        let family = commands.filter { $0.words.count > 1 && $0.words[0] == words[0] }
        guard family.isEmpty else {
            let second = words.dropFirst().first
            if second == "--help" || second == "-h" { return .help(HelpPage.family(words[0], family, of: self)) }
            let members = family.compactMap { $0.words.dropFirst().first }
            guard let second, !second.hasPrefix("-") else {
                throw UsageError(command: nil, mistakes: [.incompleteCommand(words[0], members: members)])
            }
            let suggestion = Suggestion.nearest(to: second, among: members).map { "\(words[0]) \($0)" }
            throw UsageError(
                command: nil, mistakes: [.unknownCommand("\(words[0]) \(second)", suggestion: suggestion)])
        }
        let names = commands.map(\.name) + commands.compactMap(\.words.first)
        let mistake: UsageError.Mistake =
            words[0].hasPrefix("-")
            ? .unknownOption(
                words[0], suggestion: Suggestion.nearest(to: words[0], among: ["--help", "--version"]))
            : .unknownCommand(words[0], suggestion: Suggestion.nearest(to: words[0], among: names))
        throw UsageError(command: nil, mistakes: [mistake])
    }
}
