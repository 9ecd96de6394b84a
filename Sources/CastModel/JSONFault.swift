/// Finds where a text that simdjson has refused stops being JSON: simdjson itself does not tell.
///
/// For files that people write. It knows the grammar only as far as a slip of the pen goes: brackets, commas, colons,
/// strings and words.
struct JSONFault {
    private enum Expected {
        case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd, nothing
    }

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var open: [UInt8] = []
    private var expected = Expected.value

    /// The line, from 1, on which the text goes wrong; the last line when it ends too early or looks fine.
    static func line(in bytes: [UInt8]) -> Int {
        var fault = JSONFault(bytes: bytes)
        while fault.index < bytes.count, fault.takesNext() {}
        return fault.line
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Takes one token; false when it does not belong there.
    private mutating func takesNext() -> Bool {
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\n"):
            line += 1
            return true
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): return true
        case UInt8(ascii: "{"): return opens(byte, then: .keyOrEnd)
        case UInt8(ascii: "["): return opens(byte, then: .valueOrEnd)
        case UInt8(ascii: "}"): return closes(UInt8(ascii: "{"))
        case UInt8(ascii: "]"): return closes(UInt8(ascii: "["))
        case UInt8(ascii: ","):
            guard expected == .commaOrEnd else { return false }
            expected = open.last == UInt8(ascii: "{") ? .key : .value
            return true
        case UInt8(ascii: ":"):
            guard expected == .colon else { return false }
            expected = .value
            return true
        case UInt8(ascii: "\""): return takesString()
        default: return takesWord(from: index - 1)
        }
    }

    private var takesValue: Bool { expected == .value || expected == .valueOrEnd }

    private mutating func opens(_ bracket: UInt8, then next: Expected) -> Bool {
        guard takesValue else { return false }
        open.append(bracket)
        expected = next
        return true
    }

    private mutating func closes(_ bracket: UInt8) -> Bool {
        let mayEnd = expected == .commaOrEnd || expected == .keyOrEnd || expected == .valueOrEnd
        guard mayEnd, open.last == bracket else { return false }
        open.removeLast()
        endsValue()
        return true
    }

    private mutating func endsValue() { expected = open.isEmpty ? .nothing : .commaOrEnd }

    private mutating func takesString() -> Bool {
        let isKey = expected == .key || expected == .keyOrEnd
        guard isKey || takesValue else { return false }
        while index < bytes.count {
            let byte = bytes[index]
            // A raw control character ends no string; the quote is missing on this line.
            guard byte >= 0x20 else { return false }
            index += byte == UInt8(ascii: "\\") ? 2 : 1
            guard byte == UInt8(ascii: "\"") else { continue }
            if isKey { expected = .colon } else { endsValue() }
            return true
        }
        return false
    }

    /// A number, or true, false or null.
    private mutating func takesWord(from start: Int) -> Bool {
        guard takesValue else { return false }
        let ends = Array(",:]} \t\r\n".utf8)
        while index < bytes.count, !ends.contains(bytes[index]) { index += 1 }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        guard ["true", "false", "null"].contains(word) || Double(word) != nil else { return false }
        endsValue()
        return true
    }
}
