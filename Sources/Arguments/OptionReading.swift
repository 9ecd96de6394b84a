/// Reads one command's options from the command line, the environment and the settings file, and gathers every
/// mistake on the way.
struct OptionReading {
    private let command: Command
    private let now: Int64
    private var values: [String: [Value]] = [:]
    private var operands: [String] = []
    private var mistakes: [UsageError.Mistake] = []

    init(command: Command, now: Int64) {
        self.command = command
        self.now = now
    }

    /// Takes the words after the command's name.
    mutating func read(words: [String]) {
        var index = 0
        var onlyWords = false
        while index < words.count {
            let word = words[index]
            index += 1
            if word == "--" && !onlyWords {
                onlyWords = true
                continue
            }
            guard !onlyWords, word.hasPrefix("-"), word.count > 1 else {
                if command.operands == nil { mistakes.append(.unexpectedWord(word)) }
                operands.append(word)
                continue
            }
            let name = String(word.prefix { $0 != "=" })
            let attached = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
            guard let option = command.options.first(where: { $0.name == name }) else {
                let names = command.options.map(\.name) + ["--help"]
                mistakes.append(.unknownOption(name, suggestion: Suggestion.nearest(to: name, among: names)))
                // What follows an unknown option may be its value: blaming it too would be noise.
                if attached == nil, index < words.count, !words[index].hasPrefix("--") { index += 1 }
                continue
            }
            if option.form == .flag {
                takeFlag(option, attached: attached)
            } else if let attached {
                take(option, text: attached)
            } else if index < words.count, !words[index].hasPrefix("--") {
                take(option, text: words[index])
                index += 1
            } else {
                mistakes.append(.missingValue(option))
                noteMention(of: option)
            }
        }
    }

    /// Takes variables such as CASTLEDGER_DATABASE, for settings that the command line leaves open.
    ///
    /// A repeatable option's values are separated by commas or blanks. An empty variable counts as not set.
    mutating func read(environment: [String: String], prefix: String) {
        for option in command.options where option.setting != .never && values[option.name] == nil {
            let name = option.environmentName(prefix: prefix)
            guard let text = environment[name], !text.isEmpty else { continue }
            let texts =
                option.isRepeatable ? text.split { $0 == "," || $0.isWhitespace }.map(String.init) : [text]
            for text in texts { take(option, text: text, origin: .environment(name)) }
        }
    }

    /// Takes the settings that both the command line and the environment leave open.
    ///
    /// - Parameter known: The keys that any command has. Others are mistakes, since they would silently do nothing.
    mutating func read(settings: SettingsFile, known: [String]) {
        mistakes += settings.malformedLines.map { .malformedSetting(line: $0, file: settings.path) }
        let decided = Set(values.keys)
        for entry in settings.entries {
            guard known.contains(entry.key) else {
                mistakes.append(
                    .unknownSetting(
                        entry.key, line: entry.line, file: settings.path,
                        suggestion: Suggestion.nearest(to: entry.key, among: known)))
                continue
            }
            guard
                let option = command.options.first(where: {
                    $0.setting == .environmentAndFile && $0.settingKey == entry.key
                }),
                !decided.contains(option.name)
            else { continue }
            take(option, text: entry.value, origin: .file(path: settings.path, line: entry.line))
        }
    }

    /// Fills in defaults and returns the result, or throws all mistakes.
    mutating func finish() throws(UsageError) -> ParsedArguments {
        for names in command.exclusive {
            let given = names.filter { values[$0] != nil }
            if given.count > 1 { mistakes.append(.exclusiveOptions(given)) }
        }
        for option in command.options where values[option.name] == nil {
            if option.isRequired { mistakes.append(.missingOption(option)) }
            guard let text = option.defaultText else { continue }
            guard let value = option.value(of: text, now: now) else {
                preconditionFailure("default '\(text)' of \(option.name) is no value for it")
            }
            values[option.name] = [value]
        }
        if let wanted = command.operands, operands.isEmpty, !wanted.isOptional {
            mistakes.append(.missingOperand(wanted.placeholder))
        }
        guard mistakes.isEmpty else { throw UsageError(command: command.name, mistakes: mistakes) }
        return ParsedArguments(values: values, operands: operands)
    }

    private mutating func takeFlag(_ option: Option, attached: String?) {
        if let attached { mistakes.append(.unexpectedValue(option, text: attached)) }
        values[option.name] = [.flag(true)]
    }

    /// Keeps a bad value from also being reported as a missing one.
    private mutating func noteMention(of option: Option) { values[option.name, default: []] += [] }

    private mutating func take(_ option: Option, text: String, origin: UsageError.Origin = .commandLine) {
        let isFirst = values[option.name] == nil
        if !isFirst && !option.isRepeatable { mistakes.append(.repeatedOption(option)) }
        guard let value = option.value(of: text, now: now) else {
            mistakes.append(.invalidValue(option, text: text, origin: origin))
            noteMention(of: option)
            return
        }
        values[option.name, default: []].append(value)
    }
}
