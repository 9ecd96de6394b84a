/// The options that narrow down what a reading command is about: the same names and rules wherever they stand.
///
/// They choose what is shown and counted; they change nothing that was recorded.
extension Option {
    /// A group and the devices that were its members.
    public static let group = Option(
        "--group", "name|id", .text, "Only this group and the devices that are known as its members.")
    /// Where the recorder stands.
    public static let siteSought = Option(
        "--site", "name", .text, "Only what recorders of this site saw; 'castledger record --site' names it.")
    /// A receiver app.
    public static let app = Option("--app", "name|id", .text, "Only plays of this receiver app, in any case.")
    /// A part of a title.
    public static let title = Option(
        "--title", "text", .text, "Only plays with this text in title, series, artist or album, in any case.")
    /// Why plays ended.
    public static let endReason = Option(
        "--end-reason", "reason", .text, "Only plays that ended so: finished, stopped, replaced, ... May be repeated.",
        isRepeatable: true)
    /// Why plays began.
    public static let startCause = Option(
        "--cause", "cause", .text, "Only plays that began so: sender_request, receiver, cloud, ... May be repeated.",
        isRepeatable: true)
    /// Short plays are left out.
    public static let minimum = Option(
        "--min", "duration", .duration, "Leave out plays that played for less, such as 30s.")
    /// A time of day.
    public static let between = Option(
        "--between", "time-time", .text,
        "Only this time of day, such as 18:00-23:00 or 22:00-02:00, on the clocks of the time zone.")
    /// Days of the week.
    public static let weekday = Option(
        "--weekday", "days", .text, "Only these days of the week: mon, tue-fri or sat,sun.")
    /// Neighbors of one content are one row.
    public static let groupBy = Option(
        "--group-by", "word", .choice(["content"]),
        "One row for neighbors of the same device, app and content that lie less than --group-gap apart. The plays stay "
            + "what they are.")
    /// How far apart such neighbors may lie.
    public static let groupGap = Option(
        "--group-gap", "duration", .duration, "With --group-by: how far apart they may lie.", defaultText: "2m")

    /// Those that choose devices and times.
    public static let placeFilters: [Option] = [.group, .siteSought, .between, .weekday]
    /// Those that choose plays.
    public static let playFilters: [Option] = [
        .group, .siteSought, .app, .title, .endReason, .startCause, .minimum, .between, .weekday,
    ]
}

/// A time of day from one clock time to another; it may go on after midnight.
public struct TimeOfDayRange: Sendable, Equatable {
    /// Minutes after midnight at which it begins, 0 through 1439.
    public var fromMinutes: Int
    /// Minutes after midnight at which it is over, 1 through 1440; not above `fromMinutes` when it goes on after midnight.
    public var toMinutes: Int

    /// A range, part by part.
    public init(fromMinutes: Int, toMinutes: Int) {
        self.fromMinutes = fromMinutes
        self.toMinutes = toMinutes
    }

    /// What a text such as `18:00-23:00` means; nil when it means none.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let from = Self.minutes(parts[0]), let to = Self.minutes(parts[1]), from < 1440,
            from != to % 1440 || from == 0 && to == 1440
        else { return nil }
        (fromMinutes, toMinutes) = (from, to == 0 ? 1440 : to)
    }

    /// Minutes after midnight of `18:00` or `18`, up to `24:00`.
    private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        func number(_ part: Substring, digits: ClosedRange<Int>) -> Int? {
            digits.contains(part.count) && part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
        }
        guard (1...2).contains(parts.count), let hour = number(parts[0], digits: 1...2),
            let minute = parts.count == 2 ? number(parts[1], digits: 2...2) : 0, minute < 60, hour * 60 + minute <= 1440
        else { return nil }
        return hour * 60 + minute
    }
}

/// Days of the week as a person types them.
public enum Weekdays {
    /// The days that a text such as `mon`, `tue-fri` or `sat,sun` means, Monday being 1; nil when it means none.
    ///
    /// A range may go on over Sunday: `fri-mon`.
    public static func parse(_ text: String) -> [Int]? {
        var days: Set<Int> = []
        for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard (1...2).contains(ends.count), let first = number(ends[0]), let last = number(ends[ends.count - 1])
            else { return nil }
            var day = first
            days.insert(day)
            while day != last {
                day = day % 7 + 1
                days.insert(day)
            }
        }
        return days.sorted()
    }

    /// A day by its first three letters, or more of its name.
    private static func number(_ name: Substring) -> Int? {
        let whole = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        guard name.count >= 3 else { return nil }
        return whole.firstIndex { $0.hasPrefix(name) }.map { $0 + 1 }
    }
}
