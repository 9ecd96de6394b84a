public import CastModel

/// The description of the interface (OpenAPI 3.1).
public enum OpenAPIDocument {
    /// The whole document.
    public static func json(version: String) -> JSONValue {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "CastLedger", "version": .string(version),
                "description": "What Cast devices did, and who caused it. Times are RFC 3339 in UTC with microseconds.",
                "license": ["name": "See the LICENSE of castledger", "identifier": "Apache-2.0"],
            ],
            "security": [[:], ["bearer": []], ["cookie": []]],
            "paths": .object(JSONObject(routes.map { (key: $0.template, value: path($0)) })),
            "components": [
                "schemas": .object(JSONObject(schemas)),
                "securitySchemes": [
                    "bearer": ["type": "http", "scheme": "bearer"],
                    "cookie": ["type": "apiKey", "in": "cookie", "name": .string(AccessRules.cookieName)],
                ],
            ],
        ]
    }

    /// One of each route that programs use.
    static let routes: [Route] = [
        .now, .devices, .device("id"), .timeline, .plays, .play("id"), .events, .event("id"), .conflicts,
        .conflict("id"), .coverage, .report("as-run"), .export("csv"), .changes, .status, .openAPI, .health, .metrics,
    ]

    private static func path(_ route: Route) -> JSONValue {
        var parameters = route.parameters.map { parameter -> JSONValue in
            [
                "name": .string(parameter.name), "in": "query", "description": .string(parameter.summary),
                "schema": parameter.isRepeatable ? ["type": "array", "items": parameter.schema] : parameter.schema,
                "required": false,
            ]
        }
        if let name = placeholder(route) {
            // Of reports and exports the names are known.
            var schema: JSONValue = ["type": "string", "minLength": 1, "maxLength": 200]
            if case .export = route {
                schema = ["type": "string", "enum": .array(Route.exportForms.map { .string($0) })]
            }
            parameters.insert(
                ["name": .string(name), "in": "path", "required": true, "schema": schema], at: 0)
        }
        var responses: [(key: String, value: JSONValue)] = [("200", answer(route))]
        for (code, summary) in refusals(route) {
            responses.append(
                (
                    code,
                    [
                        "description": .string(summary),
                        "content": [
                            "application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]
                        ],
                    ]
                ))
        }
        let operation: JSONValue = [
            "operationId": .string(operationName(route)), "summary": .string(summary(route)),
            "parameters": .array(parameters), "responses": .object(JSONObject(responses)),
        ]
        return .object(JSONObject([(key: route.method.lowercased(), value: operation)]))
    }

    private static func placeholder(_ route: Route) -> String? {
        guard let start = route.template.firstIndex(of: "{") else { return nil }
        return String(route.template[route.template.index(after: start)...].dropLast())
    }

    private static func operationName(_ route: Route) -> String {
        route.template.split { !$0.isLetter }.filter { $0 != "api" && $0 != "v" }.joined(separator: "_")
    }

    private static func refusals(_ route: Route) -> [(String, String)] {
        var found: [(String, String)] = []
        if route == .health { return [] }
        found.append(("400", "The query has a mistake."))
        found.append(("401", "A token is needed."))
        if placeholder(route) != nil || route.parameters.contains(.device) {
            found.append(("404", "There is no such thing."))
        }
        if route.parameters.contains(.recorder) { found.append(("409", "Several recorders have one of that name.")) }
        found.append(("414", "The target is too long."))
        found.append(("421", "The Host header names somebody else."))
        found.append(("503", "The database does not answer."))
        found.append(("504", "The database took too long."))
        return found
    }

    private static func summary(_ route: Route) -> String {
        switch route {
        case .now: "What each device does at this moment."
        case .devices: "All devices."
        case .device: "One device, by id or name."
        case .timeline: "What each device did over a stretch of time. Default: the last 24 hours."
        case .plays: "What was played, page by page."
        case .play: "One play, by its name, such as 812/0 (also as 812%2F0)."
        case .events: "Change events, page by page."
        case .event: "One change event, by its name, such as 812/0 (also as 812%2F0)."
        case .conflicts: "Who undid whom, page by page."
        case .conflict: "One conflict, by its name, such as 812/0/volume_fight."
        case .coverage: "How much of each device and day was observed. Default: the last seven days."
        case .export: "What was played, as a file for other programs."
        case .report:
            "A report, as JSON Lines or CSV: what was played, how devices spent their days, who did what, sums."
        case .changes: "Changes as they come, as server-sent events: change, play, conflict and status."
        case .status: "How the recorder is, and what is stored."
        case .openAPI: "This document."
        case .health: "Whether the program is well."
        case .metrics: "Figures for Prometheus."
        case .page, .login, .logout: ""
        }
    }

    private static func answer(_ route: Route) -> JSONValue {
        func content(_ type: String, _ schema: JSONValue) -> JSONValue {
            ["description": "The answer.", "content": .object(JSONObject([(key: type, value: ["schema": schema])]))]
        }
        func one(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/" + name)] }
        func list(_ name: String) -> JSONValue {
            [
                "type": "object", "additionalProperties": false, "required": ["items", "next"],
                "properties": [
                    "items": ["type": "array", "items": one(name)],
                    "next": ["anyOf": [["type": "string"], ["type": "null"]]],
                ],
            ]
        }
        let json = "application/json"
        return switch route {
        case .now: content(json, list("Now"))
        case .devices: content(json, list("Device"))
        case .device: content(json, one("Device"))
        case .timeline: content(json, one("Timeline"))
        case .plays: content(json, list("Play"))
        case .play: content(json, one("PlayDetail"))
        case .events: content(json, list("Event"))
        case .event: content(json, one("Moment"))
        case .conflicts: content(json, list("Conflict"))
        case .conflict: content(json, one("ConflictDetail"))
        case .coverage: content(json, list("Coverage"))
        case .status, .openAPI: content(json, ["type": "object"])
        case .changes: content("text/event-stream", ["type": "string"])
        case .health, .metrics: content("text/plain", ["type": "string"])
        case .export, .report:
            [
                "description": "The file.",
                "content": .object(JSONObject(fileTypes.map { (key: $0, value: ["schema": [:]]) })),
            ]
        case .page, .login, .logout: ["description": "The answer."]
        }
    }

    /// The media types of files.
    static let fileTypes = [
        "text/csv", "application/jsonl", "text/calendar", "application/json", "application/xml", "text/html",
    ]
}
