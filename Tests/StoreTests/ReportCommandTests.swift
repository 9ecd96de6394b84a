import CastModel
import IO
import TestSupport
import Testing

@testable import Store

// Goal: what the commands print is what one adds up by hand.
// Method: two days of one TV, in Berlin an hour ahead of UTC; the program asks the database they are in.
//
// Sunday: twice 20 s of a short film at 11:00, a gap from 13:00 to 13:43:12 (3% of the day), and a film from 23:30 to
// 01:30. So 40 s and 30 min on Sunday, 1 h 30 min on Monday; 1,440 - 43.2 min - 30 min 40 s idle on Sunday.
@Suite("The reports of the program", .waits) struct ReportCommandTests {
    private let stage: DayStage
    /// No settings and no names of apps but the program's own.
    private let folder = "/nonexistent/castledger"

    init() throws {
        stage = try DayStage()
        try stage.record(until: "2026-03-02T23:00:00Z") { story in
            story.link("2026-02-28T23:00:00Z", "tv1")
            story.film("2026-03-01T10:00:00Z", "2026-03-01T10:00:20Z", on: "tv1", "Short")
            story.film("2026-03-01T10:01:00Z", "2026-03-01T10:01:20Z", on: "tv1", "Short")
            story.gap("2026-03-01T12:00:00Z", "2026-03-01T12:43:12Z", on: "tv1")
            story.film("2026-03-01T22:30:00Z", "2026-03-02T00:30:00Z", on: "tv1")
        }
    }

    /// Runs the program over both days, on the clocks of Berlin.
    private func run(_ words: [String], from: String = "2026-03-01", to: String = "2026-03-03") throws -> (
        exit: ChildProcess.Exit, text: String
    ) {
        let period = words.contains("--day") ? [] : ["--from", from, "--to", to]
        let (exit, output) = try Program.run(
            words + period + ["--zone", "Europe/Berlin", "--data", folder, "--database", stage.address])
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        return (exit, lines.filter { !$0.hasPrefix("castledger: ") }.joined(separator: "\n"))
    }

    @Test func `have a play in each day that it lies in, and what each day comes to`() throws {
        #expect(
            try run(["report", "as-run"]).text == """
                TV1, 2026-03-01 (Europe/Berlin)
                started   ended     app     title      played  began by        end
                11:00:00  11:00:20  Player  Short      20.0 s  sender request  stopped
                11:01:00  11:01:20  Player  Short      20.0 s  sender request  stopped
                23:30:00  goes on   Player  Film   30 min 0 s  sender request  stopped
                3 plays: at least 30 min 40 s played; 97% observed

                TV1, 2026-03-02 (Europe/Berlin)
                started  ended     app     title      played  began by        end
                before   01:30:00  Player  Film   1 h 30 min  sender request  stopped
                1 play: 1 h 30 min played; 100% observed

                """)
        #expect(
            try run(["report", "as-run", "--day", "2026-03-01", "--group-by", "content"]).text == """
                TV1, 2026-03-01 (Europe/Berlin)
                started   ended     app     title                played  began by        end
                11:00:00  11:01:20  Player  Short [2 plays]      40.0 s  sender request  stopped
                23:30:00  goes on   Player  Film             30 min 0 s  sender request  stopped
                3 plays: at least 30 min 40 s played; 97% observed

                """)
    }

    @Test func `add up`() throws {
        #expect(
            try run(["report", "totals", "--by", "device", "--by", "weekday"]).text == """
                device  plays     played  observed
                TV1         3  2 h 0 min       98%  ████████████████████

                weekday  plays       played  observed
                Monday       1   1 h 30 min      100%  ████████████████████
                Sunday       3  30 min 40 s       97%  ██████▉

                Most at once: 1, first from 2026-03-01 11:00:00 to 2026-03-01 11:00:20 (Europe/Berlin)
                All: 3 plays, at least 2 h 0 min played; 98% observed

                """)
    }

    @Test func `tell how the days were spent`() throws {
        #expect(
            try run(["report", "uptime"]).text == """
                day, Europe/Berlin  device  uptime  observed      playing         idle   unobserved
                2026-03-01          TV1        97%       97%  30 min 40 s  22 h 46 min  43 min 12 s
                2026-03-02          TV1       100%      100%   1 h 30 min  22 h 30 min
                all days            TV1        98%       98%    2 h 0 min     1 d 21 h  43 min 12 s

                """)
    }

    @Test func `draw a day that fits a hundred columns`() throws {
        #expect(
            try run(["timeline", "--chart"], to: "2026-03-02").text == """
                2026-03-01 00:00 to 2026-03-02 00:00, Europe/Berlin
                     00:00       03:00       06:00       09:00       12:00      15:00       18:00       21:00
                TV1  ···········································█·······???·······································██

                █ playing 30 min 40 s   · idle 22 h 46 min   ? unobserved 43 min 12 s

                """)
    }

    @Test func `say the same for programs`() throws {
        let lines = try run(["report", "as-run", "--format", "json"]).text.split(separator: "\n").map {
            try JSONParser().parse(Array($0.utf8))
        }
        #expect(lines.map { $0["row"]?.string } == ["play", "play", "play", "day", "play", "day"])
        #expect(lines.map { $0["part"]?.string } == ["whole", "whole", "first", nil, "last", nil])
        #expect(lines.map { $0["played_seconds"]?.lossyNumber } == [20, 20, 1800, 1840, 5400, 5400])
        #expect(lines[3]["observed_seconds"]?.lossyNumber == 83_808.0, "86,400 less 2,592")
        let csv = try run(["report", "totals", "--by", "day", "--format", "csv"]).text.split(separator: "\r\n")
        #expect(
            csv.dropFirst().map {
                $0.split(separator: ",", omittingEmptySubsequences: false).prefix(5).joined(separator: ",")
            }
                == [
                    "day,2026-03-01,,3,1840.0", "day,2026-03-02,,1,5400.0",
                    "at_once,2026-03-01T10:00:00.000000Z,2026-03-01T10:00:20.000000Z,1,0.0", "all,,,3,7240.0",
                ])
        let audit = try run(["report", "audit", "--kind", "app_started", "--format", "csv"]).text
        #expect(audit.split(separator: "\r\n").count == 4)
        #expect(audit.contains(",a sender,app started: Player,true"))
        let page = try run(["report", "as-run", "--day", "2026-03-01", "--format", "html"])
        #expect(page.text.hasPrefix("<!DOCTYPE html>") && page.text.contains("Film"))
        // Of the film, half an hour lies in that day.
        #expect(page.text.contains("<b>at least 30 min 40 s</b><span>played</span>"))
    }

    @Test func `count only the hours and days that are asked for`() throws {
        // 23:00 to 01:00: half an hour of the film before midnight, and an hour after it.
        let night = try run(["report", "totals", "--by", "day", "--between", "23:00-01:00"]).text
        #expect(night.contains("All: 1 play, 1 h 30 min played; 100% observed"), "\(night)")
        let sunday = try run(["report", "totals", "--by", "day", "--weekday", "sun"]).text
        #expect(sunday.contains("All: 3 plays, at least 30 min 40 s played; 97% observed"), "\(sunday)")
        // From 13:00 to 14:00 there is an hour on each day; 43.2 of 120 minutes were missed.
        let covered = try run(["coverage", "--between", "13:00-14:00", "--csv"]).text
        #expect(covered.contains("3600") && covered.contains("1008"), "\(covered)")
    }

    // The gap is from 13:00 to 13:43:12 on Sunday. From 12:30 to 13:30 half an hour of it is left, of Mondays nothing.
    @Test func `show spans and bars only of the hours and days that are asked for`() throws {
        let gaps = try run(["coverage", "--gaps", "--between", "12:30-13:30", "--csv"]).text.split(separator: "\r\n")
        #expect(gaps.count == 2)
        #expect(gaps.last?.contains("2026-03-01T12:00:00.000000Z,2026-03-01T12:30:00.000000Z") == true, "\(gaps)")
        #expect(try run(["coverage", "--gaps", "--weekday", "mon"]).exit == .code(1))
        // Of two days the hours from 23:00 to 02:00: of the film, 30 min on Sunday, and 1 h 30 min on Monday.
        let chart = try run(["timeline", "--chart", "--between", "23:00-02:00"]).text
        #expect(chart.contains("█ playing 2 h 0 min   · idle 4 h 0 min\n"), "\(chart)")
        let monday = try run(["timeline", "--chart", "--weekday", "mon"]).text
        #expect(monday.contains("█ playing 1 h 30 min   · idle 22 h 30 min\n"), "\(monday)")
    }

    @Test(arguments: [
        ("as-run", "What was played"), ("totals", "What it adds up to"), ("uptime", "How devices spent their days"),
        ("audit", "Who did what"),
    ])
    func `are pages as well`(report: String, title: String) throws {
        let page = try run(["report", report, "--format", "html"])
        #expect(page.exit == .code(0))
        #expect(page.text.hasPrefix("<!DOCTYPE html>") && page.text.hasSuffix("</html>\n"))
        #expect(page.text.contains("<h1>\(title)</h1>"))
        // Without scripts, and fetching nothing.
        #expect(
            page.text.contains("default-src 'none'") && !page.text.contains("<script") && !page.text.contains("src="))
        #expect(page.text.contains("TV1"))
        let table = try run(["report", report]).text
        for word in ["Short", "43 min 12 s", "2 h 0 min", "app started: Player"] where table.contains(word) {
            #expect(page.text.contains(word), "\(word)")
        }
    }

    @Test(arguments: [
        ["report", "as-run", "--day", "2026-02-30"], ["report", "as-run", "--day", "tomorrow"],
        ["report", "totals", "--between", "25:00-26:00"], ["report", "totals", "--weekday", "someday"],
        ["report", "totals", "--end-reason", "finishd"], ["report", "as-run", "--device", "Nobody"],
        ["report", "as-run", "--group-by", "content", "--format", "html"], ["timeline", "--chart", "--title", "Film"],
    ])
    func `refuse what makes no sense`(words: [String]) throws {
        #expect(try run(words).exit == .code(64))
    }
}
