extension Option {
    /// Only such conflicts.
    public static let conflictKind = Option(
        "--kind", "kind",
        .choice(["takeover", "volume_fight", "play_pause_fight", "seek_fight", "track_fight", "style_fight"]),
        "Only such conflicts: takeover, volume_fight, ... May be repeated.", isRepeatable: true)
    /// Only such as are sure enough.
    public static let minScore = Option(
        "--min-score", "number", .text, "Only those whose score is at least this, 0 to 1.")
    /// Another threshold.
    public static let conflictRule = Option(
        "--rule", "name=value", .text,
        "Work the conflicts out anew with another threshold, such as volume_fight.undoings=3. May be repeated.",
        isRepeatable: true)
    /// Of a log, who undid whom in it.
    public static let conflictsOfLog = Option(
        "--conflicts", .flag, "Who undid whom in the messages, instead of the change events.")
    /// Why one was told.
    public static let explainConflict = Option(
        "--explain", "id", .text,
        "Why this one was told, and what happened around it, whenever it was. Without --from, --to.")
}

extension Command {
    /// `castledger conflicts`.
    public static let conflicts = Command(
        "conflicts", group: readGroup, summary: "Print who undid whom: takeovers, and fights over volume and the like.",
        details: "A conflict is two senders, or a sender and the device itself, undoing each other. The score says how "
            + "sure it is. What is no conflict, the thresholds and their names: docs/conflicts.md. With --rule the "
            + "change events of the period are read anew, and those of the hour before it. Filters of plays leave what "
            + "happened while such a play was on.",
        options: [
            .deviceSought, .conflictKind, .minScore, .explainConflict, .conflictRule, .from, .to, .zone, .local,
        ] + Option.playFilters + [.limit, .json, .csv, .data, .database],
        exclusive: [["--json", "--csv"], ["--explain", "--csv"], ["--explain", "--rule"]],
        exitStatuses: [
            .init(0, "printed"), .init(1, "nothing in that period"), .usage, .unavailable, .configuration,
        ],
        example: "castledger conflicts --from -7d --min-score 0.8")
}
