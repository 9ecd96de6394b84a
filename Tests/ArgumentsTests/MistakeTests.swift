import Arguments
import Testing

@Suite("A mistaken command line") struct MistakeTests {
    @Test func `suggests the option that was meant`() {
        #expect(
            mistakes("timeline", "--devcie", "TV") == [
                "castledger timeline: unknown option '--devcie'. Did you mean '--device'?",
                "'castledger timeline --help' explains it.",
            ])
    }

    @Test func `reports all mistakes at once`() {
        #expect(
            mistakes("events", "--from", "yesterdey", "--csv=yes", "TV", "--limit", "0", "--json", "--to") == [
                "castledger events: 'yesterdey' is no value for option '--from'. "
                    + "Expected a time such as 2026-03-01, 2026-03-01T20:15, -2h or now.",
                "castledger events: option '--csv' takes no value, yet 'yes' was given.",
                "castledger events: unexpected word 'TV'. Options begin with two dashes; "
                    + "quote names that contain blanks.",
                "castledger events: '0' is no value for option '--limit'. "
                    + "Expected a whole number from 1 to 1000000000.",
                "castledger events: option '--to' needs a value: "
                    + "a time such as 2026-03-01, 2026-03-01T20:15, -2h or now.",
                "castledger events: options '--json' and '--csv' exclude each other.",
                "'castledger events --help' explains it.",
            ])
    }

    @Test func `does not take the next option for a value`() {
        #expect(
            mistakes("timeline", "--device", "--json") == [
                "castledger timeline: option '--device' needs a value: a text.",
                "'castledger timeline --help' explains it.",
            ])
    }

    @Test func `names an option given twice`() {
        #expect(
            mistakes("timeline", "--device", "a", "--device", "b").first
                == "castledger timeline: option '--device' was given twice; once is enough.")
    }

    @Test func `suggests the command that was meant`() {
        #expect(
            mistakes("timelime") == [
                "castledger: unknown command 'timelime'. Did you mean 'timeline'?",
                "'castledger --help' explains the commands.",
            ])
        #expect(mistakes("recrod").first == "castledger: unknown command 'recrod'. Did you mean 'record'?")
        #expect(mistakes("xyzzy").first == "castledger: unknown command 'xyzzy'.")
        #expect(mistakes("--verison").first == "castledger: unknown option '--verison'. Did you mean '--version'?")
    }

    @Test func `lists the members of a family`() {
        #expect(
            mistakes("archive").first
                == "castledger: 'archive' is a family of commands. Say which: list, cat, verify, repair, prune.")
        #expect(
            mistakes("archive", "verfiy").first
                == "castledger: unknown command 'archive verfiy'. Did you mean 'archive verify'?")
    }

    @Test(arguments: [["--from", "-2h"], ["--to", "-1h"], ["--device", "TV"], ["--limit", "3"]])
    func `names what would silently do nothing beside the frame of an event`(words: [String]) throws {
        #expect(
            mistakes("frames", "--event", "812/0", words[0], words[1]) == [
                "castledger frames: options '--event' and '\(words[0])' exclude each other.",
                "'castledger frames --help' explains it.",
            ])
        #expect(
            try arguments("frames", "--event", "812/0", "--around", "3", "--namespace", "media").text(.event) == "812/0"
        )
    }

    @Test func `takes every word after two dashes as a word`() {
        #expect(
            mistakes("devices", "--", "--json").first
                == "castledger devices: unexpected word '--json'. Options begin with two dashes; "
                + "quote names that contain blanks.")
    }

    @Test func `is refused when a word is not among the choices`() {
        #expect(
            mistakes("record", "--attach", "loud").first
                == "castledger record: 'loud' is no value for option '--attach'. "
                + "Expected platform, invisible, weak or strong.")
    }
}

@Suite("Settings") struct SettingsTests {
    @Test func `come from the file, below the environment, below the command line`() throws {
        let file = SettingsFile(
            path: "/data/castledger.conf",
            text: """
                # where we are
                site = Lobby
                device = 192.0.2.1
                device = 192.0.2.2:9000
                no-discovery = yes
                database=postgresql://ledger@db/ledger?a=b

                """)
        let fromFile = try arguments("record", settings: file)
        #expect(fromFile.text(.site) == "Lobby")
        #expect(fromFile.texts(.deviceAddress) == ["192.0.2.1", "192.0.2.2:9000"])
        #expect(fromFile.has(.noDiscovery))
        #expect(fromFile.text(.database) == "postgresql://ledger@db/ledger?a=b")

        let environment = [
            "CASTLEDGER_SITE": "Bar", "CASTLEDGER_DEVICE": "192.0.2.7, 192.0.2.8", "CASTLEDGER_NO_DISCOVERY": "no",
        ]
        let fromEnvironment = try arguments("record", environment: environment, settings: file)
        #expect(fromEnvironment.text(.site) == "Bar")
        #expect(fromEnvironment.texts(.deviceAddress) == ["192.0.2.7", "192.0.2.8"])
        #expect(!fromEnvironment.has(.noDiscovery))

        let fromLine = try arguments("record", "--site", "Roof", environment: environment, settings: file)
        #expect(fromLine.text(.site) == "Roof")
    }

    @Test func `that concern another command are left alone`() throws {
        let file = SettingsFile(path: "castledger.conf", text: "site = Lobby\ndevice = 192.0.2.1")
        #expect(try arguments("timeline", settings: file).text(.deviceSought) == nil)
    }

    @Test func `with mistakes are refused, each with its line`() {
        let file = SettingsFile(
            path: "/data/castledger.conf", text: "stie = Lobby\n\nnonsense\nno-discovery = perhaps\ndata = /elsewhere")
        #expect(
            mistakes("record", settings: file) == [
                "castledger record: /data/castledger.conf, line 3: expected 'key = value', "
                    + "or a comment that begins with '#'.",
                "castledger record: /data/castledger.conf, line 1: unknown setting 'stie'. Did you mean 'site'?",
                "castledger record: 'perhaps' is no value for 'no-discovery' in /data/castledger.conf, line 4. "
                    + "Expected yes or no.",
                "castledger record: /data/castledger.conf, line 5: unknown setting 'data'.",
                "'castledger record --help' explains it.",
            ])
    }

    @Test func `with mistakes are told in one line without a program's name, for a recorder that runs on`() throws {
        let file = SettingsFile(path: "castledger.conf", text: "keep = 7x\nsite = Lobby\nnonsense")
        let surroundings = Program.Surroundings(environment: [:], settings: file, now: 0)
        do throws(UsageError) {
            _ = try Program.castledger.parse(["record"], in: surroundings)
            Issue.record("these settings are mistaken")
        } catch {
            #expect(
                error.description
                    == "castledger.conf, line 3: expected 'key = value', or a comment that begins with '#'. "
                    + "'7x' is no value for 'keep' in castledger.conf, line 1. "
                    + "Expected a duration such as 90s, 5m, 1h30m or 7d.")
        }
    }

    @Test func `in the environment name their variable when they are wrong`() {
        #expect(
            mistakes("record", environment: ["CASTLEDGER_ATTACH": "loud"]).first
                == "castledger record: 'loud' is no value for the environment variable CASTLEDGER_ATTACH. "
                + "Expected platform, invisible, weak or strong.")
    }

    @Test func `that are empty in the environment, or of others, count as not set`() throws {
        let environment = ["CASTLEDGER_SITE": "", "CASTLEDGER_PORT_8380_TCP": "tcp://10.0.0.1:8380"]
        #expect(try arguments("record", environment: environment).text(.site) == nil)
    }
}
