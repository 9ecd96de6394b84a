import CastModel
import CastWire
import Differ
import Recording
import Testing

@Suite("The differ on placeholders and native apps")
struct PlaceholderTests {
    private func app(_ id: String, _ more: String = "", session: String = "s-1") -> String {
        #""applications":[{"appId":"\#(id)","sessionId":"\#(session)"\#(more)}]"#
    }

    @Test(arguments: ["531A4F84", "705D30C6", "MultizoneLeader", "MultizoneFollower"])
    func `a group's placeholder is marked and has no app session`(id: String) {
        var replay = Replay()
        replay.open(0)
        replay.receiver(1, "")
        replay.receiver(2, app(id))
        replay.receiver(3, "")
        var differ = StatusDiffer()
        let events = replay.records.flatMap { differ.fold($0) }.dropFirst()
        #expect(
            events.map { $0.line } == [
                #"app_started receiver | receiver_status | is {"appId":"\#(id)","sessionId":"s-1","placeholder":true}"#,
                #"app_stopped receiver | receiver_status | was {"appId":"\#(id)","sessionId":"s-1","placeholder":true}"#,
            ])
        #expect(events.allSatisfy { $0.appSessionID == nil })
    }

    @Test func `an app that moves to a group and back is replaced by nothing`() {
        var replay = Replay()
        replay.open(0)
        replay.receiver(1, app("CC32E753", #","displayName":"Spotify","transportId":"s-1""#))
        replay.receiver(2, app("531A4F84", #","universalAppId":"CC32E753""#))
        replay.receiver(3, app("CC32E753", #","displayName":"Spotify","transportId":"s-1""#))
        let spotify = #"{"appId":"CC32E753","displayName":"Spotify","sessionId":"s-1","transportId":"s-1"}"#
        let placeholder = #"{"appId":"531A4F84","universalAppId":"CC32E753","sessionId":"s-1","placeholder":true}"#
        #expect(
            replay.lines(after: 2) == [
                "app_stopped receiver | receiver_status | was \(spotify)",
                "app_started receiver | receiver_status | is \(placeholder)",
                "app_stopped receiver | receiver_status | was \(placeholder)",
                "app_started receiver | receiver_status | is \(spotify)",
            ])
    }

    @Test func `another name of a native app is another app, on the same app session too`() {
        var replay = Replay()
        replay.open(0)
        replay.receiver(1, app("AndroidNativeApp", #","displayName":"Kodi","transportId":"t-1""#))
        replay.media(2, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":5}"#)
        replay.receiver(3, app("AndroidNativeApp", #","displayName":"Stan","transportId":"t-1""#))
        replay.media(4, 0, #"{"mediaSessionId":1,"playerState":"PAUSED","currentTime":7}"#)
        let kinds = replay.lines(after: 3).map { $0.prefix { $0 != " " } }
        #expect(kinds == ["app_replaced", "media_session_started"])
    }

    @Test func `a native app that leaves its name out is the one before`() {
        var replay = Replay()
        replay.open(0)
        replay.receiver(1, app("AndroidNativeApp", #","displayName":"Kodi""#))
        replay.receiver(2, app("AndroidNativeApp"))
        #expect(replay.lines(after: 2) == [])
    }

    @Test func `a status without apps in the middle of a launch is told as it is`() {
        var replay = Replay()
        replay.open(0)
        replay.receiver(1, app("E8C28D3C", #","isIdleScreen":true"#, session: "s-0"))
        replay.receiver(2, app("CC1AD845"))
        replay.receiver(3, requestID: 7, "")
        replay.receiver(4, requestID: 7, app("CC1AD845", #","transportId":"t-1""#))
        #expect(
            replay.lines(after: 2) == [
                #"app_started receiver | receiver_status | is {"appId":"CC1AD845","sessionId":"s-1"}"#,
                #"app_stopped sender_request | receiver_status | was {"appId":"CC1AD845","sessionId":"s-1"}"#,
                #"app_started sender_request | receiver_status | is {"appId":"CC1AD845","sessionId":"s-1","transportId":"t-1"}"#,
            ])
    }

    @Test func `a launch from the cloud says so, and credentials are kept nowhere`() {
        var replay = Replay()
        replay.open(0)
        replay.receiver(1, "")
        replay.receiver(
            2,
            app(
                "CC32E753",
                #","universalAppId":"CC32E753","appType":"ANDROID_TV","launchedFromCloud":true,"credentials":"s3cret","credentialsType":"cloud","iconUrl":"https://example.org/i.png","appParams":{"token":"s3cret"}"#
            ) + #","userEq":{"high_shelf":{"gain_db":2}}"#)
        var differ = StatusDiffer()
        let lines = replay.records.flatMap { differ.fold($0) }.map { $0.line }
        #expect(
            lines.last
                == #"app_started receiver | receiver_status | is {"appId":"CC32E753","universalAppId":"CC32E753","appType":"ANDROID_TV","launchedFromCloud":true,"sessionId":"s-1"}"#
        )
        let states = differ.takeDeviceStates().map { $0.1.text }
        #expect(!states.contains { $0.contains("s3cret") })
    }

    @Test func `an equalizer or an icon that changes is no event`() {
        var replay = Replay()
        replay.open(0)
        replay.receiver(1, app("CC32E753", #","iconUrl":"a""#) + #","userEq":{}"#)
        replay.receiver(2, app("CC32E753", #","iconUrl":"b""#) + #","userEq":{"high_shelf":{"gain_db":2}}"#)
        #expect(replay.lines(after: 2) == [])
    }

    @Test func `a TV that does not say whether its input is active leaves it unknown`() {
        var replay = Replay()
        replay.open(0)
        replay.receiver(1, #""isActiveInput":true,"isStandBy":false"#)
        replay.receiver(2, #""isActiveInput":null"#)
        replay.receiver(3, "")
        replay.receiver(4, #""isActiveInput":false"#)
        #expect(
            replay.lines(after: 2) == [
                #"active_input_changed receiver | receiver_status | was {"isActiveInput":true} | is {"isActiveInput":false}"#
            ])
    }

    @Test func `the volume of the media is not the volume of the device`() {
        var replay = Replay()
        replay.open(0)
        replay.receiver(
            1, app("CC1AD845", #","transportId":"t-1""#) + #","volume":{"level":0.4,"muted":false}"#)
        replay.media(2, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","volume":{"level":1,"muted":false}}"#)
        replay.media(3, 0, #"{"mediaSessionId":1,"playerState":"PLAYING","volume":{"level":0.7,"muted":false}}"#)
        replay.receiver(
            4, app("CC1AD845", #","transportId":"t-1""#) + #","volume":{"level":0.5,"muted":false}"#)
        #expect(
            replay.lines(after: 3).map { $0.prefix { $0 != " " } } == [
                "stream_volume_changed", "device_volume_changed",
            ])
    }

    @Test func `a launch that waits, goes on or fails says what it is about`() {
        var replay = Replay()
        replay.open(0)
        replay.receive(
            1, from: "receiver-0", .receiver,
            #"{"type":"LAUNCH_STATUS","launchRequestId":5,"status":"USER_PENDING_AUTHORIZATION"}"#)
        replay.receive(
            2, from: "receiver-0", .receiver,
            #"{"type":"LAUNCH_ERROR","requestId":5,"reason":"CANCELLED","extendedError":"USER_NOT_ALLOWED"}"#)
        var differ = StatusDiffer()
        let events = replay.records.flatMap { differ.fold($0) }.dropFirst()
        #expect(
            events.map { $0.line } == [
                #"launch_status sender_request | is {"status":"USER_PENDING_AUTHORIZATION"}"#,
                #"launch_error sender_request | is {"reason":"CANCELLED","extendedError":"USER_NOT_ALLOWED"}"#,
            ])
        #expect(events.map { $0.requestID } == [5, 5])
    }
}
