public import Recording

extension Play {
    /// A stretch of a play in which it did one thing, on the wall clock; half open.
    ///
    /// The spans of a play add up to its ``Play/time``, phase by phase, to the microsecond; those of loading and of unknown
    /// words count nowhere in it, and an idle player leaves none. Where the clock was set back, spans overlap.
    public struct Span: Sendable, Equatable {
        /// Its place in the play, from 0.
        public var number: Int32
        /// Its first moment.
        public var from: WallTime
        /// The first moment after it.
        public var to: WallTime
        /// What the play did.
        public var phase: Phase
        /// Whether the TV was known to be in standby or on another input.
        public var isInputInactive: Bool

        /// A span, part by part.
        public init(number: Int32, from: WallTime, to: WallTime, phase: Phase, isInputInactive: Bool) {
            self.number = number
            self.from = from
            self.to = to
            self.phase = phase
            self.isInputInactive = isInputInactive
        }
    }

    /// What a row says of the spans of its play, beside the one that lasts (``Play/phaseSince``).
    ///
    /// To be applied in this order: spans are withdrawn, the others turn into ads, those that closed are added.
    public struct SpanChanges: Sendable, Equatable {
        /// Spans of this number and above are no more; nil when all stay.
        public private(set) var withdrawnFrom: Int32?
        /// Whether all that played or buffered so far turned out to be an ad.
        public private(set) var turnIntoAds = false
        /// Spans that are over, in the order of their numbers.
        public private(set) var closed: [Span] = []

        /// No changes.
        public init() {}

        /// Whether nothing changes.
        public var isEmpty: Bool { withdrawnFrom == nil && !turnIntoAds && closed.isEmpty }

        /// Takes changes that came after these.
        public mutating func add(_ later: SpanChanges) {
            if let number = later.withdrawnFrom { withdraw(from: number) }
            if later.turnIntoAds { turnToAds() }
            closed += later.closed
        }

        mutating func withdraw(from number: Int32) {
            closed.removeAll { $0.number >= number }
            withdrawnFrom = min(number, withdrawnFrom ?? number)
        }

        mutating func turnToAds() {
            turnIntoAds = true
            for index in closed.indices { closed[index].turnToAd() }
        }

        mutating func close(_ span: Span) { closed.append(span) }
    }
}

extension Play.Span {
    /// Whether ``Play/SpanChanges/turnIntoAds`` is about it.
    mutating func turnToAd() {
        switch phase {
        case .playing, .buffering: phase = .advertisement
        case .loading, .paused, .advertisement, .idle, .unobserved, .unknown: break
        }
    }
}

/// The end of the spans of an open play: the one that lasts, and what changed since the row before.
///
/// Spans that closed are forgotten once a row has told them. What may still become of them is told by their numbers.
struct SpanTail: Equatable {
    /// The span that lasts; its number is the next one.
    private(set) var open: Play.Span?
    /// The number of the next span to close.
    private(set) var nextNumber: Int32 = 0
    /// What changed since the row before.
    private(set) var changes = Play.SpanChanges()

    init() {}

    /// The tail that a state had; nothing changed since.
    init(open: Play.Span?, nextNumber: Int32) {
        self.open = open
        self.nextNumber = nextNumber
    }

    /// Adds a stretch: to the span that lasts where it adjoins and is alike.
    mutating func add(from: WallTime, to: WallTime, in phase: Play.Phase, inputInactive: Bool) {
        guard from < to else { return }
        if let last = open, last.phase == phase, last.isInputInactive == inputInactive, last.to == from {
            open?.to = to
            return
        }
        close()
        // An idle player has nothing on.
        guard phase != .idle else { return }
        open = Play.Span(number: nextNumber, from: from, to: to, phase: phase, isInputInactive: inputInactive)
    }

    /// Closes the span that lasts.
    mutating func close() {
        guard let span = open else { return }
        changes.close(span)
        nextNumber &+= 1
        open = nil
    }

    /// Forgets the spans of this number and above: they turned out not to be so.
    mutating func withdraw(from number: Int32) {
        guard number < nextNumber || open != nil else { return }
        open = nil
        // What only lasted has been told by no row.
        guard number < nextNumber else { return }
        changes.withdraw(from: number)
        nextNumber = number
    }

    /// All that played so far was an ad.
    mutating func turnToAds() {
        changes.turnToAds()
        open?.turnToAd()
    }

    /// A row has told the changes.
    mutating func forgetChanges() { changes = Play.SpanChanges() }
}

extension OpenPlay {
    /// Spends a stretch in a phase: in its seconds and in its spans alike.
    mutating func spend(from: WallTime, to: WallTime, in phase: Play.Phase, inputInactive: Bool) {
        guard hasBegun else { return }
        play.time.add(TimeSpent.between(from, to), in: phase, inputInactive: inputInactive)
        spans.add(from: from, to: to, in: phase, inputInactive: inputInactive)
    }

    /// Spends the time of a gap up to a moment.
    mutating func spend(_ absence: Absence, upTo moment: WallTime) {
        for stretch in absence.stretches { spend(from: stretch.from, to: stretch.to, in: .unobserved) }
        spend(from: absence.restFrom, to: moment, in: .unobserved)
    }

    private mutating func spend(from: WallTime, to: WallTime, in phase: Play.Phase) {
        spend(from: from, to: to, in: phase, inputInactive: false)
    }

    /// Takes back what was counted since a gap began.
    mutating func withdraw(to absence: Absence) {
        play.time = absence.before
        spans.withdraw(from: absence.spansBefore)
    }

    /// Whether the span that lasts goes on after ``Play/countedAt`` as it is.
    func continuesSpan(inputInactive: Bool) -> Bool {
        guard let last = spans.open else { return false }
        return play.endedAt == nil && last.to == play.countedAt && last.phase == phase
            && (last.isInputInactive == inputInactive || phase == .unobserved)
    }
}

extension DevicePlays {
    /// Closes the spans that do not go on, and puts the rows of plays whose spans changed.
    mutating func closeSpans(into changes: inout PlayChanges) {
        for index in open.indices { Self.closeSpan(of: &open[index], isInputInactive, into: &changes) }
        for index in recent.indices { Self.closeSpan(of: &recent[index], isInputInactive, into: &changes) }
    }

    private static func closeSpan(of play: inout OpenPlay, _ inputInactive: Bool, into changes: inout PlayChanges) {
        if !play.continuesSpan(inputInactive: inputInactive) { play.spans.close() }
        guard !play.spans.changes.isEmpty else { return }
        changes.put(play)
        play.spans.forgetChanges()
    }
}
