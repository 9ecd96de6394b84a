import CastModel
import Recording

/// The media app that runs on a device: since when, and why it is not recorded, if it is not.
///
/// A part of ``AppAttendance``.
struct MissedApp: Sendable {
    /// Waiting this long before we join is part of joining, and no gap.
    static let patience = Duration.seconds(5)

    /// The media app that runs.
    private(set) var app: RunningApp?
    private var since = MonotonicTime(nanoseconds: 0)
    /// What was told last; nil when nothing is missed.
    private var told: Gap.Reason?

    /// The device said what runs.
    mutating func heard(_ apps: [RunningApp], at now: MonotonicTime) {
        let running = apps.first { $0.offersMedia && !$0.isIdleScreen && !$0.isGroupPlaceholder }
        if running?.transport != app?.transport || running?.appID != app?.appID { since = now }
        app = running
    }

    /// We were with the app up to now: what is missed of it begins here.
    mutating func leave(at now: MonotonicTime) { since = now }

    /// Takes why the app is missed, and says what is new of that.
    ///
    /// - Parameters:
    ///   - reason: Nil when it is not missed.
    ///   - moment: Since when; nil for the app's start.
    mutating func note(_ reason: Gap.Reason?, since moment: MonotonicTime? = nil) -> [SenderMachine.Effect] {
        guard reason != told else { return [] }
        let ended: [SenderMachine.Effect] = told == nil ? [] : [.missedNoMore]
        told = reason
        guard let reason else { return ended }
        return ended + [.missed(because: reason, since: moment ?? since)]
    }
}
