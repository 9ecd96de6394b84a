public import CastModel
public import Conflicts
import Differ
public import Recording

/// A conflict, with what a reader wants beside it.
public struct ConflictRow: Sendable, Equatable {
    /// The recorder that observed it; positions count per recorder.
    public var recorderID: String
    /// The device's present friendly name; nil when it never said one.
    public var deviceName: String?
    /// The conflict.
    public var conflict: Conflict

    /// A row, part by part.
    public init(recorderID: String, deviceName: String?, conflict: Conflict) {
        self.recorderID = recorderID
        self.deviceName = deviceName
        self.conflict = conflict
    }
}

/// Which conflicts a question is about, beside device and time.
public struct ConflictFilter: Sendable, Equatable {
    /// Only these kinds; empty for all.
    public var kinds: Set<Conflict.Kind> = []
    /// Only those at least so sure; nil for all.
    public var minScore: Double?
    /// Only the one with this name; nil for all.
    public var id: Conflict.ID?

    /// A filter that lets everything pass.
    public init() {}
}

/// Questions about conflicts.
extension LedgerQueries {
    /// Hands over the conflicts that touch the filter's time one by one, earliest first, until `each` returns false.
    ///
    /// `each` must not ask over the same connection. The kinds of the ledger's filter are of change events, and count
    /// nothing here.
    ///
    /// - Returns: How many were passed over because a newer program stored a kind that this one does not know.
    @discardableResult
    public func conflicts(
        _ filter: LedgerFilter = LedgerFilter(), _ wanted: ConflictFilter = ConflictFilter(),
        each: (ConflictRow) throws(StoreError) -> Bool
    ) throws(StoreError) -> Int {
        let doing = "reading conflicts"
        var statement = FilteredStatement("SELECT \(Self.conflictColumns) FROM ledger.conflicts")
        let names = try prepare(&statement, filter, started: "started_at", ended: "ended_at")
        requireTime(filter, of: &statement)
        require(during: filter.plays, of: &statement, row: "conflicts", span: "conflicts.span", hasAppSession: true)
        if !wanted.kinds.isEmpty {
            statement.require("kind = ANY ($::text[])", .texts(wanted.kinds.map(\.rawValue).sorted()))
        }
        if let score = wanted.minScore { statement.require("score >= $::text::double precision", .text("\(score)")) }
        if let id = wanted.id {
            statement.require("position = $", .integer(id.first.position.number))
            statement.require("ordinal = $::bigint", .integer(Int64(id.first.ordinal)))
            statement.require("kind = $", .text(id.kind.rawValue))
        }
        statement.finish(FilteredStatement.key(filter.page, withKind: true), page: filter.page, limit: filter.limit)
        var unknown = 0
        try connection.stream(statement.sql, statement.parameters, doing: doing) { row throws(StoreError) in
            guard let kindName = row.text(4) else { throw .unexpectedAnswer(doing: doing) }
            guard let kind = Conflict.Kind(rawValue: kindName) else {
                unknown += 1
                return true
            }
            guard let found = conflict(row, kind, names) else { throw .unexpectedAnswer(doing: doing) }
            return try each(found)
        }
        return unknown
    }

    /// All conflicts that pass the filter: use a limit, or ``conflicts(_:_:each:)``, where there may be many.
    public func conflicts(
        _ filter: LedgerFilter = LedgerFilter(), _ wanted: ConflictFilter = ConflictFilter()
    ) throws(StoreError) -> [ConflictRow] {
        var found: [ConflictRow] = []
        try conflicts(filter, wanted) { row throws(StoreError) in
            found.append(row)
            return true
        }
        return found
    }

    /// Which of some spans of devices pass what a filter says of hours and of plays, by their places among them, in order.
    public func passing(
        _ filter: LedgerFilter, _ spans: [(deviceID: DeviceID, from: WallTime, to: WallTime)]
    ) throws(StoreError) -> [Int] {
        guard let first = spans.map(\.from).min(), let last = spans.flatMap({ [$0.from, $0.to] }).max() else {
            return []
        }
        var statement = FilteredStatement(
            """
            SELECT s.place FROM unnest($1::text[], $2::text[]::timestamptz[], $3::text[]::timestamptz[])
                WITH ORDINALITY s (device_id, from_at, to_at, place)
            """,
            parameters: [
                .texts(spans.map(\.deviceID.text)), .texts(spans.map(\.from.text)), .texts(spans.map(\.to.text)),
            ])
        if let hours = filter.hours, !hours.isWholeWeek {
            let (first, last) = (statement.place(.time(first)), statement.place(.time(last)))
            let parts = Self.parts(
                hours, of: &statement, from: "\(first)::timestamptz",
                to: "\(last)::timestamptz + interval '1 microsecond'")
            statement.require(
                """
                EXISTS (SELECT FROM \(parts) WHERE h.span @> s.from_at
                    OR s.from_at < s.to_at AND h.span && tstzrange(s.from_at, s.to_at))
                """)
        }
        require(
            during: filter.plays, of: &statement, row: "s",
            span: "tstzrange(least(s.from_at, s.to_at), greatest(s.from_at, s.to_at), '[]')", hasAppSession: false)
        statement.finish(order: "s.place", limit: nil)
        return try rows(statement.sql, statement.parameters, doing: "choosing among what was found") { row in
            row.integer(0).map { Int($0) - 1 }
        }
    }

    private static let conflictColumns = """
        recorder_id::text, position, ordinal, device_id, kind, app_session_id, started_at, ended_at, score, undoings, \
        certain_undoings, evidence, evidence_count, actors, other_turns, before, after, sentence
        """

    private func conflict(
        _ row: PostgresRow, _ kind: Conflict.Kind, _ names: [DeviceID: String]
    ) -> ConflictRow? {
        guard let recorder = row.text(0), let position = row.integer(1),
            let ordinal = row.integer(2).flatMap(Int32.init(exactly:)), let device = row.text(3).map(DeviceID.init),
            let from = row.time(6), let to = row.time(7), let score = row.double(8), let undoings = row.integer(9),
            let certain = row.integer(10), let evidence = json(row, 11), let count = row.integer(12),
            let actors = json(row, 13), let others = row.integer(14), let sentence = row.text(17)
        else { return nil }
        let first = ChangeEvent.ID(position: ArchivePosition(position), ordinal: ordinal)
        var conflict = Conflict(
            id: Conflict.ID(first: first, kind: kind), deviceID: device,
            appSessionID: row.text(5).map(AppSessionID.init), from: from, to: to, score: score, undoings: undoings,
            certainUndoings: certain, evidence: Conflict.evidence(evidence), evidenceCount: count,
            actors: Conflict.actors(actors), before: json(row, 15), after: json(row, 16), sentence: sentence)
        conflict.otherTurns = others
        return ConflictRow(recorderID: recorder, deviceName: names[device], conflict: conflict)
    }

    private func json(_ row: PostgresRow, _ column: Int) -> JSONValue? {
        row.jsonText(column).flatMap { try? parser.parse($0) }
    }
}
