import CastModel
import Differ
import Recording

/// Reads the fields of a stored state.
///
/// Strict, unlike the reading of messages: we wrote it ourselves, so what is not as written is not to be trusted.
struct StoredFields {
    let deviceID: DeviceID
    private let fields: JSONObject

    init(_ json: JSONValue, of deviceID: DeviceID, _ name: String) throws(ConflictsError) {
        guard case .object(let object) = json else { throw .unreadableState(deviceID, field: name) }
        self.deviceID = deviceID
        fields = object
    }

    func value(_ key: String) -> JSONValue? { fields[key] }

    func integer(_ key: String) throws(ConflictsError) -> Int64? { try read(key) { $0.lossyInteger } }

    func number(_ key: String) throws(ConflictsError) -> Double? { try read(key) { $0.lossyNumber } }

    func text(_ key: String) throws(ConflictsError) -> String? { try read(key) { $0.string } }

    func flag(_ key: String) throws(ConflictsError) -> Bool { try read(key) { $0.lossyFlag } ?? false }

    func list(_ key: String) throws(ConflictsError) -> [JSONValue] { try read(key) { $0.array } ?? [] }

    func moment(_ key: String) throws(ConflictsError) -> WallTime? {
        try integer(key).map { WallTime(microseconds: $0) }
    }

    func id(_ key: String) throws(ConflictsError) -> ChangeEvent.ID? { try read(key) { ChangeEvent.ID(stored: $0) } }

    func ids(_ key: String) throws(ConflictsError) -> [ChangeEvent.ID] {
        try read(key) { value in
            let list = value.array ?? []
            let ids = list.compactMap { ChangeEvent.ID(stored: $0) }
            return ids.count == list.count ? ids : nil
        } ?? []
    }

    func word<Word: RawRepresentable<String>>(_ key: String) throws(ConflictsError) -> Word? {
        try read(key) { $0.string.flatMap { Word(rawValue: $0) } }
    }

    func nested(_ key: String) throws(ConflictsError) -> StoredFields? {
        guard let value = fields[key] else { return nil }
        return try StoredFields(value, of: deviceID, key)
    }

    func each(_ key: String) throws(ConflictsError) -> [StoredFields] {
        var found: [StoredFields] = []
        for value in try list(key) { found.append(try StoredFields(value, of: deviceID, key)) }
        return found
    }

    func required<Value>(_ value: Value?, _ key: String) throws(ConflictsError) -> Value {
        guard let value else { throw .unreadableState(deviceID, field: key) }
        return value
    }

    private func read<Value>(_ key: String, _ take: (JSONValue) -> Value?) throws(ConflictsError) -> Value? {
        guard let found = fields[key] else { return nil }
        guard let value = take(found) else { throw .unreadableState(deviceID, field: key) }
        return value
    }
}

extension ChangeEvent.ID {
    var stored: JSONValue { [.integer(position.number), .integer(Int64(ordinal))] }

    init?(stored value: JSONValue) {
        guard let parts = value.array, parts.count == 2, let position = parts[0].lossyInteger,
            let ordinal = parts[1].lossyInteger.flatMap({ Int32(exactly: $0) })
        else { return nil }
        self.init(position: ArchivePosition(position), ordinal: ordinal)
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

    static func stored(_ number: Int32?) -> JSONValue? { number.map { .integer(Int64($0)) } }

    /// Only what differs from the usual is stored.
    static func stored(unlessFalse flag: Bool) -> JSONValue? { flag ? true : nil }

    static func stored(unlessZero number: Int64) -> JSONValue? { number == 0 ? nil : .integer(number) }

    static func stored(unlessEmpty list: [JSONValue]) -> JSONValue? { list.isEmpty ? nil : .array(list) }
}
