import CastModel
import CastWire
import Differ
import Recording
import Testing

@Suite("The differ on ad breaks")
struct AdBreakTests {
    private static let media =
        #""media":{"contentId":"a","breaks":[{"id":"b-1","breakClipIds":["c-1","c-2"],"position":10}],"breakClips":[{"id":"c-1","title":"Soap","whenSkippable":5},{"id":"c-2","title":"Cars"}]}"#

    /// Media session 1 plays from second 2 on, at position 10.
    private func playing() -> Replay {
        var replay = Replay.appSeenStarting()
        replay.media(2, 5, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":10,\#(Self.media)}"#)
        return replay
    }

    private func lines(_ change: (inout Replay) -> Void) -> [String] {
        var replay = playing()
        let known = replay.records.count
        change(&replay)
        return replay.lines(after: known)
    }

    private func status(_ seconds: Int, _ breakStatus: String?) -> String {
        let more = breakStatus.map { #","breakStatus":{\#($0)}"# } ?? ""
        return #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":\#(seconds)\#(more)}"#
    }

    private let first = #""breakId":"b-1","breakClipId":"c-1","currentBreakTime":0"#
    private let second = #""breakId":"b-1","breakClipId":"c-2","currentBreakTime":15"#
    private let soap =
        #"{"source":"break_status","breakId":"b-1","breakClipId":"c-1","title":"Soap","whenSkippable":5.0}"#
    private let cars = #"{"source":"break_status","breakId":"b-1","breakClipId":"c-2","title":"Cars"}"#

    @Test func `a break begins, goes on to its next ad, and ends when a status leaves it out`() {
        #expect(
            lines {
                $0.media(3, 0, status(10, first))
                $0.media(8, 0, status(10, first.replacing(#":0"#, with: #":5"#)))
                $0.media(18, 0, status(10, second))
                $0.media(33, 0, status(10, nil))
                $0.media(34, 0, status(11, nil))
            } == [
                "break_started receiver | media_status | is \(soap)",
                "break_clip_changed receiver | media_status | was \(soap) | is \(cars)",
                "break_ended receiver | media_status | was \(cars)",
            ])
    }

    @Test func `an ad that may be skipped from now on is no event, and skipping it ends the break`() {
        #expect(
            lines {
                $0.media(3, 0, status(10, first))
                $0.media(8, 0, status(10, first + #","whenSkippable":0"#))
                $0.media(9, 44, status(10, nil))
            } == [
                "break_started receiver | media_status | is \(soap)",
                #"break_ended sender_request | media_status | was {"source":"break_status","breakId":"b-1","breakClipId":"c-1","title":"Soap","whenSkippable":0.0}"#,
            ])
    }

    @Test func `another break right after one ends it and begins`() {
        #expect(
            lines {
                $0.media(3, 0, status(10, first))
                $0.media(18, 0, status(10, #""breakId":"b-2","breakClipId":"c-9""#))
            } == [
                "break_started receiver | media_status | is \(soap)",
                "break_ended receiver | media_status | was \(soap)",
                #"break_started receiver | media_status | is {"source":"break_status","breakId":"b-2","breakClipId":"c-9"}"#,
            ])
    }

    @Test func `a break ends with its media session`() {
        let told = lines {
            $0.media(3, 0, status(10, first))
            $0.media(5, 9, #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"CANCELLED"}"#)
        }
        #expect(
            told.map { $0.prefix { $0 != "|" } } == [
                "break_started receiver ", "break_ended sender_request ", "media_session_ended sender_request ",
            ])
    }

    @Test func `a break that ran before a gap has no invented end, and one that runs after it begins as a snapshot`() {
        let told = lines {
            $0.media(3, 0, status(10, first))
            $0.close(4, .silent)
            $0.open(30)
            $0.media(31, 0, status(20, nil))
            $0.media(40, 0, status(29, first))
            $0.close(41, .silent)
            $0.open(50)
            $0.media(51, 0, status(29, first))
        }
        #expect(
            told.map { $0.prefix { $0 != "|" } }.filter { $0.hasPrefix("break") || $0.hasPrefix("seek") } == [
                "break_started receiver ", "break_started receiver ", "break_started snapshot ",
            ])
    }

    @Test(arguments: [
        #""breakStatus":null"#, #""breakStatus":{}"#, #""breakStatus":7"#, #""customData":{"playerState":5}"#,
    ])
    func `what says nothing begins no break`(field: String) {
        #expect(
            lines { $0.media(3, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":11,\#(field)}"#) } == [])
    }

    @Test func `a break added to the media is a change of the media`() {
        let told = lines {
            $0.media(
                3, 0,
                #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":11,"media":{"contentId":"a","breaks":[]}}"#)
        }
        #expect(told.map { $0.prefix { $0 != " " } } == ["metadata_changed"])
    }

    @Test func `an ad of YouTube is a break as long as 1081 is told`() {
        let advert = #","customData":{"playerState":1081}"#
        #expect(
            lines {
                $0.media(3, 0, #"{"mediaSessionId":1,"playerState":"BUFFERING","currentTime":0\#(advert)}"#)
                $0.media(9, 0, #"{"mediaSessionId":1,"playerState":"BUFFERING","currentTime":6\#(advert)}"#)
                $0.media(
                    20, 0,
                    #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":11,"customData":{"playerState":1}}"#)
            } == [
                #"break_started receiver | media_status | is {"source":"youtube"}"#,
                #"player_state_changed receiver | media_status | was {"playerState":"PLAYING"} | is {"playerState":"BUFFERING"}"#,
                #"break_ended receiver | media_status | was {"source":"youtube"}"#,
                #"player_state_changed receiver | media_status | was {"playerState":"BUFFERING"} | is {"playerState":"PLAYING"}"#,
            ])
    }

    @Test(arguments: [
        "urn:x-cast:com.google.ads.ima.cast", "urn:x-cast:com.google.ads.interactivemedia.dai.cast",
        "urn:x-cast:com.google.cast.media", "urn:x-cast:com.example",
    ])
    func `the texts of IMA begin and end a break, on any namespace`(urn: String) {
        let namespace = Namespace(urn)
        #expect(
            lines {
                $0.receive(5, from: "t-1", namespace, "onContentPauseRequested,13.0")
                $0.receive(5, from: "t-1", namespace, "onContentPauseRequested,13.0")
                $0.media(6, 0, status(0, nil))
                $0.receive(20, from: "t-1", namespace, "onContentResumeRequested")
                $0.media(21, 0, status(13, nil))
            } == [
                #"break_started unknown | is {"source":"ima"}"#, #"break_ended unknown | was {"source":"ima"}"#,
            ])
    }

    @Test func `the position of a break of IMA is the one its text says, at both ends`() {
        var replay = playing()
        let namespace = Namespace("urn:x-cast:com.google.ads.ima.cast")
        replay.receive(5, from: "t-1", namespace, "onContentPauseRequested,13.5")
        replay.receive(20, from: "t-1", namespace, "onContentResumeRequested")
        var differ = StatusDiffer()
        let breaks = replay.records.flatMap { differ.fold($0) }.suffix(2)
        #expect(breaks.map { $0.positionSeconds } == [13.5, 13.5])
        #expect(breaks.map { $0.mediaSessionID } == [1, 1])
        #expect(breaks.map { $0.appSessionID?.text } == ["s-1", "s-1"])
    }

    @Test func `content that is stopped for an ad of IMA and loaded again leaves its break whole`() {
        let namespace = Namespace("urn:x-cast:com.google.ads.ima.cast")
        let told = lines {
            $0.receive(5, from: "t-1", namespace, "onContentPauseRequested,13")
            $0.media(6, 0, #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"CANCELLED"}"#)
            $0.receive(20, from: "t-1", namespace, "onContentResumeRequested")
            $0.media(21, 0, #"{"mediaSessionId":2,"playerState":"PLAYING","currentTime":13,"media":{"contentId":"a"}}"#)
        }
        #expect(
            told.map { $0.prefix { $0 != " " } } == [
                "break_started", "media_session_ended", "break_ended", "media_session_started",
            ])
    }

    @Test func `a resume without a pause, and any other text, is the app's own message`() {
        let namespace = Namespace("urn:x-cast:com.google.ads.ima.cast")
        let told = lines {
            $0.receive(5, from: "t-1", namespace, "onContentResumeRequested")
            $0.receive(6, from: "t-1", namespace, "Ad Error: 303")
        }
        #expect(told.map { $0.prefix { $0 != " " } } == ["custom_message", "custom_message"])
    }

    @Test func `a resume from nobody known makes no app of its sender`() {
        var replay = playing()
        let before = replay.records.count
        replay.receive(5, from: "t-unknown", Namespace("urn:x-cast:com.example"), "onContentResumeRequested")
        var differ = StatusDiffer()
        let events = replay.records.map { differ.fold($0) }
        #expect(events[before].map(\.kind) == [.customMessage])
        let transports = differ.takeDeviceStates().first?.1["transports"]?.array
        #expect(transports?.map { $0["id"] } == ["t-1"])
    }
}
