/// What one request of a page to a media server brought: of one hop, where redirects were followed.
public struct CrossOriginAnswer: Sendable, Equatable {
    /// What was asked for.
    public var url: String
    /// The origin that the request named: of the page, or "null" after a redirect.
    public var origin: String
    /// The status code.
    public var status: Int
    /// All header lines as name in lower case and value.
    public var headers: [(name: String, value: String)]
    /// The beginning of the body.
    public var start: [UInt8]

    /// An answer, part by part.
    public init(
        url: String, origin: String, status: Int, headers: [(name: String, value: String)], start: [UInt8] = []
    ) {
        self.url = url
        self.origin = origin
        self.status = status
        self.headers = headers
        self.start = start
    }

    /// The values of a header, as a browser combines them; nil when it is not there.
    func value(_ name: String) -> String? {
        let values = headers.filter { $0.name == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Whether two answers are equal, headers in order.
    public static func == (one: Self, other: Self) -> Bool {
        one.url == other.url && one.origin == other.origin && one.status == other.status && one.start == other.start
            && one.headers.elementsEqual(other.headers, by: ==)
    }
}

/// Judges whether a receiver app's page may read a media or track server's answers (the Fetch standard, 3.2; what Cast
/// receivers ask for is told by their makers: `Content-Type`, `Accept-Encoding` and `Range`).
///
/// A text track that the page may not read is loaded by nobody and shown by nobody, without a word on the screen: most
/// reports of captions that do not show end there. Pure: the answers come from whoever can ask.
public enum CrossOrigin {
    /// What an address is to the receiver.
    public enum Role: String, Sendable, CaseIterable {
        /// The content itself.
        case media
        /// Captions or subtitles.
        case textTrack = "text track"
    }

    /// What came of asking.
    public enum Outcome: Sendable, Equatable {
        /// One answer per hop, the last one without a redirect.
        case answered([CrossOriginAnswer])
        /// Nothing was answered, and why; hops before it.
        case failed(String)
        /// We did not ask, and why.
        case refused(String)
    }

    /// The header names that a receiver may ask leave for.
    public static let neededHeaders = ["Content-Type", "Accept-Encoding", "Range"]

    /// What is wrong with an address, worst first; one finding `ok` when nothing is.
    ///
    /// - Parameters:
    ///   - get: Asked with `Origin` and `Range: bytes=0-1023`.
    ///   - preflight: Asked whether ``neededHeaders`` may be sent.
    public static func findings(
        of url: String, as role: Role, get: Outcome, preflight: Outcome
    ) -> [Finding] {
        switch get {
        case .failed(let why): return [finding(role, .fail, url, "no answer: \(why)", "Can this machine reach it?")]
        case .refused(let why):
            return [finding(role, .warn, url, why, "Give it as an argument to ask it all the same.")]
        case .answered(let hops):
            guard let last = hops.last else { return [finding(role, .fail, url, "no answer", "")] }
            let reading = hops.compactMap { read($0, role, isRedirect: $0 != last) }
            if !reading.isEmpty { return reading.map { finding(role, .fail, url, $0.meaning, $0.advice) } }
            guard (200..<300).contains(last.status) else {
                return [finding(role, .fail, url, "answers with status \(last.status)", "")]
            }
            let doubts = asking(preflight, origin: hops[0].origin) + content(last, role)
            guard doubts.isEmpty else { return doubts.map { finding(role, .warn, url, $0.meaning, $0.advice) } }
            return [finding(role, .ok, url, "a receiver app may read it", "")]
        }
    }

    private typealias Doubt = (meaning: String, advice: String)

    private static func finding(
        _ role: Role, _ level: Finding.Level, _ url: String, _ meaning: String, _ advice: String
    ) -> Finding {
        Finding(role.rawValue, level, "\(shown(url)): \(meaning)", advice: advice)
    }

    /// Long addresses are cut in the middle of a line for people.
    private static func shown(_ url: String) -> String { PlainText.neutralized(url, limitCharacters: 200) }

    /// The CORS check of one answer: who may read it.
    private static func read(_ answer: CrossOriginAnswer, _ role: Role, isRedirect: Bool) -> Doubt? {
        let place = isRedirect ? "the redirect at \(shown(answer.url)) has " : ""
        let harm = role == .textTrack ? "captions do not show" : "tracks beside it and adaptive players fail"
        guard let allowed = answer.value("access-control-allow-origin") else {
            return (
                "\(place)no Access-Control-Allow-Origin: a receiver app may not read it, and \(harm)",
                "Let the server answer with 'Access-Control-Allow-Origin: *'."
            )
        }
        guard allowed == "*" || allowed == answer.origin else {
            let whose = answer.origin == "null" ? "a page that was sent on from another origin" : answer.origin
            return (
                "\(place)Access-Control-Allow-Origin is '\(allowed)', which is not \(whose): a receiver app may not "
                    + "read it, and \(harm)",
                "Let the server answer with one 'Access-Control-Allow-Origin: *'."
            )
        }
        return nil
    }

    /// The preflight: what may be asked.
    private static func asking(_ preflight: Outcome, origin: String) -> [Doubt] {
        let trouble = "a receiver that asks first is refused"
        switch preflight {
        case .refused(let why): return [("the preflight was not sent: \(why)", "")]
        case .failed(let why): return [("no answer to the preflight (OPTIONS): \(why); \(trouble)", "Answer OPTIONS.")]
        case .answered(let hops):
            guard let answer = hops.first else { return [] }
            guard (200..<300).contains(answer.status) else {
                return [
                    (
                        "the preflight (OPTIONS) is answered with status \(answer.status): \(trouble)",
                        "Let the server answer OPTIONS with 204 and the Access-Control-Allow headers."
                    )
                ]
            }
            let allowed = answer.value("access-control-allow-origin")
            guard allowed == "*" || allowed == origin else {
                return [
                    (
                        "the preflight (OPTIONS) has no Access-Control-Allow-Origin that fits: \(trouble)",
                        "Let the server answer OPTIONS with 'Access-Control-Allow-Origin: *', too."
                    )
                ]
            }
            return missing(answer.value("access-control-allow-headers") ?? "", trouble)
        }
    }

    private static func missing(_ allowed: String, _ trouble: String) -> [Doubt] {
        let names = allowed.split(separator: ",").map { $0.filter { !$0.isWhitespace }.lowercased() }
        guard !names.contains("*") else { return [] }
        let missing = neededHeaders.filter { !names.contains($0.lowercased()) }
        guard !missing.isEmpty else { return [] }
        return [
            (
                "Access-Control-Allow-Headers lacks \(missing.joined(separator: ", ")): \(trouble)",
                "Let the server answer OPTIONS with 'Access-Control-Allow-Headers: "
                    + neededHeaders.joined(separator: ", ") + "'."
            )
        ]
    }

    /// Whether the content is what a receiver can use.
    private static func content(_ answer: CrossOriginAnswer, _ role: Role) -> [Doubt] {
        switch role {
        case .media:
            guard answer.status == 200, answer.value("accept-ranges")?.lowercased() != "bytes" else { return [] }
            return [("it ignores Range: seeking may not work", "Let the server support byte ranges.")]
        case .textTrack:
            guard !isTimedText(answer.start) else { return [] }
            return [("it is neither WebVTT nor TTML: receivers show no other text", "Convert it: SubRip is not shown.")]
        }
    }

    /// WebVTT begins with its name, after a byte order mark maybe (W3C WebVTT, 4.1); TTML is XML.
    private static func isTimedText(_ start: [UInt8]) -> Bool {
        let bytes = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
        return bytes.starts(with: Array("WEBVTT".utf8))
            || bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
    }
}
