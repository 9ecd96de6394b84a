import CastModel
import Differ
import Recording

/// Rows of `ledger.events` as change events.
enum EventReading {
    /// What came of a row.
    enum Outcome {
        case event(EventRow)
        /// A newer program stored it.
        case unknownKind
        /// A column has another type than ours: not our database.
        case malformed
    }

    /// The columns, in the order in which ``read(_:names:parser:)`` takes them.
    static let columns = """
        recorder_id::text, position, ordinal, observed_at, device_id, app_session_id, media_session_id, kind, \
        attribution, request_id, callbacks, effective, before, after, position_seconds, finding, sender_series
        """

    static func read(_ row: PostgresRow, names: [DeviceID: String], parser: JSONParser) -> Outcome {
        guard let recorder = row.text(0), let position = row.integer(1),
            let ordinal = row.integer(2).flatMap(Int32.init(exactly:)), let observedAt = row.time(3),
            let device = row.text(4).map(DeviceID.init), let kindName = row.text(7),
            let attributionName = row.text(8), let callbackNames = row.texts(10), let effective = row.bool(11)
        else { return .malformed }
        guard let kind = ChangeEvent.Kind(rawValue: kindName),
            let attribution = ChangeEvent.Attribution(rawValue: attributionName)
        else { return .unknownKind }
        let event = ChangeEvent(
            id: .init(position: ArchivePosition(position), ordinal: ordinal), observedAt: observedAt,
            deviceID: device, appSessionID: row.text(5).map(AppSessionID.init), mediaSessionID: row.integer(6),
            kind: kind, attribution: attribution, requestID: row.integer(9),
            senderSeries: row.integer(16).flatMap(Int32.init(exactly:)),
            callbacks: callbackNames.compactMap(ChangeEvent.Callback.init), effective: effective,
            before: json(row, 12, parser), after: json(row, 13, parser), positionSeconds: row.double(14))
        return .event(
            EventRow(recorderID: recorder, deviceName: names[device], event: event, finding: row.text(15)))
    }

    private static func json(_ row: PostgresRow, _ column: Int, _ parser: JSONParser) -> JSONValue? {
        guard let text = row.jsonText(column) else { return nil }
        // What ``Sanitizing`` lets through reads back; anything else is shown as PostgreSQL spells it.
        return (try? parser.parse(text)) ?? .string(String(decoding: text, as: UTF8.self))
    }
}
