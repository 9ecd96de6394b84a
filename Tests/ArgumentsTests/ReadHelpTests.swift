import Arguments
import Testing

// Goal: help says what the program does, word for word, so that a change of either is seen.
// Method: every page as a whole, reviewed by eye; a blank before the quotes ends the page with a newline.
@Suite("The help of the reading commands") struct ReadHelpTests {
    @Test func `'castledger devices --help' prints this page`() throws {
        #expect(
            try helpPage("devices", "--help") == """
                Usage: castledger devices [--discover] [--json] [--data <folder>] [--database <url>]

                List devices, with name, id and when last heard.

                  --discover         Ask the network for 3 s instead of the ledger. Connects to no device.
                  --json             One JSON object per line. Field names are stable.
                  --data <folder>    Where archive, database and settings are kept. Default: /var/lib/castledger for
                                     root, ~/.local/share/castledger otherwise.
                  --database <url>   A PostgreSQL to use, postgresql://user@host/name, instead of the private one in
                                     the data folder.

                Exit status: 0 printed, 1 no device known, 64 wrong usage, 69 database unreachable,
                  73 data folder not writable, 77 data folder of another user, 78 mistake in the settings file.
                Example: castledger devices --json

                """)
    }

    @Test func `'castledger timeline --help' prints this page`() throws {
        #expect(
            try helpPage("timeline", "--help") == """
                Usage: castledger timeline [--device <name|id>] [--from <time>] [--to <time>] [--zone <name>]
                       [--local] [--group <name|id>] [--site <name>] [--app <name|id>] [--title <text>]
                       [--end-reason <reason>...] [--cause <cause>...] [--min <duration>] [--between <time-time>]
                       [--weekday <days>] [--chart] [--limit <count>] [--json] [--apps <file>] [--data <folder>]
                       [--database <url>]

                Print what happened, oldest first, and who caused it.

                In brackets stands the cause: 'sender request 41' for a sender, 'receiver' for the device or app
                itself, 'snapshot' for what was already so when castledger looked. 'Probably sender 2' is inferred:
                the second one seen in that app session. A line marked 'no change' repeats what was already so.
                Filters of plays leave what happened while such a play was on.

                  --device <name|id>      Friendly name or device id; 'castledger devices' lists both.
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
                  --chart                 Bars, one line per device, with totals, instead of the story. Fits the
                                          width.
                  --limit <count>         Stop after so many.
                  --json                  One JSON object per line. Field names are stable.
                  --apps <file>           Names and quirks of receiver apps that castledger does not know, merged
                                          over those it knows. Default: apps.json in the data folder, when it is
                                          there.
                  --data <folder>         Where archive, database and settings are kept. Default:
                                          /var/lib/castledger for root, ~/.local/share/castledger otherwise.
                  --database <url>        A PostgreSQL to use, postgresql://user@host/name, instead of the private
                                          one in the data folder.

                Exit status: 0 printed, 1 nothing in that period, 64 wrong usage, 69 database unreachable,
                  73 data folder not writable, 77 data folder of another user, 78 mistake in the settings file.
                Example: castledger timeline --device "Living Room" --from -2h

                """)
    }

    @Test func `'castledger events --help' prints this page`() throws {
        #expect(
            try helpPage("events", "--help") == """
                Usage: castledger events [--device <name|id>] [--kind <kind>...] [--from <time>] [--to <time>]
                       [--zone <name>] [--local] [--group <name|id>] [--site <name>] [--app <name|id>]
                       [--title <text>] [--end-reason <reason>...] [--cause <cause>...] [--min <duration>]
                       [--between <time-time>] [--weekday <days>] [--limit <count>] [--json] [--csv]
                       [--data <folder>] [--database <url>]

                Print change events as a table, JSON Lines or CSV, oldest first.

                Filters of plays leave what happened while such a play was on.

                  --device <name|id>      Friendly name or device id; 'castledger devices' lists both.
                  --kind <kind>           Only such change events: seeked, app_started, ... May be repeated.
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
                  73 data folder not writable, 77 data folder of another user, 78 mistake in the settings file.
                Example: castledger events --kind app_started --kind app_stopped --from 2026-03-01 --csv

                """)
    }

    @Test func `'castledger frames --help' prints this page`() throws {
        #expect(
            try helpPage("frames", "--help") == """
                Usage: castledger frames [--device <name|id>] [--namespace <text>] [--from <time>] [--to <time>]
                       [--event <position[/ordinal]>] [--around <count>] [--local] [--limit <count>] [--json]
                       [--raw] [--data <folder>]

                Print the frames themselves, from the archive, in its order.

                Tokens, passwords and other secrets are left out, and binary payloads; titles and names are not.
                With --raw everything is printed as received.

                  --device <name|id>             Friendly name or device id; 'castledger devices' lists both.
                  --namespace <text>             Only frames whose namespace ends in this: media, receiver, ...
                  --from <time>                  First moment to print: 2026-03-01, 2026-03-01T20:15, or -2h.
                                                 Default: -24h.
                  --to <time>                    First moment not to print. Default: now.
                  --event <position[/ordinal]>   The frame behind a change event, whenever it was: 'castledger
                                                 events' names each. The ordinal does not matter.
                  --around <count>               With --event: so many frames of the same device before and after.
                                                 Default: 0.
                  --local                        Read and print times in this machine's time zone instead of UTC.
                  --limit <count>                Stop after so many.
                  --json                         One JSON object per line. Field names are stable.
                  --raw                          Print payloads as received, secrets included.
                  --data <folder>                Where archive, database and settings are kept. Default:
                                                 /var/lib/castledger for root, ~/.local/share/castledger otherwise.

                Exit status: 0 printed, 1 nothing in that period, 64 wrong usage, 65 archive damaged,
                  74 archive unreadable, 77 data folder of another user.
                Example: castledger frames --device "Living Room" --namespace media --from -5m

                """)
    }

    @Test func `'castledger explain --help' prints this page`() throws {
        #expect(
            try helpPage("explain", "--help") == """
                Usage: castledger explain <file>... [--plays] [--conflicts] [--rule <name=value>...] [--local]
                       [--json]

                Print what a log of Cast messages means, without recording anything.

                A log is a segment of an archive, plain or compressed; JSON Lines with t, dir, source_id,
                destination_id, namespace and payload (device too where it tells of several); or payloads alone, one
                per line. Seconds count from 2000-01-01; a line without t comes a second after the one before. Below
                the story stands who undid whom in it, if anybody did.

                  <file>...             Logs to read, in this order; '-' is the standard input.
                  --plays               The plays that the messages make, instead of the change events.
                  --conflicts           Who undid whom in the messages, instead of the change events.
                  --rule <name=value>   Work the conflicts out anew with another threshold, such as
                                        volume_fight.undoings=3. May be repeated.
                  --local               Read and print times in this machine's time zone instead of UTC.
                  --json                One JSON object per line. Field names are stable.

                Exit status: 0 printed, 1 nothing changed, 64 wrong usage, 65 bad lines, 66 file not readable.
                Example: castledger explain kitchen.jsonl

                """)
    }

    @Test func `'castledger archive list --help' prints this page`() throws {
        #expect(
            try helpPage("archive", "list", "--help") == """
                Usage: castledger archive list [--json] [--data <folder>]

                List the archive's segments: positions, times, sizes.

                  --json            One JSON object per line. Field names are stable.
                  --data <folder>   Where archive, database and settings are kept. Default: /var/lib/castledger for
                                    root, ~/.local/share/castledger otherwise.

                Exit status: 0 printed, 1 no archive yet, 64 wrong usage, 74 archive unreadable,
                  77 data folder of another user.
                Example: castledger archive list

                """)
    }

    @Test func `'castledger archive cat --help' prints this page`() throws {
        #expect(
            try helpPage("archive", "cat", "--help") == """
                Usage: castledger archive cat [--device <name|id>] [--namespace <text>] [--from <time>]
                       [--to <time>] [--local] [--from-position <number>] [--to-position <number>] [--data <folder>]

                Print records as JSON Lines, exactly as archived.

                An index beside each segment says where to look. It is made when it is missing, and holds nothing
                that the archive does not.

                  --device <name|id>         Friendly name or device id; 'castledger devices' lists both.
                  --namespace <text>         Only frames whose namespace ends in this: media, receiver, ...
                  --from <time>              First moment to print: 2026-03-01, 2026-03-01T20:15, or -2h. Default:
                                             the oldest.
                  --to <time>                First moment not to print. Default: the newest.
                  --local                    Read and print times in this machine's time zone instead of UTC.
                  --from-position <number>   First archive position to print. Default: 1.
                  --to-position <number>     Last archive position to print. Default: the newest.
                  --data <folder>            Where archive, database and settings are kept. Default:
                                             /var/lib/castledger for root, ~/.local/share/castledger otherwise.

                Exit status: 0 printed, 1 no such record, 64 wrong usage, 65 archive damaged, 74 archive unreadable,
                  77 data folder of another user.
                Example: castledger archive cat --from-position 812 --to-position 830

                """)
    }

    @Test func `'castledger archive verify --help' prints this page`() throws {
        #expect(
            try helpPage("archive", "verify", "--help") == """
                Usage: castledger archive verify [--json] [--data <folder>]

                Read every record and check sums, chain and positions. Changes nothing.

                  --json            One JSON object per line. Field names are stable.
                  --data <folder>   Where archive, database and settings are kept. Default: /var/lib/castledger for
                                    root, ~/.local/share/castledger otherwise.

                Exit status: 0 intact, 1 no archive yet, 64 wrong usage, 65 damaged, 74 archive unreadable,
                  77 data folder of another user.
                Example: castledger archive verify

                """)
    }

    @Test func `'castledger archive repair --help' prints this page`() throws {
        #expect(
            try helpPage("archive", "repair", "--help") == """
                Usage: castledger archive repair [--json] [--data <folder>]

                Set aside what a crash left behind the last whole batch.

                The bytes are kept beside the segment, in a file that ends in .torn. Every start of a recorder does
                the same. Other damage stays as it is and is named.

                  --json            One JSON object per line. Field names are stable.
                  --data <folder>   Where archive, database and settings are kept. Default: /var/lib/castledger for
                                    root, ~/.local/share/castledger otherwise.

                Exit status: 0 repaired, or nothing to repair, 1 no archive yet, 64 wrong usage,
                  65 other damage is left, 73 data folder not writable, 74 archive unreadable,
                  75 another recorder uses the data folder, 77 data folder of another user.
                Example: castledger archive repair

                """)
    }

    @Test func `'castledger archive prune --help' prints this page`() throws {
        #expect(
            try helpPage("archive", "prune", "--help") == """
                Usage: castledger archive prune [--keep <duration>] [--keep-size <size>] [--keep-free <share>]
                       [--dry-run] [--yes] [--data <folder>] [--database <url>]

                Remove the oldest segments, and say so in the archive.

                Whole segments, oldest first, never the newest, and none that the database has not applied. A record
                in the archive tells what went and why, so that 'archive verify' holds for the rest. While a
                recorder runs, it prunes by itself: 'castledger record --keep 90d'.

                  --keep <duration>     Keep so much of the archive, 90d or 36h; older segments are pruned once the
                                        database has them. Default: all.
                  --keep-size <size>    Prune the oldest segments while the archive has more than this on disk: 50G.
                  --keep-free <share>   Prune the oldest segments while less than this share of the file system is
                                        free: 10%.
                  --dry-run             Say what would go, and change nothing.
                  --yes                 Do it, for ever.
                  --data <folder>       Where archive, database and settings are kept. Default: /var/lib/castledger
                                        for root, ~/.local/share/castledger otherwise.
                  --database <url>      A PostgreSQL to use, postgresql://user@host/name, instead of the private one
                                        in the data folder.

                Exit status: 0 pruned, 1 nothing to prune, 64 wrong usage, 65 archive damaged,
                  69 database unreachable, 73 data folder not writable, 74 archive unreadable,
                  75 another recorder uses the data folder, 77 data folder of another user,
                  78 mistake in the settings file.
                Example: castledger archive prune --keep 90d --dry-run

                """)
    }

    @Test func `'castledger rebuild --help' prints this page`() throws {
        #expect(
            try helpPage("rebuild", "--help") == """
                Usage: castledger rebuild [--drop-pruned] [--data <folder>] [--database <url>]

                Drop this archive's rows from the database and replay the archive into it. Safe to repeat.

                  --drop-pruned      Also drop rows of records that were pruned: they cannot be made again.
                  --data <folder>    Where archive, database and settings are kept. Default: /var/lib/castledger for
                                     root, ~/.local/share/castledger otherwise.
                  --database <url>   A PostgreSQL to use, postgresql://user@host/name, instead of the private one in
                                     the data folder.

                Exit status: 0 rebuilt, 64 wrong usage, 65 archive damaged, 69 database unreachable,
                  73 data folder not writable, 74 archive unreadable, 75 another recorder uses the data folder,
                  77 data folder of another user, 78 mistake in the settings file.
                Example: castledger rebuild

                """)
    }

    @Test func `'castledger apps --help' prints this page`() throws {
        #expect(
            try helpPage("apps", "--help") == """
                Usage: castledger apps [--apps <file>] [--json] [--data <folder>]

                List the receiver apps known by id, yours included.

                What a device says of an app comes first, always. With --json each line is an element of the array
                'apps' that a file for --apps holds.

                  --apps <file>     Names and quirks of receiver apps that castledger does not know, merged over
                                    those it knows. Default: apps.json in the data folder, when it is there.
                  --json            One JSON object per line. Field names are stable.
                  --data <folder>   Where archive, database and settings are kept. Default: /var/lib/castledger for
                                    root, ~/.local/share/castledger otherwise.

                Exit status: 0 printed, 64 wrong usage, 78 mistake in the settings file.
                Example: castledger apps --apps my-apps.json

                """)
    }

    @Test func `'castledger archive --help' prints this page`() throws {
        #expect(
            try helpPage("archive", "--help") == """
                Usage: castledger archive <command> [options]

                  archive list    List the archive's segments: positions, times, sizes.
                  archive cat     Print records as JSON Lines, exactly as archived.
                  archive verify  Read every record and check sums, chain and positions. Changes nothing.
                  archive repair  Set aside what a crash left behind the last whole batch.
                  archive prune   Remove the oldest segments, and say so in the archive.

                'castledger archive <command> --help' explains one command, with an example.

                """)
    }
}
