/// One command of the program: all that parsing and help need to know.
public struct Command: Sendable, Equatable {
    /// An exit status and when it is returned.
    public struct ExitStatus: Sendable, Equatable {
        /// 0 to 255; from 64 on as in sysexits.h.
        public var code: Int32
        /// When: "database unreachable".
        public var meaning: String
        /// An exit status.
        public init(_ code: Int32, _ meaning: String) {
            self.code = code
            self.meaning = meaning
        }
    }

    /// Words that are no options.
    public struct Operands: Sendable, Equatable {
        /// What stands for one of them in help: "file".
        public var placeholder: String
        /// One or two sentences for help, with a full stop.
        public var summary: String
        /// Whether there may be none.
        public var isOptional: Bool
        /// Words that are no options.
        public init(_ placeholder: String, _ summary: String, isOptional: Bool = false) {
            self.placeholder = placeholder
            self.summary = summary
            self.isOptional = isOptional
        }

        /// Placeholder, as help spells it: "<file>...".
        var usage: String { isOptional ? "[<\(placeholder)>...]" : "<\(placeholder)>..." }
    }

    /// One word, or two for a member of a family: "timeline", "archive list".
    public var name: String
    /// The heading in the program's help under which it stands.
    public var group: String
    /// One sentence in the imperative: what it does, and what it changes.
    public var summary: String
    /// Further sentences for the command's own help; may be empty.
    public var details: String
    /// The words that it takes besides options; nil when it takes none.
    public var operands: Operands?
    /// Its options, in the order of help.
    ///
    /// `--help` is understood by every command and not listed.
    public var options: [Option]
    /// Sets of option names, of each of which at most one may be given.
    public var exclusive: [[String]]
    /// Every status that it returns.
    public var exitStatuses: [ExitStatus]
    /// A whole command line that works.
    public var example: String

    /// A command, part by part.
    public init(
        _ name: String, group: String, summary: String, details: String = "", operands: Operands? = nil,
        options: [Option],
        exclusive: [[String]] = [], exitStatuses: [ExitStatus], example: String
    ) {
        self.name = name
        self.group = group
        self.summary = summary
        self.details = details
        self.operands = operands
        self.options = options
        self.exclusive = exclusive
        self.exitStatuses = exitStatuses
        self.example = example
    }

    /// The name, word by word.
    var words: [String] { name.split(separator: " ").map(String.init) }
}

/// What a whole command line asks for.
public enum Invocation: Sendable, Equatable {
    /// Run this command.
    case run(Command, ParsedArguments)
    /// Print this help page.
    case help(String)
    /// Print the version.
    case version
}
