import CastModel
import CastWire
import SenderCore
import Testing

@Suite("What our sender understands")
struct HeardMessageTests {
    private let parser = JSONParser()

    private func content(_ namespace: Namespace, _ text: String) -> HeardMessage.Content {
        HeardMessage(hearing: CastMessage(from: "receiver-0", to: "sender-0", namespace, text: text), with: parser)
            .content
    }

    @Test func `is PING, wherever the bytes are`() {
        #expect(content(.heartbeat, #"{"type":"PING"}"#) == .ping)
        #expect(content(.heartbeat, #"{ "type" : "PING" }"#) == .ping)
        #expect(content(.heartbeat, #"{"type":"PONG"}"#) == .pong)
        #expect(content(.heartbeat, "PINPONG") == .pong)
        #expect(content(.heartbeat, "POG") == .other)
        #expect(content(.heartbeat, "PPIPINPING") == .ping)
        #expect(content(.heartbeat, "PIN") == .other)
        #expect(content(.heartbeat, "") == .other)
        let binary = CastMessage(from: "a", to: "b", .heartbeat, binary: Array(#"{"type":"PING"}"#.utf8))
        #expect(HeardMessage(hearing: binary, with: parser).content == .ping)
    }

    @Test func `is CLOSE, with or without a reason`() {
        #expect(content(.connection, #"{"type":"CLOSE"}"#) == .close)
        #expect(content(.connection, #"{"type":"CLOSE","reasonCode":5}"#) == .close)
        #expect(content(.connection, #"{"type":"CONNECTED","protocolVersion":1}"#) == .other)
    }

    @Test func `is what runs`() {
        let text = #"""
            {"requestId":0,"type":"RECEIVER_STATUS","status":{"applications":[{"appId":"CC1AD845",
            "displayName":"Default Media Receiver","isIdleScreen":false,"senderConnected":true,"sessionId":"s",
            "transportId":"t","namespaces":[{"name":"urn:x-cast:com.google.cast.media"}]}],"volume":{"level":1.0}}}
            """#
        let app = RunningApp(
            appID: AppID("CC1AD845"), name: "Default Media Receiver", transport: TransportID("t"), offersMedia: true,
            senderConnected: true)
        #expect(content(.receiver, text) == .receiverStatus([app]))
        #expect(content(.receiver, #"{"type":"RECEIVER_STATUS","status":{"volume":{}}}"#) == .receiverStatus([]))
        #expect(content(.receiver, #"{"type":"LAUNCH_STATUS","status":"USER_ALLOWED"}"#) == .other)
    }

    @Test func `is what plays`() {
        let text = #"""
            {"type":"MEDIA_STATUS","requestId":3,"status":[{"mediaSessionId":1,"playerState":"PLAYING","currentTime":5,
            "playbackRate":1,"media":{"contentId":"x","duration":60.5,"metadata":{"title":"Big Buck Bunny"}}}]}
            """#
        let facts = MediaFacts(
            mediaSessionID: 1, playerState: .playing, positionSeconds: 5, playbackRate: 1, hasMedia: true,
            durationSeconds: 60.5, title: "Big Buck Bunny")
        #expect(content(.media, text) == .mediaStatus([facts]))
        #expect(content(.media, #"{"type":"MEDIA_STATUS","status":[]}"#) == .mediaStatus([]))
        #expect(content(.media, #"{"type":"INVALID_REQUEST","requestId":3}"#) == .other)
    }

    @Test(arguments: ["DEVICE_INFO", "GET_DEVICE_INFO"])
    func `is who the device is`(type: String) {
        let text = #"""
            {"type":"\#(type)","requestId":4,"deviceId":"BB198D2F-E456-6BF9-83EC-8EF263E7C09C","deviceModel":"Chromecast",
            "friendlyName":"Garden Room","deviceCapabilities":4101,"deviceIconUrl":"","controlNotifications":1}
            """#
        let information = DeviceInformation(
            deviceID: DeviceID("bb198d2fe4566bf983ec8ef263e7c09c"), name: "Garden Room", model: "Chromecast",
            capabilities: 4101)
        #expect(content(.discovery, text) == .deviceInformation(information))
        #expect(content(.discovery, #"{"type":"DEVICE_INFO","deviceId":""}"#) == .other)
    }

    @Test func `is a sign of life, whatever else it is`() {
        let namespaces: [Namespace] = [
            .heartbeat, .connection, .receiver, .media, .multizone, .discovery, .setup, .deviceAuthentication,
            Namespace("urn:x-cast:com.example"),
        ]
        let payloads = [
            "", "null", "[]", "{}", "7", "\"PIN\"", "{\"type\":7}", "{\"type\":\"RECEIVER_STATUS\",\"status\":7}",
            "{\"type\":\"MEDIA_STATUS", "\u{0}", String(repeating: "[", count: 5_000),
            #"{"type":"RECEIVER_STATUS","status":[]}"#, #"{"type":"DEVICE_INFO","deviceId":[]}"#,
        ]
        for namespace in namespaces {
            for payload in payloads {
                switch content(namespace, payload) {
                case .other: break
                case .mediaStatus(let media): #expect(media.isEmpty, "\(namespace) \(payload)")
                case .ping, .pong, .close, .receiverStatus, .deviceInformation: Issue.record("\(namespace) \(payload)")
                }
            }
        }
        let bytes = CastMessage(from: "a", to: "b", .receiver, binary: [0xFF, 0xFE])
        #expect(HeardMessage(hearing: bytes, with: parser).content == .other)
    }
}
