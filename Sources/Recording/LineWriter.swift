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
        quote(value.utf8)
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
        guard String(validating: value, as: UTF8.self) != nil else { return base64(base64Key, value) }
        name(textKey)
        quote(value)
    }

    private mutating func name(_ key: StaticString) {
        bytes.append(UInt8(ascii: isFirst ? "{" : ","))
        isFirst = false
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func quote(_ utf8: some Sequence<UInt8>) { JSONValue.writeString(utf8, to: &bytes) }
}
