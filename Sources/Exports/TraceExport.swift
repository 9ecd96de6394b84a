import CastModel
import Differ
import Plays
import Recording
import Report

/// A trace that Perfetto and Chrome open: a process per device, with lanes for its app, media, player state, tracks,
/// text track style, gaps, changes and conflicts, and a counter for its volume.
///
/// Slices end where the device was no longer observed, and begin again behind that. Of each device give first what was
/// observed, then the rest, each kind in the order of time.
public struct TraceExport: ExportWriter {
    private var heading = ExportHeading.unknown
    private var text = TraceText()
    private var device: DeviceTrace?
    private var devices = 0
    private var arrows = 0

    /// An empty trace.
    public init() {}

    /// The beginning, with the period.
    public mutating func begin(_ heading: ExportHeading) -> String {
        self.heading = heading
        let facts: JSONValue = [
            "from": .string(heading.zone.text(heading.from)), "to": .string(heading.zone.text(heading.to)),
            "zone": .string(heading.zone.name), "program": .string(heading.program),
        ]
        return "{\"displayTimeUnit\":\"ms\",\"otherData\":\(facts.text),\"traceEvents\":["
    }

    /// What a row adds.
    public mutating func add(_ row: ExportRow) -> String {
        switch row {
        case .device(let next):
            var written = device?.finish(&text) ?? ""
            devices += 1
            device = DeviceTrace(pid: devices, heading: heading)
            written += device?.names(next, &text) ?? ""
            return written
        case .observation(let span): return device?.add(span, &text) ?? ""
        case .conflict(let mark):
            arrows += 1
            return device?.add(mark, number: arrows, &text) ?? ""
        case .event(let fields): return device?.add(fields, &text) ?? ""
        case .play(let fields): return device?.add(fields, &text) ?? ""
        case .gap, .conflictFields, .day, .lane: return ""
        }
    }

    /// The rest of the last device, and the end.
    public mutating func end() -> String {
        let rest = device?.finish(&text) ?? ""
        device = nil
        return rest + "\n]}\n"
    }
}

/// The lanes of one device.
private struct DeviceTrace {
    private let pid: Int
    private let heading: ExportHeading
    private var observation = Observation()
    private var media: Layers<PlayFields>
    private var lanes: [TraceLane: StateLane] = [:]
    private var conflictLanes: [String: (tid: Int, layers: Layers<ConflictMark>)] = [:]

    init(pid: Int, heading: ExportHeading) {
        self.pid = pid
        self.heading = heading
        media = Layers(from: heading.from)
    }

    func names(_ device: ExportDevice, _ text: inout TraceText) -> String {
        var written = text.metadata("process_name", pid: pid, "name", .string(device.label))
        written += text.metadata("process_labels", pid: pid, "labels", .string(device.deviceID.text))
        written += text.metadata("process_sort_index", pid: pid, "sort_index", .integer(Int64(pid)))
        for lane in TraceLane.allCases where lane != .conflicts {
            written += name(lane.rawValue, lane.name, &text)
        }
        return written
    }

    private func name(_ tid: Int, _ name: String, _ text: inout TraceText) -> String {
        text.metadata("thread_name", pid: pid, tid: tid, "name", .string(name))
            + text.metadata("thread_sort_index", pid: pid, tid: tid, "sort_index", .integer(Int64(tid)))
    }

    mutating func add(_ span: ObservationSpan, _ text: inout TraceText) -> String {
        observation.add(span)
        let (from, to) = (max(span.from, heading.from), min(span.to, heading.to))
        guard span.missed != .nothing, from < to else { return "" }
        return text.slice(
            (span.missed == .media ? "media: " : "") + (span.reason ?? "unknown"), category: "gap", pid: pid,
            tid: TraceLane.observation.rawValue, from: from, to: to,
            JSONObject([("missed", .string(span.missed.rawValue))]))
    }

    mutating func add(_ mark: ConflictMark, number: Int, _ text: inout TraceText) -> String {
        var written = ""
        if conflictLanes[mark.kind] == nil {
            let tid = TraceLane.conflicts.rawValue + conflictLanes.count
            written += name(tid, "Conflicts: \(mark.kind)", &text)
            conflictLanes[mark.kind] = (tid, Layers(from: WallTime(microseconds: 0)))
        }
        let pieces = conflictLanes[mark.kind]?.layers.add(mark, from: mark.from, to: mark.to) ?? []
        written += pieces.map { slice(of: $0, &text) }.joined()
        for (index, deed) in mark.evidence.enumerated() {
            // An arrow needs a slice to leave from.
            let end = WallTime(microseconds: deed.at.microseconds &+ 1)
            let lane = TraceLane.evidence.rawValue
            written += text.slice(
                mark.kind, category: "conflict", pid: pid, tid: lane, from: deed.at, to: end,
                JSONObject([("event", .string(deed.eventID.playName))]))
            guard mark.evidence.count > 1 else { continue }
            let phase = index == 0 ? "s" : index == mark.evidence.count - 1 ? "f" : "t"
            written += text.flow(phase, mark.kind, number: number, pid: pid, tid: lane, at: deed.at)
        }
        return written
    }

    private func slice(of piece: Layers<ConflictMark>.Piece, _ text: inout TraceText) -> String {
        guard let mark = piece.item, let lane = conflictLanes[mark.kind] else { return "" }
        return text.slice(
            mark.kind, category: "conflict", pid: pid, tid: lane.tid, from: piece.from, to: piece.to,
            JSONObject([("sentence", .string(mark.sentence)), ("score", .number(mark.score))]))
    }

    mutating func add(_ fields: EventFields, _ text: inout TraceText) -> String {
        let event = fields.event
        var written = text.instant(
            event.kind.rawValue, category: "change", pid: pid, tid: TraceLane.changes.rawValue, at: event.observedAt,
            JSONObject([
                ("sentence", .string(Timeline.sentence(for: event, apps: heading.apps))),
                ("attribution", .string(event.attribution.rawValue)), ("event", .string(event.id.playName)),
            ]))
        if event.kind == .deviceVolumeChanged, let level = event.after?["level"] {
            written += text.counter("Volume", pid: pid, at: event.observedAt, "level", level)
        }
        for change in StateChange.changes(of: event, heading.apps) {
            var lane = lanes[change.lane] ?? StateLane(from: heading.from)
            if let slice = lane.change(to: change.after, before: change.before, at: event.observedAt) {
                written += slices(change.lane, slice.value, from: slice.from, to: slice.to, &text)
            }
            lanes[change.lane] = lane
        }
        return written
    }

    mutating func add(_ fields: PlayFields, _ text: inout TraceText) -> String {
        let play = fields.play
        guard play.startedAt < heading.to else { return "" }
        let end = min(play.endedAt ?? play.countedAt, heading.to)
        return media.add(fields, from: play.startedAt, to: end).map { slices(of: $0, &text) }.joined()
    }

    private func slices(of piece: Layers<PlayFields>.Piece, _ text: inout TraceText) -> String {
        guard var fields = piece.item else { return "" }
        fields.zone = heading.zone
        let name = PlayWording(fields: fields, apps: heading.apps).headline
        let value = StateLane.Value(name: name, arguments: fields.object)
        guard piece.from < piece.to else {
            return text.slice(
                name, category: TraceLane.media.name, pid: pid, tid: TraceLane.media.rawValue, from: piece.from,
                to: piece.to, value.arguments)
        }
        return slices(.media, value, from: piece.from, to: piece.to, &text)
    }

    /// A stretch of a lane, without what was not observed in it.
    private func slices(
        _ lane: TraceLane, _ value: StateLane.Value, from: WallTime, to: WallTime, _ text: inout TraceText
    ) -> String {
        var shown: [(from: WallTime, to: WallTime)] = []
        for part in observation.parts(from: from, to: to) {
            guard part.missed != .device, !(lane.isOfMedia && part.missed == .media) else { continue }
            if let last = shown.last, last.to == part.from {
                shown[shown.count - 1].to = part.to
            } else {
                shown.append((part.from, part.to))
            }
        }
        return shown.map { part in
            text.slice(
                value.name, category: lane.name, pid: pid, tid: lane.rawValue, from: part.from, to: part.to,
                value.arguments)
        }.joined()
    }

    mutating func finish(_ text: inout TraceText) -> String {
        let end = min(observation.end ?? heading.to, heading.to)
        var written = ""
        for lane in TraceLane.allCases {
            guard let slice = lanes[lane]?.change(to: nil, before: nil, at: end) else { continue }
            written += slices(lane, slice.value, from: slice.from, to: slice.to, &text)
        }
        for piece in media.advance(to: heading.to) { written += slices(of: piece, &text) }
        for kind in conflictLanes.keys.sorted() {
            let pieces = conflictLanes[kind]?.layers.advance(to: WallTime(microseconds: .max)) ?? []
            for piece in pieces { written += slice(of: piece, &text) }
        }
        return written
    }
}
