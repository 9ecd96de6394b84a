import CastModel
import CastWire

/// Reads lines of kind `frame` in exactly the form that ``RecordLine`` writes, several times faster than general JSON.
///
/// Any other line, also one that is JSON all the same, is refused with nil: the general reader then decides.
struct FrameLine {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    static func read(_ line: UnsafeBufferPointer<UInt8>, known: inout KnownNames) -> Record? {
        var cursor = FrameLine(line)
        return cursor.record(&known)
    }

    private mutating func record(_ known: inout KnownNames) -> Record? {
        guard take(#"{"position":"#), let position = integer(), position > 0,
            take(#","at":""#), let at = time(),
            take(#"","monotonic_ns":"#), let monotonic = integer(),
            take(#","boot":"#), let boot = plain().map({ known.boot($0) }),
            take(#","kind":"frame","device":"#), let device = plain().map({ known.device($0) }),
            take(#","link":"#), let link = integer(),
            take(#","direction":""#), let direction = direction(),
            take(#","source":"#), let source = text(),
            take(#","destination":"#), let destination = text(),
            take(#","namespace":"#), let namespace = text(),
            take(#","payload":"#), let payload = payload(), take("}")
        else { return nil }
        if index < bytes.count { guard take("\n"), index == bytes.count else { return nil } }
        var message = CastMessage(from: source, to: destination, Namespace(namespace), text: "")
        message.payloadUTF8 = payload
        return Record(
            position: ArchivePosition(position), at: at, monotonic: MonotonicTime(nanoseconds: monotonic), boot: boot,
            body: .frame(
                RecordedFrame(device: device, link: LinkNumber(link), direction: direction, message: message)))
    }

    private mutating func take(_ expected: StaticString) -> Bool {
        let count = expected.utf8CodeUnitCount
        guard bytes.count - index >= count else { return false }
        for offset in 0..<count where bytes[index + offset] != expected.utf8Start[offset] { return false }
        index += count
        return true
    }

    /// A number of at most 18 digits, hence without overflow.
    private mutating func integer() -> Int64? {
        let start = index
        var value: Int64 = 0
        while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
            value = value &* 10 &+ Int64(bytes[index] - UInt8(ascii: "0"))
            index += 1
        }
        let digits = index - start
        guard (1...18).contains(digits), digits == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
        return value
    }

    private mutating func time() -> WallTime? {
        guard bytes.count - index >= 27 else { return nil }
        defer { index += 27 }
        return WallTime(utf8: UnsafeBufferPointer(rebasing: bytes[index..<index + 27]))
    }

    private mutating func direction() -> RecordedFrame.Direction? {
        if take(#"in""#) { return .inbound }
        return take(#"out""#) ? .outbound : nil
    }

    private mutating func text() -> String? { plain().map { String(decoding: $0, as: UTF8.self) } }

    /// The content of a JSON string of plain ASCII without escapes; nil for any other.
    private mutating func plain() -> UnsafeBufferPointer<UInt8>? {
        guard take("\"") else { return nil }
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            guard (0x20..<0x80).contains(bytes[index]), bytes[index] != UInt8(ascii: "\\") else { return nil }
            index += 1
        }
        let content = UnsafeBufferPointer(rebasing: bytes[start..<index])
        return take("\"") ? content : nil
    }

    /// What a JSON string stands for, with those escapes that ``RecordLine`` writes; nil for others.
    private mutating func payload() -> [UInt8]? {
        guard take("\"") else { return nil }
        var start = index
        var decoded: [UInt8] = []
        var isASCII = true
        decoded.reserveCapacity(bytes.count - index)
        while index < bytes.count {
            let byte = bytes[index]
            if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
                isASCII = isASCII && byte < 0x80
                index += 1
                continue
            }
            decoded.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
            if byte == UInt8(ascii: "\"") {
                index += 1
                return isASCII || String(validating: decoded, as: UTF8.self) != nil ? decoded : nil
            }
            guard byte == UInt8(ascii: "\\"), let escaped = escape() else { return nil }
            decoded.append(escaped)
            start = index
        }
        return nil
    }

    private mutating func escape() -> UInt8? {
        guard bytes.count - index >= 2 else { return nil }
        let letter = bytes[index + 1]
        index += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): return letter
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            guard take("00"), bytes.count - index >= 2 else { return nil }
            let digits = String(decoding: bytes[index..<index + 2], as: UTF8.self)
            guard let value = UInt8(digits, radix: 16), value < 0x20 else { return nil }
            index += 2
            return value
        default: return nil
        }
    }
}

/// Texts that come again in every line, kept so that they are made once.
struct KnownNames {
    private var lastBoot: (bytes: [UInt8], text: String) = ([], "")
    private var devices = [(bytes: [UInt8], device: DeviceID)?](repeating: nil, count: slots)
    private static let slots = 4096

    init() {}

    mutating func boot(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if !lastBoot.bytes.elementsEqual(bytes) { lastBoot = (Array(bytes), String(decoding: bytes, as: UTF8.self)) }
        return lastBoot.text
    }

    mutating func device(_ bytes: UnsafeBufferPointer<UInt8>) -> DeviceID {
        var hash: UInt32 = 2_166_136_261  // FNV-1a; a collision only costs time.
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        let slot = Int(hash >> 20)
        if let known = devices[slot], known.bytes.elementsEqual(bytes) { return known.device }
        let device = DeviceID(String(decoding: bytes, as: UTF8.self))
        devices[slot] = (Array(bytes), device)
        return device
    }
}
