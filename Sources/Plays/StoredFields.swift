import CastModel
import Differ
import Recording

/// Reads the fields of a stored state.
///
/// Strict, unlike the reading of messages: we wrote it ourselves, so what is not as written is not to be trusted.
struct StoredFields {
    let deviceID: DeviceID
    private let fields: JSONObject

    init(_ json: JSONValue, of deviceID: DeviceID, _ name: String) throws(PlaysError) {
        guard case .object(let object) = json else { throw .unreadableState(deviceID, field: name) }
        self.deviceID = deviceID
        fields = object
    }

    func integer(_ key: String) throws(PlaysError) -> Int64? { try read(key) { $0.lossyInteger } }

    func number32(_ key: String) throws(PlaysError) -> Int32? {
        try read(key) { $0.lossyInteger.flatMap { Int32(exactly: $0) } }
    }

    func number(_ key: String) throws(PlaysError) -> Double? { try read(key) { $0.lossyNumber } }

    func text(_ key: String) throws(PlaysError) -> String? { try read(key) { $0.string } }

    func flag(_ key: String) throws(PlaysError) -> Bool? { try read(key) { $0.lossyFlag } }

    func list(_ key: String) throws(PlaysError) -> [JSONValue] { try read(key) { $0.array } ?? [] }

    func moment(_ key: String) throws(PlaysError) -> WallTime? {
        try integer(key).map { WallTime(microseconds: $0) }
    }

    func id(_ key: String) throws(PlaysError) -> ChangeEvent.ID? {
        try read(key) { value in
            guard let parts = value.array, parts.count == 2, let position = parts[0].lossyInteger,
                let ordinal = parts[1].lossyInteger.flatMap({ Int32(exactly: $0) })
            else { return nil }
            return ChangeEvent.ID(position: ArchivePosition(position), ordinal: ordinal)
        }
    }

    func word<Word: RawRepresentable<String>>(_ key: String) throws(PlaysError) -> Word? {
        try read(key) { $0.string.flatMap { Word(rawValue: $0) } }
    }

    func nested(_ key: String) throws(PlaysError) -> StoredFields? {
        guard let value = fields[key] else { return nil }
        return try StoredFields(value, of: deviceID, key)
    }

    func required<Value>(_ value: Value?, _ key: String) throws(PlaysError) -> Value {
        guard let value else { throw .unreadableState(deviceID, field: key) }
        return value
    }

    private func read<Value>(_ key: String, _ take: (JSONValue) -> Value?) throws(PlaysError) -> Value? {
        guard let found = fields[key] else { return nil }
        guard let value = take(found) else { throw .unreadableState(deviceID, field: key) }
        return value
    }
}

extension JSONValue {
    /// An object of those fields that have a value.
    static func stored(_ pairs: [(key: String, value: JSONValue?)]) -> JSONValue {
        .object(JSONObject(pairs.compactMap { pair in pair.value.map { (key: pair.key, value: $0) } }))
    }

    static func stored(_ moment: WallTime?) -> JSONValue? { moment.map { .integer($0.microseconds) } }

    static func stored(_ text: String?) -> JSONValue? { text.map { .string($0) } }

    static func stored(_ number: Double?) -> JSONValue? { number.map { .number($0) } }

    static func stored(_ integer: Int64?) -> JSONValue? { integer.map { .integer($0) } }

    static func stored(_ id: ChangeEvent.ID?) -> JSONValue? {
        id.map { [.integer($0.position.number), .integer(Int64($0.ordinal))] }
    }

    /// Only what differs from the usual is stored.
    static func stored(unlessFalse flag: Bool) -> JSONValue? { flag ? true : nil }

    static func stored(unlessZero number: Int64) -> JSONValue? { number == 0 ? nil : .integer(number) }

    static func stored(unlessEmpty list: [JSONValue]) -> JSONValue? { list.isEmpty ? nil : .array(list) }
}
