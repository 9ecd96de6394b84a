import CCurl

/// Asks web servers as the page of a receiver app would, by libcurl: one request, and where it is sent on to.
///
/// Blocks its thread. No cookie, no proxy, no credentials: a receiver has none either.
public enum WebClient {
    /// Redirects that are followed, at most; browsers follow 20, media servers need one or two.
    public static let redirectLimit = 5
    /// What one request may take, in milliseconds.
    public static let timeoutMilliseconds = 10_000

    /// Asks, and follows redirects: one answer per request made, the last one is what came of it.
    ///
    /// An `Origin` among the headers becomes `null` where a server sends us on from a foreign origin to another one, as a
    /// browser does it (Fetch standard, HTTP-redirect fetch). A preflight is not sent on.
    ///
    /// - Parameters:
    ///   - url: http or https.
    ///   - method: GET takes at most the first 1,024 bytes.
    ///   - origin: The origin of the asking page.
    ///   - headers: Others, as name and value.
    ///   - trust: Which addresses may be connected to.
    public static func ask(
        _ url: String, _ method: WebMethod = .get, origin: String, headers: [(name: String, value: String)],
        trust: WebTrust
    ) -> [WebAnswer] {
        var answers: [WebAnswer] = []
        var (next, origin, mayBeNearby) = (url, origin, trust == .asTyped)
        while true {
            let answer = askOnce(
                next, method, origin: origin, headers: headers, refusesNearby: !mayBeNearby)
            answers.append(answer)
            guard method == .get, let sentTo = answer.redirect, answers.count <= redirectLimit else { return answers }
            if !WebOrigin.areSame(next, sentTo) { origin = "null" }
            // Whoever names this machine may be sent on within it; nobody else is led to it.
            mayBeNearby = mayBeNearby && answer.isNearby
            next = sentTo
        }
    }

    /// Sends a body with POST, once, wherever the URL leads; no redirect is followed.
    ///
    /// - Parameters:
    ///   - url: http or https.
    ///   - headers: As name and value.
    public static func post(_ url: String, headers: [(name: String, value: String)], body: [UInt8]) -> WebAnswer {
        // "Expect" would wait for an answer that many servers never give.
        let lines = (headers + [("Expect", "")]).map { header in
            "\(header.name):\(header.value.isEmpty ? "" : " " + header.value)".filter { !$0.isNewline && $0 != "\0" }
                + "\n"
        }.joined()
        return unsafe url.withCString { address in
            unsafe lines.withCString { lines in
                unsafe body.withUnsafeBytes { bytes in
                    var question = unsafe ccurl_question(
                        url: address, is_preflight: 0, headers: lines, refuses_nearby: 0,
                        timeout_milliseconds: timeoutMilliseconds, body: bytes.baseAddress, body_length: bytes.count)
                    guard let raw = unsafe ccurl_ask(&question) else {
                        return WebAnswer(url: url, origin: "", failure: "out of memory")
                    }
                    defer { unsafe ccurl_free(raw) }
                    return unsafe WebAnswer(url: url, origin: "", raw.pointee)
                }
            }
        }
    }

    /// Whether a numeric address is loopback, link-local or unspecified; so is what is no address.
    public static func isNearby(_ address: String) -> Bool { unsafe ccurl_is_nearby(address) != 0 }

    private static func askOnce(
        _ url: String, _ method: WebMethod, origin: String, headers: [(name: String, value: String)],
        refusesNearby: Bool
    ) -> WebAnswer {
        // Line ends in what others wrote must not become headers of their own.
        let lines = ([("Origin", origin)] + headers).map {
            "\($0.name): \($0.value)".filter { !$0.isNewline && $0 != "\0" } + "\n"
        }.joined()
        return unsafe url.withCString { address in
            unsafe lines.withCString { lines in
                var question = unsafe ccurl_question(
                    url: address, is_preflight: method == .options ? 1 : 0, headers: lines,
                    refuses_nearby: refusesNearby ? 1 : 0, timeout_milliseconds: timeoutMilliseconds,
                    body: nil, body_length: 0)
                guard let raw = unsafe ccurl_ask(&question) else {
                    return WebAnswer(url: url, origin: origin, failure: "out of memory")
                }
                defer { unsafe ccurl_free(raw) }
                return unsafe WebAnswer(url: url, origin: origin, raw.pointee)
            }
        }
    }
}

extension WebAnswer {
    fileprivate init(url: String, origin: String, _ raw: ccurl_answer) {
        unsafe self.init(
            url: url, origin: origin, status: Int(raw.status),
            headers: WebAnswer.headers(of: UnsafeRawBufferPointer(start: raw.head, count: raw.head_length)),
            start: Array(UnsafeBufferPointer(start: raw.start, count: raw.start_length)),
            address: String(cString: raw.address), isNearby: raw.is_nearby != 0, wasRefused: raw.was_refused != 0,
            redirect: String(cString: raw.redirect), failure: String(cString: raw.failure))
    }
}
