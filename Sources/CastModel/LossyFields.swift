/// Reading fields as what they mean, whatever JSON type a device chose for them (PROTOCOL 8, parser rule 2).
///
/// Devices write numbers as strings, integers as doubles and truth values as 0 and 1 (PROTOCOL 8, row 13). A value that
/// cannot be read as the kind asked for counts as ``Field/absent``: it says nothing usable, and the JSON still has it.
extension JSONObject {
    /// The field as it came, with absent and `null` told apart.
    public func field(_ key: String) -> Field<JSONValue> {
        switch self[key] {
        case nil: .absent
        case .null?: .null
        case let value?: .value(value)
        }
    }

    /// The field as text; a number is read as its digits.
    public func textField(_ key: String) -> Field<String> { field(key) { $0.lossyText } }

    /// The field as an integer; an integral double and a numeric string are read as one.
    public func integerField(_ key: String) -> Field<Int64> { field(key) { $0.lossyInteger } }

    /// The field as a finite number; a numeric string is read as one.
    public func numberField(_ key: String) -> Field<Double> { field(key) { $0.lossyNumber } }

    /// The field as a truth value; 0, 1, "true", "false", "0" and "1" are read as one.
    public func flagField(_ key: String) -> Field<Bool> { field(key) { $0.lossyFlag } }

    /// The field as a word of an open set.
    public func wordField<Vocabulary>(_ key: String) -> Field<OpenWord<Vocabulary>> {
        field(key) { $0.lossyText.map { OpenWord($0) } }
    }

    /// The field as an object; anything else counts as absent.
    public func objectField(_ key: String) -> Field<JSONObject> { field(key) { $0.object } }

    /// The objects in an array field, at most `limit`.
    ///
    /// An element that is no object is left out, its siblings stay. A field that is no array counts as absent.
    public func objectsField(_ key: String, limit: Int) -> Field<[JSONObject]> {
        field(key) { $0.array.map { elements in Array(elements.lazy.compactMap { $0.object }.prefix(limit)) } }
    }

    /// The field as whatever `read` makes of it.
    ///
    /// Absent when `read` makes nothing of it.
    @inline(__always)
    func field<Value>(_ key: String, _ read: (JSONValue) -> Value?) -> Field<Value> {
        guard let found = self[key] else { return .absent }
        if case .null = found { return .null }
        guard let value = read(found) else { return .absent }
        return .value(value)
    }
}

extension JSONValue {
    /// The field of an object as it came; absent also when this is no object.
    public func field(_ key: String) -> Field<JSONValue> { object?.field(key) ?? .absent }

    /// The field of an object as text; absent also when this is no object.
    public func textField(_ key: String) -> Field<String> { object?.textField(key) ?? .absent }

    /// The field of an object as an integer; absent also when this is no object.
    public func integerField(_ key: String) -> Field<Int64> { object?.integerField(key) ?? .absent }

    /// The field of an object as a finite number; absent also when this is no object.
    public func numberField(_ key: String) -> Field<Double> { object?.numberField(key) ?? .absent }

    /// The field of an object as a truth value; absent also when this is no object.
    public func flagField(_ key: String) -> Field<Bool> { object?.flagField(key) ?? .absent }

    /// A string, or the digits of a number; nil for anything else.
    public var lossyText: String? {
        switch self {
        case .string(let text): text
        case .integer(let value): value.description
        case .unsigned(let value): value.description
        case .number(let value): Int64(exactly: value)?.description ?? value.description
        case .null, .bool, .array, .object: nil
        }
    }

    /// An integer of 64 bits, also out of an integral double or a numeric string; nil for anything else.
    public var lossyInteger: Int64? {
        switch self {
        case .integer(let value): value
        case .unsigned(let value): Int64(exactly: value)
        case .number(let value): Int64(exactly: value)
        case .string(let text): Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
        case .null, .bool, .array, .object: nil
        }
    }

    /// A finite number, also out of a numeric string; nil for anything else.
    public var lossyNumber: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .number(let value): value.isFinite ? value : nil
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        case .null, .bool, .array, .object: nil
        }
    }

    /// A truth value, also out of 0, 1 and their spellings; nil for anything else.
    public var lossyFlag: Bool? {
        switch self {
        case .bool(let value): return value
        case .string(let text):
            switch text.lowercased() {
            case "true", "1": return true
            case "false", "0": return false
            default: return nil
            }
        case .integer, .unsigned, .number:
            switch lossyNumber {
            case 0: return false
            case 1: return true
            default: return nil
            }
        case .null, .array, .object: return nil
        }
    }
}
