/// Who may ask: by the name that was asked for, and by a token where one is needed.
public struct AccessRules: Sendable, Equatable {
    /// The cookie that a browser gets for a token.
    public static let cookieName = "castledger_token"

    /// Names besides `localhost` and numeric addresses that a `Host` header may have, in lower case.
    public var hostNames: Set<String>
    /// What a request must show; nil when everybody on this machine may ask.
    public var token: [UInt8]?
    /// Whether the connection is encrypted: then the cookie stays on such connections.
    public var isEncrypted: Bool

    /// Rules, part by part.
    public init(hostNames: Set<String> = [], token: [UInt8]? = nil, isEncrypted: Bool = false) {
        self.hostNames = Set(hostNames.map { $0.lowercased() })
        self.token = token
        self.isEncrypted = isEncrypted
    }

    /// Refuses a request whose `Host` is the name of somebody else.
    ///
    /// A page from elsewhere can give its own name our address (DNS rebinding): then the name in `Host` is its own. A
    /// numeric address cannot be rebound.
    public func checkHost(_ request: HTTPRequest) throws(HTTPProblem) {
        guard let host = request.headers["host"], let name = Self.name(inHost: host) else {
            throw HTTPProblem(400, "The Host header is missing or is none.")
        }
        guard
            name == "localhost" || name.hasSuffix(".localhost") || Self.isNumericAddress(name)
                || hostNames.contains(name)
        else {
            throw HTTPProblem(421, "This is not '\(name.prefix(100))'. Name it with --host-name if it is.")
        }
    }

    /// Refuses a request that shows no token, or another one.
    public func checkToken(_ request: HTTPRequest) throws(HTTPProblem) {
        guard let token else { return }
        let shown = Self.shownTokens(request)
        guard shown.contains(where: { Self.isEqual(Array($0.utf8), token) }) else {
            throw HTTPProblem(
                401, "A token is needed: 'Authorization: Bearer …', or log in at /.",
                headers: [.init("WWW-Authenticate", "Bearer realm=\"castledger\"")])
        }
    }

    /// Refuses what changes something when it comes from a page of somebody else.
    public func checkOrigin(_ request: HTTPRequest) throws(HTTPProblem) {
        let site = request.headers["sec-fetch-site"] ?? "same-origin"
        guard ["same-origin", "none"].contains(site) else {
            throw HTTPProblem(403, "Pages from elsewhere may not do this.")
        }
        guard let origin = request.headers["origin"] else { return }
        let host = request.headers["host"] ?? ""
        guard origin.lowercased().hasSuffix("://" + host.lowercased()) else {
            throw HTTPProblem(403, "Pages from elsewhere may not do this.")
        }
    }

    /// The cookie that stands for the token.
    public func cookie(for token: String) -> HTTPAnswer.Header {
        HTTPAnswer.Header(
            "Set-Cookie",
            "\(Self.cookieName)=\(token); Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"
                + (isEncrypted ? "; Secure" : ""))
    }

    private static func shownTokens(_ request: HTTPRequest) -> [String] {
        var shown: [String] = []
        let words = (request.headers["authorization"] ?? "").split(separator: " ")
        if words.count == 2, words[0].lowercased() == "bearer" { shown.append(String(words[1])) }
        for cookie in (request.headers["cookie"] ?? "").split(separator: ";").prefix(64) {
            let sides = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if sides.count == 2, sides[0] == cookieName { shown.append(String(sides[1])) }
        }
        return shown
    }

    /// Whether two texts are equal, in a time that tells nothing of where they differ.
    public static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        var difference = one.count ^ other.count
        for index in 0..<one.count {
            difference |= Int(one[index] ^ (other.isEmpty ? 0xFF : other[index % other.count]))
        }
        return difference == 0
    }

    /// Whether a text can be a token: 16 to 512 characters that need no quoting in headers and cookies.
    public static func isToken(_ text: String) -> Bool {
        (16...512).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7F && !"\",;\\".utf8.contains(byte)
            }
    }

    /// The name in a `Host` header in lower case, without port; nil when it is none.
    static func name(inHost host: String) -> String? {
        let lowered = host.lowercased()
        if lowered.hasPrefix("[") {
            guard let end = lowered.firstIndex(of: "]") else { return nil }
            let rest = lowered[lowered.index(after: end)...]
            guard isPort(rest) else { return nil }
            return String(lowered[lowered.index(after: lowered.startIndex)..<end])
        }
        let parts = lowered.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let name = parts.first, !name.isEmpty, parts.count < 2 || isPort(":" + parts[1])
        else { return nil }
        return String(name.hasSuffix(".") ? name.dropLast() : name)
    }

    private static func isPort(_ text: some StringProtocol) -> Bool {
        text.isEmpty || text.hasPrefix(":") && UInt16(text.dropFirst()) != nil
    }

    /// Whether a name is an address: four numbers, or anything with a colon.
    static func isNumericAddress(_ name: String) -> Bool {
        if name.contains(":") { return name.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { $0.count <= 3 && UInt8($0) != nil }
    }
}
