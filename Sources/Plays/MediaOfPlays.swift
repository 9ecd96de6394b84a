import CastModel
import Differ
import Recording

/// How a media session that goes on changes its play.
extension DevicePlays {
    /// The player does something else.
    mutating func changePlayerState(_ event: ChangeEvent, into changes: inout PlayChanges) {
        guard let phase = Self.phase(event.after?["playerState"]), let known = openIndex(of: event) else { return }
        if phase != .idle, repeats(known, event) { replace(known, by: open[known].play.content, event, into: &changes) }
        guard let index = openIndex(of: event) else { return }
        let wasAdInstead = open[index].isAdInstead
        withPlay(of: event, into: &changes) { play in
            if phase != .idle { play.completeLoad(by: event) }
            play.enter(phase, at: event.observedAt)
            // An idle player tells of nothing, or of what comes next.
            if phase != .idle { play.note(event.positionSeconds, at: event.observedAt) }
            if phase == .playing, play.hasBegun, play.play.id.position < event.id.position,
                !play.play.content.isUnnamed
            {
                play.awaitsMedia = false
            }
        }
        if wasAdInstead, !open[index].isAdInstead { leaveBreak(for: open[index].play.content, event) }
        sign(index, event)
        begin(index, event, into: &changes)
    }

    /// Whether content that had come to its end and idled begins once more: a play of its own, as any other queue step.
    private func repeats(_ index: Int, _ event: ChangeEvent) -> Bool {
        let play = open[index]
        return play.hasBegun && play.playerPhase == .idle && play.absence == nil && play.isAtEnd(at: event.observedAt)
            && event.positionSeconds.map { $0 <= Self.startSeconds } ?? false
    }

    /// A position up to this is the start, in seconds.
    private static let startSeconds = 1.5

    /// Somebody jumped.
    mutating func seek(_ event: ChangeEvent, into changes: inout PlayChanges) {
        withPlay(of: event, into: &changes) { play in
            let isOfAd = play.isInBreak || play.isSuspectedAd || play.changedOverIn == event.id.position
            play.note(event.after?["currentTime"]?.lossyNumber ?? event.positionSeconds, at: event.observedAt)
            // The receiver app's return to the start is a repeat, and a play's first position is no jump.
            guard !isOfAd, event.after?["restart"]?.lossyFlag != true, play.play.id.position != event.id.position else {
                return
            }
            play.play.seeks &+= 1
        }
    }

    /// A LOAD is under way.
    mutating func loadMedia(_ event: ChangeEvent, into changes: inout PlayChanges) {
        guard let index = openIndex(of: event) else {
            return startUnannounced(event, media: event.after?["media"], into: &changes)
        }
        let content = event.after?["media"]?.object.map { PlayContent(media: $0) }
        let lostIn = settle(index, event)
        admit(index, content, event)
        if let content, open[index].hasBegun, !open[index].play.content.mayBeSame(as: content) {
            replace(index, by: content, lostIn: lostIn, event, into: &changes)
            guard let index = openIndex(of: event) else { return }
            return load(index, event, into: &changes)
        }
        if let content, open[index].play.content.isUnnamed {
            open[index].play.content = content
            open[index].toldDurationSeconds = content.durationSeconds
        }
        load(index, event, into: &changes)
    }

    private mutating func load(_ index: Int, _ event: ChangeEvent, into changes: inout PlayChanges) {
        changes.isTouched = true
        open[index].noteProgress(at: event.observedAt)
        open[index].count(to: event.observedAt, inputInactive: isInputInactive)
        open[index].enter(.loading, at: event.observedAt)
        open[index].awaitsMedia = true
        open[index].loadRequestID = event.requestID
        sign(index, event)
        begin(index, event, into: &changes)
    }

    /// Media, for the first time or another one.
    mutating func changeMedia(_ event: ChangeEvent, into changes: inout PlayChanges) {
        guard let media = event.after?.object else { return }
        guard let index = openIndex(of: event) else {
            return startUnannounced(event, media: event.after, into: &changes)
        }
        let lostIn = settle(index, event)
        let content = PlayContent(media: media)
        admit(index, content, event)
        name(index, content, tracks: media["tracks"], lostIn: lostIn, event, into: &changes)
    }

    /// A part of the media: without an id, another title is another content.
    mutating func changeMetadata(_ event: ChangeEvent, into changes: inout PlayChanges) {
        guard let index = openIndex(of: event), let part = event.after?.object else { return }
        let lostIn = settle(index, event)
        var content = open[index].play.content
        content.take(part)
        let known = open[index].play.content
        let isAnother =
            !known.hasIdentity && !content.hasIdentity && known.title != nil && content.title != nil
            && known.title != content.title
        if isAnother {
            content.durationSeconds = nil
            name(index, content, tracks: nil, lostIn: lostIn, event, into: &changes)
        } else {
            withPlay(of: event, into: &changes) { $0.play.content = content }
        }
    }

    /// Another queue item: another play, also when it is the same content once more.
    mutating func stepQueue(_ event: ChangeEvent, into changes: inout PlayChanges) {
        guard let index = openIndex(of: event) else { return }
        let lostIn = settle(index, event)
        if open[index].play.id.position == event.id.position || !open[index].hasBegun {
            open[index].play.queueItemID = event.after?["currentItemId"]?.lossyInteger
            if open[index].play.content.isUnnamed, let media = event.after?["media"]?.object {
                open[index].play.content = PlayContent(media: media)
            }
            open[index].awaitsMedia = true
            changes.isTouched = true
            return changes.put(open[index])
        }
        let content = event.after?["media"]?.object.map { PlayContent(media: $0) } ?? PlayContent()
        replace(index, by: content, lostIn: lostIn, event, into: &changes)
    }

    /// Media that came for a play: it names the play, or it is another one.
    private mutating func name(
        _ index: Int, _ content: PlayContent, tracks: JSONValue?, lostIn: OpenPlay.Absence?, _ event: ChangeEvent,
        into changes: inout PlayChanges
    ) {
        let known = open[index].play.content
        let isNew = open[index].play.id.position == event.id.position
        guard open[index].awaitsMedia || isNew || known.isUnnamed || known.isSame(as: content) || !open[index].hasBegun
        else { return replace(index, by: content, lostIn: lostIn, event, into: &changes) }
        open[index].noteProgress(at: event.observedAt)
        open[index].count(to: event.observedAt, inputInactive: isInputInactive)
        open[index].completeLoad(by: event)
        open[index].play.content = content
        if content.durationSeconds == nil, known.isSame(as: content) {
            open[index].play.content.durationSeconds = known.durationSeconds
        }
        open[index].toldDurationSeconds = content.durationSeconds
        open[index].awaitsMedia = false
        open[index].resolve(tracks)
        changes.isTouched = true
        begin(index, event, into: &changes)
    }

    /// Media in a media session whose beginning made no play.
    private mutating func startUnannounced(
        _ event: ChangeEvent, media: JSONValue?, into changes: inout PlayChanges
    ) {
        guard let media else { return }
        var beginning = event
        beginning.after = ["media": media]
        if event.kind == .mediaLoading { beginning.after = ["media": media, "playerState": "LOADING"] }
        startMedia(beginning, into: &changes)
    }
}
