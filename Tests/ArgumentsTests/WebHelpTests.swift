import Arguments
import Testing

// Goal: help says what the program does, word for word, so that a change of either is seen.
// Method: every page as a whole, reviewed by eye; a blank before the quotes ends the page with a newline.
@Suite("The help of the commands for live changes") struct WebHelpTests {
    @Test func `'castledger serve --help' prints this page`() throws {
        #expect(
            try helpPage("serve", "--help") == """
                Usage: castledger serve [--data <folder>] [--database <url>] [--apps <file>]
                       [--listen <address:port>] [--token-file <file>] [--host-name <name>...]
                       [--tls-certificate <file>] [--tls-key <file>] [--artwork]

                Show the page for a ledger that is recorded elsewhere, or not at the moment. Changes nothing.

                'castledger record' shows it by itself. Runs until SIGINT or SIGTERM. The interface for programs is
                described at /api/v1/openapi.json, figures for Prometheus are at /metrics.

                  --data <folder>            Where archive, database and settings are kept. Default:
                                             /var/lib/castledger for root, ~/.local/share/castledger otherwise.
                  --database <url>           A PostgreSQL to use, postgresql://user@host/name, instead of the
                                             private one in the data folder.
                  --apps <file>              Names and quirks of receiver apps that castledger does not know, merged
                                             over those it knows. Default: apps.json in the data folder, when it is
                                             there.
                  --listen <address:port>    Where the page and the interface for programs are reached, or 'none'.
                                             Any other address than this machine's own needs a token. Default:
                                             127.0.0.1:8380.
                  --token-file <file>        A file with a token of 16 or more characters that everybody must show
                                             who asks.
                  --host-name <name>         A name by which the page may be asked, besides 'localhost' and
                                             addresses. May be repeated.
                  --tls-certificate <file>   Serve the page with TLS: the certificate and its chain, PEM.
                  --tls-key <file>           The key of --tls-certificate, PEM.
                  --artwork                  Let the page show pictures that apps name: each browser then asks their
                                             servers, which learn who watches what.

                Exit status: 0 stopped in good order, 64 wrong usage, 69 database unreachable, or the port is taken,
                  70 internal error, 73 data folder not writable, 77 data folder of another user,
                  78 mistake in the settings file.
                Example: castledger serve --database postgresql://reader@ledger.example/castledger --listen 127.0.0.1:8381

                """)
    }

    @Test func `'castledger watch --help' prints this page`() throws {
        #expect(
            try helpPage("watch", "--help") == """
                Usage: castledger watch [--device <name|id>...] [--only <what>...] [--after <id>] [--json]
                       [--apps <file>] [--for <duration>] [--data <folder>] [--database <url>]

                Print changes as they come, one line each, for people or pipes.

                Change events, plays that begin or end, and conflicts. With --json each line has 'event', 'id' and
                'data'; --after goes on behind an id, so that nothing is missed. Runs until it is ended.

                  --device <name|id>   Only of this device. May be repeated.
                  --only <what>        Only change events, plays that begin or end, or conflicts. May be repeated.
                  --after <id>         Begin behind the event with this id, instead of now.
                  --json               One JSON object per line. Field names are stable.
                  --apps <file>        Names and quirks of receiver apps that castledger does not know, merged over
                                       those it knows. Default: apps.json in the data folder, when it is there.
                  --for <duration>     End after 90s, 5m or 2h. Default: never.
                  --data <folder>      Where archive, database and settings are kept. Default: /var/lib/castledger
                                       for root, ~/.local/share/castledger otherwise.
                  --database <url>     A PostgreSQL to use, postgresql://user@host/name, instead of the private one
                                       in the data folder.

                Exit status: 0 ended, 64 wrong usage, 69 database unreachable, 73 data folder not writable,
                  77 data folder of another user, 78 mistake in the settings file.
                Example: castledger watch --json --only play

                """)
    }
}
