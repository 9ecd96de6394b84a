import CastModel
import Differ
import Recording

/// How a play that had ended goes on: a seek, an ad or an app's whim may load the same content anew.
extension DevicePlays {
    /// A sender's seek by way of a LOAD takes no longer than this, in microseconds (PROTOCOL 7.6).
    static let interruptionMicroseconds: Int64 = 2_000_000
    /// A media session that was gone by mistake comes back within this.
    private static let returnMicroseconds: Int64 = 10_000_000
    /// A receiver app that loads the same anew by itself does so within this (PROTOCOL 5.5).
    private static let reloadMicroseconds: Int64 = 120_000_000

    /// Why a play goes on.
    enum Continuation {
        /// The same media session is back.
        case sameMediaSession
        /// A seek by way of another LOAD.
        case seek
        /// After an ad break in which the content was unloaded.
        case advertisement
        /// The receiver app loaded it again.
        case reload
    }

    /// The ended play that this one continues, and why; nil when it is a play of its own.
    ///
    /// Only the last play of the app session can go on: never one that finished, nor one that gave way to another within
    /// its media session, nor one that failed and that somebody starts again.
    func continued(by next: OpenPlay) -> (index: Int, why: Continuation)? {
        guard let index = recent.lastIndex(where: { $0.play.appSessionID == next.play.appSessionID }),
            !open.contains(where: { $0.hasBegun && $0.play.appSessionID == next.play.appSessionID })
        else { return nil }
        let last = recent[index]
        guard let endedAt = last.play.endedAt, let ending = last.ending, !last.play.endIsUncertain,
            last.play.endReason != .finished, last.play.endReason != .transferred, !ending.isInSession
        else { return nil }
        let isAsked = next.play.startCause == .senderRequest
        if last.play.endReason == .failed, isAsked { return nil }
        let pause = TimeSpent.between(endedAt, next.play.startedAt)
        if last.mediaSessionID == next.mediaSessionID, pause <= Self.returnMicroseconds,
            last.play.content.mayBeSame(as: next.play.content)
        {
            return (index, .sameMediaSession)
        }
        guard last.play.content.isSame(as: next.play.content) else { return nil }
        let isInterrupted = last.play.endReason == .replaced || last.play.endReason == .unknown
        if isInterrupted, pause <= Self.interruptionMicroseconds { return (index, .seek) }
        if ending.isInBreak, !isAsked, pause <= Int64(Self.recentSeconds * 1e6) { return (index, .advertisement) }
        if ending.attribution == .receiver, next.play.startCause == .receiver, last.play.endReason != .failed,
            pause <= Self.reloadMicroseconds
        {
            return (index, .reload)
        }
        return nil
    }

    /// Lets an ended play go on in the place of the one that would have begun.
    mutating func goOn(
        _ ended: (index: Int, why: Continuation), with index: Int, _ event: ChangeEvent, into changes: inout PlayChanges
    ) {
        var play = recent.remove(at: ended.index)
        let next = open.remove(at: index)
        switch ended.why {
        case .sameMediaSession, .reload: break
        case .seek: play.play.seeks &+= 1
        case .advertisement:
            let endedAt = play.play.endedAt ?? next.play.startedAt
            play.spend(from: endedAt, to: next.play.startedAt, in: .advertisement, inputInactive: false)
        }
        play.reopenTracks()
        play.play.endedAt = nil
        play.play.endReason = nil
        play.ending = nil
        play.absence = nil
        play.mediaSessionID = next.mediaSessionID
        play.playerPhase = next.playerPhase
        play.phaseSince = next.phaseSince
        play.isInBreak = next.isInBreak
        play.isInAppBreak = next.isInAppBreak
        play.isSuspectedAd = false
        play.awaitsMedia = next.awaitsMedia
        play.loadRequestID = next.loadRequestID
        play.rate = next.rate
        play.toldDurationSeconds = next.toldDurationSeconds
        play.play.countedAt = event.observedAt
        (play.anchorSeconds, play.anchorAt) = (nil, event.observedAt)
        play.note(next.anchorSeconds, at: next.anchorAt)
        if play.play.content.durationSeconds == nil {
            play.play.content.durationSeconds = next.play.content.durationSeconds
        }
        if let told = next.play.tracks.last { play.select(told, at: next.play.startedAt) }
        open.append(play)
        changes.isTouched = true
        changes.put(play)
    }
}
