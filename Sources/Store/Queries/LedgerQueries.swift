import CastModel
import Differ
import Recording

/// Questions to the ledger, answered from its views only, so that the role `castledger_reader` suffices.
///
/// Belongs to the thread of its connection.
public final class LedgerQueries {
    let connection: PostgresConnection
    // What the database gives back was wrapped by the differ, so it may nest deeper than a payload.
    let parser = JSONParser(depthLimit: 2 * JSONParser.depthLimit)

    /// Asks over this connection.
    ///
    /// Throws `noLedger` when nobody has recorded into the database yet.
    public init(connection: PostgresConnection) throws(StoreError) {
        self.connection = connection
        let found = try connection.execute(
            "SELECT to_regclass('ledger.events') IS NOT NULL", doing: "looking for the ledger")
        guard found.first?.bool(0) == true else { throw StoreError.noLedger }
    }

    /// All devices, by name, those without one last.
    public func devices() throws(StoreError) -> [DeviceRow] {
        try rows(
            """
            SELECT device_id, name, model, address, state, first_seen_at, last_heard_at, recorder_id::text,
                (SELECT min(reason) FROM ledger.gaps g WHERE g.device_id = d.device_id
                    AND g.recorder_id = d.recorder_id AND g.ended_at IS NULL)
            FROM ledger.devices d ORDER BY lower(name) NULLS LAST, device_id
            """, doing: "reading the devices"
        ) { row in
            guard let device = row.text(0), let reach = row.text(4).flatMap(DeviceRow.Reach.init),
                let firstSeenAt = row.time(5), let lastHeardAt = row.time(6), let recorder = row.text(7)
            else { return nil }
            return DeviceRow(
                deviceID: DeviceID(device), name: row.text(1), model: row.text(2), address: row.text(3), reach: reach,
                firstSeenAt: firstSeenAt, lastHeardAt: lastHeardAt, recorderID: recorder, gapReason: row.text(8))
        }
    }

    /// The one device that a person means, by its id or its name in any case.
    ///
    /// - Throws: `unknownDevice` with names that come close, or `ambiguousDevice` with the ids of those so called.
    public func device(_ spelling: String) throws(StoreError) -> DeviceRow {
        try DeviceLookup.find(spelling, among: devices())
    }

    /// Hands over change events one by one, earliest first, until `each` returns false.
    ///
    /// The order is moment, recorder, position, ordinal. `each` must not ask over the same connection.
    ///
    /// - Returns: How many events were passed over because a newer program stored a kind that this one does not know.
    @discardableResult
    public func events(
        _ filter: LedgerFilter = LedgerFilter(), each: (EventRow) throws(StoreError) -> Bool
    ) throws(StoreError) -> Int {
        let doing = "reading change events"
        var statement = FilteredStatement("SELECT \(EventReading.columns) FROM ledger.events")
        let names = try prepare(&statement, filter, started: "observed_at", ended: nil)
        if !filter.kinds.isEmpty {
            statement.require("kind = ANY ($::text[])", .texts(filter.kinds.map(\.rawValue).sorted()))
        }
        require(
            during: filter.plays, of: &statement, row: "events",
            span: "tstzrange(events.observed_at, events.observed_at, '[]')", hasAppSession: true)
        statement.finish(FilteredStatement.eventKey(filter.page), page: filter.page, limit: filter.limit)
        var unknown = 0
        try connection.stream(statement.sql, statement.parameters, doing: doing) { row throws(StoreError) in
            switch EventReading.read(row, names: names, parser: parser) {
            case .event(let event): return try each(event)
            case .unknownKind:
                unknown += 1
                return true
            case .malformed: throw .unexpectedAnswer(doing: doing)
            }
        }
        return unknown
    }

    /// All change events that pass the filter: use a limit, or ``events(_:each:)``, where there may be many.
    public func events(_ filter: LedgerFilter) throws(StoreError) -> [EventRow] {
        var found: [EventRow] = []
        try events(filter) { row throws(StoreError) in
            found.append(row)
            return true
        }
        return found
    }

    /// Gaps that touch the filter's time, earliest first.
    public func gaps(_ filter: LedgerFilter = LedgerFilter()) throws(StoreError) -> [GapRow] {
        var statement = FilteredStatement(
            "SELECT recorder_id::text, device_id, started_at, ended_at, reason FROM ledger.gaps")
        let names = try prepare(&statement, filter, started: "started_at", ended: "ended_at")
        statement.finish(order: "started_at, device_id, recorder_id, position, ordinal", limit: filter.limit)
        return try rows(statement.sql, statement.parameters, doing: "reading gaps") { row in
            guard let recorder = row.text(0), let device = row.text(1).map(DeviceID.init),
                let startedAt = row.time(2), let reason = row.text(4)
            else { return nil }
            return GapRow(
                recorderID: recorder, deviceID: device, deviceName: names[device], startedAt: startedAt,
                endedAt: row.time(3), reason: reason)
        }
    }

    /// App sessions that touch the filter's time, earliest first.
    public func appSessions(_ filter: LedgerFilter = LedgerFilter()) throws(StoreError) -> [AppSessionRow] {
        var statement = FilteredStatement(
            """
            SELECT recorder_id::text, device_id, app_session_id, app_id, app_name, started_at, start_attribution,
                ended_at, end_reason
            FROM ledger.app_sessions
            """)
        let names = try prepare(&statement, filter, started: "started_at", ended: "ended_at")
        statement.finish(order: "started_at, device_id, app_session_id, recorder_id", limit: filter.limit)
        return try rows(statement.sql, statement.parameters, doing: "reading app sessions") { row in
            guard let recorder = row.text(0), let device = row.text(1).map(DeviceID.init),
                let appSession = row.text(2), let startedAt = row.time(5),
                let attribution = row.text(6).flatMap(ChangeEvent.Attribution.init)
            else { return nil }
            return AppSessionRow(
                recorderID: recorder, deviceID: device, deviceName: names[device],
                appSessionID: AppSessionID(appSession), appID: row.text(3).map(AppID.init), appName: row.text(4),
                startedAt: startedAt, startAttribution: attribution, endedAt: row.time(7), endReason: row.text(8))
        }
    }

    /// Media sessions that touch the filter's time, earliest first.
    public func mediaSessions(_ filter: LedgerFilter = LedgerFilter()) throws(StoreError) -> [MediaSessionRow] {
        var statement = FilteredStatement(
            """
            SELECT recorder_id::text, device_id, app_session_id, media_session_id, app_name, content_id, title,
                duration_seconds, started_at, start_attribution, ended_at, end_reason
            FROM ledger.media_sessions
            """)
        let names = try prepare(&statement, filter, started: "started_at", ended: "ended_at")
        statement.finish(
            order: "started_at, device_id, app_session_id, media_session_id, recorder_id", limit: filter.limit)
        return try rows(statement.sql, statement.parameters, doing: "reading media sessions") { row in
            guard let recorder = row.text(0), let device = row.text(1).map(DeviceID.init),
                let appSession = row.text(2), let mediaSession = row.integer(3), let startedAt = row.time(8),
                let attribution = row.text(9).flatMap(ChangeEvent.Attribution.init)
            else { return nil }
            return MediaSessionRow(
                recorderID: recorder, deviceID: device, deviceName: names[device],
                appSessionID: AppSessionID(appSession), mediaSessionID: mediaSession, appName: row.text(4),
                contentID: row.text(5), title: row.text(6), durationSeconds: row.double(7), startedAt: startedAt,
                startAttribution: attribution, endedAt: row.time(10), endReason: row.text(11))
        }
    }

    /// The recorders that write here, and how far each archive is applied.
    ///
    /// The lag of one is what its archive holds beyond its checkpoint.
    public func recorders() throws(StoreError) -> [RecorderRow] {
        try rows(
            """
            SELECT recorder_id::text, site, position, observed_at, events, sanitized_rows, refused_rows
            FROM ledger.recorders ORDER BY recorder_id
            """, doing: "reading the recorders"
        ) { row in
            guard let recorder = row.text(0), let position = row.integer(2), let events = row.integer(4),
                let sanitized = row.integer(5), let refused = row.integer(6)
            else { return nil }
            return RecorderRow(
                recorderID: recorder, site: row.text(1), checkpoint: ArchivePosition(position),
                checkpointAt: row.time(3), events: events, sanitized: sanitized, refused: refused)
        }
    }

    /// The rows of a question, each read by `read`.
    func rows<Row>(
        _ sql: String, _ parameters: [PostgresParameter] = [], doing: String, _ read: (PostgresRow) -> Row?
    ) throws(StoreError) -> [Row] {
        var found: [Row] = []
        try connection.stream(sql, parameters, doing: doing) { row throws(StoreError) in
            guard let value = read(row) else { throw .unexpectedAnswer(doing: doing) }
            found.append(value)
            return true
        }
        return found
    }
}
