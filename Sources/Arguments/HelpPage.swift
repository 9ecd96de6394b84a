/// Renders help from the tables of commands, so that help cannot say what the program does not do.
public enum HelpPage {
    /// Lines are broken before this column.
    static let widthColumns = 100

    /// The program's help: every command under its group.
    public static func program(_ program: Program) -> String {
        var page = "\(program.name): \(program.summary)\n\nUsage: \(program.name) <command> [options]\n"
        let nameColumns = (program.commands.map(\.name.count).max() ?? 0) + 2
        var group = ""
        for command in program.commands {
            if command.group != group {
                group = command.group
                page += "\n\(group)\n"
            }
            page += row(command.name, command.summary, leftColumns: nameColumns)
        }
        return page + "\n'\(program.name) <command> --help' explains one command, with an example.\n"
    }

    /// One command's help: usage, what it does, options with their defaults, exit statuses, an example.
    public static func command(_ command: Command, of program: Program) -> String {
        let operands = command.operands.map { [$0.usage] } ?? []
        let words = ["Usage:", program.name] + command.words + operands + command.options.map(bracketed)
        var page = wrapped(words, indentation: 7) + "\n"
        for paragraph in [command.summary, command.details] where !paragraph.isEmpty {
            page += wrapped(sentenceWords(paragraph), indentation: 0) + "\n"
        }
        let optionColumns = ((operands + command.options.map(\.usage)).map(\.count).max() ?? 0) + 3
        if let operands = command.operands { page += row(operands.usage, operands.summary, leftColumns: optionColumns) }
        for option in command.options {
            var text = option.summary
            if let defaultText = option.defaultText { text += " Default: \(defaultText)." }
            page += row(option.usage, text, leftColumns: optionColumns)
        }
        if !command.options.isEmpty { page += "\n" }
        let last = command.exitStatuses.count - 1
        let statuses = command.exitStatuses.enumerated().map { index, status in
            "\(status.code) \(status.meaning)\(index == last ? "." : ",")"
        }
        page += wrapped(["Exit status:"] + statuses, indentation: 2)
        return page + "Example: \(command.example)\n"
    }

    /// The help of a family such as "archive": its members.
    static func family(_ name: String, _ members: [Command], of program: Program) -> String {
        var page = "Usage: \(program.name) \(name) <command> [options]\n\n"
        let nameColumns = (members.map(\.name.count).max() ?? 0) + 2
        for command in members { page += row(command.name, command.summary, leftColumns: nameColumns) }
        return page + "\n'\(program.name) \(name) <command> --help' explains one command, with an example.\n"
    }

    private static func bracketed(_ option: Option) -> String {
        let usage = option.usage + (option.isRepeatable ? "..." : "")
        return option.isRequired ? usage : "[\(usage)]"
    }

    /// A left column and a text that is broken into further lines under itself.
    private static func row(_ left: String, _ text: String, leftColumns: Int) -> String {
        let padded = "  " + left + String(repeating: " ", count: max(2, leftColumns - left.count))
        return wrapped([padded] + sentenceWords(text), indentation: leftColumns + 2)
    }

    private static func sentenceWords(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// Joins words with blanks into lines; lines after the first are indented.
    ///
    /// A word that ends in a blank needs none after it.
    private static func wrapped(_ words: [String], indentation: Int) -> String {
        var lines: [String] = []
        var line = ""
        for word in words {
            let separator = line.isEmpty || line.hasSuffix(" ") ? "" : " "
            if !line.isEmpty, line.count + separator.count + word.count > widthColumns {
                lines.append(line)
                line = String(repeating: " ", count: indentation) + word
            } else {
                line += separator + word
            }
        }
        lines.append(line)
        return lines.joined(separator: "\n") + "\n"
    }
}
