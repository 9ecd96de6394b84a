import Arguments
import Testing

// Goal: help says what the program does, word for word, so that a change of either is seen.
// Method: every page as a whole, reviewed by eye; a blank before the quotes ends the page with a newline.
@Suite("The help of the recording commands") struct RecordHelpTests {
    @Test func `'castledger --help' prints this page`() throws {
        #expect(
            try helpPage("--help") == """
                castledger: record what happens on your Cast devices, whichever sender causes it

                Usage: castledger <command> [options]

                Record
                  record          Watch every device on the network and archive what it reports.
                  serve           Show the page for a ledger that is recorded elsewhere, or not at the moment.
                                  Changes nothing.
                  demo            Record a simulated evening: needs no device, touches nothing but this machine.
                  fleet           Simulate devices, to try castledger without owning one.
                  status          Ask the running recorder how it is. Changes nothing.
                  doctor          Check what recording needs: discovery, devices, limits, clock, database, disk.
                                  Changes nothing.
                  doctor cors     Ask media and track servers whether a receiver app may read them: why captions do
                                  not show.

                Read
                  devices         List devices, with name, id and when last heard.
                  timeline        Print what happened, oldest first, and who caused it.
                  watch           Print changes as they come, one line each, for people or pipes.
                  plays           Print what was played: one row per content item, oldest first.
                  conflicts       Print who undid whom: takeovers, and fights over volume and the like.
                  export          Write what was played into a file that other programs open.
                  coverage        Print how much of each device and day was observed, and why not the rest.
                  events          Print change events as a table, JSON Lines or CSV, oldest first.
                  frames          Print the frames themselves, from the archive, in its order.
                  explain         Print what a log of Cast messages means, without recording anything.
                  apps            List the receiver apps known by id, yours included.

                Report
                  report as-run   Print what each device played, day by day, with totals.
                  report totals   Add up what was played: by device, app, title, hour and weekday; the most at once.
                  report uptime   Print how each device spent its days: reachable, playing, idle.
                  report audit    Print every change event in words, with who caused it.

                Care for the archive
                  archive list    List the archive's segments: positions, times, sizes.
                  archive cat     Print records as JSON Lines, exactly as archived.
                  archive verify  Read every record and check sums, chain and positions. Changes nothing.
                  archive repair  Set aside what a crash left behind the last whole batch.
                  archive prune   Remove the oldest segments, and say so in the archive.
                  rebuild         Drop this archive's rows from the database and replay the archive into it. Safe to
                                  repeat.

                'castledger <command> --help' explains one command, with an example.

                """)
    }

    @Test func `'castledger record --help' prints this page`() throws {
        #expect(
            try helpPage("record", "--help") == """
                Usage: castledger record [--data <folder>] [--database <url>] [--device <host[:port]>...]
                       [--no-discovery] [--site <name>] [--attach <mode>] [--allow-device <name|id|model>...]
                       [--deny-device <name|id|model>...] [--allow-app <name|id>...] [--deny-app <name|id>...]
                       [--apps <file>] [--redact <what>...] [--keep <duration>] [--keep-size <size>]
                       [--keep-free <share>] [--listen <address:port>] [--token-file <file>] [--host-name <name>...]
                       [--tls-certificate <file>] [--tls-key <file>] [--artwork] [--webhook-url <url>]
                       [--webhook-secret-file <file>] [--webhook-on <kind>...]

                Watch every device on the network and archive what it reports.

                Joins whatever runs as one more sender that only listens. Runs until SIGINT or SIGTERM. Options may
                also stand in the settings file castledger.conf in the data folder ('site = Lobby'), or in the
                environment (CASTLEDGER_SITE). The command line wins over the environment, that over the file.

                  --data <folder>                  Where archive, database and settings are kept. Default:
                                                   /var/lib/castledger for root, ~/.local/share/castledger
                                                   otherwise.
                  --database <url>                 A PostgreSQL to use, postgresql://user@host/name, instead of the
                                                   private one in the data folder.
                  --device <host[:port]>           Record this device too, found or not; port 8009 unless said. May
                                                   be repeated.
                  --no-discovery                   Record only the devices given with --device.
                  --site <name>                    Name of the place that this recorder watches, kept with its
                                                   records.
                  --attach <mode>                  How to join receiver apps. With 'weak' and 'strong' the app is
                                                   told of us, and 'strong' may keep it alive; 'platform' joins
                                                   none. Default: invisible.
                  --allow-device <name|id|model>   Record only such devices. May be repeated.
                  --deny-device <name|id|model>    Never connect to such devices. May be repeated.
                  --allow-app <name|id>            Join only such receiver apps. May be repeated.
                  --deny-app <name|id>             Never join such receiver apps. May be repeated.
                  --apps <file>                    Names and quirks of receiver apps that castledger does not know,
                                                   merged over those it knows. Default: apps.json in the data
                                                   folder, when it is there.
                  --redact <what>                  'titles': the database keeps apps, times and durations, and not
                                                   what was played. 'archive': secrets are left out of the archive,
                                                   too. May be repeated.
                  --keep <duration>                Keep so much of the archive, 90d or 36h; older segments are
                                                   pruned once the database has them. Default: all.
                  --keep-size <size>               Prune the oldest segments while the archive has more than this on
                                                   disk: 50G.
                  --keep-free <share>              Prune the oldest segments while less than this share of the file
                                                   system is free: 10%.
                  --listen <address:port>          Where the page and the interface for programs are reached, or
                                                   'none'. Any other address than this machine's own needs a token.
                                                   Default: 127.0.0.1:8380.
                  --token-file <file>              A file with a token of 16 or more characters that everybody must
                                                   show who asks.
                  --host-name <name>               A name by which the page may be asked, besides 'localhost' and
                                                   addresses. May be repeated.
                  --tls-certificate <file>         Serve the page with TLS: the certificate and its chain, PEM.
                  --tls-key <file>                 The key of --tls-certificate, PEM.
                  --artwork                        Let the page show pictures that apps name: each browser then asks
                                                   their servers, which learn who watches what.
                  --webhook-url <url>              Send notices there with POST, as JSON, each at least once.
                  --webhook-secret-file <file>     A file with the secret that notices are signed with: header
                                                   Castledger-Signature.
                  --webhook-on <kind>              Send only such notices: play_started, play_ended, conflict,
                                                   device_down, device_up, app_not_allowed, gap or archive_trouble.
                                                   May be repeated. Default: all.

                Exit status: 0 stopped in good order, 64 wrong usage, 69 database unreachable, 70 internal error,
                  73 data folder not writable, 74 read or write error, 75 another recorder uses the data folder,
                  77 data folder of another user, 78 mistake in the settings file.
                Example: castledger record --device 192.0.2.17 --no-discovery

                """)
    }

    @Test func `'castledger demo --help' prints this page`() throws {
        #expect(
            try helpPage("demo", "--help") == """
                Usage: castledger demo [--data <folder>] [--devices <count>] [--groups <count>] [--scenario <name>]
                       [--seed <number>] [--for <duration>] [--listen <address:port>]

                Record a simulated evening: needs no device, touches nothing but this machine.

                Runs a fleet of simulated devices on loopback and a recorder that watches them. While it runs, ask
                it with 'castledger timeline --data <folder>'.

                  --data <folder>           Where the demo keeps its ledger; for root in a folder closed to others,
                                            as /root is, /var/lib/castledger-demo. Default: ./castledger-demo.
                  --devices <count>         How many devices to simulate. Default: 3.
                  --groups <count>          How many groups to simulate beside the devices, each of up to six that
                                            are no TVs. Default: 1.
                  --scenario <name>         What happens: 'evening' at home, 'two-phones' that fight over one TV,
                                            'fights' and what looks like them, labelled in the truth file, 'days'
                                            and nights as they are, 'idle' (nothing), or 'chatter' (one status per
                                            second and device). Default: evening.
                  --seed <number>           The same seed gives the same evening. Default: 1.
                  --for <duration>          End after 90s, 5m or 2h. Default: never.
                  --listen <address:port>   Where the page and the interface for programs are reached, or 'none'.
                                            Any other address than this machine's own needs a token. Default:
                                            127.0.0.1:8380.

                Exit status: 0 stopped in good order, 64 wrong usage, 69 database unreachable, 70 internal error,
                  73 data folder not writable, 74 read or write error, 75 another recorder uses the data folder,
                  77 data folder of another user.
                Example: castledger demo --devices 3 --for 1m

                """)
    }

    @Test func `'castledger fleet --help' prints this page`() throws {
        #expect(
            try helpPage("fleet", "--help") == """
                Usage: castledger fleet [--devices <count>] [--groups <count>] [--scenario <name>] [--seed <number>]
                       [--port <port>] [--address <address>] [--advertise] [--fetch-media] [--truth <file>]
                       [--for <duration>] [--history <duration>] [--from <time>] [--data <folder>] [--heartbeats]

                Simulate devices, to try castledger without owning one.

                Each speaks the Cast protocol over TLS on a loopback address, with simulated phones as senders. With
                --history nobody answers: weeks pass in minutes, and 'castledger rebuild' makes a database of them.

                  --devices <count>      How many devices to simulate. Default: 3.
                  --groups <count>       How many groups to simulate beside the devices, each of up to six that are
                                         no TVs. Default: 0.
                  --scenario <name>      What happens: 'evening' at home, 'two-phones' that fight over one TV,
                                         'fights' and what looks like them, labelled in the truth file, 'days' and
                                         nights as they are, 'idle' (nothing), or 'chatter' (one status per second
                                         and device). Default: evening; with --history: days.
                  --seed <number>        The same seed gives the same evening. Default: 1.
                  --port <port>          TCP port of the first device; the others take the ports after it. 0 takes
                                         any free ones. Default: 8009.
                  --address <address>    Give each device an address of its own, counting up from this one, such as
                                         127.77.0.1, all on --port.
                  --advertise            Announce the devices on the network through Avahi.
                  --fetch-media          Let the devices fetch http content from loopback addresses, and discard it;
                                         VLC needs that.
                  --truth <file>         Write what really happened to this file, as JSON Lines.
                  --for <duration>       End after 90s, 5m or 2h. Default: never.
                  --history <duration>   Instead of answering on the network, write the archive that a recorder
                                         would have made of so much time into --data: 30d or 36h.
                  --from <time>          With --history: when it begins, as 2026-03-01. Default: so that it ends
                                         with the last midnight, UTC.
                  --data <folder>        With --history: a data folder that holds no archive yet.
                  --heartbeats           With --history: write heartbeats, too, 69,000 records a day and device.
                                         Left out otherwise, but for one sign of life before a device loses its
                                         power.

                Exit status: 0 stopped in good order, 64 wrong usage, 69 an address or port is taken,
                  70 internal error, 73 truth file or data folder not writable, 74 read or write error.
                Example: castledger fleet --history 30d --devices 20 --data ./a-month

                """)
    }

    @Test func `'castledger status --help' prints this page`() throws {
        #expect(
            try helpPage("status", "--help") == """
                Usage: castledger status [--devices] [--json] [--data <folder>]

                Ask the running recorder how it is. Changes nothing.

                Degraded means that a person should look: the disk refuses writes, does not answer for 5 s or is
                nearly full (less than 5% or two days at the present rate); frames could not be kept in the last
                hour; the database is in trouble or 60 s behind; discovery fails; no device is linked for 60 s, or
                there are more than 20,000; a thread is silent for 30 s; nine tenths of the files that may be open
                are; the settings were read again and have a mistake. A single device that is away is not: people
                unplug televisions.

                  --devices         Tell of each device, too.
                  --json            One JSON object per line. Field names are stable.
                  --data <folder>   Where archive, database and settings are kept. Default: /var/lib/castledger for
                                    root, ~/.local/share/castledger otherwise.

                Exit status: 0 healthy, 1 degraded, 2 down, 64 wrong usage, 77 the recorder belongs to another user.
                Example: castledger status --devices

                """)
    }

    @Test func `'castledger doctor cors --help' prints this page`() throws {
        #expect(
            try helpPage("doctor", "cors", "--help") == """
                Usage: castledger doctor cors [<url>...] [--origin <url>] [--device <name|id>] [--data <folder>]
                       [--database <url>] [--json]

                Ask media and track servers whether a receiver app may read them: why captions do not show.

                Without a URL: the addresses of media that was seen with text tracks, newest first. Each is asked as
                a receiver app would (Origin, Range, and a preflight), from this machine; nothing else in the
                program asks anybody. Addresses that others said are not asked where they lead to this machine.

                  [<url>...]           What to ask, http or https.
                  --origin <url>       Ask as a page of this origin: the Default Media Receiver's, unless said.
                                       Default: https://www.gstatic.com.
                  --device <name|id>   Friendly name or device id; 'castledger devices' lists both.
                  --data <folder>      Where archive, database and settings are kept. Default: /var/lib/castledger
                                       for root, ~/.local/share/castledger otherwise.
                  --database <url>     A PostgreSQL to use, postgresql://user@host/name, instead of the private one
                                       in the data folder.
                  --json               One JSON object per line. Field names are stable.

                Exit status: 0 nothing failed, 1 a server does not allow it, or nothing was seen with tracks,
                  64 wrong usage, 69 database unreachable, 78 mistake in the settings file.
                Example: castledger doctor cors https://media.example/film.mp4 https://media.example/film.en.vtt

                """)
    }

    @Test func `'castledger doctor --help' prints this page`() throws {
        #expect(
            try helpPage("doctor", "--help") == """
                Usage: castledger doctor [--data <folder>] [--database <url>] [--device <host[:port]>...] [--json]

                Check what recording needs: discovery, devices, limits, clock, database, disk. Changes nothing.

                One line per check: ok, warn or fail, what it means, and what to do.

                  --data <folder>          Where archive, database and settings are kept. Default:
                                           /var/lib/castledger for root, ~/.local/share/castledger otherwise.
                  --database <url>         A PostgreSQL to use, postgresql://user@host/name, instead of the private
                                           one in the data folder.
                  --device <host[:port]>   Check this device too. May be repeated.
                  --json                   One JSON object per line. Field names are stable.

                Exit status: 0 nothing failed, 1 a check failed, 64 wrong usage, 78 mistake in the settings file.
                Example: castledger doctor --device 192.0.2.17

                """)
    }
}
