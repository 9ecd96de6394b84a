extension Option {
    /// Where everything is kept.
    public static let data = Option(
        "--data", "folder", .text,
        "Where archive, database and settings are kept. Default: /var/lib/castledger for root, "
            + "~/.local/share/castledger otherwise.",
        setting: .environment)
    /// A PostgreSQL of one's own.
    public static let database = Option(
        "--database", "url", .text,
        "A PostgreSQL to use, postgresql://user@host/name, instead of the private one in the data folder.",
        setting: .environmentAndFile)
    /// A device that somebody looks for in the ledger.
    public static let deviceSought = Option(
        "--device", "name|id", .text, "Friendly name or device id; 'castledger devices' lists both.")
    /// The first moment wanted.
    public static let from = Option(
        "--from", "time", .moment, "First moment to print: 2026-03-01, 2026-03-01T20:15, or -2h.",
        defaultText: "-24h")
    /// The end of the stretch wanted.
    public static let to = Option("--to", "time", .moment, "First moment not to print.", defaultText: "now")
    /// JSON Lines instead of a table.
    public static let json = Option(
        "--json", .flag, "One JSON object per line. Field names are stable.")
    /// CSV instead of a table.
    public static let csv = Option("--csv", .flag, "Comma-separated values with a header line (RFC 4180).")
    /// Times as on the wall of whoever reads.
    public static let local = Option(
        "--local", .flag, "Read and print times in this machine's time zone instead of UTC.")
    /// Receiver apps by a file of one's own.
    public static let apps = Option(
        "--apps", "file", .text,
        "Names and quirks of receiver apps that castledger does not know, merged over those it knows. "
            + "Default: apps.json in the data folder, when it is there.",
        setting: .environmentAndFile)
    /// At most so many.
    public static let limit = Option(
        "--limit", "count", .integer(1...1_000_000_000), "Stop after so many.")
    /// What time it is for those who want a fixed end.
    public static let runFor = Option("--for", "duration", .duration, "End after 90s, 5m or 2h. Default: never.")

    /// A flag.
    public init(_ name: String, _ form: Form, _ summary: String, setting: Setting = .never) {
        self.init(name, "", form, summary, setting: setting)
    }
}

extension Command.ExitStatus {
    /// The command line has mistakes.
    public static let usage = Command.ExitStatus(64, "wrong usage")
    /// No database to ask.
    public static let unavailable = Command.ExitStatus(69, "database unreachable")
    /// Our own mistake.
    public static let software = Command.ExitStatus(70, "internal error")
    /// A file cannot be made.
    public static let cannotCreate = Command.ExitStatus(73, "data folder not writable")
    /// The data folder is somebody else's.
    public static let noPermission = Command.ExitStatus(77, "data folder of another user")
    /// Reading or writing failed.
    public static let inputOutput = Command.ExitStatus(74, "read or write error")
    /// Somebody else has it.
    public static let temporary = Command.ExitStatus(75, "another recorder uses the data folder")
    /// The settings file has mistakes.
    public static let configuration = Command.ExitStatus(78, "mistake in the settings file")
}
