import CastModel

/// Writes the fields of one JSON object, in the order of the calls, straight into bytes.
struct LineWriter {
    private var bytes: [UInt8]
    private var isFirst = true

    /// Goes on after the bytes given.
    init(bytes: consuming [UInt8]) {
        self.bytes = bytes
    }

    /// Ends the line and gives all bytes back.
    consuming func finish() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// A string; left out when nil.
    mutating func text(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        name(key)
        quote(value)
    }

    mutating func number(_ key: StaticString, _ value: Int64) {
        name(key)
        var digits: (UInt64, Int) = (1, 1)
        let magnitude = value.magnitude
        while magnitude / digits.0 >= 10 { digits = (digits.0 * 10, digits.1 + 1) }
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var divisor = digits.0
        for _ in 0..<digits.1 {
            bytes.append(UInt8(ascii: "0") + UInt8(magnitude / divisor % 10))
            divisor /= 10
        }
    }

    mutating func time(_ key: StaticString, _ value: WallTime) {
        name(key)
        bytes.append(UInt8(ascii: "\""))
        value.writeText(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func base64(_ key: StaticString, _ value: [UInt8]) {
        name(key)
        bytes.append(UInt8(ascii: "\""))
        Base64.write(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func value(_ key: StaticString, _ value: JSONValue) {
        name(key)
        value.write(to: &bytes)
    }

    /// Bytes from the wire: as text when they are valid UTF-8, else in base64; left out when nil.
    mutating func payload(_ textKey: StaticString, _ base64Key: StaticString, _ value: [UInt8]?) {
        guard let value else { return }
        guard value.withUnsafeBufferPointer({ Self.isUTF8($0) }) else { return base64(base64Key, value) }
        name(textKey)
        value.withUnsafeBufferPointer { quote($0) }
    }

    private static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // Nearly all payloads are ASCII.
        bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
    }

    private mutating func name(_ key: StaticString) {
        bytes.append(UInt8(ascii: isFirst ? "{" : ","))
        isFirst = false
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func quote(_ text: String) {
        var text = text
        text.withUTF8 { quote($0) }
    }

    /// Appends a JSON string of valid UTF-8: quotes, backslashes and control characters escaped, nothing else.
    ///
    /// As ``JSONValue/writeString(_:to:)``, but over plain memory: this is most of what the archive's thread does.
    private mutating func quote(_ utf8: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        var rest = utf8[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.quoteChunkBytes)
            rest = rest[part.endIndex...]
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 6 * Self.quoteChunkBytes) { space in
                var count = 0
                for byte in part {
                    if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
                        space[count] = byte
                        count += 1
                    } else {
                        for escaped in Self.escapes[Int(byte)] {
                            space[count] = escaped
                            count += 1
                        }
                    }
                }
                bytes.append(contentsOf: space[..<count])
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static let quoteChunkBytes = 1024

    /// What stands for each byte up to the backslash that cannot stand for itself: at most six bytes.
    private static let escapes: [[UInt8]] = (0...UInt8(ascii: "\\")).map { byte in
        var escaped: [UInt8] = []
        JSONValue.writeString([byte], to: &escaped)
        return Array(escaped.dropFirst().dropLast())
    }
}
