import CastModel
import Recording

/// How the stretches without observation of a device follow each other: one at a time, each with one reason.
///
/// What prevents observation at a moment is, first of all, that the recorder does not run or that there is no link
/// (`recorder_down`, `link_lost`, `device_unreachable`), or that it is not wanted (`device_excluded`); with a link, that
/// the running app is not joined (`not_joined`, `attach_refused`). Where one reason gives way to another, one gap ends and the next begins at the same moment, so
/// gaps of a device adjoin and never overlap.
extension DeviceState {
    /// A device that is linked this soon after it was found, in seconds, was not unreachable: connecting takes a while.
    static let connectingSeconds = 5.0
    /// A device that is not linked again so long after the recorder's return, in microseconds, cannot be reached.
    static let returnMicroseconds: Int64 = 60_000_000
    /// A link over which something came so lately, in seconds, is well: a sign of life is asked for every five.
    static let aliveSeconds = 6.0

    /// The recorder is, or was, not running.
    ///
    /// Only a device that was being observed has a gap by that; others have one already.
    mutating func foldRecorderDown(from: WallTime?, into events: inout EventCollector) {
        openGap?.recorderBackAt = nil
        guard link != nil else { return }
        loseLink(Gap.Reason.recorderDown.rawValue, from: from, into: &events)
    }

    /// The recorder runs again: what the gap that it left lasts from here on, only the next link ends, or time.
    mutating func noteRecorderBack(at moment: WallTime) {
        guard [Gap.Reason.recorderDown.rawValue, Self.damageReason].contains(openGap?.reason) else { return }
        openGap?.recorderBackAt = moment
    }

    /// Somebody says that the device, or its app, was not observed.
    mutating func foldGap(_ gap: Gap, into events: inout EventCollector) {
        switch gap.reason {
        case .recorderDown where gap.device == nil: foldRecorderDown(from: gap.from, into: &events)
        case .clockJump: foldJump(from: gap.from, to: gap.to ?? events.at, into: &events)
        case .deviceUnreachable: foldUnreachable(from: gap.from, into: &events)
        case .deviceExcluded: foldExcluded(from: gap.from, into: &events)
        case .notJoined, .attachRefused: foldMissed(gap, into: &events)
        case .recorderDown, .linkLost: foldInterruption(gap, into: &events)
        }
    }

    /// Frames were lost: what changed meanwhile, and who asked for it, is not known.
    mutating func foldLost(_ count: Int, why: String, into events: inout EventCollector) {
        guard link != nil else { return }
        interrupt(
            "frames_lost", from: lastObservedAt ?? events.at, to: events.at,
            more: JSONObject([("count", .integer(Int64(count))), ("why", .string(why))]), into: &events)
        forgetWhatIsKnown()
    }

    // MARK: The link

    mutating func loseLink(_ reason: String, from: WallTime?, into events: inout EventCollector) {
        link = nil
        endStorm(into: &events)
        forgetLink()
        let observed = lastObservedAt ?? events.at
        replaceGap(by: reason, from: from.map { max($0, observed) } ?? observed, into: &events)
    }

    /// The device could not be reached: since it was found, or since its link was lost or the recorder returned.
    private mutating func foldUnreachable(from: WallTime, into events: inout EventCollector) {
        guard link == nil else { return }
        let reason = Gap.Reason.deviceUnreachable.rawValue
        guard let known = openGap else {
            return startGap(reason, from: accountedUntil ?? from, into: &events)
        }
        if known.reason != reason { replaceGap(by: reason, from: from, into: &events) }
    }

    /// The device is left out from now on, while it has no link; the end of one says it of itself.
    private mutating func foldExcluded(from: WallTime, into events: inout EventCollector) {
        guard link == nil else { return }
        replaceGap(by: Gap.Reason.deviceExcluded.rawValue, from: from, into: &events)
    }

    /// The device was not linked for long enough after the recorder's return.
    mutating func giveUpReturn(into events: inout EventCollector) {
        guard let moment = openGap?.recorderBackAt else { return }
        replaceGap(by: Gap.Reason.deviceUnreachable.rawValue, from: moment, into: &events)
    }

    /// The first link of a device that was found some time ago.
    mutating func tellWaited(into events: inout EventCollector) {
        guard let since = accountedUntil, events.at.seconds(since: since) >= Self.connectingSeconds else { return }
        startGap(Gap.Reason.deviceUnreachable.rawValue, from: since, into: &events)
    }

    // MARK: The app

    /// The running app is not recorded, or is again; without a link, that is not the reason of anything.
    private mutating func foldMissed(_ gap: Gap, into events: inout EventCollector) {
        guard link != nil else { return }
        guard let to = gap.to else { return replaceGap(by: gap.reason.rawValue, from: gap.from, into: &events) }
        if openGap == nil { startGap(gap.reason.rawValue, from: gap.from, into: &events) }
        if openGap?.reason == gap.reason.rawValue { endGap(at: to, into: &events) }
    }

    /// A stretch that is over, after which everything is as it was: the machine slept.
    private mutating func foldInterruption(_ gap: Gap, into events: inout EventCollector) {
        guard let to = gap.to else { return startGap(gap.reason.rawValue, from: gap.from, into: &events) }
        if openGap != nil, link == nil { return }
        interrupt(gap.reason.rawValue, from: gap.from, to: to, into: &events)
    }

    /// A stretch that is over, within which nothing was observed: what lasted before it lasts on after it.
    private mutating func interrupt(
        _ reason: String, from: WallTime, to: WallTime, more: JSONObject = JSONObject(),
        into events: inout EventCollector
    ) {
        let lasting = openGap
        replaceGap(by: reason, from: from, more: more, into: &events)
        endGap(at: to, into: &events)
        if let lasting { startGap(lasting.reason, from: to, into: &events) }
    }

    // MARK: The clock

    /// The wall clock was set, in no time at all.
    ///
    /// Moments that were told keep the time that the wall clock showed. What lasts is cut in two, so that every
    /// length is true.
    private mutating func foldJump(from: WallTime, to: WallTime, into events: inout EventCollector) {
        let lasting = openGap
        endGap(at: from, into: &events)
        if link != nil || lasting != nil {
            let reason = JSONValue.string(Gap.Reason.clockJump.rawValue)
            events.add(
                .gapStarted, after: ["reason": reason, "from": .string(from.text), "to": .string(to.text)])
            events.add(
                .gapEnded,
                after: ["reason": reason, "from": .string(from.text), "to": .string(to.text), "seconds": 0])
        }
        accountedUntil = accountedUntil?.shifted(from: from, to: to)
        lastObservedAt = lastObservedAt?.shifted(from: from, to: to)
        guard let lasting else { return }
        startGap(lasting.reason, from: to, into: &events)
        openGap?.recorderBackAt = lasting.recorderBackAt?.shifted(from: from, to: to)
    }

    // MARK: One gap at a time

    /// The gap that lasts, if there is one, gives way to another at a moment.
    private mutating func replaceGap(
        by reason: String, from: WallTime, more: JSONObject = JSONObject(), into events: inout EventCollector
    ) {
        if let lasting = openGap {
            guard lasting.reason != reason else { return }
            endGap(at: max(from, lasting.from), into: &events)
        }
        startGap(reason, from: from, more: more, into: &events)
    }

    /// A gap that already lasts goes on.
    private mutating func startGap(
        _ reason: String, from: WallTime, more: JSONObject = JSONObject(), into events: inout EventCollector
    ) {
        guard openGap == nil else { return }
        let from = max(from, accountedUntil ?? from)
        openGap = OpenGap(from: from, reason: reason)
        events.add(
            .gapStarted,
            after: .object(JSONObject([("reason", .string(reason)), ("from", .string(from.text))] + more.pairs)))
    }

    mutating func endGap(at to: WallTime, into events: inout EventCollector) {
        guard let gap = openGap else { return }
        openGap = nil
        accountedUntil = to
        events.add(
            .gapEnded,
            after: [
                "reason": .string(gap.reason), "from": .string(gap.from.text), "to": .string(to.text),
                "seconds": .number(max(0, to.seconds(since: gap.from))),
            ])
    }
}
