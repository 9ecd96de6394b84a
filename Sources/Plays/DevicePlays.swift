import CastModel
import Differ
import Recording

/// What is known of the plays of one device: the state that its next change event meets.
struct DevicePlays: Equatable {
    /// A receiver app that runs.
    struct RunningApp: Equatable {
        var appSessionID: AppSessionID?
        var appID: AppID?
        var name: String?
        /// Whether an assistant or a routine started it.
        var isFromCloud = false
        /// An idle screen, or the placeholder of a group: what it shows is no play here.
        var isNoPlayer = false
        /// Since when an ad break runs in it; nil when none does.
        var breakSince: WallTime?
        /// When the last ad break ended.
        var breakEndedAt: WallTime?
    }

    /// Whose plays.
    let deviceID: DeviceID
    var apps: [RunningApp] = []
    /// Plays that last, and media that is not playing yet.
    var open: [OpenPlay] = []
    /// Plays that ended lately, the last one at the end.
    var recent: [OpenPlay] = []
    /// Whether the TV is in standby; nil until told.
    var isStandBy: Bool?
    /// Whether the TV shows this device's input; nil until told.
    var isActiveInput: Bool?
    /// The members of the group, in the order of their ids.
    var memberIDs: [DeviceID] = []

    /// Apps kept, at most.
    static let appLimit = 8
    /// Open plays kept, at most.
    static let openLimit = 8
    /// Ended plays kept, at most.
    static let recentLimit = 4
    /// Ended plays are kept so long, in seconds: an ad break may take that long.
    static let recentSeconds = 600.0

    init(deviceID: DeviceID) { self.deviceID = deviceID }

    /// Whether nobody watches what plays: known, not assumed.
    var isInputInactive: Bool { isStandBy == true || isActiveInput == false }

    /// Whether events of a kind can change a play at all: most cannot.
    static func isConcerned(by kind: ChangeEvent.Kind) -> Bool {
        switch kind {
        case .deviceSeen, .deviceWithdrawn, .deviceRenamed, .addressChanged, .linkOpened, .linkClosed,
            .identityVerified, .identityFailed, .appStatusTextChanged, .senderConnectedChanged, .deviceVolumeChanged,
            .deviceMuteChanged, .launchStatus, .launchError, .mediaReasserted, .streamVolumeChanged, .liveRangeChanged,
            .supportedCommandsChanged, .videoInfoChanged, .textTrackStyleChanged, .textTrackStyleReasserted,
            .queueChanged, .repeatModeChanged, .breakClipChanged, .playbackSessionChanged, .customMessage,
            .malformedPayload, .stormStarted, .stormEnded:
            false
        case .gapStarted, .gapEnded, .appStarted, .appStopped, .appReplaced, .idleScreenShown, .standbyChanged,
            .activeInputChanged, .mediaSessionStarted, .mediaSessionEnded, .mediaLoading, .mediaChanged,
            .metadataChanged, .durationChanged, .playerStateChanged, .seeked, .playbackRateChanged, .mediaError,
            .trackListChanged, .activeTracksChanged, .queueItemChanged, .breakStarted, .breakEnded, .groupMemberAdded,
            .groupMemberUpdated, .groupMemberRemoved:
            true
        }
    }

    /// Folds an event of this device.
    mutating func fold(_ event: ChangeEvent, into changes: inout PlayChanges) {
        if !event.isClockJump { endOldBreaks(event, into: &changes) }
        switch event.kind {
        case .appStarted, .idleScreenShown: startApp(event, into: &changes)
        case .appReplaced: replaceApp(event, into: &changes)
        case .appStopped: stopApp(event, into: &changes)
        case .standbyChanged: changeInput(event, into: &changes) { $0.isStandBy = $1 }
        case .activeInputChanged: changeInput(event, into: &changes) { $0.isActiveInput = $1 }
        case .gapStarted: startGap(event, into: &changes)
        case .gapEnded: endGap(event, into: &changes)
        case .mediaSessionStarted: startMedia(event, into: &changes)
        case .mediaSessionEnded: endMedia(event, into: &changes)
        case .mediaLoading: loadMedia(event, into: &changes)
        case .mediaChanged: changeMedia(event, into: &changes)
        case .metadataChanged: changeMetadata(event, into: &changes)
        case .durationChanged: changeDuration(event, into: &changes)
        case .trackListChanged: withPlay(of: event, into: &changes) { $0.resolve(event.after?["tracks"]) }
        case .activeTracksChanged:
            withPlay(of: event, into: &changes) {
                $0.select(event.after, known: event.after?["tracks"], at: event.observedAt)
            }
        case .playerStateChanged: changePlayerState(event, into: &changes)
        case .seeked: seek(event, into: &changes)
        case .playbackRateChanged:
            withPlay(of: event, into: &changes) { play in
                // A player that stands still may say 0; it does not move then in any case.
                guard let rate = event.after?["playbackRate"]?.lossyNumber, rate > 0, rate <= 100 else { return }
                play.rate = rate
            }
        case .mediaError: failLoad(event, into: &changes)
        case .queueItemChanged: stepQueue(event, into: &changes)
        case .breakStarted: startBreak(event, into: &changes)
        case .breakEnded: endBreak(event, into: &changes)
        case .groupMemberAdded, .groupMemberUpdated: addMember(event, into: &changes)
        case .groupMemberRemoved: removeMember(event, into: &changes)
        default: break  // See isConcerned(by:).
        }
    }

    /// Changes the play that an event is about, if there is one: settles a gap before it, and counts its time.
    mutating func withPlay(
        of event: ChangeEvent, into changes: inout PlayChanges, _ change: (inout OpenPlay) -> Void
    ) {
        guard let index = openIndex(of: event) else { return }
        settle(index, event)
        open[index].noteProgress(by: event)
        open[index].count(to: event.observedAt, inputInactive: isInputInactive)
        change(&open[index])
        changes.isTouched = true
        changes.put(open[index])
    }

    /// The open play of an event's media session.
    func openIndex(of event: ChangeEvent) -> Int? {
        open.lastIndex { $0.mediaSessionID == event.mediaSessionID && $0.play.appSessionID == event.appSessionID }
    }

    // MARK: The TV

    private mutating func changeInput(
        _ event: ChangeEvent, into changes: inout PlayChanges, _ take: (inout DevicePlays, Bool?) -> Void
    ) {
        let key = event.kind == .standbyChanged ? "isStandBy" : "isActiveInput"
        for index in open.indices where open[index].hasBegun {
            open[index].noteProgress(at: event.observedAt)
            open[index].count(to: event.observedAt, inputInactive: isInputInactive)
            changes.put(open[index])
        }
        take(&self, event.after?[key]?.lossyFlag)
        changes.isTouched = true
    }

    // MARK: The group

    private mutating func addMember(_ event: ChangeEvent, into changes: inout PlayChanges) {
        guard let text = event.after?["deviceId"]?.string, !text.isEmpty else { return }
        let member = DeviceID(text)
        guard member != deviceID, !memberIDs.contains(member), memberIDs.count < Play.memberLimit else { return }
        memberIDs.append(member)
        memberIDs.sort()
        changes.isTouched = true
        for index in open.indices where open[index].hasBegun {
            var members = open[index].play.memberIDs
            guard !members.contains(member), members.count < Play.memberLimit else { continue }
            members.append(member)
            open[index].play.memberIDs = members.sorted()
            changes.put(open[index])
        }
    }

    private mutating func removeMember(_ event: ChangeEvent, into changes: inout PlayChanges) {
        guard let text = (event.before ?? event.after)?["deviceId"]?.string else { return }
        memberIDs.removeAll { $0 == DeviceID(text) }
        changes.isTouched = true
    }
}
