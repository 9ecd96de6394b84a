import CastModel
import Fleet
import Glibc
import IO
import TestSupport
import Testing

@Suite("A recorder that reads its settings again", .serialized, .waits)
struct ReloadTests {
    private func write(_ lines: [String], in world: World) throws {
        try Files.replace(world.data + "/castledger.conf", with: Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// The names of the linked devices.
    private func linked(_ health: JSONValue) -> Set<String> {
        Set(
            (health["device_list"]?.array ?? []).filter { $0["reach"] == "linked" }.compactMap { $0["name"]?.string })
    }

    @Test func `takes and lets go of devices, keeps what was before a mistake, and touches no other link`() throws {
        let world = try World(devices: 3)
        defer { world.end() }
        let names = world.fleet.endpoints.map(\.name)
        let lines = world.fleet.endpoints.map { "device = \($0.host):\($0.port)" }
        try Files.makeFolders(world.data, mode: 0o711)
        try write(["no-discovery = yes", lines[0], lines[1]], in: world)
        try world.startAlone()
        try world.waitForStatus(["--devices"]) { linked($0) == [names[0], names[1]] }

        try write(["no-discovery = yes", "site = Attic", lines[1], lines[2]], in: world)
        world.recorder?.send(SIGHUP)
        try world.waitForStatus(["--devices"]) { linked($0) == [names[1], names[2]] && $0["devices"]?["known"] == 2 }

        try write(["no-discovery = yes", lines[1], "devcie = 192.0.2.1"], in: world)
        world.recorder?.send(SIGHUP)
        let mistaken = try world.waitForStatus(["--devices"]) { $0["health"] == "degraded" }
        #expect(mistaken["troubles"]?.array?.map { $0["kind"]?.string } == ["settings"])
        let trouble = mistaken["settings"]?["trouble"]?.string ?? ""
        #expect(trouble.contains("castledger.conf:3") || trouble.contains("line 3"), "\(trouble)")
        #expect(trouble.contains("'device'"), "\(trouble)")
        #expect(linked(mistaken) == [names[1], names[2]])

        try write(
            ["no-discovery = yes", lines[1], lines[2], "deny-device = \(names[2])", "attach = platform"], in: world)
        world.recorder?.send(SIGHUP)
        let denied = try world.waitForStatus(["--devices"]) { linked($0) == [names[1]] && $0["devices"]?["known"] == 1 }
        #expect(denied["health"] == "healthy")
        #expect(world.logText.contains("msg=\"settings that need a restart of the recorder\" reason=attach"))

        try write(["no-discovery = yes", lines[1], lines[2]], in: world)
        world.recorder?.send(SIGHUP)
        try world.waitForStatus(["--devices"]) { linked($0) == [names[1], names[2]] }
        try world.waitUntilApplied()
        #expect(world.stopRecorder() == .code(0))

        var opened: [String: Int] = [:]
        let devices = try Program.json(["devices", "--data", world.data])
        for event in try world.events(["--kind", "link_opened"]) {
            let device = devices.first { $0["device_id"] == event["device_id"] }
            opened[device?["name"]?.string ?? "", default: 0] += 1
        }
        #expect(opened == [names[0]: 1, names[1]: 1, names[2]: 2], "the link that needed no change lasted")
    }
}
