import CastModel
import CastWire
import IO
import Recording

/// Writes down what really happened on the fleet, as it happens: JSON Lines.
///
/// What people do with their phones is `command`, what happens in the room `happened`, frames are `frame_received` and
/// `frame_sent`.
///
/// Every line has `at` (RFC 3339, UTC, microseconds), `device` (id), `name` and `what`; frames add `link`, `source`, `destination`,
/// `namespace`, `type`, `request_id`, `payload` (`payload_hex` when it is no JSON), and whose link it is.
final class TruthFile {
    private let file: AppendedFile
    /// Said once; writing goes on with the next line.
    private(set) var failure: IOError?

    init(_ path: String) throws(IOError) { file = try AppendedFile.create(path) }

    func write(_ what: String, device: DeviceProfile, _ facts: JSONValue) {
        var line = JSONObject([
            ("at", .string(WallTime(microseconds: Clock.wallMicroseconds()).text)),
            ("device", .string(device.deviceID.text)), ("name", .string(device.name)), ("what", .string(what)),
        ])
        line.pairs += facts.object?.pairs ?? []
        do throws(IOError) { try file.append(JSONValue.object(line).utf8 + [UInt8(ascii: "\n")]) } catch {
            failure = error
        }
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
