import CastModel
import CastWire
import Differ
import Recording
import Testing

/// Made-up messages of a device, its app and its senders: plausible ones in an implausible order.
struct MessageGenerator {
    private var random: SeededRandom
    private(set) var replay = Replay()
    private var seconds = 0.0
    private var link: Int64 = 1

    /// The same seed gives the same records.
    static func records(seed: UInt64, count: Int) -> [Record] {
        var generator = MessageGenerator(random: SeededRandom(seed: seed))
        generator.replay.open(0)
        while generator.replay.records.count < count { generator.step() }
        return generator.replay.records
    }

    private mutating func step() {
        replay.device = DeviceID("device\(random.below(3))")
        seconds += [0.01, 0.5, 2, 30, 4000][random.below(5)]
        switch random.below(20) {
        case 0: replay.close(seconds, link: link, .silent)
        case 1:
            link += 1
            replay.open(seconds, link: link)
        case 2: replay.ask(seconds, Int64(random.below(30)), .media)
        case 3:
            replay.add(seconds, .framesLost(device: random.below(2) == 0 ? nil : replay.device, count: 3, why: "full"))
        case 4: replay.receive(seconds, from: "t-1", Namespace("urn:x-cast:com.example"), #"{"type":"HELLO"}"#)
        case 5, 6, 7: receiver()
        default: media()
        }
    }

    private mutating func receiver() {
        let apps = [
            "", #""applications":[],"#, #""applications":null,"#,
            #""applications":[{"appId":"CC1AD845","displayName":"Player","sessionId":"s-1","transportId":"t-1"}],"#,
            #""applications":[{"appId":"CC1AD845","sessionId":"s-2","transportId":"t-1","senderConnected":\#(triple)}],"#,
            #""applications":[{"appId":"E8C28D3C","isIdleScreen":true,"sessionId":"i","transportId":"i"}],"#,
        ][random.below(6)]
        let fields = apps + #""volume":{"level":0.\#(random.below(10)),"muted":\#(triple)},"isStandBy":\#(triple)"#
        replay.receiver(seconds, requestID: Int64(random.below(12)), fields)
    }

    private mutating func media() {
        let id = random.below(3)
        var fields = [#""mediaSessionId":\#(id)"#]
        let states = ["PLAYING", "PAUSED", "BUFFERING", "IDLE"]
        if random.below(8) > 0 { fields.append(#""playerState":"\#(states[random.below(4)])""#) }
        if random.below(6) == 0 {
            let reasons = ["FINISHED", "CANCELLED", "INTERRUPTED", "ERROR"]
            fields.append(#""idleReason":"\#(reasons[random.below(4)])""#)
        }
        if random.below(2) == 0 { fields.append(#""currentTime":\#(random.below(9) * 100)"#) }
        if random.below(3) == 0 { fields.append(#""volume":{"level":0.\#(random.below(10)),"muted":\#(triple)}"#) }
        if random.below(3) == 0 {
            fields.append(#""activeTrackIds":\#(["null", "[]", "[1]", "[2,1]"][random.below(4)])"#)
        }
        if random.below(5) == 0 { fields.append(#""currentItemId":\#(random.below(3))"#) }
        if random.below(5) == 0 {
            fields.append(#""items":[{"itemId":\#(random.below(3))}],"repeatMode":"REPEAT_ALL""#)
        }
        if random.below(5) == 0 { fields.append(#""loadingItemId":\#(random.below(3))"#) }
        if random.below(6) == 0 {
            fields.append(
                #""extendedStatus":{"playerState":"LOADING","mediaSessionId":\#(random.below(4)),"media":{"contentId":"next"}}"#
            )
        }
        if random.below(6) == 0 {
            fields.append(#""breakStatus":{"breakId":"b\#(random.below(2))","breakClipId":"c\#(random.below(2))"}"#)
        }
        if random.below(3) == 0 {
            let style = random.below(2) == 0 ? #","textTrackStyle":{"fontScale":\#(random.below(2) + 1)}"# : ""
            fields.append(
                #""media":{"contentId":"film \#(random.below(3))","duration":\#(["null", "60", "0"][random.below(3)]),"tracks":[{"trackId":1,"type":"TEXT"}]\#(style)}"#
            )
        }
        let requestID = [nil, 0, Int64(random.below(30))][random.below(3)]
        replay.media(
            seconds, requestID, to: random.below(4) == 0 ? "sender-us" : "*", "{" + fields.joined(separator: ",") + "}")
    }

    private var triple: String {
        mutating get { ["true", "false", "null"][random.below(3)] }
    }
}

/// A small generator whose numbers are the same everywhere (splitmix64).
struct SeededRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A number from 0 up to `limit`, without it.
    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Int(mixed % UInt64(max(1, limit)))
    }
}

@Suite("The differ on made-up messages")
struct PropertyTests {
    private static let seeds = (1...24).map { UInt64($0) }

    @Test(arguments: seeds)
    func `gives the same events in any batches, with its state saved and restored between them`(seed: UInt64) throws {
        let records = MessageGenerator.records(seed: seed, count: 400)
        var whole = StatusDiffer()
        let expected = records.flatMap { whole.fold($0) }
        #expect(expected.count > 100, "seed \(seed)")

        var random = SeededRandom(seed: seed &+ 1000)
        var differ = StatusDiffer()
        var states: [DeviceID: JSONValue] = [:]
        var heard: [DeviceID: WallTime] = [:]
        var events: [ChangeEvent] = []
        var rest = records[...]
        let parser = JSONParser(depthLimit: 256)
        while !rest.isEmpty {
            let batch = rest.prefix(1 + random.below(20))
            rest = rest.dropFirst(batch.count)
            for record in batch { events += differ.fold(record) }
            for (deviceID, state) in differ.takeDeviceStates() { states[deviceID] = state }
            heard.merge(differ.takeHeard()) { $1 }
            differ = try StatusDiffer(
                restoring: states.map { ($0.key, try parser.parse($0.value.text)) }, heard: heard)
        }
        #expect(events == expected, "seed \(seed)")
    }

    @Test(arguments: seeds)
    func `gives the same ids and events again, each id once`(seed: UInt64) {
        let records = MessageGenerator.records(seed: seed, count: 400)
        var first = StatusDiffer()
        var second = StatusDiffer()
        let events = records.flatMap { first.fold($0) }
        #expect(records.flatMap { second.fold($0) } == events, "seed \(seed)")
        #expect(Set(events.map(\.id)).count == events.count, "seed \(seed)")
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.id < $1.id }, "seed \(seed)")
    }

    @Test(arguments: seeds)
    func `gives a device the same events, whatever other devices say between them`(seed: UInt64) {
        let records = MessageGenerator.records(seed: seed, count: 400)
        var together = StatusDiffer()
        let events = records.flatMap { together.fold($0) }
        for device in Set(records.compactMap { $0.body.device }) {
            var alone = StatusDiffer()
            // What concerns all devices concerns this one too.
            let own = records.filter { $0.body.device == device || $0.body.device == nil }
            let ownEvents = own.flatMap { alone.fold($0) }.filter { $0.deviceID == device }
            func told(_ events: [ChangeEvent]) -> [String] { events.map { "\($0.id.position) \($0.line)" } }
            #expect(told(ownEvents) == told(events.filter { $0.deviceID == device }), "seed \(seed), \(device)")
        }
    }
}
