public import CastModel
public import Differ
import Recording

/// How a conflict is called, within its recorder.
extension Conflict.ID {
    /// Position and ordinal of its first evidence, and its kind, with strokes between them: "812/0/volume_fight".
    public var name: String { "\(first.eventName)/\(kind.rawValue)" }

    /// What ``name`` calls so; nil when it calls nothing so.
    public init?(name: String) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let kind = Conflict.Kind(rawValue: String(parts[2])),
            let first = ChangeEvent.ID(eventName: "\(parts[0])/\(parts[1])")
        else { return nil }
        self.init(first: first, kind: kind)
    }
}

extension ChangeEvent.ID {
    /// Position and ordinal with a stroke between them.
    var eventName: String { "\(position.number)/\(ordinal)" }

    /// What ``eventName`` calls so; nil when it calls nothing so.
    init?(eventName: String) {
        let parts = eventName.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let position = Int64(parts[0]), let ordinal = Int32(parts[1]) else { return nil }
        self.init(position: ArchivePosition(position), ordinal: ordinal)
    }
}

/// Lists within a conflict, for storage and for programs.
extension Conflict {
    /// The names of the change events that show it.
    public var evidenceJSON: JSONValue { .array(evidence.map { .string($0.eventName) }) }

    /// Who fought, and what each did; what is not known is `null`.
    public var actorsJSON: JSONValue {
        .array(
            actors.map { actor in
                [
                    "who": .string(actor.isReceiver ? "device" : "sender"),
                    "sender_series": actor.senderSeries.map { .integer(Int64($0)) } ?? .null,
                    "first_request_id": actor.firstRequestID.map { .integer($0) } ?? .null,
                    "last_request_id": actor.lastRequestID.map { .integer($0) } ?? .null,
                    "moves": .integer(actor.moves), "undoings": .integer(actor.undoings),
                    "last_value": actor.lastValue ?? .null,
                ]
            })
    }

    /// The change events that ``evidenceJSON`` names.
    public static func evidence(_ json: JSONValue) -> [ChangeEvent.ID] {
        (json.array ?? []).compactMap { $0.string.flatMap { ChangeEvent.ID(eventName: $0) } }
    }

    /// The actors that ``actorsJSON`` tells of.
    public static func actors(_ json: JSONValue) -> [Actor] {
        (json.array ?? []).map { told in
            var actor = Actor()
            actor.isReceiver = told["who"]?.string == "device"
            actor.senderSeries = told["sender_series"]?.lossyInteger.flatMap { Int32(exactly: $0) }
            actor.firstRequestID = told["first_request_id"]?.lossyInteger
            actor.lastRequestID = told["last_request_id"]?.lossyInteger
            actor.moves = told["moves"]?.lossyInteger ?? 0
            actor.undoings = told["undoings"]?.lossyInteger ?? 0
            if let value = told["last_value"], value != .null { actor.lastValue = value }
            return actor
        }
    }
}
