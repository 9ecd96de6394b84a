/// Any JSON, with nothing thrown away: key order, duplicate keys and the kind of number are kept.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// A number written without fraction or exponent that fits 64 bits.
    case integer(Int64)
    /// An integer above `Int64.max`, up to `UInt64.max`.
    case unsigned(UInt64)
    /// Any other number. Always finite.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// The fields of a JSON object, in the order they came.
public struct JSONObject: Sendable {
    /// All pairs, duplicates included.
    public var pairs: [(key: String, value: JSONValue)]

    /// An object of these fields.
    public init(_ pairs: [(key: String, value: JSONValue)] = []) { self.pairs = pairs }

    /// The value under a key; of duplicates the last one, as PostgreSQL and browsers have it.
    ///
    /// Nil when absent.
    ///
    /// Setting replaces the field in place or appends it; setting nil removes it.
    public subscript(key: String) -> JSONValue? {
        get { pairs.last { $0.key == key }?.value }
        set {
            guard let newValue else { return pairs.removeAll { $0.key == key } }
            if let index = pairs.lastIndex(where: { $0.key == key }) {
                pairs[index].value = newValue
            } else {
                pairs.append((key, newValue))
            }
        }
    }
}

extension JSONValue: Equatable {
    /// Equality of meaning: key order does not matter, and 1 equals 1.0.
    public static func == (one: JSONValue, other: JSONValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.string(let a), .string(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.unsigned(let a), .unsigned(let b)): a == b
        default:
            if let a = one.double, let b = other.double { a == b } else { false }
        }
    }

    private var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .number(let value): value
        case .null, .bool, .string, .array, .object: nil
        }
    }
}

extension JSONObject: Equatable {
    /// Equality of meaning: the same keys with equal values, in any order.
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        guard one.pairs.count == other.pairs.count else { return false }
        // The usual case: the same writer, hence the same order.
        if zip(one.pairs, other.pairs).allSatisfy({ $0.key == $1.key && $0.value == $1.value }) { return true }
        // A peer chooses how many keys there are, so looking each one up must not take a walk through all of them.
        let fields = Dictionary(other.pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        return one.pairs.allSatisfy { fields[$0.key] == $0.value }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object, keys in the order written.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { (key: $0.0, value: $0.1) }))
    }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
    /// The field of an object; nil when absent, or when this is no object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[key]
    }

    /// The object itself; nil when this is something else.
    public var object: JSONObject? {
        guard case .object(let object) = self else { return nil }
        return object
    }

    /// The array itself; nil when this is something else.
    public var array: [JSONValue]? {
        guard case .array(let array) = self else { return nil }
        return array
    }

    /// The string itself; nil when this is something else.
    ///
    /// Nothing is converted.
    public var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }
}
