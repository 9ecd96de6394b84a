import CastModel
import CastWire
import Differ
import Plays
import Recording
import Testing

@Suite("A play of an app that is not named in time") struct NamelessAppTests {
    /// The plays of a log: who said what, second by second.
    private func plays(_ log: [(Double, String, Namespace, String)]) -> [Play] {
        var (differ, ledger) = (StatusDiffer(), PlayLedger())
        var plays: [ChangeEvent.ID: Play] = [:]
        for (index, (seconds, source, namespace, text)) in log.enumerated() {
            let message = CastMessage(from: source, to: "*", namespace, text: text)
            let frame = RecordedFrame(
                device: Evening.device, link: LinkNumber(1), direction: .inbound, message: message)
            let record = Record(
                position: ArchivePosition(Int64(index) + 1), at: Evening.time(seconds),
                monotonic: MonotonicTime(nanoseconds: Int64(seconds * 1e9)), boot: "b", body: .frame(frame))
            for event in differ.fold(record) {
                for play in ledger.fold(event) { plays[play.id] = play }
            }
        }
        return plays.values.sorted { $0.id < $1.id }
    }

    private func apps(_ list: String) -> String {
        #"{"type":"RECEIVER_STATUS","requestId":0,"status":{"applications":[\#(list)]}}"#
    }

    private func status(_ state: String, _ time: Double) -> String {
        #"{"type":"MEDIA_STATUS","requestId":2,"status":[{"mediaSessionId":1,"playerState":"\#(state)","currentTime":\#(time),"media":{"contentId":"a"}}]}"#
    }

    @Test func `is that of the app which the first receiver status names`() throws {
        let found = plays([
            (1, "t-1", .media, status("PLAYING", 0)),
            (
                5, "receiver-0", .receiver,
                apps(#"{"appId":"A","displayName":"App","sessionId":"s-1","transportId":"t-1"}"#)
            ),
            (11, "t-1", .media, status("PAUSED", 10)), (21, "t-1", .media, status("PLAYING", 10)),
            (31, "receiver-0", .receiver, apps("")),
        ])
        let play = try #require(found.first)
        #expect(found.count == 1)
        #expect(play.appSessionID == AppSessionID("s-1") && play.appName == "App")
        // Played from 1 to 11 and from 21 to 31, paused in between.
        #expect(play.time.playedSeconds == 20 && play.time.pausedSeconds == 10)
        #expect(play.endReason == .appClosed && play.endedAt == Evening.time(31))
    }

    @Test func `ends with an app whose session has an empty name`() throws {
        let found = plays([
            (0, "receiver-0", .receiver, apps(#"{"appId":"A","sessionId":"","transportId":"t-1"}"#)),
            (1, "t-1", .media, status("PLAYING", 0)), (11, "receiver-0", .receiver, apps("")),
        ])
        #expect(found.map { $0.endReason } == [.appClosed])
        #expect(found.map { $0.time.playedSeconds } == [10])
    }
}
