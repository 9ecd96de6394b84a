import CastModel
import Conflicts
import Differ
import IO
import Plays
import Recording
import TestSupport
import Testing

@testable import Store

// Goal: every panel shows what its title says, to somebody who may read views and nothing else.
// Method: an evening made by hand; each question is asked as Grafana asks it, and its answer looked at as its panel does.
@Suite("A dashboard", .waits) struct DashboardTests {
    /// Three devices: a film with a gap after it, a film that lasts, and a fight over the volume on one that is lost in the end.
    private static let events: [ChangeEvent] = {
        let film: JSONValue = ["contentId": "f", "duration": 600, "metadata": ["title": "Film"]]
        func app(_ second: Double, _ device: String) -> ChangeEvent {
            sample(
                0, .appStarted, second: second, device: device, app: "a-\(device)",
                after: ["appId": "CC1AD845", "displayName": "Player", "sessionId": .string("a-\(device)")])
        }
        func media(_ second: Double, _ kind: ChangeEvent.Kind, _ device: String, _ after: JSONValue) -> ChangeEvent {
            sample(
                0, kind, second: second, device: device, app: "a-\(device)", media: 1, attribution: .senderRequest,
                after: after, positionSeconds: 0)
        }
        func seen(_ device: String, _ name: String) -> [ChangeEvent] {
            [
                sample(0, .deviceSeen, device: device, after: ["name": .string(name), "model": "Chromecast"]),
                sample(0, .linkOpened, device: device, after: ["address": "192.0.2.7"]),
            ]
        }
        let fight = (0..<7).map { step in
            let up = step % 2 == 0
            return sample(
                0, .deviceVolumeChanged, second: 100 + Double(step), device: "tv3", attribution: .senderRequest,
                requestID: Int64(up ? 10 + step : 900_000 + step), before: ["level": up ? 0.25 : 0.5],
                after: ["level": up ? 0.5 : 0.25])
        }
        let all: [ChangeEvent] =
            seen("tv1", "Lobby TV") + seen("tv2", "O'Neill's \"Bar\"") + seen("tv3", "Hall") + fight + [
                app(60, "tv1"),
                media(70, .mediaSessionStarted, "tv1", ["playerState": "LOADING", "media": film]),
                media(75, .playerStateChanged, "tv1", ["playerState": "PLAYING"]),
                media(135, .playerStateChanged, "tv1", ["playerState": "PAUSED"]),
                media(165, .playerStateChanged, "tv1", ["playerState": "PLAYING"]),
                media(225, .mediaSessionEnded, "tv1", ["playerState": "IDLE", "idleReason": "CANCELLED"]),
                sample(0, .appStopped, second: 300, device: "tv1", app: "a-tv1", before: ["sessionId": "a-tv1"]),
                sample(
                    0, .gapStarted, second: 375, device: "tv1",
                    after: ["reason": "link_lost", "from": .string(time(360))]),
                app(400, "tv2"),
                media(400, .mediaSessionStarted, "tv2", ["playerState": "PLAYING", "media": film]),
                sample(0, .gapEnded, second: 420, device: "tv1", after: ["to": .string(time(420))]),
                sample(0, .linkClosed, second: 500, device: "tv3", after: ["reason": "reset"]),
                sample(
                    0, .gapStarted, second: 500, device: "tv3",
                    after: ["reason": "link_lost", "from": .string(time(500))]),
            ]
        return all.sorted { $0.observedAt < $1.observedAt }.enumerated().map { index, event in
            var numbered = event
            numbered.id.position = ArchivePosition(Int64(index + 1))
            return numbered
        }
    }()

    private static func time(_ second: Double) -> String {
        WallTime(microseconds: eveningStart + Int64(second * 1e6)).text
    }

    /// A database with that evening up to its second 600, and a connection to it as Grafana has one.
    private static func reader() throws -> PostgresConnection {
        let address = try TestCluster.shared.newDatabase()
        let projection = try Projection(connection: PostgresConnection(address), recorderID: recorderOne, site: "Hotel")
        var plays = PlayLedger()
        var conflicts = ConflictLedger()
        var batch = ProjectionBatch(events)
        for event in events {
            batch.plays += plays.fold(event)
            batch.conflicts += conflicts.fold(event)
        }
        batch.playStates = plays.takeStates()
        batch.conflictStates = conflicts.takeStates()
        batch.throughTime = WallTime(microseconds: eveningStart + 600_000_000)
        try projection.apply(batch)
        let reader = try PostgresConnection(address)
        try reader.execute("SET default_transaction_read_only = on")
        try reader.execute("SET ROLE castledger_reader")
        return reader
    }

    /// The rows of an answer, each with its columns in order.
    private static func rows(
        _ question: GrafanaQuestion, _ connection: PostgresConnection, from: Double = -600, to: Double = 1200,
        devices: [String] = ["tv1", "tv2", "tv3"]
    ) throws -> [JSONObject] {
        let sql = question.sent(from: time(from), to: time(to), devices: devices)
        #expect(!sql.contains("$"), "\(question.place): a macro is left: \(sql)")
        return try connection.execute("SELECT row_to_json(q)::text FROM (\(sql)) q", doing: question.place)
            .compactMap { try JSONParser().parse($0.text(0) ?? "").object }
    }

    @Test func `has for each panel the columns and rows that this kind of panel needs`() throws {
        let connection = try Self.reader()
        let questions = try GrafanaQuestion.all()
        #expect(questions.count == 30)
        for question in questions {
            let rows = try Self.rows(question, connection)
            let first = try #require(rows.first, "\(question.place): no row")
            let columns = first.pairs.map(\.key)
            for name in question.namedColumns {
                #expect(columns.contains(name), "\(question.place): \(name)")
            }
            try Self.check(question, rows, columns)
        }
    }

    private static func check(_ question: GrafanaQuestion, _ rows: [JSONObject], _ columns: [String]) throws {
        let name: Comment = "\(question.place): \(columns)"
        let expectedFormat = question.use == "timeseries" ? "time_series" : "table"
        #expect(question.format == expectedFormat, name)
        switch question.use {
        case "state-timeline":
            #expect(columns == ["time", "device", "Value"], name)
            let last = Dictionary(rows.map { ($0["device"]?.string, $0["Value"]) }) { _, later in later }
            #expect(last.values.allSatisfy { $0 == .null }, "the last state of each device has an end")
            let times = rows.map { $0["time"]?.string ?? "" }
            #expect(times == times.sorted(), name)
        case "timeseries":
            #expect(columns == ["time", "metric", "value"], name)
            #expect(rows.allSatisfy { $0["time"]?.double != nil && $0["value"]?.double != nil }, name)
        case "stat":
            #expect(rows.count == 1 && columns.count == 1 && rows[0].pairs[0].value.double != nil, name)
        case "barchart":
            #expect(rows.allSatisfy { $0.pairs[0].value.string != nil }, name)
            #expect(rows.allSatisfy { $0.pairs.dropFirst().allSatisfy { $0.value == .null || $0.value.double != nil } })
        case "annotation": #expect(columns == ["time", "timeend", "text", "tags"], name)
        case "variable": #expect(columns == ["__text", "__value"], name)
        case "table": break
        default: Issue.record("\(question.use) is a kind of panel that this test does not know")
        }
    }

    @Test func `answers also where nothing is known`() throws {
        let connection = try Self.reader()
        let empty = try TestCluster.shared.newDatabase()
        _ = try Projection(connection: PostgresConnection(empty), recorderID: recorderOne)
        let nobody = try PostgresConnection(empty)
        for question in try GrafanaQuestion.all() {
            _ = try Self.rows(question, nobody, devices: [""])
            let before = try Self.rows(question, connection, from: -7200, to: -3600)
            if question.use == "state-timeline" { #expect(before.isEmpty, "\(question.place)") }
        }
    }

    private func answer(_ title: String, _ dashboard: String, _ show: (JSONObject) -> String) throws -> [String] {
        let question = try #require(
            try GrafanaQuestion.all().first { $0.title == title && $0.dashboard == "\(dashboard).json" })
        return try Self.rows(question, Self.reader()).map(show)
    }

    private func state(_ row: JSONObject) -> String {
        let clock = row["time"]?.string.map { String($0.dropFirst(14).prefix(5)) } ?? "?"
        return "\(clock) \(row["device"]?.string ?? "?"): \(row["Value"]?.string ?? "-")"
    }

    @Test func `of what each device did, ends each state where something else begins, or nothing is known`() throws {
        let states = try answer("What each device did", "what-played", state)
        #expect(
            states.filter { $0.contains("Lobby") } == [
                "00:00 Lobby TV: idle", "01:00 Lobby TV: app_only", "01:10 Lobby TV: loading",
                "01:15 Lobby TV: playing",
                "02:15 Lobby TV: paused", "02:45 Lobby TV: playing", "03:45 Lobby TV: app_only", "05:00 Lobby TV: idle",
                "06:00 Lobby TV: unobserved", "07:00 Lobby TV: idle", "10:00 Lobby TV: -",
            ])
        #expect(
            states.filter { $0.contains("Bar") } == [
                "00:00 O'Neill's \"Bar\": idle", "06:40 O'Neill's \"Bar\": playing", "10:00 O'Neill's \"Bar\": -",
            ])
        let titles = try answer("What was on", "what-played", state)
        #expect(
            titles.filter { $0.contains("Lobby") } == [
                "00:00 Lobby TV: -", "01:00 Lobby TV: Player", "01:10 Lobby TV: Film", "01:15 Lobby TV: Film",
                "02:15 Lobby TV: Film", "02:45 Lobby TV: Film", "03:45 Lobby TV: Player", "05:00 Lobby TV: -",
                "06:00 Lobby TV: -", "07:00 Lobby TV: -", "10:00 Lobby TV: -",
            ])
    }

    @Test func `of coverage tells the seconds and shares that one counts by hand`() throws {
        // Known: 600 s of each; missed: 60 s of the first, 100 s of the third.
        #expect(
            try answer("Observed", "coverage") { $0["observed"]?.text ?? "" } == [Double(1640) / 1800].map { "\($0)" })
        #expect(
            try answer("By device", "coverage") {
                "\($0["device"]?.string ?? "") \($0["time observed"]?.text ?? "") \($0["time known"]?.text ?? "")"
            } == ["Hall 500 600", "Lobby TV 540 600", "O'Neill's \"Bar\" 600 600"])
        let spans = try answer("When each device was observed", "coverage", state)
        #expect(
            spans.filter { $0.contains("Hall") } == ["00:00 Hall: observed", "08:20 Hall: link_lost", "10:00 Hall: -"])
        #expect(
            try answer("Missed, and why", "coverage") { "\($0["day"]?.string ?? "") \($0["link_lost"]?.text ?? "")" }
                == ["2026-03-01 160"])
    }

    @Test func `of now and of plays tells what is on, and for how long`() throws {
        #expect(
            try answer("What is on", "fleet-now") {
                [
                    $0["device"], $0["state"], $0["app"], $0["title"], $0["activity"], $0["missed"], $0["played"],
                ].map { $0?.string ?? $0?.text ?? "?" }.joined(separator: " ")
            } == [
                "Hall lost null null null link_lost null", "Lobby TV linked null null null null null",
                "O'Neill's \"Bar\" linked Player Film playing null 200",
            ])
        #expect(try answer("Played by app", "what-played") { $0["played"]?.text ?? "" } == ["320"])
        #expect(
            try answer("Plays", "what-played") {
                [$0["device"], $0["title"], $0["end"], $0["played"], $0["paused"]]
                    .map { $0?.string ?? $0?.text ?? "?" }.joined(separator: " ")
            } == ["O'Neill's \"Bar\" Film lasts 200 0", "Lobby TV Film stopped 120 30"])
    }

    @Test func `of conflicts counts each in the minute in which it began`() throws {
        // 20:01 is 1772395260 seconds after 1970.
        #expect(
            try answer("Conflicts by kind", "conflicts") {
                "\($0["time"]?.text ?? "") \($0["metric"]?.string ?? "") \($0["value"]?.text ?? "")"
            } == ["1772395260 volume_fight 1"])
        #expect(try answer("Where", "conflicts") { $0["device"]?.string ?? "" } == ["Hall"])
    }

    @Test func `is what its source makes, and known to Grafana's own model in every part`() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let folder = TemporaryFolder()
        defer { folder.remove() }
        let (made, output) = try ChildProcess.run(["\(root)/dashboards/build", folder.path], includingErrors: true)
        #expect(made == .code(0), "\(String(decoding: output, as: UTF8.self))")
        let files = try GrafanaQuestion.dashboards().map(\.file)
        #expect(files.count == 5)
        for file in files {
            let name = file.split(separator: "/").last ?? ""
            #expect(try Files.read(file) == Files.read("\(folder.path)/\(name)"), "run dashboards/build")
        }
        let (checked, findings) = try ChildProcess.run(
            [TestPython.path(), "\(root)/deploy/readers/check_dashboard.py"] + files, includingErrors: true)
        #expect(checked == .code(0), "\(String(decoding: findings, as: UTF8.self))")
    }
}

extension JSONValue {
    fileprivate var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .unsigned(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}
