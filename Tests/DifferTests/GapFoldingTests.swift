import CastModel
import CastWire
import Differ
import Recording
import Testing

@Suite("The gaps of a device")
struct GapFoldingTests {
    /// Gaps as they were told: "link_lost 5-61".
    static func gaps(_ records: [Record]) -> [String] {
        var differ = StatusDiffer()
        return records.flatMap { differ.fold($0) }.filter { $0.kind == .gapEnded || $0.kind == .gapStarted }.map {
            event in
            func seconds(_ key: String) -> String {
                guard let moment = event.after?[key]?.string.flatMap({ WallTime(text: $0) }) else { return "" }
                return "\(Int(moment.seconds(since: Replay.start)))"
            }
            let reason = event.after?["reason"]?.string ?? "-"
            return event.kind == .gapStarted
                ? "\(reason) from \(seconds("from"))"
                : "\(reason) \(seconds("from"))-\(seconds("to")): \(event.after?["seconds"]?.text ?? "-")"
        }
    }

    private static func time(_ seconds: Double) -> WallTime {
        WallTime(microseconds: Replay.start.microseconds + Int64(seconds * 1e6))
    }

    private static func gap(
        _ reason: Gap.Reason, _ from: Double, _ to: Double? = nil, device: DeviceID? = Replay.device
    ) -> RecordBody {
        .gap(Gap(device: device, from: time(from), to: to.map { time($0) }, reason: reason))
    }

    private static var seen: RecordBody {
        .deviceSeen(
            DeviceAdvertisement(
                deviceID: Replay.device, name: "Kitchen", model: nil, addresses: ["192.0.2.7"], port: 8009,
                capabilities: nil, txt: [], source: .mdns))
    }

    @Test func `a lost link whose device cannot be reached again is two: the silence, and the absence`() {
        var replay = Replay()
        replay.open(0)
        replay.close(15, .silent)
        replay.add(17, Self.gap(.deviceUnreachable, 15))
        replay.open(100, link: 2)
        #expect(
            Self.gaps(replay.records) == [
                "link_lost from 0", "link_lost 0-15: 15.0", "device_unreachable from 15",
                "device_unreachable 15-100: 85.0",
            ])
    }

    @Test func `a device that was found and never linked is unreachable from that moment on`() {
        var replay = Replay()
        replay.add(0, Self.seen)
        replay.add(12, Self.gap(.deviceUnreachable, 3))
        replay.open(40)
        #expect(Self.gaps(replay.records) == ["device_unreachable from 0", "device_unreachable 0-40: 40.0"])
    }

    @Test(arguments: [(4.9, []), (5.0, ["device_unreachable from 0", "device_unreachable 0-5: 5.0"])])
    func `a first link takes a moment, which is no gap`(seconds: Double, gaps: [String]) {
        var replay = Replay()
        replay.add(0, Self.seen)
        replay.open(seconds)
        #expect(Self.gaps(replay.records) == gaps)
    }

    @Test func `an app that is not joined is one, until the link is lost: then nothing is observed`() {
        var replay = Replay()
        replay.open(0)
        replay.add(10, Self.gap(.notJoined, 8))
        replay.receiver(20, #""volume":{"level":0.5}"#)
        replay.close(30, .connectionReset)
        replay.open(31, link: 2)
        replay.add(31.5, Self.gap(.notJoined, 31))
        replay.add(50, Self.gap(.notJoined, 31, 50))
        #expect(
            Self.gaps(replay.records) == [
                "not_joined from 8", "not_joined 8-20: 12.0", "link_lost from 20", "link_lost 20-31: 11.0",
                "not_joined from 31", "not_joined 31-50: 19.0",
            ])
    }

    @Test(arguments: [
        (LinkCloseReason.recorderStopping, 6.0, "recorder_down from 10"),
        (.recorderStopping, 6.1, "recorder_down from 4"),
        (.attachModeChanged, 6, "link_lost from 10"), (.duplicate, 6, "link_lost from 10"),
        (.silent, 6, "link_lost from 4"), (.closedByDevice, 6, "link_lost from 4"),
    ])
    func `a link that we end while it is well was observed to its end`(
        reason: LinkCloseReason, after: Double, gap: String
    ) {
        var replay = Replay()
        replay.open(0)
        replay.receiver(4, #""volume":{"level":0.5}"#)
        replay.close(4 + after, reason)
        #expect(Self.gaps(replay.records) == [gap])
    }

    @Test(arguments: [true, false])
    func `a device that rules leave out has that gap until its next link, recorder or not`(isLinked: Bool) {
        var replay = Replay()
        replay.open(0)
        replay.receiver(8, #""volume":{"level":0.5}"#)
        if isLinked {
            replay.close(10, .deviceExcluded)
        } else {
            replay.close(9, .connectionReset)
            replay.add(10, Self.gap(.deviceExcluded, 10))
        }
        replay.add(50, .recorderStopped(reason: "SIGTERM"))
        replay.add(100, Self.gap(.recorderDown, 50, 100, device: nil))
        replay.add(100, .recorderStarted(recorder: "r", version: "1"))
        replay.add(161, Self.gap(.notJoined, 5, device: DeviceID("other")))
        replay.open(200, link: 1)
        #expect(
            Self.gaps(replay.records).suffix(2) == ["device_excluded from 10", "device_excluded 10-200: 190.0"])
    }

    @Test func `what is said of an app without a link, or of a device with one, is no reason`() {
        var replay = Replay()
        replay.open(0)
        replay.add(1, Self.gap(.deviceUnreachable, 0))
        replay.close(10, .silent)
        replay.add(11, Self.gap(.notJoined, 5))
        replay.add(12, Self.gap(.notJoined, 5, 12))
        replay.open(20, link: 2)
        #expect(Self.gaps(replay.records) == ["link_lost from 0", "link_lost 0-20: 20.0"])
    }

    @Test func `a device that is back soon after the recorder was not observed for lack of a recorder`() {
        var replay = Replay()
        replay.open(0)
        replay.add(100, Self.gap(.recorderDown, 9, 100, device: nil))
        replay.add(100, .recorderStarted(recorder: "r", version: "1"))
        replay.open(159, link: 1)
        #expect(Self.gaps(replay.records) == ["recorder_down from 9", "recorder_down 9-159: 150.0"])
    }

    @Test func `one that is not back after a minute could not be reached since the recorder was`() {
        var replay = Replay()
        replay.open(0)
        replay.device = DeviceID("other")
        replay.open(1)
        replay.add(100, Self.gap(.recorderDown, 9, 100, device: nil))
        replay.add(100, .recorderStarted(recorder: "r", version: "1"))
        replay.open(101)
        let gone = [
            "recorder_down from 9", "recorder_down from 9", "recorder_down 9-101: 92.0",
        ]
        replay.receiver(159.9, #""volume":{"level":0.5}"#)
        #expect(Self.gaps(replay.records) == gone)
        replay.receiver(160, #""volume":{"level":0.6}"#)
        #expect(
            Self.gaps(replay.records) == gone + ["recorder_down 9-100: 91.0", "device_unreachable from 100"])
        // The record tells of both devices, each event by its own name.
        var differ = StatusDiffer()
        let events = replay.records.map { differ.fold($0) }
        #expect(events.last?.map(\.id.ordinal) == [0, 1, 2])
        #expect(events.last?.map(\.deviceID.text) == [Replay.device.text, Replay.device.text, "other"])
    }

    @Test func `the minute after the recorder's return may end with any record, also one of no device`() {
        var replay = Replay()
        replay.open(0)
        replay.add(100, Self.gap(.recorderDown, 9, 100, device: nil))
        replay.add(100, .recorderStarted(recorder: "r", version: "1"))
        replay.add(
            160,
            .segmentsPruned(
                SegmentsPruned(
                    first: ArchivePosition(1), last: ArchivePosition(1), segments: 1, tornFiles: 0, bytes: 100,
                    chain: "", rule: "--keep 30d")))
        replay.open(200, link: 1)
        #expect(
            Self.gaps(replay.records) == [
                "recorder_down from 9", "recorder_down 9-100: 91.0", "device_unreachable from 100",
                "device_unreachable 100-200: 100.0",
            ])
    }

    @Test func `a recorder that is killed again before the minute is over was down all the time`() {
        var replay = Replay()
        replay.open(0)
        replay.add(100, Self.gap(.recorderDown, 9, 100, device: nil))
        replay.add(100, .recorderStarted(recorder: "r", version: "1"))
        replay.add(159, Self.gap(.recorderDown, 100, 159, device: nil))
        replay.add(159, .recorderStarted(recorder: "r", version: "1"))
        replay.open(200, link: 1)
        #expect(Self.gaps(replay.records) == ["recorder_down from 9", "recorder_down 9-200: 191.0"])
    }

    @Test func `a machine that slept observed nothing meanwhile, and its links are as they were`() {
        var replay = Replay()
        replay.open(0)
        replay.add(5, Self.gap(.notJoined, 5))
        replay.add(100, Self.gap(.recorderDown, 40, 100))
        replay.add(110, Self.gap(.notJoined, 5, 110))
        // Nothing came since second 0, but what was asleep is not counted again.
        replay.close(115, .silent)
        replay.open(120, link: 2)
        #expect(
            Self.gaps(replay.records) == [
                "not_joined from 5", "not_joined 5-40: 35.0", "recorder_down from 40", "recorder_down 40-100: 60.0",
                "not_joined from 100", "not_joined 100-110: 10.0", "link_lost from 110", "link_lost 110-120: 10.0",
            ])
    }

    @Test func `frames lost while an app is not joined are one of their own, and the app is not joined after it`() {
        var replay = Replay()
        replay.open(0)
        replay.add(6, Self.gap(.notJoined, 5))
        replay.receiver(40, #""volume":{"level":0.5}"#)
        replay.add(50, .framesLost(device: Replay.device, count: 3, why: "full"))
        replay.add(70, Self.gap(.notJoined, 5, 70))
        replay.close(80, .silent)
        replay.add(90, .framesLost(device: Replay.device, count: 3, why: "of a link that was given up"))
        #expect(
            Self.gaps(replay.records) == [
                "not_joined from 5", "not_joined 5-40: 35.0", "frames_lost from 40", "frames_lost 40-50: 10.0",
                "not_joined from 50", "not_joined 50-70: 20.0", "link_lost from 70",
            ])
    }

    @Test(arguments: [3_600.0, -3_600.0])
    func `a clock that was set is no time, and cuts in two what lasts`(jump: Double) {
        var replay = Replay()
        replay.open(0)
        replay.close(15, .silent)
        replay.add(30 + jump, Self.gap(.clockJump, 30, 30 + jump, device: nil))
        replay.open(40 + jump, link: 2)
        let after = Int(jump)
        #expect(
            Self.gaps(replay.records) == [
                "link_lost from 0", "link_lost 0-30: 30.0", "clock_jump from 30", "clock_jump 30-\(30 + after): 0",
                "link_lost from \(30 + after)", "link_lost \(30 + after)-\(40 + after): 10.0",
            ])
    }

    @Test(arguments: [3_600.0, -3_600.0])
    func `a link lost after the clock was set was last heard by the clock as it is now`(jump: Double) {
        var replay = Replay()
        replay.open(0)
        replay.receiver(25, #""volume":{"level":0.5}"#)
        replay.add(30 + jump, Self.gap(.clockJump, 30, 30 + jump, device: nil))
        replay.close(40 + jump, .silent)
        replay.open(41 + jump, link: 2)
        let after = Int(jump)
        #expect(
            Self.gaps(replay.records).suffix(2) == [
                "link_lost from \(25 + after)", "link_lost \(25 + after)-\(41 + after): 16.0",
            ])
    }

    @Test func `a clock that was set moves no position`() {
        var replay = Replay.appSeenStarting()
        replay.media(2, 1, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"media":{"contentId":"c"}}"#)
        let known = replay.records.count
        // An hour more by the wall, ten seconds by the other clock.
        replay.add(3_612, Self.gap(.clockJump, 12, 3_612, device: nil))
        replay.media(3_612, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":10}"#)
        var records = replay.records
        for index in known..<records.count { records[index].monotonic = MonotonicTime(nanoseconds: 12_000_000_000) }
        var differ = StatusDiffer()
        #expect(!records.flatMap { differ.fold($0) }.contains { $0.kind == .seeked })
    }
}
