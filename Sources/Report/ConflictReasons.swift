import CastModel
public import Conflicts
import Differ
import Recording

/// Why something was told as a conflict, in words: the thresholds that it met, and who did what.
public struct ConflictReasons: Sendable {
    private let conflict: Conflict
    private let rules: ConflictRules

    /// The reasons for a conflict that was found by these rules.
    public init(_ conflict: Conflict, rules: ConflictRules = ConflictRules()) {
        self.conflict = conflict
        self.rules = rules
    }

    /// One line for the rule, and one for each actor.
    public var lines: [String] {
        [rule] + conflict.actors.map { "  " + actor($0) }
            + (conflict.otherTurns > 0 ? ["  others: \(conflict.otherTurns) turns"] : [])
    }

    private var rule: String {
        let score = "score \(Figures.decimal(conflict.score)), of \(Figures.decimal(rules.leastScore)) at least"
        let certainty = "\(conflict.certainUndoings) of them certainly by another sender"
        guard let fight = rules.fight(conflict.id.kind) else {
            return "takeover, \(score): one sender's media was playing, or paused for "
                + "\(Figures.decimal(rules.takeoverPausedSeconds)) s at most, and another sender's came in its place"
        }
        let step =
            switch conflict.id.kind {
            case .volumeFight: ", by \(Figures.percent(fight.step)) at least"
            case .seekFight: ", by \(Figures.decimal(fight.step)) s at least"
            case .takeover, .playPauseFight, .trackFight, .styleFight: ""
            }
        return "\(conflict.id.kind.rawValue), \(score): \(conflict.undoings) undoings, \(certainty), of "
            + "\(Figures.decimal(fight.undoings)) at least, each within \(Figures.decimal(fight.pauseSeconds)) s of the "
            + "one before\(step)"
    }

    private func actor(_ actor: Conflict.Actor) -> String {
        var words: String
        if actor.isReceiver {
            words = "the device"
        } else {
            words = actor.senderSeries.map { "sender \($0)" } ?? "a sender without a number"
            if let first = actor.firstRequestID, let last = actor.lastRequestID {
                words += first == last ? ", request \(first)" : ", requests \(first) to \(last)"
            }
        }
        let moves = actor.moves == 1 ? "1 move" : "\(actor.moves) moves"
        let undoings = actor.undoings == 1 ? "1 undoing" : "\(actor.undoings) undoings"
        let last = actor.lastValue.map { ", last " + PlainText.neutralized(value($0)) } ?? ""
        return "\(words): \(moves), \(undoings)\(last)"
    }

    private func value(_ json: JSONValue) -> String {
        if json["muted"]?.lossyFlag == true { return "muted" }
        if let level = json["level"]?.lossyNumber { return Figures.percent(level) }
        if let state = json["playerState"]?.string { return Wording.playerStateWord(state) }
        if let seconds = json["currentTime"]?.lossyNumber { return Figures.position(seconds) }
        if let ids = json["activeTrackIds"]?.array {
            return ids.isEmpty ? "no track" : "tracks " + ids.compactMap(\.lossyText).joined(separator: ", ")
        }
        if json["title"] != nil || json["app"] != nil {
            return [json["title"]?.string.map { "\"\($0)\"" }, json["app"]?.string].compactMap { $0 }
                .joined(separator: " in ")
        }
        return (json["textTrackStyle"] ?? json).text
    }
}
