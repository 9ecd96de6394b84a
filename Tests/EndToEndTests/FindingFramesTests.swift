import Archive
import CastModel
import CastWire
import IO
import Recording
import TestSupport
import Testing

@Suite("Finding records on the command line", .waits)
struct FindingFramesTests {
    /// 2026-03-01T20:15:00Z.
    static let start: Int64 = 1_772_396_100_000_000

    /// An archive of two devices that speak in turn, a second apart, for 200 s: the even positions are the kitchen's.
    private func archive() throws -> String {
        let data = try Files.makeTemporaryFolder("castledger-finding")
        let folder = try ArchiveFolder(data: data, recorder: "attic")
        var limits = ArchiveLimits.standard
        limits.batchRecords = 5
        limits.frameBytes = 4000
        limits.segmentBytes = 20_000
        let writer = try ArchiveWriter(folder, boot: "0b0e2c5a-1111-2222-3333-444455556666", limits: limits)
        let (attic, kitchen) = (DeviceID("a1"), DeviceID("b2"))
        var observations = [(attic, "Attic"), (kitchen, "Kitchen")].map { device, name in
            observation(
                0,
                .deviceSeen(
                    DeviceAdvertisement(
                        deviceID: device, name: name, model: nil, addresses: [], port: 8009, capabilities: nil, txt: [],
                        source: .mdns)))
        }
        for second in 2..<200 {
            let text = #"{"type":"MEDIA_STATUS","requestId":0,"status":[],"second":\#(second + 1)}"#
            let namespace: Namespace = second % 10 == 1 ? .receiver : .media
            let frame = RecordedFrame(
                device: second % 2 == 0 ? attic : kitchen, link: LinkNumber(1), direction: .inbound,
                message: CastMessage(from: "transport-1", to: "*", namespace, text: text))
            observations.append(observation(Int64(second), .frame(frame)))
        }
        try writer.append(observations, now: MonotonicTime(nanoseconds: 0))
        return data
    }

    private func observation(_ second: Int64, _ body: RecordBody) -> Observation {
        Observation(
            at: WallTime(microseconds: Self.start + second * 1_000_000), monotonic: MonotonicTime(nanoseconds: 0), body)
    }

    private func positions(_ words: [String]) throws -> [Int64] {
        let (exit, output) = try Program.run(words)
        #expect(exit == .code(0), "\(output)")
        let parser = JSONParser()
        return try output.split(separator: "\n").map { line in
            guard case .integer(let number)? = try parser.parse(String(line))["position"] else { return -1 }
            return number
        }
    }

    @Test func `'archive cat' prints the records of one device in ten seconds, by name or id`() throws {
        let data = try archive()
        defer { try? Files.removeTree(data) }
        let stretch = ["--from", "2026-03-01T20:16:00Z", "--to", "2026-03-01T20:16:10Z", "--data", data]
        #expect(try positions(["archive", "cat", "--device", "kitchen"] + stretch) == [62, 64, 66, 68, 70])
        #expect(try positions(["archive", "cat", "--device", "B2"] + stretch) == [62, 64, 66, 68, 70])
        #expect(try positions(["archive", "cat", "--namespace", "receiver"] + stretch) == [62])
        #expect(try positions(["archive", "cat"] + stretch) == Array(61...70))
        #expect(
            try positions(["archive", "cat", "--from-position", "198", "--device", "a1", "--data", data]) == [199])
        let (exit, output) = try Program.run(["archive", "cat", "--device", "Kitchn", "--data", data])
        #expect(exit == .code(64))
        #expect(output.contains("Did you mean 'Kitchen'?"))
        let (nothing, _) = try Program.run(["archive", "cat", "--to", "2020-01-01", "--data", data])
        #expect(nothing == .code(1))
    }

    @Test func `a damaged zstd frame costs its records alone, and is told of, with 65`() throws {
        let data = try archive()
        defer { try? Files.removeTree(data) }
        let segments = try ArchiveListing.segments(ArchiveFolder(data: data, recorder: "attic"))
        let path = try #require(segments.first).path
        var bytes = try Files.read(path)
        bytes[bytes.count / 2] ^= 0xFF
        try Files.replace(path, with: bytes)
        for words in [["archive", "cat"], ["frames", "--json", "--from", "2026-03-01"]] {
            let (exit, output) = try Program.run(words + ["--data", data])
            #expect(exit == .code(65))
            let lines = output.split(separator: "\n")
            let complaints = lines.filter { $0.hasPrefix("castledger: ") }
            #expect(complaints.count == 2)
            #expect(complaints.first?.hasPrefix("castledger: \(path), bytes ") == true, "\(complaints)")
            let records = lines.count - 2
            #expect((150..<200).contains(records), "\(records) of 200")
            #expect(output.contains(#""position":200,"#), "the last one")
        }
        let before = ["--to-position", "3", "--data", data]
        #expect(try Program.run(["archive", "cat"] + before).exit == .code(0), "nothing that was asked for is damaged")
        let listed = try Program.json(["archive", "list", "--data", data])
        #expect(listed.first?["state"]?.string == "damaged")
        #expect(listed.first?["last_position"] == .integer(segments[0].lastPosition?.number ?? 0))
    }

    @Test func `a name that a device had once is no mistake, also where nothing is found`() throws {
        let data = try Files.makeTemporaryFolder("castledger-finding")
        defer { try? Files.removeTree(data) }
        let writer = try ArchiveWriter(
            ArchiveFolder(data: data, recorder: "attic"), boot: "0b0e2c5a-1111-2222-3333-444455556666")
        let seen = ["Old", "New"].map { name in
            observation(
                0,
                .deviceSeen(
                    DeviceAdvertisement(
                        deviceID: DeviceID("a1"), name: name, model: nil, addresses: [], port: 8009, capabilities: nil,
                        txt: [], source: .mdns)))
        }
        try writer.append(seen, now: MonotonicTime(nanoseconds: 0))
        for (name, code) in [("New", 1), ("old", 1), ("a1", 1), ("Other", 64)] as [(String, Int32)] {
            let words = ["archive", "cat", "--device", name, "--to", "2020-01-01", "--data", data]
            #expect(try Program.run(words).exit == .code(code), "\(name)")
        }
    }

    @Test func `'frames --event' shows the frame behind an event, and its neighbours of the same device`() throws {
        let data = try archive()
        defer { try? Files.removeTree(data) }
        let place = ["--data", data, "--json"]
        #expect(try positions(["frames", "--event", "100/3"] + place) == [100])
        #expect(try positions(["frames", "--event", "100", "--around", "2"] + place) == [96, 98, 100, 102, 104])
        #expect(try positions(["frames", "--event", "199", "--around", "2"] + place) == [195, 197, 199])
        #expect(try positions(["frames", "--event", "2", "--around", "1"] + place) == [2, 4])
        let (_, text) = try Program.run(["frames", "--event", "100", "--data", data])
        #expect(text.contains("2026-03-01 20:16:39"))
        #expect(text.contains("Kitchen"))
        #expect(text.contains(#""second":100"#))
        let (seen, announcement) = try Program.run(["frames", "--event", "2/0", "--data", data])
        #expect(seen == .code(0))
        #expect(announcement.contains("device_seen"))
        for wrong in ["0", "abc", "1/2/3", "5/x", "-3"] {
            #expect(try Program.run(["frames", "--event=\(wrong)", "--data", data]).exit == .code(64), "\(wrong)")
        }
        #expect(try Program.run(["frames", "--event", "900", "--data", data]).exit == .code(1))
    }

    @Test func `'events' names the frame behind each event`() throws {
        let world = try World(devices: 1)
        var keeping = true
        defer { world.end(keeping: keeping) }
        try world.startRecorder()
        let event = try world.waitForEvent { $0["kind"]?.string == "link_opened" }
        guard case .integer(let position)? = event["position"] else { throw CancellationError() }
        let (_, table) = try Program.run(["events", "--kind", "link_opened", "--data", world.data])
        #expect(table.contains(" \(position)/0 "))
        let (exit, frames) = try Program.run(["frames", "--event", "\(position)/0", "--data", world.data])
        #expect(exit == .code(0))
        #expect(frames.contains("link_opened"))
        keeping = false
    }
}
