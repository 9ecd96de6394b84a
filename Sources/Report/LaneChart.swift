public import Recording

/// Lanes as bars of characters: one line per device, an axis of times, and a legend with totals.
///
/// Each cell shows what took most of its time; what is too short for a cell of its own gets one where its neighbor has
/// several, so that it is seen.
public struct LaneChart: Sendable {
    /// What a device did in a span of time.
    public struct Lane: Sendable, Equatable {
        /// The first moment.
        public var from: WallTime
        /// The first moment after it.
        public var to: WallTime
        /// As the ledger spells it: "playing".
        public var activity: String
        /// A lane.
        public init(from: WallTime, to: WallTime, activity: String) {
            self.from = from
            self.to = to
            self.activity = activity
        }
    }

    /// The first moment shown.
    public let from: WallTime
    /// The first moment not shown.
    public let to: WallTime
    private let zone: Zone
    private let nameColumns: Int
    private let barColumns: Int
    private let isColored: Bool

    /// Activities, their characters and colors (ANSI), in the order of the legend.
    private static let palette: [(activity: String, character: Character, color: Int)] = [
        ("playing", "█", 32), ("advertisement", "▓", 35), ("paused", "▒", 33), ("buffering", "▄", 36),
        ("loading", "▂", 36), ("unknown", "¿", 36), ("app_only", "░", 34), ("standby", "_", 2), ("other_input", "=", 2),
        ("idle", "·", 2), ("unobserved", "?", 31),
    ]

    /// An empty chart.
    ///
    /// - Parameters:
    ///   - names: The devices to come, for the width of their column.
    ///   - widthColumns: The width to fit.
    public init(
        from: WallTime, to: WallTime, zone: Zone, names: [String], widthColumns: Int, isColored: Bool = false
    ) {
        self.from = from
        self.to = max(to, WallTime(microseconds: from.microseconds &+ 1))
        self.zone = zone
        self.isColored = isColored
        let longest = names.map { PlainText.columns(PlainText.neutralized($0)) }.max() ?? 0
        nameColumns = min(longest, max(8, widthColumns / 4))
        barColumns = max(10, widthColumns - nameColumns - 2)
    }

    // MARK: Bars

    /// The line of a device.
    ///
    /// - Parameter lanes: In the order of time; they do not overlap. Where there is none, nothing is known.
    public func line(name: String, lanes: [Lane]) -> String {
        let owners = cells(lanes)
        var line = PlainText.fitted(PlainText.neutralized(name), columns: nameColumns) + "  "
        var (run, last) = ("", "")
        for owner in owners {
            let activity = owner.map { lanes[$0].activity } ?? ""
            if activity != last, !run.isEmpty {
                line += colored(run, last)
                run = ""
            }
            last = activity
            run.append(Self.character(activity))
        }
        line += colored(run, last)
        while line.last == " " { line.removeLast() }
        return line
    }

    /// Which lane each cell shows; nil where nothing is known.
    func cells(_ lanes: [Lane]) -> [Int?] {
        var owners = [Int?](repeating: nil, count: barColumns)
        var best = [Double](repeating: 0, count: barColumns)
        var counts = [Int](repeating: 0, count: lanes.count)
        for (index, lane) in lanes.enumerated() {
            let (start, end) = (place(lane.from), place(lane.to))
            guard end > start, start < Double(barColumns), end > 0 else { continue }
            let (first, last) = (max(0, Int(start)), min(barColumns - 1, Int(end)))
            guard first <= last else { continue }
            for cell in first...last {
                let part = min(end, Double(cell + 1)) - max(start, Double(cell))
                guard part > best[cell] else { continue }
                if let before = owners[cell] { counts[before] -= 1 }
                (owners[cell], best[cell]) = (index, part)
                counts[index] += 1
            }
        }
        // The longest of those that are not seen come first.
        let unseen = lanes.indices.filter { counts[$0] == 0 }.sorted { length(lanes[$0]) > length(lanes[$1]) }
        for index in unseen {
            let middle = (place(lanes[index].from) + place(lanes[index].to)) / 2
            guard middle >= 0, middle < Double(barColumns) else { continue }
            let cell = Int(middle)
            // Of two alike, one is seen: both are.
            guard let owner = owners[cell], counts[owner] > 1, lanes[owner].activity != lanes[index].activity else {
                continue
            }
            counts[owner] -= 1
            owners[cell] = index
            counts[index] = 1
        }
        return owners
    }

    private func length(_ lane: Lane) -> Double { lane.to.seconds(since: lane.from) }

    /// Where a moment lies, in cells.
    private func place(_ time: WallTime) -> Double {
        time.seconds(since: from) / to.seconds(since: from) * Double(barColumns)
    }

    private static func character(_ activity: String) -> Character {
        palette.first { $0.activity == activity }?.character ?? (activity.isEmpty ? " " : "¿")
    }

    private func colored(_ text: String, _ activity: String) -> String {
        guard isColored, !activity.isEmpty else { return text }
        let color = Self.palette.first { $0.activity == activity }?.color ?? 36
        return "\u{1B}[\(color)m\(text)\u{1B}[0m"
    }

    // MARK: Axis and legend

    /// Steps between times of the axis, in minutes.
    private static let stepsMinutes: [Int64] = [
        1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080, 20_160, 43_200,
    ]

    /// The heading: from when to when, and the times above the bars, on the clocks of the zone.
    public var heading: [String] {
        let title = "\(stamp(from)) to \(stamp(to)), \(zone.name)"
        let minutes = to.seconds(since: from) / 60
        // A time needs five columns and some room.
        let step = Self.stepsMinutes.first { Double($0) / minutes * Double(barColumns) >= 9 } ?? 43_200
        var axis = [Character](repeating: " ", count: barColumns)
        for tick in ticks(everyMinutes: step) {
            let label = step >= 1440 ? String(zone.day(tick).dropFirst(5)) : String(zone.timeOfDay(tick).prefix(5))
            let cell = Int(place(tick).rounded())
            guard cell >= 0, cell + label.count <= barColumns else { continue }
            let isFree = axis[max(0, cell - 1)..<cell + label.count].allSatisfy { $0 == " " }
            guard isFree else { continue }
            for (offset, character) in label.enumerated() { axis[cell + offset] = character }
        }
        var line = String(repeating: " ", count: nameColumns + 2) + String(axis)
        while line.last == " " { line.removeLast() }
        return [title, line]
    }

    /// Moments whose clock time is a multiple of the step.
    private func ticks(everyMinutes minutes: Int64) -> [WallTime] {
        let step = minutes * 60_000_000
        let offset = Int64(zone.offsetSeconds(from)) * 1_000_000
        let local = from.microseconds &+ offset
        // Weeks and the like count from Monday 2001-01-01.
        let origin: Int64 = minutes > 1440 ? 978_307_200_000_000 : 0
        var next = origin + ((local - origin) / step) * step
        var found: [WallTime] = []
        for _ in 0..<1000 {
            let tick = zone.resolve(WallTime(microseconds: next))
            if tick >= to { break }
            if tick >= from { found.append(tick) }
            next += step
        }
        return found
    }

    private func stamp(_ time: WallTime) -> String {
        zone.day(time) + " " + String(zone.timeOfDay(time).prefix(5))
    }

    /// The legend: each activity that there was, with its total, the most important ones first.
    ///
    /// - Parameter seconds: Totals by activity.
    public func legend(_ seconds: [String: Double], widthColumns: Int) -> [String] {
        let known = Self.palette.map(\.activity)
        let others = seconds.keys.filter { !known.contains($0) }.sorted()
        let entries = (known + others).compactMap { activity -> (plain: String, shown: String)? in
            guard let total = seconds[activity], total > 0 else { return nil }
            let words = activity.split(separator: "_").joined(separator: " ")
            let text = " \(words) \(Figures.stretch(total))"
            let mark = String(Self.character(activity))
            return (mark + text, colored(mark, activity) + text)
        }
        var lines: [String] = []
        var (line, columns) = ("", 0)
        for entry in entries {
            let width = PlainText.columns(entry.plain)
            if columns > 0, columns + 3 + width > widthColumns {
                lines.append(line)
                (line, columns) = ("", 0)
            }
            line += (columns > 0 ? "   " : "") + entry.shown
            columns += (columns > 0 ? 3 : 0) + width
        }
        return columns > 0 ? lines + [line] : lines
    }
}
