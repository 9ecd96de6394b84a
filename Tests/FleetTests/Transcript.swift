import CastModel
import CastWire

@testable import Fleet

/// Renders what a machine sends as one short line per payload, so that a test reads like the table in PROTOCOL 5.1.
enum Transcript {
    /// "MEDIA_STATUS 41: #1 PLAYING media tracks[1]".
    static func line(_ payload: JSONValue) -> String {
        let type = payload["type"]?.string ?? payload["responseType"]?.string ?? "?"
        let requestID = payload["requestId"] ?? payload["request_id"] ?? payload["launchRequestId"]
        var line = type + (requestID.map { " \($0.text)" } ?? "")
        if let reason = payload["reason"]?.string { line += " \(reason)" }
        if let changeType = payload["changeType"]?.string {
            line += " \(changeType)" + (payload["itemIds"].map { " " + $0.text } ?? "")
            if let before = payload["insertBefore"] { line += " before \(before.text)" }
        }
        if let code = payload["detailedErrorCode"] { line += " code \(code.text)" }
        if let device = payload["device"] { line += ": " + member(device) }
        switch payload["status"] {
        case .array(let statuses)?:
            line += statuses.isEmpty ? ": nothing" : statuses.map { ": " + media($0) }.joined()
        case .object(let status)?:
            if type == "RECEIVER_STATUS" { line += ": " + receiver(status) }
            if type == "MULTIZONE_STATUS" {
                line += ": " + (status["devices"]?.array ?? []).map(member).joined(separator: ", ")
                if status["playbackSession"] != nil { line += " playing" }
            }
        default: break
        }
        return line
    }

    private static func member(_ device: JSONValue) -> String {
        "\(device["name"]?.string ?? "?") \(device["volume"]?["level"]?.text ?? "?")"
    }

    private static func media(_ status: JSONValue) -> String {
        var words = ["#\(status["mediaSessionId"]?.text ?? "?")", status["playerState"]?.string ?? "?"]
        if let reason = status["idleReason"]?.string { words.append(reason) }
        if let extended = status["extendedStatus"] {
            words.append("\(extended["playerState"]?.string ?? "?")#\(extended["mediaSessionId"]?.text ?? "?")")
        }
        if let loading = status["loadingItemId"] { words.append("item\(loading.text)") }
        if let preloaded = status["preloadedItemId"] { words.append("preloaded\(preloaded.text)") }
        if let clip = status["breakStatus"]?["breakClipId"]?.string { words.append("ad:\(clip)") }
        if let custom = status["customData"]?["playerState"] { words.append("custom\(custom.text)") }
        if status["media"] != nil { words.append("media") }
        if let items = status["items"]?.array { words.append("items\(items.count)") }
        if let tracks = status["activeTrackIds"] { words.append("tracks\(tracks.text)") }
        return words.joined(separator: " ")
    }

    private static func receiver(_ status: JSONObject) -> String {
        guard let app = status["applications"]?.array?.first else { return "no app" }
        var words = [app["displayName"]?.string ?? "?"]
        if app["namespaces"] == nil { words.append("starting") }
        if app["senderConnected"]?.truth == true { words.append("seen") }
        return words.joined(separator: " ")
    }

    /// What a media machine says; timers and the rest are left out.
    static func lines(_ effects: [MediaMachine.Effect]) -> [String] {
        effects.compactMap { effect in
            switch effect {
            case .reply(let payload, let asker): "to \(asker.senderID): \(line(payload))"
            case .broadcast(let payload): "to all: \(line(payload))"
            case .arm, .disarm, .showTitle, .fetch, .stopApp: nil
            }
        }
    }

    /// What a device sends, as "link destination: payload".
    ///
    /// Timers and notes are left out.
    static func lines(_ effects: [ReceiverMachine.Effect]) -> [String] {
        let parser = JSONParser()
        return effects.compactMap { effect in
            switch effect {
            case .send(let message, let link):
                guard let payload = message.textBytes.flatMap({ try? parser.parse($0) }) else {
                    let text = message.textBytes.map { "text " + String(decoding: $0, as: UTF8.self) } ?? "binary"
                    return "\(link) \(message.destinationID): \(text)"
                }
                return "\(link) \(message.destinationID): \(line(payload))"
            case .closeLink(let link, let reason): return "\(link) closed: \(reason)"
            case .arm, .disarm, .fetch, .note, .tell: return nil
            }
        }
    }
}

/// A media machine on the table, with two senders, A and B, and a clock that only moves when told.
struct MediaBench {
    static let senderA = MediaMachine.Asker(link: 1, senderID: "A")
    static let senderB = MediaMachine.Asker(link: 2, senderID: "B")
    static let film: JSONValue = [
        "contentId": "https://media.example/film.mp4", "contentType": "video/mp4", "streamType": "BUFFERED",
        "duration": 100, "metadata": ["metadataType": 0, "title": "A film"],
        "tracks": [
            ["trackId": 1, "type": "TEXT", "language": "en"], ["trackId": 2, "type": "TEXT", "language": "de"],
            ["trackId": 3, "type": "AUDIO"], ["trackId": 4, "type": "AUDIO"],
        ],
    ]

    var machine = MediaMachine()
    var now: Duration = .zero

    mutating func send(
        _ type: String, _ requestID: Int, from asker: MediaMachine.Asker = senderA,
        _ fields: [(key: String, value: JSONValue)] = []
    ) -> [String] {
        var body = JSONObject([("type", .string(type)), ("requestId", .count(requestID))] + fields)
        if !["LOAD", "QUEUE_LOAD", "GET_STATUS"].contains(type), body["mediaSessionId"] == nil {
            body["mediaSessionId"] = .count(machine.lastMediaSessionID)
        }
        return Transcript.lines(machine.received(.object(body), from: asker, at: now))
    }

    mutating func fire(_ timer: MediaMachine.Timer) -> [String] {
        Transcript.lines(machine.fired(timer, at: now))
    }

    /// A machine in which A's LOAD with id 1 plays.
    static func playing() -> MediaBench {
        var bench = MediaBench()
        _ = bench.send("LOAD", 1, [("media", film)])
        _ = bench.fire(.loadSettles)
        return bench
    }
}
