/// A request, as far as any answer depends on it.
public struct HTTPRequest: Sendable, Equatable {
    /// One name and value of the query.
    public struct QueryItem: Sendable, Equatable {
        /// The name, decoded.
        public var name: String
        /// The value, decoded; empty when there was none.
        public var value: String
        /// An item.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The headers that are looked at, in lower case; others are not kept.
    public static let wantedHeaders = [
        "host", "authorization", "cookie", "accept-encoding", "if-none-match", "last-event-id", "origin",
        "content-type", "content-length", "transfer-encoding", "sec-fetch-site",
    ]
    /// The longest target, in bytes: more than any question of ours needs.
    public static let targetLimitBytes = 8_192
    /// The most items of a query.
    public static let queryLimit = 200

    /// "GET".
    public var method: String
    /// The parts of the path between slashes, decoded: `/api/v1/now` is `["api", "v1", "now"]`, `/` is none.
    public var path: [String]
    /// The items of the query, in order.
    public var query: [QueryItem]
    /// Headers of ``wantedHeaders`` by name.
    public var headers: [String: String]
    /// The numeric address of who asks.
    public var peerAddress: String

    /// A request from its raw target.
    ///
    /// - Throws: 400 where the target is none, 414 where it is too long.
    public init(
        method: String, target: String, headers: [String: String] = [:], peerAddress: String = ""
    ) throws(HTTPProblem) {
        guard target.utf8.count <= Self.targetLimitBytes else {
            throw HTTPProblem(414, "The target has more than \(Self.targetLimitBytes) bytes.")
        }
        guard target.utf8.first == UInt8(ascii: "/"), target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw HTTPProblem(400, "The target is no absolute path.")
        }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path = try Self.decode(parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false))
        if path.last == "" { path.removeLast() }
        guard path.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && !$0.contains("\\") }) else {
            throw HTTPProblem(404, "There is nothing at this path.")
        }
        self.method = method
        self.path = path
        query = try parts.count < 2 ? [] : Self.items(parts[1])
        self.headers = headers
        self.peerAddress = peerAddress
    }

    private static func decode(_ parts: [Substring]) throws(HTTPProblem) -> [String] {
        var decoded: [String] = []
        for part in parts { decoded.append(try PercentText.decode(part)) }
        return decoded
    }

    private static func items(_ text: Substring) throws(HTTPProblem) -> [QueryItem] {
        let parts = text.split(separator: "&")
        guard parts.count <= queryLimit else {
            throw HTTPProblem(400, "The query has more than \(queryLimit) items.")
        }
        var items: [QueryItem] = []
        for part in parts {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            items.append(
                QueryItem(
                    name: try PercentText.decode(sides[0], plusIsBlank: true),
                    value: sides.count < 2 ? "" : try PercentText.decode(sides[1], plusIsBlank: true)))
        }
        return items
    }

    /// The value of the last item of this name; nil when there is none.
    public func value(_ name: String) -> String? { query.last { $0.name == name }?.value }

    /// The values of all items of this name, in order.
    public func values(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }

    /// Whether the answer may be compressed with gzip (RFC 9110, 12.5.3).
    public var takesGzip: Bool {
        (headers["accept-encoding"] ?? "").lowercased().split(separator: ",").contains { coding in
            let words = coding.filter { $0 != " " && $0 != "\t" }.split(separator: ";")
            guard words.first == "gzip" || words.first == "*" else { return false }
            return !words.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
        }
    }
}

/// Percent escapes (RFC 3986, 2.1).
public enum PercentText {
    /// The text behind escapes.
    ///
    /// - Throws: 400 for an escape that is none, for what is not UTF-8, and for control characters.
    public static func decode(_ text: Substring, plusIsBlank: Bool = false) throws(HTTPProblem) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    throw HTTPProblem(400, "A percent sign is not followed by two hexadecimal digits.")
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsBlank: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw HTTPProblem(400, "The target is not UTF-8.")
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw HTTPProblem(400, "The target has a control character.")
        }
        return decoded
    }

    /// A text with everything escaped but what needs none anywhere (RFC 3986, 2.3).
    public static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }.joined()
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
