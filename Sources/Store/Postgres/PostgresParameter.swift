public import Recording

/// A value for `$1`, `$2`, … of a statement.
///
/// The statement says the type with a cast where PostgreSQL cannot tell: `$1::bigint`.
public struct PostgresParameter: Sendable, Equatable {
    /// Nil for NULL.
    let bytes: [UInt8]?
    let isBinary: Bool

    /// NULL.
    public static let null = PostgresParameter(bytes: nil, isBinary: false)

    /// Any type, as text; nil is NULL.
    ///
    /// Cut at the first NUL, which PostgreSQL has no place for.
    public static func text(_ text: String?) -> PostgresParameter {
        PostgresParameter(bytes: text.map { Array($0.utf8.prefix { $0 != 0 }) }, isBinary: false)
    }

    /// A number; nil is NULL.
    public static func integer(_ number: Int64?) -> PostgresParameter { .text(number.map(String.init)) }

    /// A `timestamptz`; nil is NULL.
    public static func time(_ time: WallTime?) -> PostgresParameter {
        guard let time else { return .null }
        var bytes: [UInt8] = []
        append(PostgresTime.microseconds(time), to: &bytes)
        return PostgresParameter(bytes: bytes, isBinary: true)
    }

    /// A `text[]`.
    ///
    /// The strings hold no NUL.
    public static func texts(_ texts: [String]) -> PostgresParameter {
        var bytes: [UInt8] = []
        appendTexts(texts, to: &bytes)
        return PostgresParameter(bytes: bytes, isBinary: true)
    }

    /// A `timestamptz[]`.
    public static func times(_ times: [WallTime]) -> PostgresParameter {
        var bytes: [UInt8] = []
        appendArrayStart(count: times.count, type: timeType, to: &bytes)
        for time in times {
            append(Int32(8), to: &bytes)
            append(PostgresTime.microseconds(time), to: &bytes)
        }
        return PostgresParameter(bytes: bytes, isBinary: true)
    }

    /// The OIDs of PostgreSQL's types `text` and `timestamptz`, fixed in its catalog.
    private static let textType: Int32 = 25
    private static let timeType: Int32 = 1184

    /// An array of texts as PostgreSQL's array_recv reads it.
    static func appendTexts(_ texts: [String], to bytes: inout [UInt8]) {
        appendArrayStart(count: texts.count, type: textType, to: &bytes)
        for text in texts {
            append(Int32(clamping: text.utf8.count), to: &bytes)
            bytes.append(contentsOf: text.utf8)
        }
    }

    private static func appendArrayStart(count: Int, type: Int32, to bytes: inout [UInt8]) {
        append(Int32(count == 0 ? 0 : 1), to: &bytes)  // dimensions
        append(Int32(0), to: &bytes)  // no NULL among them
        append(type, to: &bytes)
        guard count > 0 else { return }
        append(Int32(clamping: count), to: &bytes)
        append(Int32(1), to: &bytes)  // the first index
    }

    /// A number in network order.
    static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}
