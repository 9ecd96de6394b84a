import CastModel
import CastWire
import Differ
import Recording
import Testing

@Suite("What the differ does not understand")
struct NotUnderstoodTests {
    private static let media = "urn:x-cast:com.google.cast.media"
    private static let receiver = "urn:x-cast:com.google.cast.receiver"

    private func counted(_ replay: Replay) -> [String] {
        var differ = StatusDiffer()
        for record in replay.records { _ = differ.fold(record) }
        return differ.takeNotUnderstood().map { "\($0.name.subject.rawValue) \($0.name.word): \($0.count)" }
    }

    @Test func `is counted by what it is, and where it came first and last`() {
        var replay = Replay()
        replay.open(0)
        replay.media(1, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","fooBar":1}"#)
        replay.media(2, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","fooBar":2}"#)
        replay.media(3, 0, #"{"mediaSessionId":1,"playerState":"PLAYING"}"#)
        replay.media(4, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","fooBar":null}"#)
        var differ = StatusDiffer()
        for record in replay.records { _ = differ.fold(record) }
        #expect(
            differ.takeNotUnderstood() == [
                NotUnderstood(
                    name: NotUnderstood.Name(.mediaStatusKey, Self.media, "fooBar"), count: 3,
                    firstPosition: ArchivePosition(2), firstAt: replay.records[1].at,
                    lastPosition: ArchivePosition(5), lastAt: replay.records[4].at)
            ])
        #expect(differ.takeNotUnderstood() == [])
    }

    @Test(
        arguments: [
            (#""type":"MEDIA_STATUS","status":[{"playerState":"DREAMING"}]"#, "playerState DREAMING: 1"),
            (#""type":"MEDIA_STATUS","status":[{"idleReason":"BORED"}]"#, "idleReason BORED: 1"),
            (#""type":"MEDIA_STATUS","status":[{"repeatMode":"REPEAT_TWICE"}]"#, "repeatMode REPEAT_TWICE: 1"),
            (#""type":"MEDIA_STATUS","status":[{"media":{"streamType":1}}]"#, "streamType 1: 1"),
            (#""type":"MEDIA_STATUS","status":[{"media":{"mood":"blue"}}]"#, "media key mood: 1"),
            (#""type":"MEDIA_STATUS","status":[{"media":{"tracks":[{"type":"SMELL"}]}}]"#, "track type SMELL: 1"),
            (
                #""type":"MEDIA_STATUS","status":[{"supportedMediaCommands":1039823}]"#,
                "supportedMediaCommands bit 524288: 1"
            ),
            (#""type":"QUEUE_CHANGE","changeType":"EXPLODE""#, "changeType EXPLODE: 1"),
            (#""type":"TIME_TICK","timeElapsed":1"#, "message type TIME_TICK: 1"),
        ])
    func `is a word, a key, a bit or a type beyond those known`(fields: String, expected: String) {
        var replay = Replay()
        replay.open(0)
        replay.receive(1, from: "t-1", .media, "{\(fields)}")
        #expect(counted(replay) == [expected])
    }

    @Test(
        arguments: [
            (#""mood":1"#, "RECEIVER_STATUS key mood: 1"),
            (#""applications":[{"appId":"A","mood":1}]"#, "app key mood: 1"),
            (#""applications":[{"appId":"A","appType":"IOS"}]"#, "appType IOS: 1"),
            (#""volume":{"level":1,"controlType":"knob"}"#, "controlType knob: 1"),
        ])
    func `is a key of a receiver status or its app, too`(fields: String, expected: String) {
        var replay = Replay()
        replay.open(0)
        replay.receiver(1, fields)
        #expect(counted(replay) == [expected])
    }

    @Test func `is nothing of what PROTOCOL lists, in any case of letters, and null is no word`() {
        var replay = Replay()
        replay.open(0)
        replay.receiver(
            1,
            #""applications":[{"appId":"CC1AD845","universalAppId":"CC1AD845","appType":"WEB","displayName":"D","iconUrl":"","isIdleScreen":false,"launchedFromCloud":false,"senderConnected":true,"sessionId":"s","transportId":"t-1","statusText":"","namespaces":[]}],"isActiveInput":true,"isStandBy":false,"userEq":{},"volume":{"controlType":"attenuation","level":1.0}"#
        )
        replay.media(
            2, 0,
            #"{"mediaSessionId":1,"playerState":"playing","idleReason":null,"repeatMode":null,"supportedMediaCommands":274447,"media":{"contentId":"a","streamType":"buffered","tracks":[{"trackId":1,"type":"TEXT"}]}}"#
        )
        replay.receive(
            3, from: "receiver-0", to: "sender-0", .setup, #"{"type":"eureka_info","request_id":1,"data":{"x":1}}"#)
        replay.receive(4, from: "t-1", Namespace("urn:x-cast:com.example"), #"{"type":"ANYTHING"}"#)
        #expect(counted(replay) == [])
    }

    @Test func `of one device 64 words are told by name, the others together, wherever checkpoints fall`() throws {
        var replay = Replay()
        replay.open(0)
        for number in 0..<80 { replay.media(Double(number), 0, #"{"mediaSessionId":1,"k\#(number)":1}"#) }
        var differ = StatusDiffer()
        var counts: [String: Int64] = [:]
        for record in replay.records {
            _ = differ.fold(record)
            for told in differ.takeNotUnderstood() { counts[told.name.word, default: 0] += told.count }
            differ = try StatusDiffer(restoring: differ.takeDeviceStates(), heard: differ.takeHeard())
        }
        #expect(counts.count == 65)
        #expect(counts["(others)"] == 16)
        #expect(counts["k63"] == 1)
        #expect(counts["k64"] == nil)
    }

    @Test func `tells no secret and no endless word`() {
        var replay = Replay()
        replay.open(0)
        let long = String(repeating: "x", count: 100)
        replay.media(1, 0, #"{"mediaSessionId":1,"playerState":"https://h/?sig=s3cret","\#(long)":1}"#)
        #expect(
            counted(replay) == [
                "MEDIA_STATUS key \(String(repeating: "x", count: 64)): 1", "playerState https://h/?sig=(redacted): 1",
            ])
    }

    @Test func `is cut by Unicode scalars, whatever is one letter to a reader`() {
        var replay = Replay()
        replay.open(0)
        let long = "e" + String(repeating: "\u{301}", count: 10_000)
        replay.media(1, 0, #"{"mediaSessionId":1,"\#(long)":1}"#)
        replay.receive(2, from: "t-1", Namespace("urn:x-cast:com.example"), #"{"type":"\#(long)"}"#)
        var differ = StatusDiffer()
        let events = replay.records.flatMap { differ.fold($0) }
        #expect(differ.takeNotUnderstood().map { $0.name.word.unicodeScalars.count } == [64])
        let type = events.last { $0.kind == .customMessage }?.after?["type"]?.string
        #expect(type?.unicodeScalars.count == 64)
    }

    @Test func `is found in a media status without a type, too`() {
        var replay = Replay()
        replay.open(0)
        replay.receive(1, from: "t-1", .media, #"{"mediaSessionId":1,"playerState":"DREAMING"}"#)
        #expect(counted(replay) == ["playerState DREAMING: 1"])
    }
}
