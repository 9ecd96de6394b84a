import CastModel
import CastWire
import Differ
import Recording
import Testing

@Suite("A frame without secrets")
struct FrameRedactionTests {
    private let parser = JSONParser()

    private func redacted(_ message: CastMessage) -> RecordedFrame {
        FrameRedaction.redacted(
            RecordedFrame(device: Replay.device, link: LinkNumber(1), direction: .inbound, message: message),
            with: parser)
    }

    @Test func `is the very same where there was none, to the byte`() {
        let message = CastMessage(from: "t-1", to: "*", .media, text: #"{ "type":"MEDIA_STATUS",  "status":[1.50] }"#)
        #expect(redacted(message).message == message)
        #expect(!redacted(message).isRedacted)
    }

    @Test func `is marked where something was taken, and means the same but for it`() {
        let message = CastMessage(
            from: "t-1", to: "*", .media,
            text: #"{ "status":[{"media":{"contentId":"http://h/a?sig=abc","customData":{"accessToken":"s3cret"}}}] }"#)
        let clean = redacted(message)
        #expect(clean.isRedacted)
        #expect(
            clean.message.textBytes.map { String(decoding: $0, as: UTF8.self) }
                == #"{"status":[{"media":{"contentId":"http://h/a?sig=(redacted)","customData":{"accessToken":"(redacted)"}}}]}"#
        )
        #expect(redacted(clean.message).message == clean.message)
    }

    @Test func `for readers lacks what an app put into a media message for itself`() {
        let message = CastMessage(
            from: "t-1", to: "*", .media,
            text: #"{"type":"LOAD","customData":{"visit":"s3cret"},"media":{"contentId":"a","customData":null}}"#)
        let frame = RecordedFrame(device: Replay.device, link: LinkNumber(1), direction: .inbound, message: message)
        let clean = FrameRedaction.redacted(frame, keeping: false, with: parser)
        #expect(clean.isRedacted)
        #expect(
            clean.message.textBytes.map { String(decoding: $0, as: UTF8.self) }
                == #"{"type":"LOAD","customData":"(redacted)","media":{"contentId":"a","customData":null}}"#)
        #expect(!FrameRedaction.redacted(frame, with: parser).isRedacted)
    }

    @Test func `holds no plain text's secret and nothing of what looks like JSON with one`() {
        let namespace = Namespace("urn:x-cast:com.example")
        let plain = redacted(CastMessage(from: "t", to: "*", namespace, text: "requestAd,http://h/?sig=abc,5"))
        #expect(
            plain.message.textBytes.map { String(decoding: $0, as: UTF8.self) } == "requestAd,http://h/?sig=(redacted)")
        let broken = redacted(CastMessage(from: "t", to: "*", namespace, text: #"{"token":"s3cret""#))
        #expect(broken.message.textBytes.map { String(decoding: $0, as: UTF8.self) } == "(redacted)")
    }

    @Test func `holds no bytes, but those of a proof of identity`() {
        let bytes = redacted(CastMessage(from: "t", to: "*", Namespace("urn:x-cast:com.example"), binary: [1, 2]))
        #expect(bytes.isRedacted && bytes.message.payloadBinary == [])
        let proof = redacted(CastMessage(from: "receiver-0", to: "*", .deviceAuthentication, binary: [1, 2]))
        #expect(!proof.isRedacted && proof.message.payloadBinary == [1, 2])
        var both = CastMessage(from: "t", to: "*", .media, text: "{}")
        both.payloadBinary = [7]
        #expect(redacted(both).isRedacted && redacted(both).message.payloadBinary == [])
        // Some devices put their text where bytes belong.
        var misplaced = CastMessage(from: "t", to: "*", .media, text: "")
        misplaced.payloadBinary = Array(#"{"type":"MEDIA_STATUS"}"#.utf8)
        #expect(redacted(misplaced).message == misplaced)
    }

    @Test func `other records lose what may be secret, too`() {
        let malformed = MalformedFrame(device: Replay.device, link: LinkNumber(1), bytes: [1, 2, 3], why: "no source")
        #expect(
            FrameRedaction.redacted(.frameMalformed(malformed), with: parser)
                == .frameMalformed(
                    MalformedFrame(
                        device: Replay.device, link: LinkNumber(1), bytes: [], why: "no source (3 bytes left out)")))
        let seen = DeviceAdvertisement(
            deviceID: Replay.device, name: "Kitchen", model: nil, addresses: [], port: 8009, capabilities: nil,
            txt: [
                .init(key: "bs", value: "FA8FCA001122"), .init(key: "fn", value: "Kitchen"),
                .init(key: "bs", value: nil),
            ],
            source: .mdns)
        guard case .deviceSeen(let clean) = FrameRedaction.redacted(.deviceSeen(seen), with: parser) else {
            Issue.record("another kind of record")
            return
        }
        #expect(clean.txt.map { $0.value } == ["(redacted)", "Kitchen", nil])
    }
}
