import CastModel
import CastWire
import Conflicts
import Differ
import Recording
import TestSupport
import Testing

// Goal: nothing in real messages is called a conflict that is none, and what is known of who asked is put to use.
// Method: fold each file as the messages of one device, and then all statuses of several senders that the corpus has.
@Suite("Conflicts in real messages") struct CorpusConflictsTests {
    /// One message that passes over a link.
    struct Message {
        var seconds: Double
        var isOutbound = false
        var sourceID: String
        var destinationID = "*"
        var namespace: String
        var text: String
    }

    /// The change events of a file of the corpus.
    static func events(of name: String) throws -> [ChangeEvent] {
        events(
            try Corpus.messages(name).map {
                Message(
                    seconds: $0.seconds, isOutbound: $0.isOutbound, sourceID: $0.sourceID,
                    destinationID: $0.destinationID, namespace: $0.namespace, text: $0.text)
            })
    }

    /// The change events of messages that pass over one link.
    static func events(_ messages: [Message]) -> [ChangeEvent] {
        var differ = StatusDiffer()
        var position: Int64 = 0
        func record(_ seconds: Double, _ body: RecordBody) -> Record {
            position += 1
            return Record(
                position: ArchivePosition(position), at: Quarrel.time(seconds),
                monotonic: MonotonicTime(nanoseconds: Int64((seconds * 1e9).rounded())), boot: "b-1", body: body)
        }
        var events = differ.fold(
            record(
                0,
                .linkOpened(
                    LinkOpened(
                        device: Quarrel.device, link: LinkNumber(1), address: "192.0.2.7", port: 8009,
                        tlsVersion: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", peerCertificate: [],
                        attachMode: .invisible))))
        for message in messages {
            let frame = RecordedFrame(
                device: Quarrel.device, link: LinkNumber(1), direction: message.isOutbound ? .outbound : .inbound,
                message: CastMessage(
                    from: message.sourceID, to: message.destinationID, Namespace(message.namespace),
                    text: message.text))
            events += differ.fold(record(message.seconds, .frame(frame)))
        }
        return events
    }

    static func conflicts(_ events: [ChangeEvent], _ rules: ConflictRules = ConflictRules()) -> [Conflict] {
        var ledger = ConflictLedger(rules: rules)
        return Quarrel.latest(events.flatMap { ledger.fold($0) })
    }

    @Test func `are none: no file shows two senders undoing each other`() throws {
        for name in try Corpus.names() {
            let found = Self.conflicts(try Self.events(of: name))
            #expect(found.map(\.line) == [], "\(name)")
        }
    }

    /// Files in which a broadcast bears the request of a sender that is not ours, and what the detector makes of them when
    /// one undoing is enough and nothing has to be sure.
    @Test(arguments: [
        "receiver_status_request_id_on_broadcast", "youtube_2017_mediashell_transport",
        "kkbox_receiver_side_queue_load",
        "caf_receiver_side_seek_burst", "youtube_gtv_ad_disguised_as_content", "spotify_2019_pause_and_restart",
        "tv_volume_jump_without_app", "group_volume_fade_device_updated_storm", "dashcast_launch_page",
        "load_failed_cancelled_launch_errors",
    ])
    func `are none even by the most suspicious rules, in files with several senders`(name: String) throws {
        var rules = ConflictRules()
        for rule in ConflictRules.all where rule.unit == "count" { try rules.set("\(rule.name)=1") }
        try rules.set("least_score=0")
        let found = Self.conflicts(try Self.events(of: name), rules)
        #expect(found.map(\.line) == [])
    }
}

// Goal: from frames to conflicts, with the numbers that the differ infers.
@Suite("Conflicts of frames") struct FramesToConflictsTests {
    private static func app(level: String = "0.5") -> String {
        #"{"applications":[{"appId":"CC1AD845","sessionId":"s-1","transportId":"t-1","displayName":"Player","senderConnected":true}],"volume":{"level":\#(level),"muted":false}}"#
    }

    private static func message(
        _ seconds: Double, from source: String, _ namespace: String, _ text: String
    ) -> CorpusConflictsTests.Message {
        CorpusConflictsTests.Message(seconds: seconds, sourceID: source, namespace: namespace, text: text)
    }

    private static func receiver(_ seconds: Double, _ requestID: Int, _ status: String) -> CorpusConflictsTests.Message
    {
        message(
            seconds, from: "receiver-0", "urn:x-cast:com.google.cast.receiver",
            #"{"type":"RECEIVER_STATUS","requestId":\#(requestID),"status":\#(status)}"#)
    }

    private static func media(_ seconds: Double, _ requestID: Int, _ status: String) -> CorpusConflictsTests.Message {
        message(
            seconds, from: "t-1", "urn:x-cast:com.google.cast.media",
            #"{"type":"MEDIA_STATUS","requestId":\#(requestID),"status":[\#(status)]}"#)
    }

    /// An idle device on which an app starts, and a film that request 5 loads.
    private static let begun = [
        receiver(1, 0, #"{"volume":{"level":0.5,"muted":false}}"#), receiver(2, 0, app()),
        media(
            3, 0,
            #"{"mediaSessionId":1,"playerState":"IDLE","extendedStatus":{"playerState":"LOADING","media":{"contentId":"f","metadata":{"title":"Film"}},"mediaSessionId":1}}"#
        ),
        media(
            4, 5,
            #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"media":{"contentId":"f","duration":5000,"metadata":{"title":"Film"}}}"#
        ),
    ]

    @Test func `pausing against each other is told with the numbers of both senders`() throws {
        let events = CorpusConflictsTests.events(
            Self.begun + [
                Self.media(10, 6, #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":6}"#),
                Self.media(12, 700_001, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":6}"#),
                Self.media(14, 7, #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":8}"#),
            ])
        let row = try #require(CorpusConflictsTests.conflicts(events).first)
        // Records: 1 link, 2 and 3 receiver, 4 and 5 media, then these.
        #expect(
            row.line
                == "6/0/play_pause_fight 10-14 0.75 2(2) [6/0 7/0 8/0] two senders paused and resumed against each other twice; ended paused"
        )
        #expect(row.actors.map(\.senderSeries) == [1, 2])
    }

    @Test func `a LOAD over the film of another sender is a takeover`() throws {
        let events = CorpusConflictsTests.events(
            Self.begun + [
                Self.media(
                    60, 0,
                    #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"INTERRUPTED","extendedStatus":{"playerState":"LOADING","media":{"contentId":"c","metadata":{"title":"Clip"}},"mediaSessionId":2}}"#
                ),
                Self.media(
                    61, 700_001,
                    #"{"mediaSessionId":2,"playerState":"PLAYING","currentTime":0,"media":{"contentId":"c","duration":50,"metadata":{"title":"Clip"}}}"#
                ),
            ])
        let found = CorpusConflictsTests.conflicts(events)
        #expect(found.map(\.sentence) == ["a sender loaded \"Clip\" while \"Film\" of another sender played"])
        #expect(found.map(\.score) == [0.95])
    }

    @Test func `a device that answers every volume request with 0 shows no fight`() {
        let events = CorpusConflictsTests.events(
            Self.begun
                + (0..<8).map { step in
                    Self.receiver(
                        10 + Double(step), 0, #"{"volume":{"level":\#(step % 2 == 0 ? 0.2 : 0.5),"muted":false}}"#)
                })
        #expect(CorpusConflictsTests.conflicts(events).isEmpty)
    }

    @Test func `volume against each other is told where statuses bear the request`() {
        let events = CorpusConflictsTests.events(
            Self.begun
                + (0..<4).map { step in
                    Self.receiver(
                        10 + 2 * Double(step), step % 2 == 0 ? 6 + step : 700_001 + step,
                        Self.app(level: step % 2 == 0 ? "0.2" : "0.5"))
                })
        #expect(
            CorpusConflictsTests.conflicts(events).map(\.line) == [
                "6/0/volume_fight 10-16 0.875 3(3) [6/0 7/0 8/0 9/0] two senders set the volume against each other three times; ended at 50 %"
            ])
    }
}
