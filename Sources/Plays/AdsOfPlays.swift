import CastModel
import Differ
import Recording

/// How ads interrupt plays without ending them (PROTOCOL 4.7, 5.5, 6.4).
extension DevicePlays {
    /// An ad under the content's name is no longer than this, in seconds.
    private static let adSeconds = 180.0
    /// A position that differs from the expected one by more was set, in seconds.
    private static let jumpSeconds = 1.5

    /// An ad break begins: in one media session, or in the whole app where a text of the app says so.
    mutating func startBreak(_ event: ChangeEvent, into changes: inout PlayChanges) {
        let isOfApp = event.after?["source"]?.string == "ima"
        changeBreak(event, ofApp: isOfApp, into: &changes) { play in
            // What this very record said of the position was said of the ad.
            if play.play.id.position == event.id.position { play.forgetPositions() }
            play.isInBreak = true
            play.isInAppBreak = isOfApp
        }
        guard isOfApp, let app = apps.firstIndex(where: { $0.appSessionID == event.appSessionID }) else { return }
        apps[app].breakSince = event.observedAt
        changes.isTouched = true
    }

    /// The content goes on.
    mutating func endBreak(_ event: ChangeEvent, into changes: inout PlayChanges) {
        let isOfApp = event.before?["source"]?.string == "ima"
        changeBreak(event, ofApp: isOfApp, into: &changes) { play in
            (play.isInBreak, play.isInAppBreak) = (false, false)
            (play.anchorSeconds, play.anchorAt) = (play.play.lastPositionSeconds, event.observedAt)
            play.note(isOfApp ? event.positionSeconds : nil, at: event.observedAt)
        }
        guard isOfApp, let app = apps.firstIndex(where: { $0.appSessionID == event.appSessionID }) else { return }
        apps[app].breakSince = nil
        apps[app].breakEndedAt = event.observedAt
        changes.isTouched = true
    }

    private mutating func changeBreak(
        _ event: ChangeEvent, ofApp: Bool, into changes: inout PlayChanges, _ change: (inout OpenPlay) -> Void
    ) {
        for index in open.indices where open[index].play.appSessionID == event.appSessionID {
            guard ofApp || open[index].mediaSessionID == event.mediaSessionID else { continue }
            settle(index, event)
            open[index].noteProgress(at: event.observedAt)
            open[index].count(to: event.observedAt, inputInactive: isInputInactive)
            change(&open[index])
            changes.isTouched = true
            changes.put(open[index])
        }
    }

    /// Whether an ad break of the app runs, or has only just ended.
    func isInAppBreak(_ event: ChangeEvent) -> Bool {
        guard let app = app(of: event) else { return false }
        if app.breakSince != nil { return true }
        return app.breakEndedAt.map { TimeSpent.between($0, event.observedAt) <= Self.interruptionMicroseconds }
            ?? false
    }

    /// An ad break of an app lasts no longer: its end was lost.
    private static let breakMicroseconds = Int64(recentSeconds * 1e6)

    /// Ends the breaks of apps that ran for too long, at the moment they should have been over.
    mutating func endOldBreaks(_ event: ChangeEvent, into changes: inout PlayChanges) {
        for app in apps.indices {
            guard let since = apps[app].breakSince,
                TimeSpent.between(since, event.observedAt) > Self.breakMicroseconds
            else { continue }
            let end = WallTime(microseconds: since.microseconds &+ Self.breakMicroseconds)
            apps[app].breakSince = nil
            changes.isTouched = true
            for index in open.indices
            where open[index].isInAppBreak && open[index].play.appSessionID == apps[app].appSessionID {
                let last = max(end, open[index].play.countedAt)
                open[index].count(to: last, inputInactive: isInputInactive)
                (open[index].isInBreak, open[index].isInAppBreak) = (false, false)
                (open[index].anchorSeconds, open[index].anchorAt) = (open[index].play.lastPositionSeconds, last)
                changes.put(open[index])
            }
        }
    }

    /// A sender that asks for other content ends the break: nothing waits for it any more.
    mutating func leaveBreak(for content: PlayContent, _ event: ChangeEvent) {
        guard let app = apps.firstIndex(where: { $0.appSessionID == event.appSessionID }) else { return }
        let isReturn =
            recent.last { $0.play.appSessionID == event.appSessionID }
            .map { $0.play.content.mayBeSame(as: content) } ?? false
        if !isReturn { apps[app].breakSince = nil }
    }

    /// Media that took the place of an ad is a play after all, when nothing makes it an ad.
    mutating func admit(_ index: Int, _ content: PlayContent?, _ event: ChangeEvent) {
        guard open[index].isAdInstead, let content, !runsAdInstead(of: content, event) else { return }
        (open[index].isAdInstead, open[index].hasSign) = (false, false)
        sign(index, event)
        if event.attribution == .senderRequest { leaveBreak(for: content, event) }
    }

    /// Whether this media is an ad for which the content was unloaded: the app loads it by itself.
    func runsAdInstead(of content: PlayContent, _ event: ChangeEvent) -> Bool {
        guard event.attribution != .senderRequest, app(of: event)?.breakSince != nil,
            let last = recent.last(where: { $0.play.appSessionID == event.appSessionID }), let ending = last.ending
        else { return false }
        return ending.isInBreak && last.play.endReason != .finished && !content.isUnnamed
            && !last.play.content.isSame(as: content)
    }

    /// Another length of the same content.
    ///
    /// Where it jumps and the position with it, while the title stays, an ad goes by the content's name: YouTube on Google
    /// TV tells nothing else of its ads.
    mutating func changeDuration(_ event: ChangeEvent, into changes: inout PlayChanges) {
        guard let index = openIndex(of: event) else { return }
        settle(index, event)
        let expected = open[index].position(at: event.observedAt)
        withPlay(of: event, into: &changes) { play in
            let told = event.after?["duration"]?.lossyNumber.flatMap { $0 > 0 ? $0 : nil }
            let before = play.toldDurationSeconds
            play.toldDurationSeconds = told
            guard let told, let before, play.hasBegun, !play.awaitsMedia, !play.play.content.isLive,
                play.play.content.title != nil, play.play.id.position != event.id.position
            else {
                if !play.isSuspectedAd { play.play.content.durationSeconds = told }
                return
            }
            let jump = event.positionSeconds.flatMap { now in expected.map { (now - $0).magnitude } } ?? 0
            if play.isSuspectedAd {
                guard told > 2 * before || told == play.play.content.durationSeconds else { return }
                play.isSuspectedAd = false
                play.play.content.durationSeconds = told
                play.changedOverIn = event.id.position
                play.note(event.positionSeconds, at: event.observedAt)
            } else if jump > Self.jumpSeconds, told < before / 2, told <= Self.adSeconds {
                play.isSuspectedAd = true
                play.changedOverIn = event.id.position
            } else if jump > Self.jumpSeconds, before <= Self.adSeconds, told > 2 * before,
                play.play.maxPositionSeconds.map({ $0 <= before + Self.jumpSeconds }) ?? true
            {
                play.wasAd()
                play.play.content.durationSeconds = told
                play.changedOverIn = event.id.position
                play.note(event.positionSeconds, at: event.observedAt)
            } else {
                play.play.content.durationSeconds = told
            }
        }
    }
}

extension OpenPlay {
    /// All that was played so far was an ad.
    fileprivate mutating func wasAd() {
        spans.turnToAds()
        play.time.advertisement &+= play.time.played &+ play.time.buffering
        (play.time.played, play.time.buffering, play.time.inputInactive) = (0, 0, 0)
        forgetPositions()
    }
}
