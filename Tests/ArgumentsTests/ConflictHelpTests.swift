import Arguments
import Testing

@Suite("Help on conflicts") struct ConflictHelpTests {
    @Test func `'castledger conflicts --help' prints this page`() throws {
        #expect(
            try helpPage("conflicts", "--help") == """
                Usage: castledger conflicts [--device <name|id>] [--kind <kind>...] [--min-score <number>]
                       [--explain <id>] [--rule <name=value>...] [--from <time>] [--to <time>] [--zone <name>]
                       [--local] [--group <name|id>] [--site <name>] [--app <name|id>] [--title <text>]
                       [--end-reason <reason>...] [--cause <cause>...] [--min <duration>] [--between <time-time>]
                       [--weekday <days>] [--limit <count>] [--json] [--csv] [--data <folder>] [--database <url>]

                Print who undid whom: takeovers, and fights over volume and the like.

                A conflict is two senders, or a sender and the device itself, undoing each other. The score says how
                sure it is. What is no conflict, the thresholds and their names: docs/conflicts.md. With --rule the
                change events of the period are read anew, and those of the hour before it. Filters of plays leave
                what happened while such a play was on.

                  --device <name|id>      Friendly name or device id; 'castledger devices' lists both.
                  --kind <kind>           Only such conflicts: takeover, volume_fight, ... May be repeated.
                  --min-score <number>    Only those whose score is at least this, 0 to 1.
                  --explain <id>          Why this one was told, and what happened around it, whenever it was.
                                          Without --from, --to.
                  --rule <name=value>     Work the conflicts out anew with another threshold, such as
                                          volume_fight.undoings=3. May be repeated.
                  --from <time>           First moment to print: 2026-03-01, 2026-03-01T20:15, or -2h. Default:
                                          -24h.
                  --to <time>             First moment not to print. Default: now.
                  --zone <name>           Count days, read and print times in this time zone, such as Europe/Berlin.
                                          Default: UTC.
                  --local                 Read and print times in this machine's time zone instead of UTC.
                  --group <name|id>       Only this group and the devices that are known as its members.
                  --site <name>           Only what recorders of this site saw; 'castledger record --site' names it.
                  --app <name|id>         Only plays of this receiver app, in any case.
                  --title <text>          Only plays with this text in title, series, artist or album, in any case.
                  --end-reason <reason>   Only plays that ended so: finished, stopped, replaced, ... May be
                                          repeated.
                  --cause <cause>         Only plays that began so: sender_request, receiver, cloud, ... May be
                                          repeated.
                  --min <duration>        Leave out plays that played for less, such as 30s.
                  --between <time-time>   Only this time of day, such as 18:00-23:00 or 22:00-02:00, on the clocks
                                          of the time zone.
                  --weekday <days>        Only these days of the week: mon, tue-fri or sat,sun.
                  --limit <count>         Stop after so many.
                  --json                  One JSON object per line. Field names are stable.
                  --csv                   Comma-separated values with a header line (RFC 4180).
                  --data <folder>         Where archive, database and settings are kept. Default:
                                          /var/lib/castledger for root, ~/.local/share/castledger otherwise.
                  --database <url>        A PostgreSQL to use, postgresql://user@host/name, instead of the private
                                          one in the data folder.

                Exit status: 0 printed, 1 nothing in that period, 64 wrong usage, 69 database unreachable,
                  78 mistake in the settings file.
                Example: castledger conflicts --from -7d --min-score 0.8

                """)
    }
}
