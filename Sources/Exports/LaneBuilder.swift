import CastModel
import Plays
public import Recording
public import Report

/// Lanes from plays and from what was observed, where what each play did at a moment is not asked for.
public enum LaneBuilder {
    /// The spans of one device within a period.
    ///
    /// - Parameters:
    ///   - plays: Those that touch the period, in the order in which they began.
    ///   - observation: In the order of time.
    public static func spans(
        of device: ExportDevice, plays: [PlayFields], observation: [ObservationSpan], in heading: ExportHeading,
        from: WallTime, to: WallTime
    ) -> [LaneSpan] {
        var known = Observation()
        for span in observation { known.add(span) }
        var layers = Layers<PlayFields>(from: from)
        var pieces: [Layers<PlayFields>.Piece] = []
        for fields in plays where fields.play.startedAt < to {
            let end = min(fields.play.endedAt ?? fields.play.countedAt, to)
            pieces += layers.add(fields, from: fields.play.startedAt, to: end)
        }
        pieces += layers.advance(to: to)
        return pieces.flatMap { piece -> [LaneSpan] in
            let parts =
                piece.from == piece.to
                ? [Observation.Part(from: piece.from, to: piece.to, missed: .nothing, reason: nil)]
                : known.parts(from: piece.from, to: piece.to)
            return parts.compactMap { part in
                var span = LaneSpan(deviceID: device.deviceID, from: part.from, to: part.to, activity: .idle)
                switch part.missed {
                case .device, .media:
                    span.activity = .unobserved
                    span.reason = part.reason
                    return span
                case .nothing, nil:
                    guard let fields = piece.item else { return part.missed == nil ? nil : span }
                    let wording = PlayWording(fields: fields, apps: heading.apps)
                    span.activity = .unknown
                    span.app = wording.app
                    span.title = wording.headline
                    return span
                }
            }
        }
    }
}
