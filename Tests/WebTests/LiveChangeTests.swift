import CastModel
import Differ
import IO
import TestSupport
import Testing
import WebCore

@testable import Web

// Goal: who listens hears everything once and in order, whoever else is slow.
// Method: real connections; events applied as a recorder does it; the database alone tells that something is new.
@Suite("A stream of changes", .waits) struct LiveChangeTests {
    /// The events of a text of server-sent events, by name.
    static func frames(_ text: String) -> [(name: String, id: String?, data: String)] {
        text.split(separator: "\n\n").compactMap { block in
            var name = "", id: String?, data = ""
            for line in block.split(separator: "\n") {
                if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
                if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
                if line.hasPrefix("data: ") { data = String(line.dropFirst(6)) }
            }
            return name.isEmpty ? nil : (name, id, data)
        }
    }

    private func listen(_ lab: WebLab, _ target: String = "/api/v1/stream", _ headers: [String] = []) throws
        -> LabConnection
    {
        let line = try LabConnection(port: lab.port)
        line.send((["GET \(target) HTTP/1.1", "Host: localhost"] + headers + ["", ""]).joined(separator: "\r\n"))
        #expect(line.read(until: "event: status"))
        return line
    }

    private func changes(_ line: LabConnection) -> [String] {
        let head = String(decoding: line.buffer, as: UTF8.self)
        guard let end = head.firstRange(of: "\r\n\r\n") else { return [] }
        let bytes = Array(head[end.upperBound...].utf8)
        // The stream goes on: its last chunk is missing.
        let whole = (try? HTTPReply.unchunked(bytes + Array("0\r\n\r\n".utf8))) ?? []
        return Self.frames(String(decoding: whole, as: UTF8.self)).filter { $0.name == "change" }.compactMap(\.id)
    }

    /// A service whose feed is up.
    private func lab() throws -> WebLab {
        let lab = try WebLab()
        try lab.record([sample(1, .deviceSeen, after: ["name": "TV"])], until: 1)
        let begun = try eventually { try lab.get("/api/v1/stream", method: "HEAD").status == 200 ? true : nil }
        try #require(begun == true)
        return lab
    }

    @Test func `tells what is applied while somebody listens, and plays and conflicts with it`() throws {
        let lab = try lab()
        let line = try listen(lab)
        try lab.record(
            [
                sample(2, .appStarted, second: 2, app: "a", after: ["appId": "CC1AD845", "sessionId": "a"]),
                sample(
                    3, .mediaSessionStarted, second: 3, app: "a", media: 1,
                    after: ["playerState": "PLAYING", "media": ["contentId": "f"]]),
            ], until: 4)
        #expect(line.read(until: "event: play\n"))
        #expect(changes(line) == ["2/0", "3/0"])
        try lab.record(
            [sample(4, .mediaSessionEnded, second: 5, app: "a", media: 1, after: ["idleReason": "FINISHED"])], until: 6)
        #expect(line.read(until: "\"end_reason\":\"finished\""))
        #expect(changes(line) == ["2/0", "3/0", "4/0"])
    }

    @Test func `goes on after the last event that somebody has seen, without a hole or a repetition`() throws {
        let lab = try lab()
        try lab.record((2...50).map { sample($0, .seeked, second: Double($0)) }, until: 50)
        let line = try listen(lab, "/api/v1/stream", ["Last-Event-ID: 30/0"])
        #expect(line.read(until: "id: 50/0"))
        try lab.record((51...60).map { sample($0, .seeked, second: Double($0)) }, until: 60)
        #expect(line.read(until: "id: 60/0"))
        #expect(changes(line) == (31...60).map { "\($0)/0" })
        #expect(String(decoding: line.buffer, as: UTF8.self).contains("\"resumed\":true"))
        let lost = try listen(lab, "/api/v1/stream?after=900/0")
        #expect(lost.read(until: "\"resumed\":false"))
        #expect(try lab.get("/api/v1/stream?after=x").status == 400)
    }

    @Test func `of one device leaves out the others`() throws {
        let lab = try lab()
        try lab.record([sample(2, .deviceSeen, second: 2, device: "tv2", after: ["name": "Two"])], until: 2)
        let line = try listen(lab, "/api/v1/stream?device=Two")
        try lab.record(
            (3...8).map { sample($0, .seeked, second: Double($0), device: $0 % 2 == 0 ? "tv2" : "tv1") }, until: 9)
        #expect(line.read(until: "id: 8/0"))
        #expect(changes(line) == ["4/0", "6/0", "8/0"])
    }

    @Test func `of two recorders goes on behind each of them`() throws {
        let lab = try lab()
        try lab.record([sample(1, .deviceSeen, second: 1, device: "tv9")], until: 1, recorder: recorderTwo)
        let line = try listen(lab)
        try lab.record([sample(2, .seeked, second: 3)], until: 3)
        try lab.record([sample(2, .seeked, second: 2, device: "tv9")], until: 2, recorder: recorderTwo)
        #expect(line.read(until: "2/0@\(recorderTwo)"))
        let last = try #require(changes(line).last)
        let again = try listen(lab, "/api/v1/stream?after=\(last)")
        try lab.record([sample(3, .seeked, second: 4, device: "tv9")], until: 4, recorder: recorderTwo)
        #expect(again.read(until: "3/0@\(recorderTwo)"))
        #expect(changes(again).count == 1)
    }

    @Test func `reaches 500 listeners, and one that does not read is dropped and counted`() throws {
        let lab = try lab()
        let slow = try listen(lab)
        var lines = try (0..<500).map { _ in try LabConnection(port: lab.port) }
        for line in lines { line.send("GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n") }
        for line in lines { #expect(line.read(until: "event: status")) }
        let joined = try eventually {
            try lab.get("/metrics").text.contains("castledger_stream_clients 501\n") ? true : nil
        }
        #expect(joined == true)
        try lab.record([sample(2, .seeked, second: 2)], until: 2)
        for line in lines { #expect(line.read(until: "id: 2/0")) }
        lines.removeAll()
        // More than the socket, the queue and what is kept can hold: 6,000 events of 4 KB.
        let long = JSONValue.string(String(repeating: "x", count: 4_000))
        for batch in 0..<12 {
            let first = Int64(3 + batch * 500)
            try lab.record(
                (first..<first + 500).map { sample($0, .customMessage, second: 3, after: ["text": long]) }, until: 3)
        }
        let counted = try eventually {
            try lab.get("/metrics").text.contains("castledger_stream_dropped_total 0\n") ? nil : true
        }
        #expect(counted == true)
        _ = slow
    }
}
