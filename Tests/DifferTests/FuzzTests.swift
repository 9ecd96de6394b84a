import CastModel
import CastWire
import Differ
import Plays
import Recording
import Report
import TestSupport
import Testing

// Goal: nothing that a device can send makes the differ trap, and everything it makes of it can be printed, stored and
// picked up again.
// Method: real messages, changed at random in their JSON and in their bytes, folded, printed, saved and restored.
// A few hundred rounds in each test run, many on demand: see Fuzzing.
@Suite("The differ on anything at all")
struct FuzzTests {
    @Test func `neither traps nor forgets, and tells only what can be printed`() throws {
        let corpus = try Corpus.names().map { try Corpus.lines($0) }
        var messages = 0
        try Fuzzing.rounds(300, "differ") { changes in
            messages += try FuzzRound(corpus: corpus).run(&changes)
        }
        #expect(messages > 1000 || Fuzzing.isOnDemand)
    }

    @Test func `a log of anything at all is read without a trap`() throws {
        let texts = try Corpus.names().flatMap { try Corpus.lines($0) }.map { Array($0.text.utf8) }
        var read = 0
        Fuzzing.rounds(100, "logs") { changes in
            var reader = TranscriptReader()
            var differ = StatusDiffer()
            for _ in 0..<40 {
                if changes.below(20) == 0 { reader.begin(device: DeviceID("fuzz\(changes.below(3))")) }
                var line = texts[changes.below(texts.count)]
                if changes.below(4) > 0 { changes.change(&line) }
                if let entry = try? reader.read(line[...]) {
                    read += 1
                    _ = differ.fold(entry.record)
                }
            }
        }
        #expect(read > 500 || Fuzzing.isOnDemand)
    }
}

/// One conversation of a made-up device: some messages in a row of one real log, each perhaps changed.
private struct FuzzRound {
    let corpus: [[JSONValue]]

    /// Runs it; the number of messages.
    func run(_ random: inout ByteChanges) throws -> Int {
        var differ = StatusDiffer()
        var replay = Replay()
        if random.below(4) > 0 { replay.open(0) }
        for _ in 0..<(2 + random.below(6)) { extend(&replay, &random) }
        let parser = JSONParser(depthLimit: 1024)
        var timeline = Timeline()
        var ledger = PlayLedger()
        for record in replay.records {
            let events = differ.fold(record)
            for event in events {
                _ = timeline.lines(for: event, deviceName: nil)
                let fields = EventFields(event: event, recorderID: "r", deviceName: nil)
                _ = (fields.csv, fields.row(zone: .utc))
                #expect(throws: Never.self, "seed \(random.seed)") { try parser.parse(fields.json(withSentence: true)) }
                for play in ledger.fold(event) {
                    let fields = PlayFields(play: play, recorderID: "r", deviceName: nil)
                    _ = (fields.csv, fields.row(zone: .utc))
                    #expect(throws: Never.self, "seed \(random.seed)") { try parser.parse(fields.json) }
                }
            }
            guard random.below(4) == 0 else { continue }
            // Saved and restored, it goes on as it would have.
            var other = differ
            let heard = other.takeHeard()
            let states = try other.takeDeviceStates().map { ($0.0, try parser.parse($0.1.text)) }
            var otherLedger = ledger
            let plays = try otherLedger.takeStates().map { ($0.0, try parser.parse($0.1.text)) }
            #expect(throws: Never.self, "seed \(random.seed)") { try PlayLedger(restoring: plays) }
            guard states.count == 1 else { continue }
            var restored = try StatusDiffer(restoring: states, heard: heard)
            var going = differ
            #expect(restored.fold(record) == going.fold(record), "seed \(random.seed), record \(record.position)")
        }
        return replay.records.count
    }

    private func extend(_ replay: inout Replay, _ random: inout ByteChanges) {
        let file = corpus[random.below(corpus.count)]
        let start = random.below(file.count)
        for line in file[start...].prefix(1 + random.below(4)) {
            guard let payload = line["payload"] else { continue }
            let namespace = Namespace(line["namespace"]?.string ?? "")
            let source = random.below(3) == 0 ? "t-1" : line["source_id"]?.string ?? "receiver-0"
            for _ in 0..<(1 + random.below(3)) {
                var json = payload
                for _ in 0..<random.below(6) {
                    Mutation.change(&json, &random, donor: corpus[random.below(corpus.count)])
                }
                var text = Array((json.string ?? json.text).utf8)
                if random.below(12) == 0 { random.change(&text) }
                var message = CastMessage(
                    from: source, to: ["*", "sender-0", ""][random.below(3)], namespace, text: "")
                message.payloadUTF8 = text
                let seconds = Double(replay.records.count) * [0, 0.01, 1, 3600, 1e6][random.below(5)]
                replay.add(
                    seconds,
                    .frame(
                        RecordedFrame(
                            device: replay.device, link: LinkNumber(1),
                            direction: random.below(9) == 0 ? .outbound : .inbound, message: message)))
            }
        }
    }
}

/// Changes to JSON.
private enum Mutation {
    /// Values that programs like to stumble over.
    private static let values: [JSONValue] = [
        .null, true, false, 0, -1, 1, 2, 1e308, -1e308, .number(.leastNonzeroMagnitude), 0.5, -0.0, .integer(.max),
        .integer(.min),
        .unsigned(.max), 2_147_483_648, 9_007_199_254_740_993, 1e15, 1e18, 1e19, "", " ", "0", "-1", "1e400", "NaN",
        "Infinity", "nan", "true", "IDLE", "PLAYING", "\u{0}\u{1}\u{7F}", "\u{202E}\u{FEFF}\u{1F468}\u{200D}",
        "0x10", "9223372036854775808", [], [:], [[]], [[:]], [.null], ["a", 1, .null, [:]],
        .array([JSONValue](repeating: 1, count: 3000)), .array([JSONValue](repeating: [:], count: 1500)),
        .string(String(repeating: "long ", count: 14_000)),
        .object(JSONObject([("type", "a"), ("type", .null), ("trackId", 1), ("trackId", "1")])),
        (0..<55).reduce(JSONValue.null) { nested, _ in .array([nested]) },
    ]

    /// Changes one place in a value: a leaf, a branch, a key, a copy of something from elsewhere.
    static func change(_ json: inout JSONValue, _ random: inout ByteChanges, donor: [JSONValue]) {
        if random.below(5) == 0 { return json = values[random.below(values.count)] }
        switch json {
        case .object(var object):
            guard !object.pairs.isEmpty else { return json = values[random.below(values.count)] }
            let index = random.below(object.pairs.count)
            switch random.below(12) {
            case 0: object.pairs.remove(at: index)
            case 1: object.pairs.append(object.pairs[index])
            case 2: object.pairs[index].key = object.pairs[random.below(object.pairs.count)].key
            case 3: object.pairs.append((object.pairs[index].key, values[random.below(values.count)]))
            case 4:
                if let other = donor[random.below(donor.count)]["payload"]?.object, !other.pairs.isEmpty {
                    object.pairs.append(other.pairs[random.below(other.pairs.count)])
                }
            default: change(&object.pairs[index].value, &random, donor: donor)
            }
            json = .object(object)
        case .array(var elements):
            guard !elements.isEmpty else { return json = values[random.below(values.count)] }
            let index = random.below(elements.count)
            switch random.below(8) {
            case 0: elements.remove(at: index)
            case 1: elements.append(elements[index])
            case 2: elements.append(values[random.below(values.count)])
            default: change(&elements[index], &random, donor: donor)
            }
            json = .array(elements)
        case .integer(let number): json = .integer(number &+ Int64(random.below(7)) &- 3)
        case .number(let number): json = .number(number * Double(random.below(5)) - 1)
        case .null, .bool, .unsigned, .string: json = values[random.below(values.count)]
        }
    }
}
