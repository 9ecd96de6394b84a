import CastModel

/// What receiver apps accept where they expect a number or a truth value.
extension JSONValue {
    /// A JSON integer that fits; nil for everything else, `5.0` and `"5"` included (PROTOCOL 4.1: other request ids are
    /// ignored).
    var wholeNumber: Int? {
        guard case .integer(let value) = self else { return nil }
        return Int(exactly: value)
    }

    /// Any JSON number.
    var anyNumber: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .number(let value): value
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// `true` or `false`.
    var truth: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// A number as JavaScript writes it: without a fraction when it has none.
    static func javaScript(_ number: Double) -> JSONValue {
        Int64(exactly: number).map { .integer($0) } ?? .number(number)
    }

    /// A list of integers.
    static func integers(_ numbers: [Int]) -> JSONValue { .array(numbers.map { .integer(Int64($0)) }) }

    /// An integer.
    static func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}

extension Duration {
    /// The same time in seconds.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// The same time in whole microseconds, cut to the range of an `Int64`.
    var wholeMicroseconds: Int64 { wholeNanoseconds / 1000 }

    /// The same time in whole nanoseconds, cut to the range of an `Int64`: 292 years.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
