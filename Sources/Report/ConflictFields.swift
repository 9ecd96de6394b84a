public import CastModel
public import Conflicts
import Differ
import Recording

/// A conflict with the names of docs/conflicts.md, for programs: JSON Lines and CSV.
///
/// The names and their order are stable.
public struct ConflictFields: Sendable {
    /// The conflict.
    public var conflict: Conflict
    /// The recorder whose archive holds its evidence: a UUID.
    public var recorderID: String
    /// The device's friendly name; nil when it never told one.
    public var deviceName: String?
    /// On whose clocks the times are written; each tells its distance from UTC.
    public var zone = Zone.utc

    /// A conflict with what surrounds it.
    public init(conflict: Conflict, recorderID: String, deviceName: String?) {
        self.conflict = conflict
        self.recorderID = recorderID
        self.deviceName = deviceName
    }

    /// The names, in order.
    public static let names = [
        "conflict_id", "recorder_id", "device_id", "device", "kind", "from", "to", "score", "evidence",
        "evidence_count", "sentence", "app_session_id", "undoings", "certain_undoings", "actors", "other_turns",
        "before", "after",
    ]

    /// The values in the order of ``names``; nil where there is none.
    private var values: [JSONValue?] {
        [
            .string(conflict.id.name), .string(recorderID), .string(conflict.deviceID.text),
            deviceName.map(JSONValue.string), .string(conflict.id.kind.rawValue), .string(zone.text(conflict.from)),
            .string(zone.text(conflict.to)), .number(conflict.score), conflict.evidenceJSON,
            .integer(conflict.evidenceCount), .string(conflict.sentence),
            conflict.appSessionID.map { .string($0.text) }, .integer(conflict.undoings),
            .integer(conflict.certainUndoings), conflict.actorsJSON, .integer(conflict.otherTurns), conflict.before,
            conflict.after,
        ]
    }

    /// One JSON object; absent values are `null`.
    public var object: JSONObject {
        JSONObject(zip(Self.names, values).map { (key: $0, value: $1 ?? .null) })
    }

    /// The same as text, without newline.
    public var json: String { JSONValue.object(object).text }

    /// The heading of a CSV file, with its CRLF.
    public static let csvHeading = CSVLine.text(names.map { $0 })

    /// One CSV line with its CRLF: evidence separated by blanks, other lists and objects as JSON.
    public var csv: String {
        CSVLine.text(
            zip(Self.names, values).map { name, value in
                switch value {
                case nil: nil
                case .string(let text)?: text
                case .array(let words)? where name == "evidence":
                    words.compactMap(\.string).joined(separator: " ")
                case let value?: value.text
                }
            })
    }

    /// When, where and what, in one line: "2026-03-01 20:14:03 to 20:14:19, Kitchen: two senders …".
    public func story(zone: Zone) -> String {
        let day = zone.day(conflict.from)
        let end = zone.day(conflict.to) == day ? "" : zone.day(conflict.to) + " "
        return "\(day) \(zone.wholeSeconds(conflict.from)) to \(end)\(zone.wholeSeconds(conflict.to)), "
            + "\(PlainText.neutralized(deviceName ?? conflict.deviceID.text)): "
            + PlainText.neutralized(conflict.sentence, limitCharacters: 600)
    }

    /// The row of a table for people.
    public func row(zone: Zone) -> [String] {
        [
            zone.day(conflict.from) + " " + zone.wholeSeconds(conflict.from), zone.wholeSeconds(conflict.to),
            deviceName ?? conflict.deviceID.text, conflict.id.name, Figures.decimal(conflict.score),
            conflict.sentence,
        ]
    }

    /// The columns of ``row(zone:)``.
    public static let columns: [Table.Column] = [
        .init("from"), .init("to"), .init("device", limitColumns: 24), .init("conflict"),
        .init("score", isNumeric: true), .init("what happened"),
    ]
}

extension Zone {
    /// The time of day without its fraction.
    fileprivate func wholeSeconds(_ time: WallTime) -> String {
        String(timeOfDay(time).prefix { $0 != "." })
    }
}
