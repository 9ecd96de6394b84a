import CastModel
import Differ
import Recording

/// How apps and media come and go on a device, and whether one sender's puts an end to another's.
extension DeviceConflicts {
    /// Takes what an event says of apps and media; the takeover that it completes, if it does.
    mutating func direct(_ event: ChangeEvent, _ doer: Doer?, _ rules: ConflictRules) -> Conflict? {
        switch event.kind {
        case .appStarted, .appReplaced: return startApp(event, doer, rules)
        case .appStopped:
            stopApp(event, doer, rules)
            return nil
        case .senderConnectedChanged:
            stage.app?.tellsSenders = true
            if event.after?["senderConnected"]?.lossyFlag == false { stage.media?.isLeft = true }
            return nil
        case .breakStarted, .breakEnded:
            foldBreak(event, rules)
            return nil
        case .mediaSessionStarted: return startMedia(event, doer, rules)
        case .mediaSessionEnded:
            endMedia(event, doer)
            return nil
        case .idleScreenShown, .deviceVolumeChanged, .deviceMuteChanged: return nil
        default: return followMedia(event, doer, rules)
        }
    }

    // MARK: Apps

    private mutating func startApp(_ event: ChangeEvent, _ doer: Doer?, _ rules: ConflictRules) -> Conflict? {
        guard let told = event.after else { return nil }
        forgetMedia()
        player = PlayerIntent()
        (isInBreak, breakAt) = (false, nil)
        // A group that forms takes its members along: the app goes on, elsewhere.
        guard told["placeholder"]?.lossyFlag != true else {
            stage = Stage()
            return nil
        }
        if event.kind == .appReplaced { interruptApp(event, doer, rules) }
        let next = Stage.App(
            appSessionID: event.appSessionID, name: Wording.name(told["displayName"] ?? told["appId"]),
            launchID: doer?.requestID, tellsSenders: told["senderConnected"]?.lossyFlag != nil)
        stage.app = next
        stage.media = nil
        platformHands.forgetSeries()
        guard var interrupted = stage.interrupted, interrupted.isByApp,
            event.observedAt.isWithin(rules.takeoverLaunchSeconds, of: interrupted.at),
            event.attribution != .snapshot, told["launchedFromCloud"]?.lossyFlag != true
        else {
            stage.interrupted = nil
            return nil
        }
        interrupted.nextName = next.name
        if event.kind == .appStarted { interrupted.evidence.append(event.id) }
        stage.interrupted = interrupted
        guard let doer, !doer.isReceiver else { return nil }
        return judgeLaunch(by: doer, event)
    }

    private mutating func stopApp(_ event: ChangeEvent, _ doer: Doer?, _ rules: ConflictRules) {
        if event.appSessionID == nil || event.before?["placeholder"]?.lossyFlag == true { return }
        interruptApp(event, doer, rules)
        forgetMedia()
        player = PlayerIntent()
        stage.app = nil
        stage.media = nil
    }

    /// The app is gone: what of its media somebody may miss waits for what comes instead.
    private mutating func interruptApp(_ event: ChangeEvent, _ doer: Doer?, _ rules: ConflictRules) {
        defer { stage.media = nil }
        guard let media = stage.media, media.holder != nil, media.isMissed(at: event.observedAt, rules),
            media.mayBeReplaced, event.attribution != .snapshot
        else { return }
        // Whoever stops the own app is not interrupted.
        if event.kind == .appStopped, let doer, !doer.isReceiver, isHolder(of: media, doer, event) != false { return }
        stage.interrupted = Stage.Interrupted(
            media: media, appName: stage.app?.name, launchID: stage.app?.launchID,
            tellsSenders: stage.app?.tellsSenders ?? false, appSessionID: stage.app?.appSessionID,
            at: event.observedAt, isByApp: true, evidence: (media.endedIn.map { [$0] } ?? []) + [event.id])
    }

    /// Whether a receiver status's request is that of the sender which runs the media; nil when that is unclear.
    private func isHolder(of media: Stage.Media, _ doer: Doer, _ event: ChangeEvent) -> Bool? {
        guard let holder = media.holder, let last = holder.requestID, let id = doer.requestID else { return nil }
        if let series = holder.series, let told = event.senderSeries { return series == told }
        let seconds = event.observedAt.secondsAfter(holder.at)
        if PlausibleJump.fits(PlausibleJump.easy, from: last, to: id, within: seconds) { return true }
        return Doer.canBeOne(last, id, within: seconds) ? nil : false
    }

    /// A LAUNCH whose sender the status named.
    private mutating func judgeLaunch(by doer: Doer, _ event: ChangeEvent) -> Conflict? {
        guard let interrupted = stage.interrupted, let id = doer.requestID else { return nil }
        let media = interrupted.media
        let countsAsOne = interrupted.launchID.flatMap { launch in
            media.loadID.map { PlausibleJump.fits(PlausibleJump.easy, from: launch, to: $0, within: 30) }
        }
        if countsAsOne == false {
            // That sender counts requests to the platform apart, so they can be held against each other only.
            if let launch = interrupted.launchID, Doer.canBeOne(launch, id, within: 3600) {
                stage.interrupted = nil
            } else {
                stage.interrupted?.launchSureness = Self.probableTakeover
            }
        } else {
            switch isHolder(of: media, doer, event) {
            case true?: stage.interrupted = nil
            case false?:
                let isCertain = countsAsOne == true || event.senderSeries != nil
                stage.interrupted?.launchSureness = isCertain ? Self.certainTakeover : Self.probableTakeover
            case nil: break
            }
        }
        guard let sureness = stage.interrupted?.launchSureness else { return nil }
        return takeover(by: doer, sureness: sureness, event, isOver: false)
    }

    // MARK: Media

    private mutating func startMedia(_ event: ChangeEvent, _ doer: Doer?, _ rules: ConflictRules) -> Conflict? {
        let isSame = stage.media.map { $0.mediaSessionID == event.mediaSessionID } ?? false
        if stage.app?.appSessionID != event.appSessionID {
            stage.app = Stage.App(appSessionID: event.appSessionID)
            if stage.interrupted?.isByApp == false { stage.interrupted = nil }
        }
        forgetMedia()
        player = PlayerIntent()
        let phase = Self.phase(event.after?["playerState"]?.string)
        var media = Stage.Media(
            event.mediaSessionID, title: Wording.title(of: event.after?["media"]), phase: phase, at: event.observedAt)
        switch phase {
        case .playing where event.after?["playerState"]?.string.map({ PlayerState($0) }) == .playing:
            player.isPaused = false
        case .paused: player.isPaused = true
        default: break
        }
        if event.attribution == .snapshot {
            // Who loaded what plays already is not known.
            media.awaitsLoader = false
            stage.media = media
            stage.interrupted = nil
            return nil
        }
        interruptMedia(by: event, isSame: isSame, rules)
        stage.media = media
        return learnLoader(event, doer, rules)
    }

    private mutating func interruptMedia(by event: ChangeEvent, isSame: Bool, _ rules: ConflictRules) {
        guard let old = stage.media, !isSame else { return }
        guard old.holder != nil, old.isMissed(at: event.observedAt, rules), old.mayBeReplaced else {
            if old.phase != .loading { stage.interrupted = nil }
            return
        }
        stage.interrupted = Stage.Interrupted(
            media: old, appName: stage.app?.name, tellsSenders: stage.app?.tellsSenders ?? false,
            appSessionID: event.appSessionID, at: event.observedAt, isByApp: false,
            evidence: (old.endedIn.map { [$0] } ?? []) + [event.id])
    }

    private mutating func endMedia(_ event: ChangeEvent, _ doer: Doer?) {
        guard var media = stage.media, media.mediaSessionID == event.mediaSessionID else { return }
        media.enter(.over, at: event.observedAt)
        media.idleReason = event.after?["idleReason"]?.string
        media.endedBy = doer.flatMap { $0.isReceiver ? nil : $0 }
        media.endedIn = event.id
        stage.media = media
        player = PlayerIntent()
    }

    /// Any other event of the media session: what it does now, and who gave it a command.
    private mutating func followMedia(_ event: ChangeEvent, _ doer: Doer?, _ rules: ConflictRules) -> Conflict? {
        // Positions and tracks of another item are not those of the one before.
        if event.kind == .mediaChanged || event.kind == .queueItemChanged {
            for subject in [Board.Subject.seek, .tracks] { boards[subject] = nil }
        }
        guard event.mediaSessionID != nil, stage.media?.mediaSessionID == event.mediaSessionID,
            event.appSessionID == stage.app?.appSessionID
        else { return nil }
        switch event.kind {
        case .playerStateChanged:
            stage.media?.enter(Self.phase(event.after?["playerState"]?.string), at: event.observedAt)
        case .mediaLoading: stage.media?.enter(.loading, at: event.observedAt)
        case .mediaChanged, .queueItemChanged:
            if let title = Wording.title(of: event.after?["media"] ?? event.after) { stage.media?.title = title }
        case .metadataChanged:
            if let title = Wording.title(of: event.after) { stage.media?.title = title }
        default: break
        }
        return learnLoader(event, doer, rules)
    }

    /// The first sender's request in a media session that loads is its LOAD; later ones are commands.
    private mutating func learnLoader(_ event: ChangeEvent, _ doer: Doer?, _ rules: ConflictRules) -> Conflict? {
        guard var media = stage.media else { return nil }
        defer { stage.media = media }
        guard let doer, !doer.isReceiver else {
            // It plays, and no sender asked for it: the app itself did, or nobody knows.
            if media.awaitsLoader, event.attribution != .snapshot, media.phase == .playing || media.phase == .paused,
                event.kind == .playerStateChanged,
                event.after?["playerState"]?.string.map({ PlayerState($0) }) != .buffering
            {
                media.awaitsLoader = false
                stage.interrupted = nil
            }
            return nil
        }
        if media.awaitsLoader {
            media.awaitsLoader = false
            media.holder = doer
            media.loadID = doer.requestID
            stage.media = media
            return judgeLoad(by: doer, event, rules)
        }
        if let holder = media.holder, holder.isSame(as: doer) {
            (media.holder, media.isLeft) = (doer, false)
        } else if media.holder == nil || media.isLeft {
            (media.holder, media.isAdopted, media.isLeft) = (doer, true, false)
        }
        return nil
    }

    /// A LOAD whose sender is known now, after something was interrupted.
    private mutating func judgeLoad(by doer: Doer, _ event: ChangeEvent, _ rules: ConflictRules) -> Conflict? {
        guard let interrupted = stage.interrupted else { return nil }
        defer { stage.interrupted = nil }
        guard event.observedAt.isWithin(rules.takeoverLoadSeconds, of: interrupted.at),
            let holder = interrupted.media.holder
        else { return nil }
        if !interrupted.isByApp {
            guard !holder.isSame(as: doer) else { return nil }
            let isCertain = holder.sureness(ofAnother: doer) == 1
            return takeover(
                by: doer, sureness: isCertain ? Self.certainTakeover : Self.unclearTakeover, event, isOver: true)
        }
        if let told = interrupted.launchSureness { return takeover(by: doer, sureness: told, event, isOver: true) }
        guard let last = holder.requestID, let id = doer.requestID,
            !PlausibleJump.fits(
                PlausibleJump.easy, from: last, to: id, within: event.observedAt.secondsAfter(holder.at))
        else { return nil }
        let isPossible = Doer.canBeOne(last, id, within: event.observedAt.secondsAfter(holder.at))
        return takeover(
            by: doer, sureness: isPossible ? Self.unclearTakeover : Self.probableTakeover, event, isOver: true)
    }

    /// Sender ids of one counter that cannot be one sender's.
    static let certainTakeover = 0.95
    /// Ids that cannot be one counter's; but one sender might count apart for each app.
    static let probableTakeover = 0.75
    /// Ids that one sender might have used, though hardly.
    static let unclearTakeover = 0.55
    /// Times this, where the other sender had not loaded the media but was the first to command it.
    static let adoptedShare = 0.9
    /// Times this, where the device does not tell whether a sender is there at all.
    static let untoldShare = 0.95

    static func phase(_ playerState: String?) -> Stage.Phase {
        switch playerState.map({ PlayerState($0) }) {
        case .playing?, .buffering?: .playing
        case .paused?: .paused
        case .loading?: .loading
        default: .other
        }
    }
}
