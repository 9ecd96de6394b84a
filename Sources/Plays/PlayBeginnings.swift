import CastModel
import Differ
import Recording

/// How plays begin, and how ended ones go on after all.
extension DevicePlays {
    /// A media session begins.
    mutating func startMedia(_ event: ChangeEvent, into changes: inout PlayChanges) {
        guard app(of: event)?.isNoPlayer != true else { return }
        changes.isTouched = true
        let content = event.after?["media"]?.object.map { PlayContent(media: $0) } ?? PlayContent()
        if let index = openIndex(of: event) {
            let lostIn = settle(index, event)
            if open[index].play.content.mayBeSame(as: content) {
                return take(event, content, at: index, into: &changes)
            }
            open[index].absence = lostIn
            end(index, .replaced, event, into: &changes)
        }
        explainEnds(by: event, into: &changes)
        // What an app loads while its content waits for an ad to end is the ad.
        let isAdInstead = runsAdInstead(of: content, event)
        if !isAdInstead, event.attribution == .senderRequest { leaveBreak(for: content, event) }
        var play = OpenPlay(event)
        play.isAdInstead = isAdInstead
        play.play.content = content
        play.toldDurationSeconds = content.durationSeconds
        add(play, into: &changes)
        take(event, content, at: open.count - 1, into: &changes)
    }

    /// Keeps another play; the oldest one makes room for it.
    private mutating func add(_ play: OpenPlay, into changes: inout PlayChanges) {
        if open.count >= Self.openLimit {
            var oldest = open.removeFirst()
            if oldest.hasBegun, oldest.play.endedAt == nil {
                oldest.play.endedAt = oldest.play.countedAt
                (oldest.play.endReason, oldest.play.endIsUncertain) = (.unknown, true)
                oldest.spans.close()
                changes.put(oldest)
            }
        }
        open.append(play)
    }

    /// Takes what the first status of a media session says.
    private mutating func take(
        _ event: ChangeEvent, _ content: PlayContent, at index: Int, into changes: inout PlayChanges
    ) {
        let phase = Self.phase(event.after?["playerState"]) ?? .idle
        open[index].count(to: event.observedAt, inputInactive: isInputInactive)
        if open[index].play.content.isUnnamed { open[index].play.content = content }
        if let item = event.after?["currentItemId"]?.lossyInteger, !open[index].hasBegun {
            open[index].play.queueItemID = item
        }
        if let rate = event.after?["playbackRate"]?.lossyNumber, rate > 0, rate <= 100 { open[index].rate = rate }
        open[index].enter(phase, at: event.observedAt)
        open[index].awaitsMedia = phase == .loading || open[index].play.content.isUnnamed
        open[index].loadRequestID = event.requestID
        // An idle player is nowhere in its media yet.
        if phase != .idle { open[index].note(event.positionSeconds, at: event.observedAt) }
        open[index].select(event.after, known: event.after?["media"]?["tracks"], at: event.observedAt)
        sign(index, event)
        begin(index, event, into: &changes)
    }

    /// Another content in a media session that goes on: its play ends, and the next one begins.
    ///
    /// Where the change lies in a gap, the play ended in that gap.
    mutating func replace(
        _ index: Int, by content: PlayContent, lostIn absence: OpenPlay.Absence? = nil, _ event: ChangeEvent,
        into changes: inout PlayChanges
    ) {
        open[index].absence = absence
        let before = open[index]
        var next = OpenPlay(event)
        next.mediaSessionID = before.mediaSessionID
        next.play.content = content
        next.toldDurationSeconds = content.durationSeconds
        next.play.queueItemID = event.after?["currentItemId"]?.lossyInteger
        if event.kind == .playerStateChanged { next.play.queueItemID = before.play.queueItemID }
        next.playerPhase = before.playerPhase
        next.rate = before.rate
        next.awaitsMedia = event.kind == .queueItemChanged || before.playerPhase == .loading
        next.loadRequestID = event.requestID
        next.play.tracks = before.inheritedTracks(at: event.observedAt)
        let isFinished = absence == nil && before.isAtEnd(at: event.observedAt)
        end(index, isFinished ? .finished : .replaced, event, inSession: true, into: &changes)
        add(next, into: &changes)
        let index = open.count - 1
        open[index].note(event.positionSeconds, at: event.observedAt)
        sign(index, event)
        begin(index, event, into: &changes)
    }

    /// The first sign of a play is the event that names it for ever.
    mutating func sign(_ index: Int, _ event: ChangeEvent) {
        guard !open[index].hasSign, open[index].playerPhase != .idle else { return }
        open[index].hasSign = true
        open[index].play.id = event.id
        open[index].play.startedAt = event.observedAt
        open[index].play.startCause = startCause(event)
        // Where an idle player stood before is no part of the play.
        open[index].forgetPositions()
        open[index].note(event.positionSeconds, at: event.observedAt)
        for interval in open[index].play.tracks.indices {
            open[index].play.tracks[interval].from = event.observedAt
        }
    }

    /// Begins a play that has shown a sign, unless it loads something that has no name yet.
    mutating func begin(_ index: Int, _ event: ChangeEvent, into changes: inout PlayChanges) {
        if open[index].hasBegun { return changes.put(open[index]) }
        let loadsUnnamed = open[index].playerPhase == .loading && open[index].play.content.isUnnamed
        guard open[index].hasSign, open[index].playerPhase != .idle, !loadsUnnamed, !open[index].isAdInstead else {
            return
        }
        if let ended = continued(by: open[index]) {
            return goOn(ended, with: index, event, into: &changes)
        }
        let app = apps.first { $0.appSessionID == open[index].play.appSessionID }
        open[index].hasBegun = true
        open[index].play.appID = app?.appID
        open[index].play.appName = app?.name
        open[index].play.memberIDs = memberIDs
        // Since its sign it has loaded something without a name.
        open[index].spend(from: open[index].play.startedAt, to: event.observedAt, in: .loading, inputInactive: false)
        open[index].play.countedAt = event.observedAt
        changes.begun.append(open[index].play.id)
        changes.put(open[index])
    }

    private func startCause(_ event: ChangeEvent) -> Play.StartCause {
        let isFromCloud = app(of: event)?.isFromCloud == true
        let isFirst = !recent.contains { $0.play.appSessionID == event.appSessionID }
        return switch event.attribution {
        case .senderRequest: .senderRequest
        case .snapshot: .alreadyPlaying
        case .receiver: isFromCloud && isFirst ? .cloud : .receiver
        case .unknown: isFromCloud && isFirst ? .cloud : .unknown
        }
    }

    static func phase(_ playerState: JSONValue?) -> Play.Phase? {
        guard let state = playerState?.string.map({ PlayerState($0) }) else { return nil }
        return switch state {
        case .idle: .idle
        case .loading: .loading
        case .buffering: .buffering
        case .playing: .playing
        case .paused: .paused
        default: .unknown
        }
    }
}
