/// What can be asked for.
public enum Route: Sendable, Hashable {
    /// A file of the page; `index.html` at the root.
    case page(String)
    /// Whether the program is well.
    case health
    /// Figures for Prometheus.
    case metrics
    /// Changes a token into a cookie.
    case login
    /// Takes the cookie back.
    case logout
    /// The description of all this.
    case openAPI
    /// What each device does at this moment.
    case now
    /// All devices.
    case devices
    /// One of them, by id or name.
    case device(String)
    /// What each device did, over a stretch of time.
    case timeline
    /// What was played.
    case plays
    /// One play.
    case play(String)
    /// Change events.
    case events
    /// One change event, with all that is known of it.
    case event(String)
    /// Who undid whom.
    case conflicts
    /// One conflict, and why it is one.
    case conflict(String)
    /// How much was observed.
    case coverage
    /// A report, by name.
    case report(String)
    /// A file for other programs, by its form.
    case export(String)
    /// Changes as they come.
    case changes
    /// How the recorder is, and what is stored.
    case status

    /// The forms of exports.
    public static let exportForms = ["csv", "jsonl", "ics", "otio", "perfetto", "xmltv", "html"]
    /// The names of reports.
    public static let reportNames = ["as-run", "uptime", "audit", "totals"]

    /// The route of a path; nil when there is none.
    public init?(path: [String]) {
        guard let first = path.first else {
            self = .page("index.html")
            return
        }
        switch (first, path.count) {
        case ("healthz", 1): self = .health
        case ("metrics", 1): self = .metrics
        case ("login", 1): self = .login
        case ("logout", 1): self = .logout
        case ("assets", 2): self = .page(path[1])
        case ("favicon.ico", 1): self = .page("favicon.svg")
        case ("api", 3...) where path[1] == "v1":
            guard let route = Self.ofInterface(path[2], path.dropFirst(3).joined(separator: "/")) else { return nil }
            self = route
        default: return nil
        }
    }

    private static func ofInterface(_ noun: String, _ rest: String) -> Route? {
        if rest.isEmpty {
            return [
                "openapi.json": .openAPI, "now": .now, "devices": .devices, "timeline": .timeline, "plays": .plays,
                "events": .events, "conflicts": .conflicts, "coverage": .coverage, "stream": .changes,
                "status": .status,
            ][noun]
        }
        switch noun {
        case "devices": return .device(rest)
        case "plays": return .play(rest)
        case "events": return .event(rest)
        case "conflicts": return .conflict(rest)
        case "reports": return reportNames.contains(rest) ? .report(rest) : nil
        case "exports": return exportForms.contains(rest) ? .export(rest) : nil
        default: return nil
        }
    }

    /// The path with `{…}` where it varies.
    public var template: String {
        switch self {
        case .page("index.html"): "/"
        case .page: "/assets/{name}"
        case .health: "/healthz"
        case .metrics: "/metrics"
        case .login: "/login"
        case .logout: "/logout"
        case .openAPI: "/api/v1/openapi.json"
        case .now: "/api/v1/now"
        case .devices: "/api/v1/devices"
        case .device: "/api/v1/devices/{id}"
        case .timeline: "/api/v1/timeline"
        case .plays: "/api/v1/plays"
        case .play: "/api/v1/plays/{id}"
        case .events: "/api/v1/events"
        case .event: "/api/v1/events/{id}"
        case .conflicts: "/api/v1/conflicts"
        case .conflict: "/api/v1/conflicts/{id}"
        case .coverage: "/api/v1/coverage"
        case .report: "/api/v1/reports/{name}"
        case .export: "/api/v1/exports/{form}"
        case .changes: "/api/v1/stream"
        case .status: "/api/v1/status"
        }
    }

    /// The one method besides OPTIONS that it takes; HEAD goes with GET.
    public var method: String {
        switch self {
        case .login, .logout: "POST"
        default: "GET"
        }
    }

    /// Whether everybody may see it who knows where we are: what a browser needs to ask for the token.
    public var isPublic: Bool {
        switch self {
        case .page, .login, .logout, .health: true
        default: false
        }
    }

    /// The names of the parameters that it understands.
    public var parameters: [Parameter] {
        let places: [Parameter] = [.device, .group, .site, .from, .to, .zone, .between, .weekday]
        let plays: [Parameter] = [.app, .title, .endReason, .startCause, .min]
        let pages: [Parameter] = [.limit, .after]
        switch self {
        case .page, .health, .metrics, .login, .logout, .openAPI, .devices, .device, .status: return []
        case .now: return [.device]
        case .timeline: return [.device, .from, .to, .zone, .resolution]
        case .plays: return places + plays + pages + [.sort]
        case .events: return places + [.kind, .order] + pages
        case .play, .event, .conflict: return [.recorder]
        case .conflicts: return [.device, .group, .site, .from, .to, .zone, .conflictKind, .minScore, .order] + pages
        case .coverage: return [.device, .from, .to, .zone]
        case .report: return places + plays + [.format]
        case .export: return places + plays + [.what]
        case .changes: return [.device, .resumeAfter]
        }
    }
}
