import CastModel
import CastWire
import Differ
import Recording
import Testing

// Goal: a media session begins and ends in turns, whatever order statuses come in.
// Method: every sequence of four out of nine statuses, after an app that we saw start.
@Suite("The life of media sessions")
struct MediaLifeTests {
    private static let statuses = [
        "", #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":1,"media":{"contentId":"a"}}"#,
        #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":9}"#, #"{"mediaSessionId":1,"playerState":"IDLE"}"#,
        #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"FINISHED"}"#,
        #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"INTERRUPTED","loadingItemId":2}"#,
        #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"INTERRUPTED","extendedStatus":{"playerState":"LOADING","mediaSessionId":2,"media":{"contentId":"b"}}}"#,
        #"{"mediaSessionId":1,"playerState":"IDLE","extendedStatus":{"playerState":"LOADING","mediaSessionId":1}}"#,
        #"{"mediaSessionId":2,"playerState":"PLAYING","media":{"contentId":"b"}}"#,
    ]

    private func events(of sequence: [Int]) -> [ChangeEvent] {
        var replay = Replay()
        replay.open(0)
        replay.receiver(0.5, "")
        replay.receiver(1, #""applications":[{"appId":"CC1AD845","sessionId":"s-1","transportId":"t-1"}]"#)
        for (index, status) in sequence.enumerated() { replay.media(Double(index + 2), 0, Self.statuses[status]) }
        var differ = StatusDiffer()
        return replay.records.flatMap { differ.fold($0) }
    }

    @Test(arguments: statuses.indices)
    func `beginning and end take turns`(first: Int) {
        let all = Self.statuses.indices
        for second in all {
            for third in all {
                for fourth in all {
                    let sequence = [first, second, third, fourth]
                    let events = events(of: sequence)
                    #expect(Self.takesTurns(events), "statuses \(sequence): \(events.map { $0.line })")
                    #expect(events.allSatisfy { $0.appSessionID?.text == "s-1" || $0.mediaSessionID == nil })
                }
            }
        }
    }

    /// Whether no media session begins while it runs, changes while it does not, or ends twice for one reason.
    private static func takesTurns(_ events: [ChangeEvent]) -> Bool {
        var running: Set<Int64> = []
        var lastEnd: [Int64: String] = [:]
        for event in events {
            guard let id = event.mediaSessionID else { continue }
            switch event.kind {
            case .mediaSessionStarted:
                guard running.insert(id).inserted else { return false }
                lastEnd[id] = nil
            case .mediaSessionEnded:
                let reason = event.after?["idleReason"]?.string ?? "unknown"
                let wasRunning = running.remove(id) != nil
                guard wasRunning || lastEnd[id] != reason else { return false }
                lastEnd[id] = reason
            default:
                guard running.contains(id) else { return false }
            }
        }
        return running.count <= 1
    }

    @Test func `playing one after another names each with its own app session and number`() {
        #expect(
            events(of: [1, 6, 8, 0]).compactMap { event in event.mediaSessionID.map { "\(event.kind.rawValue) \($0)" } }
                == [
                    "media_session_started 1", "media_session_ended 1", "media_session_started 2", "media_loading 2",
                    "player_state_changed 2", "media_session_ended 2",
                ])
    }

    @Test func `media sent with an edit of the queue is not taken for an edit of the style`() {
        var replay = Replay()
        let media = #""media":{"contentId":"a","textTrackStyle":{"fontScale":1}}"#
        replay.media(0, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","items":[{"itemId":1}],\#(media)}"#)
        replay.media(
            1, 4, #"{"mediaSessionId":1,"playerState":"PLAYING","items":[{"itemId":1},{"itemId":2}],\#(media)}"#)
        replay.media(
            2, 5, #"{"mediaSessionId":1,"playerState":"PLAYING","items":[{"itemId":1},{"itemId":2}],\#(media)}"#)
        #expect(
            replay.lines(after: 1).map { $0.prefix { $0 != " " } } == [
                "media_reasserted", "text_track_style_reasserted",
            ])
    }

    @Test func `media whose signature alone is new is the same media`() {
        var replay = Replay()
        for (second, signature) in ["abc", "def"].enumerated() {
            replay.media(
                Double(second), 0,
                #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":\#(second),"media":{"contentId":"https://h/a?sig=\#(signature)"}}"#
            )
        }
        #expect(
            replay.lines(after: 1) == [
                #"media_reasserted receiver | no effect | media_metadata+media_status | was {"contentId":"https://h/a?sig=(redacted)"} | is {"contentId":"https://h/a?sig=(redacted)"}"#
            ])
    }
}
