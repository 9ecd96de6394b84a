/// One option of a command: its name, what it takes, and what help says of it.
public struct Option: Sendable, Equatable {
    /// What an option takes, and so which texts it accepts.
    public enum Form: Sendable, Equatable {
        /// Takes nothing: present or not.
        case flag
        /// Any text but the empty one.
        case text
        /// A whole number within a range.
        case integer(ClosedRange<Int64>)
        /// A stretch of time: `90s`, `5m`, `1h30m`, `7d`.
        case duration
        /// A moment: `2026-03-01`, `2026-03-01T20:15`, RFC 3339, `-2h` or `now`.
        case moment
        /// A number of bytes: `50G`, `500M`; K, M, G and T are powers of 1,024.
        case size
        /// A share in percent, from `1%` to `99%`.
        case percentage
        /// One of these words.
        case choice([String])
    }

    /// Where an option may stand besides the command line.
    public enum Setting: Sendable, Equatable {
        /// On the command line only.
        case never
        /// In the environment too; not in the settings file, which it says where to find.
        case environment
        /// In the environment and in the settings file.
        case environmentAndFile
    }

    /// The name with its dashes: "--device".
    public var name: String
    /// What stands for its value in help: "name|id"; empty for a flag.
    public var placeholder: String
    /// What it takes.
    public var form: Form
    /// One or two sentences for help, with a full stop.
    public var summary: String
    /// The text that stands when the option is not given.
    ///
    /// Help prints it and ``ParsedArguments`` uses it, so the two cannot differ.
    public var defaultText: String?
    /// Whether it may be given several times.
    public var isRepeatable: Bool
    /// Whether the command makes no sense without it.
    public var isRequired: Bool
    /// Where it may stand besides the command line.
    public var setting: Setting

    /// An option, part by part.
    public init(
        _ name: String, _ placeholder: String = "", _ form: Form, _ summary: String, defaultText: String? = nil,
        isRepeatable: Bool = false, isRequired: Bool = false, setting: Setting = .never
    ) {
        self.name = name
        self.placeholder = placeholder
        self.form = form
        self.summary = summary
        self.defaultText = defaultText
        self.isRepeatable = isRepeatable
        self.isRequired = isRequired
        self.setting = setting
    }

    /// The name without dashes, as the settings file spells it: "no-discovery".
    public var settingKey: String { String(name.drop { $0 == "-" }) }

    /// The name as the environment spells it: "CASTLEDGER_NO_DISCOVERY".
    public func environmentName(prefix: String) -> String {
        prefix + settingKey.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// Name and placeholder: "--device <name|id>".
    public var usage: String { placeholder.isEmpty ? name : "\(name) <\(placeholder)>" }

    /// The value that a text stands for; nil when the option does not take it.
    ///
    /// - Parameter now: Microseconds since 1970, for moments such as `-2h`.
    func value(of text: String, now: Int64) -> Value? {
        switch form {
        case .flag: Self.truth(of: text).map(Value.flag)
        case .text: text.isEmpty ? nil : .text(text)
        case .integer(let range): Int64(text).flatMap { range.contains($0) ? .integer($0) : nil }
        case .duration: DurationText.parse(text).map(Value.duration)
        case .moment: Moment(text, now: now).map(Value.moment)
        case .size: Self.bytes(of: text).map(Value.integer)
        case .percentage: Self.percent(of: text).map(Value.integer)
        case .choice(let words): words.contains(text) ? .text(text) : nil
        }
    }

    /// What the option takes, in words, for a mistake.
    var expectation: String {
        switch form {
        case .flag: "yes or no"
        case .text: "a text"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .duration: "a duration such as 90s, 5m, 1h30m or 7d"
        case .moment: "a time such as 2026-03-01, 2026-03-01T20:15, -2h or now"
        case .size: "a size such as 50G or 500M"
        case .percentage: "a share such as 10%, from 1% to 99%"
        case .choice(let words): words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        }
    }

    private static func bytes(of text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let shifts = ["": 0, "K": 10, "M": 20, "G": 30, "T": 40]
        guard let shift = shifts[text.dropFirst(digits.count).uppercased()], digits.count <= 18,
            let number = Int64(digits), number > 0, number <= Int64.max >> Int64(shift)
        else { return nil }
        return number << Int64(shift)
    }

    private static func percent(of text: String) -> Int64? {
        guard text.hasSuffix("%"), let number = Int64(text.dropLast()), (1...99).contains(number) else { return nil }
        return number
    }

    private static func truth(of text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "true", "1", "on": true
        case "no", "false", "0", "off": false
        default: nil
        }
    }
}

/// What an option's text stands for.
enum Value: Sendable, Equatable {
    case flag(Bool)
    case text(String)
    case integer(Int64)
    case duration(Duration)
    case moment(Moment)
}
