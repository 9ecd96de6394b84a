import CastModel
import Plays
public import Recording
import Report

/// A report to look at and to print: one page without scripts, that fetches nothing.
///
/// Sums come first; then, day by day, a timeline as SVG with a lane per device, the conflicts, and a table of plays.
/// Of each day give first `day`, then its lanes, conflicts and plays. One day's are in memory at a time.
public struct HTMLExport: ExportWriter {
    private let totals: ExportTotals
    private var heading = ExportHeading.unknown
    private var day: HTMLDay?

    /// A report with these sums.
    public init(totals: ExportTotals) { self.totals = totals }

    /// A period that is drawn as one, although it may touch two days.
    static let oneSectionSeconds = 36.0 * 3600

    /// The sections of a report over a period: itself, when it is short, else its days.
    public static func sections(of heading: ExportHeading) -> [(from: WallTime, to: WallTime)] {
        guard heading.from < heading.to else { return [] }
        guard heading.to.seconds(since: heading.from) > oneSectionSeconds else { return [(heading.from, heading.to)] }
        return ZoneDays.days(from: heading.from, to: heading.to, zone: heading.zone)
    }

    /// The top of the page, with the sums.
    public mutating func begin(_ heading: ExportHeading) -> String {
        self.heading = heading
        return Self.head(title: "What was played", heading) + """
            \(tiles)\(deviceTable)\(appTable)\(HTMLChart.legend)
            """
    }

    /// What a row adds.
    public mutating func add(_ row: ExportRow) -> String {
        switch row {
        case .day(let from, let to):
            let written = day?.html ?? ""
            day = HTMLDay(from: from, to: to, heading: heading)
            return written
        case .lane(let span):
            day?.spans[span.deviceID, default: []].append(span)
            return ""
        case .conflict(let mark):
            day?.conflicts.append(mark)
            return ""
        case .play(let fields):
            day?.plays.append(fields)
            return ""
        case .device, .event, .gap, .observation, .conflictFields: return ""
        }
    }

    /// The last day, and the bottom of the page.
    public mutating func end() -> String {
        let written = day?.html ?? ""
        day = nil
        return written + Self.foot(heading)
    }

    /// The top of a page, up to its period.
    static func head(title: String, _ heading: ExportHeading) -> String {
        let period =
            "\(HTMLText.minute(heading.from, heading.zone)) to \(HTMLText.minute(heading.to, heading.zone)), "
            + heading.zone.name
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-\(HTMLStyle.hash)'; \
            base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <meta name="robots" content="noindex">
            <title>\(title), \(HTMLText.escaped(period))</title>
            <style>\(HTMLStyle.text)</style>
            </head>
            <body>
            <svg class="hidden" aria-hidden="true"><defs><pattern id="hatch" width="6" height="6" \
            patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M1 0V6"/></pattern></defs></svg>
            <main>
            <h1>\(title)</h1>
            <p class="soft">\(HTMLText.escaped(period))</p>

            """
    }

    /// The bottom of a page.
    static func foot(_ heading: ExportHeading) -> String {
        """
        <footer>Written by \(HTMLText.escaped(heading.program)) from what Cast devices reported. It tells what \
        apps said they play, not what was on a screen. Shares observed are rounded down.</footer>
        </main>
        </body>
        </html>

        """
    }

    private var tiles: String {
        var tiles: [(String, String)] = [
            (String(heading.devices.count), heading.devices.count == 1 ? "device" : "devices"),
            (String(totals.all.plays), totals.all.plays == 1 ? "play" : "plays"),
            (Self.played(totals.all), "played"),
            (totals.all.observedShare.map(PlayWording.share) ?? "nothing", "of the known time observed"),
        ]
        if totals.all.conflicts > 0 {
            tiles.append((String(totals.all.conflicts), totals.all.conflicts == 1 ? "conflict" : "conflicts"))
        }
        return "<div class=\"tiles\">\n"
            + tiles.map { "<div class=\"tile\"><b>\($0)</b><span>\($1)</span></div>\n" }.joined() + "</div>\n"
    }

    private var deviceTable: String {
        let rows = heading.devices.map { device -> String in
            let line = totals.devices[device.deviceID] ?? .init()
            return HTMLText.row([
                (HTMLText.isolated(device.label), false), (String(line.plays), true), (Self.played(line), true),
                (line.observedShare.map(PlayWording.share) ?? "not known", true), (String(line.conflicts), true),
            ])
        }
        return Self.table(
            "By device",
            [("Device", false), ("Plays", true), ("Played", true), ("Observed", true), ("Conflicts", true)], rows)
    }

    private var appTable: String {
        let lines = totals.apps.sorted { ($1.value.playedSeconds, $0.key) < ($0.value.playedSeconds, $1.key) }
        let rows = lines.prefix(20).map { name, line in
            HTMLText.row([
                (HTMLText.isolated(name), false), (String(line.plays), true),
                (Figures.stretch(line.playedSeconds), true),
            ])
        }
        return Self.table("By app", [("App", false), ("Plays", true), ("Played", true)], rows)
    }

    /// A total says "at least" where something may have been missed.
    private static func played(_ line: ExportTotals.Line) -> String {
        let least = (line.observedShare ?? 0) < 1 ? "at least " : ""
        return least + Figures.stretch(line.playedSeconds)
    }

    private static func table(_ title: String, _ columns: [(String, Bool)], _ rows: [String]) -> String {
        guard !rows.isEmpty else { return "" }
        let head = HTMLText.row(columns.map { (html: $0.0, isNumber: $0.1) }, "th")
        return "<h2>\(title)</h2>\n<div class=\"card\"><table>\n<thead>\(head)</thead>\n<tbody>\n\(rows.joined())"
            + "</tbody></table></div>\n"
    }
}

/// One day of a report, or a short period as a whole.
struct HTMLDay {
    let from: WallTime
    let to: WallTime
    let heading: ExportHeading
    var spans: [DeviceID: [LaneSpan]] = [:]
    var conflicts: [ConflictMark] = []
    var plays: [PlayFields] = []

    init(from: WallTime, to: WallTime, heading: ExportHeading) {
        self.from = from
        self.to = to
        self.heading = heading
    }

    private var title: String {
        let zone = heading.zone
        if zone.day(from) == zone.day(WallTime(microseconds: to.microseconds - 1)) {
            let day = "\(ZoneDays.weekday(from, zone: zone)), \(zone.day(from))"
            let times = [from, to].map { String(zone.timeOfDay($0).prefix(5)) }
            return times == ["00:00", "00:00"] ? day : "\(day), \(times[0]) to \(times[1])"
        }
        return "\(HTMLText.minute(from, zone)) to \(HTMLText.minute(to, zone))"
    }

    /// The section.
    var html: String {
        let head = "<section>\n<h2>\(title)</h2>\n"
        guard !spans.isEmpty || !plays.isEmpty || !conflicts.isEmpty else {
            return head + "<p class=\"soft\">Nothing is known of this time.</p>\n</section>\n"
        }
        let chart = HTMLChart(from: from, to: to, asked: (heading.from, heading.to), zone: heading.zone)
        let shown = heading.devices.filter { spans[$0.deviceID] != nil }
        let drawing = chart.svg(
            shown, spans: spans, conflicts: Dictionary(grouping: conflicts, by: \.deviceID),
            label: "Timeline of \(title), a lane per device; the tables below have the plays")
        return head + "<div class=\"card\">\n\(drawing)\(conflictList)</div>\n\(playTable)</section>\n"
    }

    private var conflictList: String {
        guard !conflicts.isEmpty else { return "" }
        let items = conflicts.map { mark in
            "<li><time>\(HTMLText.second(mark.from, heading.zone))</time> "
                + "\(HTMLText.isolated(ExportDevice.label(mark.deviceName, mark.deviceID.text))): "
                + "\(HTMLText.isolated(mark.sentence, limitCharacters: 400))</li>\n"
        }
        return "<ul class=\"list\">\n\(items.joined())</ul>\n"
    }

    private var playTable: String {
        guard !plays.isEmpty else { return "<p class=\"soft\">Nothing was played.</p>\n" }
        let columns = [
            ("Began", false), ("Device", false), ("App", false), ("Title", false), ("Played", true), ("Ended", false),
        ]
        let head = HTMLText.row(columns.map { (html: $0.0, isNumber: $0.1) }, "th")
        return "<div class=\"card\"><table>\n<thead>\(head)</thead>\n<tbody>\n\(plays.map(row).joined())"
            + "</tbody></table></div>\n"
    }

    private func row(_ fields: PlayFields) -> String {
        let play = fields.play
        let wording = PlayWording(fields: fields, apps: heading.apps)
        let least = play.time.gapSeconds > 0 ? "at least " : ""
        let share =
            play.time.gapSeconds > 0
            ? "<br><span class=\"uncertain\">\(PlayWording.share(play.coverage)) observed</span>" : ""
        return "<tr><td class=\"t\">\(moment(play.startedAt))</td>"
            + "<td>\(HTMLText.isolated(wording.device))</td><td>\(HTMLText.isolated(wording.app ?? "unknown"))</td>"
            + "<td>\(HTMLText.isolated(wording.headline))</td>"
            + "<td class=\"n\">\(least)\(Figures.stretch(play.time.playedSeconds))\(share)</td>"
            + "<td>\(ending(play))</td></tr>\n"
    }

    private func ending(_ play: Play) -> String {
        guard let endedAt = play.endedAt else { return "lasts" }
        let reason = (play.endReason ?? .unknown).rawValue.split(separator: "_").joined(separator: " ")
        return "<time>\(moment(endedAt))</time> \(reason)"
            + (play.endIsUncertain ? " <span class=\"uncertain\">(end not observed)</span>" : "")
    }

    /// The time of day, with the date where it is another one than the section's first.
    private func moment(_ time: WallTime) -> String {
        let day = heading.zone.day(time)
        let clock = HTMLText.second(time, heading.zone)
        return day == heading.zone.day(from) ? clock : "\(day) \(clock)"
    }
}
