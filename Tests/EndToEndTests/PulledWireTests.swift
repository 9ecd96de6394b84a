import CastModel
import Glibc
import IO
import Recording
import TestSupport
import Testing

// Goal: a link of which neither end hears any more, not even that it is gone, is given up by our own clock, and the
// time is told as not observed from the last word heard on, not from when we noticed.
// Method: recorder and device on two hosts; the wire between them is pulled, and put back once the link is given up.
@Suite("A wire that is pulled", .serialized, .waits, .root("PulledWireTests"))
struct PulledWireTests {
    @Test func `is a gap from the last word to the next link, and the device is back by itself`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-pulled", mode: 0o711)
        let lab = try MDNSLab(folder: folder + "/lab", name: "wire")
        let data = folder + "/data"
        let fleet = try lab.start(
            lab.devices,
            [
                Program.path, "fleet", "--devices", "1", "--port", "9000", "--address", lab.devices.address,
                "--scenario", "chatter",
            ])
        let recorder = try lab.start(
            lab.monitor,
            [Program.path, "record", "--data", data, "--no-discovery", "--device", "\(lab.devices.address):9000"])
        defer {
            recorder.send(SIGTERM)
            recorder.wait()
            fleet.send(SIGTERM)
            fleet.wait()
            lab.close()
            try? Files.removeTree(folder)
        }

        func events(_ kind: String, atLeast count: Int) throws -> [JSONValue] {
            let found = try eventually(within: 90) { () -> [JSONValue]? in
                guard Files.exists(data + "/postgres") else { return nil }
                let events = try Program.json(["events", "--data", data, "--kind", kind])
                return events.count >= count ? events : nil
            }
            let log = String(decoding: (try? Files.read(lab.monitor.folder + "/log")) ?? [], as: UTF8.self)
            return try #require(found, "no \(count) \(kind): \(log)")
        }
        func moment(_ row: JSONValue, _ name: String) throws -> WallTime {
            try #require(row[name]?.string.flatMap { WallTime(text: $0) }, "\(row.text)")
        }

        _ = try events("link_opened", atLeast: 1)
        let pulled = WallTime(microseconds: Clock.wallMicroseconds())
        try lab.setWire(of: lab.devices, isIn: false)
        let closed = try events("link_closed", atLeast: 1)
        #expect(closed.first?["after"]?["reason"]?.string == "silent")
        let back = WallTime(microseconds: Clock.wallMicroseconds())
        try lab.setWire(of: lab.devices, isIn: true)
        let openings = try events("link_opened", atLeast: 2)

        let gaps = try Program.json(["coverage", "--data", data, "--gaps"])
            .filter { $0["reason"]?.string != "not_joined" }
        // Whether the attempt after the loss still finds no wire is a matter of moments.
        let reasons = gaps.compactMap { $0["reason"]?.string }
        #expect(
            reasons == ["link_lost"] || reasons == ["link_lost", "device_unreachable"], "\(gaps.map(\.text))")
        let (lost, last) = (try #require(gaps.first), try #require(gaps.last))
        // The device says something each second; the last of it was heard before the wire was pulled.
        let silence = pulled.seconds(since: try moment(lost, "from"))
        #expect(silence > -0.1 && silence < 6, "the gap begins \(silence) s before the wire was pulled")
        // Three heartbeats of 5 s go unanswered (PROTOCOL 2.7).
        #expect(try moment(lost, "to").seconds(since: try moment(lost, "from")) >= 15)
        for (one, next) in zip(gaps, gaps.dropFirst()) {
            #expect(try moment(one, "to") == moment(next, "from"), "no moment between the two")
        }
        #expect(try moment(last, "to") == moment(try #require(openings.last), "observed_at"))
        #expect(try moment(last, "to").seconds(since: back) > 0)
    }
}
