import CastModel
import Differ
import Recording

/// How plays end.
extension DevicePlays {
    /// A media session is over, or no longer spoken of.
    mutating func endMedia(_ event: ChangeEvent, into changes: inout PlayChanges) {
        let reason = Self.endReason(event.after?["idleReason"])
        guard let index = openIndex(of: event) else { return correctEnd(reason, event, into: &changes) }
        // The end of an ad under the content's name is not that of the content.
        end(index, open[index].isSuspectedAd && reason == .finished ? .unknown : reason, event, into: &changes)
    }

    /// A LOAD failed: that of a play that still loads, when the request is the same.
    mutating func failLoad(_ event: ChangeEvent, into changes: inout PlayChanges) {
        guard event.after?["type"]?.string.map({ PayloadType($0) }) == .loadFailed, let request = event.requestID,
            let index = open.lastIndex(where: {
                $0.play.appSessionID == event.appSessionID && $0.playerPhase == .loading && $0.loadRequestID == request
            })
        else { return }
        end(index, .failed, event, into: &changes)
    }

    /// Ends a play, for the reason that was told.
    ///
    /// What a snapshot after a gap finds ended lies in the gap: it ended at the last moment observed, for all we know.
    mutating func end(
        _ index: Int, _ told: Play.EndReason, _ event: ChangeEvent, inSession: Bool = false,
        into changes: inout PlayChanges
    ) {
        changes.isTouched = true
        var play = open.remove(at: index)
        guard play.hasBegun else { return }
        var reason = told
        if let absence = play.absence, isOfGap(event, absence) {
            play.withdraw(to: absence)
            play.play.endIsUncertain = true
            play.play.endedAt = absence.from
            play.play.countedAt = absence.from
            switch told {
            case .finished, .stopped, .failed: break
            case .replaced, .appClosed, .appReplaced, .deviceLost, .recordingStopped, .transferred, .unknown:
                reason = Self.endReason(ofGap: absence.reason)
            }
        } else {
            play.absence = nil
            play.noteProgress(by: event)
            play.count(to: event.observedAt, inputInactive: isInputInactive)
            play.play.endIsUncertain = false
            // A player that idles has nothing on any more.
            play.play.endedAt = play.playerPhase == .idle ? play.phaseSince : event.observedAt
        }
        play.play.endReason = reason
        play.endTracks(at: play.play.endedAt ?? event.observedAt)
        play.ending = OpenPlay.Ending(
            record: event.id.position, attribution: event.attribution, isInBreak: isInAppBreak(event),
            isInSession: inSession)
        keep(play, at: event.observedAt)
        changes.ended.append(play.play.id)
        changes.put(play)
    }

    /// Keeps an ended play for a while, since it may go on.
    private mutating func keep(_ play: OpenPlay, at moment: WallTime) {
        recent.removeAll { old in
            TimeSpent.between(old.play.endedAt ?? moment, moment) > Int64(Self.recentSeconds * 1e6)
        }
        if recent.count >= Self.recentLimit { recent.removeFirst() }
        recent.append(play)
    }

    /// A reason that comes after the end.
    private mutating func correctEnd(_ reason: Play.EndReason, _ event: ChangeEvent, into changes: inout PlayChanges) {
        guard reason != .unknown,
            let index = recent.lastIndex(where: {
                $0.mediaSessionID == event.mediaSessionID && $0.play.appSessionID == event.appSessionID
            }), recent[index].play.endReason == .unknown || recent[index].play.endReason == .replaced,
            !recent[index].play.endIsUncertain, reason != recent[index].play.endReason
        else { return }
        recent[index].play.endReason = reason
        changes.isTouched = true
        changes.put(recent[index])
    }

    /// What ended without a reason in the very record that begins a media session was replaced by it.
    mutating func explainEnds(by event: ChangeEvent, into changes: inout PlayChanges) {
        for index in recent.indices
        where recent[index].play.endReason == .unknown && recent[index].ending?.record == event.id.position
            && recent[index].play.appSessionID == event.appSessionID && !recent[index].play.endIsUncertain
        {
            recent[index].play.endReason = .replaced
            changes.put(recent[index])
        }
    }

    private static func endReason(_ idleReason: JSONValue?) -> Play.EndReason {
        guard let reason = idleReason?.string.map({ IdleReason($0) }) else { return .unknown }
        return switch reason {
        case .finished: .finished
        case .cancelled: .stopped
        case .interrupted: .replaced
        case .error: .failed
        default: .unknown
        }
    }
}
