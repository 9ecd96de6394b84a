extension JSONValue {
    /// This value as compact JSON text, keys in their order.
    ///
    /// Doubles are written so that they read back equal (the shortest such form); an integral double keeps its `.0`.
    public var text: String { String(decoding: utf8, as: UTF8.self) }

    /// This value as compact JSON, in UTF-8 bytes.
    public var utf8: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// Appends this value as compact JSON.
    public func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): bytes.append(contentsOf: value.description.utf8)
        case .unsigned(let value): bytes.append(contentsOf: value.description.utf8)
        // JSON has no word for what is not finite, and no parser makes it; a sum of two that were finite may.
        case .number(let value): bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
        case .string(let value): Self.writeString(value, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, pair) in object.pairs.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.writeString(pair.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                pair.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a JSON string of valid UTF-8: quotes, backslashes and control characters escaped, nothing else.
    public static func writeString(_ utf8: [UInt8], to bytes: inout [UInt8]) {
        unsafe utf8.withUnsafeBufferPointer { unsafe writeString($0, to: &bytes) }
    }

    private static func writeString(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { unsafe writeString($0, to: &bytes) }
    }

    /// Whole stretches at a time: nearly every string is one, and this is most of what writing JSON costs.
    private static func writeString(_ utf8: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        for index in 0..<utf8.count {
            let byte = unsafe utf8[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
            escape(byte, to: &bytes)
            start = index + 1
        }
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
        bytes.append(UInt8(ascii: "\""))
    }

    private static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }
}
