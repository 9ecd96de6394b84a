/// Durations as a person types them: `90s`, `5m`, `2h`, `7d`, or several units from large to small, `1h30m`.
public enum DurationText {
    private static let units: [(letter: Character, seconds: Int64)] = [
        ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
    ]

    /// The duration that a text means; nil when it means none, or more than 100,000 days.
    public static func parse(_ text: String) -> Duration? { microseconds(text).map { .microseconds($0) } }

    /// The same, in microseconds.
    static func microseconds(_ text: String) -> Int64? {
        var rest = Substring(text)
        var seconds: Int64 = 0
        var unitsLeft = units[...]
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            guard digits.count <= 10, let number = Int64(digits), let letter = rest.first,
                let unit = unitsLeft.firstIndex(where: { $0.letter == letter })
            else { return nil }
            rest = rest.dropFirst()
            seconds += number * units[unit].seconds
            unitsLeft = unitsLeft[(unit + 1)...]
        }
        guard seconds <= 100_000 * 86_400 else { return nil }
        return seconds * 1_000_000
    }
}
