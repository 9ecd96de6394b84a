import CastModel

/// Reads the fields of a stored device state.
///
/// Strict, unlike the reading of messages: we wrote it ourselves, so what is not as written is not to be trusted.
struct StateFields {
    /// Whose state.
    let deviceID: DeviceID
    private let fields: JSONObject

    /// The fields of an object.
    init(_ json: JSONValue, of deviceID: DeviceID, _ name: String) throws(DifferError) {
        guard case .object(let object) = json else { throw .unreadableState(deviceID, field: name) }
        self.deviceID = deviceID
        fields = object
    }

    /// The error that a field deserves.
    func unreadable(_ key: String) -> DifferError { .unreadableState(deviceID, field: key) }

    func integer(_ key: String) throws(DifferError) -> Int64? { try read(key) { $0.lossyInteger } }

    func number(_ key: String) throws(DifferError) -> Double? { try read(key) { $0.lossyNumber } }

    func text(_ key: String) throws(DifferError) -> String? { try read(key) { $0.string } }

    func flag(_ key: String) throws(DifferError) -> Bool? { try read(key) { $0.lossyFlag } }

    func object(_ key: String) throws(DifferError) -> JSONObject? { try read(key) { $0.object } }

    func optionalList(_ key: String) throws(DifferError) -> [JSONValue]? { try read(key) { $0.array } }

    func list(_ key: String) throws(DifferError) -> [JSONValue] { try optionalList(key) ?? [] }

    func hash(_ key: String) throws(DifferError) -> UInt64? {
        try read(key) { $0.string.flatMap { UInt64($0, radix: 16) } }
    }

    func required(_ key: String) throws(DifferError) -> Int64 {
        guard let value = try integer(key) else { throw unreadable(key) }
        return value
    }

    func nested(_ key: String) throws(DifferError) -> StateFields? {
        guard let value = fields[key] else { return nil }
        return try StateFields(value, of: deviceID, key)
    }

    private func read<Value>(_ key: String, _ take: (JSONValue) -> Value?) throws(DifferError) -> Value? {
        guard let found = fields[key] else { return nil }
        guard let value = take(found) else { throw unreadable(key) }
        return value
    }
}
