extension Option {
    /// Whose page asks.
    public static let origin = Option(
        "--origin", "url", .text,
        "Ask as a page of this origin: the Default Media Receiver's, unless said.",
        defaultText: "https://www.gstatic.com")
    /// A device to record that discovery does not find.
    public static let deviceAddress = Option(
        "--device", "host[:port]", .text,
        "Record this device too, found or not; port 8009 unless said. May be repeated.",
        isRepeatable: true, setting: .environmentAndFile)
    /// No mDNS.
    public static let noDiscovery = Option(
        "--no-discovery", .flag, "Record only the devices given with --device.", setting: .environmentAndFile)
    /// A name for where the recorder stands.
    public static let site = Option(
        "--site", "name", .text, "Name of the place that this recorder watches, kept with its records.",
        setting: .environmentAndFile)
    /// The attach ladder.
    public static let attach = Option(
        "--attach", "mode", .choice(["platform", "invisible", "weak", "strong"]),
        "How to join receiver apps. With 'weak' and 'strong' the app is told of us, and 'strong' may keep it alive; "
            + "'platform' joins none.",
        defaultText: "invisible", setting: .environmentAndFile)
    /// The only devices recorded.
    public static let allowDevice = Option(
        "--allow-device", "name|id|model", .text, "Record only such devices. May be repeated.",
        isRepeatable: true, setting: .environmentAndFile)
    /// Devices left alone.
    public static let denyDevice = Option(
        "--deny-device", "name|id|model", .text, "Never connect to such devices. May be repeated.",
        isRepeatable: true, setting: .environmentAndFile)
    /// The only apps joined.
    public static let allowApp = Option(
        "--allow-app", "name|id", .text, "Join only such receiver apps. May be repeated.",
        isRepeatable: true, setting: .environmentAndFile)
    /// Apps left alone.
    public static let denyApp = Option(
        "--deny-app", "name|id", .text, "Never join such receiver apps. May be repeated.",
        isRepeatable: true, setting: .environmentAndFile)
    /// What is left out.
    public static let redact = Option(
        "--redact", "what", .choice(["titles", "archive"]),
        "'titles': the database keeps apps, times and durations, and not what was played. 'archive': secrets are left "
            + "out of the archive, too. May be repeated.",
        isRepeatable: true, setting: .environmentAndFile)

    /// Let go of what is older.
    public static let keep = Option(
        "--keep", "duration", .duration,
        "Keep so much of the archive, 90d or 36h; older segments are pruned once the database has them. Default: all.",
        setting: .environmentAndFile)
    /// Let go of what is too much.
    public static let keepSize = Option(
        "--keep-size", "size", .size, "Prune the oldest segments while the archive has more than this on disk: 50G.",
        setting: .environmentAndFile)
    /// Let go of what others need.
    public static let keepFree = Option(
        "--keep-free", "share", .percentage,
        "Prune the oldest segments while less than this share of the file system is free: 10%.",
        setting: .environmentAndFile)

    /// Each device, too.
    public static let devices = Option("--devices", .flag, "Tell of each device, too.")

    /// How many simulated devices.
    public static let fleetDevices = Option(
        "--devices", "count", .integer(1...20_000), "How many devices to simulate.", defaultText: "3")
    /// How many groups there are beside them.
    public static let groups = Option(
        "--groups", "count", .integer(0...1000),
        "How many groups to simulate beside the devices, each of up to six that are no TVs.", defaultText: "0")
    /// What they do.
    public static let scenario = Option(
        "--scenario", "name", .choice(["evening", "two-phones", "fights", "days", "idle", "chatter"]),
        "What happens: 'evening' at home, 'two-phones' that fight over one TV, 'fights' and what looks like them, "
            + "labelled in the truth file, 'days' and nights as they are, 'idle' (nothing), or 'chatter' (one status "
            + "per second and device).",
        defaultText: "evening")
    /// What they do, where it depends on the rest what they do by default.
    public static let fleetScenario = Option(
        "--scenario", "name", scenario.form, scenario.summary + " Default: evening; with --history: days.")
    /// Where chance comes from.
    public static let seed = Option(
        "--seed", "number", .integer(0...Int64.max), "The same seed gives the same evening.", defaultText: "1")
    /// Where they listen.
    public static let fleetPort = Option(
        "--port", "port", .integer(0...65_535),
        "TCP port of the first device; the others take the ports after it. 0 takes any free ones.",
        defaultText: "8009")
    /// Where they listen, the other way.
    public static let fleetAddress = Option(
        "--address", "address", .text,
        "Give each device an address of its own, counting up from this one, such as 127.77.0.1, all on --port.")
    /// Whether mDNS tells of them.
    public static let advertise = Option("--advertise", .flag, "Announce the devices on the network through Avahi.")
    /// VLC wants its content to be fetched.
    public static let fetchMedia = Option(
        "--fetch-media", .flag,
        "Let the devices fetch http content from loopback addresses, and discard it; VLC needs that.")
    /// Weeks in minutes.
    public static let history = Option(
        "--history", "duration", .duration,
        "Instead of answering on the network, write the archive that a recorder would have made of so much time into "
            + "--data: 30d or 36h.")
    /// Where such a history begins.
    public static let historyBegins = Option(
        "--from", "time", .moment,
        "With --history: when it begins, as 2026-03-01. Default: so that it ends with the last midnight, UTC.")
    /// Where such a history goes.
    public static let historyData = Option(
        "--data", "folder", .text, "With --history: a data folder that holds no archive yet.")
    /// What real links consist of mostly.
    public static let heartbeats = Option(
        "--heartbeats", .flag,
        "With --history: write heartbeats, too, 69,000 records a day and device. Left out otherwise, but for one sign "
            + "of life before a device loses its power.")
    /// What really happened.
    public static let truth = Option(
        "--truth", "file", .text, "Write what really happened to this file, as JSON Lines.")
}

extension Command {
    private static let recordGroup = "Record"
    /// Where the demo keeps its ledger unless told otherwise: in the folder that one stands in.
    public static let demoFolder = "./castledger-demo"
    /// The same for root in a folder closed to others: PostgreSQL runs as a user of its own and could not get there.
    public static let demoFolderOfRoot = "/var/lib/castledger-demo"

    /// `castledger record`.
    public static let record = Command(
        "record", group: recordGroup,
        summary: "Watch every device on the network and archive what it reports.",
        details: "Joins whatever runs as one more sender that only listens. Runs until SIGINT or SIGTERM. "
            + "Options may also stand in the settings file castledger.conf in the data folder ('site = Lobby'), or in "
            + "the environment (CASTLEDGER_SITE). The command line wins over the environment, that over the file.",
        options: [
            .data, .database, .deviceAddress, .noDiscovery, .site, .attach, .allowDevice, .denyDevice, .allowApp,
            .denyApp, .apps, .redact, .keep, .keepSize, .keepFree,
        ] + Option.web + [.webhookURL, .webhookSecretFile, .webhookOn],
        exitStatuses: [
            .init(0, "stopped in good order"), .usage, .unavailable, .software, .cannotCreate, .inputOutput,
            .temporary, .noPermission, .configuration,
        ],
        example: "castledger record --device 192.0.2.17 --no-discovery")

    /// `castledger demo`.
    public static let demo = Command(
        "demo", group: recordGroup,
        summary: "Record a simulated evening: needs no device, touches nothing but this machine.",
        details: "Runs a fleet of simulated devices on loopback and a recorder that watches them. While it runs, "
            + "ask it with 'castledger timeline --data <folder>'.",
        options: [
            Option(
                "--data", "folder", .text,
                "Where the demo keeps its ledger; for root in a folder closed to others, as /root is, "
                    + "\(demoFolderOfRoot).", defaultText: demoFolder,
                setting: .never),
            .fleetDevices,
            Option(
                Option.groups.name, "count", Option.groups.form, Option.groups.summary, defaultText: "1"),
            .scenario, .seed, .runFor, .listen,
        ],
        exitStatuses: [
            .init(0, "stopped in good order"), .usage, .unavailable, .software, .cannotCreate, .inputOutput,
            .temporary, .noPermission,
        ],
        example: "castledger demo --devices 3 --for 1m")

    /// `castledger fleet`.
    public static let fleet = Command(
        "fleet", group: recordGroup,
        summary: "Simulate devices, to try castledger without owning one.",
        details: "Each speaks the Cast protocol over TLS on a loopback address, with simulated phones as senders. "
            + "With --history nobody answers: weeks pass in minutes, and 'castledger rebuild' makes a database of them.",
        options: [
            .fleetDevices, .groups, .fleetScenario, .seed, .fleetPort, .fleetAddress,
            .advertise, .fetchMedia, .truth, .runFor, .history, .historyBegins, .historyData, .heartbeats,
        ],
        exitStatuses: [
            .init(0, "stopped in good order"), .usage, .init(69, "an address or port is taken"), .software,
            .init(73, "truth file or data folder not writable"), .inputOutput,
        ],
        example: "castledger fleet --history 30d --devices 20 --data ./a-month")

    /// `castledger status`.
    public static let status = Command(
        "status", group: recordGroup,
        summary: "Ask the running recorder how it is. Changes nothing.",
        details: "Degraded means that a person should look: the disk refuses writes, does not answer for 5 s or is "
            + "nearly full (less than 5% or two days at the present rate); frames could not be kept in the last "
            + "hour; the database is in trouble or 60 s behind; discovery fails; no device is linked for 60 s, or "
            + "there are more than 20,000; a thread is silent for 30 s; nine tenths of the files that may be open are; the settings were read "
            + "again and have a mistake. A single device that is away is not: people unplug televisions.",
        options: [.devices, .json, .data],
        exitStatuses: [
            .init(0, "healthy"), .init(1, "degraded"), .init(2, "down"), .usage,
            .init(77, "the recorder belongs to another user"),
        ],
        example: "castledger status --devices")

    /// `castledger doctor`.
    public static let doctor = Command(
        "doctor", group: recordGroup,
        summary: "Check what recording needs: discovery, devices, limits, clock, database, disk. Changes nothing.",
        details: "One line per check: ok, warn or fail, what it means, and what to do.",
        options: [
            .data, .database,
            Option(
                "--device", "host[:port]", .text, "Check this device too. May be repeated.", isRepeatable: true,
                setting: .environmentAndFile),
            .json,
        ],
        exitStatuses: [.init(0, "nothing failed"), .init(1, "a check failed"), .usage, .configuration],
        example: "castledger doctor --device 192.0.2.17")

    /// `castledger doctor cors`.
    public static let doctorCORS = Command(
        "doctor cors", group: recordGroup,
        summary: "Ask media and track servers whether a receiver app may read them: why captions do not show.",
        details: "Without a URL: the addresses of media that was seen with text tracks, newest first. Each is asked "
            + "as a receiver app would (Origin, Range, and a preflight), from this machine; nothing else in the "
            + "program asks anybody. Addresses that others said are not asked where they lead to this machine.",
        operands: Operands("url", "What to ask, http or https.", isOptional: true),
        options: [.origin, .deviceSought, .data, .database, .json],
        exitStatuses: [
            .init(0, "nothing failed"), .init(1, "a server does not allow it, or nothing was seen with tracks"),
            .usage, .unavailable, .configuration,
        ],
        example: "castledger doctor cors https://media.example/film.mp4 https://media.example/film.en.vtt")
}
