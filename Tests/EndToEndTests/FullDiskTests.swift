import Archive
import CastModel
import CastWire
import Fleet
import Glibc
import IO
import Recording
import TestSupport
import Testing

@Suite("A recorder on a disk that is full for a while", .serialized, .waits, .root("FullDiskTests"))
struct FullDiskTests {
    /// How often each frame was sent to the recorder by the fleet's own word, before a moment.
    private func sent(_ truth: [JSONValue], before limit: WallTime) -> [String: Int] {
        truth.reduce(into: [:]) { counts, line in
            guard line["what"]?.string == "frame_sent", line["is_castledger"] == true,
                let at = line["at"]?.string.flatMap({ WallTime(text: $0) }), at < limit
            else { return }
            counts[
                "\(line["device"]?.string ?? "") \(line["namespace"]?.string ?? "") \(line["payload"]?.text ?? "")",
                default: 0] += 1
        }
    }

    @Test func `keeps everything in memory, says so, and writes it down when there is room`() throws {
        let world = try World(devices: 3, scenario: .evening, speed: 5)
        defer { world.end() }
        let disk = try SmallDisk(world.data + "/archive", mebibytes: 4)
        try world.startRecorder()
        try world.waitForEvent("player_state_changed")

        try disk.fill()
        let stalled = try eventually { world.logText.contains("the archive cannot be written") ? true : nil }
        #expect(stalled == true, "the alert line; log: \(world.logText)")
        let fullAt = WallTime(microseconds: Clock.wallMicroseconds())
        let before = sent(try world.truth(), before: fullAt).values.reduce(0, +)
        let enough = try eventually { () -> Bool? in
            let now = WallTime(microseconds: Clock.wallMicroseconds())
            return sent(try world.truth(), before: now).values.reduce(0, +) >= before + 60 ? true : nil
        }
        #expect(enough == true, "the fleet went on sending")
        let freedAt = WallTime(microseconds: Clock.wallMicroseconds())
        try disk.free()
        let recovered = try eventually { world.logText.contains("the archive can be written again") ? true : nil }
        #expect(recovered == true, "the line at the end; log: \(world.logText)")
        let after = sent(try world.truth(), before: .init(microseconds: .max)).values.reduce(0, +)
        _ = try eventually { () -> Bool? in
            sent(try world.truth(), before: .init(microseconds: .max)).values.reduce(0, +) >= after + 20 ? true : nil
        }
        let owed = sent(try world.truth(), before: .init(microseconds: .max))
        #expect(world.stopRecorder() == .code(0))

        let (exit, verdict) = try Program.run(["archive", "verify", "--data", world.data])
        #expect(exit == .code(0), "\(verdict)")
        let recorder = try #require(try ArchiveFolder.recorders(data: world.data).first)
        let reader = try ArchiveReader(ArchiveFolder(data: world.data, recorder: recorder))
        var records: [Record] = []
        while case let batches = try reader.readAvailable(), !batches.isEmpty { records += batches.flatMap(\.records) }
        #expect(records.map(\.position.number) == Array(1...Int64(records.count)), "positions without holes")

        let parser = JSONParser()
        var kept: [String: Int] = [:]
        var (lost, whileFull) = (0, 0)
        for record in records {
            switch record.body {
            case .frame(let frame) where frame.direction == .inbound:
                if record.at > fullAt, record.at < freedAt { whileFull += 1 }
                let payload = (try? parser.parse(frame.message.payloadBytes))?.text ?? ""
                kept["\(frame.device.text) \(frame.message.namespace.urn) \(payload)", default: 0] += 1
            case .framesLost(_, let count, _): lost += count
            default: break
            }
        }
        #expect(lost == 0, "far fewer than fit into memory")
        #expect(whileFull >= 60, "frames of the time without room are there")
        for (frame, count) in owed { #expect((kept[frame] ?? 0) >= count, "lost: \(frame)") }
        print("full for \(freedAt.seconds(since: fullAt)) s: \(whileFull) frames kept in memory, \(lost) lost")

        let text = world.logText
        #expect(text.occurrences(of: "the archive cannot be written; frames are kept in memory") == 1)
        #expect(text.occurrences(of: "the archive can be written again") == 1)
    }
}
