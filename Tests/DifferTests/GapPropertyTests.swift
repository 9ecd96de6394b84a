import CastModel
import CastWire
import Differ
import Recording
import Testing

// Goal: from the moment a device is known, each second is either observed or in exactly one gap, of the right reason.
// Method: random lives of a device, a sender and a recorder. A naive model paints each second of the life with what
// prevented observation, later strokes over earlier ones; the gaps of the differ must paint the same picture.
@Suite("The gaps of a device, whatever happens")
struct GapPropertyTests {
    @Test func `and the time observed are together the whole time, and nothing twice`() throws {
        for seed in UInt64(1)...3_000 {
            var life = DeviceLife(seed: seed)
            while life.now < DeviceLife.end { life.step() }
            var differ = StatusDiffer()
            var painted = [String](repeating: "", count: life.model.count)
            var open: (from: Int, reason: String)?
            var lastEnd = 0
            for event in life.replay.records.flatMap({ differ.fold($0) }) {
                guard event.kind == .gapStarted || event.kind == .gapEnded else { continue }
                let reason = try #require(event.after?["reason"]?.string)
                let from = try Self.second(event, "from")
                if event.kind == .gapStarted {
                    #expect(open == nil && from >= lastEnd, "seed \(seed): gaps overlap at \(from)")
                    open = (from, reason)
                } else {
                    let to = try Self.second(event, "to")
                    #expect(open?.from == from && open?.reason == reason && to >= from, "seed \(seed)")
                    for index in from..<max(from, min(to, painted.count)) { painted[index] = reason }
                    (open, lastEnd) = (nil, to)
                }
            }
            if let open { for index in open.from..<painted.count { painted[index] = open.reason } }
            let wrong = painted.indices.first { painted[$0] != life.model[$0] }
            guard let wrong else { continue }
            Issue.record("seed \(seed), second \(wrong): \(painted[wrong]), should be \(life.model[wrong])")
            return
        }
    }

    private static func second(_ event: ChangeEvent, _ key: String) throws -> Int {
        let moment = try #require(event.after?[key]?.string.flatMap { WallTime(text: $0) })
        return Int(moment.seconds(since: Replay.start))
    }
}

/// What happens to a device, its sender and its recorder, in whole seconds.
private struct DeviceLife {
    static let end = 2_000

    private var random: SeededRandom
    private(set) var replay = Replay()
    /// What prevents observation, by second; "" for nothing.
    private(set) var model = [String](repeating: "", count: end + 1_000)
    private(set) var now = 0

    private var isLinked = false
    private var wasEverLinked = false
    private var link: Int64 = 0
    private var missed: (reason: Gap.Reason, from: Int)?
    /// Since when the sender has no link.
    private var absentSince = 0
    private var isToldUnreachable = false
    private var linkedSince = 0
    /// Since when the recorder is back without the device.
    private var backSince: Int?

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        add(
            .deviceSeen(
                DeviceAdvertisement(
                    deviceID: Replay.device, name: "TV", model: nil, addresses: ["192.0.2.7"], port: 8009,
                    capabilities: nil, txt: [], source: .mdns)))
    }

    private mutating func paint(from second: Int, _ reason: String) {
        for index in min(second, model.count)..<model.count { model[index] = reason }
    }

    private mutating func add(_ body: RecordBody) {
        if let back = backSince, now >= back + 60, model[now] == "recorder_down" {
            paint(from: back, "device_unreachable")
            backSince = nil
        }
        replay.add(Double(now), body)
    }

    private static func time(_ second: Int) -> WallTime {
        WallTime(microseconds: Replay.start.microseconds + Int64(second) * 1_000_000)
    }

    private mutating func gap(_ reason: Gap.Reason, from: Int, to: Int? = nil, device: DeviceID? = Replay.device) {
        add(.gap(Gap(device: device, from: Self.time(from), to: to.map { Self.time($0) }, reason: reason)))
    }

    mutating func step() {
        now += 1 + random.below(9)
        if isLinked {
            switch random.below(9) {
            case 0: lose()
            case 5: loseFrames()
            case 1, 2: if missed == nil { miss() } else { missNoMore() }
            case 3: restart(killed: random.below(2) == 0)
            case 4: sleep()
            default: hear()
            }
        } else {
            switch random.below(5) {
            case 0: restart(killed: true)
            case 1: fail()
            case 2: now += random.below(40)
            default: connect()
            }
        }
    }

    private mutating func hear() {
        let pong = CastMessage(from: "receiver-0", to: "sender-0", .heartbeat, text: #"{"type":"PONG"}"#)
        add(
            .frame(
                RecordedFrame(device: Replay.device, link: LinkNumber(link), direction: .inbound, message: pong)))
    }

    private mutating func connect() {
        link += 1
        add(
            .linkOpened(
                LinkOpened(
                    device: Replay.device, link: LinkNumber(link), address: "192.0.2.7", port: 8009, tlsVersion: "",
                    cipher: "", peerCertificate: [], attachMode: .invisible)))
        // The first link may take five seconds, if nobody said that the device cannot be reached.
        if !wasEverLinked, now >= 5 { paint(from: 0, "device_unreachable") }
        paint(from: now, "")
        (isLinked, wasEverLinked, linkedSince, isToldUnreachable, backSince) = (true, true, now, false, nil)
    }

    /// The device falls silent, and some time later its link is given up.
    private mutating func lose() {
        hear()
        let heardAt = now
        now += random.below(16)
        add(
            .linkClosed(LinkClosed(device: Replay.device, link: LinkNumber(link), reason: .silent, detail: "")))
        paint(from: heardAt, "link_lost")
        (isLinked, missed, absentSince) = (false, nil, now)
    }

    /// Frames could not be kept, and some time later that is told.
    private mutating func loseFrames() {
        hear()
        let heardAt = now
        now += 1 + random.below(20)
        add(.framesLost(device: random.below(2) == 0 ? Replay.device : nil, count: 1, why: "full"))
        paint(from: heardAt, "frames_lost")
        paint(from: now, missed?.reason.rawValue ?? "")
    }

    private mutating func fail() {
        guard !isToldUnreachable else { return }
        isToldUnreachable = true
        gap(.deviceUnreachable, from: absentSince)
        paint(from: wasEverLinked ? absentSince : 0, "device_unreachable")
        backSince = nil
    }

    private mutating func miss() {
        let from = max(linkedSince, lastAccounted, now - random.below(4))
        let reason: Gap.Reason = random.below(2) == 0 ? .notJoined : .attachRefused
        missed = (reason, from)
        gap(reason, from: from)
        paint(from: from, reason.rawValue)
    }

    /// The second after the last one that was not observed.
    private var lastAccounted: Int { (model[..<now].lastIndex { !$0.isEmpty } ?? -1) + 1 }

    private mutating func missNoMore() {
        guard let missed else { return }
        self.missed = nil
        gap(missed.reason, from: missed.from, to: now)
        paint(from: now, "")
    }

    private mutating func sleep() {
        let from = now
        now += 2 + random.below(100)
        gap(.recorderDown, from: from, to: now)
        paint(from: from, "recorder_down")
        paint(from: now, missed?.reason.rawValue ?? "")
    }

    private mutating func restart(killed: Bool) {
        if isLinked { hear() }
        var last = isLinked ? now : nil
        var downSince = now
        if !killed {
            if isLinked {
                let heardAt = now
                now += random.below(12)
                last = now - heardAt <= 6 ? now : heardAt
                add(
                    .linkClosed(
                        LinkClosed(
                            device: Replay.device, link: LinkNumber(link), reason: .recorderStopping, detail: "")))
            }
            now += 1
            add(.recorderStopped(reason: "SIGTERM"))
            downSince = now
        }
        now += 1 + random.below(100)
        gap(.recorderDown, from: downSince, to: now, device: nil)
        if let last { paint(from: last, "recorder_down") }
        add(.recorderStarted(recorder: "r", version: "1"))
        if model[now] == "recorder_down" { backSince = now }
        (isLinked, missed, absentSince, isToldUnreachable) = (false, nil, now, false)
    }
}
