import Arguments
import Testing

// Goal: help says what the program does, word for word, so that a change of either is seen.
// Method: every page as a whole, reviewed by eye; a blank before the quotes ends the page with a newline.
@Suite("The help of reports and of coverage") struct ReportHelpTests {
    @Test func `'castledger report as-run --help' prints this page`() throws {
        #expect(
            try helpPage("report", "as-run", "--help") == """
                Usage: castledger report as-run [--device <name|id>] [--day <day>] [--from <time>] [--to <time>]
                       [--zone <name>] [--local] [--group <name|id>] [--site <name>] [--app <name|id>]
                       [--title <text>] [--end-reason <reason>...] [--cause <cause>...] [--min <duration>]
                       [--between <time-time>] [--weekday <days>] [--group-by <word>] [--group-gap <duration>]
                       [--format <format>] [--apps <file>] [--data <folder>] [--database <url>]

                Print what each device played, day by day, with totals.

                A play that lies in several days has a row in each, with what lies in that day, so that the rows of
                a day add up to its total. Totals say how much of the day was observed: with less than all of it,
                the time is a lower bound. Filters choose plays; the coverage is that of the devices, whatever they
                played.

                  --device <name|id>       Friendly name or device id; 'castledger devices' lists both.
                  --day <day>              A day on the clocks of the time zone: 2026-03-01, today or yesterday.
                  --from <time>            First moment to count: 2026-03-01, 2026-03-01T20:15, or -2h. Default: the
                                           beginning of today.
                  --to <time>              First moment not to count. Default: now.
                  --zone <name>            Count days, read and print times in this time zone, such as
                                           Europe/Berlin. Default: UTC.
                  --local                  Read and print times in this machine's time zone instead of UTC.
                  --group <name|id>        Only this group and the devices that are known as its members.
                  --site <name>            Only what recorders of this site saw; 'castledger record --site' names
                                           it.
                  --app <name|id>          Only plays of this receiver app, in any case.
                  --title <text>           Only plays with this text in title, series, artist or album, in any case.
                  --end-reason <reason>    Only plays that ended so: finished, stopped, replaced, ... May be
                                           repeated.
                  --cause <cause>          Only plays that began so: sender_request, receiver, cloud, ... May be
                                           repeated.
                  --min <duration>         Leave out plays that played for less, such as 30s.
                  --between <time-time>    Only this time of day, such as 18:00-23:00 or 22:00-02:00, on the clocks
                                           of the time zone.
                  --weekday <days>         Only these days of the week: mon, tue-fri or sat,sun.
                  --group-by <word>        One row for neighbors of the same device, app and content that lie less
                                           than --group-gap apart. The plays stay what they are.
                  --group-gap <duration>   With --group-by: how far apart they may lie. Default: 2m.
                  --format <format>        A table for people, comma-separated values (RFC 4180), one JSON object
                                           per line, or the page that 'castledger export --format html' writes, with
                                           a timeline. Default: table.
                  --apps <file>            Names and quirks of receiver apps that castledger does not know, merged
                                           over those it knows. Default: apps.json in the data folder, when it is
                                           there.
                  --data <folder>          Where archive, database and settings are kept. Default:
                                           /var/lib/castledger for root, ~/.local/share/castledger otherwise.
                  --database <url>         A PostgreSQL to use, postgresql://user@host/name, instead of the private
                                           one in the data folder.

                Exit status: 0 printed, 1 nothing to print, 64 wrong usage, 69 database unreachable,
                  73 data folder not writable, 77 data folder of another user, 78 mistake in the settings file.
                Example: castledger report as-run --day yesterday --zone Europe/Berlin --format csv

                """)
    }

    @Test func `'castledger report totals --help' prints this page`() throws {
        #expect(
            try helpPage("report", "totals", "--help") == """
                Usage: castledger report totals [--device <name|id>] [--day <day>] [--from <time>] [--to <time>]
                       [--zone <name>] [--local] [--group <name|id>] [--site <name>] [--app <name|id>]
                       [--title <text>] [--end-reason <reason>...] [--cause <cause>...] [--min <duration>]
                       [--between <time-time>] [--weekday <days>] [--by <word>...] [--top <count>]
                       [--format <format>] [--apps <file>] [--data <folder>] [--database <url>]

                Add up what was played: by device, app, title, hour and weekday; the most at once.

                A group's play counts once, for the group. Hours and weekdays are those of the time zone's clocks:
                an hour that they show twice counts twice. In CSV and JSON the row 'at_once' has when most plays
                were on at once: since when as key, until when as name.

                  --device <name|id>      Friendly name or device id; 'castledger devices' lists both.
                  --day <day>             A day on the clocks of the time zone: 2026-03-01, today or yesterday.
                  --from <time>           First moment to count: 2026-03-01, 2026-03-01T20:15, or -2h. Default:
                                          seven days, today included.
                  --to <time>             First moment not to count. Default: now.
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
                  --by <word>             Add up by this. May be repeated. Default: device, app, title, hour and
                                          weekday.
                  --top <count>           Only so many devices, apps and titles, the most played first. Default: 10.
                  --format <format>       A table for people, comma-separated values (RFC 4180), one JSON object per
                                          line, or a page to print. Default: table.
                  --apps <file>           Names and quirks of receiver apps that castledger does not know, merged
                                          over those it knows. Default: apps.json in the data folder, when it is
                                          there.
                  --data <folder>         Where archive, database and settings are kept. Default:
                                          /var/lib/castledger for root, ~/.local/share/castledger otherwise.
                  --database <url>        A PostgreSQL to use, postgresql://user@host/name, instead of the private
                                          one in the data folder.

                Exit status: 0 printed, 1 nothing to print, 64 wrong usage, 69 database unreachable,
                  73 data folder not writable, 77 data folder of another user, 78 mistake in the settings file.
                Example: castledger report totals --by app --by hour --from -30d

                """)
    }

    @Test func `'castledger report uptime --help' prints this page`() throws {
        #expect(
            try helpPage("report", "uptime", "--help") == """
                Usage: castledger report uptime [--device <name|id>] [--day <day>] [--from <time>] [--to <time>]
                       [--zone <name>] [--local] [--group <name|id>] [--site <name>] [--between <time-time>]
                       [--weekday <days>] [--format <format>] [--data <folder>] [--database <url>]

                Print how each device spent its days: reachable, playing, idle.

                Uptime is the share of the time in which we had a link to the device, of the time in which we tried.
                What buffers, loads or shows ads counts as playing. All is as the device tells it: what the screen
                showed, nobody knows.

                  --device <name|id>      Friendly name or device id; 'castledger devices' lists both.
                  --day <day>             A day on the clocks of the time zone: 2026-03-01, today or yesterday.
                  --from <time>           First moment to count: 2026-03-01, 2026-03-01T20:15, or -2h. Default:
                                          seven days, today included.
                  --to <time>             First moment not to count. Default: now.
                  --zone <name>           Count days, read and print times in this time zone, such as Europe/Berlin.
                                          Default: UTC.
                  --local                 Read and print times in this machine's time zone instead of UTC.
                  --group <name|id>       Only this group and the devices that are known as its members.
                  --site <name>           Only what recorders of this site saw; 'castledger record --site' names it.
                  --between <time-time>   Only this time of day, such as 18:00-23:00 or 22:00-02:00, on the clocks
                                          of the time zone.
                  --weekday <days>        Only these days of the week: mon, tue-fri or sat,sun.
                  --format <format>       A table for people, comma-separated values (RFC 4180), one JSON object per
                                          line, or a page to print. Default: table.
                  --data <folder>         Where archive, database and settings are kept. Default:
                                          /var/lib/castledger for root, ~/.local/share/castledger otherwise.
                  --database <url>        A PostgreSQL to use, postgresql://user@host/name, instead of the private
                                          one in the data folder.

                Exit status: 0 printed, 1 nothing to print, 64 wrong usage, 69 database unreachable,
                  73 data folder not writable, 77 data folder of another user, 78 mistake in the settings file.
                Example: castledger report uptime --from 2026-03-01 --to 2026-04-01 --zone Europe/Berlin

                """)
    }

    @Test func `'castledger report audit --help' prints this page`() throws {
        #expect(
            try helpPage("report", "audit", "--help") == """
                Usage: castledger report audit [--device <name|id>] [--day <day>] [--from <time>] [--to <time>]
                       [--zone <name>] [--local] [--kind <kind>...] [--group <name|id>] [--site <name>]
                       [--app <name|id>] [--title <text>] [--end-reason <reason>...] [--cause <cause>...]
                       [--min <duration>] [--between <time-time>] [--weekday <days>] [--limit <count>]
                       [--format <format>] [--apps <file>] [--data <folder>] [--database <url>]

                Print every change event in words, with who caused it.

                'A sender' is a phone, a tablet, a program; which one is inferred, and numbered within an app
                session. 'The device' is the receiver app or the TV itself. 'Found so' was already so when
                castledger looked. Filters of plays leave what happened while such a play was on.

                  --device <name|id>      Friendly name or device id; 'castledger devices' lists both.
                  --day <day>             A day on the clocks of the time zone: 2026-03-01, today or yesterday.
                  --from <time>           First moment to count: 2026-03-01, 2026-03-01T20:15, or -2h. Default: the
                                          beginning of today.
                  --to <time>             First moment not to count. Default: now.
                  --zone <name>           Count days, read and print times in this time zone, such as Europe/Berlin.
                                          Default: UTC.
                  --local                 Read and print times in this machine's time zone instead of UTC.
                  --kind <kind>           Only such change events: seeked, app_started, ... May be repeated.
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
                  --format <format>       A table for people, comma-separated values (RFC 4180), one JSON object per
                                          line, or a page to print. Default: table.
                  --apps <file>           Names and quirks of receiver apps that castledger does not know, merged
                                          over those it knows. Default: apps.json in the data folder, when it is
                                          there.
                  --data <folder>         Where archive, database and settings are kept. Default:
                                          /var/lib/castledger for root, ~/.local/share/castledger otherwise.
                  --database <url>        A PostgreSQL to use, postgresql://user@host/name, instead of the private
                                          one in the data folder.

                Exit status: 0 printed, 1 nothing to print, 64 wrong usage, 69 database unreachable,
                  73 data folder not writable, 77 data folder of another user, 78 mistake in the settings file.
                Example: castledger report audit --device Kitchen --day today --format csv

                """)
    }

    @Test func `'castledger coverage --help' prints this page`() throws {
        #expect(
            try helpPage("coverage", "--help") == """
                Usage: castledger coverage [--device <name|id>] [--from <time>] [--to <time>] [--zone <name>]
                       [--local] [--group <name|id>] [--site <name>] [--between <time-time>] [--weekday <days>]
                       [--gaps] [--json] [--csv] [--data <folder>] [--database <url>]

                Print how much of each device and day was observed, and why not the rest.

                The share is that of the time since the device was first seen, up to the last record. 'With media'
                leaves out the time in which an app ran that we have not joined: not_joined, attach_refused. What
                one of several recorders observed is observed. Shares are rounded down.

                  --device <name|id>      Friendly name or device id; 'castledger devices' lists both.
                  --from <time>           First moment to count: 2026-03-01, 2026-03-01T20:15, or -2h. Default:
                                          seven days, today included.
                  --to <time>             First moment not to count. Default: now.
                  --zone <name>           Count days, read and print times in this time zone, such as Europe/Berlin.
                                          Default: UTC.
                  --local                 Read and print times in this machine's time zone instead of UTC.
                  --group <name|id>       Only this group and the devices that are known as its members.
                  --site <name>           Only what recorders of this site saw; 'castledger record --site' names it.
                  --between <time-time>   Only this time of day, such as 18:00-23:00 or 22:00-02:00, on the clocks
                                          of the time zone.
                  --weekday <days>        Only these days of the week: mon, tue-fri or sat,sun.
                  --gaps                  The spans that were missed, cut to the time asked for, instead of days.
                  --json                  One JSON object per line. Field names are stable.
                  --csv                   Comma-separated values with a header line (RFC 4180).
                  --data <folder>         Where archive, database and settings are kept. Default:
                                          /var/lib/castledger for root, ~/.local/share/castledger otherwise.
                  --database <url>        A PostgreSQL to use, postgresql://user@host/name, instead of the private
                                          one in the data folder.

                Exit status: 0 printed, 1 nothing to print, 64 wrong usage, 69 database unreachable,
                  73 data folder not writable, 77 data folder of another user, 78 mistake in the settings file.
                Example: castledger coverage --from 2026-03-01 --to 2026-04-01 --zone Europe/Berlin

                """)
    }
}
