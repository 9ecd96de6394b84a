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

    @Test func `are those that there were, and each is explained frame by frame`() throws {
        let hour = try LabelledHour()
        let told = try Program.json(hour.ask)
        let fights = try hour.labels().filter { $0["is_fight"] == true }.map { try Deed($0, device: "device") }
        let acts = try hour.labels().count
        let conflicts = try told.map { try Deed($0, device: "device_id") }
        let missed = fights.filter { fight in !conflicts.contains { $0.isSame(as: fight) } }
        let invented = conflicts.filter { conflict in !fights.contains { $0.isSame(as: conflict) } }
        print("\(fights.count) fights of \(acts) acts: \(missed.count) missed, \(invented.count) invented")
        #expect(fights.count >= 20 && acts >= 2 * fights.count - 10)
        #expect(Set(conflicts.map(\.kind)) == Set(Self.kinds), "each kind occurs")
        #expect(missed.count * 20 <= fights.count, "\(missed)")
        #expect(invented.isEmpty, "\(invented)")

        try checkChoices(hour.ask, told)
        try checkLog(hour.data, told)
        for kind in Self.kinds {
            try checkExplanation(try #require(told.first { $0["kind"]?.string == kind }), hour.data)
        }
        let (exit, words) = try Program.run(["conflicts", "--data", hour.data, "--explain", "1/0/volume_fight"])
        #expect(exit == .code(1) && words.contains("no conflict has that name"))
    }

    /// The same with all names in order.
    private func sorted(_ json: JSONValue) -> JSONValue {
        switch json {
        case .object(let object):
            .object(JSONObject(object.pairs.map { ($0.key, sorted($0.value)) }.sorted { $0.0 < $1.0 }))
        case .array(let elements): .array(elements.map(sorted))
        default: json
        }
    }

    /// Options leave out what they say; rules as they are change nothing, and others what they are about.
    private func checkChoices(_ ask: [String], _ told: [JSONValue]) throws {
        let anew = try Program.json(ask + ["--rule", "volume_fight.undoings=2"])
        #expect(anew.map(sorted) == told.map(sorted), "found anew, they are the same")
        let none = try Program.json(ask + Self.kinds.dropFirst().flatMap { ["--rule", "\($0).undoings=1000"] })
        #expect(none.map(sorted) == told.filter { $0["kind"] == "takeover" }.map(sorted))
        let sure = try Program.json(ask + ["--min-score", "0.9", "--kind", "volume_fight"])
        #expect(sure == told.filter { $0["kind"] == "volume_fight" && $0["score"]?.lossyNumber ?? 0 >= 0.9 })
        let (exit, words) = try Program.run(ask + ["--rule", "volume_fight.undoing=3"])
        #expect(exit == .code(64) && words.contains("no such rule"), "\(words)")
        let (table, text) = try Program.run(ask)
        #expect(table == .code(0))
        for row in told { #expect(text.contains(row["conflict_id"]?.string ?? "?")) }
    }

    /// The archive alone, without a database, says the same.
    private func checkLog(_ data: String, _ told: [JSONValue]) throws {
        let (_, segments) = try ChildProcess.run(["find", data + "/archive", "-name", "*.zst"])
        let paths = String(decoding: segments, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
        let explained = try Program.json(["explain", "--conflicts"] + paths)
        #expect(explained.map(sorted) == told.map(sorted), "but for the order of names, which a database keeps not")
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

        let object = try #require(try Program.json(["conflicts", "--data", data, "--explain", name]).first)
        let events = object["events"]?.array ?? []
        #expect(events.filter { $0["is_evidence"] == true }.compactMap { $0["event"]?.string } == evidence)
        let times = events.compactMap { $0["observed_at"]?.string.flatMap { WallTime(text: $0) } }
        #expect(times.count == events.count && times == times.sorted())
        let deed = try Deed(row, device: "device_id")
        let margin = max(5, (30 - deed.to.seconds(since: deed.from)) / 2)
        #expect(times.allSatisfy { $0.seconds(since: deed.from) >= -margin && $0.seconds(since: deed.to) <= margin })

        // The frame behind the first line is that which the event came of.
        let frames = try Program.json(["frames", "--data", data, "--event", try #require(evidence.first)])
        #expect(frames.first?["position"]?.text == evidence.first?.split(separator: "/").first.map(String.init))
    }
}
