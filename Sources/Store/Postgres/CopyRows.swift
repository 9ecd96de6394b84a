public import Recording

/// Rows in the binary form of PostgreSQL's COPY, built field by field.
///
/// The caller appends exactly the columns of the COPY statement, in its order.
public struct CopyRows: Sendable {
    private var bytes: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [0, 0, 0, 0, 0, 0, 0, 0]

    /// No rows yet.
    public init() {}

    /// The whole, with its end mark.
    var finished: [UInt8] { bytes + [0xFF, 0xFF] }

    /// Begins a row of so many fields.
    public mutating func beginRow(fieldCount: Int16) { appendNumber(fieldCount) }

    /// NULL.
    public mutating func appendNull() { appendNumber(Int32(-1)) }

    /// A `bigint`.
    public mutating func append(_ number: Int64?) { appendFixed(number) }

    /// An `integer`.
    public mutating func append(_ number: Int32?) { appendFixed(number) }

    /// A `double precision`.
    public mutating func append(_ number: Double?) { appendFixed(number.map(\.bitPattern)) }

    /// A `timestamptz`.
    public mutating func append(_ time: WallTime) { appendFixed(PostgresTime.microseconds(time)) }

    /// A `boolean`.
    public mutating func append(_ truth: Bool) { appendFixed(UInt8(truth ? 1 : 0)) }

    /// A `text`.
    public mutating func append(_ text: String?) {
        guard let text else { return appendNull() }
        appendNumber(Int32(clamping: text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// A value whose binary form the caller has made, such as a `uuid`.
    public mutating func append(binary value: [UInt8]) {
        appendNumber(Int32(clamping: value.count))
        bytes.append(contentsOf: value)
    }

    /// A `jsonb`: a byte of version, then the text.
    public mutating func append(json: [UInt8]?) {
        guard let json else { return appendNull() }
        appendNumber(Int32(clamping: json.count + 1))
        bytes.append(1)
        bytes.append(contentsOf: json)
    }

    /// A `text[]`.
    public mutating func append(_ texts: [String]) {
        // 12 bytes for no texts; else 20, and 4 before each.
        let length = texts.isEmpty ? 12 : texts.reduce(20) { $0 + 4 + $1.utf8.count }
        appendNumber(Int32(clamping: length))
        PostgresParameter.appendTexts(texts, to: &bytes)
    }

    private mutating func appendFixed<Number: FixedWidthInteger>(_ number: Number?) {
        guard let number else { return appendNull() }
        appendNumber(Int32(Number.bitWidth / 8))
        appendNumber(number)
    }

    private mutating func appendNumber<Number: FixedWidthInteger>(_ number: Number) {
        PostgresParameter.append(number, to: &bytes)
    }
}
