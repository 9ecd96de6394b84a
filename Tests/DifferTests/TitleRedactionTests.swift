import CastModel
import CastWire
import Differ
import Recording
import Testing

@Suite("A differ that leaves out titles")
struct TitleRedactionTests {
    private func start(_ replay: inout Replay, _ seconds: Double, _ redaction: Set<RedactionChoice>) {
        replay.add(seconds, .recorderStarted(recorder: "r", version: "1", redaction: redaction))
    }

    /// One film, then another, on an app that says much.
    private func evening(_ redaction: Set<RedactionChoice>) -> Replay {
        var replay = Replay()
        start(&replay, 0, redaction)
        replay.open(1)
        replay.receiver(
            2,
            #""applications":[{"appId":"CC1AD845","displayName":"Player","sessionId":"s-1","transportId":"t-1","statusText":"Casting: Secret Film"}]"#
        )
        for (second, film) in [(3.0, "one"), (4.0, "two")] {
            replay.media(
                second, 0,
                #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"customData":{"playerState":1081,"note":"Secret note"},"media":{"contentId":"secret-\#(film)","contentType":"video/mp4","streamType":"BUFFERED","duration":95.5,"metadata":{"metadataType":1,"title":"Secret Film \#(film)","images":[{"url":"http://h/secret.png"}]},"customData":{"x":"Secret"},"tracks":[{"trackId":1,"type":"TEXT","language":"de","name":"Secret track"}]}}"#
            )
        }
        replay.receive(5, from: "t-1", Namespace("urn:x-cast:com.example"), #"{"type":"NOW","text":"Secret"}"#)
        return replay
    }

    @Test func `tells app, times and durations, and nothing of what was played`() {
        let replay = evening([.titles])
        var differ = StatusDiffer()
        let lines = replay.records.flatMap { differ.fold($0) }.map { $0.line }
        let kinds = lines.map { String($0.prefix { $0 != " " }) }
        #expect(kinds.contains("app_started") && kinds.contains("media_session_started"))
        #expect(kinds.contains("media_changed"))
        #expect(kinds.last == "custom_message")
        #expect(lines.contains { $0.contains(#""displayName":"Player""#) })
        #expect(lines.contains { $0.contains(#""duration":95.5"#) && $0.contains(#""language":"de""#) })
        #expect(lines.filter { $0.lowercased().contains("secret") } == [])
        let states = differ.takeDeviceStates().map { $0.1.text.lowercased() }
        #expect(!states.isEmpty && !states.contains { $0.contains("secret") })
    }

    @Test func `tells everything otherwise`() {
        var differ = StatusDiffer()
        let lines = evening([]).records.flatMap { differ.fold($0) }.map { $0.line }
        #expect(lines.contains { $0.contains("Secret Film two") })
        #expect(differ.titleSalt == nil)
    }

    @Test func `tells the same when it is restored after every record`() throws {
        let replay = evening([.titles])
        var whole = StatusDiffer()
        let expected = replay.records.flatMap { whole.fold($0) }
        var differ = StatusDiffer()
        var events: [ChangeEvent] = []
        for record in replay.records {
            events += differ.fold(record)
            differ = try StatusDiffer(
                restoring: differ.takeDeviceStates(), heard: differ.takeHeard(), titleSalt: differ.titleSalt)
        }
        #expect(events == expected)
    }

    @Test func `forgets the titles it knew when the choice is made, without inventing changes`() throws {
        var replay = evening([])
        let known = replay.records.count
        start(&replay, 100, [.titles])
        replay.open(101, link: 2)
        replay.media(
            102, 0,
            #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":98,"media":{"contentId":"secret-two","contentType":"video/mp4","streamType":"BUFFERED","duration":95.5,"metadata":{"metadataType":1,"title":"Secret Film two"},"tracks":[{"trackId":1,"type":"TEXT","language":"de","name":"Secret track"}]}}"#
        )
        var differ = StatusDiffer()
        for record in replay.records.prefix(known) { _ = differ.fold(record) }
        let lines = replay.records.dropFirst(known).flatMap { differ.fold($0) }.map { $0.line }
        #expect(lines.filter { $0.contains("media_changed") || $0.contains("Secret") } == [])
        #expect(!differ.takeDeviceStates().contains { $0.1.text.contains("Secret") })
    }

    @Test func `one content has one pseudonym, which differs from archive to archive`() {
        func pseudonyms(_ at: Double) -> [String] {
            var replay = Replay()
            start(&replay, at, [.titles])
            replay.open(at + 1)
            for (second, id) in [(2.0, "a"), (3.0, "b"), (4.0, "a")] {
                replay.media(
                    at + second, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","media":{"contentId":"\#(id)"}}"#)
            }
            var differ = StatusDiffer()
            return replay.records.flatMap { differ.fold($0) }
                .compactMap { ($0.after?["media"]?["contentId"] ?? $0.after?["contentId"])?.string }
        }
        let one = pseudonyms(0)
        #expect(one.count == 3 && one[0] == one[2] && one[0] != one[1])
        #expect(one.allSatisfy { $0.hasPrefix("(redacted ") && $0.utf8.count == 27 })
        #expect(pseudonyms(50)[0] != one[0])
    }

    /// A device with a proven key that plays from a queue, before anybody chose anything.
    private func queue() -> Replay {
        var replay = Replay.appSeenStarting()
        replay.media(
            2, 0,
            #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"currentItemId":7,"media":{"contentId":"secret-7"},"items":[{"itemId":7,"media":{"contentId":"secret-7","metadata":{"title":"Secret 7"}}},{"itemId":8,"media":{"contentId":"secret-8","metadata":{"title":"Secret 8"}}}],"queueData":{"id":"secret","name":"Secret","repeatMode":"REPEAT_ALL"}}"#
        )
        return replay
    }

    @Test func `keeps the link, the gap and the key of a device whose queue it knows`() throws {
        var replay = queue()
        let known = replay.records.count
        start(&replay, 100, [.titles])
        replay.open(101, link: 2)
        var differ = StatusDiffer()
        for record in replay.records.prefix(known) { _ = differ.fold(record) }
        var state = try #require(differ.takeDeviceStates().first?.1.object)
        state["identity"] = ["key": "aa"]
        let restored = try StatusDiffer(
            restoring: [(Replay.device, .object(state))], heard: differ.takeHeard())

        // Chosen by somebody who only looks: the link stays, and with it what is known of the queue.
        differ = restored
        differ.leaveOutTitles(from: replay.records[known])
        let clean = try #require(differ.takeDeviceStates().first?.1)
        #expect(clean["link"] == 1)
        #expect(clean["identity"]?["key"] == "aa")
        let items = clean["transports"]?.array?.first?["sessions"]?.array?.first?["queue"]?["itemMedia"]?.array
        #expect(items?.map { $0["item"] } == [7, 8])
        #expect(!clean.text.lowercased().contains("secret"))

        // Chosen by a recorder that starts: the gap from the last one on is told, and its end.
        differ = restored
        #expect(differ.fold(replay.records[known]).map(\.kind) == [.gapStarted])
        let states = differ.takeDeviceStates()
        #expect(states.first?.1["gapFrom"] != nil)
        #expect(states.first?.1["identity"]?["key"] == "aa")
        differ = try StatusDiffer(restoring: states, heard: [:], titleSalt: differ.titleSalt)
        #expect(differ.fold(replay.records[known + 1]).map(\.kind).contains(.gapEnded))
    }

    @Test(arguments: [false, true])
    func `gives no fingerprint of a message, which would give away a short one`(isRedacted: Bool) {
        var replay = Replay()
        start(&replay, 0, isRedacted ? [.titles] : [])
        replay.open(1)
        replay.receive(2, from: "t-1", Namespace("urn:x-cast:com.example"), #"{"type":"NOW"}"#)
        replay.receive(3, from: "t-1", .media, "no JSON")
        replay.add(
            4,
            .frameMalformed(
                MalformedFrame(device: Replay.device, link: LinkNumber(1), bytes: [1, 2, 3], why: "no source")))
        var differ = StatusDiffer()
        let events = replay.records.flatMap { differ.fold($0) }
            .filter { $0.kind == .customMessage || $0.kind == .malformedPayload }
        #expect(events.map(\.kind) == [.customMessage, .malformedPayload, .malformedPayload])
        #expect(events.map { $0.after?["size"] } == [14, 7, 3])
        #expect(events.map { $0.after?["fnv1a"] == nil } == [isRedacted, isRedacted, isRedacted])
    }
}
