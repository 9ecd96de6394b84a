extension Option {
    /// Ask the network, not the ledger.
    public static let discover = Option(
        "--discover", .flag, "Ask the network for 3 s instead of the ledger. Connects to no device.")
    /// Only such change events.
    public static let kind = Option(
        "--kind", "kind", .text, "Only such change events: seeked, app_started, ... May be repeated.",
        isRepeatable: true)
    /// Only such frames.
    public static let namespace = Option(
        "--namespace", "text", .text, "Only frames whose namespace ends in this: media, receiver, ...")
    /// Nothing left out.
    public static let raw = Option("--raw", .flag, "Print payloads as received, secrets included.")
    /// A change event whose frame is wanted.
    public static let event = Option(
        "--event", "position[/ordinal]", .text,
        "The frame behind a change event, whenever it was: 'castledger events' names each. The ordinal does not matter."
    )
    /// Neighbours of that frame.
    public static let around = Option(
        "--around", "count", .integer(0...10_000), "With --event: so many frames of the same device before and after.",
        defaultText: "0")
    /// The first moment wanted, of all that there are.
    public static let sinceEver = Option(
        "--from", "time", .moment, "First moment to print: 2026-03-01, 2026-03-01T20:15, or -2h. Default: the oldest.")
    /// The end of the stretch wanted, of all that there are.
    public static let untilEver = Option("--to", "time", .moment, "First moment not to print. Default: the newest.")
    /// Let go of what cannot be made again.
    public static let dropPruned = Option(
        "--drop-pruned", .flag, "Also drop rows of records that were pruned: they cannot be made again.")
    /// Only say what would be done.
    public static let dryRun = Option("--dry-run", .flag, "Say what would go, and change nothing.")
    /// Do it.
    public static let yes = Option("--yes", .flag, "Do it, for ever.")
    /// The first position wanted.
    public static let fromPosition = Option(
        "--from-position", "number", .integer(1...Int64.max), "First archive position to print.", defaultText: "1")
    /// The last position wanted.
    public static let toPosition = Option(
        "--to-position", "number", .integer(1...Int64.max), "Last archive position to print. Default: the newest.")
}

extension Option {
    /// The spans themselves.
    public static let gaps = Option(
        "--gaps", .flag, "The spans that were missed, cut to the time asked for, instead of days.")
    /// Whose days count.
    public static let zone = Option(
        "--zone", "name", .text,
        "Count days, read and print times in this time zone, such as Europe/Berlin. "
            + "Default: UTC.")
}

extension Option {
    /// What opens the file.
    public static let exportFormat = Option(
        "--format", "name", .choice(["csv", "jsonl", "ics", "otio", "perfetto", "xmltv", "html"]),
        "The form of the file.", isRequired: true)
    /// Of what the file has rows.
    public static let exportSubject = Option(
        "--what", "rows", .choice(["plays", "events", "gaps", "conflicts"]),
        "Of csv and jsonl: what was played, what changed, what was missed, or who undid whom.", defaultText: "plays")
    /// Where the file goes.
    public static let outputFile = Option(
        "--output", "file", .text,
        "Write into this file, which is replaced only when the new one is whole. Default: standard output.")
}

extension Option {
    /// Plays instead of change events.
    public static let plays = Option(
        "--plays", .flag, "The plays that the messages make, instead of the change events.")
}

extension Command {
    static let readGroup = "Read"
    private static let archiveGroup = "Care for the archive"
    /// Whether the command only reads what was recorded before.
    public var readsLedger: Bool {
        (group == Self.readGroup && name != Command.explain.name) || group == Self.reportGroup
            || (group == Self.archiveGroup
                && ![Command.rebuild.name, Command.archivePrune.name, Command.archiveRepair.name].contains(name))
    }

    private static let archiveUnreadable = ExitStatus(74, "archive unreadable")

    /// `castledger devices`.
    public static let devices = Command(
        "devices", group: readGroup, summary: "List devices, with name, id and when last heard.",
        options: [.discover, .json, .data, .database],
        exitStatuses: [
            .init(0, "printed"), .init(1, "no device known"), .usage, .unavailable, .cannotCreate, .noPermission,
            .configuration,
        ],
        example: "castledger devices --json")

    /// `castledger timeline`.
    public static let timeline = Command(
        "timeline", group: readGroup, summary: "Print what happened, oldest first, and who caused it.",
        details: "In brackets stands the cause: 'sender request 41' for a sender, 'receiver' for the device or app "
            + "itself, 'snapshot' for what was already so when castledger looked. 'Probably sender 2' is inferred: "
            + "the second one seen in that app session. A line marked 'no change' repeats what was already so. Filters of "
            + "plays leave what happened while such a play was on.",
        options: [.deviceSought, .from, .to, .zone, .local] + Option.playFilters
            + [.chart, .limit, .json, .apps, .data, .database],
        exclusive: ["--json", "--limit", "--app", "--title", "--end-reason", "--cause", "--min"].map {
            ["--chart", $0]
        },
        exitStatuses: [
            .init(0, "printed"), .init(1, "nothing in that period"), .usage, .unavailable, .cannotCreate, .noPermission,
            .configuration,
        ],
        example: "castledger timeline --device \"Living Room\" --from -2h")

    /// `castledger events`.
    public static let events = Command(
        "events", group: readGroup, summary: "Print change events as a table, JSON Lines or CSV, oldest first.",
        details: "Filters of plays leave what happened while such a play was on.",
        options: [.deviceSought, .kind, .from, .to, .zone, .local] + Option.playFilters
            + [.limit, .json, .csv, .data, .database],
        exclusive: [["--json", "--csv"]],
        exitStatuses: [
            .init(0, "printed"), .init(1, "nothing in that period"), .usage, .unavailable, .cannotCreate, .noPermission,
            .configuration,
        ],
        example: "castledger events --kind app_started --kind app_stopped --from 2026-03-01 --csv")

    /// `castledger plays`.
    public static let plays = Command(
        "plays", group: readGroup, summary: "Print what was played: one row per content item, oldest first.",
        details: "A play lasts from the first sign of an item to its end; pauses, buffering, ads and stretches without "
            + "observation are counted apart. 'after' marks an end that nobody saw. Dashboards and announcements are "
            + "plays too. An app that does not say what it plays, such as Netflix, has none: see 'castledger timeline'.",
        options: [.deviceSought, .from, .to, .zone, .local] + Option.playFilters
            + [.limit, .json, .csv, .apps, .data, .database],
        exclusive: [["--json", "--csv"]],
        exitStatuses: [
            .init(0, "printed"), .init(1, "nothing in that period"), .usage, .unavailable, .cannotCreate, .noPermission,
            .configuration,
        ],
        example: "castledger plays --device \"Living Room\" --from -7d --csv")

    /// `castledger export`.
    public static let export = Command(
        "export", group: readGroup, summary: "Write what was played into a file that other programs open.",
        details: "csv, jsonl: rows for programs. ics: a calendar. otio: an editing timeline, with a track per device. "
            + "perfetto: a trace for ui.perfetto.dev and chrome://tracing. xmltv: a listing, with each device as a "
            + "channel. html: a report to look at and to print. Times are UTC unless a zone is named; a calendar's "
            + "always are. The file is whole also when nothing was played. See docs/exports.md.",
        options: [.exportFormat, .exportSubject, .outputFile, .deviceSought, .from, .to, .zone, .local]
            + Option.playFilters + [.limit, .apps, .data, .database],
        exitStatuses: [
            .init(0, "written"), .init(1, "written, without any row"), .usage, .unavailable,
            .init(73, "file not writable"), .inputOutput, .configuration,
        ],
        example: "castledger export --format ics --from -30d --output played.ics")

    /// `castledger coverage`.
    public static let coverage = Command(
        "coverage", group: readGroup,
        summary: "Print how much of each device and day was observed, and why not the rest.",
        details: "The share is that of the time since the device was first seen, up to the last record. 'With media' "
            + "leaves out the time in which an app ran that we have not joined: not_joined, attach_refused. What one of "
            + "several recorders observed is observed. Shares are rounded down.",
        options: [
            .deviceSought,
            Option(
                "--from", "time", .moment,
                "First moment to count: 2026-03-01, 2026-03-01T20:15, or -2h. Default: seven days, today included."),
            Option("--to", "time", .moment, "First moment not to count.", defaultText: "now"),
            .zone, .local, .group, .siteSought, .between, .weekday, .gaps, .json, .csv, .data, .database,
        ],
        exclusive: [["--json", "--csv"]],
        exitStatuses: [
            .init(0, "printed"), .init(1, "nothing to print"), .usage, .unavailable, .cannotCreate, .noPermission,
            .configuration,
        ],
        example: "castledger coverage --from 2026-03-01 --to 2026-04-01 --zone Europe/Berlin")

    /// `castledger frames`.
    public static let frames = Command(
        "frames", group: readGroup, summary: "Print the frames themselves, from the archive, in its order.",
        details:
            "Tokens, passwords and other secrets are left out, and binary payloads; titles and names are not. With "
            + "--raw everything is printed as received.",
        options: [
            .deviceSought, .namespace, .from, .to, .event, .around, .local, .limit, .json,
            .raw, .data,
        ],
        exclusive: ["--from", "--to", "--device", "--limit"].map { ["--event", $0] },
        exitStatuses: [
            .init(0, "printed"), .init(1, "nothing in that period"), .usage, .init(65, "archive damaged"),
            archiveUnreadable, .noPermission,
        ],
        example: "castledger frames --device \"Living Room\" --namespace media --from -5m")

    /// `castledger explain`.
    public static let explain = Command(
        "explain", group: readGroup, summary: "Print what a log of Cast messages means, without recording anything.",
        details: "A log is a segment of an archive, plain or compressed; JSON Lines with t, dir, source_id, "
            + "destination_id, namespace and payload (device too where it tells of several); or payloads alone, one per "
            + "line. Seconds count from 2000-01-01; a line without t comes a second after the one before. Below the "
            + "story stands who undid whom in it, if anybody did.",
        operands: Operands("file", "Logs to read, in this order; '-' is the standard input."),
        options: [.plays, .conflictsOfLog, .conflictRule, .local, .json],
        exclusive: [["--plays", "--conflicts"]],
        exitStatuses: [
            .init(0, "printed"), .init(1, "nothing changed"), .usage, .init(65, "bad lines"),
            .init(66, "file not readable"),
        ],
        example: "castledger explain kitchen.jsonl")

    /// `castledger apps`.
    public static let apps = Command(
        "apps", group: readGroup, summary: "List the receiver apps known by id, yours included.",
        details: "What a device says of an app comes first, always. With --json each line is an element of the array "
            + "'apps' that a file for --apps holds.",
        options: [.apps, .json, .data],
        exitStatuses: [.init(0, "printed"), .usage, .configuration],
        example: "castledger apps --apps my-apps.json")

    /// `castledger archive list`.
    public static let archiveList = Command(
        "archive list", group: archiveGroup, summary: "List the archive's segments: positions, times, sizes.",
        options: [.json, .data],
        exitStatuses: [
            .init(0, "printed"), .init(1, "no archive yet"), .usage, archiveUnreadable, .noPermission,
        ],
        example: "castledger archive list")

    /// `castledger archive cat`.
    public static let archiveCat = Command(
        "archive cat", group: archiveGroup, summary: "Print records as JSON Lines, exactly as archived.",
        details: "An index beside each segment says where to look. It is made when it is missing, and holds nothing "
            + "that the archive does not.",
        options: [
            .deviceSought, .namespace, .sinceEver, .untilEver, .local, .fromPosition, .toPosition, .data,
        ],
        exitStatuses: [
            .init(0, "printed"), .init(1, "no such record"), .usage, .init(65, "archive damaged"), archiveUnreadable,
            .noPermission,
        ],
        example: "castledger archive cat --from-position 812 --to-position 830")

    /// `castledger archive verify`.
    public static let archiveVerify = Command(
        "archive verify", group: archiveGroup,
        summary: "Read every record and check sums, chain and positions. Changes nothing.",
        options: [.json, .data],
        exitStatuses: [
            .init(0, "intact"), .init(1, "no archive yet"), .usage, .init(65, "damaged"), archiveUnreadable,
            .noPermission,
        ],
        example: "castledger archive verify")

    /// `castledger archive repair`.
    public static let archiveRepair = Command(
        "archive repair", group: archiveGroup,
        summary: "Set aside what a crash left behind the last whole batch.",
        details: "The bytes are kept beside the segment, in a file that ends in .torn. Every start of a recorder does "
            + "the same. Other damage stays as it is and is named.",
        options: [.json, .data],
        exitStatuses: [
            .init(0, "repaired, or nothing to repair"), .init(1, "no archive yet"), .usage,
            .init(65, "other damage is left"), .cannotCreate, archiveUnreadable, .temporary, .noPermission,
        ],
        example: "castledger archive repair")

    /// `castledger archive prune`.
    public static let archivePrune = Command(
        "archive prune", group: archiveGroup, summary: "Remove the oldest segments, and say so in the archive.",
        details: "Whole segments, oldest first, never the newest, and none that the database has not applied. A record "
            + "in the archive tells what went and why, so that 'archive verify' holds for the rest. While a recorder runs, "
            + "it prunes by itself: 'castledger record --keep 90d'.",
        options: [.keep, .keepSize, .keepFree, .dryRun, .yes, .data, .database],
        exclusive: [["--dry-run", "--yes"]],
        exitStatuses: [
            .init(0, "pruned"), .init(1, "nothing to prune"), .usage, .init(65, "archive damaged"), .unavailable,
            .cannotCreate, archiveUnreadable, .temporary, .noPermission, .configuration,
        ],
        example: "castledger archive prune --keep 90d --dry-run")

    /// `castledger rebuild`.
    public static let rebuild = Command(
        "rebuild", group: archiveGroup,
        summary: "Drop this archive's rows from the database and replay the archive into it. Safe to repeat.",
        options: [.dropPruned, .data, .database],
        exitStatuses: [
            .init(0, "rebuilt"), .usage, .init(65, "archive damaged"), .unavailable, .cannotCreate, archiveUnreadable,
            .temporary, .noPermission, .configuration,
        ],
        example: "castledger rebuild")
}

extension Program {
    /// The command line of CastLedger.
    public static let castledger = Program(
        name: "castledger",
        summary: "record what happens on your Cast devices, whichever sender causes it",
        commands: [
            .record, .serve, .demo, .fleet, .status, .doctor, .doctorCORS, .devices, .timeline, .watch, .plays,
            .conflicts,
            .export,
            .coverage,
            .events,
            .frames,
            .explain, .apps, .reportAsRun, .reportTotals, .reportUptime, .reportAudit,
            .archiveList, .archiveCat,
            .archiveVerify, .archiveRepair, .archivePrune, .rebuild,
        ],
        environmentPrefix: "CASTLEDGER_")
}
