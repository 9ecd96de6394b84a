import CastModel
import Fleet
import Glibc
import IO
import Recording
import TestSupport
import Testing

@Suite("Coverage of a recorder that was killed", .serialized, .waits)
struct CoverageTests {
    private func moment(_ row: JSONValue, _ field: String) throws -> WallTime {
        try #require(row[field]?.string.flatMap { WallTime(text: $0) }, "\(row.text)")
    }

    private func seconds(_ row: JSONValue, _ field: String) -> Double {
        switch row[field] {
        case .number(let number)?: number
        case .integer(let number)?: Double(number)
        default: -1
        }
    }

    @Test func `shows the gap, and shares that add up`() throws {
        let world = try World(devices: 2, scenario: .idle)
        defer { world.end() }
        try world.startRecorder()
        let both = try eventually { () -> Bool? in
            Set(try world.events(["--kind", "link_opened"]).compactMap { $0["device_id"]?.string }).count == 2
                ? true : nil
        }
        #expect(both == true)
        let killedAt = WallTime(microseconds: Clock.wallMicroseconds())
        world.killRecorder()
        let restartedAt = WallTime(microseconds: Clock.wallMicroseconds())
        try world.startRecorder()
        let over = try eventually { () -> Bool? in
            Set(try world.events(["--kind", "gap_ended"]).compactMap { $0["device_id"]?.string }).count == 2
                ? true : nil
        }
        #expect(over == true)
        try world.waitUntilApplied()
        #expect(world.stopRecorder() == .code(0))

        let ask = ["coverage", "--data", world.data, "--from", "-1d"]
        let gaps = try Program.json(ask + ["--gaps"])
        // Of each device the one of the kill, and the one since the end, which lasts.
        #expect(gaps.count == 4, "\(gaps.map(\.text))")
        #expect(gaps.allSatisfy { $0["reason"]?.string == "recorder_down" && $0["missed"]?.string == "device" })
        let ended = gaps.filter { $0["lasts"] == false }
        #expect(ended.count == 2)
        for gap in ended {
            let (from, to) = (try moment(gap, "from"), try moment(gap, "to"))
            #expect(from <= killedAt && killedAt.seconds(since: from) <= 6, "a device is heard every five seconds")
            #expect(to >= restartedAt)
            #expect(abs(seconds(gap, "seconds") - to.seconds(since: from)) < 1e-6)
        }

        let rows = try Program.json(ask + ["--zone", "Asia/Kolkata"])
        let days = rows.filter { $0["row"]?.string == "day" }
        let sums = rows.filter { $0["row"]?.string == "device" }
        let all = try #require(rows.last { $0["row"]?.string == "all" })
        #expect(sums.count == 2 && days.count >= 2 && rows.count == days.count + sums.count + 1)
        let missed = gaps.map { seconds($0, "seconds") }.reduce(0, +)
        for row in rows {
            let share = seconds(row, "observed_seconds") / seconds(row, "known_seconds")
            #expect(abs(seconds(row, "observed") - share) < 1e-9)
            #expect(row["media_observed_seconds"] == row["observed_seconds"])
        }
        #expect(abs(seconds(all, "known_seconds") - seconds(all, "observed_seconds") - missed) < 1e-3)
        let ofDays = days.map { seconds($0, "observed_seconds") }.reduce(0, +)
        #expect(abs(ofDays - seconds(all, "observed_seconds")) < 1e-3)

        let (exit, table) = try Program.run(ask)
        #expect(exit == .code(0) && table.contains("recorder_down"), "\(table)")
        #expect(table.contains("all devices"), "\(table)")
        let (csvExit, csv) = try Program.run(ask + ["--csv", "--gaps"])
        #expect(csvExit == .code(0) && csv.contains("device_id,device,from,to,reason,missed,seconds,lasts\r\n"))
        try expectMistakes(world)
    }

    private func expectMistakes(_ world: World) throws {
        let ask = ["coverage", "--data", world.data]
        let (misspelled, hint) = try Program.run(ask + ["--zone", "Europe/Berln"])
        #expect(misspelled == .code(64))
        #expect(hint == "castledger: unknown time zone 'Europe/Berln'. Did you mean 'Europe/Berlin'?\n")
        let nowhere = ["../../etc/passwd", "/etc/localtime", "Europe", "right/UTC", "CEST", "+02:00"]
        for zone in nowhere + ["localtime", "posixrules"] {
            #expect(try Program.run(ask + ["--zone", zone]).exit == .code(64), "\(zone)")
        }
        #expect(try Program.run(ask + ["--zone", "UTC", "--local"]).exit == .code(64))
        func local(_ zone: String) throws -> (ChildProcess.Exit, String) {
            let (exit, output) = try ChildProcess.run(
                ["env", "TZ=\(zone)", Program.path] + ask + ["--local", "--from", "-1d"])
            return (exit, String(decoding: output, as: UTF8.self))
        }
        let (exit, table) = try local(":/usr/share/zoneinfo/Asia/Kolkata")
        #expect(exit == .code(0) && table.hasPrefix("day, Asia/Kolkata  device"), "\(table)")
        // The C library reads a file of any name, and a link to a zone says which it is.
        let link = world.folder + "/zone"
        #expect(symlink("/usr/share/zoneinfo/Asia/Kolkata", link) == 0)
        let (linked, ofLink) = try local(":" + link)
        #expect(linked == .code(0) && ofLink.hasPrefix("day, Asia/Kolkata  device"), "\(ofLink)")
        #expect(try local("CET-1CEST").0 == .code(64), "a zone without a name")
        let (none, words) = try Program.run(ask + ["--from", "2001-01-01", "--to", "2001-02-01"])
        #expect(none == .code(1) && words.contains("castledger: no device is known in that period\n"), "\(words)")
    }
}
