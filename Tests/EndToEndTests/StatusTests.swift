import CastModel
import Fleet
import IO
import TestSupport
import Testing

@Suite("castledger status", .serialized, .waits)
struct StatusTests {
    private func status(_ world: World, _ more: [String] = []) throws -> (exit: ChildProcess.Exit, json: JSONValue?) {
        let (exit, output) = try ChildProcess.run(
            [Program.path, "status", "--data", world.data, "--json"] + more)
        return (exit, try? JSONParser().parse(output))
    }

    /// Asks until the answer fits, and returns it.
    private func wait(
        _ world: World, _ more: [String] = [], _ fits: (JSONValue) -> Bool
    ) throws -> (exit: ChildProcess.Exit, json: JSONValue) {
        var last: JSONValue?
        let found = try eventually { () -> (ChildProcess.Exit, JSONValue)? in
            let (exit, json) = try status(world, more)
            last = json
            guard let json, fits(json) else { return nil }
            return (exit, json)
        }
        return try #require(found, "the last answer was \(last?.text ?? "none")")
    }

    @Test func `is 0 while all is well, tells of each device, and 2 with the last record after the end`() throws {
        let world = try World(devices: 2, scenario: .evening)
        defer { world.end() }
        #expect(try status(world).exit == .code(2))
        try world.startRecorder()
        let (exit, json) = try wait(world, ["--devices"]) {
            $0["devices"]?["linked"] == 2 && $0["database"]?["applied_position"] != .null
                && $0["database"]?["events"] != 0
        }
        #expect(exit == .code(0))
        #expect(json["health"] == "healthy")
        #expect(json["troubles"] == [])
        #expect(json["pid"] == .integer(Int64(world.recorder?.id ?? 0)))
        #expect(json["devices"]?["known"] == 2)
        #expect(json["archive"]?["stalled_seconds"] == .null)
        let names = (json["device_list"]?.array ?? []).compactMap { $0["name"]?.string }
        #expect(Set(names) == Set(world.fleet.endpoints.map(\.name)))
        #expect(try status(world).json?["device_list"] == nil, "thousands are only told when they are asked for")

        #expect(world.stopRecorder() == .code(0))
        let (downExit, down) = try status(world)
        #expect(downExit == .code(2))
        #expect(down?["health"] == "down")
        let records = try Program.run(["archive", "cat", "--data", world.data]).output.split(separator: "\n")
        let last = try JSONParser().parse(Array(try #require(records.last).utf8))
        #expect(down?["last_position"] == last["position"])
        #expect(down?["last_record_at"] == last["at"])
    }

    @Test func `is 1 while the database is away, and recording goes on`() throws {
        let world = try World(devices: 1)
        defer { world.end() }
        let port = try ClosedPort()
        try world.startRecorder(["--database", "postgresql://nobody:secret@127.0.0.1:\(port.port)/nothing"])
        let (exit, json) = try wait(world) {
            $0["devices"]?["linked"] == 1 && $0["archive"]?["records"] != 0 && $0["database"]?["trouble"] != .null
        }
        #expect(exit == .code(1))
        #expect(json["health"] == "degraded")
        #expect(json["troubles"]?.array?.map { $0["kind"]?.string } == ["database"])
        #expect(json["database"]?["applied_position"] == .null)
        #expect(!json.text.contains("secret"))
        #expect(!String(decoding: try Files.read(world.recorderLog), as: UTF8.self).contains("secret"))
    }

    @Test func `tells of a device that cannot be reached, and why`() throws {
        let world = try World(devices: 1)
        defer { world.end() }
        let port = try ClosedPort()
        try world.startRecorder(["--device", "127.0.0.1:\(port.port)"])
        let (exit, json) = try wait(world, ["--devices"]) {
            $0["devices"]?["unreachable"] == 1 && $0["devices"]?["linked"] == 1
        }
        #expect(exit == .code(0), "somebody unplugged a television: \(json.text)")
        let away = (json["device_list"]?.array ?? []).first { $0["reach"] == "unreachable" }
        #expect(away?["address"]?.string == "127.0.0.1:\(port.port)")
        #expect(away?["last_failure"]?.string?.contains("Connection refused") == true, "\(json.text)")
        #expect(away?["last_heard_seconds_ago"] == .null)
    }
}
