import WebCore

/// How an answer goes over the wire: not at all when it is known, and compressed when that is worth it.
enum Coding {
    /// Shorter bodies fit a packet or two as they are.
    static let leastBytes = 1_024

    static func coded(_ answer: HTTPAnswer, for request: HTTPRequest) -> HTTPAnswer {
        guard answer.status == 200, answer.body.count >= leastBytes else { return answer }
        var coded = answer
        let tag = EntityTag.of(answer.body)
        // Kept to be asked about again, never to be shown unasked.
        coded.headers += [.init("ETag", tag), .init("Vary", "Accept-Encoding"), .init("Cache-Control", "no-cache")]
        if EntityTag.matches(request.headers["if-none-match"], tag) {
            return HTTPAnswer(status: 304, contentType: nil, headers: coded.headers, body: [])
        }
        guard request.takesGzip, let small = Gzip.whole(answer.body, level: 1), small.count < answer.body.count else {
            return coded
        }
        coded.body = small
        coded.headers.append(.init("Content-Encoding", "gzip"))
        return coded
    }
}
