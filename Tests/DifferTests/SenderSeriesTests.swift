import CastModel
import CastWire
import Differ
import Recording
import Testing

/// A conversation of one app with its senders, seen from outside: what series each of its broadcasts is given.
private struct Conversation {
    private var replay = Replay()
    private var expected: [Int?] = []
    private var asked: [Int] = []
    private var level = 0
    private var mediaSessionID = 0

    init() {
        replay.open(0)
        launch(0, appSession: "s-1")
        load(0.5, 0)
        expected = []
        asked = []
    }

    /// RECEIVER_STATUS: the app of `appSession` runs, with transport `t-1`, whatever ran before.
    mutating func launch(_ seconds: Double, appSession: String) {
        replay.receiver(
            seconds,
            #""applications":[{"appId":"CC1AD845","sessionId":"\#(appSession)","transportId":"t-1","namespaces":[]}]"#)
    }

    /// A command's broadcast: another stream volume each time, so that each is one event.
    mutating func command(_ seconds: Double, _ id: Int64?, _ series: Int?, to destination: String = "*") {
        level += 1
        expect(series)
        replay.media(
            seconds, id, to: destination,
            #"{"mediaSessionId":\#(mediaSessionID),"playerState":"PLAYING","volume":{"level":0.\#(level + 1000)}}"#)
    }

    /// The completion of a LOAD: another media session, with its media.
    mutating func load(_ seconds: Double, _ id: Int64?, _ series: Int? = nil) {
        mediaSessionID += 1
        expect(series)
        replay.media(seconds, id, playing)
    }

    /// The two statuses of a LOAD on a new SDK: LOADING and then PLAYING, both with the loader's id.
    mutating func slowLoad(_ seconds: Double, _ id: Int64, _ series: Int?, completedAt later: Double) {
        mediaSessionID += 1
        expect(series)
        replay.media(
            seconds, id,
            #"{"mediaSessionId":\#(mediaSessionID),"playerState":"IDLE","extendedStatus":{"playerState":"LOADING"}}"#)
        expect(series)
        replay.media(later, id, playing)
    }

    /// Device volume, by way of the receiver platform.
    mutating func deviceVolume(_ seconds: Double, _ id: Int64, _ series: Int?) {
        level += 1
        expect(series)
        replay.receiver(
            seconds, requestID: id,
            #""volume":{"level":0.\#(level + 1000)},"applications":[{"appId":"CC1AD845","sessionId":"s-1","transportId":"t-1","namespaces":[]}]"#
        )
    }

    /// A GET_STATUS of ours.
    mutating func ask(_ seconds: Double, _ id: Int64) { replay.ask(seconds, id, .media) }

    /// A message of another kind.
    mutating func receive(_ seconds: Double, _ namespace: Namespace, _ text: String, _ series: Int?) {
        expect(series)
        replay.receive(seconds, from: "t-1", namespace, text)
    }

    private var playing: String {
        #"{"mediaSessionId":\#(mediaSessionID),"playerState":"PLAYING","media":{"contentId":"film \#(mediaSessionID)"}}"#
    }

    private mutating func expect(_ series: Int?) {
        asked.append(replay.records.count)
        expected.append(series)
    }

    /// Compares; the state is saved and restored before every record when `restarting`.
    func check(restarting: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) throws {
        var differ = StatusDiffer()
        var answers: [Int?] = []
        var states: [DeviceID: JSONValue] = [:]
        var heard: [DeviceID: WallTime] = [:]
        let parser = JSONParser()
        for (index, record) in replay.records.enumerated() {
            let events = differ.fold(record)
            if asked.contains(index) {
                let series = Set(events.map { $0.senderSeries.map(Int.init) })
                #expect(series.count == 1, "record \(index) has events of one sender", sourceLocation: sourceLocation)
                answers.append(series.first ?? nil)
            }
            guard restarting else { continue }
            for (deviceID, state) in differ.takeDeviceStates() { states[deviceID] = state }
            heard.merge(differ.takeHeard()) { $1 }
            differ = try StatusDiffer(
                restoring: states.map { ($0.key, try parser.parse($0.value.text)) }, heard: heard)
        }
        #expect(answers == expected, sourceLocation: sourceLocation)
        if !restarting { try check(restarting: true, sourceLocation: sourceLocation) }
    }
}

@Suite("The sender series")
struct SenderSeriesTests {
    @Test func `of one sender is 1, however it skips ids for questions that we do not see`() throws {
        var talk = Conversation()
        talk.load(1, 3, 1)
        talk.command(10, 4, 1)
        talk.command(20, 7, 1)
        talk.command(3600, 300, 1)
        try talk.check()
    }

    @Test func `is nobody's for what the receiver does, for no requestId, and for ours`() throws {
        var talk = Conversation()
        talk.load(1, 3, 1)
        talk.command(2, 0, nil)
        talk.command(3, nil, nil)
        talk.ask(4, 5)
        talk.command(5, 5, nil)  // A broadcast: some sender happens to use our id.
        talk.command(6, 4, 1)  // It taught nothing, so 4 is still the next of sender 1.
        talk.command(7, -9, nil)
        try talk.check()
    }

    @Test func `leaves it a sender's request where a broadcast bears the id of our own question`() {
        var replay = Replay()
        replay.open(0)
        replay.media(1, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","media":{"contentId":"film"}}"#)
        replay.ask(2, 41, .media)
        replay.media(3, 41, #"{"mediaSessionId":1,"playerState":"PAUSED"}"#)
        replay.media(4, 41, to: "sender-us", #"{"mediaSessionId":1,"playerState":"PLAYING"}"#)
        var differ = StatusDiffer()
        let events = replay.records.flatMap { differ.fold($0) }.filter { $0.kind == .playerStateChanged }
        #expect(events.map(\.attribution) == [.senderRequest, .snapshot])
        #expect(events.map(\.senderSeries) == [nil, nil])
        #expect(events.map(\.callbacks) == [[.mediaStatus], []])
    }

    @Test func `tells everybody who starts at 1 apart, where an id does not grow`() throws {
        var talk = Conversation()
        talk.load(1, 8, 1)
        talk.command(5, 9, 1)
        talk.command(20, 3, 2)  // Does not grow: somebody else.
        talk.command(21, 4, 2)
        talk.command(40, 10, nil)  // 9 to 10, or 4 to 10: either could be.
        talk.command(41, 5, 2)  // Had 10 been of sender 2, this were a third one. So 10 was of sender 1.
        try talk.check()
    }

    @Test func `of a VLC that echoes another sender's command by its own differs from that one's`() throws {
        // VLC answers another sender's PLAY with a PLAY of its own at once (PROTOCOL 7.6).
        var talk = Conversation()
        talk.load(1, 12, 1)
        talk.command(30, 3, 2)
        talk.command(30.05, 13, 1)
        talk.command(60, 4, 2)
        talk.command(60.05, 14, 1)
        try talk.check()
    }

    @Test func `is a new one for every command of a tool that connects anew for each`() throws {
        // catt: each process counts from 1, and its command has the same id each time.
        var talk = Conversation()
        talk.load(1, 4, 1)
        talk.command(10, 4, 2)
        talk.command(20, 4, 3)
        talk.command(30, 3, 4)
        talk.command(40, 3, 5)
        try talk.check()
    }

    @Test func `goes on counting when there are more senders than are kept`() throws {
        var talk = Conversation()
        talk.load(1, 40, 1)
        for number in 2...12 { talk.command(Double(number) * 10, Int64(42 - number), number) }
        // The eight kept are at 37 to 30, those who made room at 40 to 38: any of them could go on to 41.
        talk.command(130, 41, nil)
        try talk.check()
    }

    @Test func `tells random starts apart that lie millions of ids from each other`() throws {
        var talk = Conversation()
        talk.load(1, 614_412_557, 1)
        talk.command(60, 1_345_463_442, 2)
        talk.command(61, 614_412_559, 1)
        talk.command(62, 1_345_463_443, 2)
        talk.command(63, 1_870_045_973, 3)
        talk.command(64, 614_412_560, 1)
        try talk.check()
    }

    @Test func `stays with the one sender that is known, also after a slider used up ids unseen`() throws {
        var talk = Conversation()
        talk.load(1, 5, 1)
        talk.command(4, 95, 1)  // 90 ids in 3 s: no poller does that, somebody with a slider does.
        talk.command(5, 2000, 2)  // 1905 ids in 1 s: 1020 are the most that is taken as possible.
        try talk.check()
    }

    @Test func `tells a fight apart that alternates`() throws {
        var talk = Conversation()
        talk.load(1, 41, 1)
        talk.command(3, 7, 2)
        // Sender 2 would have asked 34 questions in 2 s; 4 and 4 a second are easy, 12 in all.
        talk.command(5, 42, 1)
        talk.command(7, 8, 2)
        talk.command(9, 43, 1)
        talk.command(11, 9, 2)
        try talk.check()
    }

    @Test func `is unclear once two had the same last id, and clear again after a LOAD`() throws {
        var talk = Conversation()
        talk.load(1, 5, 1)
        talk.command(10, 3, 2)
        talk.command(11, 4, 2)
        talk.command(12, 5, 2)  // Both are at 5 now.
        talk.command(20, 6, nil)
        talk.command(22, 6, nil)
        talk.command(24, 7, nil)
        talk.load(30, 9, nil)  // Whose it is remains unclear; it begins the numbering anew.
        talk.command(31, 10, 3)
        talk.command(32, 11, 3)
        talk.command(33, 8, 4)
        try talk.check()
    }

    @Test func `is clear again after another LAUNCH, also where the transport id is used again`() throws {
        var talk = Conversation()
        talk.load(1, 5, 1)
        talk.command(10, 5, 2)
        talk.command(20, 6, nil)
        talk.launch(30, appSession: "s-2")
        talk.load(31, 7, 1)
        talk.command(32, 8, 1)
        try talk.check()
    }

    @Test func `is the same for the two statuses of a LOAD, however long it takes`() throws {
        var talk = Conversation()
        talk.load(1, 5, 1)
        talk.slowLoad(10, 6, 1, completedAt: 55)
        talk.command(60, 6, 2)  // Not at once, and no LOAD is under way: does not grow.
        try talk.check()
    }

    @Test func `is the same for a broadcast that comes twice at once, and another's a second later`() throws {
        var talk = Conversation()
        talk.load(1, 5, 1)
        talk.command(10, 6, 1)
        talk.command(10.9, 6, 1)
        talk.command(12, 6, 2)
        try talk.check()
    }

    @Test func `of the device's volume is that of the one sender whose ids it fits`() throws {
        var talk = Conversation()
        talk.load(1, 41, 1)
        talk.deviceVolume(2, 42, 1)
        talk.deviceVolume(3, 7, nil)  // Some other counter: nobody fits.
        talk.command(4, 7, 2)  // It taught nothing: 7 is new here.
        talk.deviceVolume(5, 8, 2)
        talk.deviceVolume(600, 43, nil)  // Either fits by now.
        try talk.check()
    }

    @Test func `of an error is that of the request it answers, and of an app's own message nobody's`() throws {
        var talk = Conversation()
        talk.load(1, 41, 1)
        talk.receive(2, .media, #"{"type":"LOAD_FAILED","requestId":41}"#, 1)
        talk.receive(3, .media, #"{"type":"INVALID_REQUEST","requestId":17}"#, nil)
        talk.receive(4, Namespace("urn:x-cast:com.example"), #"{"type":"HELLO","requestId":42}"#, nil)
        try talk.check()
    }

    @Test func `is unclear, not wrong, where more could be than are followed`() throws {
        var talk = Conversation()
        // Six senders, 20 ids apart, then a jump that each of them could have made: too much to follow.
        talk.load(1, 120, 1)
        for number in 2...6 { talk.command(Double(number), Int64(140 - 20 * number), number) }
        for step in 1...40 { talk.command(600 + Double(step) * 2, Int64(200 + step), nil) }
        talk.load(1000, 300, nil)
        talk.command(1001, 301, 7)
        try talk.check()
    }

    @Test func `survives ids at the ends of their range`() throws {
        var talk = Conversation()
        talk.load(1, .max, 1)
        talk.command(2, 1, 2)
        talk.command(3, .max - 1, 3)
        talk.command(4, .max, 3)
        talk.command(6, .max, 4)
        talk.command(7, .min, nil)
        try talk.check()
    }
}
