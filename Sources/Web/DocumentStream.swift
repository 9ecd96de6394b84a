import IO
import WebCore

/// Streams a file to whoever asks for it, compressed where that is wanted.
///
/// Nothing is answered before the first piece is there: what goes wrong until then is an answer of its own. Later the
/// connection breaks, so that nobody takes a part for the whole.
final class DocumentStream {
    private let question: Question
    private let exchange: Exchange
    private let pipe = BytePipe()
    private let gzip: Gzip?
    private var hasBegun = false

    init(question: Question, exchange: Exchange) {
        self.question = question
        self.exchange = exchange
        gzip = question.request.takesGzip ? Gzip(level: 6) : nil
    }

    /// Runs what writes the file.
    func run(_ body: (_ write: @escaping ([UInt8]) -> Bool) throws -> Void) throws {
        do {
            try body { [self] bytes in write(bytes) }
            begin()
            if let gzip { _ = pipe.write(gzip.compress([], finishes: true)) }
            pipe.end()
        } catch {
            pipe.abandon()
            if !hasBegun { throw error }
        }
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        begin()
        return pipe.write(gzip?.compress(bytes) ?? bytes)
    }

    private func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        exchange.answer(.streamed(head, pipe))
    }

    private var head: HTTPAnswer {
        let (type, name) = Self.kind(of: question.route, question.text("format"))
        var headers = [HTTPAnswer.Header("Content-Disposition", "attachment; filename=\"\(name)\"")]
        headers.append(.init("Vary", "Accept-Encoding"))
        if gzip != nil { headers.append(.init("Content-Encoding", "gzip")) }
        return HTTPAnswer(contentType: type, headers: headers, body: [])
    }

    /// The media type and the name of a file.
    private static func kind(of route: Route, _ format: String?) -> (type: String, name: String) {
        switch route {
        case .export(let form):
            switch form {
            case "csv": ("text/csv; charset=utf-8; header=present", "castledger.csv")
            case "jsonl": ("application/jsonl", "castledger.jsonl")
            case "ics": ("text/calendar; charset=utf-8", "castledger.ics")
            case "otio": ("application/json", "castledger.otio")
            case "perfetto": ("application/json", "castledger-trace.json")
            case "xmltv": ("application/xml", "castledger.xml")
            default: ("text/html; charset=utf-8", "castledger.html")
            }
        case .report(let name):
            switch format ?? "json" {
            case "csv": ("text/csv; charset=utf-8; header=present", "castledger-\(name).csv")
            case "html": ("text/html; charset=utf-8", "castledger-\(name).html")
            default: ("application/jsonl", "castledger-\(name).jsonl")
            }
        default: ("application/octet-stream", "castledger")
        }
    }
}
