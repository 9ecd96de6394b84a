public import CastModel
public import Recording

/// When an archive was last verified, and what that showed.
public struct ArchiveCheck: Sendable, Equatable {
    /// When the check ended.
    public var at: WallTime
    /// Whether everything was as it was written.
    public var isIntact: Bool
    /// Good records.
    public var records: Int64
    /// The last good record; nil when there was none.
    public var lastPosition: Int64?
    /// Damaged places.
    public var damageCount: Int64

    /// A check, part by part.
    public init(at: WallTime, isIntact: Bool, records: Int64, lastPosition: Int64?, damageCount: Int64) {
        self.at = at
        self.isIntact = isIntact
        self.records = records
        self.lastPosition = lastPosition
        self.damageCount = damageCount
    }

    /// The check that ``json`` wrote; nil when it is none.
    public init?(_ json: JSONValue) {
        guard let at = json["at"]?.string.flatMap({ WallTime(text: $0) }), case .bool(let isIntact)? = json["intact"],
            case .integer(let records)? = json["records"], case .integer(let damage)? = json["damage_count"]
        else { return nil }
        var lastPosition: Int64?
        if case .integer(let position)? = json["last_position"] { lastPosition = position }
        self.init(
            at: at, isIntact: isIntact, records: records, lastPosition: lastPosition, damageCount: damage)
    }

    /// Its parts under stable names.
    public var json: JSONValue {
        [
            "at": .string(at.text), "intact": .bool(isIntact), "records": .integer(records),
            "last_position": lastPosition.map { .integer($0) } ?? .null, "damage_count": .integer(damageCount),
        ]
    }

    /// The same in half a line for people.
    public var words: String {
        let verdict = isIntact ? "intact" : "DAMAGED in \(damageCount) \(damageCount == 1 ? "place" : "places")"
        let reach = lastPosition.map { ", up to record \($0)" } ?? ""
        return "\(verdict) on \(at.text.prefix(10)) at \(at.text.dropFirst(11).prefix(5)) UTC\(reach)"
    }
}
