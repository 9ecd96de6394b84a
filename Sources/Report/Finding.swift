import CastModel

/// What one check of `castledger doctor` found.
public struct Finding: Sendable, Equatable {
    /// How bad it is.
    public enum Level: String, Sendable, CaseIterable {
        /// As it should be.
        case ok
        /// Recording works, yet not as well as it could.
        case warn
        /// Recording cannot work like this.
        case fail
    }

    /// What was checked: one or two words, such as "open files".
    ///
    /// Stable, for programs.
    public var check: String
    /// How bad it is.
    public var level: Level
    /// What it means, as a sentence without full stop.
    public var meaning: String
    /// What to do about it; empty when nothing.
    public var advice: String

    /// A finding, part by part.
    public init(_ check: String, _ level: Level, _ meaning: String, advice: String = "") {
        self.check = check
        self.level = level
        self.meaning = meaning
        self.advice = advice
    }

    /// One line for a person: "warn  open files   1024 may be open. Raise LimitNOFILE."
    public var line: String {
        let label = PlainText.fitted(level.rawValue, columns: 4) + "  " + PlainText.fitted(check, columns: 14)
        let text =
            PlainText.neutralized(meaning) + (advice.isEmpty ? "" : meaning.hasSuffix(".") ? " " : ". ")
            + PlainText.neutralized(advice)
        return label + "  " + text
    }

    /// One JSON object, without newline.
    public var json: String {
        JSONValue.object(
            JSONObject([
                ("check", .string(check)), ("level", .string(level.rawValue)), ("meaning", .string(meaning)),
                ("advice", .string(advice)),
            ])
        ).text
    }
}
