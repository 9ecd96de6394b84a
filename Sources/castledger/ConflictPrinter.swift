import CastModel
import Conflicts
import Differ
import Recording
import Report

/// Prints the conflicts that change events make, all at the end: a fight may go on until then.
///
/// Memory grows with the conflicts, not with the messages.
struct ConflictPrinter: ExplanationPrinter {
    /// How they are printed.
    enum Form {
        /// A table with a heading.
        case table
        /// One object per line.
        case json
        /// One sentence each, behind a story that stands before; nothing where there is none.
        case postscript
    }

    /// What a conflict is known by: devices of several archives may share a position.
    private struct Key: Hashable {
        var deviceID: DeviceID
        var recorderID: String
        var id: Conflict.ID
    }

    private let form: Form
    private let zone: Zone
    private let output: StandardOutput
    private let rules: ConflictRules
    private var ledgers: [String: ConflictLedger] = [:]
    private var found: [Key: ConflictFields] = [:]

    var count: Int { found.count }

    init(_ form: Form, rules: ConflictRules, zone: Zone, output: StandardOutput) {
        self.form = form
        self.rules = rules
        self.zone = zone
        self.output = output
    }

    mutating func emit(_ event: ChangeEvent, recorderID: String, deviceName: String?) throws {
        for conflict in ledgers[recorderID, default: ConflictLedger(rules: rules)].fold(event) {
            let key = Key(deviceID: conflict.deviceID, recorderID: recorderID, id: conflict.id)
            found[key] = ConflictFields(conflict: conflict, recorderID: recorderID, deviceName: deviceName)
        }
    }

    mutating func finish() throws {
        let rows = found.values.sorted { Self.order($0) < Self.order($1) }
        guard !rows.isEmpty else { return }
        switch form {
        case .json: for row in rows { try output.line(row.json) }
        case .table:
            let table = Table(ConflictFields.columns, rows: rows.map { $0.row(zone: zone) })
            for line in table.lines(widthColumns: Terminal.widthColumns) { try output.line(line) }
        case .postscript:
            try output.line("")
            for row in rows {
                try output.line(
                    "\(row.conflict.id.name), score \(Figures.decimal(row.conflict.score)): \(row.story(zone: zone))")
            }
        }
    }

    private static func order(_ row: ConflictFields) -> (WallTime, DeviceID, String, Conflict.ID) {
        (row.conflict.from, row.conflict.deviceID, row.recorderID, row.conflict.id)
    }
}

/// Prints a story, and below it who undid whom in it.
struct StoryPrinter: ExplanationPrinter {
    private var story: EventPrinter
    private var conflicts: ConflictPrinter

    var count: Int { story.count }

    init(_ story: EventPrinter, _ conflicts: ConflictPrinter) {
        self.story = story
        self.conflicts = conflicts
    }

    mutating func emit(_ event: ChangeEvent, recorderID: String, deviceName: String?) throws {
        try story.emit(event, recorderID: recorderID, deviceName: deviceName)
        try conflicts.emit(event, recorderID: recorderID, deviceName: deviceName)
    }

    mutating func finish() throws {
        try story.finish()
        try conflicts.finish()
    }
}
