import CastModel
import Fleet
import IO
import TestSupport
import Testing

/// Logs of other programs, as files in a folder of their own.
private final class Logs {
    let folder: String

    init() throws { folder = try Files.makeTemporaryFolder("castledger-explain") }
    deinit { try? Files.removeTree(folder) }

    func write(_ name: String, _ lines: [String]) throws -> String {
        try Files.replace(folder + "/" + name, with: Array(lines.map { $0 + "\n" }.joined().utf8))
        return folder + "/" + name
    }
}

/// Stdout, stderr and exit of a shell command in which `castledger` is the program.
private func shell(_ command: String) throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
    let folder = try Files.makeTemporaryFolder("castledger-shell")
    defer { try? Files.removeTree(folder) }
    let (exit, output) = try ChildProcess.run([
        "sh", "-c", "castledger() { '\(Program.path)' \"$@\"; }; { \(command); } 2>\(folder)/errors",
    ])
    let errors = try Files.read(folder + "/errors")
    return (exit, String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self))
}

@Suite("castledger explain", .waits)
struct ExplainTests {
    private static let corpus =
        "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Fixtures/corpus"

    private static let receiver =
        #"{"type":"RECEIVER_STATUS","requestId":0,"status":{"applications":[{"appId":"CC1AD845","displayName":"Default Media Receiver","sessionId":"s","transportId":"web-1","isIdleScreen":false,"namespaces":[{"name":"urn:x-cast:com.google.cast.media"}]}],"volume":{"level":0.5,"muted":false}}}"#
    private static let playing =
        #"{"type":"MEDIA_STATUS","requestId":3,"status":[{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"media":{"contentId":"film","metadata":{"title":"The Ferry"}}}]}"#
    private static let paused =
        #"{"type":"MEDIA_STATUS","requestId":4,"status":[{"mediaSessionId":1,"playerState":"PAUSED","currentTime":7.5}]}"#

    /// The three messages as a log with times.
    private static let log = [
        #"{"t":0,"dir":"in","source_id":"receiver-0","destination_id":"*","namespace":"urn:x-cast:com.google.cast.receiver","payload":\#(receiver)}"#,
        #"{"t":2.5,"dir":"in","source_id":"web-1","destination_id":"*","namespace":"urn:x-cast:com.google.cast.media","payload":\#(playing),"note":"x"}"#,
        #"{"t":10,"dir":"in","source_id":"web-1","destination_id":"*","namespace":"urn:x-cast:com.google.cast.media","payload":\#(paused)}"#,
    ]

    private static func story(_ device: String, _ times: [String], pausedAt position: String = "0:07") -> String {
        let name = device + String(repeating: " ", count: 22 - device.count)
        return """
            2000-01-01 UTC
            00:00:\(times[0])  \(name)app started: Default Media Receiver [snapshot]
            00:00:\(times[0])  \(name)volume unknown to 50% [snapshot]
            00:00:\(times[0])  \(name)unmuted [snapshot]
            00:00:\(times[1])  \(name)media session began: "The Ferry", playing at 0:00 [snapshot]
            00:00:\(times[2])  \(name)paused at \(position) [sender request 4, probably sender 1]

            """
    }

    @Test func `tells a log as the timeline tells a recording`() throws {
        let logs = try Logs()
        let file = try logs.write("living-room.jsonl", Self.log)
        let (exit, output, errors) = try shell("castledger explain \(file)")
        #expect(exit == .code(0))
        #expect(output == Self.story("living-room", ["00.000", "02.500", "10.000"]))
        #expect(errors == "")
    }

    @Test func `reads the standard input, and payloads alone, a second after each other`() throws {
        let logs = try Logs()
        let file = try logs.write(
            "payloads",
            [
                Self.receiver, Self.playing, "",
                #"{"type":"MEDIA_STATUS","requestId":4,"status":[{"mediaSessionId":1,"playerState":"PAUSED","currentTime":1}]}"#,
            ])
        let (exit, output, errors) = try shell("cat \(file) | castledger explain -")
        #expect(exit == .code(0))
        #expect(output == Self.story("stdin", ["00.000", "01.000", "02.000"], pausedAt: "0:01"))
        #expect(errors == "")
    }

    @Test func `with --json prints the fields of 'events'`() throws {
        let logs = try Logs()
        let file = try logs.write("living-room.jsonl", Self.log)
        let events = try Program.json(["explain", file])
        #expect(events.count == 5)
        let last = try #require(events.last)
        #expect(
            last.text
                == #"{"recorder_id":"transcript","position":3,"ordinal":0,"observed_at":"2000-01-01T00:00:10.000000Z","device_id":"livingroom","device":"living-room","app_session_id":"s","media_session_id":1,"kind":"player_state_changed","attribution":"sender_request","request_id":4,"sender_series":1,"callbacks":["media_status"],"effective":true,"before":{"playerState":"PLAYING"},"after":{"playerState":"PAUSED"},"position_seconds":7.5}"#
        )
    }

    @Test func `with --plays prints what was played, for people and for programs`() throws {
        let logs = try Logs()
        let file = try logs.write("living-room.jsonl", Self.log)
        let (exit, output, _) = try shell("castledger explain --plays \(file)")
        #expect(exit == .code(0))
        let row = try #require(output.split(separator: "\n").last)
        #expect(row.contains("The Ferry") && row.contains("7.5 s") && row.contains("now paused"), "\(output)")
        let play = try #require(try Program.json(["explain", "--plays", file]).first)
        #expect(play["title"] == "The Ferry")
        #expect(play["device"] == "living-room")
        #expect(play["started_at"] == "2000-01-01T00:00:02.500000Z")
        #expect(play["start_cause"] == "already_playing")
        #expect(play["played_seconds"] == 7.5)
        #expect(play["ended_at"] == .null)
    }

    @Test func `ends at the first line that cannot be written, with 74`() throws {
        let logs = try Logs()
        // More than what the pipe and the program take in before the first write.
        let changes = (0..<4000).map { number in
            #"{"type":"MEDIA_STATUS","requestId":0,"status":[{"mediaSessionId":1,"playerState":"\#(number % 2 == 0 ? "PAUSED" : "PLAYING")","currentTime":\#(number)}]}"#
        }
        let file = try logs.write("long.jsonl", [Self.receiver, Self.playing] + changes)
        let (exit, _, errors) = try shell(
            "{ cat \(file) 2>/dev/null && touch \(logs.folder)/read; } | castledger explain --json - >/dev/full")
        #expect(exit == .code(74), "\(errors)")
        #expect(errors.contains("No space left on device"), "\(errors)")
        #expect(!Files.exists(logs.folder + "/read"))
    }

    @Test func `reports bad lines with file and line, goes on, and ends with 65`() throws {
        let logs = try Logs()
        var lines = Self.log
        lines.insert("{\"t\":1,", at: 1)
        lines.insert(#"{"name":"Anna"}"#, at: 3)
        let file = try logs.write("living-room.jsonl", lines)
        let (exit, output, errors) = try shell("castledger explain \(file)")
        #expect(exit == .code(65))
        #expect(output == Self.story("living-room", ["00.000", "02.500", "10.000"]))
        let told = errors.split(separator: "\n").map(String.init)
        #expect(told.count == 2)
        #expect(told.first?.hasPrefix("\(file):2: not JSON: ") == true, "\(errors)")
        #expect(
            told.last
                == "\(file):4: neither a record of an archive, nor a message with a 'payload', nor a payload with a 'type'"
        )
    }

    @Test func `goes on with other files where one is missing or cut off`() throws {
        let logs = try Logs()
        let file = try logs.write("living-room.jsonl", Self.log)
        let (exit, output, errors) = try shell("castledger explain \(logs.folder)/none.jsonl \(file)")
        #expect(exit == .code(66))
        #expect(output == Self.story("living-room", ["00.000", "02.500", "10.000"]))
        #expect(errors == "castledger: open \(logs.folder)/none.jsonl: No such file or directory\n")

        let cut = try shell(
            "zstd -q \(file) -o \(file).zst; head -c 200 \(file).zst > \(logs.folder)/cut.zst; "
                + "castledger explain \(logs.folder)/cut.zst \(file)")
        #expect(cut.exit == .code(65))
        #expect(cut.output == Self.story("living-room", ["00.000", "02.500", "10.000"]))
        #expect(
            cut.errors
                == "\(logs.folder)/cut.zst:1: the compressed text breaks off here: it was cut, or is still being written\n"
        )
    }

    @Test func `keeps devices apart, by file and by the 'device' key`() throws {
        let logs = try Logs()
        let one = try logs.write("one.jsonl", Self.log)
        let two = try logs.write(
            "two.jsonl", Self.log + [#"{"t":11,"device":"Den","payload":\#(Self.receiver)}"#])
        let kinds = try Program.json(["explain", one, two]).map {
            "\($0["device_id"]?.string ?? "") \($0["kind"]?.string ?? "")"
        }
        let each = [
            "app_started", "device_volume_changed", "device_mute_changed", "media_session_started",
            "player_state_changed",
        ]
        #expect(
            kinds == ["one", "two"].flatMap { device in each.map { "\(device) \($0)" } }
                + each.prefix(3).map { "den \($0)" })
    }

    @Test func `says so when nothing changes, and when no file is named`() throws {
        let logs = try Logs()
        let file = try logs.write("quiet.jsonl", [#"{"type":"PONG"}"#])
        let quiet = try shell("castledger explain \(file)")
        #expect(quiet.exit == .code(1))
        #expect(quiet.errors == "castledger: nothing in these messages changes anything\n")
        let none = try shell("castledger explain")
        #expect(none.exit == .code(64))
        #expect(none.errors.hasPrefix("castledger explain: say which file: none was given.\n"), "\(none.errors)")
    }

    @Test func `understands every real message we have`() throws {
        let (exit, output, errors) = try shell(
            "cd \(Self.corpus) && castledger explain --json $(ls | grep jsonl | grep -v discovery)")
        #expect(exit == .code(0))
        #expect(errors == "")
        #expect(output.split(separator: "\n").count > 100)
    }

    /// A segment of one recorder: its own line, then records of these kinds and fields from a position on.
    private static func segment(_ recorder: String, from first: Int, _ records: [String]) -> [String] {
        [#"{"kind":"segment","format":1,"recorder":"\#(recorder)","first_position":\#(first),"previous_chain":"00"}"#]
            + records.enumerated().map { index, fields in
                let position = first + index
                return #"{"position":\#(position),"at":"2026-03-01T20:00:\#(position + 10).000000Z","#
                    + #""monotonic_ns":\#(position)000000000,"boot":"b",\#(fields)}"#
            }
    }

    private static func started(_ recorder: String, _ redaction: String = "[]") -> String {
        #""kind":"recorder_started","recorder":"\#(recorder)","version":"1","redaction":\#(redaction)"#
    }

    private static func frame(_ source: String, _ namespace: String, _ payload: String) -> String {
        #""kind":"frame","device":"tv","link":1,"direction":"in","source":"\#(source)","destination":"*","#
            + #""namespace":"urn:x-cast:com.google.cast.\#(namespace)","payload":\#(JSONValue.string(payload).text)"#
    }

    /// What the recorder of one living room sees.
    private static let evening = [frame("receiver-0", "receiver", receiver), frame("web-1", "media", playing)]

    @Test func `keeps recorders of the same device apart, their changes and their plays`() throws {
        let logs = try Logs()
        let files = try ["attic", "cellar"].map { recorder in
            try logs.write(recorder, Self.segment(recorder, from: 1, [Self.started(recorder)] + Self.evening))
        }
        let events = try Program.json(["explain"] + files)
        let alone = try files.flatMap { try Program.json(["explain", $0]) }
        #expect(events == alone)
        #expect(events.count == 8)
        #expect(
            events.map { $0["recorder_id"]?.string } == ["attic", "cellar"].flatMap { Array(repeating: $0, count: 4) })
        #expect(
            try Program.json(["explain", "--plays"] + files).map { $0["recorder_id"]?.string } == ["attic", "cellar"])
    }

    @Test func `hides titles as their recorder chose, and where its choice was not read, but not those of other logs`()
        throws
    {
        let logs = try Logs()
        let hidden = try logs.write(
            "1", Self.segment("attic", from: 1, [Self.started("attic", #"["titles"]"#), Self.evening[0]]))
        let shown = try logs.write("2", Self.segment("attic", from: 1, [Self.started("attic"), Self.evening[0]]))
        let later = try logs.write("3", Self.segment("attic", from: 3, [Self.evening[1]]))
        let plain = try logs.write("plain", [Self.playing.replacing("The Ferry", with: "Plain")])
        let note =
            "castledger: \(later):2: the recorder 'attic' started before this, so titles are left out in case it hides "
            + "them; name its earlier segments first\n"

        let chosen = try shell("castledger explain \(hidden) \(later) \(plain)")
        #expect(chosen.exit == .code(0))
        #expect(!chosen.output.contains("Ferry") && chosen.output.contains("media session began"), "\(chosen.output)")
        #expect(chosen.output.contains(#"began: "Plain""#), "\(chosen.output)")
        #expect(chosen.errors == "")
        let unknown = try shell("castledger explain \(later) \(plain)")
        #expect(
            !unknown.output.contains("Ferry") && unknown.output.contains("media session began"), "\(unknown.output)")
        #expect(unknown.output.contains(#"began: "Plain""#), "\(unknown.output)")
        #expect(unknown.errors == note)
        let known = try shell("castledger explain \(shown) \(later)")
        #expect(known.output.contains(#"began: "The Ferry""#), "\(known.output)")
        #expect(known.errors == "")
    }

    @Test func `shows nothing more of a recorder that wants hidden what this version does not know`() throws {
        let logs = try Logs()
        let file = try logs.write(
            "1",
            Self.segment("attic", from: 1, [Self.started("attic", #"["foo"]"#)] + Self.evening)
                + Self.segment("cellar", from: 1, [Self.started("cellar"), Self.evening[0]])
                + Self.segment("attic", from: 4, [Self.evening[1], Self.started("attic"), Self.evening[0]]))
        let (exit, output, errors) = try shell("castledger explain --json \(file)")
        #expect(exit == .code(65))
        #expect(!output.contains("Ferry"))
        #expect(output.split(separator: "\n").count == 6, "\(output)")
        #expect(
            errors.hasPrefix("\(file):2: the recorder's start cannot be read, so what it wants hidden is not known"))
        #expect(errors.split(separator: "\n").count == 1, "\(errors)")
    }

    @Test func `tells of an archive's segment what the recorder made of it`() throws {
        let world = try World(devices: 2, scenario: .evening, speed: 20)
        defer { world.end() }
        try world.startRecorder()
        try world.waitForEvent("media_session_started")
        // Between two frames of zstd a segment looks whole; the next record begins another.
        let unfinished = try eventually {
            let live = try shell("castledger explain --json \(world.data)/archive/*/*/*/*/*.zst")
            return live.exit == .code(65) ? live : nil
        }
        let live = try #require(unfinished, "the segment is still being written")
        #expect(live.errors.contains("still being written"), "\(live.errors)")
        #expect(live.output.contains("\"link_opened\""))

        #expect(world.stopRecorder() == .code(0))
        let (exit, output, errors) = try shell("castledger explain --json \(world.data)/archive/*/*/*/*/*.zst")
        #expect(exit == .code(0), "\(errors)")
        let parser = JSONParser(depthLimit: 256)
        /// In the order of their ids, without the name: a ledger has the last one, a log the one of that moment.
        func facts(_ events: [JSONValue]) -> [JSONValue] {
            events.map { event in .object(JSONObject((event.object?.pairs ?? []).filter { $0.key != "device" })) }
                .sorted { one, other in
                    func id(_ event: JSONValue) -> (Int64, Int64) {
                        (event["position"]?.lossyInteger ?? 0, event["ordinal"]?.lossyInteger ?? 0)
                    }
                    return id(one) < id(other)
                }
        }
        let explained = try output.split(separator: "\n").map { try parser.parse(String($0)) }
        let recorded = try world.events()
        #expect(recorded.count > 10)
        #expect(explained.count == recorded.count)
        for (one, other) in zip(facts(explained), facts(recorded)) where one != other {
            Issue.record("explained: \(one.text)\nrecorded:  \(other.text)")
            break
        }
    }
}
