import CastModel
import Differ
import Recording

/// How plays live through stretches without observation.
///
/// At the end of a gap a play is believed to go on: when nothing changed, nothing will say so. The snapshot that follows
/// denies it where it is gone; then it ended at the last moment observed.
extension DevicePlays {
    /// A snapshot this long after a gap still speaks of the gap, in seconds: joining an app takes a while.
    private static let snapshotSeconds = 30.0

    mutating func startGap(_ event: ChangeEvent, into changes: inout PlayChanges) {
        let from = event.after?["from"]?.string.flatMap { WallTime(text: $0) } ?? event.observedAt
        let reason = event.after?["reason"]?.string ?? "unknown"
        guard !event.isClockJump else { return }
        for index in open.indices where open[index].phase != .unobserved {
            if let resumedAt = open[index].absence?.resumedAt, from <= resumedAt {
                goOn(index, from: from, resumedAt: resumedAt, reason, event)
                changes.isTouched = true
                changes.put(open[index])
                continue
            }
            let last = min(max(from, open[index].play.countedAt), max(event.observedAt, open[index].play.countedAt))
            open[index].noteProgress(at: last)
            open[index].count(to: last, inputInactive: isInputInactive)
            // What the breaks of a device are after a gap, its next status says anew.
            if open[index].isInBreak { open[index].anchorAt = last }
            (open[index].isInBreak, open[index].isInAppBreak) = (false, false)
            open[index].spans.close()
            open[index].absence = OpenPlay.Absence(
                from: last, reason: reason, toldAt: event.observedAt, before: open[index].play.time,
                spansBefore: open[index].spans.nextNumber)
            // Without a recorder nothing might ever end it.
            if Self.isOfRecorder(reason) { suspend(index) }
            changes.isTouched = true
            changes.put(open[index])
        }
        for index in apps.indices where apps[index].breakSince != nil {
            apps[index].breakSince = nil
            changes.isTouched = true
        }
    }

    /// A gap that adjoins the one before, since its reason changed: it is one absence, of the first reason.
    private mutating func goOn(
        _ index: Int, from: WallTime, resumedAt: WallTime, _ reason: String, _ event: ChangeEvent
    ) {
        guard var absence = open[index].absence else { return }
        absence.divide(at: resumedAt, resumingAt: max(from, resumedAt))
        absence.resumedAt = nil
        open[index].absence = absence
        open[index].withdraw(to: absence)
        open[index].play.countedAt = absence.from
        let isOverdue = TimeSpent.between(absence.toldAt, event.observedAt) >= GapWatch.limitMicroseconds
        if isOverdue || Self.isOfRecorder(absence.reason) || Self.isOfRecorder(reason) { suspend(index) }
    }

    mutating func endGap(_ event: ChangeEvent, into changes: inout PlayChanges) {
        if event.isClockJump { return setClock(event, into: &changes) }
        let to = event.after?["to"]?.string.flatMap { WallTime(text: $0) } ?? event.observedAt
        for index in open.indices where open[index].phase == .unobserved {
            resume(index, at: to)
            changes.isTouched = true
            changes.put(open[index])
        }
    }

    /// The clock was set: time is counted up to the jump, and on from where it led.
    private mutating func setClock(_ event: ChangeEvent, into changes: inout PlayChanges) {
        guard let from = event.after?["from"]?.string.flatMap({ WallTime(text: $0) }),
            let to = event.after?["to"]?.string.flatMap({ WallTime(text: $0) })
        else { return }
        changes.isTouched = true
        for index in open.indices {
            open[index].noteProgress(at: from)
            open[index].count(to: from, inputInactive: isInputInactive)
            open[index].setClock(from: from, to: to)
            changes.put(open[index])
        }
        for index in apps.indices {
            apps[index].breakSince = apps[index].breakSince?.shifted(from: from, to: to)
            apps[index].breakEndedAt = apps[index].breakEndedAt?.shifted(from: from, to: to)
        }
    }

    /// Ends the plays that have waited too long in a gap, for as long as the gap lasts.
    mutating func giveUp(at now: WallTime, into changes: inout PlayChanges) {
        for index in open.indices {
            guard let deadline = open[index].deadlineOfGap, deadline <= now else { continue }
            suspend(index)
            changes.isTouched = true
            changes.put(open[index])
        }
    }

    /// An event of a play after a gap: it tells whether the play went on.
    ///
    /// What a snapshot says was so before it came, so the time up to it was not observed.
    /// Gives the gap of which the event speaks, for a play that turns out not to have come out of it.
    @discardableResult
    mutating func settle(_ index: Int, _ event: ChangeEvent) -> OpenPlay.Absence? {
        guard open[index].absence != nil else { return nil }
        if open[index].phase == .unobserved { resume(index, at: event.observedAt) }
        guard let absence = open[index].absence else { return nil }
        open[index].absence = nil
        guard isOfGap(event, absence) else { return nil }

        open[index].withdraw(to: absence)
        open[index].spend(absence, upTo: event.observedAt)
        open[index].play.countedAt = event.observedAt
        (open[index].anchorSeconds, open[index].anchorAt) = (nil, event.observedAt)
        return absence
    }

    /// Whether an event tells what happened in a gap.
    func isOfGap(_ event: ChangeEvent, _ absence: OpenPlay.Absence) -> Bool {
        guard let resumedAt = absence.resumedAt else { return true }
        return event.attribution == .snapshot
            && TimeSpent.between(resumedAt, event.observedAt) <= Int64(Self.snapshotSeconds * 1e6)
    }

    /// What a gap does to a play that does not come out of it.
    static func endReason(ofGap reason: String) -> Play.EndReason {
        // It was observed, and what was written down is gone.
        if reason == "archive_damaged" { return .unknown }
        return switch Gap.Reason(rawValue: reason) {
        case .recorderDown?, .deviceExcluded?: .recordingStopped
        // The device was there all the time; what its app did, nobody saw.
        case .notJoined?, .attachRefused?: .unknown
        case .linkLost?, .deviceUnreachable?, .clockJump?, nil: .deviceLost
        }
    }

    /// Whether a gap may last for ever although the device plays on.
    private static func isOfRecorder(_ reason: String) -> Bool {
        switch Gap.Reason(rawValue: reason) {
        case .recorderDown?, .deviceExcluded?: true
        case .linkLost?, .deviceUnreachable?, .notJoined?, .attachRefused?, .clockJump?, nil: false
        }
    }

    private mutating func suspend(_ index: Int) {
        guard open[index].hasBegun, let absence = open[index].absence else { return }
        open[index].play.endedAt = absence.from
        open[index].play.endReason = Self.endReason(ofGap: absence.reason)
        open[index].play.endIsUncertain = true
        open[index].endTracks(at: absence.from)
    }

    private mutating func resume(_ index: Int, at to: WallTime) {
        guard let absence = open[index].absence else { return }
        open[index].reopenTracks()
        open[index].play.endedAt = nil
        open[index].play.endReason = nil
        open[index].play.endIsUncertain = false
        open[index].spend(absence, upTo: to)
        open[index].play.countedAt = to
        open[index].absence?.resumedAt = to
        // It is believed to have played on, but not beyond its end.
        let duration = open[index].play.content.isLive ? nil : open[index].play.content.durationSeconds
        if let duration, open[index].position(at: to).map({ $0 >= duration }) ?? false {
            (open[index].anchorSeconds, open[index].anchorAt) = (nil, to)
        }
    }
}

extension ChangeEvent {
    /// Whether it tells that the clock was set: no time passed, and nothing was missed.
    var isClockJump: Bool {
        (kind == .gapStarted || kind == .gapEnded) && after?["reason"]?.string == Gap.Reason.clockJump.rawValue
    }
}

extension OpenPlay {
    /// What is still reckoned from moves with the clock; what was told stays as it was told.
    fileprivate mutating func setClock(from: WallTime, to: WallTime) {
        play.countedAt = play.countedAt.shifted(from: from, to: to)
        anchorAt = anchorAt.shifted(from: from, to: to)
        phaseSince = phaseSince.shifted(from: from, to: to)
        guard var moved = absence else { return }
        moved.divide(at: from, resumingAt: moved.restFrom > from ? moved.restFrom.shifted(from: from, to: to) : to)
        moved.toldAt = moved.toldAt.shifted(from: from, to: to)
        moved.resumedAt = moved.resumedAt?.shifted(from: from, to: to)
        absence = moved
    }
}
