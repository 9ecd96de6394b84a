public import CastModel

/// An answer that is in memory as a whole.
public struct HTTPAnswer: Sendable, Equatable {
    /// The status code.
    public var status: Int
    /// The media type; nil when there is no body.
    public var contentType: String?
    /// Further headers, in order.
    public var headers: [Header]
    /// The body.
    public var body: [UInt8]

    /// One header.
    public struct Header: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// Its value, without line ends.
        public var value: String
        /// A header.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// An answer, part by part.
    public init(status: Int = 200, contentType: String?, headers: [Header] = [], body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.headers = headers
        self.body = body
    }

    /// A JSON document.
    public static func json(_ value: JSONValue, headers: [Header] = []) -> HTTPAnswer {
        var body = value.utf8
        body.append(UInt8(ascii: "\n"))
        return HTTPAnswer(contentType: "application/json", headers: headers, body: body)
    }

    /// A page of a list, with the cursor of the next one.
    public static func list(_ items: [JSONValue], next: String? = nil) -> HTTPAnswer {
        .json(["items": .array(items), "next": next.map(JSONValue.string) ?? .null])
    }

    /// Plain text.
    public static func text(_ text: String, status: Int = 200) -> HTTPAnswer {
        HTTPAnswer(status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
    }

    /// What every answer says to browsers: nothing from elsewhere, nothing inline, nowhere framed.
    ///
    /// `blob:` is not among the sources: exports are downloads of their own.
    public static let securityHeaders: [Header] = [
        Header(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"),
        Header("X-Content-Type-Options", "nosniff"), Header("Referrer-Policy", "no-referrer"),
        Header("Cross-Origin-Resource-Policy", "same-origin"), Header("X-Frame-Options", "DENY"),
    ]

    /// All header lines, for the wire, without the length.
    ///
    /// What is not printable ASCII is left out of values: nothing that a device said can end a line.
    public var headerLines: String {
        var all = headers
        if let contentType { all.insert(Header("Content-Type", contentType), at: 0) }
        if !all.contains(where: { $0.name == "Cache-Control" }) { all.append(Header("Cache-Control", "no-store")) }
        return (all + Self.securityHeaders).map { header in
            let value = header.value.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F }
            return "\(header.name): \(String(String.UnicodeScalarView(value)))\n"
        }.joined()
    }
}

/// Why a request is not answered as it was asked (RFC 9457).
public struct HTTPProblem: Error, Sendable, Equatable {
    /// The status code.
    public var status: Int
    /// What is wrong, in a sentence for people.
    public var detail: String
    /// Further headers.
    public var headers: [HTTPAnswer.Header]

    /// A problem.
    public init(_ status: Int, _ detail: String, headers: [HTTPAnswer.Header] = []) {
        self.status = status
        self.detail = detail
        self.headers = headers
    }

    /// The name of the status code (RFC 9110, 15).
    public var title: String { Self.titles[status] ?? "Error" }

    private static let titles = [
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 409: "Conflict", 413: "Content Too Large", 414: "URI Too Long",
        421: "Misdirected Request", 422: "Unprocessable Content", 429: "Too Many Requests",
        500: "Internal Server Error", 503: "Service Unavailable", 504: "Gateway Timeout",
    ]

    /// The answer that says so.
    public var answer: HTTPAnswer {
        let fields: JSONValue = [
            "type": "about:blank", "title": .string(title), "status": .integer(Int64(status)),
            "detail": .string(detail),
        ]
        return HTTPAnswer(
            status: status, contentType: "application/problem+json", headers: headers, body: fields.utf8 + [0x0A])
    }
}
