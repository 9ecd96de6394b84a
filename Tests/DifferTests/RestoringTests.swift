import CastModel
import CastWire
import Differ
import Recording
import TestSupport
import Testing

// Goal: a recorder that is restarted tells the same as one that never stopped.
// Method: fold a long list of records, stopping after every single one; carry the states over as JSON text, the way a
// database does.
@Suite("A differ that is restored")
struct RestoringTests {
    /// Every file of the corpus, each on a device of its own, and a history with gaps between.
    private static func history() throws -> [Record] {
        var replay = Replay()
        for (index, name) in try Corpus.names().enumerated() {
            replay.device = DeviceID("device\(index % 7)")
            for record in try Corpus.replay(name).records {
                let seconds = Double(replay.records.count)
                switch record.body {
                case .frame(var frame):
                    frame.device = replay.device
                    replay.add(seconds, .frame(frame))
                default: replay.open(seconds, link: Int64(index + 1))
                }
            }
            let seconds = Double(replay.records.count)
            switch index % 5 {
            case 0: replay.close(seconds, link: Int64(index + 1), .silent)
            case 1: replay.add(seconds, .framesLost(device: nil, count: 2, why: "full"))
            case 2: replay.add(seconds, .recorderStarted(recorder: "r", version: "1"))
            case 3: replay.add(seconds, .deviceWithdrawn(replay.device))
            default:
                replay.add(
                    seconds,
                    .deviceSeen(
                        DeviceAdvertisement(
                            deviceID: replay.device, name: name, model: nil, addresses: ["192.0.2.\(index)"],
                            port: 8009,
                            capabilities: nil, txt: [], source: .mdns)))
            }
        }
        return replay.records
    }

    private func throughText(
        _ states: [DeviceID: JSONValue], heard: [DeviceID: WallTime]
    ) throws -> StatusDiffer {
        let parser = JSONParser()
        return try StatusDiffer(restoring: states.map { ($0.key, try parser.parse($0.value.text)) }, heard: heard)
    }

    @Test func `after every record, goes on exactly as one that never stopped`() throws {
        let records = try Self.history()
        var differ = StatusDiffer()
        let expected = records.map { differ.fold($0) }
        #expect(expected.joined().count > 200)

        var restarting = StatusDiffer()
        var states: [DeviceID: JSONValue] = [:]
        var heard: [DeviceID: WallTime] = [:]
        for (index, record) in records.enumerated() {
            #expect(restarting.fold(record) == expected[index], "record \(index + 1)")
            for (deviceID, state) in restarting.takeDeviceStates() { states[deviceID] = state }
            heard.merge(restarting.takeHeard()) { $1 }
            restarting = try throughText(states, heard: heard)
        }
    }

    @Test func `from any checkpoint, gives all later events`() throws {
        let records = try Self.history()
        var differ = StatusDiffer()
        let expected = records.map { differ.fold($0) }

        var first = StatusDiffer()
        var states: [DeviceID: JSONValue] = [:]
        var heard: [DeviceID: WallTime] = [:]
        for cut in records.indices {
            if cut.isMultiple(of: 3) {
                var second = try throughText(states, heard: heard)
                for index in cut..<records.count where second.fold(records[index]) != expected[index] {
                    Issue.record("cut before record \(cut + 1), record \(index + 1)")
                }
            }
            _ = first.fold(records[cut])
            for (deviceID, state) in first.takeDeviceStates() { states[deviceID] = state }
            heard.merge(first.takeHeard()) { $1 }
        }
    }

    @Test func `a heartbeat tells when a device was heard, and leaves its state alone`() {
        var differ = StatusDiffer()
        var replay = Replay()
        replay.open(0)
        replay.receive(1, from: "receiver-0", .heartbeat, #"{"type":"PONG"}"#)
        replay.receive(6, from: "receiver-0", .heartbeat, #"{"type":"PONG"}"#)
        var touched: [Int] = []
        for record in replay.records {
            _ = differ.fold(record)
            touched.append(differ.devicesTouched.count)
            #expect(differ.takeDeviceStates().count == touched.last)
            #expect(differ.takeHeard() == [Replay.device: record.at])
        }
        #expect(touched == [1, 0, 0])
        #expect(differ.takeHeard().isEmpty)
    }

    @Test func `restored after a heartbeat alone, a gap begins at that heartbeat`() throws {
        var replay = Replay()
        replay.open(0)
        replay.receive(6, from: "receiver-0", .heartbeat, #"{"type":"PONG"}"#)
        replay.add(9, .recorderStarted(recorder: "r", version: "1"))
        var first = StatusDiffer()
        for record in replay.records.dropLast() { _ = first.fold(record) }
        var second = try StatusDiffer(restoring: first.takeDeviceStates(), heard: first.takeHeard())
        let events = replay.records.suffix(1).flatMap { second.fold($0) }
        let heartbeat = replay.records[replay.records.count - 2].at.text
        #expect(events.map(\.kind).contains(.gapStarted))
        #expect(events.first { $0.kind == .gapStarted }?.after?["from"]?.string == heartbeat)
    }

    @Test(arguments: [
        "null", "[]", "{}", #"{"version":3}"#, #"{"version":4,"link":"x"}"#, #"{"version":4,"announcement":[]}"#,
        #"{"version":4,"transports":[7]}"#, #"{"version":4,"transports":[{}]}"#, #"{"version":4,"apps":7}"#,
        #"{"version":4,"announcement":{"port":70000,"addresses":[]}}"#,
        #"{"version":4,"transports":[{"id":"t","sessions":[{"queue":{"items":"xyz"}}]}]}"#,
        #"{"version":4,"transports":[{"id":"t","sessions":[{"queue":{"itemMedia":[{"content":{}}]}}]}]}"#,
        #"{"version":4,"transports":[{"id":"t","sessions":[{"adBreak":7}]}]}"#,
        #"{"version":4,"transports":[{"id":"t","textBreak":1}]}"#,
        #"{"version":4,"transports":[{"id":"t","sessions":[{"anchor":{"seconds":1,"boot":"b"}}]}]}"#,
        #"{"version":4,"transports":[{"id":"t","sessions":[{"anchor":{"boot":"b","monotonic":1}}]}]}"#,
    ])
    func `from a state that no differ wrote is an error`(text: String) throws {
        let json = try JSONParser().parse(text)
        #expect(throws: DifferError.self) { try StatusDiffer(restoring: [(Replay.device, json)], heard: [:]) }
    }
}
