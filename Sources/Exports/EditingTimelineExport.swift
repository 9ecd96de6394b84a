import CastModel
import Differ
import Plays
import Recording
import Report

/// An editing timeline (OpenTimelineIO): one track per device, with a clip per play and gaps between.
///
/// A track is filled without holes. A play is cut where it was not observed, and where another one covers it; the
/// source range of each part tells how far into the play it begins. Conflicts are markers of the track. Times are
/// milliseconds since the beginning of the period.
/// Of each device give first what was observed, then the conflicts, then the plays in the order in which they began.
public struct EditingTimelineExport: ExportWriter {
    private var heading = ExportHeading.unknown
    private var track: DeviceTrack?
    private var tracks = 0

    /// An empty timeline.
    public init() {}

    /// The timeline, up to its first track.
    public mutating func begin(_ heading: ExportHeading) -> String {
        self.heading = heading
        let metadata: JSONValue = [
            "castledger": [
                "from": .string(heading.zone.text(heading.from)), "to": .string(heading.zone.text(heading.to)),
                "zone": .string(heading.zone.name), "program": .string(heading.program),
            ]
        ]
        let start = OTIO.time(heading.from.microseconds / 1000)
        return "{\"OTIO_SCHEMA\":\"Timeline.1\",\"name\":\"What was played\",\"metadata\":\(metadata.text),"
            + "\"global_start_time\":\(start.text),\"tracks\":{\"OTIO_SCHEMA\":\"Stack.1\",\"name\":\"devices\","
            + "\"metadata\":{},\"source_range\":null,\"effects\":[],\"markers\":[],\"enabled\":true,\"children\":["
    }

    /// What a row adds to the track of its device.
    public mutating func add(_ row: ExportRow) -> String {
        switch row {
        case .device(let device):
            let end = endTrack()
            track = DeviceTrack(heading: heading)
            tracks += 1
            return end + (tracks > 1 ? ",\n" : "\n") + trackBeginning(device)
        case .observation(let span):
            track?.observation.add(span)
            return ""
        case .conflict(let mark):
            track?.conflicts.append(mark)
            return ""
        case .play(let fields): return track?.add(fields) ?? ""
        case .event, .gap, .conflictFields, .day, .lane: return ""
        }
    }

    /// The rest of the last track and of the timeline.
    public mutating func end() -> String { endTrack() + "]}}\n" }

    private func trackBeginning(_ device: ExportDevice) -> String {
        let metadata: JSONValue = [
            "castledger": [
                "device_id": .string(device.deviceID.text),
                "device": device.deviceName.map { .string($0) } ?? .null,
            ]
        ]
        return "{\"OTIO_SCHEMA\":\"Track.1\",\"name\":\(JSONValue.string(device.label).text),\"kind\":\"Video\","
            + "\"metadata\":\(metadata.text),\"source_range\":null,\"effects\":[],\"enabled\":true,\"children\":["
    }

    private mutating func endTrack() -> String {
        guard var track else { return "" }
        self.track = nil
        let rest = track.finish()
        return rest + "],\"markers\":[\(track.markers.map(\.text).joined(separator: ","))]}"
    }
}

/// The track of one device.
private struct DeviceTrack {
    var observation = Observation()
    var conflicts: [ConflictMark] = []
    private let heading: ExportHeading
    private var layers: Layers<PlayFields>
    private var items = 0

    init(heading: ExportHeading) {
        self.heading = heading
        layers = Layers(from: heading.from)
    }

    mutating func add(_ fields: PlayFields) -> String {
        let play = fields.play
        guard play.startedAt < heading.to else { return "" }
        let end = min(play.endedAt ?? play.countedAt, heading.to)
        return layers.add(fields, from: play.startedAt, to: end).map { items(of: $0) }.joined()
    }

    mutating func finish() -> String { layers.advance(to: heading.to).map { items(of: $0) }.joined() }

    private mutating func items(of piece: Layers<PlayFields>.Piece) -> String {
        if piece.from == piece.to, let fields = piece.item { return clip(fields, piece, piece.from, piece.to) }
        return observation.parts(from: piece.from, to: piece.to).map { part in
            switch (piece.item, part.missed) {
            case (let fields?, .nothing), (let fields?, nil): clip(fields, piece, part.from, part.to)
            case (_, .device), (_, .media):
                gap(part, ["state": "unobserved", "missed": part.missed.json, "reason": part.reason.json])
            case (nil, .nothing): gap(part, ["state": "no_play"])
            case (nil, nil): gap(part, ["state": "unknown"])
            }
        }.joined()
    }

    private mutating func clip(
        _ fields: PlayFields, _ piece: Layers<PlayFields>.Piece, _ from: WallTime, _ to: WallTime
    ) -> String {
        var fields = fields
        fields.zone = heading.zone
        let skipped = OTIO.milliseconds(from) - OTIO.milliseconds(fields.play.startedAt)
        let length = OTIO.milliseconds(to) - OTIO.milliseconds(from)
        let clip: JSONValue = [
            "OTIO_SCHEMA": "Clip.2",
            "name": .string(PlayWording(fields: fields, apps: heading.apps).headline),
            "metadata": ["castledger": .object(fields.object)],
            "source_range": OTIO.range(from: max(0, skipped), length: length), "effects": [], "markers": [],
            "enabled": true,
            "media_references": [
                "DEFAULT_MEDIA": [
                    "OTIO_SCHEMA": "MissingReference.1", "name": "", "metadata": [:], "available_range": .null,
                    "available_image_bounds": .null,
                ]
            ], "active_media_reference_key": "DEFAULT_MEDIA",
        ]
        return separated(clip)
    }

    private mutating func gap(_ part: Observation.Part, _ words: JSONValue) -> String {
        let length = OTIO.milliseconds(part.to) - OTIO.milliseconds(part.from)
        return separated([
            "OTIO_SCHEMA": "Gap.1", "name": "", "metadata": ["castledger": words],
            "source_range": OTIO.range(from: 0, length: length), "effects": [], "markers": [], "enabled": true,
        ])
    }

    private mutating func separated(_ item: JSONValue) -> String {
        items += 1
        return (items > 1 ? ",\n" : "\n") + item.text
    }

    /// The conflicts, as far as they lie within the period.
    var markers: [JSONValue] {
        conflicts.filter { $0.from < heading.to && $0.to >= heading.from }.map { mark in
            let from = OTIO.milliseconds(max(mark.from, heading.from)) - OTIO.milliseconds(heading.from)
            let to = OTIO.milliseconds(min(mark.to, heading.to)) - OTIO.milliseconds(heading.from)
            return [
                "OTIO_SCHEMA": "Marker.2", "name": .string(mark.kind), "color": "RED",
                "comment": .string(mark.sentence), "marked_range": OTIO.range(from: from, length: max(1, to - from)),
                "metadata": [
                    "castledger": [
                        "kind": .string(mark.kind), "score": .number(mark.score),
                        "from": .string(heading.zone.text(mark.from)), "to": .string(heading.zone.text(mark.to)),
                        "evidence": .array(mark.evidence.map { .string($0.eventID.playName) }),
                    ]
                ],
            ]
        }
    }
}

/// What OpenTimelineIO calls time.
private enum OTIO {
    /// Rounded down, the same everywhere, so that what adjoins stays so.
    static func milliseconds(_ time: WallTime) -> Int64 { time.microseconds / 1000 }

    static func time(_ milliseconds: Int64) -> JSONValue {
        ["OTIO_SCHEMA": "RationalTime.1", "rate": 1000.0, "value": .number(Double(milliseconds))]
    }

    static func range(from: Int64, length: Int64) -> JSONValue {
        ["OTIO_SCHEMA": "TimeRange.1", "start_time": time(from), "duration": time(length)]
    }
}

extension ObservationSpan.Missed? {
    fileprivate var json: JSONValue { map { .string($0.rawValue) } ?? .null }
}

extension String? {
    fileprivate var json: JSONValue { map { .string($0) } ?? .null }
}
