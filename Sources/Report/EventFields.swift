public import CastModel
public import Differ
import Recording

/// A change event with the names of DESIGN 4, for programs: JSON Lines and CSV.
///
/// The names and their order are stable.
public struct EventFields: Sendable {
    /// The event.
    public var event: ChangeEvent
    /// The recorder whose archive holds it: a UUID.
    public var recorderID: String
    /// The device's friendly name; nil when it never told one.
    public var deviceName: String?
    /// On whose clocks the times are written; each tells its distance from UTC.
    public var zone = Zone.utc

    /// An event with what surrounds it.
    public init(event: ChangeEvent, recorderID: String, deviceName: String?) {
        self.event = event
        self.recorderID = recorderID
        self.deviceName = deviceName
    }

    /// The names, in order.
    public static let names = [
        "recorder_id", "position", "ordinal", "observed_at", "device_id", "device", "app_session_id",
        "media_session_id", "kind", "attribution", "request_id", "sender_series", "callbacks", "effective", "before",
        "after",
        "position_seconds",
    ]

    /// The values in the order of ``names``; nil where there is none.
    private var values: [JSONValue?] {
        [
            .string(recorderID),
            .integer(event.id.position.number),
            .integer(Int64(event.id.ordinal)),
            .string(zone.text(event.observedAt)),
            .string(event.deviceID.text),
            deviceName.map(JSONValue.string),
            event.appSessionID.map { .string($0.text) },
            event.mediaSessionID.map(JSONValue.integer),
            .string(event.kind.rawValue),
            .string(event.attribution.rawValue),
            event.requestID.map(JSONValue.integer),
            event.senderSeries.map { .integer(Int64($0)) },
            .array(event.callbacks.map { .string($0.rawValue) }),
            .bool(event.effective),
            event.before,
            event.after,
            event.positionSeconds.map(JSONValue.number),
        ]
    }

    /// One JSON object, without newline; absent values are `null`.
    ///
    /// - Parameters:
    ///   - sentence: Adds the timeline's words as `sentence`.
    ///   - apps: Names for apps whose device said none, in that sentence.
    public func json(withSentence sentence: Bool = false, apps: AppRegistry = .builtIn) -> String {
        JSONValue.object(object(withSentence: sentence, apps: apps)).text
    }

    /// The same, to be put into another one.
    public func object(withSentence sentence: Bool = false, apps: AppRegistry = .builtIn) -> JSONObject {
        var object = JSONObject(zip(Self.names, values).map { (key: $0, value: $1 ?? .null) })
        if sentence { object["sentence"] = .string(Timeline.sentence(for: event, apps: apps)) }
        return object
    }

    /// The heading of a CSV file, with its CRLF.
    public static let csvHeading = CSVLine.text(names.map { $0 })

    /// One CSV line with its CRLF: callbacks separated by blanks, `before` and `after` as JSON.
    public var csv: String {
        CSVLine.text(
            values.map { value in
                switch value {
                case nil: nil
                case .string(let text)?: text
                case .array(let words)?: words.compactMap(\.string).joined(separator: " ")
                case let value?: value.text
                }
            })
    }

    /// The row of a table for people: time, position and ordinal, device, kind, cause, before and after.
    public func row(zone: Zone) -> [String] {
        [
            zone.day(event.observedAt) + " " + zone.timeOfDay(event.observedAt),
            "\(event.id.position)/\(event.id.ordinal)",
            deviceName ?? event.deviceID.text,
            event.kind.rawValue,
            (Wording(event: event).cause ?? "") + (event.effective ? "" : ", no change"),
            (event.before?.text ?? "") + (event.after.map { " -> " + $0.text } ?? ""),
        ]
    }

    /// The columns of ``row(zone:)``.
    public static let columns: [Table.Column] = [
        .init("observed at"), .init("event"), .init("device", limitColumns: 24), .init("kind"), .init("cause"),
        .init("before -> after"),
    ]
}
