import CastModel
import Recording

/// The inference of who asked as JSON, for the checkpoint.
extension SenderSeries {
    /// The whole state; nil when it says nothing yet.
    var stateJSON: JSONValue? {
        guard self != SenderSeries() else { return nil }
        return JSONObject(known: [
            ("app", appSessionID.map { .string($0.text) }), ("count", .integer(Int64(count))),
            ("lost", isLost ? true : nil),
            ("explanations", explanations.isEmpty ? nil : .array(explanations.map { $0.stateJSON })),
            ("latest", latest.map { $0.stateJSON }), ("awaited", awaited.map { $0.stateJSON }),
            (
                "crowd",
                crowd.map { [.integer($0.lowestID), .integer($0.highestID), .integer($0.earliestAt.microseconds)] }
            ),
        ]).unlessEmpty
    }

    /// The state that ``stateJSON`` wrote.
    init(_ fields: StateFields) throws(DifferError) {
        appSessionID = try fields.text("app").map { AppSessionID($0) }
        guard let count = Int32(exactly: try fields.required("count")) else { throw fields.unreadable("count") }
        self.count = count
        isLost = try fields.flag("lost") ?? false
        for explanation in try fields.list("explanations") {
            guard let senders = explanation.array?.map({ Triple($0) }) else { throw fields.unreadable("explanations") }
            var read: [Sender] = []
            for sender in senders {
                guard let sender, let id = sender.first, let at = sender.second else {
                    throw fields.unreadable("explanations")
                }
                read.append(
                    Sender(
                        number: sender.third.map { Int32(clamping: $0) }, lastID: id, lastAt: WallTime(microseconds: at)
                    ))
            }
            explanations.append(Explanation(senders: read))
        }
        latest = try Self.answer(fields, "latest")
        awaited = try Self.answer(fields, "awaited")
        if let stored = try fields.optionalList("crowd") {
            guard let crowd = Triple(.array(stored)), let lowest = crowd.first, let highest = crowd.second,
                let at = crowd.third
            else { throw fields.unreadable("crowd") }
            self.crowd = Crowd(lowestID: lowest, highestID: highest, earliestAt: WallTime(microseconds: at))
        }
    }

    private static func answer(_ fields: StateFields, _ key: String) throws(DifferError) -> Answer? {
        guard let stored = try fields.optionalList(key) else { return nil }
        guard let answer = Triple(.array(stored)), let id = answer.first, let at = answer.second else {
            throw fields.unreadable(key)
        }
        return Answer(id: id, at: WallTime(microseconds: at), number: answer.third.map { Int32(clamping: $0) })
    }
}

extension SenderSeries.Explanation {
    fileprivate var stateJSON: JSONValue {
        .array(senders.map { Triple($0.lastID, $0.lastAt.microseconds, $0.number.map(Int64.init)).json })
    }
}

extension SenderSeries.Answer {
    fileprivate var stateJSON: JSONValue { Triple(id, at.microseconds, number.map(Int64.init)).json }
}

/// Three integers in a JSON array, each of which may be `null`.
private struct Triple {
    let first: Int64?
    let second: Int64?
    let third: Int64?

    init(_ first: Int64, _ second: Int64, _ third: Int64?) {
        (self.first, self.second, self.third) = (first, second, third)
    }

    init?(_ json: JSONValue) {
        guard let elements = json.array, elements.count == 3,
            elements.allSatisfy({ $0 == .null || $0.lossyInteger != nil })
        else { return nil }
        (first, second, third) = (elements[0].lossyInteger, elements[1].lossyInteger, elements[2].lossyInteger)
    }

    var json: JSONValue { .array([first, second, third].map { $0.map { .integer($0) } ?? .null }) }
}
