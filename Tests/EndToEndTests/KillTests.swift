import Archive
import CastModel
import CastWire
import Fleet
import Glibc
import IO
import Recording
import TestSupport
import Testing

@Suite("A recorder killed in the middle of an evening", .serialized, .waits)
struct KillTests {
    /// The payloads that a device sent to the recorder's links before a moment, as often as it sent them.
    private func sentToUs(_ truth: [JSONValue], before limit: WallTime) -> [String: Int] {
        var counts: [String: Int] = [:]
        for line in truth where line["what"]?.string == "frame_sent" && line["is_castledger"] == true {
            guard let at = line["at"]?.string.flatMap({ WallTime(text: $0) }), at < limit else { continue }
            // Before CONNECT a device does not know whose link it is; such frames are not in this list.
            let key =
                "\(line["device"]?.string ?? "") \(line["namespace"]?.string ?? "") \(line["payload"]?.text ?? "")"
            counts[key, default: 0] += 1
        }
        return counts
    }

    private func recorded(_ records: [Record]) -> [String: Int] {
        let parser = JSONParser()
        var counts: [String: Int] = [:]
        for record in records {
            guard case .frame(let frame) = record.body, frame.direction == .inbound else { continue }
            // What is no JSON has no payload in the truth file either.
            let payload = (try? parser.parse(frame.message.payloadBytes))?.text ?? ""
            counts["\(frame.device.text) \(frame.message.namespace.urn) \(payload)", default: 0] += 1
        }
        return counts
    }

    @Test func `loses at most the last second, has nothing twice, and says how long it did not look`() throws {
        let world = try World(devices: 3, scenario: .evening, speed: 5)
        defer { world.end() }
        try world.startRecorder()
        try world.waitForEvent("player_state_changed")
        _ = try eventually { () -> Bool? in
            let now = WallTime(microseconds: Clock.wallMicroseconds() - 1_000_000)
            return sentToUs(try world.truth(), before: now).values.reduce(0, +) > 40 ? true : nil
        }
        let killedAt = WallTime(microseconds: Clock.wallMicroseconds())
        world.killRecorder()
        let truthBeforeKill = try world.truth()

        let devices = try Program.json(["devices", "--data", world.data])
        #expect(!devices.isEmpty)
        #expect(
            devices.allSatisfy { $0["state"]?.string == "not recorded" },
            "nobody observes a device whose recorder is gone: \(devices.map(\.text))")
        let (_, spoken) = try Program.run(["timeline", "--data", world.data])
        #expect(spoken.contains("castledger: no recorder writes into \(world.data) now: nothing is known after 20"))

        // The evening goes on without us: something happens that the ledger must not claim to know.
        let missed = try eventually { try world.truth().count >= truthBeforeKill.count + 20 ? true : nil }
        #expect(missed == true)
        let restartedAt = WallTime(microseconds: Clock.wallMicroseconds())
        try world.startRecorder()
        let gap = try world.waitForEvent {
            $0["kind"]?.string == "gap_ended" && ($0["after"] ?? $0["before"])?["reason"]?.string == "recorder_down"
        }
        #expect(world.stopRecorder() == .code(0))

        let (exit, verdict) = try Program.run(["archive", "verify", "--data", world.data])
        #expect(exit == .code(0), "\(verdict)")
        let recorder = try #require(try ArchiveFolder.recorders(data: world.data).first)
        let batches = try ArchiveReader(ArchiveFolder(data: world.data, recorder: recorder)).readAvailable(
            limitRecords: .max)
        let records = batches.flatMap(\.records)
        #expect(records.map(\.position.number) == Array(1...Int64(records.count)), "positions without holes")
        let kept = recorded(records)
        let oneSecondBefore = WallTime(microseconds: killedAt.microseconds - 1_000_000)
        let owed = sentToUs(truthBeforeKill, before: oneSecondBefore)
        #expect(owed.values.reduce(0, +) > 40, "there was something to lose")
        for (frame, count) in owed { #expect((kept[frame] ?? 0) >= count, "lost: \(frame)") }

        let events = try world.events()
        let names = events.map {
            "\($0["recorder_id"]?.text ?? "") \($0["position"]?.text ?? "") \($0["ordinal"]?.text ?? "")"
        }
        #expect(Set(names).count == names.count, "no event twice")
        let from = try #require(
            (gap["after"]?["from"] ?? gap["before"]?["from"])?.string.flatMap { WallTime(text: $0) })
        let to = try #require((gap["after"]?["to"] ?? gap["before"]?["to"])?.string.flatMap { WallTime(text: $0) })
        #expect(from <= killedAt)
        #expect(killedAt.seconds(since: from) <= 6, "a device is heard every five seconds at least")
        #expect(to >= restartedAt)
        #expect(to.seconds(since: restartedAt) <= 6)
    }
}
