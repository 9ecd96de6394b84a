/// What is asked.
public enum WebMethod: Sendable, Equatable {
    /// The content, or its beginning.
    case get
    /// Whether a page may ask: a CORS preflight.
    case options
}

/// How far an address is trusted.
public enum WebTrust: Sendable, Equatable {
    /// A person typed it: it may be this machine's own.
    case asTyped
    /// Somebody else said it: it must not lead to this machine, nor to a link-local address.
    case foreign
}

/// What came of one request.
public struct WebAnswer: Sendable, Equatable {
    /// What was asked for.
    public var url: String
    /// The origin that the request named.
    public var origin: String
    /// The status code; 0 when nothing was answered.
    public var status: Int
    /// The header lines, in order, names in lower case; repeated names stay apart.
    public var headers: [Header]
    /// The first bytes of the body, at most 1,024.
    public var start: [UInt8]
    /// The numeric address that was connected to, or refused; empty when none was tried.
    public var address: String
    /// Whether that address is loopback, link-local or unspecified.
    public var isNearby: Bool
    /// Whether it was not connected to for that.
    public var wasRefused: Bool
    /// Where the server sends us, in full.
    public var redirect: String?
    /// Why nothing was answered; nil when something was.
    public var failure: String?

    /// A header line.
    public struct Header: Sendable, Equatable {
        /// In lower case.
        public var name: String
        /// Without the blanks around it.
        public var value: String
        /// A header line.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What came of one request; empty texts stand for none.
    public init(
        url: String, origin: String, status: Int = 0, headers: [Header] = [], start: [UInt8] = [], address: String = "",
        isNearby: Bool = false, wasRefused: Bool = false, redirect: String = "", failure: String = ""
    ) {
        self.url = url
        self.origin = origin
        self.status = status
        self.headers = headers
        self.start = start
        self.address = address
        self.isNearby = isNearby
        self.wasRefused = wasRefused
        self.redirect = redirect.isEmpty ? nil : redirect
        self.failure = failure.isEmpty ? nil : failure
    }

    /// The values of a header, in the order in which they came.
    public func values(of name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }

    /// The header lines of a raw head; what is no header line is passed over.
    static func headers(of head: some Collection<UInt8>) -> [Header] {
        head.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = String(decoding: line[line.index(after: colon)...], as: UTF8.self)
            return Header(name, String(value.trimmed))
        }
    }
}

extension String {
    fileprivate var trimmed: Substring {
        let isBlank: (Character) -> Bool = { $0.isWhitespace }
        return drop(while: isBlank).reversedDrop(while: isBlank)
    }
}

extension Substring {
    fileprivate func reversedDrop(while isDropped: (Character) -> Bool) -> Substring {
        guard let last = lastIndex(where: { !isDropped($0) }) else { return "" }
        return self[...last]
    }
}

/// Where a URL comes from, as browsers compare it: scheme, host and port (RFC 6454).
enum WebOrigin {
    /// Whether two URLs are of one origin.
    static func areSame(_ one: String, _ other: String) -> Bool { origin(of: one) == origin(of: other) }

    /// Scheme, host and port in lower case; a default port is left out.
    static func origin(of url: String) -> String {
        guard let colon = url.firstRange(of: "://") else { return url }
        let scheme = url[..<colon.lowerBound].lowercased()
        var host = url[colon.upperBound...].prefix { !"/?#\\".contains($0) }.lowercased()
        if let at = host.lastIndex(of: "@") { host = String(host[host.index(after: at)...]) }
        let usual = scheme == "https" ? ":443" : ":80"
        if host.hasSuffix(usual) { host.removeLast(usual.count) }
        return "\(scheme)://\(host)"
    }
}
