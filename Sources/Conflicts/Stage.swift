import CastModel
import Differ
import Recording

/// What runs on a device, who runs it, and what was just ended: all that a takeover needs.
struct Stage: Equatable {
    /// A receiver app.
    struct App: Equatable {
        var appSessionID: AppSessionID?
        var name: String?
        /// The requestId of its LAUNCH, where a status bore it.
        var launchID: Int64?
        /// Whether the device tells if a sender is connected to the app.
        var tellsSenders = false
    }

    /// What media does.
    enum Phase: String {
        case loading, playing, paused, other, over
    }

    /// A media session.
    struct Media: Equatable {
        var mediaSessionID: Int64?
        var title: String?
        var phase: Phase
        var phaseSince: WallTime
        /// What it did before it was over.
        var lastPhase: Phase
        /// Since when it did that.
        var lastPhaseSince: WallTime
        /// Why it is over.
        var idleReason: String?
        /// Who ended it; nil for the device, and when unknown.
        var endedBy: Doer?
        /// The change event that ended it.
        var endedIn: ChangeEvent.ID?
        /// The sender that runs it; nil while unknown, and when it is the device.
        var holder: Doer?
        /// The id of its LOAD.
        var loadID: Int64?
        /// Whether the holder did not load it, but was the first sender to give it a command.
        var isAdopted = false
        /// Whether its LOAD has still to show whose it is.
        var awaitsLoader = true
        /// Whether the app was without any sender after the holder's last command.
        var isLeft = false
    }

    /// Media that something else put an end to, until it is clear who did so.
    struct Interrupted: Equatable {
        var media: Media
        var appName: String?
        /// The app's LAUNCH had this id.
        var launchID: Int64?
        var tellsSenders: Bool
        var appSessionID: AppSessionID?
        var at: WallTime
        /// Whether its app was ended, not only its media.
        var isByApp: Bool
        /// The name of the app that came instead.
        var nextName: String?
        /// How sure it is from the LAUNCH that another one did it; nil when that said nothing.
        var launchSureness: Double?
        var evidence: [ChangeEvent.ID]
    }

    var app: App?
    var media: Media?
    var interrupted: Interrupted?

    /// Whether a LOAD may be under way.
    var isLoading: Bool { media.map { $0.phase == .loading || $0.awaitsLoader } ?? false }

    /// What was taken for one sender is two.
    mutating func apply(_ split: Hands.Split) {
        media?.apply(split)
        if interrupted?.isByApp == false { interrupted?.media.apply(split) }
    }

    mutating func forgetSeries() {
        media?.holder?.series = nil
        interrupted?.media.holder?.series = nil
    }
}

extension Stage.Media {
    init(_ mediaSessionID: Int64?, title: String?, phase: Stage.Phase, at: WallTime) {
        self.init(
            mediaSessionID: mediaSessionID, title: title, phase: phase, phaseSince: at, lastPhase: phase,
            lastPhaseSince: at)
    }

    /// Whether somebody would miss it who watches: it plays, or was paused a short while ago.
    ///
    /// Media that is over counts for the moment in which that is told.
    func isMissed(at moment: WallTime, _ rules: ConflictRules) -> Bool {
        if phase == .over, !phaseSince.isWithin(Self.overSeconds, of: moment) { return false }
        let (then, since) = phase == .over ? (lastPhase, lastPhaseSince) : (phase, phaseSince)
        switch then {
        case .playing: return true
        case .paused: return moment.isWithin(rules.takeoverPausedSeconds, of: since)
        case .loading, .other, .over: return false
        }
    }

    /// Whether its end leaves open that something else was put in its place.
    var mayBeReplaced: Bool {
        guard phase == .over else { return true }
        switch idleReason.map({ IdleReason($0) }) {
        case nil, .interrupted?: return true
        // Some apps stop what they play before they load or leave.
        case .cancelled?: return endedBy.map { by in holder.map { !$0.isSame(as: by) } ?? false } ?? true
        default: return false
        }
    }

    /// Between the end of media and what comes instead, in seconds, at most: one message, or two.
    static let overSeconds = 3.0

    mutating func enter(_ next: Stage.Phase, at: WallTime) {
        guard next != phase else { return }
        if next == .over { (lastPhase, lastPhaseSince) = (phase, phaseSince) }
        (phase, phaseSince) = (next, at)
    }
}

extension Stage.Media {
    /// What was taken for one sender is two: the one who loaded it holds it, also where the other gave the last command.
    fileprivate mutating func apply(_ split: Hands.Split) {
        if var loader = holder, loader.hand == split.hand, !isAdopted, let loadID, loadID <= split.throughID {
            (loader.hand, loader.series) = (split.next, split.series)
            if let last = loader.requestID, last > split.throughID { loader.requestID = loadID }
            holder = loader
        } else {
            holder?.follow(split)
        }
        endedBy?.follow(split)
    }
}
