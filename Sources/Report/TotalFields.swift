import CastModel

/// A row of `castledger report totals`: what plays come to, of one device, app, title, hour or day.
///
/// The names and their order are stable.
public struct TotalFields: Sendable {
    /// By what it was added up: "device", "app", "title", "hour", "weekday", "day", or "all".
    public var by: String
    /// What tells it from the others; nil when not said, and for all.
    public var key: String?
    /// A name of it; nil when it has none.
    public var name: String?
    /// What it comes to.
    public var time: TimePlayed
    /// Of the seconds played, those in which the TV was in standby or on another input.
    public var inputInactiveSeconds: Double

    /// A row, part by part.
    public init(by: String, key: String?, name: String?, time: TimePlayed, inputInactiveSeconds: Double) {
        self.by = by
        self.key = key
        self.name = name
        self.time = time
        self.inputInactiveSeconds = inputInactiveSeconds
    }

    /// The names, in order.
    public static let names = [
        "by", "key", "name", "plays", "played_seconds", "paused_seconds", "ad_seconds", "input_inactive_seconds",
        "known_seconds", "observed_seconds", "coverage",
    ]

    private var values: [JSONValue?] {
        [
            .string(by), key.map(JSONValue.string), name.map(JSONValue.string), .integer(time.plays),
            .number(time.playedSeconds), .number(time.pausedSeconds), .number(time.adSeconds),
            .number(inputInactiveSeconds), time.knownSeconds.map(JSONValue.number),
            time.observedSeconds.map(JSONValue.number), time.coverage.map(JSONValue.number),
        ]
    }

    /// One JSON object, without newline; absent values are `null`.
    public var json: String {
        JSONValue.object(JSONObject(zip(Self.names, values).map { (key: $0, value: $1 ?? .null) })).text
    }

    /// The heading of a CSV file, with its CRLF.
    public static let csvHeading = CSVLine.text(names.map { $0 })

    /// One CSV line with its CRLF.
    public var csv: String { CSVLine.text(values.map { $0?.string ?? $0?.text }) }

    /// The columns of ``cells(scale:)``.
    public static func columns(by: String) -> [Table.Column] {
        [
            .init(by, limitColumns: 40), .init("plays", isNumeric: true, leavingRank: 1),
            .init("played", isNumeric: true), .init("paused", isNumeric: true, leavingRank: 2, leavesEmpty: true),
            .init("observed", isNumeric: true, leavesEmpty: true), .init("", isWhole: true, leavingRank: 3),
        ]
    }

    /// The row of a table for people, with a bar.
    ///
    /// - Parameter scale: Seconds of the longest bar.
    public func cells(scale: Double) -> [String] {
        [
            label, "\(time.plays)", Figures.stretch(time.playedSeconds),
            time.pausedSeconds >= 0.05 ? Figures.stretch(time.pausedSeconds) : "",
            time.coverage.map(TimePlayed.percent) ?? "",
            scale > 0 ? Bar.text(time.playedSeconds / scale, columns: 20) : "",
        ]
    }

    private var label: String {
        guard let key else { return "-" }
        switch by {
        case "hour": return (key.count < 2 ? "0" : "") + key + ":00"
        case "weekday":
            let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
            return Int(key).flatMap { (1...7).contains($0) ? names[$0 - 1] : nil } ?? key
        default: return name ?? key
        }
    }
}

/// A horizontal bar in eighths of a column.
enum Bar {
    /// A bar for a share, 0 through 1, of so many columns; what is above nothing is seen.
    static func text(_ share: Double, columns: Int) -> String {
        let eighths = Int((max(0, min(1, share)) * Double(columns * 8)).rounded())
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        guard eighths > 0 else { return share > 0 ? "▏" : "" }
        return String(repeating: "█", count: eighths / 8) + partial[eighths % 8]
    }
}
