import CastModel
import Plays
import Recording

/// How neighbors become one row: a choice of the view, which changes no play.
extension AsRunFields {
    /// Takes the next play of the same device and day into this row, when it is of the same app and content and begins less
    /// than so many seconds after the end of this one.
    ///
    /// - Returns: Whether it was taken.
    public mutating func merge(_ next: AsRunFields, within seconds: Double) -> Bool {
        guard let mine = play, let other = next.play, deviceID == next.deviceID, day == next.day,
            mine.fields.appID == other.fields.appID, mine.fields.content.isNamedLike(other.fields.content),
            let endedAt = mine.fields.endedAt
        else { return false }
        let pause = other.fields.startedAt.seconds(since: endedAt)
        guard pause >= 0, pause < seconds else { return false }
        var merged = mine.fields
        merged.endedAt = other.fields.endedAt
        merged.endReason = other.fields.endReason
        merged.endIsUncertain = other.fields.endIsUncertain
        merged.phase = other.fields.phase
        merged.countedAt = other.fields.countedAt
        merged.seeks += other.fields.seeks
        merged.tracks += other.fields.tracks
        let furthest = [mine.fields.maxPositionSeconds, other.fields.maxPositionSeconds].compactMap { $0 }.max()
        merged.maxPositionSeconds = furthest
        play = (merged, mine.recorderID)
        time.add(next.time)
        gapSeconds += next.gapSeconds
        mergedCount += next.mergedCount
        return true
    }
}

extension PlayContent {
    /// Whether another content has the same names, and any at all.
    fileprivate func isNamedLike(_ other: PlayContent) -> Bool {
        guard contentID != nil || contentURL != nil || entity != nil || title != nil else { return false }
        return contentID == other.contentID && contentURL == other.contentURL && entity == other.entity
            && (contentID != nil || contentURL != nil || entity != nil || title == other.title)
    }
}
