import CastModel
import Differ
import Recording

/// Turns that took each other back, one after the other: a fight, or what may become one.
struct Fight: Equatable {
    /// One of those who take part.
    struct Side: Equatable {
        var hand: Int64
        var turns: Int64
        var actor: Conflict.Actor
    }

    var from: WallTime
    var to: WallTime
    var before: JSONValue?
    var after: JSONValue?
    var sides: [Side] = []
    var otherTurns: Int64 = 0
    var undoings: Int64 = 0
    var certainUndoings: Int64 = 0
    /// The sum of how sure each undoing is to be another one's.
    var sureness: Double = 0
    var lastUndoingAt: WallTime
    var evidence: [ChangeEvent.ID] = []
    var evidenceCount: Int64 = 0
    /// Whether it was told of as a conflict: then every change of it is.
    var isTold = false

    /// What may become a fight, from the turn that is taken back.
    init(_ undone: Turn, at: WallTime, within pauseSeconds: Double) {
        let late = undone.steps.filter { at.isWithin(pauseSeconds, of: $0.at) }
        from = late.first?.at ?? undone.lastAt
        to = undone.lastAt
        before = undone.before
        after = undone.after
        lastUndoingAt = at
        for step in late { addEvidence(step.event) }
        join(undone, moves: Int64(late.count), isUndoing: false)
    }

    init(from: WallTime, to: WallTime, lastUndoingAt: WallTime) {
        self.from = from
        self.to = to
        self.lastUndoingAt = lastUndoingAt
    }

    /// A turn took back the one before it.
    mutating func add(_ turn: Turn, sureness: Double) {
        undoings += 1
        self.sureness += sureness
        if sureness >= 1 { certainUndoings += 1 }
        lastUndoingAt = turn.lastAt
        for step in turn.steps { addEvidence(step.event) }
        join(turn, moves: Int64(turn.steps.count), isUndoing: true)
        (to, after) = (turn.lastAt, turn.after)
    }

    /// A turn that took nothing back, and is taken back itself.
    mutating func note(_ turn: Turn) {
        for step in turn.steps { addEvidence(step.event) }
        join(turn, moves: Int64(turn.steps.count), isUndoing: false)
    }

    /// A turn that took another one back goes on.
    mutating func extend(by move: Move) {
        addEvidence(move.event)
        (to, after) = (move.at, move.after)
        guard let place = sides.firstIndex(where: { $0.hand == move.doer.hand }) else { return }
        sides[place].actor.moves += 1
        sides[place].actor.lastRequestID = move.doer.requestID
        sides[place].actor.lastValue = move.after
    }

    /// How sure it is that somebody fought: how sure it is that they were several, and how often they did it.
    var score: Double {
        guard undoings > 0 else { return 0 }
        var doubt = 1.0
        for _ in 0..<min(undoings, 60) { doubt /= 2 }
        return ((sureness / Double(undoings)) * (1 - doubt) * 1000).rounded() / 1000
    }

    /// Whether there is enough of it to tell.
    ///
    /// Somebody must have come back to it: a tool that connects anew for each command is a new sender each time, and fights
    /// with nobody.
    func isConflict(_ rule: ConflictRules.Fight, leastScore: Double) -> Bool {
        Double(undoings) >= rule.undoings && score >= leastScore
            && (rule.undoings < 2 || sides.contains { $0.turns > 1 })
    }

    private mutating func addEvidence(_ event: ChangeEvent.ID) {
        evidenceCount += 1
        if evidence.count < Conflict.evidenceLimit { evidence.append(event) }
    }

    private mutating func join(_ turn: Turn, moves: Int64, isUndoing: Bool) {
        let place: Int
        if let known = sides.firstIndex(where: { $0.hand == turn.doer.hand }) {
            place = known
        } else if sides.count < Conflict.actorLimit {
            place = sides.count
            var actor = Conflict.Actor()
            actor.isReceiver = turn.doer.isReceiver
            actor.firstRequestID = turn.firstRequestID
            sides.append(Side(hand: turn.doer.hand, turns: 0, actor: actor))
        } else {
            otherTurns += 1
            return
        }
        sides[place].turns += 1
        sides[place].actor.senderSeries = turn.doer.series
        sides[place].actor.lastRequestID = turn.doer.requestID
        sides[place].actor.moves += moves
        sides[place].actor.undoings += isUndoing ? 1 : 0
        sides[place].actor.lastValue = turn.after
    }
}
