import CastModel
import IO

/// One question that a dashboard of Grafana asks PostgreSQL, and what its panel makes of the answer.
struct GrafanaQuestion {
    /// What the answer is for: a panel's type, `annotation` or `variable`.
    var use: String
    var dashboard: String
    var title: String
    var sql: String
    var format: String
    /// Columns that the panel names elsewhere: in overrides and transformations.
    ///
    /// A name that no column has does nothing, silently.
    var namedColumns: [String]

    /// Where it stands, for messages.
    var place: String { "\(dashboard): \(title)" }

    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/dashboards/grafana"

    static func dashboards() throws -> [(file: String, content: JSONValue)] {
        try Files.names(in: folder).filter { $0.hasSuffix(".json") }.sorted().map { name in
            ("\(folder)/\(name)", try JSONParser().parse(Files.read("\(folder)/\(name)")))
        }
    }

    static func all() throws -> [GrafanaQuestion] {
        try dashboards().flatMap { file, content in
            let name = String(file.split(separator: "/").last ?? "")
            let panels = (content["panels"]?.array ?? []).flatMap { panel in
                asked(panel["targets"]?.array ?? [], of: panel, in: name)
            }
            let annotations = (content["annotations"]?["list"]?.array ?? []).map { annotation in
                GrafanaQuestion(
                    use: "annotation", dashboard: name, title: annotation["name"]?.string ?? "",
                    sql: annotation["target"]?["rawSql"]?.string ?? "",
                    format: annotation["target"]?["format"]?.string ?? "", namedColumns: [])
            }
            let variables = (content["templating"]?["list"]?.array ?? []).filter { $0["type"]?.string == "query" }
                .map { variable in
                    GrafanaQuestion(
                        use: "variable", dashboard: name, title: variable["name"]?.string ?? "",
                        sql: variable["query"]?.string ?? "", format: "table", namedColumns: [])
                }
            return panels + annotations + variables
        }
    }

    private static func asked(_ targets: [JSONValue], of panel: JSONValue, in dashboard: String) -> [GrafanaQuestion] {
        let overrides = (panel["fieldConfig"]?["overrides"]?.array ?? []).compactMap {
            $0["matcher"]?["options"]?.string
        }
        let partitions = (panel["transformations"]?.array ?? []).flatMap { $0["options"]?["fields"]?.array ?? [] }
        return targets.compactMap { target in
            guard let sql = target["rawSql"]?.string else { return nil }
            return GrafanaQuestion(
                use: panel["type"]?.string ?? "", dashboard: dashboard, title: panel["title"]?.string ?? "", sql: sql,
                format: target["format"]?.string ?? "", namedColumns: overrides + partitions.compactMap(\.string))
        }
    }

    /// The SQL as Grafana sends it: first the variables, as its page does, then the macros, as its PostgreSQL source does.
    func sent(from: String, to: String, devices: [String], zone: String = "Europe/Berlin", score: String = "0")
        -> String
    {
        func quoted(_ words: [String]) -> String {
            words.map { "'" + $0.replacing("'", with: "''") + "'" }.joined(separator: ",")
        }
        return sql.replacing("${device:sqlstring}", with: quoted(devices))
            .replacing("${zone:sqlstring}", with: quoted([zone])).replacing("${score:sqlstring}", with: quoted([score]))
            .replacing("$__interval", with: "1m")
            .replacing(/\$__timeGroup\(([^),]*), *1m\)/) { "floor(extract(epoch from \($0.output.1))/60)*60" }
            .replacing(/\$__timeFilter\(([^)]*)\)/) { "\($0.output.1) BETWEEN '\(from)' AND '\(to)'" }
            .replacing("$__timeFrom()", with: "'\(from)'").replacing("$__timeTo()", with: "'\(to)'")
    }
}
