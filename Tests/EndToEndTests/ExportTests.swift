import CastModel
import Fleet
import Glibc
import IO
import TestSupport
import Testing

// Goal: a true recording comes out in every form, and other people's programs open it.
// Method: three devices with hostile names play hostile titles; then every form is written and read.
@Suite("Files of a recording", .serialized)
struct ExportTests {
    private static let names = ["\"><script>alert(1)</script>", "=HYPERLINK(\"http://x\")", "Two\nlines ]]> \u{202E}📺"]

    private static let script =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/deploy/readers/"

    private func read(_ form: String, _ path: String) throws -> JSONValue {
        let reader = form == "perfetto" ? ["check_trace.py"] : ["read_export.py", form]
        let (exit, output) = try ChildProcess.run(
            [try TestPython.path(), Self.script + reader[0]] + reader.dropFirst() + [path], includingErrors: true)
        try #require(exit == .code(0), "\(form): \(String(decoding: output.suffix(3000), as: UTF8.self))")
        return try JSONParser().parse(output)
    }

    /// A recording of three devices that each play one title, and have stopped.
    private func record(_ world: World) throws {
        try world.startRecorder()
        let linked = try eventually { () -> Bool? in
            try world.events(["--kind", "link_opened"]).count == 3 ? true : nil
        }
        try #require(linked == true)
        for device in 0..<3 {
            world.fleet.perform(.connect, device: device)
            world.fleet.perform(.launch(AppID("CC1AD845")), device: device)
        }
        let joined = try eventually { () -> Bool? in
            try world.events(["--kind", "app_started"]).count == 3 ? true : nil
        }
        try #require(joined == true)
        for device in 0..<3 {
            let media = JSONObject([
                ("contentId", .string("http://192.0.2.1/\(device)")), ("contentType", "video/mp4"),
                ("streamType", "BUFFERED"), ("duration", 600),
                ("metadata", ["metadataType": 0, "title": .string("Film of " + Self.names[device])]),
            ])
            world.fleet.perform(.load(media, atSeconds: 0), device: device)
        }
        let played = try eventually { () -> Bool? in
            try world.events(["--kind", "media_session_started"]).count == 3 ? true : nil
        }
        try #require(played == true)
        try world.waitUntilApplied()
        #expect(world.stopRecorder() == .code(0))
    }

    @Test func `are opened by the programs that they are for`() throws {
        let world = try World(devices: 3) { $0.name = Self.names[$0.index] }
        defer { world.end() }
        try record(world)
        func export(_ form: String, _ more: [String] = []) throws -> JSONValue {
            let path = world.folder + "/export.\(form)"
            let (exit, words) = try Program.run(
                ["export", "--format", form, "--output", path, "--data", world.data, "--from", "-1d"] + more)
            #expect(exit == .code(0), "\(form): \(words)")
            return try read(form, path)
        }
        let titles = Set(Self.names.map { "Film of " + $0 })

        let csv = try #require(try export("csv").array)
        #expect(Set(csv.compactMap { $0["title"]?.string }) == titles)
        let devices = csv.compactMap { $0["device"]?.string }
        #expect(devices.contains("'" + Self.names[1]))
        let calendar = try export("ics")
        #expect(calendar["broken"] == [])
        #expect(Set(calendar["events"]?.array?.compactMap { $0["summary"]?.string } ?? []) == titles)
        let listing = try export("xmltv", ["--zone", "Asia/Kolkata"])
        #expect(Set(listing["programmes"]?.array?.compactMap { $0["title"]?.string } ?? []) == titles)
        #expect(listing["programmes"]?.array?.allSatisfy { $0["start"]?.string?.hasSuffix(" +0530") == true } == true)
        let timeline = try export("otio")
        let tracks = try #require(timeline["tracks"]?.array)
        #expect(tracks.count == 3)
        for track in tracks {
            let clips = (track["items"]?.array ?? []).filter { $0["kind"] == "Clip" }
            #expect(clips.count == 1 && track["for"] == timeline["for"])
            #expect(titles.contains(clips.first?["name"]?.string ?? ""))
        }
        let trace = try export("perfetto")
        #expect(trace["mistakes"] == [])
        #expect(trace["processes"] == 3)
        for name in Self.names {
            #expect(trace["slices"]?["\(name) / Media"]?.array?.count == 1)
            #expect(trace["slices"]?["\(name) / App"]?.array?.isEmpty == false)
            #expect(trace["slices"]?["\(name) / Player state"]?.array?.isEmpty == false)
        }
        let page = try export("html", ["--local"])
        #expect(page["foreign"] == [] && page["scripts"] == 0 && page["left_open"] == [])
        let playing = page["shapes"]?["rect.playing"].flatMap { Int($0.text) } ?? 0
        #expect(playing >= 3, "the timeline tells what each player did: \(page["shapes"]?.text ?? "")")
        let texts = page["texts"]?.array?.compactMap(\.string) ?? []
        #expect(texts.contains { $0.contains("Film of \"><script>alert(1)</script>") })
        try checkLines(world)
        try checkMistakes(world)
    }

    /// JSON Lines on standard output, of each kind of row.
    private func checkLines(_ world: World) throws {
        for (what, least) in [("plays", 3), ("events", 12), ("gaps", 0), ("conflicts", 0)] {
            let (exit, output) = try Program.run(
                ["export", "--format", "jsonl", "--what", what, "--data", world.data, "--from", "-1d"])
            #expect(exit == .code(0) || least == 0, "\(output)")
            let lines = try output.split(separator: "\n").filter { !$0.hasPrefix("castledger: ") }.map {
                try JSONParser().parse(Array($0.utf8))
            }
            #expect(lines.first?["schema"]?.string == "castledger.\(what)/1")
            #expect(lines.count > least)
        }
    }

    private func checkMistakes(_ world: World) throws {
        let path = world.folder + "/kept.ics"
        try Files.replace(path, with: Array("kept".utf8))
        let ask = ["export", "--data", world.data, "--format"]
        let (unknown, _) = try Program.run(ask + ["ics", "--device", "Nobody", "--output", path])
        #expect(unknown == .code(64))
        #expect(try Files.read(path) == Array("kept".utf8), "what fails replaces nothing")
        let (empty, words) = try Program.run(ask + ["ics", "--from", "2001-01-01", "--to", "2001-02-01"])
        #expect(empty == .code(1) && words.contains("BEGIN:VCALENDAR") && words.contains("nothing in that period"))
        let (kind, hint) = try Program.run(ask + ["ics", "--what", "gaps"])
        #expect(kind == .code(64) && hint.contains("--what gaps goes with --format csv and jsonl only."))
        for place in [world.folder, "/dev/null"] {
            let (exit, words) = try Program.run(ask + ["csv", "--output", place])
            #expect(exit == .code(73) && words.contains("is no regular file"), "\(words)")
        }
        let (nowhere, _) = try Program.run(ask + ["csv", "--output", world.folder + "/none/file"])
        #expect(nowhere == .code(73))
        #expect(try Program.run(["export", "--data", world.data]).exit == .code(64), "a form must be named")
        #expect(try Files.names(in: world.folder).allSatisfy { !$0.contains("tmp") })
    }
}
