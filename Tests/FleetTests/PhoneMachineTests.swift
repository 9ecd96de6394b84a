import CastModel
import CastWire
import Testing

@testable import Fleet

@Suite("A phone's conversation with a device")
struct PhoneMachineTests {
    private static let transport = "11112222-3333-4444-5555-666677778888"
    private let parser = JSONParser()

    private func lines(_ effects: [PhoneMachine.Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .openLink: return "open link"
            case .closeLink(let goodbye): return goodbye ? "close link" : "vanish"
            case .send(let message, _):
                let payload = message.textBytes.flatMap { try? parser.parse($0) }
                let destination = message.destinationID == Self.transport ? "app" : message.destinationID
                return "\(destination): \(payload.map(Transcript.line) ?? "binary")"
            }
        }
    }

    private func heard(_ source: String, _ namespace: Namespace, _ json: String) -> PhoneMachine.Event {
        let message = CastMessage(from: source, to: "*", namespace, text: json)
        return .received(message, payload: try? parser.parse(json))
    }

    private func receiverStatus(appID: String, namespaces: String = "[{\"name\":\"\(Namespace.media.urn)\"}]")
        -> PhoneMachine.Event
    {
        heard(
            "receiver-0", .receiver,
            "{\"type\":\"RECEIVER_STATUS\",\"requestId\":0,\"status\":{\"applications\":[{\"appId\":\"\(appID)\","
                + "\"sessionId\":\"s\",\"transportId\":\"\(Self.transport)\",\"namespaces\":\(namespaces)}]}}")
    }

    private func mediaStatus(_ status: String) -> PhoneMachine.Event {
        heard(Self.transport, .media, "{\"type\":\"MEDIA_STATUS\",\"requestId\":0,\"status\":\(status)}")
    }

    private func launched() -> PhoneMachine {
        var phone = PhoneMachine(deviceIndex: 0, number: 0, seed: 1)
        _ = phone.handle(.wants(.connect))
        _ = phone.handle(.linkUp)
        _ = phone.handle(.wants(.launch(AppID("CC1AD845"))))
        return phone
    }

    @Test func `opens its link once, then connects and asks for the receiver status`() {
        var phone = PhoneMachine(deviceIndex: 0, number: 0, seed: 1)
        #expect(lines(phone.handle(.wants(.connect))) == ["open link"])
        #expect(lines(phone.handle(.wants(.connect))) == [])
        #expect(lines(phone.handle(.linkUp)) == ["receiver-0: CONNECT", "receiver-0: GET_STATUS 1"])
    }

    @Test func `launches, joins the app when it has namespaces, and then does what waited`() {
        var phone = launched()
        #expect(lines(phone.handle(.wants(.load(JSONObject(), atSeconds: 0)))) == [])
        #expect(lines(phone.handle(receiverStatus(appID: "CC1AD845", namespaces: "[]"))) == [])
        #expect(lines(phone.handle(receiverStatus(appID: "233637DE"))) == [])
        #expect(
            lines(phone.handle(receiverStatus(appID: "CC1AD845")))
                == ["app: CONNECT", "app: GET_STATUS 3", "app: LOAD 4"])
        #expect(lines(phone.handle(receiverStatus(appID: "CC1AD845"))) == [])
    }

    @Test func `commands media only while a media session is known`() {
        var phone = launched()
        _ = phone.handle(receiverStatus(appID: "CC1AD845"))
        #expect(lines(phone.handle(.wants(.pause))) == [])
        #expect(lines(phone.handle(mediaStatus("[{\"mediaSessionId\":4,\"playerState\":\"IDLE\"}]"))) == [])
        let playing = phone.handle(mediaStatus("[{\"mediaSessionId\":4,\"playerState\":\"PLAYING\"}]"))
        #expect(lines(playing) == ["app: PAUSE 4"])
        guard case .send(let message, let command)? = playing.first else {
            Issue.record("nothing was sent")
            return
        }
        #expect(command == "PAUSE")
        #expect(
            message.textBytes.map { String(decoding: $0, as: UTF8.self) }
                == "{\"type\":\"PAUSE\",\"requestId\":4,\"mediaSessionId\":4}")
        _ = phone.handle(mediaStatus("[]"))
        #expect(lines(phone.handle(.wants(.play))) == [])
    }

    @Test func `forgets an app that is gone`() {
        for end in [
            heard(Self.transport, .connection, "{\"type\":\"CLOSE\"}"),
            heard("receiver-0", .receiver, "{\"type\":\"RECEIVER_STATUS\",\"requestId\":0,\"status\":{}}"),
        ] {
            var phone = launched()
            _ = phone.handle(receiverStatus(appID: "CC1AD845"))
            _ = phone.handle(end)
            #expect(lines(phone.handle(.wants(.load(JSONObject(), atSeconds: 0)))) == [])
        }
    }

    @Test func `leaves with CLOSE to the app, or vanishes without a word`() {
        var phone = launched()
        _ = phone.handle(receiverStatus(appID: "CC1AD845"))
        #expect(lines(phone.handle(.wants(.leave))) == ["app: CLOSE", "close link"])
        var other = launched()
        _ = other.handle(receiverStatus(appID: "CC1AD845"))
        #expect(lines(other.handle(.wants(.vanish))) == ["vanish"])
    }

    @Test func `answers PING at once with the ends swapped, and PINGs by itself`() {
        var phone = launched()
        let ping = CastMessage(from: "Tr@n$p0rt-0", to: "Tr@n$p0rt-0", .heartbeat, text: "{\"type\":\"PING\"}")
        #expect(
            lines(phone.handle(.received(ping, payload: ["type": "PING"]))) == ["Tr@n$p0rt-0: PONG"])
        #expect(lines(phone.handle(.heartbeat)) == ["receiver-0: PING"])
        _ = phone.handle(.linkDown)
        #expect(lines(phone.handle(.heartbeat)) == [])
    }

    @Test func `gives up the oldest of too many wishes`() {
        var phone = launched()
        for number in 0..<17 { _ = phone.handle(.wants(.seek(toSeconds: Double(number)))) }
        let playing = mediaStatus("[{\"mediaSessionId\":1,\"playerState\":\"PLAYING\"}]")
        _ = phone.handle(receiverStatus(appID: "CC1AD845"))
        let sent = phone.handle(playing)
        #expect(sent.count == 16)
        guard case .send(let message, _)? = sent.first else {
            Issue.record("nothing was sent")
            return
        }
        #expect(String(decoding: message.payloadBytes, as: UTF8.self).contains("\"currentTime\":1}"))
    }

    @Test func `the first phone counts from 1 and calls itself sender-0; the others start anywhere`() {
        #expect(PhoneMachine(deviceIndex: 3, number: 0, seed: 1).senderID == "sender-0")
        var second = PhoneMachine(deviceIndex: 3, number: 1, seed: 1)
        #expect(second.senderID != "sender-0")
        _ = second.handle(.wants(.connect))
        let opening = lines(second.handle(.linkUp))
        #expect(opening.count == 2 && opening.last != "receiver-0: GET_STATUS 1")
    }
}
