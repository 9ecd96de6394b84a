import CastModel
import Recording

/// Finds out whether a device that was told of a new sender right after our invisible join was told of us.
///
/// We leave, and look whether the app still has a sender: then it was somebody else, who came at the same moment. If it
/// has none, or has ended, it was us: from then on we stay with the platform of this device. After two suspicions that came
/// to nothing a third is not examined, so that a device cannot make us come and go for ever.
struct VisibilityTrial: Sendable, Equatable {
    /// What came out.
    enum Verdict: Sendable { case acquitted, convicted }

    /// Suspicions that are examined.
    static let limit = 2

    /// An app that ended this much later may have ended by itself.
    static let patience = Duration.seconds(30)

    private var suspect: TransportID?
    private var since = MonotonicTime(nanoseconds: 0)
    private var count = 0

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
        guard let app = apps.first(where: { $0.transport == transport }) else {
            return now.since(since) <= Self.patience ? .convicted : .acquitted
        }
        return app.senderConnected == true ? .acquitted : .convicted
    }
}
