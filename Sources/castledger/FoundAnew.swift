import CastModel
import Conflicts
import Differ
import Recording
import Store

/// Works the conflicts of a period out anew, with rules of somebody's own.
///
/// What ran when the period began is learnt from the hour before it.
struct FoundAnew {
    private static let leadMicroseconds: Int64 = 3_600_000_000

    private let rules: ConflictRules

    init(_ rules: ConflictRules) { self.rules = rules }

    /// The conflicts that pass the filters, earliest first.
    ///
    /// Memory grows with them, not with the change events.
    func conflicts(
        _ queries: LedgerQueries, _ filter: LedgerFilter, _ wanted: ConflictFilter
    ) throws -> [ConflictRow] {
        var events = filter
        (events.limit, events.hours, events.plays) = (nil, nil, PlayFilter())
        events.from = filter.from.map {
            let (early, overflow) = $0.microseconds.subtractingReportingOverflow(Self.leadMicroseconds)
            return overflow ? $0 : WallTime(microseconds: early)
        }
        var ledgers: [String: ConflictLedger] = [:]
        var found: [String: ConflictRow] = [:]
        try queries.events(events) { row in
            for conflict in ledgers[row.recorderID, default: ConflictLedger(rules: rules)].fold(row.event) {
                found["\(row.recorderID) \(conflict.id.name)"] = ConflictRow(
                    recorderID: row.recorderID, deviceName: row.deviceName, conflict: conflict)
            }
            return true
        }
        var rows = found.values.filter { passes($0, filter, wanted) && !isSeenBefore($0, found) }
            .sorted { Self.order($0) < Self.order($1) }
        let spans = rows.map { (deviceID: $0.conflict.deviceID, from: $0.conflict.from, to: $0.conflict.to) }
        rows = try queries.passing(filter, spans).map { rows[$0] }
        return Array(rows.prefix(filter.limit ?? .max))
    }

    private static func order(_ row: ConflictRow) -> (WallTime, DeviceID, String, Conflict.ID) {
        (row.conflict.from, row.conflict.deviceID, row.recorderID, row.conflict.id)
    }

    private func passes(_ row: ConflictRow, _ filter: LedgerFilter, _ wanted: ConflictFilter) -> Bool {
        if let from = filter.from, row.conflict.to <= from { return false }
        if let to = filter.to, row.conflict.from >= to { return false }
        if let score = wanted.minScore, row.conflict.score < score { return false }
        return wanted.kinds.isEmpty || wanted.kinds.contains(row.conflict.id.kind)
    }

    /// A conflict that two recorders saw counts once, as in the view of those that are stored.
    private func isSeenBefore(_ row: ConflictRow, _ found: [String: ConflictRow]) -> Bool {
        guard Set(found.values.map(\.recorderID)).count > 1 else { return false }
        return found.values.contains { other in
            other.recorderID != row.recorderID && other.conflict.deviceID == row.conflict.deviceID
                && other.conflict.id.kind == row.conflict.id.kind
                && (other.conflict.from, other.recorderID) < (row.conflict.from, row.recorderID)
                && other.conflict.to >= row.conflict.from
        }
    }
}
