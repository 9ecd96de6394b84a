import CastModel
import Glibc
import IO
import Recording
import TestSupport
import Testing

// Goal: a file tells what the commands tell, conflicts too, and is either whole or not there.
// Method: an hour with all kinds of conflicts, exported in every form and read by other people's programs.
@Suite("Exports of an hour of labelled acts", .serialized, .waits, .root("ExportedFightsTests"))
struct ExportedFightsTests {
    private static let forms = ["csv", "jsonl", "ics", "otio", "perfetto", "xmltv", "html"]
    private static let scripts =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/deploy/readers/"

    private func read(_ form: String, _ path: String) throws -> JSONValue {
        if form == "jsonl" {
            let lines = try Files.read(path, limitBytes: 1 << 26).split(separator: UInt8(ascii: "\n"))
            return .array(try lines.map { try JSONParser().parse(Array($0)) })
        }
        let reader = form == "perfetto" ? ["check_trace.py"] : ["read_export.py", form]
        let (exit, output) = try ChildProcess.run(
            [try TestPython.path(), Self.scripts + reader[0]] + reader.dropFirst() + [path], includingErrors: true)
        try #require(exit == .code(0), "\(form): \(String(decoding: output.suffix(3000), as: UTF8.self))")
        return try JSONParser().parse(output)
    }

    /// A file of a form, as its reader reads it.
    private func export(
        _ hour: LabelledHour, _ form: String, _ more: [String] = LabelledHour.period, exit: Int32 = 0
    ) throws -> JSONValue {
        let path = "\(hour.folder)/hour.\(form)"
        let said = try Program.run(["export", "--format", form, "--output", path, "--data", hour.data] + more)
        #expect(said.exit == .code(exit), "\(form) \(more): \(said.output)")
        return try read(form, path)
    }

    @Test func `have its conflicts as rows, markers, arrows and signs`() throws {
        let hour = try LabelledHour()
        let told = try Program.json(hour.ask)
        #expect(told.count >= 20)
        try checkRows(hour, told)
        try checkMarkers(hour, told)
        try checkArrows(hour, told)
        let page = try export(hour, "html")
        #expect(page["shapes"]?["path.conflict"] == .integer(Int64(told.count)))
        #expect(page["foreign"] == [] && page["scripts"] == 0 && page["left_open"] == [])
        try checkShortPeriods(hour)
        try checkMistakes(hour)
        try checkFullDisk(hour)
    }

    private func checkRows(_ hour: LabelledHour, _ told: [JSONValue]) throws {
        let lines = try #require(try export(hour, "jsonl", ["--what", "conflicts"] + LabelledHour.period).array)
        #expect(lines.first?["schema"] == "castledger.conflicts/1")
        #expect(Array(lines.dropFirst()) == told)
        _ = try export(hour, "csv", ["--what", "conflicts"] + LabelledHour.period)
        let (_, table) = try ChildProcess.run([Program.path] + hour.ask + ["--csv"])
        #expect(try Files.read(hour.folder + "/hour.csv", limitBytes: 1 << 26) == table)
    }

    /// Of each device's track.
    private func checkMarkers(_ hour: LabelledHour, _ told: [JSONValue]) throws {
        let tracks = try #require(try export(hour, "otio")["tracks"]?.array)
        #expect(tracks.count == 4)
        // 2026-03-01T00:00:00Z.
        let begins: Int64 = 1_772_323_200_000
        for track in tracks {
            let device = track["metadata"]?["castledger"]?["device_id"]
            let expected = try told.filter { $0["device_id"] == device }.map { row in
                let from = try #require(row["from"]?.string.flatMap { WallTime(text: $0) })
                let place = from.microseconds / 1000 - begins
                return "\(row["kind"]?.string ?? "") at \(place) \(row["sentence"]?.string ?? "")"
            }
            let marked = (track["markers"]?.array ?? []).map { marker in
                let from = Int64(((marker["from"]?.lossyNumber ?? 0) * 1000).rounded())
                return "\(marker["name"]?.string ?? "") at \(from) \(marker["comment"]?.string ?? "")"
            }
            #expect(marked == expected)
        }
    }

    /// From deed to deed, each at the moment of its change event.
    private func checkArrows(_ hour: LabelledHour, _ told: [JSONValue]) throws {
        let trace = try export(hour, "perfetto")
        #expect(trace["mistakes"] == [])
        let events = try Program.json(["events", "--data", hour.data] + LabelledHour.period)
        var moments: [String: Int64] = [:]
        for event in events {
            let at = try #require(event["observed_at"]?.string.flatMap { WallTime(text: $0) })
            moments["\(event["position"]?.text ?? "")/\(event["ordinal"]?.text ?? "")"] = at.microseconds
        }
        let expected = told.compactMap { row -> [Int64]? in
            let deeds = (row["evidence"]?.array ?? []).compactMap { $0.string.flatMap { moments[$0] } }
            return deeds.count > 1 ? deeds : nil
        }
        let arrows = (trace["flows"]?.object?.pairs ?? []).map { _, steps in
            (steps.array ?? []).compactMap { $0.array?.last?.lossyInteger }
        }
        func sorted(_ lists: [[Int64]]) -> [[Int64]] { lists.sorted { $0.lexicographicallyPrecedes($1) } }
        #expect(sorted(arrows) == sorted(expected))
    }

    /// A second in the middle of a play, and one long before anything was known.
    private func checkShortPeriods(_ hour: LabelledHour) throws {
        let plays = try Program.json(["plays", "--data", hour.data] + LabelledHour.period)
        let long = try #require(plays.first { ($0["played_seconds"]?.lossyNumber ?? 0) > 60 })
        let start = try #require(long["started_at"]?.string.flatMap { WallTime(text: $0) })
        let second = [30, 31].map { WallTime(microseconds: start.microseconds + $0 * 1_000_000).text }
        for form in Self.forms {
            let inside = try export(hour, form, ["--from", second[0], "--to", second[1]])
            #expect(inside.text.contains(long["title"]?.string ?? "?"), "\(form): \(inside.text.prefix(2000))")
            let empty = try export(
                hour, form, ["--from", "2001-01-01T00:00:00Z", "--to", "2001-01-01T00:00:01Z"], exit: 1)
            #expect(empty["mistakes"] ?? [] == [], "\(form)")
        }
    }

    private func checkMistakes(_ hour: LabelledHour) throws {
        let ask = ["export", "--data", hour.data, "--format"]
        for (more, hint) in [
            (["--zone", "Europe/Berlyn"], "unknown time zone 'Europe/Berlyn'. Did you mean 'Europe/Berlin'?"),
            (["--zone", "../../etc/passwd"], "unknown time zone"), (["--zone", ""], "is no value for option '--zone'"),
            (["--zone", "Europe/Berlin", "--local"], "give one of them"),
            (["--from", "2026-03-01", "--to", "2026-03-01"], "nothing can lie between them"),
            (["--from", "2026-03-02", "--to", "2026-03-01"], "nothing can lie between them"),
        ] {
            for form in Self.forms {
                let path = hour.folder + "/never.\(form)"
                let said = try Program.run(ask + [form, "--output", path] + more)
                #expect(said.exit == .code(64) && said.output.contains(hint), "\(form) \(more): \(said.output)")
                #expect(!Files.exists(path))
            }
        }
    }

    /// No room for the new file: the old one stays, and nothing lies beside it.
    private func checkFullDisk(_ hour: LabelledHour) throws {
        let disk = try SmallDisk(hour.folder + "/small", mebibytes: 1)
        let path = disk.path + "/kept"
        try Files.replace(path, with: Array("kept".utf8))
        try disk.fill()
        for form in Self.forms {
            let said = try Program.run(
                ["export", "--format", form, "--output", path, "--data", hour.data] + LabelledHour.period)
            #expect(said.exit == .code(74), "\(form): \(said.output)")
            #expect(said.output.contains("Nothing was written to \(path)"), "\(form): \(said.output)")
            #expect(try Files.read(path) == Array("kept".utf8))
            #expect(try Files.names(in: disk.path).sorted() == [".filler", "kept"])
        }
        try disk.free()
        let said = try Program.run(["export", "--format", "csv", "--output", path, "--data", hour.data])
        #expect(said.exit == .code(0) || said.exit == .code(1), "\(said.output)")
        #expect(try Files.names(in: disk.path) == ["kept"])
    }
}
