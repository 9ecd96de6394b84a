import CastModel
import TestSupport
import Testing
import WebCore

@testable import Web

// Goal: the description says what is answered, no more and no less.
// Method: ask every route that it describes, and hold the answer against its schema, where every field is required and no
// other is allowed.
@Suite("The description of the interface", .waits) struct DescriptionTests {
    /// A part of JSON Schema, as far as the description uses it.
    private struct Checker {
        let document: JSONValue

        func faults(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
            if let name = schema["$ref"]?.string?.split(separator: "/").last {
                guard let found = document["components"]?["schemas"]?[String(name)] else {
                    return ["\(place): no \(name)"]
                }
                return faults(value, found, at: place)
            }
            if let any = schema["anyOf"]?.array {
                let tries = any.map { faults(value, $0, at: place) }
                return tries.contains(where: \.isEmpty) ? [] : tries.first ?? []
            }
            var found: [String] = []
            if let type = schema["type"]?.string, !isOf(type, value) {
                found.append("\(place) is no \(type): \(value.text.prefix(80))")
            }
            if let words = schema["enum"]?.array, !words.contains(value) {
                found.append("\(place) is none of its words: \(value.text)")
            }
            if let items = schema["items"], let array = value.array {
                found += array.enumerated().flatMap { faults($1, items, at: "\(place)[\($0)]") }
            }
            guard let object = value.object, let properties = schema["properties"]?.object else { return found }
            for pair in properties.pairs {
                if let field = object[pair.key] {
                    found += faults(field, pair.value, at: "\(place).\(pair.key)")
                } else if schema["required"]?.array?.contains(.string(pair.key)) == true {
                    found.append("\(place).\(pair.key) is missing")
                }
            }
            if schema["additionalProperties"] == false {
                let known = Set(properties.pairs.map(\.key))
                found += object.pairs.filter { !known.contains($0.key) }.map { "\(place).\($0.key) is not described" }
            }
            return found
        }

        private func isOf(_ type: String, _ value: JSONValue) -> Bool {
            switch (type, value) {
            case ("string", .string), ("boolean", .bool), ("array", .array), ("object", .object), ("null", .null),
                ("integer", .integer), ("number", .integer), ("number", .number):
                true
            default: false
            }
        }
    }

    private static let questions: [(path: String, target: String)] = [
        ("/api/v1/now", "/api/v1/now"), ("/api/v1/devices", "/api/v1/devices"),
        ("/api/v1/devices/{id}", "/api/v1/devices/tv1"),
        ("/api/v1/timeline", "/api/v1/timeline?from=2026-03-01T20:00:00Z&to=2026-03-01T21:00:00Z"),
        ("/api/v1/plays", "/api/v1/plays"), ("/api/v1/plays/{id}", "/api/v1/plays/6/0"),
        ("/api/v1/events", "/api/v1/events"), ("/api/v1/events/{id}", "/api/v1/events/6/0"),
        ("/api/v1/conflicts", "/api/v1/conflicts"),
        ("/api/v1/conflicts/{id}", "/api/v1/conflicts/20/0/volume_fight"),
        ("/api/v1/coverage", "/api/v1/coverage?from=2026-03-01&to=2026-03-02"), ("/api/v1/status", "/api/v1/status"),
        ("/api/v1/openapi.json", "/api/v1/openapi.json"),
    ]

    @Test func `describes every field of every answer`() throws {
        let lab = try WebLab()
        try RowRouteTests.evening(lab)
        let document = try lab.json("/api/v1/openapi.json")
        let checker = Checker(document: document)
        for (path, target) in Self.questions {
            let schema = try #require(
                document["paths"]?[path]?["get"]?["responses"]?["200"]?["content"]?["application/json"]?["schema"],
                "\(path)")
            let answer = try lab.json(target)
            #expect(checker.faults(answer, schema, at: path) == [])
            if let items = answer["items"]?.array { #expect(!items.isEmpty, "\(path) shows nothing to compare") }
        }
        let described = Set(document["paths"]?.object?.pairs.map(\.key) ?? [])
        let asked = Set(Self.questions.map(\.path))
        #expect(
            described.subtracting(asked) == [
                "/api/v1/exports/{form}", "/api/v1/reports/{name}", "/api/v1/stream", "/healthz", "/metrics",
            ])
        let refused = try lab.get("/api/v1/plays?limit=0")
        let problem = try #require(document["components"]?["schemas"]?["Problem"])
        #expect(checker.faults(try JSONParser().parse(refused.body), problem, at: "problem") == [])
    }

    @Test func `describes every parameter that is understood`() throws {
        let document = OpenAPIDocument.json(version: "1")
        for (path, operations) in document["paths"]?.object?.pairs.map({ ($0.key, $0.value) }) ?? [] {
            for parameter in operations["get"]?["parameters"]?.array ?? [] {
                #expect(parameter["description"]?.string?.isEmpty == false || parameter["in"] == "path", "\(path)")
                #expect(parameter["schema"]?["type"] != nil, "\(path) \(parameter.text)")
            }
        }
        #expect(document["openapi"] == "3.1.0")
    }
}
