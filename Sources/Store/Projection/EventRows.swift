import CastModel
import Differ
import Recording

/// Change events as rows of `projection.change_event`, for COPY.
struct EventRows {
    /// The table and the columns, in the order in which rows are written.
    static let target = """
        projection.change_event (device_id, observed_at, recorder_id, position, ordinal, app_session_id, \
        media_session_id, kind, attribution, request_id, sender_series, callbacks, effective, before, after, position_seconds, \
        finding)
        """

    private(set) var rows = CopyRows()
    private(set) var outcome = ProjectionOutcome()
    private let recorder: [UInt8]

    /// - Parameter recorder: The recorder's id, as PostgreSQL's 16 bytes.
    init(recorder: [UInt8]) { self.recorder = recorder }

    /// Appends a change event, changed where it does not fit.
    mutating func append(_ event: ChangeEvent) {
        var changed = PostgresTime.clamped(event.observedAt) != event.observedAt
        let before = event.before.map { Sanitizing.json($0, changed: &changed) }
        let after = event.after.map { Sanitizing.json($0, changed: &changed) }
        appendNames(of: event, changed: &changed)
        rows.append(json: before)
        rows.append(json: after)
        rows.append(event.positionSeconds)
        rows.append(changed ? "changed to fit PostgreSQL; the archive has the original" : nil)
        outcome.events += 1
        if changed { outcome.sanitized += 1 }
    }

    /// Appends what remains of a change event that PostgreSQL refused.
    mutating func appendStub(of event: ChangeEvent, sqlState: String) {
        var changed = false
        appendNames(of: event, changed: &changed)
        rows.appendNull()
        rows.appendNull()
        rows.append(event.positionSeconds)
        rows.append("PostgreSQL refused the values (SQLSTATE \(sqlState)); the archive has them")
        outcome.events += 1
    }

    private mutating func appendNames(of event: ChangeEvent, changed: inout Bool) {
        rows.beginRow(fieldCount: 17)
        rows.append(Sanitizing.id(event.deviceID.text, changed: &changed))
        rows.append(event.observedAt)
        rows.append(binary: recorder)
        rows.append(event.id.position.number)
        rows.append(event.id.ordinal)
        rows.append(event.appSessionID.map { Sanitizing.id($0.text, changed: &changed) })
        rows.append(event.mediaSessionID)
        rows.append(event.kind.rawValue)
        rows.append(event.attribution.rawValue)
        rows.append(event.requestID)
        rows.append(event.senderSeries)
        rows.append(event.callbacks.map(\.rawValue))
        rows.append(event.effective)
    }
}
