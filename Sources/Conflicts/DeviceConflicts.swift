import CastModel
import Differ
import Recording

/// What is known of the conflicts of one device: the state that its next change event meets.
struct DeviceConflicts: Equatable {
    /// Whose conflicts.
    let deviceID: DeviceID
    /// Senders by the ids of receiver statuses: volume and apps.
    var platformHands = Hands()
    /// Senders by the ids of media statuses, in one app session.
    var appHands = Hands()
    /// The app session of ``appHands``.
    var appSessionID: AppSessionID?
    /// One board per subject that was touched lately.
    var boards: [Board.Subject: Board] = [:]
    var volume = KnownVolume()
    var player = PlayerIntent()
    var stage = Stage()
    /// Whether an ad break runs.
    var isInBreak = false
    /// When the last ad break began or ended.
    var breakAt: WallTime?

    init(deviceID: DeviceID) { self.deviceID = deviceID }

    /// Whether events of a kind can matter here at all: most cannot.
    static func isConcerned(by kind: ChangeEvent.Kind) -> Bool {
        switch kind {
        case .deviceSeen, .deviceWithdrawn, .deviceRenamed, .addressChanged, .linkOpened, .linkClosed,
            .identityVerified, .identityFailed, .appStatusTextChanged, .standbyChanged, .activeInputChanged,
            .launchStatus, .launchError, .groupMemberAdded, .groupMemberUpdated, .groupMemberRemoved,
            .playbackSessionChanged, .customMessage, .malformedPayload, .stormStarted, .stormEnded, .mediaError,
            .breakClipChanged:
            false
        case .gapStarted, .gapEnded, .appStarted, .appStopped, .appReplaced, .idleScreenShown,
            .senderConnectedChanged, .deviceVolumeChanged, .deviceMuteChanged, .mediaSessionStarted,
            .mediaSessionEnded, .mediaLoading, .mediaChanged, .mediaReasserted, .metadataChanged, .durationChanged,
            .playerStateChanged, .seeked, .playbackRateChanged, .streamVolumeChanged, .liveRangeChanged,
            .supportedCommandsChanged, .videoInfoChanged, .trackListChanged, .activeTracksChanged,
            .textTrackStyleChanged, .textTrackStyleReasserted, .queueChanged, .queueItemChanged, .repeatModeChanged,
            .breakStarted, .breakEnded:
            true
        }
    }

    /// Folds an event of this device; the conflicts that it began or changed, each as it stands afterwards.
    mutating func fold(_ event: ChangeEvent, _ rules: ConflictRules) -> [Conflict] {
        if event.kind == .gapStarted || event.kind == .gapEnded {
            forget(event)
            return []
        }
        let doer = self.doer(of: event, rules)
        var found: [Conflict] = []
        if let taken = direct(event, doer, rules) { found.append(taken) }
        for (subject, move) in moves(of: event, doer, rules) {
            if let conflict = place(move, on: subject, event, rules) { found.append(conflict) }
        }
        return found
    }

    /// What nobody saw may explain everything: after a gap, all begins anew.
    ///
    /// A gap that hides media alone leaves the volume.
    private mutating func forget(_ event: ChangeEvent) {
        let reason = (event.after ?? event.before)?["reason"]?.string.flatMap { Gap.Reason(rawValue: $0) }
        if reason == .notJoined || reason == .attachRefused {
            forgetMedia()
        } else {
            boards = [:]
            volume = KnownVolume()
        }
        player = PlayerIntent()
        stage = Stage()
        isInBreak = false
        breakAt = nil
    }

    /// Another media, another game: only the device's volume goes on.
    mutating func forgetMedia() {
        boards = boards.filter { $0.key == .deviceVolume }
    }

    /// Who caused an event; nil where that is unknown, or where it is no change.
    private mutating func doer(of event: ChangeEvent, _ rules: ConflictRules) -> Doer? {
        switch event.attribution {
        case .snapshot, .unknown: return nil
        case .receiver: return .receiver(at: event.observedAt)
        case .senderRequest:
            guard let id = event.requestID, id > 0 else { return nil }
            var split: Hands.Split?
            if Self.isOfPlatform(event.kind) {
                let doer = platformHands.take(
                    id, series: event.senderSeries, at: event.observedAt, isLoading: false, split: &split)
                if let split { boards[.deviceVolume]?.apply(split, rules.volumeFight) }
                return doer
            }
            if event.appSessionID != appSessionID {
                appSessionID = event.appSessionID
                appHands = Hands()
            }
            let isLoad = event.kind == .mediaSessionStarted || event.kind == .mediaLoading
            if isLoad, event.senderSeries == nil { forgetAppSeries() }
            let doer = appHands.take(
                id, series: event.senderSeries, at: event.observedAt, isLoading: isLoad || stage.isLoading,
                split: &split)
            if let split {
                for subject in Board.Subject.allCases where subject != .deviceVolume {
                    if let rule = rules.fight(subject.kind) { boards[subject]?.apply(split, rule) }
                }
                stage.apply(split)
            }
            return doer
        }
    }

    /// A LOAD without a number: numbers from before it cannot be compared with those from after it (docs/events.md).
    private mutating func forgetAppSeries() {
        appHands.forgetSeries()
        platformHands.forgetSeries()
        stage.forgetSeries()
    }

    /// Whether events of a kind come of receiver statuses, whose ids may be counted apart.
    private static func isOfPlatform(_ kind: ChangeEvent.Kind) -> Bool {
        switch kind {
        case .appStarted, .appStopped, .appReplaced, .idleScreenShown, .senderConnectedChanged, .deviceVolumeChanged,
            .deviceMuteChanged:
            true
        default: false
        }
    }

    /// A move finds its board; a conflict, where it is part of one that is told.
    private mutating func place(
        _ move: Move, on subject: Board.Subject, _ event: ChangeEvent, _ rules: ConflictRules
    ) -> Conflict? {
        guard let rule = rules.fight(subject.kind) else { return nil }
        var board = boards[subject] ?? Board()
        defer { boards[subject] = board }
        var move = move
        if let last = board.recent.last, subject.isSetByOneRequest, move.contradicts(last) {
            move.doer = last.doer.twin
        }
        guard board.take(move, rule), var fight = board.fight else { return nil }
        if !fight.isTold { fight.isTold = fight.isConflict(rule, leastScore: rules.leastScore) }
        board.fight = fight
        guard fight.isTold else { return nil }
        return fight.conflict(of: subject, on: deviceID, in: event.appSessionID ?? stage.app?.appSessionID)
    }
}

extension Board.Subject {
    /// Whether a request sets it to one value, and that is all: a jump may pause the player and let it play on.
    fileprivate var isSetByOneRequest: Bool { self != .playPause }
}

extension Move {
    /// Whether it takes back what a request with the same id has just done.
    ///
    /// One request sets one thing. Two senders who began to count alike may go on so for long.
    fileprivate func contradicts(_ last: Move) -> Bool {
        guard !doer.isReceiver, doer.requestID == last.doer.requestID, doer.hand == last.doer.hand,
            at.isWithin(Hands.repeatSeconds, of: last.at)
        else { return false }
        switch (effect, last.effect) {
        // What a device makes of a wish, a limit or a key frame near by, is less than a half of it.
        case (.amount(let now), .amount(let before)): return (now < 0) != (before < 0) && abs(now) * 2 >= abs(before)
        case (.parts, .parts): return !effect.isSlight(0) && last.effect.followed(by: effect).isSlight(0)
        case (.amount, .parts), (.parts, .amount): return false
        }
    }
}

extension Doer {
    /// Another sender who counts as this one does.
    fileprivate var twin: Doer { Doer(hand: -hand, series: nil, requestID: requestID, at: at) }
}

extension Fight {
    /// The row that it makes.
    func conflict(
        of subject: Board.Subject, on deviceID: DeviceID, in appSessionID: AppSessionID?
    ) -> Conflict? {
        guard let first = evidence.first else { return nil }
        var row = Conflict(
            id: Conflict.ID(first: first, kind: subject.kind), deviceID: deviceID, appSessionID: appSessionID,
            from: from, to: to, score: score, undoings: undoings, certainUndoings: certainUndoings,
            evidence: evidence, evidenceCount: evidenceCount, actors: sides.map(\.actor), before: before,
            after: after, sentence: "")
        row.otherTurns = otherTurns
        row.sentence = Wording.sentence(of: row, subject)
        return row
    }
}
