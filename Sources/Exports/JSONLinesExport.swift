import CastModel
import Report

/// JSON Lines: a first object that names the schema, then one object per row.
public struct JSONLinesExport: ExportWriter {
    private let subject: ExportSubject
    private var heading = ExportHeading.unknown

    /// A file of rows of this kind.
    public init(_ subject: ExportSubject) { self.subject = subject }

    /// The object that names the schema.
    public mutating func begin(_ heading: ExportHeading) -> String {
        self.heading = heading
        let first: JSONValue = [
            "schema": .string(subject.schemaName),
            "from": .string(heading.zone.text(heading.from)),
            "to": .string(heading.zone.text(heading.to)), "zone": .string(heading.zone.name),
            "program": .string(heading.program),
        ]
        return first.text + "\n"
    }

    /// A line.
    public mutating func add(_ row: ExportRow) -> String {
        switch (subject, row) {
        case (.plays, .play(var fields)):
            fields.zone = heading.zone
            return fields.json + "\n"
        case (.events, .event(var fields)):
            fields.zone = heading.zone
            return fields.json() + "\n"
        case (.gaps, .gap(var fields)):
            fields.zone = heading.zone
            return fields.json + "\n"
        case (.conflicts, .conflictFields(var fields)):
            fields.zone = heading.zone
            return fields.json + "\n"
        default: return ""
        }
    }

    /// Nothing.
    public mutating func end() -> String { "" }
}
