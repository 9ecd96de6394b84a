import CPage
import WebCore

/// The page: its files, as they are inside the program; the only file that sees them in C.
struct PageFiles: Sendable {
    private struct File: Sendable {
        var content: [UInt8]
        var compressed: [UInt8]
        var type: String
        var tag: String
    }

    private let files: [String: File]

    /// All files, compressed once.
    init() {
        var files: [String: File] = [:]
        for index in 0..<cpage_count() {
            var length = 0
            guard let name = unsafe cpage_name(index), let start = unsafe cpage_content(index, &length) else {
                continue
            }
            let content = unsafe Array(UnsafeBufferPointer(start: start, count: length))
            let text = unsafe String(cString: name)
            files[text] = File(
                content: content, compressed: Gzip.whole(content, level: 9) ?? [], type: Self.type(of: text),
                tag: EntityTag.of(content))
        }
        self.files = files
    }

    /// Their names.
    var names: [String] { files.keys.sorted() }

    /// A file, or that the asker has it already; nil when there is none of this name.
    func answer(_ name: String, to request: HTTPRequest) -> HTTPAnswer? {
        guard let file = files[name] else { return nil }
        var headers = [
            HTTPAnswer.Header("ETag", file.tag), HTTPAnswer.Header("Cache-Control", "no-cache"),
            HTTPAnswer.Header("Vary", "Accept-Encoding"),
        ]
        if EntityTag.matches(request.headers["if-none-match"], file.tag) {
            return HTTPAnswer(status: 304, contentType: nil, headers: headers, body: [])
        }
        let isCompressed = request.takesGzip && !file.compressed.isEmpty && file.compressed.count < file.content.count
        if isCompressed { headers.append(HTTPAnswer.Header("Content-Encoding", "gzip")) }
        return HTTPAnswer(
            contentType: file.type, headers: headers, body: isCompressed ? file.compressed : file.content)
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "json", "map": "application/json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "woff2": "font/woff2"
        case "webmanifest": "application/manifest+json"
        case "txt": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}
