/// Why an mDNS instance is not a device that can be recorded.
public enum AdvertisementRefusal: Error, Sendable, Hashable, CaseIterable {
    /// Neither TXT `id` nor the instance name tells which device it is.
    case noDeviceID
    /// A port of 0 means that nothing listens.
    case portZero
    /// A name below `_sub`: the same device again, under an app id (PROTOCOL 1.4).
    case subtype
    /// Another service than `_googlecast._tcp`.
    case foreignService
}

extension AdvertisementRefusal: CustomStringConvertible {
    /// What is wrong, for a log line.
    public var description: String {
        switch self {
        case .noDeviceID: "neither TXT id nor the instance name holds a device id"
        case .portZero: "its port is 0"
        case .subtype: "it is an app sub-type of a device"
        case .foreignService: "it is not a _googlecast._tcp service"
        }
    }
}

extension DeviceAdvertisement {
    /// The DNS-SD service type of Cast devices and groups (PROTOCOL 1.1).
    public static let serviceType = "_googlecast._tcp"

    /// Reads what DNS-SD tells about one instance.
    ///
    /// The SRV host name is not asked for: on a group it is the leader's and says nothing of the group's identity.
    ///
    /// - Parameters:
    ///   - service: Service type, with or without domain and final dot.
    ///   - instance: Instance name, not escaped.
    ///   - port: From SRV.
    ///   - addresses: Numeric addresses in the order to try; any address is kept, publicly routable ones too.
    ///   - txt: The strings of the TXT record as they came, at most 255 bytes each.
    public init(
        service: String = serviceType, instance: String, port: UInt16, addresses: [String], txt: [[UInt8]],
        source: Source
    ) throws(AdvertisementRefusal) {
        try Self.check(service: service, instance: instance)
        guard port != 0 else { throw .portZero }
        let pairs = Self.pairs(txt)
        let spelledID = Self.nonEmpty(Self.text("id", in: pairs)) ?? Self.trailingID(of: instance)
        guard let spelledID else { throw .noDeviceID }
        let deviceID = DeviceID(spelledID)
        guard !deviceID.text.isEmpty else { throw .noDeviceID }
        self.init(
            deviceID: deviceID, name: Self.nonEmpty(Self.text("fn", in: pairs)).map(Self.unescaped),
            model: Self.nonEmpty(Self.text("md", in: pairs)).map(Self.unescaped), addresses: addresses, port: port,
            capabilities: Self.text("ca", in: pairs).flatMap(Self.capabilities), txt: pairs, source: source)
    }

    private static func check(service: String, instance: String) throws(AdvertisementRefusal) {
        let labels = service.lowercased().split(separator: ".")
        if labels.contains("_sub") || instance.lowercased().split(separator: ".").dropFirst().contains("_sub") {
            throw .subtype
        }
        guard labels.prefix(2) == ["_googlecast", "_tcp"] else { throw .foreignService }
    }

    /// Splits TXT strings at their first `=`.
    ///
    /// Empty strings are dropped (RFC 6763, 6.1); bytes that are no UTF-8 become U+FFFD.
    static func pairs(_ strings: [[UInt8]]) -> [TXTPair] {
        strings.filter { !$0.isEmpty }.map { bytes in
            guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
                return TXTPair(key: String(decoding: bytes, as: UTF8.self), value: nil)
            }
            return TXTPair(
                key: String(decoding: bytes[..<equals], as: UTF8.self),
                value: String(decoding: bytes[(equals + 1)...], as: UTF8.self))
        }
    }

    /// The 32 hexadecimal digits at the end of an instance name, for a record that lacks `id`.
    ///
    /// A group's instance can carry a suffix such as `-1` when it has moved; it is the same group (PROTOCOL 1.6).
    static func trailingID(of instance: String) -> String? {
        var labels = instance.split(separator: "-", omittingEmptySubsequences: false)
        if let last = labels.last, labels.count > 1, (1...2).contains(last.utf8.count),
            last.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        {
            labels.removeLast()
        }
        guard let digits = labels.last, digits.utf8.count == 32, digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
        else { return nil }
        return String(digits)
    }

    /// Decimal `ca`; nil when it is anything else.
    private static func capabilities(_ text: String) -> Capabilities? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int64(text).map(Capabilities.init(rawValue:))
    }

    /// Replaces `\ddd`, which some resolvers and repeaters leave in a value, by the byte it stands for.
    ///
    /// Text that would not be UTF-8 afterwards was not escaped in the first place and stays as it is.
    static func unescaped(_ text: String) -> String {
        let escaped = Array(text.utf8)
        guard escaped.contains(UInt8(ascii: "\\")) else { return text }
        var bytes: [UInt8] = []
        var index = 0
        while index < escaped.count {
            if let byte = escapedByte(escaped[index...].prefix(4)) {
                bytes.append(byte)
                index += 4
            } else {
                bytes.append(escaped[index])
                index += 1
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }

    private static func escapedByte(_ sequence: ArraySlice<UInt8>) -> UInt8? {
        guard sequence.count == 4, sequence.first == UInt8(ascii: "\\") else { return nil }
        let digits = sequence.dropFirst().map { Int($0) - Int(UInt8(ascii: "0")) }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let value = digits.reduce(0) { $0 * 10 + $1 }
        return value == 0 ? nil : UInt8(exactly: value)
    }

    private static func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}
