import Arguments
import Testing

@Suite("Filters on a command line") struct FilterOptionTests {
    @Test(arguments: [
        ("18:00-23:00", 1080, 1380), ("22:00-02:00", 1320, 120), ("0-24:00", 0, 1440), ("7-8", 420, 480),
        ("00:00-00:01", 0, 1), ("23:30-00:00", 1410, 1440), ("12:05-12:04", 725, 724),
    ])
    func `take a time of day`(text: String, from: Int, to: Int) {
        #expect(TimeOfDayRange(text) == TimeOfDayRange(fromMinutes: from, toMinutes: to))
    }

    @Test(arguments: [
        "", "18:00", "18:00-", "-18:00", "18:60-19:00", "25-26", "18:0-19:00", "24:00-25:00", "8-8", "a-b",
        "18:00-19:00-20:00", "+8-9",
    ])
    func `refuse what is no time of day`(text: String) { #expect(TimeOfDayRange(text) == nil) }

    @Test(arguments: [
        ("mon", [1]), ("sunday", [7]), ("Tue-Fri", [2, 3, 4, 5]), ("sat,sun", [6, 7]), ("fri-mon", [1, 5, 6, 7]),
        ("wed,mon,wed", [1, 3]), ("mon-sun", [1, 2, 3, 4, 5, 6, 7]), ("thu-thu", [4]),
    ])
    func `take days of the week`(text: String, days: [Int]) { #expect(Weekdays.parse(text) == days) }

    @Test(arguments: ["", "mo", "mondays", "mon,", "mon-", "mon-wed-fri", "1", "mon tue"])
    func `refuse what are no days of the week`(text: String) { #expect(Weekdays.parse(text) == nil) }

    // The commands that answer from the database, and the filters that cannot mean anything to each: of time that was not
    // observed nobody knows what would have played, and so neither does a share of all time.
    @Test(arguments: [
        ("timeline", ""), ("events", ""), ("plays", ""), ("conflicts", ""), ("export", ""), ("report as-run", ""),
        ("report totals", ""), ("report audit", ""), ("coverage", "--app --title --end-reason --cause --min"),
        ("report uptime", "--app --title --end-reason --cause --min"),
    ])
    func `are the same on every command`(name: String, missing: String) throws {
        let command = try #require(Program.castledger.commands.first { $0.name == name })
        let all = [
            "--device", "--group", "--site", "--app", "--title", "--end-reason", "--cause", "--min", "--between",
            "--weekday",
        ]
        let has = Set(command.options.map(\.name))
        #expect(all.filter { !has.contains($0) }.joined(separator: " ") == missing)
        // None of them keeps another one out; bars are of devices, whatever they play.
        for group in command.exclusive where !group.contains("--chart") {
            #expect(group.allSatisfy { !all.contains($0) }, "\(group)")
        }
    }
}
