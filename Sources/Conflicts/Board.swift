import CastModel
import Differ
import Recording

/// One thing that can be fought over: whose turn it was last, whose before, and whether they take each other back.
struct Board: Equatable {
    /// What is fought over on one device.
    enum Subject: String, CaseIterable {
        case deviceVolume, streamVolume, playPause, seek, tracks, style

        var kind: Conflict.Kind {
            switch self {
            case .deviceVolume, .streamVolume: .volumeFight
            case .playPause: .playPauseFight
            case .seek: .seekFight
            case .tracks: .trackFight
            case .style: .styleFight
            }
        }
    }

    var turn: Turn?
    var previous: Turn?
    var fight: Fight?
    /// The last moves, ``recentLimit`` at most: to be played again when it turns out that one sender was two.
    var recent: [Move] = []

    static let recentLimit = 16

    /// What was taken for one sender is two: plays the moves again, unless the fight is told already.
    mutating func apply(_ split: Hands.Split, _ rule: ConflictRules.Fight) {
        guard fight?.isTold != true, recent.contains(where: { $0.doer.belongs(to: split) }) else { return }
        let moves = recent
        self = Board()
        for move in moves {
            var told = move
            told.doer.follow(split)
            _ = take(told, rule)
        }
    }

    /// Takes a move; true when it is part of a fight.
    mutating func take(_ move: Move, _ rule: ConflictRules.Fight) -> Bool {
        if let turn, !move.at.isWithin(rule.pauseSeconds, of: turn.lastAt) { self = Board() }
        recent.append(move)
        if recent.count > Self.recentLimit { recent.removeFirst() }
        place(move, rule)
        guard var made = turn else { return false }
        if made.hasUndone {
            // Its turn goes on; long after it took something back, that is its own affair.
            guard let lastUndoingAt = fight?.lastUndoingAt, move.at.isWithin(rule.pauseSeconds, of: lastUndoingAt)
            else { return false }
            fight?.extend(by: move)
            return true
        }
        guard let undone = previous, move.at.isWithin(rule.pauseSeconds, of: undone.lastAt),
            made.effect.undoes(undone.effect, step: rule.step)
        else { return false }
        made.hasUndone = true
        turn = made
        if let last = fight?.lastUndoingAt, !move.at.isWithin(rule.pauseSeconds, of: last) { fight = nil }
        var going = fight ?? Fight(undone, at: move.at, within: rule.pauseSeconds)
        // Somebody who agreed with the last one, and is now taken back, belongs to it as well.
        if fight != nil, !undone.hasUndone { going.note(undone) }
        going.add(made, sureness: undone.doer.sureness(ofAnother: made.firstDoer))
        fight = going
        return true
    }

    /// The move goes on with a turn, or begins one.
    private mutating func place(_ move: Move, _ rule: ConflictRules.Fight) {
        if let last = turn, !last.doer.isSame(as: move.doer), !last.hasUndone, last.effect.isSlight(rule.step) {
            // It came to nothing: as if it had not been.
            (turn, previous) = (previous, nil)
            if let turn, !move.at.isWithin(rule.pauseSeconds, of: turn.lastAt) {
                self = Board()
                recent = [move]
            }
        }
        if turn?.doer.isSame(as: move.doer) == true {
            turn?.extend(by: move)
        } else {
            previous = turn
            turn = Turn(move)
        }
    }

    /// Takes back the last move of the device itself: an ad break explains it.
    mutating func withdraw(deviceMoveSince moment: WallTime) {
        guard let last = turn, last.doer.isReceiver, last.steps.count == 1, last.lastAt >= moment, !last.hasUndone
        else { return }
        (turn, previous) = (previous, nil)
        recent.removeAll { $0.doer.isReceiver && $0.at >= moment }
    }
}

extension Doer {
    fileprivate func belongs(to split: Hands.Split) -> Bool {
        hand == split.hand && requestID.map { $0 <= split.throughID } ?? false
    }

    /// Is the other one of two from now on, if it is that one.
    mutating func follow(_ split: Hands.Split) {
        guard belongs(to: split) else { return }
        (hand, series) = (split.next, split.series)
    }
}

extension Turn {
    /// Its doer at its first move.
    fileprivate var firstDoer: Doer {
        var first = doer
        first.requestID = firstRequestID
        first.at = steps.first?.at ?? lastAt
        return first
    }
}
