import Arguments
import CastModel
import Report
import Store
import WebClient

/// `castledger doctor cors`: asks servers, lets ``CrossOrigin`` judge, prints.
struct CrossOriginCommand {
    /// Addresses that are asked without being named, at most.
    private static let addressLimit = 20
    /// Media whose addresses are looked at for that.
    private static let mediaLimit = 200
    private let context: CommandContext

    /// What is asked.
    private struct Target: Hashable {
        var url: String
        var role: CrossOrigin.Role
        var trust: WebTrust
    }

    init(_ context: CommandContext) { self.context = context }

    func run() throws -> Int32 {
        let typed = context.arguments.operands
        let targets = typed.isEmpty ? try seen() : try typed.map(Self.target(typed:))
        guard !targets.isEmpty else {
            Terminal.complain([
                "castledger: no media with text tracks was seen: name what to ask, or cast with captions"
            ])
            return ExitCode.nothing
        }
        var worst = Finding.Level.ok
        for target in targets.prefix(Self.addressLimit + typed.count) {
            for finding in ask(target) {
                try context.output.line(context.arguments.has(.json) ? finding.json : finding.line)
                try context.output.flush()
                if finding.level == .fail { worst = .fail }
            }
        }
        let left = targets.count - Self.addressLimit - typed.count
        if left > 0 { Terminal.complain(["castledger: \(left) more addresses were seen: name those to ask"]) }
        return worst == .fail ? ExitCode.nothing : ExitCode.done
    }

    // MARK: What to ask

    private static func target(typed url: String) throws -> Target {
        guard isWeb(url) else {
            throw CommandFailure(ExitCode.usage, "'\(url)' is no address to ask: http:// or https:// is wanted.")
        }
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        let isText = [".vtt", ".srt", ".ttml", ".dfxp", ".xml"].contains { path.hasSuffix($0) }
        return Target(url: url, role: isText ? .textTrack : .media, trust: .asTyped)
    }

    private static func isWeb(_ url: String) -> Bool {
        let start = url.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    /// The addresses of media that was seen with text tracks, each once.
    private func seen() throws -> [Target] {
        let rows = try Ledger.ask(context) {
            try $0.trackedMedia(device: context.arguments.text(.deviceSought), limit: Self.mediaLimit)
        }
        var targets: [Target] = []
        var known: Set<Target> = []
        for media in rows.map(\.media) {
            let texts = (media.tracks.ifPresent ?? []).filter { $0.type.ifPresent == TrackType("TEXT") }
            guard !texts.isEmpty else { continue }
            let content = media.contentURL.ifPresent ?? media.contentID.ifPresent
            let found =
                [(content, CrossOrigin.Role.media)]
                + texts.map { ($0.trackContentID.ifPresent, CrossOrigin.Role.textTrack) }
            for case (let url?, let role) in found where Self.isWeb(url) {
                let target = Target(url: url, role: role, trust: .foreign)
                if known.insert(target).inserted { targets.append(target) }
            }
        }
        return targets
    }

    // MARK: Asking

    private func ask(_ target: Target) -> [Finding] {
        guard target.trust == .asTyped || !target.url.contains("(redacted") else {
            let why = "it has secrets that the ledger leaves out"
            return CrossOrigin.findings(of: target.url, as: target.role, get: .refused(why), preflight: .refused(why))
        }
        let origin = context.arguments.text(.origin) ?? ""
        let get = WebClient.ask(
            target.url, origin: origin, headers: [("Range", "bytes=0-1023")], trust: target.trust)
        let preflight = WebClient.ask(
            target.url, .options, origin: origin,
            headers: [
                ("Access-Control-Request-Method", "GET"),
                (
                    "Access-Control-Request-Headers",
                    CrossOrigin.neededHeaders.map { $0.lowercased() }.sorted().joined(separator: ",")
                ),
            ], trust: target.trust)
        return CrossOrigin.findings(
            of: target.url, as: target.role, get: Self.outcome(get), preflight: Self.outcome(preflight))
    }

    private static func outcome(_ answers: [WebAnswer]) -> CrossOrigin.Outcome {
        guard let last = answers.last else { return .failed("nothing was asked") }
        if last.wasRefused {
            let way = answers.count > 1 ? "a redirect leads to" : "it leads to"
            return .refused("\(way) \(last.address), an address of this machine or link: not asked")
        }
        if let failure = last.failure { return .failed(failure) }
        if last.redirect != nil, answers.count > WebClient.redirectLimit {
            return .failed("more than \(WebClient.redirectLimit) redirects")
        }
        return .answered(
            answers.map { answer in
                CrossOriginAnswer(
                    url: answer.url, origin: answer.origin, status: answer.status,
                    headers: answer.headers.map { ($0.name, $0.value) }, start: answer.start)
            })
    }
}
