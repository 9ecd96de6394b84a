import CastModel
import CastWire
import Differ
import Plays
import Recording
import Testing

/// Frames in, plays out: the statuses are those of PROTOCOL 5.1.
@Suite("Plays of frames") struct FramesToPlaysTests {
    /// What a device says, second by second; its app session is `s-1`, its transport `t-1`.
    private struct Device {
        private var differ = StatusDiffer()
        private var ledger = PlayLedger()
        private var rows: [Play] = []
        private var position: Int64 = 0

        init() {
            add(
                0,
                .linkOpened(
                    LinkOpened(
                        device: Evening.device, link: LinkNumber(1), address: "192.0.2.7", port: 8009,
                        tlsVersion: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", peerCertificate: [],
                        attachMode: .invisible)))
            say(0, "receiver-0", .receiver, #"{"type":"RECEIVER_STATUS","requestId":0,"status":{}}"#)
            say(
                1, "receiver-0", .receiver,
                #"{"type":"RECEIVER_STATUS","requestId":0,"status":{"applications":[{"appId":"CC1AD845","displayName":"#
                    + #""Default Media Receiver","sessionId":"s-1","transportId":"t-1"}]}}"#)
        }

        mutating func media(_ seconds: Double, _ requestID: Int, _ status: String) {
            say(
                seconds, "t-1", .media, #"{"type":"MEDIA_STATUS","requestId":\#(requestID),"status":[{\#(status)}]}"#)
        }

        mutating func close(_ seconds: Double) {
            add(
                seconds,
                .linkClosed(
                    LinkClosed(device: Evening.device, link: LinkNumber(1), reason: .connectionReset, detail: "")))
        }

        private mutating func say(_ seconds: Double, _ source: String, _ namespace: Namespace, _ text: String) {
            let message = CastMessage(from: source, to: "*", namespace, text: text)
            add(
                seconds,
                .frame(
                    RecordedFrame(
                        device: Evening.device, link: LinkNumber(1), direction: .inbound, message: message)))
        }

        private mutating func add(_ seconds: Double, _ body: RecordBody) {
            position += 1
            let record = Record(
                position: ArchivePosition(position), at: Evening.time(seconds),
                monotonic: MonotonicTime(nanoseconds: Int64(seconds * 1e9)), boot: "b", body: body)
            for event in differ.fold(record) { rows += ledger.fold(event) }
        }

        var lines: [String] { Evening.latest(rows).map(\.line) }
    }

    private static func media(_ title: String, seconds: Int) -> String {
        #""media":{"contentId":"http://m/\#(title)","contentType":"video/mp4","streamType":"BUFFERED","duration":"#
            + #"\#(seconds),"metadata":{"metadataType":0,"title":"\#(title)"}}"#
    }

    @Test func `a LOAD is its sender's, and the next LOAD of the same content a seek`() {
        let movie = Self.media("Movie", seconds: 600)
        var device = Device()
        device.media(
            2, 0,
            #""mediaSessionId":1,"playerState":"IDLE","currentTime":0,"# + movie
                + #","extendedStatus":{"playerState":"LOADING","mediaSessionId":1,\#(movie)}"#)
        device.media(4, 5, #""mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"# + movie)
        device.media(
            44, 0,
            #""mediaSessionId":1,"playerState":"IDLE","idleReason":"INTERRUPTED","currentTime":40,"#
                + #""extendedStatus":{"playerState":"LOADING","mediaSessionId":2,\#(movie)}"#)
        device.media(45, 7, #""mediaSessionId":2,"playerState":"PLAYING","currentTime":300,"# + movie)
        device.media(55, 8, #""mediaSessionId":2,"playerState":"IDLE","idleReason":"CANCELLED","currentTime":310"#)
        #expect(device.lines == ["Movie: sender_request 2, stopped 55, played 50, seeks 1"])
    }

    @Test func `a LOAD of other content replaces what plays`() {
        let (one, two) = (Self.media("One", seconds: 600), Self.media("Two", seconds: 600))
        var device = Device()
        device.media(2, 5, #""mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"# + one)
        device.media(
            42, 0,
            #""mediaSessionId":1,"playerState":"IDLE","idleReason":"INTERRUPTED","currentTime":40,"#
                + #""extendedStatus":{"playerState":"LOADING","mediaSessionId":2,\#(two)}"#)
        device.media(43, 7, #""mediaSessionId":2,"playerState":"PLAYING","currentTime":0,"# + two)
        device.close(53)
        #expect(
            device.lines == [
                "One: sender_request 2, replaced 42, played 40", "Two: sender_request 42, unobserved",
            ])
    }

    @Test func `a queue goes on by itself`() {
        let (one, two) = (Self.media("One", seconds: 60), Self.media("Two", seconds: 60))
        var device = Device()
        device.media(2, 5, #""mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"currentItemId":1,"# + one)
        device.media(
            62, 0,
            #""mediaSessionId":1,"playerState":"IDLE","idleReason":"FINISHED","currentItemId":1,"loadingItemId":2"#)
        device.media(63, 0, #""mediaSessionId":1,"playerState":"PLAYING","currentTime":0,"currentItemId":2,"# + two)
        device.media(73, 0, #""mediaSessionId":1,"playerState":"PAUSED","currentTime":10,"currentItemId":2"#)
        #expect(
            device.lines == [
                "One: sender_request 2, finished 62, played 60", "Two: receiver 63, paused, played 10",
            ])
    }
}
