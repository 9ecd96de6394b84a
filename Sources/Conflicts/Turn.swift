import CastModel
import Differ
import Recording

/// One deed: a change event that somebody caused.
struct Move: Equatable {
    var event: ChangeEvent.ID
    var at: WallTime
    var doer: Doer
    var effect: Effect
    /// What was so before; nil when unknown.
    var before: JSONValue?
    /// What is so after it.
    var after: JSONValue?
}

/// Moves of one actor in a row, without a long pause: a drag on a slider is one turn.
struct Turn: Equatable {
    /// One move of it.
    struct Step: Equatable {
        var event: ChangeEvent.ID
        var at: WallTime
    }

    var doer: Doer
    /// The requestId of its first move.
    var firstRequestID: Int64?
    /// All moves added up.
    var effect: Effect
    var lastAt: WallTime
    var before: JSONValue?
    var after: JSONValue?
    /// The last moves, ``stepLimit`` at most.
    var steps: [Step]
    /// Whether it took back another one's turn.
    var hasUndone = false

    /// Moves kept, at most: of a longer drag, the last ones are evidence.
    static let stepLimit = 32

    init(_ move: Move) {
        doer = move.doer
        firstRequestID = move.doer.requestID
        effect = move.effect
        lastAt = move.at
        before = move.before
        after = move.after
        steps = [Step(event: move.event, at: move.at)]
    }

    mutating func extend(by move: Move) {
        doer = move.doer
        effect = effect.followed(by: move.effect)
        lastAt = move.at
        after = move.after
        steps.append(Step(event: move.event, at: move.at))
        if steps.count > Self.stepLimit { steps.removeFirst() }
    }

    init(
        doer: Doer, firstRequestID: Int64?, effect: Effect, lastAt: WallTime, before: JSONValue?, after: JSONValue?,
        steps: [Step], hasUndone: Bool
    ) {
        self.doer = doer
        self.firstRequestID = firstRequestID
        self.effect = effect
        self.lastAt = lastAt
        self.before = before
        self.after = after
        self.steps = steps
        self.hasUndone = hasUndone
    }
}
