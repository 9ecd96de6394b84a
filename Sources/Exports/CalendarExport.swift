import CastModel
import Differ
import Plays
import Recording
import Report

/// An iCalendar (RFC 5545): one VEVENT per play, with the device as its place.
///
/// All that stands in it comes from the ledger, so that the same plays give the same file: DTSTAMP is the last moment
/// that the play was counted up to, and UID its name for ever. A calendar that reads the file again has each play once.
public struct CalendarExport: ExportWriter {
    /// How long a line may be, in bytes, without its line break (RFC 5545, section 3.1).
    private static let lineLimitBytes = 75

    private var apps = AppRegistry.builtIn

    /// An empty calendar.
    public init() {}

    /// The properties of the calendar.
    public mutating func begin(_ heading: ExportHeading) -> String {
        apps = heading.apps
        return Self.lines([
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//CastLedger//\(Self.escaped(heading.program))//EN",
            "CALSCALE:GREGORIAN", "METHOD:PUBLISH", "NAME:\(Self.name)", "X-WR-CALNAME:\(Self.name)",
        ])
    }

    private static let name = "What was played"

    /// A VEVENT for a play.
    public mutating func add(_ row: ExportRow) -> String {
        guard case .play(let fields) = row else { return "" }
        let play = fields.play
        let wording = PlayWording(fields: fields, apps: apps)
        let lastMoment = play.endedAt ?? play.countedAt
        let start = Self.utc(play.startedAt)
        let end = Self.utc(max(lastMoment, play.startedAt))
        let stamp = Self.utc(max(play.countedAt, lastMoment))
        var lines = [
            "BEGIN:VEVENT", "UID:\(Self.uid(fields))", "DTSTAMP:\(stamp)", "DTSTART:\(start)",
        ]
        // DTEND must be later than DTSTART; without it the two are the same moment.
        if end != start { lines.append("DTEND:\(end)") }
        lines.append("SUMMARY:\(Self.escaped(wording.headline))")
        lines.append("LOCATION:\(Self.escaped(wording.device))")
        lines.append("DESCRIPTION:\(wording.facts.map(Self.escaped).joined(separator: "\\n"))")
        if let app = wording.app { lines.append("CATEGORIES:\(Self.escaped(app))") }
        lines += ["STATUS:CONFIRMED", "TRANSP:TRANSPARENT", "END:VEVENT"]
        return Self.lines(lines)
    }

    /// The end of the calendar.
    public mutating func end() -> String { Self.lines(["END:VCALENDAR"]) }

    /// The name of the play, of letters, digits and dashes before the sign.
    private static func uid(_ fields: PlayFields) -> String {
        escaped("\(fields.play.id.position.number)-\(fields.play.id.ordinal)@\(fields.recorderID).castledger")
    }

    /// "20260301T201504Z": whole seconds, rounded down.
    static func utc(_ time: WallTime) -> String {
        String(time.text.prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
    }

    /// A TEXT value (RFC 5545, section 3.3.11): backslash, semicolon, comma and line breaks escaped.
    ///
    /// Other control characters are not allowed; U+FFFD takes their place. The line breaks of Unicode count as such,
    /// since readers split lines at them.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A where last == "\r": break
            case 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029: escaped.append(contentsOf: "\\n".unicodeScalars)
            case 0x09: escaped.append(scalar)
            case 0..<0x20, 0x7F..<0xA0: escaped.append("\u{FFFD}")
            case 0x2C, 0x3B, 0x5C:
                escaped.append("\\")
                escaped.append(scalar)
            default: escaped.append(scalar)
            }
            last = scalar
        }
        return String(escaped)
    }

    /// Content lines, folded, each with its CRLF.
    static func lines(_ lines: [String]) -> String {
        var text = ""
        for line in lines {
            var bytes = 0
            for scalar in line.unicodeScalars {
                let width = UTF8.width(scalar)
                if bytes + width > lineLimitBytes {
                    text += "\r\n "
                    // The blank counts.
                    bytes = 1
                }
                text.unicodeScalars.append(scalar)
                bytes += width
            }
            text += "\r\n"
        }
        return text
    }
}
