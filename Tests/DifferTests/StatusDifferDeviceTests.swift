import CastModel
import CastWire
import Differ
import Recording
import Testing

private func advertisement(_ name: String, _ addresses: [String], port: UInt16 = 8009) -> RecordBody {
    .deviceSeen(
        DeviceAdvertisement(
            deviceID: Replay.device, name: name, model: "Chromecast", addresses: addresses, port: port,
            capabilities: [.videoOut, .audioOut], txt: [], source: .mdns))
}

@Suite("The differ on announcements")
struct StatusDifferAnnouncementTests {
    @Test func `sees a device once, then its new name and address`() {
        var replay = Replay()
        replay.add(0, advertisement("Kitchen", ["192.0.2.7"]))
        replay.add(1, advertisement("Kitchen", ["192.0.2.7"]))
        replay.add(2, advertisement("Kitchen", []))
        replay.add(3, advertisement("Den", ["192.0.2.7"]))
        replay.add(4, advertisement("Den", ["192.0.2.8", "192.0.2.7"]))
        #expect(
            replay.lines == [
                #"device_seen unknown | is {"name":"Kitchen","model":"Chromecast","address":"192.0.2.7","addresses":["192.0.2.7"],"port":8009,"capabilities":5,"source":"mdns"}"#,
                #"device_renamed unknown | was {"name":"Kitchen"} | is {"name":"Den"}"#,
                #"address_changed unknown | was {"address":"192.0.2.7","addresses":["192.0.2.7"],"port":8009} | is {"address":"192.0.2.8","addresses":["192.0.2.8","192.0.2.7"],"port":8009}"#,
            ])
    }

    @Test func `withdraws once, and is seen again afterwards`() {
        var replay = Replay()
        replay.add(0, .deviceWithdrawn(Replay.device))
        replay.add(1, advertisement("Kitchen", ["192.0.2.7"]))
        replay.add(2, .deviceWithdrawn(Replay.device))
        replay.add(3, .deviceWithdrawn(Replay.device))
        replay.add(4, advertisement("Kitchen", ["192.0.2.7"]))
        #expect(
            replay.lines.map { $0.prefix { $0 != " " } } == ["device_seen", "device_withdrawn", "device_seen"])
    }
}

@Suite("The differ on links and gaps")
struct StatusDifferGapTests {
    private let ping = #"{"type":"PONG"}"#

    @Test func `a lost link is a gap from the last moment observed to the next link`() {
        var replay = Replay()
        replay.open(0)
        replay.receive(5, from: "receiver-0", to: "sender-0", .heartbeat, ping)
        replay.close(20, .silent)
        replay.open(65, link: 2)
        #expect(
            replay.lines(after: 2) == [
                #"link_closed unknown | is {"link":1,"reason":"silent","detail":""}"#,
                #"gap_started unknown | is {"reason":"link_lost","from":"2026-03-01T20:00:05.000000Z"}"#,
                #"link_opened unknown | is {"link":2,"address":"192.0.2.7","port":8009,"tlsVersion":"TLSv1.3","cipher":"TLS_AES_256_GCM_SHA384","attachMode":"invisible"}"#,
                #"gap_ended unknown | is {"reason":"link_lost","from":"2026-03-01T20:00:05.000000Z","to":"2026-03-01T20:01:05.000000Z","seconds":60.0}"#,
            ])
    }

    @Test func `a link that another has replaced leaves no gap`() {
        var replay = Replay()
        replay.open(0)
        replay.open(1, link: 2)
        replay.close(2, link: 1, .duplicate)
        #expect(replay.lines(after: 2) == [#"link_closed unknown | is {"link":1,"reason":"duplicate","detail":""}"#])
    }

    @Test func `a recorder that was killed leaves a gap for every device it observed`() {
        var replay = Replay()
        replay.open(0)
        replay.device = DeviceID("ffff")
        replay.open(1)
        replay.device = DeviceID("aaaa")
        replay.add(2, .deviceWithdrawn(DeviceID("aaaa")))
        let known = replay.records.count
        replay.add(100, .recorderStarted(recorder: "r", version: "1"))
        replay.add(
            100,
            .gap(
                Gap(
                    device: nil, from: WallTime(microseconds: Replay.start.microseconds + 9_000_000), to: nil,
                    reason: .recorderDown)))
        #expect(
            replay.lines(after: known) == [
                #"gap_started unknown | is {"reason":"recorder_down","from":"2026-03-01T20:00:00.000000Z"}"#,
                #"gap_started unknown | is {"reason":"recorder_down","from":"2026-03-01T20:00:01.000000Z"}"#,
            ])
    }

    @Test func `a gap record tells better than the last frame when the recorder went down`() {
        var replay = Replay()
        replay.open(0)
        let from = WallTime(microseconds: Replay.start.microseconds + 9_000_000)
        replay.add(100, .gap(Gap(device: nil, from: from, to: nil, reason: .recorderDown)))
        replay.add(100, .recorderStarted(recorder: "r", version: "1"))
        replay.open(101)
        #expect(
            replay.lines(after: 1).filter { $0.hasPrefix("gap") } == [
                #"gap_started unknown | is {"reason":"recorder_down","from":"2026-03-01T20:00:09.000000Z"}"#,
                #"gap_ended unknown | is {"reason":"recorder_down","from":"2026-03-01T20:00:09.000000Z","to":"2026-03-01T20:01:41.000000Z","seconds":92.0}"#,
            ])
    }

    @Test func `a recorder that stops in good order begins one gap, not two`() {
        var replay = Replay()
        replay.open(0)
        replay.receiver(4, #""volume":{"level":0.5}"#)
        replay.close(10, .recorderStopping)
        replay.add(10.1, .recorderStopped(reason: "SIGTERM"))
        replay.add(50, .recorderStarted(recorder: "r", version: "1"))
        #expect(
            replay.lines(after: 2) == [
                #"link_closed unknown | is {"link":1,"reason":"recorder_stopping","detail":""}"#,
                #"gap_started unknown | is {"reason":"recorder_down","from":"2026-03-01T20:00:10.000000Z"}"#,
            ])
    }

    @Test func `a gap with both ends begins and ends at once`() {
        var replay = Replay()
        replay.open(0)
        let end = WallTime(microseconds: Replay.start.microseconds + 2_000_000)
        replay.add(2, .gap(Gap(device: Replay.device, from: Replay.start, to: end, reason: .notJoined)))
        #expect(
            replay.lines(after: 1) == [
                #"gap_started unknown | is {"reason":"not_joined","from":"2026-03-01T20:00:00.000000Z"}"#,
                #"gap_ended unknown | is {"reason":"not_joined","from":"2026-03-01T20:00:00.000000Z","to":"2026-03-01T20:00:02.000000Z","seconds":2.0}"#,
            ])
    }

    @Test func `after lost frames, the next status is a state and not a change`() {
        var replay = Replay()
        replay.open(0)
        replay.receiver(1, #""volume":{"level":0.5}"#)
        replay.add(2, .framesLost(device: Replay.device, count: 3, why: "volume full"))
        replay.receiver(3, #""volume":{"level":0.6}"#)
        replay.receiver(4, #""volume":{"level":0.7}"#)
        #expect(
            replay.lines(after: 2) == [
                #"gap_started unknown | is {"reason":"frames_lost","from":"2026-03-01T20:00:01.000000Z","count":3,"why":"volume full"}"#,
                #"gap_ended unknown | is {"reason":"frames_lost","from":"2026-03-01T20:00:01.000000Z","to":"2026-03-01T20:00:02.000000Z","seconds":1.0}"#,
                #"device_volume_changed snapshot | receiver_status | was {"level":0.5} | is {"level":0.6}"#,
                #"device_volume_changed receiver | receiver_status | was {"level":0.6} | is {"level":0.7}"#,
            ])
    }

    @Test func `what changed during a gap is a snapshot, and its positions are no seeks`() {
        var replay = Replay()
        replay.open(0)
        replay.receiver(
            1, #""applications":[{"appId":"CC1AD845","sessionId":"s-1","transportId":"t-1"}],"volume":{"level":0.5}"#)
        replay.media(2, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":5,"media":{"contentId":"a"}}"#)
        replay.close(20, .connectionReset)
        replay.open(40, link: 2)
        replay.receiver(
            41, #""applications":[{"appId":"CC1AD845","sessionId":"s-1","transportId":"t-1"}],"volume":{"level":0.6}"#)
        replay.media(42, 0, #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":90,"media":{"contentId":"a"}}"#)
        replay.media(43, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":90}"#)
        #expect(
            replay.lines(after: 5) == [
                #"device_volume_changed snapshot | receiver_status | was {"level":0.5} | is {"level":0.6}"#,
                #"player_state_changed snapshot | media_status | was {"playerState":"PLAYING"} | is {"playerState":"PAUSED"}"#,
                #"player_state_changed receiver | media_status | was {"playerState":"PAUSED"} | is {"playerState":"PLAYING"}"#,
            ])
    }
}

@Suite("The differ on a receiver status")
struct StatusDifferReceiverTests {
    private let first =
        #""applications":[{"appId":"AAAA1111","displayName":"One","sessionId":"s-1","transportId":"t-1"}]"#
    private let second =
        #""applications":[{"appId":"BBBB2222","displayName":"Two","sessionId":"s-2","transportId":"t-2"}]"#
    private let idle = #""applications":[{"appId":"E8C28D3C","sessionId":"s-0","isIdleScreen":true}]"#

    private func kinds(_ statuses: [String]) -> [String] {
        var replay = Replay()
        replay.open(0)
        for (index, status) in statuses.enumerated() { replay.receiver(Double(index + 1), status) }
        return replay.lines(after: 1).map { String($0.prefix { $0 != "|" }.dropLast()) }
    }

    @Test func `nothing, an app, another app, nothing`() {
        #expect(
            kinds(["", first, second, "", ""]) == [
                "app_started receiver", "app_replaced receiver", "app_stopped receiver",
            ])
    }

    @Test func `the idle screen is no app that starts or stops`() {
        #expect(
            kinds([idle, first, idle, idle, ""]) == [
                "idle_screen_shown snapshot", "app_started receiver", "app_stopped receiver",
                "idle_screen_shown receiver",
            ])
    }

    @Test func `an app found at joining is a snapshot`() {
        #expect(kinds([first, first]) == ["app_started snapshot"])
    }

    @Test func `an app says the app session that it is about`() {
        var differ = StatusDiffer()
        var replay = Replay()
        replay.receiver(1, first)
        replay.receiver(2, second)
        replay.receiver(3, "")
        let events = replay.records.flatMap { differ.fold($0) }
        #expect(events.map { $0.appSessionID?.text } == ["s-1", "s-2", "s-2"])
        #expect(events.map { $0.id.ordinal } == [0, 0, 0])
        #expect(events.map { $0.id.position.number } == [1, 2, 3])
    }

    @Test func `volume, mute, standby, input, status text and sender changes`() {
        var replay = Replay()
        replay.open(0)
        func status(_ level: Double, _ muted: Bool, _ standBy: Bool, _ input: Bool, _ text: String, _ sender: Bool)
            -> String
        {
            #""applications":[{"appId":"AAAA1111","sessionId":"s-1","statusText":"\#(text)","senderConnected":\#(sender)}],"isStandBy":\#(standBy),"isActiveInput":\#(input),"volume":{"level":\#(level),"muted":\#(muted)}"#
        }
        replay.receiver(1, status(0.5, false, false, true, "a", true))
        replay.receiver(2, status(0.5000000001, false, false, true, "a", true))
        replay.receiver(3, requestID: 8, status(0.6, true, true, false, "b", false))
        #expect(
            replay.lines(after: 2) == [
                #"app_status_text_changed sender_request | receiver_status | was {"statusText":"a"} | is {"statusText":"b"}"#,
                #"sender_connected_changed sender_request | receiver_status | was {"senderConnected":true} | is {"senderConnected":false}"#,
                #"device_volume_changed sender_request | receiver_status | was {"level":0.5} | is {"level":0.6}"#,
                #"device_mute_changed sender_request | receiver_status | was {"muted":false} | is {"muted":true}"#,
                #"standby_changed sender_request | receiver_status | was {"isStandBy":false} | is {"isStandBy":true}"#,
                #"active_input_changed sender_request | receiver_status | was {"isActiveInput":true} | is {"isActiveInput":false}"#,
            ])
    }

    @Test func `what a status leaves out has not changed`() {
        #expect(
            kinds([#""isStandBy":false,"volume":{"level":0.5,"muted":false}"#, "", #""isStandBy":null,"volume":{}"#])
                == [
                    "device_volume_changed snapshot", "device_mute_changed snapshot", "standby_changed snapshot",
                ])
    }

    @Test func `a fixed volume has no level`() {
        #expect(
            kinds([#""volume":{"controlType":"fixed","level":1.0}"#, #""volume":{"controlType":"FIXED","level":0.2}"#])
                == [])
    }
}

@Suite("The differ on what it cannot read")
struct StatusDifferOddTests {
    @Test(arguments: [
        "", "{", "[1]", "7", #""text""#, #"{"type":"RECEIVER_STATUS"}"#, #"{"type":"RECEIVER_STATUS","status":[]}"#,
        #"{"type":"RECEIVER_STATUS","status":"x"}"#,
        #"{"type":"RECEIVER_STATUS","status":{"volume":7,"applications":{}}}"#,
        #"{"type":"MEDIA_STATUS","status":[7,null,[],{}]}"#,
        #"{"type":"MEDIA_STATUS","status":{"mediaSessionId":"x"}}"#,
        #"{"type":"MEDIA_STATUS","status":[{"mediaSessionId":1,"media":7,"volume":[],"activeTrackIds":{},"extendedStatus":3}]}"#,
        #"{"type":"MEDIA_STATUS","status":[{"mediaSessionId":1e99,"playerState":7,"currentTime":"x","media":{"tracks":{}}}]}"#,
        #"{"type":["x"]}"#,
        #"{"type":"MEDIA_STATUS","requestId":-9223372036854775808,"status":[{"playbackRate":-1e308}]}"#,
        "\u{0}", #"{"type":"LOAD_FAILED","reason":{"token":"t"}}"#,
    ])
    func `goes on, whatever the payload`(text: String) {
        for namespace in [Namespace.receiver, .media, .heartbeat, .connection, Namespace("urn:x-cast:mine")] {
            var replay = Replay()
            replay.receive(0, from: "t-1", namespace, text)
            replay.receive(1, from: "t-1", namespace, text)
            replay.media(2, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":1}"#)
            #expect(
                replay.lines.last?.contains("media_session_started") == true
                    || replay.lines.last?.contains("player_state_changed") == true)
        }
    }

    @Test func `tells a payload that is no JSON by size and fingerprint`() {
        var replay = Replay()
        replay.receive(0, from: "receiver-0", .receiver, "foobar")
        // FNV-1a 64 of "foobar", from the reference test vectors.
        #expect(
            replay.lines.first?.hasSuffix(#""size":6,"fnv1a":"85944171f73967e8"}"#) == true)
        #expect(replay.lines.first?.hasPrefix("malformed_payload unknown | is") == true)
    }

    @Test func `tells an app's own message without what it says`() {
        var replay = Replay()
        replay.receive(0, from: "t-1", Namespace("urn:x-cast:mine"), #"{"type":"TICK","secret":"s3cret"}"#)
        #expect(replay.lines.count == 1)
        #expect(
            replay.lines.first?.hasPrefix(
                #"custom_message unknown | is {"namespace":"urn:x-cast:mine","type":"TICK","size":33"#) == true)
    }

    @Test func `tells errors of media with their codes`() {
        var replay = Replay()
        replay.receive(0, from: "t-1", .media, #"{"type":"ERROR","detailedErrorCode":104,"reason":"APP_ERROR"}"#)
        replay.receive(1, from: "t-1", .media, #"{"type":"LOAD_FAILED","requestId":3}"#)
        #expect(
            replay.lines == [
                #"media_error unknown | is {"type":"ERROR","reason":"APP_ERROR","detailedErrorCode":104,"errorName":"MEDIA_SRC_NOT_SUPPORTED"}"#,
                #"media_error sender_request | is {"type":"LOAD_FAILED"}"#,
            ])
    }

    @Test func `forgets the oldest transport when an app names too many`() {
        var differ = StatusDiffer()
        var replay = Replay()
        for index in 0..<100 {
            replay.receive(
                Double(index), from: "t-\(index)", .media,
                #"{"type":"MEDIA_STATUS","requestId":0,"status":[{"mediaSessionId":1,"playerState":"PLAYING"}]}"#)
        }
        for record in replay.records { _ = differ.fold(record) }
        let state = differ.takeDeviceStates().first?.1
        #expect(state?["transports"]?.array?.count == 8)
        #expect(state?["transportsForgotten"] == 92)
    }
}
