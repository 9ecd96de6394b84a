/// Where a person says that a device is: `HOST[:PORT]`.
public struct DeviceAddress: Sendable, Hashable {
    /// Port of a device that says nothing else (PROTOCOL 1.1).
    public static let defaultPort: UInt16 = 8009

    /// A name, an IPv4 address, or an IPv6 address without brackets.
    public let host: String
    /// 1 to 65535.
    public let port: UInt16

    /// An address, part by part.
    public init(host: String, port: UInt16 = defaultPort) {
        self.host = host
        self.port = port
    }

    /// Reads `tv.lan`, `192.0.2.7`, `tv.lan:8009`, `[2001:db8::7]`, `[2001:db8::7]:8009`, `[fe80::7%eth0]:8009`, or an
    /// IPv6 address alone.
    public init(parsing text: String) throws(DeviceAddressError) {
        guard !text.isEmpty else { throw .empty }
        guard !text.contains("/") else { throw .isURL(text) }
        let host: Substring
        let port: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw .bracketNotClosed(text) }
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw .textAfterBracket(text) }
            guard host.contains(":") else { throw .notIPv6(text) }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if text.filter({ $0 == ":" }).count > 1 {
            host = text[...]
            port = nil
        } else {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            host = parts[0]
            port = parts.count == 2 ? parts[1] : nil
        }
        try Self.check(host: host, in: text)
        self.host = String(host)
        self.port =
            try port.map { digits throws(DeviceAddressError) in try Self.port(digits, in: text) } ?? Self.defaultPort
    }

    private static func check(host: Substring, in text: String) throws(DeviceAddressError) {
        guard !host.isEmpty else { throw .noHost(text) }
        if host.contains(":") {
            let isAddress = host.prefix { $0 != "%" }.allSatisfy {
                $0.isASCII && ($0.isHexDigit || $0 == ":" || $0 == ".")
            }
            guard isAddress else { throw .notIPv6(text) }
            return
        }
        let isName = host.utf8.count <= 253 && host.allSatisfy { !$0.isWhitespace && $0 != "@" && $0 != "," }
        guard isName else { throw .notAName(text) }
    }

    private static func port(_ digits: Substring, in text: String) throws(DeviceAddressError) -> UInt16 {
        let isDecimal = !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isWholeNumber }
        guard isDecimal, let port = UInt16(digits), port != 0 else { throw .badPort(text, port: String(digits)) }
        return port
    }
}

extension DeviceAddress: CustomStringConvertible {
    /// "tv.lan:8009" or "[2001:db8::7]:8009".
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Why a text does not say where a device is.
public enum DeviceAddressError: Error, Sendable, Equatable {
    case empty
    case isURL(String)
    case noHost(String)
    case notAName(String)
    case notIPv6(String)
    case bracketNotClosed(String)
    case textAfterBracket(String)
    case badPort(String, port: String)
}

extension DeviceAddressError: CustomStringConvertible {
    /// What is wrong, and how to write it.
    public var description: String {
        switch self {
        case .empty: "The address of the device is empty. Write HOST or HOST:PORT."
        case .isURL(let text): "'\(text)' is a URL. Write HOST or HOST:PORT, such as 192.0.2.7 or tv.lan:8009."
        case .noHost(let text): "'\(text)' names no host. Write HOST or HOST:PORT."
        case .notAName(let text):
            "'\(text)' holds a character that no host name has. Give --device once for each device."
        case .notIPv6(let text): "'\(text)' is no IPv6 address. Brackets are for those: [2001:db8::7]:8009."
        case .bracketNotClosed(let text): "'\(text)' lacks its ']'. Write [2001:db8::7]:8009."
        case .textAfterBracket(let text):
            "'\(text)' goes on after its ']'. Only ':PORT' may follow: [2001:db8::7]:8009."
        case .badPort(let text, let port): "'\(text)' has the port '\(port)'. A port is a number from 1 to 65535."
        }
    }
}
