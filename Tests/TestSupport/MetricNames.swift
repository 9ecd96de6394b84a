import CastModel
import IO

/// The names of metrics, where they are used and where they are documented.
public enum MetricNames {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// Those that the table of `docs/metrics.md` has.
    public static func documented() throws -> Set<String> {
        let rows = try text("docs/metrics.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        return Set(rows.flatMap { row in row.split(separator: "|").first.map { names(in: $0) } ?? [] })
    }

    /// Those that panels of dashboards and rules for Prometheus ask for.
    public static func inDashboardsAndRules() throws -> Set<String> {
        var found = names(in: try text("deploy/prometheus/castledger.rules.yml"))
        for file in try Files.names(in: "\(root)/dashboards/grafana") where file.hasSuffix(".json") {
            let board = try JSONParser().parse(Files.read("\(root)/dashboards/grafana/\(file)"))
            for target in (board["panels"]?.array ?? []).flatMap({ $0["targets"]?.array ?? [] }) {
                found.formUnion(names(in: target["expr"]?.string ?? ""))
            }
        }
        return found
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try Files.read("\(root)/\(path)"), as: UTF8.self)
    }

    private static func names(in text: some StringProtocol) -> Set<String> {
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":")) }
        return Set(words.map { String($0) }.filter { $0.hasPrefix("castledger_") || $0.hasPrefix("process_") })
    }
}
