import CastModel
import Fleet
import IO
import Recording
import TestSupport
import Testing

// Goal: whoever asks for conflicts is told the fights that there were, no others, and why.
// Method: an hour of labelled acts on four devices, as an archive; a database is made of it, and its answers are held against
// the labels, which the fleet wrote and the recorder never saw.
@Suite("The conflicts of an hour of labelled acts", .serialized, .waits)
struct FightsTests {
    private static let kinds = [
        "takeover", "volume_fight", "play_pause_fight", "seek_fight", "track_fight", "style_fight",
    ]

    /// What a conflict or a label says of when, where and what.
    private struct Deed {
        var device: String
        var kind: String
        var from: WallTime
        var to: WallTime

        init(_ json: JSONValue, device: String) throws {
            self.device = json[device]?.string ?? ""
            kind = json["kind"]?.string ?? ""
            from = try #require(json["from"]?.string.flatMap { WallTime(text: $0) })
            to = try #require(json["to"]?.string.flatMap { WallTime(text: $0) })
        }

        /// A conflict begins with its first evidence and ends with its last, so it may stand out by little.
        func isSame(as other: Deed) -> Bool {
            device == other.device && kind == other.kind && from.seconds(since: other.to) <= 3
                && other.from.seconds(since: to) <= 3
        }
    }

    private func jsonLines(_ arguments: [String]) throws -> [JSONValue] { try Program.json(arguments) }

    @Test func `are those that there were, and each is explained frame by frame`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-fights", mode: 0o711)
        defer { try? Files.removeTree(folder) }
        let (data, truth) = (folder + "/data", folder + "/truth.jsonl")
        let fleet = try Program.run([
            "fleet", "--history", "1h", "--scenario", "fights", "--devices", "4", "--seed", "303", "--from",
            "2026-03-01T20:00", "--data", data, "--truth", truth,
        ])
        try #require(fleet.exit == .code(0), "\(fleet.output)")
        let rebuilt = try Program.run(["rebuild", "--data", data])
        try #require(rebuilt.exit == .code(0), "\(rebuilt.output)")
        let ask = ["conflicts", "--data", data, "--from", "2026-03-01", "--to", "2026-03-02"]
        let told = try jsonLines(ask)

        let parser = JSONParser()
        let labels = try Files.read(truth, limitBytes: 1 << 24).split(separator: UInt8(ascii: "\n"))
            .map { try parser.parse(Array($0)) }.filter { $0["what"] == "label" }
        let fights = try labels.filter { $0["is_fight"] == true }.map { try Deed($0, device: "device") }
        let conflicts = try told.map { try Deed($0, device: "device_id") }
        let missed = fights.filter { fight in !conflicts.contains { $0.isSame(as: fight) } }
        let invented = conflicts.filter { conflict in !fights.contains { $0.isSame(as: conflict) } }
        print("\(fights.count) fights of \(labels.count) acts: \(missed.count) missed, \(invented.count) invented")
        #expect(fights.count >= 20 && labels.count >= 2 * fights.count - 10)
        #expect(Set(conflicts.map(\.kind)) == Set(Self.kinds), "each kind occurs")
        #expect(missed.count * 20 <= fights.count, "\(missed)")
        #expect(invented.isEmpty, "\(invented)")

        try checkChoices(ask, told)
        try checkLog(data, told)
        for kind in Self.kinds { try checkExplanation(try #require(told.first { $0["kind"]?.string == kind }), data) }
        let (exit, words) = try Program.run(["conflicts", "--data", data, "--explain", "1/0/volume_fight"])
        #expect(exit == .code(1) && words.contains("no conflict has that name"))
    }

    /// Options leave out what they say; rules as they are change nothing, and others what they are about.
    private func checkChoices(_ ask: [String], _ told: [JSONValue]) throws {
        #expect(try jsonLines(ask + ["--rule", "volume_fight.undoings=2"]) == told, "found anew, they are the same")
        let none = try jsonLines(ask + Self.kinds.dropFirst().flatMap { ["--rule", "\($0).undoings=1000"] })
        #expect(none == told.filter { $0["kind"] == "takeover" })
        let sure = try jsonLines(ask + ["--min-score", "0.9", "--kind", "volume_fight"])
        #expect(sure == told.filter { $0["kind"] == "volume_fight" && $0["score"]?.lossyNumber ?? 0 >= 0.9 })
        let (exit, words) = try Program.run(ask + ["--rule", "volume_fight.undoing=3"])
        #expect(exit == .code(64) && words.contains("no such rule"), "\(words)")
        let (table, text) = try Program.run(ask)
        #expect(table == .code(0))
        for row in told { #expect(text.contains(row["conflict_id"]?.string ?? "?")) }
    }

    /// The archive alone, without a database, says the same.
    private func checkLog(_ data: String, _ told: [JSONValue]) throws {
        let segments = try ChildProcess.run(["find", data + "/archive", "-name", "*.zst"]).output
        let paths = String(decoding: segments, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
        let explained = try jsonLines(["explain", "--conflicts"] + paths)
        #expect(explained == told)
        let (exit, story) = try Program.run(["explain"] + paths)
        #expect(exit == .code(0))
        let below = story.split(separator: "\n").suffix(told.count)
        for (line, row) in zip(below, told) {
            #expect(line.hasPrefix("\(row["conflict_id"]?.string ?? "?"), score "), "\(line)")
            #expect(line.hasSuffix(row["sentence"]?.string ?? "?"), "\(line)")
        }
    }

    private func checkExplanation(_ row: JSONValue, _ data: String) throws {
        let name = try #require(row["conflict_id"]?.string)
        let evidence = (row["evidence"]?.array ?? []).compactMap(\.string)
        let (exit, story) = try Program.run(["conflicts", "--data", data, "--explain", name])
        #expect(exit == .code(0), "\(story)")
        #expect(story.contains(row["sentence"]?.string ?? "?"), "\(story)")
        let marked = story.split(separator: "\n").filter { $0.hasPrefix("> ") }
        #expect(marked.count == evidence.count, "\(story)")
        for (line, event) in zip(marked, evidence) { #expect(line.contains("  \(event)  "), "\(line)") }

        let object = try #require(try jsonLines(["conflicts", "--data", data, "--explain", name]).first)
        let events = object["events"]?.array ?? []
        #expect(events.filter { $0["is_evidence"] == true }.compactMap { $0["event"]?.string } == evidence)
        let times = events.compactMap { $0["observed_at"]?.string.flatMap { WallTime(text: $0) } }
        #expect(times.count == events.count && times == times.sorted())
        let deed = try Deed(row, device: "device_id")
        let margin = max(5, (30 - deed.to.seconds(since: deed.from)) / 2)
        #expect(times.allSatisfy { $0.seconds(since: deed.from) >= -margin && $0.seconds(since: deed.to) <= margin })

        // The frame behind the first line is that which the event came of.
        let frames = try jsonLines(["frames", "--data", data, "--event", try #require(evidence.first)])
        #expect(frames.first?["position"]?.text == evidence.first?.split(separator: "/").first.map(String.init))
    }
}
