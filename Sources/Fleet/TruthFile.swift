import CastModel
import CastWire
import IO

/// Writes down what really happened on the fleet, as it happens: JSON Lines.
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
            ("at", .string(Self.text(microseconds: Clock.wallMicroseconds()))),
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

    /// RFC 3339 in UTC with microseconds.
    static func text(microseconds: Int64) -> String {
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        let (days, rest) = (microseconds / 86_400_000_000, microseconds % 86_400_000_000)
        // Civil date from days since 1970: eras of 400 years that begin on 1 March.
        let shifted = days + 719_468
        let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let seconds = rest / 1_000_000
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(time).\(padded(rest % 1_000_000, 6))Z"
    }
}
