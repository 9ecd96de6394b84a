import CastModel
import CastWire
import Differ
import Recording
import Testing

// Goal: what a damaged archive no longer tells is a gap, from the last record before the damage to the first sign of life
// after it, whether the archive is folded live, from any checkpoint, or all at once.
@Suite("A hole in the archive")
struct HoleTests {
    /// A differ of an archive, from its beginning.
    private static func beginning() throws -> StatusDiffer {
        try StatusDiffer(restoring: [], heard: [:], after: (ArchivePosition(0), nil))
    }

    private static func gaps(_ events: [ChangeEvent]) -> [String] {
        events.filter { $0.kind == .gapStarted || $0.kind == .gapEnded }.map { event in
            func seconds(_ key: String) -> String {
                guard let moment = event.after?[key]?.string.flatMap({ WallTime(text: $0) }) else { return "" }
                return "\(Int(moment.seconds(since: Replay.start)))"
            }
            let (reason, from) = (event.after?["reason"]?.string ?? "-", seconds("from"))
            return event.kind == .gapStarted ? "\(reason) from \(from)" : "\(reason) \(from)-\(seconds("to"))"
        }
    }

    private static func gaps(_ records: [Record]) throws -> [String] {
        var differ = try beginning()
        return gaps(records.flatMap { differ.fold($0) })
    }

    /// Records without those of some seconds, as a reader gives them that passes over damage.
    private static func without(_ seconds: ClosedRange<Double>, _ replay: Replay) -> [Record] {
        replay.records.filter { !seconds.contains($0.at.seconds(since: Replay.start)) }
    }

    private static func pong(_ replay: inout Replay, _ second: Double, link: Int64 = 1) {
        let pong = CastMessage(from: "receiver-0", to: "sender-0", .heartbeat, text: #"{"type":"PONG"}"#)
        replay.add(
            second,
            .frame(
                RecordedFrame(device: replay.device, link: LinkNumber(link), direction: .inbound, message: pong)))
    }

    /// A device that is linked all the time, one that comes, one that goes, and one that is away all the time.
    private static var evening: Replay {
        var replay = Replay()
        let devices = ["a-linked", "b-comes", "c-goes", "d-away", "e-is-new"].map { DeviceID($0) }
        for (number, device) in devices.prefix(4).enumerated() {
            replay.device = device
            replay.open(Double(number) / 10, link: Int64(number) + 1)
        }
        for device in [devices[1], devices[3]] {
            replay.device = device
            replay.close(2, link: device == devices[1] ? 2 : 4, .silent)
        }
        replay.device = devices[0]
        replay.receiver(5, #""volume":{"level":0.5}"#)
        // The hole: 10 to 30.
        pong(&replay, 12)
        replay.device = devices[1]
        replay.open(14, link: 5)
        replay.device = devices[2]
        replay.close(16, link: 3, .closedByDevice)
        replay.device = devices[4]
        replay.open(18, link: 6)
        replay.device = devices[0]
        pong(&replay, 32)
        replay.receiver(33, #""volume":{"level":0.7}"#)
        replay.device = devices[1]
        pong(&replay, 34, link: 5)
        replay.device = devices[2]
        replay.open(50, link: 7)
        replay.device = devices[0]
        replay.close(60, link: 1, .recorderStopping)
        replay.device = devices[1]
        replay.close(60, link: 5, .recorderStopping)
        return replay
    }

    @Test func `is a gap of each device that was linked, up to the next sign of life`() throws {
        let whole = try Self.gaps(Self.evening.records)
        #expect(!whole.contains { $0.hasPrefix("archive_damaged") })
        #expect(
            try Self.gaps(Self.without(10...30, Self.evening)) == [
                "link_lost from 0", "link_lost from 0",
                // The first record after it; of the others nothing is known that was not known before.
                "archive_damaged from 5", "archive_damaged from 5", "archive_damaged 5-32",
                "link_lost 0-34", "archive_damaged 5-50", "recorder_down from 33", "recorder_down from 34",
            ])
    }

    @Test func `makes the next statuses states, not changes`() throws {
        var differ = try Self.beginning()
        let events = Self.without(10...30, Self.evening).flatMap { differ.fold($0) }
        let volumes = events.filter { $0.kind == .deviceVolumeChanged }
        #expect(volumes.map(\.attribution) == [.snapshot, .snapshot])
    }

    @Test func `ends for a device that is not heard within a minute of the first record after it`() throws {
        var replay = Replay()
        replay.open(0)
        replay.device = DeviceID("other")
        replay.open(1)
        Self.pong(&replay, 5)
        Self.pong(&replay, 20)
        Self.pong(&replay, 79)
        Self.pong(&replay, 80)
        #expect(
            try Self.gaps(Self.without(5...5, replay)) == [
                "archive_damaged from 1", "archive_damaged from 1", "archive_damaged 1-20", "archive_damaged 1-20",
                "device_unreachable from 20",
            ])
    }

    @Test func `hides whether a device came back after its recorder did`() throws {
        var replay = Replay()
        replay.open(0)
        replay.add(10, .recorderStarted(recorder: "r", version: "1"))
        replay.open(12, link: 1)
        Self.pong(&replay, 75)
        #expect(
            try Self.gaps(Self.without(11...13, replay)) == [
                "recorder_down from 0", "recorder_down 0-10", "archive_damaged from 10", "archive_damaged 10-75",
            ])
    }

    @Test func `ends with the end of a link that is not known to have been up`() throws {
        var replay = Replay()
        replay.open(0)
        Self.pong(&replay, 5)
        replay.close(20, .silent)
        replay.open(30, link: 2)
        #expect(
            try Self.gaps(Self.without(5...5, replay)) == [
                "archive_damaged from 0", "archive_damaged 0-20", "link_lost from 20", "link_lost 20-30",
            ])
    }

    @Test func `is the same from any checkpoint`() throws {
        let records = Self.without(10...30, Self.evening)
        var differ = try Self.beginning()
        let expected = records.map { differ.fold($0) }
        var restarting = try Self.beginning()
        var states: [DeviceID: JSONValue] = [:]
        var heard: [DeviceID: WallTime] = [:]
        for (index, record) in records.enumerated() {
            #expect(restarting.fold(record) == expected[index], "record \(index + 1)")
            for (deviceID, state) in restarting.takeDeviceStates() { states[deviceID] = state }
            heard.merge(restarting.takeHeard()) { $1 }
            restarting = try StatusDiffer(
                restoring: states.map { ($0.key, $0.value) }, heard: heard, after: (record.position, record.at))
        }
    }

    @Test func `is no matter where the beginning was pruned, or somebody folds what they like`() throws {
        let records = Array(Self.evening.records.suffix(8))
        #expect(try !Self.gaps(records).contains { $0.hasPrefix("archive_damaged") })
        var differ = StatusDiffer()
        let picked = Self.without(10...30, Self.evening).flatMap { differ.fold($0) }
        #expect(!Self.gaps(picked).contains { $0.hasPrefix("archive_damaged") })
    }
}
