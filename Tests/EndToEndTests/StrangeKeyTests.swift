import CastModel
import Fleet
import IO
import Telemetry
import TestSupport
import Testing

@Suite("A device that cannot prove who it is", .serialized, .waits)
struct StrangeKeyTests {
    @Test func `is recorded all the same, and told of; with another key it is told of again`() throws {
        // A simulated device answers the challenge with a certificate that nobody vouches for. It is made anew at each
        // start, so the device of the second fleet has the first one's id and not its key: an impostor.
        let port = try freePort()
        let folder = try Files.makeTemporaryFolder("castledger-key", mode: 0o711)
        defer { try? Files.removeTree(folder) }
        let data = folder + "/data"
        func fleet() throws -> FleetService {
            let made = try FleetService(
                options: FleetOptions(devices: 1, scenario: .idle, seed: 7, port: port), log: .silent)
            made.start()
            return made
        }
        let first = try fleet()
        let recorder = try Program.start(
            ["record", "--data", data, "--no-discovery", "--device", "127.0.0.1:\(port)"], log: folder + "/log")
        defer {
            recorder.send(15)
            recorder.wait()
        }
        func failures() throws -> [JSONValue] {
            guard Files.exists(data + "/postgres") else { return [] }
            return try Program.json(["events", "--data", data, "--kind", "identity_failed"])
        }
        let one = try eventually { try failures().count == 1 ? true : nil }
        #expect(one == true)
        first.stop()
        let second = try fleet()
        defer { second.stop() }
        let two = try eventually { try failures().count == 2 ? true : nil }
        #expect(two == true, "\(String(decoding: (try? Files.read(folder + "/log")) ?? [], as: UTF8.self))")

        let told = try failures()
        #expect(told.map { $0["device_id"] } == [told[0]["device_id"], told[0]["device_id"]])
        #expect(told.allSatisfy { $0["after"]?["chainOK"] == false && $0["after"]?["why"]?.string?.isEmpty == false })
        let keys = told.compactMap { $0["after"]?["key"]?.string }
        #expect(keys.count == 2 && Set(keys).count == 2, "\(told.map(\.text))")
        #expect(told[1]["before"]?["key"]?.string == keys[0], "the event says which key it had before")
        let (_, timeline) = try Program.run(["timeline", "--data", data])
        #expect(timeline.split(separator: "\n").count { $0.contains("identity") } == 2, "\(timeline)")
        #expect(
            try Program.json(["devices", "--data", data]).first?["state"]?.string == "linked",
            "we record, we do not judge")
    }

    private func freePort() throws -> UInt16 {
        let listener = try Socket.listen(on: try #require(SocketAddress(host: "127.0.0.1", port: 0)))
        defer { Socket.close(listener) }
        return Socket.localPort(listener)
    }
}
