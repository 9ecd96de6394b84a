/// Everything that is wrong with one command line, all at once.
public struct UsageError: Error, Sendable, Equatable {
    /// Where a value stands.
    public enum Origin: Sendable, Equatable {
        /// On the command line.
        case commandLine
        /// In the environment variable of this name.
        case environment(String)
        /// In the settings file.
        case file(path: String, line: Int)
    }

    /// One mistake.
    public enum Mistake: Sendable, Equatable {
        /// There is no such command.
        case unknownCommand(String, suggestion: String?)
        /// The first word of a family of commands without the second.
        case incompleteCommand(String, members: [String])
        /// The command has no such option.
        case unknownOption(String, suggestion: String?)
        /// An option that takes a value, without one.
        case missingValue(Option)
        /// A flag with `=value`.
        case unexpectedValue(Option, text: String)
        /// A value that the option does not take.
        case invalidValue(Option, text: String, origin: Origin)
        /// An option given twice that makes sense once.
        case repeatedOption(Option)
        /// An option that the command needs.
        case missingOption(Option)
        /// None of the words that the command needs, such as a file.
        case missingOperand(String)
        /// Options of which at most one makes sense.
        case exclusiveOptions([String])
        /// A word that belongs to no option.
        case unexpectedWord(String)
        /// A line of the settings file that is no `key = value`.
        case malformedSetting(line: Int, file: String)
        /// A key of the settings file that no command knows.
        case unknownSetting(String, line: Int, file: String, suggestion: String?)
    }

    /// The command at fault; nil when it is the program's own line.
    public var command: String?
    /// All mistakes, in the order of the command line.
    public var mistakes: [Mistake]

    /// Whether every mistake is one of the settings file, so that the command line itself is in order.
    public var isOfSettings: Bool {
        mistakes.allSatisfy { mistake in
            switch mistake {
            case .malformedSetting, .unknownSetting: true
            case .invalidValue(_, _, .file): true
            default: false
            }
        }
    }

    /// One line per mistake, each beginning with the program's name.
    public func lines(program: String) -> [String] {
        let who = command.map { "\(program) \($0)" } ?? program
        return mistakes.map { "\(who): \($0)" }
            + ["'\(who) --help' explains \(command == nil ? "the commands" : "it")."]
    }
}

extension UsageError: CustomStringConvertible {
    /// All mistakes in one line, for a place that says by itself whose they are.
    public var description: String { mistakes.map(\.description).joined(separator: " ") }
}

extension UsageError.Mistake: CustomStringConvertible {
    /// What is wrong, and what may have been meant.
    public var description: String {
        switch self {
        case .unknownCommand(let name, let suggestion):
            "unknown command '\(name)'.\(Self.hint(suggestion))"
        case .incompleteCommand(let name, let members):
            "'\(name)' is a family of commands. Say which: \(members.joined(separator: ", "))."
        case .unknownOption(let name, let suggestion):
            "unknown option '\(name)'.\(Self.hint(suggestion))"
        case .missingValue(let option):
            "option '\(option.name)' needs a value: \(option.expectation)."
        case .unexpectedValue(let option, let text):
            "option '\(option.name)' takes no value, yet '\(text)' was given."
        case .invalidValue(let option, let text, let origin):
            "'\(text)' is no value for \(Self.place(option, origin)). Expected \(option.expectation)."
        case .repeatedOption(let option):
            "option '\(option.name)' was given twice; once is enough."
        case .missingOption(let option):
            "option '\(option.usage)' is needed."
        case .missingOperand(let placeholder):
            "say which \(placeholder): none was given."
        case .exclusiveOptions(let names):
            "options \(names.map { "'\($0)'" }.joined(separator: " and ")) exclude each other."
        case .unexpectedWord(let word):
            "unexpected word '\(word)'. Options begin with two dashes; quote names that contain blanks."
        case .malformedSetting(let line, let file):
            "\(file), line \(line): expected 'key = value', or a comment that begins with '#'."
        case .unknownSetting(let key, let line, let file, let suggestion):
            "\(file), line \(line): unknown setting '\(key)'.\(Self.hint(suggestion))"
        }
    }

    private static func place(_ option: Option, _ origin: UsageError.Origin) -> String {
        switch origin {
        case .commandLine: "option '\(option.name)'"
        case .environment(let name): "the environment variable \(name)"
        case .file(let path, let line): "'\(option.settingKey)' in \(path), line \(line)"
        }
    }

    private static func hint(_ suggestion: String?) -> String {
        suggestion.map { " Did you mean '\($0)'?" } ?? ""
    }
}
