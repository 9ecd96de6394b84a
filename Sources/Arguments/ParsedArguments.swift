/// The options of one command, checked: given, from the environment, from the settings file, or the default.
public struct ParsedArguments: Sendable, Equatable {
    private let values: [String: [Value]]
    /// The words that are no options, in the order given.
    public let operands: [String]

    init(values: [String: [Value]], operands: [String] = []) {
        self.values = values
        self.operands = operands
    }

    /// Whether a flag is set.
    public func has(_ option: Option) -> Bool { values[option.name]?.last == .flag(true) }

    /// Whether the option has a value, its default included.
    public func mentions(_ option: Option) -> Bool { values[option.name] != nil }

    /// The text of an option; nil when it was not given and has no default.
    public func text(_ option: Option) -> String? {
        guard case .text(let text) = values[option.name]?.last else { return nil }
        return text
    }

    /// All texts of a repeatable option, in the order given.
    public func texts(_ option: Option) -> [String] {
        (values[option.name] ?? []).compactMap { value in
            guard case .text(let text) = value else { return nil }
            return text
        }
    }

    /// The number of an option; nil when it was not given and has no default.
    public func integer(_ option: Option) -> Int64? {
        guard case .integer(let number) = values[option.name]?.last else { return nil }
        return number
    }

    /// The duration of an option; nil when it was not given and has no default.
    public func duration(_ option: Option) -> Duration? {
        guard case .duration(let duration) = values[option.name]?.last else { return nil }
        return duration
    }

    /// The moment of an option; nil when it was not given and has no default.
    public func moment(_ option: Option) -> Moment? {
        guard case .moment(let moment) = values[option.name]?.last else { return nil }
        return moment
    }
}
