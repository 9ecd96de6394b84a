import CastModel
import Differ
import Recording

/// Boards, turns and fights as JSON, for the checkpoint.
extension Board {
    func json(_ subject: Subject) -> JSONValue {
        .stored([
            ("subject", .string(subject.rawValue)), ("turn", turn?.json), ("previous", previous?.json),
            ("fight", fight?.json), ("recent", .stored(unlessEmpty: recent.map(\.json))),
        ])
    }

    init(_ fields: StoredFields) throws(ConflictsError) {
        turn = try fields.nested("turn").map(Turn.init)
        previous = try fields.nested("previous").map(Turn.init)
        fight = try fields.nested("fight").map(Fight.init)
        for move in try fields.each("recent") { recent.append(try Move(move)) }
    }
}

extension Move {
    fileprivate var json: JSONValue {
        .stored([
            ("event", event.stored), ("at", .stored(at)), ("doer", doer.json), ("effect", effect.json),
            ("before", before), ("after", after),
        ])
    }

    fileprivate init(_ fields: StoredFields) throws(ConflictsError) {
        self.init(
            event: try fields.required(try fields.id("event"), "event"),
            at: try fields.required(try fields.moment("at"), "at"),
            doer: try Doer(fields.required(try fields.nested("doer"), "doer")),
            effect: try fields.required(fields.value("effect").flatMap { Effect(stored: $0) }, "effect"),
            before: fields.value("before"), after: fields.value("after"))
    }
}

extension Turn {
    fileprivate var json: JSONValue {
        .stored([
            ("doer", doer.json), ("first", .stored(firstRequestID)), ("effect", effect.json), ("at", .stored(lastAt)),
            ("before", before), ("after", after),
            ("steps", .array(steps.map { [$0.event.stored, .integer($0.at.microseconds)] })),
            ("undone", .stored(unlessFalse: hasUndone)),
        ])
    }

    fileprivate init(_ fields: StoredFields) throws(ConflictsError) {
        var steps: [Step] = []
        for step in try fields.list("steps") {
            guard let pair = step.array, pair.count == 2, let event = ChangeEvent.ID(stored: pair[0]),
                let at = pair[1].lossyInteger
            else { throw .unreadableState(fields.deviceID, field: "steps") }
            steps.append(Step(event: event, at: WallTime(microseconds: at)))
        }
        self.init(
            doer: try Doer(fields.required(try fields.nested("doer"), "doer")),
            firstRequestID: try fields.integer("first"),
            effect: try fields.required(fields.value("effect").flatMap { Effect(stored: $0) }, "effect"),
            lastAt: try fields.required(try fields.moment("at"), "at"), before: fields.value("before"),
            after: fields.value("after"), steps: steps, hasUndone: try fields.flag("undone"))
    }
}

extension Effect {
    fileprivate var json: JSONValue {
        switch self {
        case .amount(let amount): .number(amount)
        case .parts(let parts): .array(parts.map { [.string($0.name), $0.before, $0.after] })
        }
    }

    fileprivate init?(stored value: JSONValue) {
        if let parts = value.array {
            var read: [Part] = []
            for part in parts {
                guard let told = part.array, told.count == 3, let name = told[0].string else { return nil }
                read.append(Part(name: name, before: told[1], after: told[2]))
            }
            self = .parts(read)
        } else if let amount = value.lossyNumber {
            self = .amount(amount)
        } else {
            return nil
        }
    }
}

extension Fight {
    fileprivate var json: JSONValue {
        .stored([
            ("from", .stored(from)), ("to", .stored(to)), ("before", before), ("after", after),
            ("sides", .array(sides.map(\.json))), ("others", .stored(unlessZero: otherTurns)),
            ("undoings", .integer(undoings)), ("certain", .stored(unlessZero: certainUndoings)),
            ("sureness", .number(sureness)), ("undoingAt", .stored(lastUndoingAt)),
            ("evidence", .array(evidence.map(\.stored))), ("count", .integer(evidenceCount)),
            ("told", .stored(unlessFalse: isTold)),
        ])
    }

    fileprivate init(_ fields: StoredFields) throws(ConflictsError) {
        self.init(
            from: try fields.required(try fields.moment("from"), "from"),
            to: try fields.required(try fields.moment("to"), "to"),
            lastUndoingAt: try fields.required(try fields.moment("undoingAt"), "undoingAt"))
        (before, after) = (fields.value("before"), fields.value("after"))
        for side in try fields.each("sides") { sides.append(try Side(side)) }
        otherTurns = try fields.integer("others") ?? 0
        undoings = try fields.integer("undoings") ?? 0
        certainUndoings = try fields.integer("certain") ?? 0
        sureness = try fields.number("sureness") ?? 0
        evidence = try fields.ids("evidence")
        evidenceCount = try fields.integer("count") ?? 0
        isTold = try fields.flag("told")
    }
}

extension Fight.Side {
    fileprivate var json: JSONValue {
        .stored([
            ("hand", .stored(unlessZero: hand)), ("turns", .integer(turns)), ("series", .stored(actor.senderSeries)),
            ("first", .stored(actor.firstRequestID)), ("last", .stored(actor.lastRequestID)),
            ("moves", .integer(actor.moves)), ("undoings", .stored(unlessZero: actor.undoings)),
            ("value", actor.lastValue),
        ])
    }

    fileprivate init(_ fields: StoredFields) throws(ConflictsError) {
        self.init(
            hand: try fields.integer("hand") ?? 0, turns: try fields.integer("turns") ?? 0, actor: Conflict.Actor())
        actor.isReceiver = hand == 0
        actor.senderSeries = try fields.integer("series").map { Int32(clamping: $0) }
        actor.firstRequestID = try fields.integer("first")
        actor.lastRequestID = try fields.integer("last")
        actor.moves = try fields.integer("moves") ?? 0
        actor.undoings = try fields.integer("undoings") ?? 0
        actor.lastValue = fields.value("value")
    }
}
