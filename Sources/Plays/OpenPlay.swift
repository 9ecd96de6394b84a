import CastModel
import Differ
import Recording

/// A play that lasts, or ended so lately that it may go on: its row, and what is needed to count its time.
struct OpenPlay: Equatable {
    /// A stretch without observation.
    struct Absence: Equatable {
        /// The last moment observed.
        var from: WallTime
        /// Why, as the gap says it.
        var reason: String
        /// When the gap was told of.
        var toldAt: WallTime
        /// The end of the gap; nil while it lasts.
        ///
        /// After it the play is believed to go on, until a snapshot denies it.
        var resumedAt: WallTime?
        /// The time as it was counted at ``from``.
        var before: TimeSpent
        /// How many spans there were at ``from``.
        var spansBefore: Int32
        /// What of it is over: before its reason changed, or the clock was set.
        var stretches: [Stretch] = []
        /// Since when the rest of it lasts.
        var restFrom: WallTime

        /// A part of it, on one setting of the clock.
        struct Stretch: Equatable {
            var from: WallTime
            var to: WallTime
        }

        /// Parts kept, at most: further ones lengthen the last.
        private static let stretchLimit = 16

        init(from: WallTime, reason: String, toldAt: WallTime, before: TimeSpent, spansBefore: Int32) {
            (self.from, self.reason, self.toldAt, self.before) = (from, reason, toldAt, before)
            self.spansBefore = spansBefore
            restFrom = from
        }

        /// The part up to a moment is over; the rest lasts from another moment on.
        mutating func divide(at moment: WallTime, resumingAt next: WallTime) {
            let length = TimeSpent.between(restFrom, moment)
            if let last = stretches.indices.last, stretches[last].to == restFrom || stretches.count >= Self.stretchLimit
            {
                stretches[last].to.microseconds &+= length
            } else if length > 0 {
                stretches.append(Stretch(from: restFrom, to: moment))
            }
            restFrom = next
        }
    }

    /// How it ended, to know whether it goes on after all.
    struct Ending: Equatable {
        /// The record that told it.
        var record: ArchivePosition
        /// Who ended it.
        var attribution: ChangeEvent.Attribution
        /// Whether an ad break ran.
        var isInBreak: Bool
        /// Whether its media session went on with another play, such as the next queue item.
        var isInSession = false
    }

    /// Its row.
    var play: Play
    /// The media session that it is in now.
    ///
    /// Another than the one it began in when a seek or an ad loaded the content anew.
    var mediaSessionID: Int64?
    /// Whether anything was seen of it: the player loads, plays, or the like.
    var hasSign = false
    /// Whether it has begun: before, there is no row.
    ///
    /// A sign alone does not do while the player loads something that has no name yet.
    var hasBegun = false
    /// What the player does, ads and gaps aside.
    var playerPhase: Play.Phase = .idle
    /// Since when.
    var phaseSince: WallTime
    /// Whether an ad break runs in its media session.
    var isInBreak = false
    /// Whether that break is one of the whole app, which pauses the content.
    var isInAppBreak = false
    /// Whether this is an ad for which the content was unloaded: no play, unless a sender turns out to have asked for it.
    var isAdInstead = false
    /// Whether an ad seems to run under the name of the content, by its length.
    var isSuspectedAd = false
    /// The length that was told last, be it that of an ad.
    var toldDurationSeconds: Double?
    /// The record in which the content gave way to such an ad, or the other way round; nil when none did.
    var changedOverIn: ArchivePosition?
    /// Whether media that comes now names this content, and is not another one.
    var awaitsMedia = false
    /// The requestId of its LOAD; nil when unknown.
    var loadRequestID: Int64?
    /// Speed of playback.
    var rate = 1.0
    /// Where the content was at ``anchorAt``, in seconds.
    var anchorSeconds: Double?
    /// When it was there.
    var anchorAt: WallTime
    /// The stretch without observation that lasts, or that is not confirmed to be over.
    var absence: Absence?
    /// How it ended; nil while it lasts.
    var ending: Ending?
    /// Its spans, as far as they may still change.
    var spans = SpanTail()

    init(_ event: ChangeEvent) {
        self.init(
            play: Play(
                id: event.id, deviceID: event.deviceID, startedAt: event.observedAt, countedAt: event.observedAt))
        play.appSessionID = event.appSessionID
        play.mediaSessionID = event.mediaSessionID
        mediaSessionID = event.mediaSessionID
    }

    init(play: Play) {
        self.play = play
        phaseSince = play.countedAt
        anchorAt = play.countedAt
    }

    /// What it does, as its row says it.
    var phase: Play.Phase {
        if absence != nil, absence?.resumedAt == nil { return .unobserved }
        let runsAd = isInBreak || isSuspectedAd
        let moves = playerPhase == .playing || playerPhase == .buffering
        // The ads of a whole app run beside the content, which stands still meanwhile.
        return runsAd && (moves || isInAppBreak && playerPhase == .paused) ? .advertisement : playerPhase
    }

    /// Its row as it stands now.
    var row: Play {
        var row = play
        row.phase = row.endedAt == nil ? phase : nil
        let lasts = spans.open.flatMap { $0.phase == phase && $0.to == play.countedAt ? $0.from : nil }
        row.phaseSince = row.endedAt == nil ? lasts ?? row.countedAt : nil
        row.spans = spans.changes
        return row
    }

    // MARK: Time

    /// Counts the time up to a moment.
    ///
    /// Time without observation is counted where the gap ends: until then nothing is counted, nor does the count go on.
    mutating func count(to moment: WallTime, inputInactive: Bool) {
        guard phase != .unobserved else { return }
        spend(from: play.countedAt, to: moment, in: phase, inputInactive: inputInactive)
        play.countedAt = moment
    }

    /// A LOAD is complete: who asked for it may be told only now, since receivers announce a LOAD with requestId 0
    /// (PROTOCOL 5.1).
    mutating func completeLoad(by event: ChangeEvent) {
        guard playerPhase == .loading, event.attribution == .senderRequest else { return }
        isAdInstead = false
        switch play.startCause {
        case .receiver, .cloud, .unknown: play.startCause = .senderRequest
        case .senderRequest, .alreadyPlaying, .transfer: break
        }
    }

    /// Enters another phase; the time before was counted.
    mutating func enter(_ phase: Play.Phase, at moment: WallTime) {
        guard phase != playerPhase else { return }
        anchorSeconds = position(at: moment)
        anchorAt = moment
        playerPhase = phase
        phaseSince = moment
    }

    // MARK: Position

    /// Where the content is at a moment, by extrapolation; nil when unknown.
    func position(at moment: WallTime) -> Double? {
        guard let anchorSeconds else { return nil }
        guard phase == .playing else { return anchorSeconds }
        let seconds = anchorSeconds + rate * TimeSpent.seconds(TimeSpent.between(anchorAt, moment))
        guard let end = play.content.durationSeconds, !play.content.isLive, seconds > end else {
            return max(0, seconds)
        }
        return max(end, anchorSeconds)
    }

    /// Takes a position that was told, unless it is that of an ad.
    mutating func note(_ seconds: Double?, at moment: WallTime) {
        guard let seconds, !isInBreak, !isSuspectedAd else { return }
        anchorSeconds = seconds
        anchorAt = moment
        extend(to: seconds)
    }

    /// Takes the position that it has come to by itself.
    mutating func noteProgress(at moment: WallTime) {
        guard absence == nil, !isInBreak, !isSuspectedAd, let seconds = position(at: moment) else { return }
        anchorSeconds = seconds
        anchorAt = moment
        extend(to: seconds)
    }

    /// Takes the position that it has come to by an event: as the device tells it, or by itself.
    ///
    /// A stalled player, or a slow one, gets less far than its speed says, and only the device knows.
    mutating func noteProgress(by event: ChangeEvent) {
        guard absence == nil, !isInBreak, !isSuspectedAd else { return }
        guard let seconds = toldProgress(event) else { return noteProgress(at: event.observedAt) }
        anchorSeconds = seconds
        anchorAt = event.observedAt
        extend(to: seconds)
    }

    /// The position that an event tells of what went before it; nil when it tells none.
    private func toldProgress(_ event: ChangeEvent) -> Double? {
        guard hasBegun, playerPhase != .idle, playerPhase != .loading, play.id.position != event.id.position,
            changedOverIn != event.id.position
        else { return nil }
        switch event.kind {
        case .seeked:
            return event.before?["currentTime"]?.lossyNumber
        case .mediaSessionEnded, .playerStateChanged, .playbackRateChanged, .activeTracksChanged:
            // Before the last known position it is what comes after a jump, or the 0 of a player that is done.
            guard let told = event.positionSeconds, told >= anchorSeconds ?? 0 else { return nil }
            return told == 0 && event.kind == .mediaSessionEnded ? nil : told
        default: return nil
        }
    }

    /// What was said of the position so far was said of something else.
    mutating func forgetPositions() {
        (play.firstPositionSeconds, play.lastPositionSeconds, play.maxPositionSeconds) = (nil, nil, nil)
    }

    private mutating func extend(to seconds: Double) {
        if play.firstPositionSeconds == nil { play.firstPositionSeconds = seconds }
        play.lastPositionSeconds = seconds
        play.maxPositionSeconds = max(seconds, play.maxPositionSeconds ?? seconds)
    }

    /// A content that ends this much before its length has finished, in seconds; less for short ones.
    private static let finishSeconds = 5.0

    /// Whether the content is at its end, so that what follows came by itself.
    func isAtEnd(at moment: WallTime) -> Bool {
        guard let duration = play.content.durationSeconds, !play.content.isLive, !isSuspectedAd,
            let seconds = position(at: moment)
        else { return false }
        return duration - seconds <= max(1.5, min(Self.finishSeconds, 0.05 * duration))
    }
}
