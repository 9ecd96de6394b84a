import CastModel
import CastWire
import IO
import Recording

/// Writes down what really happened on the fleet, as it happens: JSON Lines.
///
/// What people do with their phones is `command`, what happens in the room `happened`, frames are `frame_received` and
/// `frame_sent`. The end of an act of the scenario `fights` is `label`: what it was, whether it was a fight, and from when to
/// when it lasted.
///
/// Every line has `at` (RFC 3339, UTC, microseconds), `device` (id), `name` and `what`; frames add `link`, `source`, `destination`,
/// `namespace`, `type`, `request_id`, `payload` (`payload_hex` when it is no JSON), and whose link it is.
final class TruthFile {
    private let file: AppendedFile
    /// Said once; writing goes on with the next line.
    private(set) var failure: IOError?

    init(_ path: String) throws(IOError) { file = try AppendedFile.create(path) }

    func write(_ what: String, device: DeviceProfile, _ facts: JSONValue) {
        let now = WallTime(microseconds: Clock.wallMicroseconds())
        let line = Self.line(what, at: now, device: device.deviceID, name: device.name, facts)
        do throws(IOError) { try file.append(line) } catch { failure = error }
    }

    /// One line, its newline included.
    static func line(
        _ what: String, at now: WallTime, device: DeviceID, name: String, _ facts: JSONValue
    ) -> [UInt8] {
        var line = JSONObject([
            ("at", .string(now.text)), ("device", .string(device.text)), ("name", .string(name)),
            ("what", .string(what)),
        ])
        line.pairs += facts.object?.pairs ?? []
        return JSONValue.object(line).utf8 + [UInt8(ascii: "\n")]
    }

    /// The facts of one frame.
    static func facts(
        of message: CastMessage, payload: JSONValue?, link: Int, userAgent: String
    ) -> JSONValue {
        var facts = JSONObject([
            ("link", .count(link)), ("user_agent", .string(userAgent)),
            ("is_castledger", .bool(userAgent.hasPrefix("CastLedger/"))),
            ("source", .string(message.sourceID)), ("destination", .string(message.destinationID)),
            ("namespace", .string(message.namespace.urn)),
        ])
        guard let payload else {
            facts["payload_hex"] = .string(hexadecimal(message.payloadBytes))
            return .object(facts)
        }
        if let type = payload["type"] ?? payload["responseType"] { facts["type"] = type }
        if let requestID = payload["requestId"] ?? payload["request_id"] { facts["request_id"] = requestID }
        facts["payload"] = payload
        return .object(facts)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
