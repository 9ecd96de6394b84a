import Report

/// Comma-separated values (RFC 4180): one kind of row, each with the names of its JSON form, after a heading.
///
/// The heading stands there also when nothing follows it.
public struct CSVExport: ExportWriter {
    private let subject: ExportSubject
    private var heading = ExportHeading.unknown

    /// A file of rows of this kind.
    public init(_ subject: ExportSubject) { self.subject = subject }

    /// The names.
    public mutating func begin(_ heading: ExportHeading) -> String {
        self.heading = heading
        return switch subject {
        case .plays: PlayFields.csvHeading
        case .events: EventFields.csvHeading
        case .gaps: UnobservedFields.csvHeading
        case .conflicts: ConflictFields.csvHeading
        }
    }

    /// A line.
    public mutating func add(_ row: ExportRow) -> String {
        switch (subject, row) {
        case (.plays, .play(var fields)):
            fields.zone = heading.zone
            return fields.csv
        case (.events, .event(var fields)):
            fields.zone = heading.zone
            return fields.csv
        case (.gaps, .gap(var fields)):
            fields.zone = heading.zone
            return fields.csv
        case (.conflicts, .conflictFields(var fields)):
            fields.zone = heading.zone
            return fields.csv
        default: return ""
        }
    }

    /// Nothing.
    public mutating func end() -> String { "" }
}
