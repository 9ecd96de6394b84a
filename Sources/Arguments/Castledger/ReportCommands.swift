extension Option {
    /// A single day.
    public static let day = Option(
        "--day", "day", .text, "A day on the clocks of the time zone: 2026-03-01, today or yesterday.")
    /// How a report is written.
    public static let format = Option(
        "--format", "format", .choice(["table", "csv", "json", "html"]),
        "A table for people, comma-separated values (RFC 4180), one JSON object per line, or a page to print.",
        defaultText: "table")
    /// How a report is written whose page has a timeline.
    public static let formatOrPage = Option(
        "--format", "format", .choice(["table", "csv", "json", "html"]),
        "A table for people, comma-separated values (RFC 4180), one JSON object per line, or the page that 'castledger "
            + "export --format html' writes, with a timeline.", defaultText: "table")
    /// By what plays are added up.
    public static let totalsBy = Option(
        "--by", "word", .choice(["device", "app", "title", "hour", "weekday", "day"]),
        "Add up by this. May be repeated. Default: device, app, title, hour and weekday.", isRepeatable: true)
    /// How many of the most played.
    public static let top = Option(
        "--top", "count", .integer(1...1_000_000), "Only so many devices, apps and titles, the most played first.",
        defaultText: "10")
    /// Bars instead of a story.
    public static let chart = Option(
        "--chart", .flag, "Bars, one line per device, with totals, instead of the story. Fits the width.")

    /// The period of a report, unless it is a day.
    static func reportFrom(_ defaults: String) -> Option {
        Option(
            "--from", "time", .moment,
            "First moment to count: 2026-03-01, 2026-03-01T20:15, or -2h. Default: \(defaults).")
    }
    static let reportTo = Option("--to", "time", .moment, "First moment not to count.", defaultText: "now")
}

extension Command {
    static let reportGroup = "Report"
    private static let reportStatuses: [ExitStatus] = [
        .init(0, "printed"), .init(1, "nothing to print"), .usage, .unavailable, .cannotCreate, .noPermission,
        .configuration,
    ]

    /// `castledger report as-run`.
    public static let reportAsRun = Command(
        "report as-run", group: reportGroup, summary: "Print what each device played, day by day, with totals.",
        details:
            "A play that lies in several days has a row in each, with what lies in that day, so that the rows of a day "
            + "add up to its total. Totals say how much of the day was observed: with less than all of it, the time is "
            + "a lower bound. Filters choose plays; the coverage is that of the devices, whatever they played.",
        options: [.deviceSought, .day, .reportFrom("the beginning of today"), .reportTo, .zone, .local]
            + Option.playFilters
            + [.groupBy, .groupGap, .formatOrPage, .apps, .data, .database],
        exclusive: [["--day", "--from"], ["--day", "--to"]], exitStatuses: reportStatuses,
        example: "castledger report as-run --day yesterday --zone Europe/Berlin --format csv")

    /// `castledger report uptime`.
    public static let reportUptime = Command(
        "report uptime", group: reportGroup, summary: "Print how each device spent its days: reachable, playing, idle.",
        details:
            "Uptime is the share of the time in which we had a link to the device, of the time in which we tried. What "
            + "buffers, loads or shows ads counts as playing. All is as the device tells it: what the screen showed, "
            + "nobody knows.",
        options: [.deviceSought, .day, .reportFrom("seven days, today included"), .reportTo, .zone, .local]
            + Option.placeFilters + [.format, .data, .database],
        exclusive: [["--day", "--from"], ["--day", "--to"]], exitStatuses: reportStatuses,
        example: "castledger report uptime --from 2026-03-01 --to 2026-04-01 --zone Europe/Berlin")

    /// `castledger report audit`.
    public static let reportAudit = Command(
        "report audit", group: reportGroup, summary: "Print every change event in words, with who caused it.",
        details:
            "'A sender' is a phone, a tablet, a program; which one is inferred, and numbered within an app session. 'The "
            + "device' is the receiver app or the TV itself. 'Found so' was already so when castledger looked. Filters of "
            + "plays leave what happened while such a play was on.",
        options: [.deviceSought, .day, .reportFrom("the beginning of today"), .reportTo, .zone, .local, .kind]
            + Option.playFilters + [.limit, .format, .apps, .data, .database],
        exclusive: [["--day", "--from"], ["--day", "--to"]], exitStatuses: reportStatuses,
        example: "castledger report audit --device Kitchen --day today --format csv")

    /// `castledger report totals`.
    public static let reportTotals = Command(
        "report totals", group: reportGroup,
        summary: "Add up what was played: by device, app, title, hour and weekday; the most at once.",
        details:
            "A group's play counts once, for the group. Hours and weekdays are those of the time zone's clocks: an hour "
            + "that they show twice counts twice. In CSV and JSON the row 'at_once' has when most plays were on at once: "
            + "since when as key, until when as name.",
        options: [.deviceSought, .day, .reportFrom("seven days, today included"), .reportTo, .zone, .local]
            + Option.playFilters + [.totalsBy, .top, .format, .apps, .data, .database],
        exclusive: [["--day", "--from"], ["--day", "--to"]], exitStatuses: reportStatuses,
        example: "castledger report totals --by app --by hour --from -30d")
}
