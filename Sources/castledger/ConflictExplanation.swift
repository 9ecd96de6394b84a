import Arguments
import CastModel
import Conflicts
import Differ
import Recording
import Report
import Store

/// `castledger conflicts --explain`: why a conflict was told, and what happened around it, frame by frame in words.
struct ConflictExplanation {
    /// So much time is shown around a conflict, at least, and this much before and after it.
    private static let windowMicroseconds: Int64 = 30_000_000
    private static let marginMicroseconds: Int64 = 5_000_000

    private let context: CommandContext
    private let zone: Zone

    init(_ context: CommandContext, _ zone: Zone) {
        self.context = context
        self.zone = zone
    }

    func run(_ wanted: ConflictFilter, _ rules: ConflictRules) throws -> Int32 {
        var filter = LedgerFilter()
        filter.device = context.arguments.text(.deviceSought)
        return try Ledger.ask(context) { queries in
            let rows = try queries.conflicts(filter, wanted)
            for (index, row) in rows.enumerated() {
                if index > 0, !context.arguments.has(.json) { try context.output.line("") }
                try explain(row, queries, rules)
            }
            guard rows.isEmpty else { return ExitCode.done }
            Terminal.complain(["castledger: no conflict has that name; 'castledger conflicts' prints the names"])
            return ExitCode.nothing
        }
    }

    private func explain(_ row: ConflictRow, _ queries: LedgerQueries, _ rules: ConflictRules) throws {
        let conflict = row.conflict
        let fields = ConflictFields(conflict: conflict, recorderID: row.recorderID, deviceName: row.deviceName)
        let reasons = ConflictReasons(conflict, rules: rules).lines
        let events = try around(conflict, row.recorderID, queries)
        let evidence = Set(conflict.evidence)
        if context.arguments.has(.json) {
            var object = fields.object
            object["reasons"] = .array(reasons.map { .string($0) })
            object["events"] = .array(
                events.map { event in
                    [
                        "event": .string("\(event.id.position)/\(event.id.ordinal)"),
                        "observed_at": .string(event.observedAt.text),
                        "is_evidence": .bool(evidence.contains(event.id)),
                        "sentence": .string(Timeline.sentence(for: event)),
                    ]
                })
            return try context.output.line(JSONValue.object(object).text)
        }
        try context.output.line(fields.story(zone: zone))
        try context.output.line("")
        for reason in reasons { try context.output.line(reason) }
        try context.output.line("")
        let widest = events.map { "\($0.id.position)/\($0.id.ordinal)".count }.max() ?? 0
        for event in events {
            let name = "\(event.id.position)/\(event.id.ordinal)"
            let padding = String(repeating: " ", count: widest - name.count)
            try context.output.line(
                "\(evidence.contains(event.id) ? ">" : " ") \(zone.timeOfDay(event.observedAt))  \(name)\(padding)  "
                    + Timeline.sentence(for: event))
        }
        try context.output.line("")
        try context.output.line(
            "'>' marks the evidence. The frame behind a line: castledger frames --event "
                + "\(conflict.id.first.position)/\(conflict.id.first.ordinal)")
    }

    /// What happened on the device from a while before the conflict to a while after it.
    private func around(
        _ conflict: Conflict, _ recorderID: String, _ queries: LedgerQueries
    ) throws -> [ChangeEvent] {
        let length = conflict.to.microseconds.subtractingReportingOverflow(conflict.from.microseconds)
        let margin =
            length.overflow || length.partialValue > Self.windowMicroseconds
            ? Self.marginMicroseconds
            : max(Self.marginMicroseconds, (Self.windowMicroseconds - max(0, length.partialValue)) / 2)
        var filter = LedgerFilter()
        filter.device = conflict.deviceID.text
        filter.from = WallTime(microseconds: conflict.from.microseconds &- margin)
        filter.to = WallTime(microseconds: max(conflict.from, conflict.to).microseconds &+ margin)
        return try queries.events(filter).filter { $0.recorderID == recorderID }.map(\.event)
    }
}
