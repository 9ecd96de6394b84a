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
        return PostgresParameter(bytes: bigEndian(PostgresTime.microseconds(time)), isBinary: true)
    }

    /// A `text[]`.
    ///
    /// The strings hold no NUL.
    public static func texts(_ texts: [String]) -> PostgresParameter {
        var bytes: [UInt8] = []
        appendTexts(texts, to: &bytes)
        return PostgresParameter(bytes: bytes, isBinary: true)
    }

    /// The OID of PostgreSQL's type `text`, fixed in its catalog.
    private static let textType: Int32 = 25

    /// An array as PostgreSQL's array_recv reads it.
    static func appendTexts(_ texts: [String], to bytes: inout [UInt8]) {
        bytes += bigEndian(Int32(texts.isEmpty ? 0 : 1)) + bigEndian(Int32(0)) + bigEndian(textType)
        guard !texts.isEmpty else { return }
        bytes += bigEndian(Int32(clamping: texts.count)) + bigEndian(Int32(1))
        for text in texts {
            bytes += bigEndian(Int32(clamping: text.utf8.count))
            bytes += text.utf8
        }
    }

    static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (1...Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (Number.bitWidth - 8 * $0)) }
    }
}
