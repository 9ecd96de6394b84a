public import CastModel
public import Differ
import Recording

/// Change events as a story that a person can read, one line each, oldest first.
///
/// A line has the time of day, the device, what happened in one clause, and in brackets who caused it. A heading begins
/// every day. Give the events in order.
public struct Timeline: Sendable {
    /// How the story is told.
    public struct Style: Sendable {
        /// The zone of all times.
        public var zone: Zone
        /// The columns of the device's name; nil leaves the name out, for the story of one device.
        public var deviceColumns: Int?
        /// Whether gaps, causes and repetitions are set off by color (ANSI escapes).
        public var isColored: Bool
        /// Names for apps whose device said none.
        public var apps: AppRegistry
        /// A style.
        public init(
            zone: Zone = .utc, deviceColumns: Int? = 24, isColored: Bool = false, apps: AppRegistry = .builtIn
        ) {
            self.zone = zone
            self.deviceColumns = deviceColumns
            self.isColored = isColored
            self.apps = apps
        }
    }

    private let style: Style
    private var lastDay = ""

    /// An empty story.
    public init(style: Style = Style()) { self.style = style }

    /// The lines for the next event: its own, after a heading when its day is a new one.
    public mutating func lines(for event: ChangeEvent, deviceName: String?) -> [String] {
        let day = style.zone.day(event.observedAt)
        let heading = day == lastDay ? [] : [colored("\(day) \(style.zone.name)", .bold)]
        lastDay = day
        var line = style.zone.timeOfDay(event.observedAt) + "  "
        if let columns = style.deviceColumns {
            let name = PlainText.neutralized(deviceName ?? event.deviceID.text)
            line += PlainText.fitted(name, columns: columns) + "  "
        }
        return heading + [line + Self.sentence(for: event, apps: style.apps, colored: colored)]
    }

    /// What happened and who caused it, without time and device: "paused at 1:02:03 [sender request 41]".
    public static func sentence(for event: ChangeEvent, apps: AppRegistry = .builtIn) -> String {
        sentence(for: event, apps: apps) { text, _ in text }
    }

    private static func sentence(
        for event: ChangeEvent, apps: AppRegistry, colored: (String, Color) -> String
    ) -> String {
        let wording = Wording(event: event, apps: apps)
        let clause = PlainText.neutralized(wording.clause, limitCharacters: clauseLimitCharacters)
        var notes = wording.cause.map { [$0] } ?? []
        if !event.effective { notes.append("no change") }
        let cause = notes.isEmpty ? "" : " " + colored("[\(notes.joined(separator: ", "))]", .dim)
        switch event.kind {
        case .gapStarted, .gapEnded, .linkClosed: return colored(clause, .yellow) + cause
        case .mediaError, .malformedPayload: return colored(clause, .red) + cause
        default: return (event.effective ? clause : colored(clause, .dim)) + cause
        }
    }

    /// Longer clauses are cut; single names and titles are cut earlier.
    private static let clauseLimitCharacters = 600

    /// The few colors used, as their ANSI codes.
    private enum Color: Int { case bold = 1, dim = 2, red = 31, yellow = 33 }

    private func colored(_ text: String, _ color: Color) -> String {
        style.isColored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}
