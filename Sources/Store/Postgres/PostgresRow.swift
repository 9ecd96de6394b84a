public import Recording

/// One row of an answer.
///
/// An accessor gives nil for NULL, and for a column of another type: the statement and its reader belong together.
public struct PostgresRow {
    let result: PostgresResult
    let row: Int

    /// A `text`, `uuid::text`, `json` or name column.
    public func text(_ column: Int) -> String? {
        unsafe result.withBytes(row: row, column: column) { bytes in unsafe String(decoding: bytes, as: UTF8.self) }
    }

    /// The bytes of any column, in PostgreSQL's binary form.
    func bytes(_ column: Int) -> [UInt8]? {
        unsafe result.withBytes(row: row, column: column) { bytes in unsafe Array(bytes) }
    }

    /// A `bigint`, `integer` or `smallint` column.
    public func integer(_ column: Int) -> Int64? {
        let value: Int64?? = unsafe result.withBytes(row: row, column: column) { bytes in
            switch bytes.count {
            case 8: unsafe Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
            case 4: unsafe Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
            case 2: unsafe Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
            default: nil
            }
        }
        return value ?? nil
    }

    /// A `double precision` column.
    public func double(_ column: Int) -> Double? {
        integer(column).map { Double(bitPattern: UInt64(bitPattern: $0)) }
    }

    /// A `boolean` column.
    public func bool(_ column: Int) -> Bool? {
        let value: Bool?? = unsafe result.withBytes(row: row, column: column) { bytes in
            unsafe bytes.first.map { $0 != 0 }
        }
        return value ?? nil
    }

    /// A `timestamptz` column.
    public func time(_ column: Int) -> WallTime? { integer(column).map(PostgresTime.wallTime) }

    /// The JSON text of a `jsonb` column.
    public func jsonText(_ column: Int) -> [UInt8]? {
        // One byte of version comes first (PostgreSQL's jsonb_send).
        unsafe result.withBytes(row: row, column: column) { bytes in unsafe Array(bytes.dropFirst()) }
    }

    /// A `text[]` column without NULL elements.
    public func texts(_ column: Int) -> [String]? {
        let values: [String]?? = unsafe result.withBytes(row: row, column: column) { bytes in
            unsafe Self.texts(in: Array(bytes))
        }
        return values ?? nil
    }

    /// PostgreSQL's array_send: dimensions, a flag, the element type; then length, bound; then each element.
    static func texts(in bytes: [UInt8]) -> [String]? {
        var rest = bytes[...]
        func integer() -> Int? {
            guard rest.count >= 4 else { return nil }
            defer { rest = rest.dropFirst(4) }
            return Int(rest.prefix(4).reduce(Int32(0)) { $0 << 8 | Int32($1) })
        }
        guard let dimensions = integer(), integer() != nil, integer() != nil else { return nil }
        guard dimensions == 1 else { return dimensions == 0 ? [] : nil }
        guard let count = integer(), integer() != nil, count >= 0 else { return nil }
        var texts: [String] = []
        for _ in 0..<count {
            guard let length = integer(), length >= 0, length <= rest.count else { return nil }
            texts.append(String(decoding: rest.prefix(length), as: UTF8.self))
            rest = rest.dropFirst(length)
        }
        return texts
    }
}

/// PostgreSQL's clock: microseconds since 2000-01-01T00:00:00Z.
enum PostgresTime {
    /// Microseconds from 1970 to 2000.
    private static let epoch: Int64 = 946_684_800_000_000
    /// 1970-01-01T00:00:00Z through 9999-12-31T23:59:59.999999Z, the same years that ``WallTime`` can spell.
    private static let storable = WallTime(microseconds: 0)...WallTime(microseconds: 253_402_300_799_999_999)

    static func wallTime(_ microseconds: Int64) -> WallTime {
        let (sum, overflow) = microseconds.addingReportingOverflow(epoch)
        return WallTime(microseconds: overflow ? .max : sum)
    }

    /// The moment, moved into the years 1970 through 9999.
    static func clamped(_ time: WallTime) -> WallTime { min(max(time, storable.lowerBound), storable.upperBound) }

    static func microseconds(_ time: WallTime) -> Int64 { clamped(time).microseconds - epoch }
}
