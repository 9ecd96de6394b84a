import CastModel
import Recording

/// How a live range changes (PROTOCOL 4.3).
///
/// It moves all the time, so only these are changes: its coming, its going, its flags, and a moving window that does not
/// move as the clock does.
extension MediaSession {
    /// A live edge moves in steps of whole media segments, of up to ten seconds; beyond three of those it stands or jumps.
    static let liveEdgeToleranceSeconds = 30.0

    /// Folds the live range of a status.
    mutating func foldLiveRange(_ status: MediaStatus, _ arrival: MediaArrival, into events: inout EventCollector) {
        let told: JSONObject?
        switch status.liveSeekableRange {
        case .absent: return
        case .null: told = nil
        case .value(let range): told = Self.kept(range)
        }
        let edge = foldLiveEdge(told, arrival)
        defer { liveRange = told }
        let flags = ["isMovingWindow", "isLiveDone"]
        guard
            (told == nil) != (liveRange == nil) || edge != nil || flags.contains(where: { told?[$0] != liveRange?[$0] })
        else { return }
        func shown(_ range: JSONObject?, _ edge: String? = nil) -> JSONValue? {
            JSONObject(known: [("liveSeekableRange", range.map { .object($0) }), ("edge", edge.map { .string($0) })])
                .unlessEmpty
        }
        events.add(
            .liveRangeChanged, before: shown(liveRange), after: shown(told, edge), callbacks: [.mediaStatus])
    }

    /// Takes the live range of a first status.
    mutating func takeLiveRange(_ status: MediaStatus, _ arrival: MediaArrival) {
        liveRange = status.liveSeekableRange.ifPresent.map { Self.kept($0) }
        _ = foldLiveEdge(liveRange, arrival)
    }

    /// How far the window slid against the clock since the last status, in seconds; nil when nobody can tell.
    ///
    /// Some apps count positions from the start of the window, so the same place gets another number as it slides.
    func liveSlideSeconds(_ status: MediaStatus, since anchor: PositionAnchor, at now: MonotonicTime) -> Double? {
        guard let known = anchor.liveEndSeconds, let told = status.liveSeekableRange.ifPresent?.endSeconds.ifPresent
        else { return nil }
        return anchor.secondsUntil(now) - (told - known)
    }

    /// Takes the live edge, and says in a word what a moving window does otherwise than before.
    private mutating func foldLiveEdge(_ told: JSONObject?, _ arrival: MediaArrival) -> String? {
        guard let range = told.map({ LiveRange($0) }), let end = range.endSeconds.ifPresent,
            range.isMovingWindow.ifPresent == true, range.isLiveDone.ifPresent != true
        else {
            (liveEdge, liveEdgeStands) = (nil, false)
            return nil
        }
        let now = PositionAnchor(seconds: end, monotonic: arrival.monotonic, boot: arrival.boot)
        guard let known = liveEdge, known.boot == arrival.boot, !arrival.isFirst else {
            (liveEdge, liveEdgeStands) = (now, false)
            return nil
        }
        let elapsed = known.secondsUntil(arrival.monotonic)
        let moved = end - known.seconds
        if moved == 0 {
            guard !liveEdgeStands, elapsed > Self.liveEdgeToleranceSeconds else { return nil }
            liveEdgeStands = true
            return "stands"
        }
        defer { (liveEdge, liveEdgeStands) = (now, false) }
        if liveEdgeStands { return "moves" }
        return (moved - elapsed).magnitude > Self.liveEdgeToleranceSeconds ? "jumped" : nil
    }

    private static func kept(_ range: LiveRange) -> JSONObject {
        range.json.only(["start", "end", "isMovingWindow", "isLiveDone"])?.object ?? JSONObject()
    }
}
