public import CastModel
public import Differ
import Plays
import Recording

/// A row of `castledger report audit`: a change event in words, with who caused it.
///
/// The names and their order are stable.
public struct AuditFields: Sendable {
    /// The event.
    public var event: ChangeEvent
    /// The recorder whose archive holds it: a UUID.
    public var recorderID: String
    /// The device's friendly name; nil when it never told one.
    public var deviceName: String?

    /// An event with what surrounds it.
    public init(event: ChangeEvent, recorderID: String, deviceName: String?) {
        self.event = event
        self.recorderID = recorderID
        self.deviceName = deviceName
    }

    /// The names, in order.
    public static let names = [
        "recorder_id", "event", "observed_at", "device_id", "device", "kind", "attribution", "request_id",
        "sender_series", "who", "what", "effective",
    ]

    private func values(_ apps: AppRegistry) -> [JSONValue?] {
        [
            .string(recorderID), .string(event.id.playName), .string(event.observedAt.text),
            .string(event.deviceID.text), deviceName.map(JSONValue.string), .string(event.kind.rawValue),
            .string(event.attribution.rawValue), event.requestID.map(JSONValue.integer),
            event.senderSeries.map { .integer(Int64($0)) }, .string(who), .string(what(apps)), .bool(event.effective),
        ]
    }

    /// Who caused it, as far as the wire tells.
    public var who: String {
        switch event.attribution {
        case .senderRequest: event.senderSeries.map { "probably sender \($0)" } ?? "a sender"
        case .receiver: "the device"
        case .snapshot: "found so"
        case .unknown: Wording.isOurOwnObservation(event.kind) ? "castledger" : "unknown"
        }
    }

    private func what(_ apps: AppRegistry) -> String {
        PlainText.neutralized(Wording(event: event, apps: apps).clause, limitCharacters: 600)
            + (event.effective ? "" : " (no change)")
    }

    /// One JSON object, without newline; absent values are `null`.
    public func json(apps: AppRegistry) -> String {
        JSONValue.object(JSONObject(zip(Self.names, values(apps)).map { (key: $0, value: $1 ?? .null) })).text
    }

    /// The heading of a CSV file, with its CRLF.
    public static let csvHeading = CSVLine.text(names.map { $0 })

    /// One CSV line with its CRLF.
    public func csv(apps: AppRegistry) -> String { CSVLine.text(values(apps).map { $0?.string ?? $0?.text }) }

    /// The columns of ``cells(zone:apps:)``.
    public static let columns: [Table.Column] = [
        .init("observed at", isWhole: true), .init("event", isWhole: true, leavingRank: 2),
        .init("device", limitColumns: 24), .init("who", limitColumns: 17, leavingRank: 1), .init("what"),
    ]

    /// The row of a table for people.
    public func cells(zone: Zone, apps: AppRegistry) -> [String] {
        [
            zone.day(event.observedAt) + " " + zone.timeOfDay(event.observedAt), event.id.playName,
            deviceName ?? event.deviceID.text, who, what(apps),
        ]
    }
}
