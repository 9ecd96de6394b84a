import CastModel
import Recording

/// Finds out whether a device that was told of a new sender right after our invisible join was told of us.
///
/// We leave, and look whether the app still has a sender: then it was somebody else, who came at the same moment. If it has
/// none, or has ended, it may have been us, or a sender that left in that moment as well; so only a second such look counts,
/// and from then on we stay with the platform of this device. After three suspicions no more are examined, so that a device
/// cannot make us come and go for ever.
struct VisibilityTrial: Sendable, Equatable {
    /// What came out: whether we join again, or stay with the platform.
    enum Verdict: Sendable { case joinsAgain, staysWithPlatform }

    /// Suspicions that are examined.
    static let limit = 3
    /// Looks without a sender that it takes.
    static let looksWithoutSender = 2
    /// An app that ended this much later may have ended by itself.
    static let patience = Duration.seconds(30)

    private var suspect: TransportID?
    private var since = MonotonicTime(nanoseconds: 0)
    private var count = 0
    private var withoutSender = 0

    /// Whether it is held that the device does not keep us invisible.
    var hasShown: Bool { withoutSender >= Self.looksWithoutSender }

    /// A suspicion against the device, while an app ran on this transport: whether it is examined, for which we leave.
    mutating func begins(with transport: TransportID, at now: MonotonicTime) -> Bool {
        guard count < Self.limit else { return false }
        count += 1
        (suspect, since) = (transport, now)
        return true
    }

    /// The device said what runs, after we left; nil when no trial is under way.
    mutating func heard(_ apps: [RunningApp], at now: MonotonicTime) -> Verdict? {
        guard let transport = suspect else { return nil }
        suspect = nil
        let app = apps.first { $0.transport == transport }
        let hasSender = app.map { $0.senderConnected == true } ?? (now.since(since) > Self.patience)
        if !hasSender { withoutSender += 1 }
        return hasShown ? .staysWithPlatform : .joinsAgain
    }
}
