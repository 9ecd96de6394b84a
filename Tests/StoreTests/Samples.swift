import CastModel
import Differ
import Recording

@testable import Store

/// 2026-03-01T20:00:00Z.
let eveningStart: Int64 = 1_772_395_200_000_000
let recorderOne = "11111111-1111-1111-1111-111111111111"
let recorderTwo = "22222222-2222-2222-2222-222222222222"

/// A change event, `second` seconds into the evening.
func sample(
    _ position: Int64, _ kind: ChangeEvent.Kind, ordinal: Int32 = 0, second: Double = 0, device: String = "tv1",
    app: String? = nil, media: Int64? = nil, attribution: ChangeEvent.Attribution = .receiver,
    requestID: Int64? = nil, callbacks: [ChangeEvent.Callback] = [], effective: Bool = true,
    before: JSONValue? = nil, after: JSONValue? = nil, positionSeconds: Double? = nil
) -> ChangeEvent {
    ChangeEvent(
        id: .init(position: ArchivePosition(position), ordinal: ordinal),
        observedAt: WallTime(microseconds: eveningStart + Int64(second * 1e6)), deviceID: DeviceID(device),
        appSessionID: app.map { AppSessionID($0) }, mediaSessionID: media, kind: kind, attribution: attribution,
        requestID: requestID, callbacks: callbacks, effective: effective, before: before, after: after,
        positionSeconds: positionSeconds)
}

extension ProjectionBatch {
    /// Events as a batch that ends at the last one's record.
    init(_ events: [ChangeEvent], after start: Int64 = 0) {
        let last = events.last
        self.init(
            startingAt: ArchivePosition(start), through: last?.id.position ?? ArchivePosition(start),
            throughTime: last?.observedAt ?? WallTime(microseconds: eveningStart), events: events)
    }
}

/// An evening on three devices, with gaps, replacements and restarts, in the order of an archive.
func evening() -> [ChangeEvent] {
    var events: [ChangeEvent] = []
    var position: Int64 = 0
    func add(
        _ kind: ChangeEvent.Kind, _ device: Int, app: String? = nil, media: Int64? = nil, _ after: JSONValue? = nil
    ) {
        position += 1
        events.append(
            sample(
                position, kind, second: Double(position), device: "tv\(device)", app: app, media: media,
                callbacks: media == nil ? [] : [.mediaStatus, .mediaMetadata], after: after))
    }
    for round in 0..<20 {
        for device in 1...3 {
            let app = "app-\(device)-\(round / 4)"
            if round == 0 { add(.deviceSeen, device, ["name": .string("TV \(device)"), "model": "Chromecast"]) }
            if round % 5 == 0 { add(.linkOpened, device, ["address": "192.0.2.1"]) }
            if round % 5 == 0 && round > 0 { add(.gapEnded, device) }
            if round % 4 == 0 { add(.appStarted, device, app: app, ["appId": "CC1AD845", "displayName": "Player"]) }
            add(.mediaSessionStarted, device, app: app, media: Int64(round), ["contentId": .string("film-\(round)")])
            add(.durationChanged, device, app: app, media: Int64(round), ["duration": 95.5])
            add(.playerStateChanged, device, app: app, media: Int64(round), ["playerState": "PLAYING"])
            if round % 3 == 0 {
                add(.mediaSessionEnded, device, app: app, media: Int64(round), ["idleReason": "FINISHED"])
            }
            if round % 4 == 3 { add(.appStopped, device, app: app) }
            if round % 5 == 4 { add(.linkClosed, device) }
            if round % 5 == 4 { add(.gapStarted, device, ["reason": "link_lost"]) }
        }
    }
    return events
}

/// Every derived table as COPY TO STDOUT prints it, in the order of its key.
func dump(_ connection: PostgresConnection) throws -> [String: [String]] {
    let tables = [
        "device": "device_id", "app_session": "device_id, app_session_id",
        "media_session": "device_id, app_session_id, media_session_id", "gap": "device_id, position, ordinal",
        "archive_segment": "first_position", "checkpoint": "recorder_id", "device_state": "device_id",
        "play": "device_id, started_at, recorder_id, position, ordinal", "play_state": "device_id",
        "conflict": "device_id, started_at, recorder_id, position, ordinal, kind", "conflict_state": "device_id",
        "play_span": "device_id, recorder_id, position, ordinal, number",
        "not_understood": "recorder_id, subject, namespace, word",
        "change_event": "device_id, observed_at, recorder_id, position, ordinal",
    ]
    var content: [String: [String]] = [:]
    for (table, order) in tables {
        // A row's text form is what COPY prints, with other separators.
        content[table] = try connection.execute("SELECT t::text FROM projection.\(table) t ORDER BY \(order)")
            .map { $0.text(0) ?? "" }
    }
    return content
}
