import CastModel
import Differ
import Recording

/// The lanes of a device in a trace, from the top.
enum TraceLane: Int, CaseIterable {
    case app = 1
    case media
    case playerState
    case tracks
    case style
    case observation
    case changes
    /// The deeds that conflicts were found from.
    case evidence
    /// The first lane of conflicts; each kind of conflict has one of its own.
    case conflicts

    var name: String {
        switch self {
        case .app: "App"
        case .media: "Media"
        case .playerState: "Player state"
        case .tracks: "Tracks"
        case .style: "Text track style"
        case .observation: "Not observed"
        case .changes: "Changes"
        case .evidence: "Conflicts, deed by deed"
        case .conflicts: "Conflicts"
        }
    }

    /// Whether it tells what an app is told to do with media, and so nothing while that app is not joined.
    var isOfMedia: Bool {
        switch self {
        case .media, .playerState, .tracks, .style: true
        case .app, .observation, .changes, .evidence, .conflicts: false
        }
    }
}

/// One lane whose slices come from change events: what is so holds until something else is.
struct StateLane {
    /// What is so since a moment; nil when nothing is, or it is not known.
    struct Value: Equatable {
        var name: String
        var arguments: JSONObject
    }

    private var value: Value?
    private var since: WallTime
    private var isFresh = true

    /// A lane of which nothing is known before the first event.
    init(from: WallTime) { since = from }

    /// What was so, when something else is so from a moment on.
    ///
    /// - Parameter before: What the event says was so before it, which counts where no event told of it.
    mutating func change(
        to next: Value?, before: @autoclosure () -> Value?, at moment: WallTime
    ) -> (value: Value, from: WallTime, to: WallTime)? {
        if isFresh { value = before() }
        isFresh = false
        guard next != value || next == nil else { return nil }
        defer {
            value = next
            since = max(since, moment)
        }
        guard let value, since < moment else { return nil }
        return (value, since, moment)
    }
}
