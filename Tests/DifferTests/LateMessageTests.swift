import CastModel
import CastWire
import Differ
import Recording
import Testing

@Suite("The differ on messages that come late")
struct LateMessageTests {
    private static let app = #""applications":[{"appId":"CC1AD845","sessionId":"s-1","transportId":"t-1"}]"#
    private static let playing =
        #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"media":{"contentId":"a"}}"#

    /// An app that plays, and then is gone.
    private func gone() -> Replay {
        var replay = Replay()
        replay.open(0)
        replay.receiver(0.1, #""volume":{"level":0.5}"#)
        replay.receiver(1, Self.app)
        replay.media(2, 5, Self.playing)
        replay.receiver(12, #""volume":{"level":0.5}"#)
        return replay
    }

    private func kinds(_ replay: Replay, after count: Int) -> [String] {
        var differ = StatusDiffer()
        for record in replay.records.prefix(count) { _ = differ.fold(record) }
        return replay.records.dropFirst(count).flatMap { differ.fold($0) }.map { $0.kind.rawValue }
    }

    @Test(arguments: [
        playing, #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"CANCELLED","currentTime":9}"#, "",
    ])
    func `from an app that has left, tell nothing`(status: String) {
        var replay = gone()
        let known = replay.records.count
        replay.media(12.2, 0, status)
        replay.receive(12.3, from: "t-1", .media, #"{"type":"ERROR","detailedErrorCode":104}"#)
        #expect(kinds(replay, after: known) == [])
    }

    @Test func `from a transport id that a new launch uses again, count`() {
        var replay = gone()
        replay.media(12.2, 0, Self.playing)
        let known = replay.records.count
        replay.receiver(20, #""applications":[{"appId":"CC1AD845","sessionId":"s-2","transportId":"t-1"}]"#)
        replay.media(21, 6, Self.playing)
        #expect(kinds(replay, after: known) == ["app_started", "media_session_started"])
    }

    @Test func `are told from the app's life before, also after the state was saved and restored`() throws {
        var replay = gone()
        let known = replay.records.count
        replay.media(12.2, 0, Self.playing)
        var differ = StatusDiffer()
        for record in replay.records.prefix(known) { _ = differ.fold(record) }
        differ = try StatusDiffer(restoring: differ.takeDeviceStates(), heard: differ.takeHeard())
        #expect(replay.records.dropFirst(known).flatMap { differ.fold($0) } == [])
    }

    @Test func `from an app that has left, tell nothing on any namespace`() {
        var replay = gone()
        let known = replay.records.count
        let own = Namespace("urn:x-cast:com.example")
        replay.receive(12.1, from: "t-1", own, "onContentPauseRequested,13")
        replay.receive(12.2, from: "t-1", own, #"{"type":"BYE"}"#)
        replay.receive(12.3, from: "t-2", own, #"{"type":"BYE"}"#)
        #expect(kinds(replay, after: known) == ["custom_message"])
    }
}
