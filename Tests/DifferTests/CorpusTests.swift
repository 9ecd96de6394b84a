import CastModel
import CastWire
import Differ
import Recording
import TestSupport
import Testing

@Suite("The differ on real messages")
struct CorpusTests {
    @Test func `knows what every file should give`() throws {
        #expect(try Corpus.names() == CorpusEvents.expected.keys.sorted())
        #expect(CorpusEvents.expected.count == 60)
    }

    @Test(arguments: CorpusEvents.expected.keys.sorted())
    func `gives the events that the index names`(name: String) throws {
        var differ = StatusDiffer()
        let events = try Corpus.replay(name).records.dropFirst().flatMap { differ.fold($0) }
        #expect(events.map { $0.compact } == CorpusEvents.expected[name])
    }

    @Test(arguments: CorpusEvents.expected.keys.sorted())
    func `stopped and restored after every message, gives the same events`(name: String) throws {
        let records = try Corpus.replay(name).records
        var differ = StatusDiffer()
        let expected = records.flatMap { differ.fold($0) }
        let parser = JSONParser()
        var restarting = StatusDiffer()
        var states: [DeviceID: JSONValue] = [:]
        var heard: [DeviceID: WallTime] = [:]
        var told: [ChangeEvent] = []
        for record in records {
            told += restarting.fold(record)
            for (deviceID, state) in restarting.takeDeviceStates() { states[deviceID] = try parser.parse(state.text) }
            heard.merge(restarting.takeHeard()) { $1 }
            restarting = try StatusDiffer(restoring: states.map { ($0.key, $0.value) }, heard: heard)
        }
        #expect(told == expected)
    }

    @Test func `of every file, gives an event or leaves it to the archive on purpose`() throws {
        let silent = [
            "urn:x-cast:com.google.cast.tp.connection", "urn:x-cast:com.google.cast.tp.heartbeat",
            "urn:x-cast:com.google.cast.tp.deviceauth", "urn:x-cast:com.google.cast.receiver.discovery",
            "urn:x-cast:com.google.cast.setup",
        ]
        var told = 0
        for name in try Corpus.names() where name != "group_leader_night_loss" {
            // Each line on its own, to a differ that knows nothing: whatever it says, it says for the first time.
            for (line, record) in zip(try Corpus.lines(name), try Corpus.replay(name).records.dropFirst()) {
                guard line["dir"] == "in", let namespace = line["namespace"]?.string, !silent.contains(namespace) else {
                    continue
                }
                var differ = StatusDiffer()
                let hasNoMedia = line["payload"]?["status"] == []
                let events = differ.fold(record)
                #expect(events.isEmpty == hasNoMedia, "\(name): \(line["note"]?.text ?? "")")
                told += 1
            }
        }
        #expect(told > 80)
    }

    /// Which callbacks a message for everybody fires, by `docs/events.md`.
    private static func callbacks(_ event: ChangeEvent) -> [ChangeEvent.Callback] {
        switch event.kind {
        case .appStarted, .appStopped, .appReplaced, .idleScreenShown, .deviceVolumeChanged, .deviceMuteChanged,
            .standbyChanged, .activeInputChanged:
            [.receiverStatus]
        case .mediaSessionStarted, .mediaLoading:
            // A status without media leaves the metadata alone.
            event.after?["media"] == nil ? [.mediaStatus] : [.mediaMetadata, .mediaStatus]
        case .mediaReasserted, .metadataChanged: [.mediaMetadata, .mediaStatus]
        case .mediaSessionEnded, .playerStateChanged, .supportedCommandsChanged, .breakStarted: [.mediaStatus]
        default: []
        }
    }

    @Test func `says which callbacks fire in every sender`() throws {
        var broadcasts = 0
        for name in try Corpus.names() {
            var differ = StatusDiffer()
            for record in try Corpus.replay(name).records.dropFirst() {
                guard case .frame(let frame) = record.body else { continue }
                for event in differ.fold(record) where frame.message.destinationID == "*" {
                    #expect(event.callbacks == Self.callbacks(event), "\(name): \(event.compact)")
                    broadcasts += 1
                }
            }
        }
        #expect(broadcasts > 80)
    }

    @Test(arguments: ["group_connect_reply_2018", "sharpcaster_join_demo_receiver"])
    func `an answer to our own question calls nobody`(name: String) throws {
        var differ = StatusDiffer()
        let events = try Corpus.replay(name).records.dropFirst().flatMap { differ.fold($0) }
        #expect(events.map(\.callbacks) == [[], [], []])
    }

    /// What must not leave the archive: made-up tokens, KKBOX's session token, a Plex server's address and identity.
    private static let secrets = ["MADEUP", "V0009cxZ29611B", "b354b439e738c747", "10.0.96.215", "a715012975f32f5f"]

    @Test func `keeps no secret in events or in states`() throws {
        var differ = StatusDiffer()
        for name in try Corpus.names() {
            for record in try Corpus.replay(name).records {
                for event in differ.fold(record) {
                    let text = (event.before?.text ?? "") + (event.after?.text ?? "")
                    #expect(!Self.secrets.contains { text.contains($0) }, "\(name): \(event.compact)")
                }
            }
            for (_, state) in differ.takeDeviceStates() {
                #expect(!Self.secrets.contains { state.text.contains($0) }, "\(name)")
            }
        }
    }
}
