import CastModel
import Glibc
import IO
import TestSupport
import Testing

@Suite("Devices that announce themselves", .serialized, .waits, .root("DiscoveredDevicesTests"))
struct DiscoveredDevicesTests {
    @Test func `are found across the network, recorded under their own ids, and kept when their announcement goes`()
        throws
    {
        let folder = try Files.makeTemporaryFolder("castledger-discovered", mode: 0o711)
        let lab = try MDNSLab(folder: folder + "/lab", name: "e2e")
        let data = folder + "/data"
        let fleet = try lab.start(
            lab.devices,
            [
                Program.path, "fleet", "--devices", "3", "--port", "9000", "--advertise", "--scenario", "idle",
            ])
        let recorder = try lab.start(lab.monitor, [Program.path, "record", "--data", data])
        defer {
            recorder.send(SIGTERM)
            recorder.wait()
            fleet.send(SIGTERM)
            fleet.wait()
            lab.close()
            try? Files.removeTree(folder)
        }

        func devices() throws -> [JSONValue] {
            Files.exists(data + "/postgres") ? try Program.json(["devices", "--data", data]) : []
        }
        let linked = try eventually(within: 90) { () -> [JSONValue]? in
            let found = try devices().filter { $0["state"]?.string == "linked" }
            return found.count == 3 ? found : nil
        }
        let found = try #require(
            linked, "recorder: \(String(decoding: (try? Files.read(lab.monitor.folder + "/log")) ?? [], as: UTF8.self))"
        )
        #expect(
            found.compactMap { $0["name"]?.string }.sorted() == [
                "Bedroom Speaker", "Kitchen Display", "Living Room TV",
            ])
        #expect(
            found.allSatisfy { $0["address"]?.string?.hasPrefix(lab.devices.address) == true }, "\(found.map(\.text))")

        // The devices' Avahi daemon ends with goodbyes; the devices themselves live on.
        lab.stopAvahi(lab.devices, SIGTERM)
        let withdrawn = try eventually(within: 30) { () -> Bool? in
            let events = try Program.json(["events", "--data", data, "--kind", "device_withdrawn"])
            return Set(events.compactMap { $0["device_id"]?.string }).count == 3 ? true : nil
        }
        #expect(withdrawn == true)
        #expect(try devices().allSatisfy { $0["state"]?.string == "linked" }, "a withdrawal closes no healthy link")
        #expect(try Program.json(["events", "--data", data, "--kind", "link_closed"]).isEmpty)
    }
}
